//! Verification cases with faulty executors.

use std::thread;

/// Checks that verification cases hold, and that they detect faulty executors, each with a fault. Cases run in
/// parallel.
///
/// * `faults`: the names of all faults.
/// * `by_all`: faults that every case must detect, such as that of an executor that does nothing.
/// * `listed`: the name of each case, in order, and further faults that it must detect.
/// * `check`: runs the case with this index on an executor, with the fault with this index or without one. Returns the
///   finding as an error if the case does not hold.
///
/// ```
/// // Cases of a program that doubles a number, and its faults.
/// let doubles: [fn(usize) -> usize; 4] = [|x| 2 * x, |_| 0, |x| x * x, |x| x + 3];
/// let check = |case: usize, fault: Option<usize>| match doubles[fault.map_or(0, |fault| fault + 1)](case + 2) {
///     found if found == 2 * (case + 2) => Ok(()),
///     found => Err(found.to_string()),
/// };
/// let listed: [(&str, &[&str]); 2] = [("twice 2", &["adds 3"]), ("twice 3", &["squares"])];
/// throng_testing::assert_detects(&["nothing", "squares", "adds 3"], &["nothing"], &listed, check);
/// ```
///
/// # Panics
/// If a case does not hold without a fault, holds with one that it must detect, or need not detect any; if a listed
/// fault does not exist, or no case must detect a fault.
pub fn assert_detects(
    faults: &[impl AsRef<str> + Sync],
    by_all: &[&str],
    listed: &[(&str, &[&str])],
    check: impl Fn(usize, Option<usize>) -> Result<(), String> + Sync,
) {
    let is_detected = |fault: &str| by_all.contains(&fault) || listed.iter().any(|(_, of)| of.contains(&fault));
    if let Some(fault) = faults.iter().map(AsRef::as_ref).find(|fault| !is_detected(fault)) {
        panic!("no case is listed for: {fault}");
    }
    let detects = |case: usize, fault: usize| check(case, Some(fault)).is_err();
    let check_case = |case: usize| {
        let (name, of_case) = listed[case];
        assert!(!of_case.is_empty() || !by_all.is_empty(), "{name}: no fault is listed");
        for fault in of_case.iter().chain(by_all) {
            let number = faults.iter().position(|of| of.as_ref() == *fault);
            let Some(number) = number else { panic!("{name}: no fault: {fault}") };
            if !detects(case, number) {
                let detected: Vec<&str> = (0..faults.len())
                    .filter(|&fault| detects(case, fault))
                    .map(|fault| faults[fault].as_ref())
                    .collect();
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
    fn result(faults: &[&str], by_all: &[&str], listed: &[(&str, &[&str])], sound: bool) -> String {
        let check = |case: usize, fault: Option<usize>| {
            let is_wrong = fault.map_or(!sound, |fault| fault == 0 || fault == case + 1);
            if is_wrong { Err("3".to_owned()) } else { Ok(()) }
        };
        let tested = std::panic::catch_unwind(|| assert_detects(faults, by_all, listed, check));
        let message =
            |panic: Box<dyn std::any::Any + Send>| panic.downcast_ref::<String>().cloned().unwrap_or_default();
        tested.map_or_else(message, |()| "passes".to_owned())
    }

    #[test]
    fn cases_and_faults_without_a_partner_are_reported() {
        let (faults, by_all) = (["none", "one", "two"], ["none"]);
        assert_eq!(result(&faults, &by_all, &[("a", &["one"]), ("b", &["two"])], true), "passes");
        assert_eq!(result(&faults[..1], &by_all, &[("a", &[]), ("b", &[])], true), "passes");
        assert_eq!(
            result(&faults, &by_all, &[("a", &["one", "two"]), ("b", &["two"])], true),
            "a holds with: two; it detects: none, one"
        );
        assert_eq!(result(&faults, &by_all, &[("a", &["one"]), ("b", &[])], true), "no case is listed for: two");
        assert_eq!(result(&faults[..2], &[], &[("a", &["none", "one"]), ("b", &[])], true), "b: no fault is listed");
        assert_eq!(result(&faults[..2], &by_all, &[("a", &["one"]), ("b", &["six"])], true), "b: no fault: six");
        let unsound = result(&faults, &by_all, &[("a", &["one"]), ("b", &["two"])], false);
        assert_eq!(unsound, "a does not hold without a fault: 3");
    }
}
