//! The executor of a run: the CPU, or a device.

use throng_core::Progress;
use throng_device::{Device, DeviceChoice, DeviceClass, DeviceError, DeviceInfo, IS_CPU_ONLY, inventory, open};

/// The executor of a run, and the reason for choosing it.
#[derive(Debug)]
pub struct Executor {
    /// The device; `None` for the CPU.
    pub device: Option<Device>,
    /// Reason for an automatic choice; empty if the user chose.
    pub reason: String,
}

impl Executor {
    /// Opens the device that was requested by id, before anything is loaded; `None` if none was requested. Warns
    /// immediately about a device that is no faster than the CPU, because a run on it may take hours.
    pub fn asked_for(choice: DeviceChoice, progress: &dyn Progress) -> Result<Option<Device>, DeviceError> {
        let DeviceChoice::Device(id) = choice else { return Ok(None) };
        let device = open(id)?;
        if device.info().class == DeviceClass::Software {
            let label = device.info().label();
            progress.warn(&format!(
                "{label} is software that runs on the CPU, at least ten times slower than --device cpu; `throng doctor` \
                 lists all devices"
            ));
        }
        Ok(Some(device))
    }

    /// Chooses the executor, given the requested device, if any. `suits_cpu` returns the reason why an automatic choice
    /// should stay on the CPU, if it should; `unsuitable` returns the reason why a device cannot be chosen, if it
    /// cannot.
    pub fn choose(
        choice: DeviceChoice,
        asked_for: Option<Device>,
        unsuitable: impl Fn(&DeviceInfo) -> Option<String>,
        suits_cpu: impl FnOnce() -> Option<String>,
    ) -> Result<Self, DeviceError> {
        if let Some(device) = asked_for {
            return Ok(Self { device: Some(device), reason: String::new() });
        }
        let cpu = |reason: &str| Ok(Self { device: None, reason: reason.to_owned() });
        if choice == DeviceChoice::Cpu {
            return cpu("");
        }
        if let Some(reason) = suits_cpu() {
            return cpu(&reason);
        }
        if IS_CPU_ONLY {
            return cpu("this build has no GPU support");
        }
        let all = inventory();
        let Some(fastest) = all.gpus().next() else {
            return cpu("there is no GPU; `throng doctor` says what is missing");
        };
        let reason = |reason: String| format!("{}: {reason}", fastest.label());
        match (all.gpus().find(|device| unsuitable(device).is_none()), unsuitable(fastest)) {
            (Some(device), None) => {
                Ok(Self { device: Some(device.open()?), reason: "the fastest on this machine".to_owned() })
            }
            (Some(device), Some(why)) => Ok(Self { device: Some(device.open()?), reason: reason(why) }),
            (None, why) => cpu(&reason(why.unwrap_or_default())),
        }
    }

    /// Returns a note about the device for the user.
    fn hint(&self) -> &'static str {
        match self.device.as_ref().map(|device| device.info().class) {
            Some(DeviceClass::Software) => "; it computes in software, and --device cpu is faster",
            _ => "",
        }
    }

    /// Returns id and name of the device; `None` on the CPU.
    pub fn device_label(&self) -> Option<String> {
        self.device.as_ref().map(|device| device.info().label())
    }

    /// Appends the reason for an automatic choice, and a hint about an unsuitable device.
    pub(crate) fn with_reason(&self, computed_on: &str) -> String {
        let why = if self.reason.is_empty() { String::new() } else { format!(": {}", self.reason) };
        format!("{computed_on}{why}{}", self.hint())
    }
}
