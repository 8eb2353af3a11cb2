//! Faulty executors: each has a fault in one rule, and each case must fail on some of them.

mod faults;

use throng_model::prelude::*;

use super::executor::CaseExecutor;
use super::{CASES, CHECKS};
use crate::society::Society;
use faults::{FAULTS, NOTHING, Place};

/// The CPU executor, with or without a fault.
struct Mutant {
    fault: Option<Place>,
}

/// A society on the CPU, with a fault.
struct FaultySociety {
    fault: Option<Place>,
    society: Society,
}

impl CaseExecutor for Mutant {
    fn begin(&self, mut society: Society) -> Result<Box<dyn Steps<State = Society>>, Failure> {
        match self.fault {
            Some(Place::Parameters(change)) => {
                let mut parameters = society.parameters.clone();
                change(&mut parameters);
                society = Society::of(&parameters, society.seed);
            }
            Some(Place::Seed) => society = Society::of(&society.parameters, society.seed + 1),
            Some(Place::Deviation(change)) => change(&mut society.deviations),
            _ => {}
        }
        Ok(Box::new(FaultySociety { fault: self.fault, society }))
    }

    fn seeds(&self) -> u32 {
        1
    }
}

impl Steps for FaultySociety {
    type State = Society;

    fn step(&mut self) -> Result<(), Failure> {
        match self.fault {
            Some(Place::Nothing) => {}
            Some(Place::Phase(carry_out)) => self.society.day_with(carry_out),
            _ => self.society.day(),
        }
        Ok(())
    }

    fn state(&self) -> Result<Society, Failure> {
        let mut society = self.society.clone();
        if let Some(Place::Result(change)) = self.fault {
            change(&mut society);
        }
        Ok(society)
    }
}

/// The faults that each case must detect, besides that of an executor that does nothing.
const DETECTED: [(&str, &[&str]); CASES.len()] = [
    ("the first day", &["utility falls more slowly", "short days"]),
    ("stock of the first day", &["extraction counted for the first resource", "any resource extracted"]),
    ("learning alone", &["full experience too early", "experience does not grow"]),
    ("barter conserves units", &["trades take nothing", "trades give nothing"]),
    (
        "days by definition",
        &[
            "the next resource extracted",
            "nothing forgotten",
            "no market after extraction",
            "price of one",
            "menus kept after a trade",
            "menus too short",
            "an attempt less",
            "equal powers in trade",
            "nothing consumed",
        ],
    ),
    ("barter speeds up growth", &["no trade"]),
    ("tools multiply output", &["tools without effect"]),
    ("machines raise utility", &["machines without effect"]),
    (
        "same state everywhere",
        &[
            "another seed",
            "last lot not considered",
            "any surplus is enough",
            "no inventions of tools",
            "no inventions of other devices",
            "experience of inventors halved",
            "the first resource never best",
            "short recipes",
            "factories without effect",
            "industries without effect",
            "devmachines without effect",
            "devfactories without effect",
            "tools last twice as long",
            "devices do not wear",
            "assembly takes half the time",
            "no trade in devices",
            "no devices for oneself",
            "no production",
            "assembly not forgotten",
            "half as much consumed",
            "removals ignored",
            "stock kept on removal",
            "agents never leave",
        ],
    ),
];

/// Runs a case on an executor; its finding is an error if it does not hold.
fn check(case: usize, fault: Option<usize>) -> Result<(), String> {
    CASES[case].verified(CHECKS[case](&Mutant { fault: fault.map(|fault| FAULTS[fault].place) })).outcome()
}

#[test]
fn each_case_detects_faults() {
    assert!(CASES.iter().map(|case| case.name).eq(DETECTED.map(|(case, _)| case)));
    let faults: Vec<&str> = FAULTS.iter().map(|fault| fault.name).collect();
    throng_testing::assert_detects(&faults, &[NOTHING], &DETECTED, check);
}
