//! Faulty executors: each has a fault in one rule, and each case must fail on some of them.

mod faults;
mod views;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use throng_model::prelude::*;

use super::super::super::cpu::CpuField;
use super::super::super::cpu::views::ActualState;
use super::super::crowd::Prepared;
use super::super::scenario::Scenario;
use super::super::{Crowd, SocialFieldModel};
use super::executor::CaseExecutor;
use super::{CASES, CHECKS};
use faults::{FAULTS, NOTHING, Place};
use views::FaultyViews;

/// The CPU executor, with or without a fault.
struct Mutant {
    fault: Option<Place>,
}

/// A crowd on the CPU executor, with a fault.
struct FaultyWalk {
    scenario: Scenario,
    fault: Option<Place>,
    /// The crowd as the case gave it.
    start: Crowd,
    walk: Walk,
}

enum Walk {
    Model(Box<dyn Steps<State = Crowd>>),
    Field { field: Box<CpuField>, tick: u32 },
}

fn model(scenario: &Scenario, crowd: Crowd) -> Result<Walk, Failure> {
    Ok(Walk::Model(SocialFieldModel::executor(&Executor::cpu(), scenario, crowd)?))
}

impl CaseExecutor for Mutant {
    fn begin(&self, scenario: &Scenario, crowd: Crowd) -> Result<Box<dyn Steps<State = Crowd>>, Failure> {
        let start = crowd.clone();
        let Crowd { mut pedestrians, tick, prepared } = crowd;
        let mut prepared = Prepared::clone(&prepared);
        if let Some(Place::Input(change)) = self.fault {
            change(&mut prepared, &mut pedestrians);
        }
        let walk = match self.fault {
            Some(Place::Views(_) | Place::FieldSums) if !pedestrians.has_large_bodies() => {
                let Prepared { world, tables, summing, seed } = prepared;
                let field = Box::new(CpuField::new(world, tables, pedestrians, seed, tick, summing)?);
                Walk::Field { field, tick }
            }
            _ => model(scenario, Crowd { pedestrians, tick, prepared: Arc::new(prepared) })?,
        };
        Ok(Box::new(FaultyWalk { scenario: scenario.clone(), fault: self.fault, start, walk }))
    }

    fn seeds(&self) -> u32 {
        1
    }

    /// The definition is computed once for all executors.
    fn hash_by_definition(&self, crowd: &Crowd, ticks: u32) -> Result<u64, Failure> {
        static KNOWN: Mutex<BTreeMap<(String, u64, u32), u64>> = Mutex::new(BTreeMap::new());
        let key = (format!("{:?}", crowd.prepared.tables), crowd.hash(), ticks);
        let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        if let Some(hash) = known {
            return Ok(hash);
        }
        let hash = Executor::cpu().hash_by_definition(crowd, ticks)?;
        KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(key, hash);
        Ok(hash)
    }
}

impl FaultyWalk {
    fn actual_state(&self) -> Result<Crowd, Failure> {
        match &self.walk {
            Walk::Model(walk) => walk.state(),
            Walk::Field { field, tick } => {
                Ok(Crowd { pedestrians: field.pedestrians(), tick: *tick, ..self.start.clone() })
            }
        }
    }
}

impl Steps for FaultyWalk {
    type State = Crowd;

    fn step(&mut self) -> Result<(), Failure> {
        if let Some(Place::Nothing) = self.fault {
            return Ok(());
        }
        let before = if let Some(Place::Tick(_)) = self.fault { Some(self.actual_state()?) } else { None };
        match &mut self.walk {
            Walk::Model(walk) => walk.step()?,
            Walk::Field { field, tick } => {
                match self.fault {
                    Some(Place::Views(fault)) => {
                        field.step_with(&FaultyViews(fault));
                        field.refresh();
                    }
                    // Sums stay those of the first state.
                    _ => drop(field.step_with(&ActualState)),
                }
                *tick += 1;
            }
        }
        if let (Some(Place::Tick(change)), Some(before)) = (self.fault, before) {
            let mut after = self.actual_state()?;
            change(&before, &mut after);
            self.walk = model(&self.scenario, after)?;
        }
        Ok(())
    }

