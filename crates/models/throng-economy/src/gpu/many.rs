//! Simulates many societies at once on a device.

use std::sync::Arc;

use throng_device::Device;
use throng_model::Failure;

use super::{Replicate, Snapshot, SocietiesOnDevice, can_be_together, simulate};
use crate::model::{MEASURES, measure};
use crate::parameters::Parameters;
use crate::societies::SocietyCourse;
use crate::society::Society;

/// A society to simulate: its parameters, seed and duration.
#[derive(Debug, Clone)]
pub struct Task {
    pub parameters: Parameters,
    pub seed: u64,
    pub days: u32,
}

/// Maximum number of runs at once: enough to fill a device, and few enough to show progress.
pub const MAX_RUNS: usize = 1024;

/// Memory that a device is assumed to have if its driver does not report it, bytes.
const UNKNOWN_MEMORY: u64 = 2 << 30;

/// Runs that are simulated in one sequence of launches.
struct Group {
    sets: Vec<Parameters>,
    days: u32,
    /// Indices of the runs, and their replicates.
    runs: Vec<(usize, Replicate)>,
}

/// Simulates societies, and returns their courses in the same order.
///
/// # Errors
/// If a device has too little memory, or fails.
pub fn simulate_many(device: &Arc<Device>, tasks: &[Task]) -> Result<Vec<SocietyCourse>, Failure> {
    let mut results: Vec<Option<SocietyCourse>> = vec![None; tasks.len()];
    for group in groups(tasks) {
        for runs in group.runs.chunks(max_at_once(device, &group)?) {
            simulate_runs(device, &group, runs, &mut results)?;
        }
    }
    let complete: Option<Vec<_>> = results.into_iter().collect();
    complete.ok_or_else(|| Failure::resource("a run has no result", "this is a bug, please report it"))
}

/// Groups the societies that can be simulated together.
fn groups(tasks: &[Task]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, Task { parameters, seed, days }) in tasks.iter().enumerate() {
        let fits = |group: &&mut Group| group.days == *days && can_be_together(&group.sets[0], parameters);
        if let Some(group) = groups.iter_mut().find(fits) {
            let set = group.sets.iter().position(|set| set == parameters).unwrap_or_else(|| {
                group.sets.push(parameters.clone());
                group.sets.len() - 1
            });
            group.runs.push((index, Replicate { set, seed: *seed }));
        } else {
            let runs = vec![(index, Replicate { set: 0, seed: *seed })];
            groups.push(Group { sets: vec![parameters.clone()], days: *days, runs });
        }
    }
    groups
}

/// Returns how many runs of a group fit into the memory of a device.
fn max_at_once(device: &Arc<Device>, group: &Group) -> Result<usize, Failure> {
    let one = SocietiesOnDevice::new(device, &group.sets[..1], &[Replicate { set: 0, seed: 0 }], false)?;
    let of_series = u64::from(group.days) * 8 * MEASURES.len() as u64;
    // Half of the memory is left to others. No buffer may be larger than the device allows, or have more elements than
    // kernels can count.
    let memory = device.free_bytes().unwrap_or(UNKNOWN_MEMORY) / 2;
    let of_largest = one.largest_buffer_per_society().max(of_series);
    let largest = device.largest_buffer_bytes().min(u32::MAX.into());
    let max_runs = (memory / (one.bytes_per_society() + of_series)).min(largest / of_largest);
    Ok(usize::try_from(max_runs).unwrap_or(usize::MAX).clamp(1, MAX_RUNS))
}

/// Simulates some runs of a group.
fn simulate_runs(
    device: &Arc<Device>,
    group: &Group,
    runs: &[(usize, Replicate)],
    results: &mut [Option<SocietyCourse>],
) -> Result<(), Failure> {
    let replicates: Vec<Replicate> = runs.iter().map(|run| run.1).collect();
    let days = group.days;
    let mut societies = SocietiesOnDevice::new(device, &group.sets, &replicates, false)?;
    let series = simulate(device, &mut societies, days, &mut |_| ())?;
    let snapshot = Snapshot::read(&societies)?;
    for (at, &(place, Replicate { set, seed })) in runs.iter().enumerate() {
        let mut society = Society::of(&group.sets[set], seed);
        let mut rows = vec![measure(&society)];
        rows.extend((1..=days).map(|day| series.of(at, day).to_vec()));
        if days > 0 {
            snapshot.write(at, &mut society);
        }
        results[place] = Some(SocietyCourse { rows, last: society });
    }
    Ok(())
}
