//! A small town in a jam.

use throng_core::Finding;
use throng_device::AnyDevice;

use super::executor::Executor;
use super::roads::town;
use crate::RunError;
use crate::events::EventKind as E;

pub(super) fn nobody_is_lost(on: Executor<'_>) -> Result<Finding, RunError> {
    let trace = on.run(town())?;
    let (left, entered) = (trace.count(E::LeftLink), trace.count(E::EnteredLink));
    let (departed, arrived) = (trace.count(E::Departure), trace.count(E::Arrival));
    let persons = trace.scenario.population.persons();
    Ok(Finding::same(
        &format!("{persons} arrive, {left} moves"),
        &format!("{} arrive, {entered} moves", arrived.min(departed)),
    ))
}

/// The state of every minute on one executor and on the CPU.
pub(super) fn states_are_those_of_the_cpu(device: &AnyDevice) -> Result<Finding, RunError> {
    let (here, there) = (Executor::Cpu.run(town())?.log, Executor::Device(device).run(town())?.log);
    let differ = here.hashes.iter().zip(&there.hashes).filter(|(a, b)| a != b).count();
    Ok(Finding::no_difference("minutes", differ + here.hashes.len().abs_diff(there.hashes.len())))
}
