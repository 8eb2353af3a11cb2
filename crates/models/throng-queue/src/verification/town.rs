//! A small town in a jam.

use throng_core::Finding;

use super::executor::{CaseExecutor, Cpu};
use super::roads::{Town, town};
use crate::RunError;
use throng_traffic_scenario::events::EventKind as E;

pub(super) fn no_car_is_lost(on: &dyn CaseExecutor) -> Result<Finding, RunError> {
    let Town { scenario, cars, moves } = town();
    let trace = on.run(scenario)?;
    let counts = [E::Departure, E::Arrival, E::LeftLink, E::EnteredLink].map(|kind| trace.count(kind));
    let text =
        |[departures, arrivals, left, entered]: [usize; 4]| format!("{departures}, {arrivals}; {left}, {entered}");
    Ok(Finding::same(&text([cars, cars, moves, moves]), &text(counts)))
}

/// Compares the states of an executor with those of the CPU, once per minute.
pub(super) fn states_equal_the_cpu(on: &dyn CaseExecutor) -> Result<Finding, RunError> {
    let (expected, found) = (Cpu.run(town().scenario)?.log.hashes, on.run(town().scenario)?.log.hashes);
    let differ = expected.iter().zip(&found).filter(|(a, b)| a != b).count() + expected.len().abs_diff(found.len());
    // The last car departs 1,493 s after the first one, so the state changes in each of the first 24 minutes.
    let changes = found.windows(2).take(24).filter(|pair| pair[0].hash != pair[1].hash).count();
    Ok(Finding::same("0; 24", format!("{differ}; {changes}").as_str()))
}
