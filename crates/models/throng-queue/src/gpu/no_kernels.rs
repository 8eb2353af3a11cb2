//! The device executor of builds without kernels, which only returns an error.

mod suitability;

use throng_device::Device;

use crate::pacing::Pacing;
use crate::{RunError, RunOptions, RunOutcome};
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::EventSink;

pub use suitability::{unsuitable, unsuitable_device};

/// Returns an error, because this build has no kernels.
///
/// # Errors
/// Always.
pub fn simulate(
    _scenario: &Scenario,
    _sink: &mut dyn EventSink,
    _options: &RunOptions<'_>,
    device: &Device,
) -> Result<RunOutcome, RunError> {
    no_kernels(device)
}

/// Returns an error, because this build has no kernels.
pub(crate) fn run(
    _scenario: &Scenario,
    _sink: &mut dyn EventSink,
    _options: &RunOptions<'_>,
    _pacing: &mut Pacing<'_>,
    device: &Device,
) -> Result<RunOutcome, RunError> {
    no_kernels(device)
}

fn no_kernels(device: &Device) -> Result<RunOutcome, RunError> {
    Err(device.no_kernels("throng-queue").into())
}
