//! Verification cases with faulty executors.

use std::thread;

/// Checks that verification cases detect faulty executors, each with a fault. Cases run in parallel.
///
/// * `faults`: the names of all faults.
/// * `listed`: the name of each case, in order, and faults that it must detect.
/// * `by_all`: a fault that every case must detect.
/// * `check`: runs the case with this index on an executor, with the fault with this index or without one. Returns the
///   finding as an error if the case does not hold.
///
/// # Panics
/// If a case does not hold without a fault, holds with one that is listed for it, or has none; if a listed fault does
/// not exist, or a fault is listed for no case.
pub fn cases_detect_faults(
    faults: &[&str],
    listed: &[(&str, &[&str])],
    by_all: &str,
    check: impl Fn(usize, Option<usize>) -> Result<(), String> + Sync,
) {
    for fault in faults.iter().filter(|fault| **fault != by_all) {
        assert!(listed.iter().any(|(_, faults)| faults.contains(fault)), "no case is listed for: {fault}");
    }
    let detects = |case: usize, fault: usize| check(case, Some(fault)).is_err();
    let check_case = |case: usize| {
        let (name, of_case) = listed[case];
        assert!(!of_case.is_empty(), "{name}: no fault is listed");
        for fault in of_case.iter().chain([&by_all]) {
            let Some(number) = faults.iter().position(|of| of == fault) else { panic!("{name}: no fault: {fault}") };
            if !detects(case, number) {
                let detected: Vec<&str> =
                    (0..faults.len()).filter(|&fault| detects(case, fault)).map(|fault| faults[fault]).collect();
                panic!("{name} holds with: {fault}; it detects: {}", detected.join(", "));
            }
        }
        if let Err(found) = check(case, None) {
            panic!("{name} does not hold without a fault: {found}");
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..listed.len()).map(|case| scope.spawn(move || check_case(case))).collect();
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two cases, of which the first detects faults 0 and 1, and the second faults 0 and 2.
    fn result(faults: &[&str], listed: &[(&str, &[&str])], sound: bool) -> String {
        let check = |case: usize, fault: Option<usize>| {
            let is_wrong = fault.map_or(!sound, |fault| fault == 0 || fault == case + 1);
            if is_wrong { Err("3".to_owned()) } else { Ok(()) }
        };
        let tested = std::panic::catch_unwind(|| cases_detect_faults(faults, listed, "none", check));
        let message =
            |panic: Box<dyn std::any::Any + Send>| panic.downcast_ref::<String>().cloned().unwrap_or_default();
        tested.map_or_else(message, |()| "passes".to_owned())
    }

    #[test]
    fn cases_and_faults_without_a_partner_are_reported() {
        let faults = ["none", "one", "two"];
        assert_eq!(result(&faults, &[("a", &["one"]), ("b", &["two"])], true), "passes");
        assert_eq!(
            result(&faults, &[("a", &["one", "two"]), ("b", &["two"])], true),
            "a holds with: two; it detects: none, one"
        );
        assert_eq!(result(&faults, &[("a", &["one"]), ("b", &[])], true), "no case is listed for: two");
        assert_eq!(result(&faults[..2], &[("a", &["one"]), ("b", &[])], true), "b: no fault is listed");
        assert_eq!(result(&faults[..2], &[("a", &["one"]), ("b", &["six"])], true), "b: no fault: six");
        let unsound = result(&faults, &[("a", &["one"]), ("b", &["two"])], false);
        assert_eq!(unsound, "a does not hold without a fault: 3");
    }
}
