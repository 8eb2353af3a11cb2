//! The executor of a run: opened before anything is loaded if the user named it, and described for the user.

use throng_core::Progress;
use throng_device::{DeviceChoice, DeviceClass, DeviceError, Executor, Needs};

/// Opens the device that a user named; `None` if the user named none. Warns about a device that is no faster than the
/// CPU, because a run on it may take hours.
///
/// # Errors
/// If the device does not exist, or its driver fails.
pub fn named_executor(choice: DeviceChoice, progress: &dyn Progress) -> Result<Option<Executor>, DeviceError> {
    let DeviceChoice::Device(_) = choice else { return Ok(None) };
    let executor = Executor::choose(choice, &Needs::default())?;
    if is_software(&executor) {
        let label = executor.label();
        progress.warn(&format!(
            "{label} is software that runs on the CPU, at least ten times slower than the device cpu; `throng doctor` \
             lists all devices"
        ));
    }
    Ok(Some(executor))
}

/// `computed_on`, with the reason for an automatic choice, and a hint about an unsuitable device.
pub fn with_reason(executor: &Executor, computed_on: &str) -> String {
    let why = if executor.reason().is_empty() { String::new() } else { format!(": {}", executor.reason()) };
    let hint = if is_software(executor) { "; it computes in software, and the device cpu is faster" } else { "" };
    format!("{computed_on}{why}{hint}")
}

fn is_software(executor: &Executor) -> bool {
    executor.device().is_some_and(|device| device.info().class == DeviceClass::Software)
}
