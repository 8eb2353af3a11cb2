//! Faulty executors, on which every case must fail.

use std::collections::BTreeMap;

use super::executor::{CaseExecutor, Cpu, Trace};
use super::{CASES, Check};
use crate::RunError;
use throng_traffic_scenario::Scenario;

/// Kinds of faults that an executor may have.
#[derive(Clone, Copy)]
enum Fault {
    /// Emits no events and only zero hashes.
    DoesNothing,
    /// Emits every event and hash twice.
    Doubles,
    /// Omits the last event of each kind on each link, and the last state hash.
    OffByOne,
}

const FAULTS: [(&str, Fault); 3] =
    [("does nothing", Fault::DoesNothing), ("doubles", Fault::Doubles), ("off by one", Fault::OffByOne)];

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

#[test]
fn every_case_detects_missing_doubled_and_shifted_results() {
    let faults = FAULTS.map(|(name, _)| name);
    let listed: Vec<(&str, &[&str])> = CASES.iter().map(|case| (case.name, [].as_slice())).collect();
    throng_testing::assert_detects(&faults, &faults, &listed, |case, fault| {
        let (Check::Everywhere(check) | Check::Device(check)) = CASES[case].check;
        let found = match fault {
            Some(fault) => check(&Mutant(FAULTS[fault].1)),
            None => check(&Cpu),
        };
        CASES[case].verified(found).outcome()
    });
}
