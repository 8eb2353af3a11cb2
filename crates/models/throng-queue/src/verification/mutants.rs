//! Faulty executors, on which every case must fail.

use std::collections::BTreeMap;

use super::executor::{CaseExecutor, Cpu, Trace};
use super::{CASES, Check, Checked};
use crate::RunError;
use throng_traffic_scenario::Scenario;

/// Kinds of faults that an executor may have.
#[derive(Debug, Clone, Copy)]
enum Fault {
    /// Emits no events and only zero hashes.
    DoesNothing,
    /// Emits every event and hash twice.
    Doubles,
    /// Omits the last event of each kind on each link, and the last state hash.
    OffByOne,
}

/// CPU executor whose events and hashes are changed by a fault.
struct Mutant(Fault);

impl CaseExecutor for Mutant {
    fn run(&self, scenario: Scenario) -> Result<Trace, RunError> {
        let mut trace = Cpu.run(scenario)?;
        let (events, hashes) = (&mut trace.log.events, &mut trace.log.hashes);
        match self.0 {
            Fault::DoesNothing => {
                events.clear();
                for at in hashes.iter_mut() {
                    at.hash = 0;
                }
            }
            Fault::Doubles => {
                *events = events.iter().flat_map(|&event| [event; 2]).collect();
                *hashes = hashes.iter().flat_map(|&at| [at; 2]).collect();
            }
            Fault::OffByOne => {
                let last: BTreeMap<_, _> =
                    events.iter().enumerate().map(|(i, (_, event))| ((event.kind, event.link), i)).collect();
                let mut i = 0;
                events.retain(|(_, event)| {
                    i += 1;
                    last[&(event.kind, event.link)] != i - 1
                });
                hashes.pop();
            }
        }
        Ok(trace)
    }
}

/// Names of the cases that hold on an executor.
fn holding(on: &dyn CaseExecutor) -> Vec<&'static str> {
    let cases = CASES.iter().filter(|case| {
        let (Check::Everywhere(check) | Check::Device(check)) = case.check;
        let checked: Checked = check(on);
        checked.is_ok_and(|finding| finding.holds)
    });
    cases.map(|case| case.name).collect()
}

#[test]
fn every_case_fails_on_an_executor_that_does_nothing_doubles_or_is_off_by_one() {
    for fault in [Fault::DoesNothing, Fault::Doubles, Fault::OffByOne] {
        assert_eq!(holding(&Mutant(fault)), [""; 0], "{fault:?}");
    }
    assert_eq!(holding(&Cpu).len(), CASES.len());
}
