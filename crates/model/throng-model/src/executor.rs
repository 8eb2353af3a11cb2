//! What computes a run: the CPU, or a device.

use throng_core::Progress;
use throng_device::{Device, DeviceChoice, DeviceClass, DeviceError, DeviceInfo, IS_CPU_ONLY, inventory, open};

/// What computes, and why.
#[derive(Debug)]
pub struct Executor {
    /// `None`: the CPU.
    pub device: Option<Device>,
    /// The reason, if the choice was left to Throng.
    pub reason: String,
}

impl Executor {
    /// Opens the device that was requested by name, before anything is loaded; `None` if none was. Warns at once about
    /// a device that is no faster than the CPU, because a run on it may take hours.
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

    /// Decides, given the requested device, if there is one. `suits_cpu` gives the reason why a run that may choose
    /// stays on the CPU, if it does; `unsuitable` the reason why a device cannot be chosen.
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

    /// A note about the device for the user.
    fn hint(&self) -> &'static str {
        match self.device.as_ref().map(|device| device.info().class) {
            Some(DeviceClass::Software) => "; it computes in software, and --device cpu is faster",
            _ => "",
        }
    }

    /// Id and name of the device; `None` on the CPU.
    pub fn device_label(&self) -> Option<String> {
        self.device.as_ref().map(|device| device.info().label())
    }

    /// What computes, with the reason if Throng chose it, and a hint about an unsuitable device.
    pub(crate) fn with_reason(&self, computed_on: &str) -> String {
        let why = if self.reason.is_empty() { String::new() } else { format!(": {}", self.reason) };
        format!("{computed_on}{why}{}", self.hint())
    }
}
