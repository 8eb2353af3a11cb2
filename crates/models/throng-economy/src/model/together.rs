//! Simulates many societies of a sweep at once on a device.

use std::sync::Arc;

use throng_device::Device;
use throng_model::prelude::*;

use super::Scenario;
use super::measures::{MEASURES, measure};
use crate::gpu::{Replicate, Snapshot, SocietiesOnDevice, can_be_together, simulate};
use crate::parameters::Parameters;
use crate::society::Society;

/// Maximum number of runs at once: enough to fill a device, and few enough to show progress.
pub const MAX_RUNS: usize = 1024;

/// Memory that a device is assumed to have if its driver does not report it, bytes.
const UNKNOWN_MEMORY: u64 = 2 << 30;

/// Runs that are simulated in one sequence of launches.
struct Group {
    sets: Vec<Parameters>,
    days: u64,
    /// Indices of the runs, and their replicates.
    runs: Vec<(usize, Replicate)>,
}

/// Simulates scenarios, each for its own number of days.
pub fn simulate_together(
    device: &Arc<Device>,
    scenarios: &[(Scenario, u64)],
) -> Result<Vec<SimulatedTogether<Society>>, Failure> {
    let mut results: Vec<Option<SimulatedTogether<Society>>> = vec![None; scenarios.len()];
    for group in groups(scenarios) {
        for runs in group.runs.chunks(most_at_once(device, &group)?) {
            simulate_runs(device, &group, runs, &mut results)?;
        }
    }
    let complete: Option<Vec<_>> = results.into_iter().collect();
    complete.ok_or_else(|| Failure::resource("a run has no result", "this is a bug, please report it"))
}

/// Groups the scenarios that can be simulated together.
fn groups(scenarios: &[(Scenario, u64)]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (place, &(ref scenario, days)) in scenarios.iter().enumerate() {
        let parameters = scenario.parameters();
        let fits = |group: &&mut Group| group.days == days && can_be_together(&group.sets[0], &parameters);
        let seed = scenario.seed.into();
        match groups.iter_mut().find(fits) {
            Some(group) => {
                let set = group.sets.iter().position(|set| *set == parameters).unwrap_or_else(|| {
                    group.sets.push(parameters);
                    group.sets.len() - 1
                });
                group.runs.push((place, Replicate { set, seed }));
            }
            None => {
                groups.push(Group { sets: vec![parameters], days, runs: vec![(place, Replicate { set: 0, seed })] });
            }
        }
    }
    groups
}

/// Returns how many runs of a group fit into the memory of a device.
fn most_at_once(device: &Arc<Device>, group: &Group) -> Result<usize, Failure> {
    let one = SocietiesOnDevice::new(device, &group.sets[..1], &[Replicate { set: 0, seed: 0 }], false)?;
    let of_series = group.days * 8 * MEASURES.len() as u64;
    // Half of the memory is left to others. No buffer may be larger than the device allows, or have more elements than
    // kernels can count.
    let memory = device.free_bytes().unwrap_or(UNKNOWN_MEMORY) / 2;
    let of_largest = one.largest_buffer_per_society().max(of_series);
    let largest = device.largest_buffer_bytes().min(u32::MAX.into());
    let most = (memory / (one.bytes_per_society() + of_series)).min(largest / of_largest);
    Ok(usize::try_from(most).unwrap_or(usize::MAX).clamp(1, MAX_RUNS))
}

/// Simulates some runs of a group.
fn simulate_runs(
    device: &Arc<Device>,
    group: &Group,
    runs: &[(usize, Replicate)],
    results: &mut [Option<SimulatedTogether<Society>>],
) -> Result<(), Failure> {
    let replicates: Vec<Replicate> = runs.iter().map(|run| run.1).collect();
    let days = u32::try_from(group.days).unwrap_or(u32::MAX);
    let mut societies = SocietiesOnDevice::new(device, &group.sets, &replicates, false)?;
    let series = simulate(device, &mut societies, days, &mut |_| ())?;
    let snapshot = Snapshot::read(&societies)?;
    for (at, &(place, Replicate { set, seed })) in runs.iter().enumerate() {
        let mut society = Society::new(&group.sets[set], seed);
        let mut rows = vec![(0, measure(&society))];
        rows.extend((1..=days).map(|day| (day.into(), series.of(at, day).to_vec())));
        if days > 0 {
            snapshot.write(at, &mut society);
        }
        results[place] = Some(SimulatedTogether { rows, last: society });
    }
    Ok(())
}
