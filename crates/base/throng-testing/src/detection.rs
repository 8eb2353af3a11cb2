//! Which verification cases detect which faults of an executor.

use std::fmt::{Debug, Write as _};

/// Asserts that verification cases detect faults: each case fails for at least one fault, each fault makes at least one
/// case fail, and the first fault, an executor that does nothing, makes all cases fail.
///
/// `fails` runs the case with the given index on an executor with the given fault.
///
/// ```
/// // Two cases of a program that doubles a number, and its faults.
/// let faults: [(&str, fn(usize) -> usize); 3] = [("nothing", |_| 0), ("square", |x| x * x), ("plus 3", |x| x + 3)];
/// throng_testing::assert_detects(&["of 2", "of 3"], &faults, |fault, case| fault.1(case + 2) != 2 * (case + 2));
/// ```
///
/// # Panics
/// If a case or a fault is missed. The message has a row per fault and a column per case, with an `x` for each fault
/// that the case detects.
pub fn assert_detects<F: Debug>(cases: &[&str], faults: &[F], fails: impl Fn(&F, usize) -> bool) {
    let detected: Vec<Vec<bool>> =
        faults.iter().map(|fault| (0..cases.len()).map(|case| fails(fault, case)).collect()).collect();
    let is_missed = |fault: &Vec<bool>| !fault.contains(&true);
    let is_idle = |case: usize| !detected.iter().any(|fault| fault[case]);
    let holds_for_nothing = detected.first().is_none_or(|first| first.contains(&false));
    if holds_for_nothing || detected.iter().any(is_missed) || (0..cases.len()).any(is_idle) {
        let mut matrix = String::new();
        for (number, case) in (1..).zip(cases) {
            let _ = writeln!(matrix, "  {number}: {case}");
        }
        for (fault, detected) in faults.iter().zip(&detected) {
            let marks: String = detected.iter().map(|&detected| if detected { 'x' } else { '.' }).collect();
            let _ = writeln!(matrix, "  {marks} {fault:?}");
        }
        panic!(
            "a case detects no fault, a fault is not detected, or a case holds for an executor that does nothing:\n{matrix}"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message for three faults of two cases.
    fn message(detected: [[bool; 2]; 3]) -> Option<String> {
        let asserts = || assert_detects(&["one", "two"], &[0, 1, 2], |&fault: &usize, case| detected[fault][case]);
        let panic = std::panic::catch_unwind(asserts).err()?;
        Some(panic.downcast_ref::<String>().cloned().unwrap_or_default())
    }

    #[test]
    fn missed_faults_idle_cases_and_empty_results_are_reported() {
        assert_eq!(message([[true; 2], [true, false], [false, true]]), None);
        for (detected, row) in [
            ([[true; 2], [false; 2], [false, true]], "  .. 1\n"),
            ([[true, false], [true, false], [true, false]], "  x. 0\n"),
            ([[true, false], [true, true], [true, true]], "  x. 0\n"),
        ] {
            let message = message(detected).unwrap();
            assert!(message.contains("  1: one\n  2: two\n") && message.contains(row), "{message}");
        }
    }
}
