//! Logs of state hashes: one line `step hash` per hashed step.

use std::cmp::Ordering;
use std::fmt;
use std::path::Path;

use throng_core::InputError;

use super::lines::Lines;

/// The result of comparing two logs of state hashes, A and B. Its `Display` text is the report for users.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashComparison {
    /// The names of A and B.
    pub names: [String; 2],
    /// Number of steps in both logs.
    pub common: u64,
    /// Number of steps in one log only.
    pub only_in: [u64; 2],
    /// Number of common steps with different hashes.
    pub different: u64,
    /// The first of these steps, with both hashes.
    pub first: Option<(u64, [String; 2])>,
}

impl HashComparison {
    /// Whether all common steps have equal hashes, there is at least one, and neither side has additional steps.
    pub fn is_equal(&self) -> bool {
        self.different == 0 && self.only_in == [0, 0] && self.common > 0
    }
}

/// Compares two logs of state hashes. Empty lines and lines that begin with `#` are ignored.
///
/// # Errors
/// If a file cannot be read, a line is malformed, or the steps of a file are not in ascending order.
pub fn compare_hashes(a: &Path, b: &Path) -> Result<HashComparison, InputError> {
    let names = [a.display().to_string(), b.display().to_string()];
    let mut report = HashComparison { names, common: 0, only_in: [0; 2], different: 0, first: None };
    let mut logs = [HashLog::open(a)?, HashLog::open(b)?];
    let [mut left, mut right] = [logs[0].next_hash()?, logs[1].next_hash()?];
    loop {
        let order = match (&left, &right) {
            (Some(a), Some(b)) => a.0.cmp(&b.0),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return Ok(report),
        };
        let in_a = if order == Ordering::Greater { None } else { left.take() };
        let in_b = if order == Ordering::Less { None } else { right.take() };
        if in_a.is_some() {
            left = logs[0].next_hash()?;
        }
        if in_b.is_some() {
            right = logs[1].next_hash()?;
        }
        match (in_a, in_b) {
            (Some((step, a)), Some((_, b))) => {
                report.common += 1;
                if a != b {
                    report.different += 1;
                    report.first.get_or_insert((step, [a, b]));
                }
            }
            (one, _) => report.only_in[usize::from(one.is_none())] += 1,
        }
    }
}

struct HashLog {
    lines: Lines,
    last_step: Option<u64>,
}

impl HashLog {
    fn open(path: &Path) -> Result<Self, InputError> {
        Ok(Self { lines: Lines::open(path)?, last_step: None })
    }

    fn next_hash(&mut self) -> Result<Option<(u64, String)>, InputError> {
        while let Some(line) = self.lines.next_line()? {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let mut words = line.split_whitespace();
            let step = words.next().and_then(|word| word.parse::<u64>().ok());
            let (Some(step), Some(hash), None) = (step, words.next(), words.next()) else {
                return Err(InputError::one(
                    self.lines.place(),
                    format!("\"{line}\" is not a step and a hash"),
                    "A log of state hashes has lines such as `21510 9f86d081884c7d65`.",
                ));
            };
            if let Some(last) = self.last_step.replace(step).filter(|&last| last >= step) {
                return Err(InputError::one(
                    self.lines.place(),
                    format!("step {step} comes after step {last}"),
                    "The steps of a log increase; give each run its own log.",
                ));
            }
            return Ok(Some((step, hash.to_owned())));
        }
        Ok(None)
    }
}

impl fmt::Display for HashComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_equal() {
            return write!(f, "equal: {} steps", self.common);
        }
        writeln!(f, "different: {} of {} common steps", self.different, self.common)?;
        for (letter, (name, only)) in ["A", "B"].iter().zip(self.names.iter().zip(self.only_in)) {
            writeln!(f, "{letter}: {name}: {only} steps that are only in {letter}")?;
        }
        if let Some((step, [a, b])) = &self.first {
            writeln!(f, "first at step {step}: A {a}, B {b}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(a: &str, b: &str) -> Result<HashComparison, InputError> {
        let folder = tempfile::tempdir().unwrap();
        let paths = [folder.path().join("a.txt"), folder.path().join("b.txt")];
        std::fs::write(&paths[0], a).unwrap();
        std::fs::write(&paths[1], b).unwrap();
        compare_hashes(&paths[0], &paths[1])
    }

    #[test]
    fn the_first_differing_step_is_reported() {
        let report = compare("# step hash\n0 aa\n10 bb\n20 cc\n", "0 aa\n10 bc\n\n20 dd\n").unwrap();
        assert_eq!((report.common, report.different, report.only_in), (3, 2, [0, 0]));
        assert_eq!(report.first, Some((10, ["bb".into(), "bc".into()])));
        assert!(report.to_string().contains("first at step 10: A bb, B bc"), "{report}");
    }

    #[test]
    fn steps_of_one_side_only_are_counted() {
        let report = compare("0 aa\n10 bb\n20 cc\n", "0 aa\n5 xx\n10 bb\n").unwrap();
        assert_eq!((report.common, report.different, report.only_in), (2, 0, [1, 1]));
        assert!(!report.is_equal());
        assert!(compare("0 aa\n", "0  aa\n").unwrap().is_equal());
    }

    #[test]
    fn bad_lines_are_reported_with_their_number() {
        let error = compare("0 aa\nten bb\n", "0 aa\n").unwrap_err().to_string();
        assert!(error.contains("a.txt:2: \"ten bb\" is not a step and a hash"), "{error}");
        let error = compare("0 aa\n", "1 aa\n1 aa\n").unwrap_err().to_string();
        assert!(error.contains("b.txt:2: step 1 comes after step 1"), "{error}");
    }
}
