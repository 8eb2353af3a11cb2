//! The device executor: the whole simulation on a GPU, with the same events and state hashes as on the CPU.
//!
//! All state is on the device, including agents and their plans. A step has two halves: activities end while vehicles
//! cross nodes; then links are stepped while teleports end. The host only submits steps in batches, receives the
//! resulting events, and skips steps in which nothing is due.
//!
//! * `upload` and `upload_transit` convert a scenario to packed arrays, whose layout is in `record`;
//! * `kernels` contains the rules of a step;
//! * `run` submits batches, `outbox` sorts events, `hashes` holds back state hashes until they are certain, `volumes`
//!   counts the vehicles that leave each link;
//! * `host_state` and `host_transit` are a copy of the state on the host, for hashes and for the remaining agents at
//!   the end.

// Most lines of these modules use names of columns.
#![allow(clippy::wildcard_imports)]

mod batch;
mod buffers;
mod changes;
mod hashes;
mod host_state;
mod host_transit;
mod kernels;
mod launch;
mod outbox;
mod record;
mod run;
mod suitability;
mod upload;
mod upload_transit;
mod volumes;

use throng_device::Device;

use crate::pacing::Pacing;
use crate::{RunError, RunOptions, RunOutcome};
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::EventSink;

// The kernels' views for the rules; the views of the CPU executor refer to them as `CubeType::ExpandType`.
pub(crate) use kernels::{AtStopsOnDevice, JourneyOnDevice, LinkOnDevice, NodeOnDevice};
pub use suitability::{unsuitable, unsuitable_device};

/// Runs `scenario` on a device to the end and delivers its events to `sink`. [`Running`](crate::Running) does the same
/// step by step. `options.threads` and the test options of the CPU executor have no effect.
///
/// The events are the same, in the same order, as from [`crate::cpu::simulate`].
///
/// # Errors
/// The errors of [`crate::cpu::simulate`]. Also fails if the scenario needs the CPU (see [`unsuitable`]), or if the
/// device lacks double precision or memory, or fails.
pub fn simulate(
    scenario: &Scenario,
    sink: &mut dyn EventSink,
    options: &RunOptions<'_>,
    device: &Device,
) -> Result<RunOutcome, RunError> {
    run(scenario, sink, options, &mut Pacing::without_pauses(), device)
}

/// Runs `scenario` with the pauses of `pacing`.
pub(crate) fn run(
    scenario: &Scenario,
    sink: &mut dyn EventSink,
    options: &RunOptions<'_>,
    pacing: &mut Pacing<'_>,
    device: &Device,
) -> Result<RunOutcome, RunError> {
    run::run(scenario, sink, options, pacing, device)
}
