//! Who computes a run: the CPU, or a device.

use throng_device::{AnyDevice, DeviceChoice, DeviceClass, DeviceError, inventory, open};
use throng_traffic::gpu;
use throng_traffic::scenario::Scenario;

/// With fewer persons than this a run is over on the CPU before a device has started.
const WORTH_A_DEVICE: usize = 50_000;

/// Who computes, and why.
#[derive(Debug)]
pub(crate) struct Executor {
    /// `None`: the CPU.
    pub device: Option<AnyDevice>,
    /// Why, where the choice was left to us.
    pub reason: String,
}

impl Executor {
    /// Opens the device that was asked for by name, before anything is loaded; `None` when none was.
    pub fn asked_for(choice: DeviceChoice) -> Result<Option<AnyDevice>, DeviceError> {
        match choice {
            DeviceChoice::Device(id) => open(id).map(Some),
            DeviceChoice::Auto | DeviceChoice::Cpu => Ok(None),
        }
    }

    /// Decides, with the device that was asked for, if one was.
    pub fn choose(
        choice: DeviceChoice,
        asked_for: Option<AnyDevice>,
        scenario: &Scenario,
    ) -> Result<Self, DeviceError> {
        if let Some(device) = asked_for {
            return Ok(Self { device: Some(device), reason: String::new() });
        }
        let cpu = |reason: &str| Ok(Self { device: None, reason: reason.to_owned() });
        if choice == DeviceChoice::Cpu {
            return cpu("");
        }
        if let Some(reason) = gpu::unsuitable(scenario) {
            return cpu(&reason);
        }
        let persons = scenario.population.persons();
        if persons < WORTH_A_DEVICE {
            return cpu(&format!("{persons} persons are simulated before a GPU has started"));
        }
        let all = inventory();
        let Some(fastest) = all.fastest() else { return cpu("there is no GPU; `throng doctor` says what is missing") };
        if !fastest.has_f64 {
            return cpu(&format!("{} has no double precision", fastest.label()));
        }
        Ok(Self { device: Some(fastest.open()?), reason: "the fastest here".to_owned() })
    }

    /// What a user should know about the device.
    pub fn hint(&self) -> &'static str {
        match self.device.as_ref().map(|device| device.info().class) {
            Some(DeviceClass::Software) => "; it computes in software, and --device cpu is faster",
            _ => "",
        }
    }

    /// `cpu`, or id and name of the device.
    pub fn label(&self) -> String {
        self.device.as_ref().map_or_else(|| "cpu".to_owned(), |device| device.info().label())
    }
}
