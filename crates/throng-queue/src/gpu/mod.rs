//! The device executor: the whole simulation on a GPU, with the same events and state hashes as on the CPU.
//!
//! All state lives on the device, agents and their plans included. A step has two halves: agents whose activity is over
//! depart while vehicles cross nodes; then links are stepped while teleports end. The host only submits steps, batch by
//! batch, takes the events that come back, and skips steps in which nothing is due.
//!
//! * `upload` turns a scenario into packed arrays, whose records `record` describes;
//! * `kernels` holds the rules of a step;
//! * `drive` goes from batch to batch, `outbox` puts events in order, `hashes` holds state hashes back until they are
//!   certain, `volumes` counts vehicles on links;
//! * `mirror` looks at the state from the host: hashes, and the agents that are left at the end.

// The names of columns are the words in which these modules speak.
#![allow(clippy::wildcard_imports)]

mod batch;
mod buffers;
mod changes;
mod hashes;
mod host_state;
mod kernels;
mod launch;
mod outbox;
mod parameters;
mod record;
mod run;
mod suitable;
mod upload;
mod volumes;

use throng_device::{AnyDevice, with_device};

use crate::{RunError, RunOptions, RunOutcome};
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::EventSink;

pub use suitable::unsuitable;

/// Runs `scenario` on a device and hands its events to `sink`. `options.threads` and the options for tests of the CPU
/// executor have no meaning here.
///
/// The events are those of [`crate::cpu::simulate`]; within a step their order may differ in which agent comes
/// first, never in what happens to one agent, vehicle, node or link.
///
/// # Errors
/// As for [`crate::cpu::simulate`]; when the scenario needs the CPU, see [`unsuitable`]; when the device lacks double
/// precision or memory, or fails.
pub fn simulate(
    scenario: &Scenario,
    sink: &mut dyn EventSink,
    options: &RunOptions<'_>,
    device: &AnyDevice,
) -> Result<RunOutcome, RunError> {
    with_device!(device, |device| run::run(scenario, sink, options, device))
}