    /// Columns that no rule changes stay those of the case.
    fn state(&self) -> Result<Crowd, Failure> {
        let mut crowd = self.actual_state()?;
        crowd.prepared = Arc::clone(&self.start.prepared);
        crowd.pedestrians.period.clone_from(&self.start.pedestrians.period);
        if let Some(Place::Result(change)) = self.fault {
            change(&mut crowd);
        }
        Ok(crowd)
    }
}

/// The faults that each case must detect, besides that of an executor that does nothing.
const DETECTED: [(&str, &[&str]); CASES.len()] = [
    ("pedestrians are conserved", &["two in one space unit"]),
    ("steps are short", &["steps of two space units", "walk periods ignored"]),
    (
        "states by definition",
        &[
            "RR ignored",
            "DA ignored",
            "DR doubled",
            "equal strength on all rings",
            "one side preferred",
            "draws of the next tick",
            "another seed",
            "fields not updated",
            "positions off by one column",
        ],
    ),
    (
        "definition with rooms",
        &[
            "side ignored",
            "exits have no field",
            "walls have no field",
            "diagonals between walls",
            "space units are free at once",
            "exchanges as short as steps",
            "walls ignored",
            "doors always open",
            "doors always closed",
            "no pedestrian enters",
            "entries a tick late",
        ],
    ),
    ("definition with traces", &["traces fade more slowly", "readings swapped"]),
    ("definition with bodies", &["one space unit for each body"]),
    ("definition with squeezing", &["squeezes a tick late", "squeezed bodies do not grow back"]),
    ("a narrow gap", &["no squeezes", "squeezes a tick late", "squeezed bodies do not grow back"]),
    ("bodies do not overlap", &["bodies grow into others", "squeezed bodies do not grow back"]),
    ("directions are equal", &["sectors off by one", "priorities ignored", "fields read beside the pedestrian"]),
    ("places are equal", &["steps from the border take a tick more"]),
    ("rule 184", &["the heading has no weight", "threshold ignored"]),
    ("walk periods", &["walk periods ignored", "steps take a tick more"]),
    ("a full world", &["exchanges without leave"]),
    ("an empty world", &["ticks off by one"]),
    ("free flow", &["a periodic border is closed"]),
    ("flow in one direction", &["RR ignored"]),
    ("flow in two and four directions", &["fields not updated"]),
    ("flow in eight directions", &["RR ignored"]),
    ("gridlock", &["no exchanges"]),
    ("headings are equally fast", &["priorities ignored"]),
    ("lanes form", &["DR ignored"]),
    ("lanes need the oncoming field", &["default weights"]),
    ("equal speeds", &["diagonal steps as short as others"]),
    ("wide doors are quicker", &["exits one space unit wide"]),
    ("one at a time", &["no pedestrian leaves", "all leave with their last step"]),
    ("exits by crowding", &["all walk to their first exit", "crowding ignored", "exits never chosen again"]),
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

/// Faults that only one case detects, apart from those that compare states with the definition: these detect most
/// faults, unless the definition has them as well.
const DETECTED_BY_ONE: [(&str, &[&str]); 6] = [
    ("an empty world", &["ticks off by one"]),
    ("gridlock", &["no exchanges", "equal strength on all rings"]),
    ("lanes need the oncoming field", &["default weights"]),
    ("equal speeds", &["diagonal steps as short as others"]),
    ("wide doors are quicker", &["exits one space unit wide"]),
    ("exits by crowding", &["crowding ignored", "exits never chosen again"]),
];

mod exhaustive {
    use super::*;

    #[test]
    fn some_faults_are_detected_by_one_case_only() {
        for (only, faults) in DETECTED_BY_ONE {
            for fault in (0..FAULTS.len()).filter(|&fault| faults.contains(&FAULTS[fault].name)) {
                let others = (0..CASES.len()).filter(|&case| !CASES[case].name.contains("definition"));
                let by: Vec<&str> =
                    others.filter(|&case| check(case, Some(fault)).is_err()).map(|case| CASES[case].name).collect();
                assert_eq!(by, [only], "{}", FAULTS[fault].name);
            }
        }
    }
}
