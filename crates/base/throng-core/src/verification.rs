//! Verification cases: the result that a formula, a published figure or a symmetry requires of a model, and the result
//! of this build on this machine.

use std::fmt::Display;

/// The expected and the actual result of a case.
///
/// ```
/// use throng_core::Finding;
///
/// assert!(Finding::at_most(1e-5, 3e-7).holds);
/// let finding = Finding::close(2.0, 2.5, 0.1);
/// assert_eq!((finding.expected.as_str(), finding.found.as_str(), finding.holds), ("2 +- 0.1", "2.5", false));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The required result; for [`Finding::close`], with the tolerance.
    pub expected: String,
    /// The result of the model, or the message of an error.
    pub found: String,
    /// Whether the two agree within the stated tolerance.
    pub holds: bool,
}

impl Finding {
    /// Compares two values for equality.
    pub fn same<T: PartialEq + Display + ?Sized>(expected: &T, found: &T) -> Self {
        Self { expected: expected.to_string(), found: found.to_string(), holds: expected == found }
    }

    /// Requires that none of many items differ; `things` names the items, `differ` is the number of differences.
    pub fn no_difference(things: &str, differ: usize) -> Self {
        Self { expected: format!("0 {things} differ"), found: differ.to_string(), holds: differ == 0 }
    }

    /// Requires that an error is within a bound.
    pub fn at_most(bound: f64, found: f64) -> Self {
        Self { expected: format!("at most {}", figure(bound)), found: figure(found), holds: found <= bound }
    }

    /// Requires a number, up to a tolerance.
    pub fn close(expected: f64, found: f64, tolerance: f64) -> Self {
        Self {
            expected: match tolerance {
                0.0 => figure(expected),
                _ => format!("{} +- {}", figure(expected), figure(tolerance)),
            },
            found: figure(found),
            holds: (expected - found).abs() <= tolerance,
        }
    }

    /// Requires a list of numbers, each up to the same tolerance.
    pub fn all_close(expected: &[f64], found: &[f64], tolerance: f64) -> Self {
        let list = |numbers: &[f64]| numbers.iter().map(|&number| figure(number)).collect::<Vec<_>>().join(", ");
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= tolerance;
        Self {
            expected: list(expected),
            found: list(found),
            holds: expected.len() == found.len() && expected.iter().zip(found).all(near),
        }
    }
}

/// Formats a number with five digits; very small and very large numbers use scientific notation.
fn figure(number: f64) -> String {
    let plain = number == 0.0 || (1e-3..1e9).contains(&number.abs());
    if !plain {
        return format!("{number:.2e}");
    }
    let digits = if number == 0.0 { 0 } else { (4 - libm::log10(number.abs()).floor() as i32).max(0) as usize };
    let text = format!("{number:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A verification case of a model; `C` is the model's function that runs it.
#[derive(Debug, Clone, Copy)]
pub struct VerificationCase<C> {
    /// Name, in a few words.
    pub name: &'static str,
    /// Function that runs the case.
    pub check: C,
    /// The requirement and its source.
    pub promise: &'static str,
}

impl<C> VerificationCase<C> {
    /// Creates a case for a model's list.
    pub const fn new(name: &'static str, check: C, promise: &'static str) -> Self {
        Self { name, check, promise }
    }

    /// Combines the case with its result. An error counts as a failed finding.
    pub fn verified(&self, finding: Result<Finding, impl Display>) -> Verified {
        let failed = |error: String| Finding { expected: "no error".to_owned(), found: error, holds: false };
        let finding = finding.unwrap_or_else(|error| failed(error.to_string()));
        Verified { case: self.name, promise: self.promise, finding }
    }
}

/// A verification case that was run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// Name, in a few words.
    pub case: &'static str,
    /// The requirement and its source.
    pub promise: &'static str,
    /// Comparison of the required and the actual result; for an error, its message is `found`.
    pub finding: Finding,
}

impl Verified {
    /// Whether the case holds.
    ///
    /// # Errors
    /// The actual result, if the case does not hold.
    pub fn outcome(self) -> Result<(), String> {
        if self.finding.holds { Ok(()) } else { Err(self.finding.found) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_rounded_to_few_digits() {
        let texts = [0.0, 2.8, -16.5, 1.0 / 3.0, 123_456.789, 6.4e-8, 1e9].map(figure);
        assert_eq!(texts, ["0", "2.8", "-16.5", "0.33333", "123457", "6.40e-8", "1.00e9"]);
    }

    #[test]
    fn findings_hold_only_within_their_tolerance() {
        assert!(Finding::no_difference("cells", 0).holds && !Finding::no_difference("cells", 1).holds);
        assert_eq!(Finding::close(2.0, 2.0, 0.0), Finding::same(&2, &2));
        assert!(!Finding::at_most(1.0, f64::NAN).holds && !Finding::close(0.0, f64::NAN, 1.0).holds);
        assert!(Finding::all_close(&[1.0, 2.0], &[1.0, 2.05], 0.1).holds);
        assert!(!Finding::all_close(&[1.0, 2.0], &[1.0], 0.1).holds);
        assert!(Finding::same(&"a", &"a").holds && !Finding::same(&1, &2).holds);
        let failed = VerificationCase::new("x", (), "y").verified(Err("no memory"));
        assert_eq!(failed.outcome(), Err("no memory".to_owned()));
        let held = VerificationCase::new("x", (), "y").verified(Ok::<_, &str>(Finding::same(&1, &1)));
        assert_eq!(held.outcome(), Ok(()));
    }
}
