//! Executors: the threads of the CPU, or a device.

use std::sync::Arc;

use crate::choice::{DeviceChoice, DeviceId};
use crate::inventory::{DeviceInfo, Inventory, inventory};
use crate::{Device, DeviceError, IS_CPU_ONLY, open};

/// The threads of the CPU, or an open device. Cloning an executor shares the device.
///
/// The builders of all models take one, or a [`DeviceChoice`], which they open themselves:
///
/// ```
/// use throng_device::{DeviceChoice, Executor};
///
/// let executor = Executor::open(DeviceChoice::Auto)?;
/// println!("{}: {}", executor.label(), executor.reason());
/// assert_eq!(Executor::cpu().label(), "cpu");
/// # Ok::<(), throng_device::DeviceError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Executor {
    /// `None`: the CPU.
    device: Option<Arc<Device>>,
    reason: String,
}

/// The threads of the CPU, for functions that borrow an executor.
pub static CPU: Executor = Executor::cpu();

impl Executor {
    /// The threads of the CPU.
    pub const fn cpu() -> Self {
        Self { device: None, reason: String::new() }
    }

    fn cpu_because(reason: impl Into<String>) -> Self {
        Self { device: None, reason: reason.into() }
    }

    /// Opens an executor for any computation: with [`DeviceChoice::Auto`] the fastest GPU that works, else the CPU.
    /// The first device that a process opens takes a few tenths of a second.
    ///
    /// # Errors
    /// If the named device does not exist or cannot be opened. `Auto` and `Cpu` never fail.
    pub fn open(choice: DeviceChoice) -> Result<Self, DeviceError> {
        Self::choose(choice, &Needs::default())
    }

    /// Opens an executor that meets the needs of a computation. [`DeviceChoice::Auto`] selects
    /// the CPU if it suits the computation better, else the fastest suitable GPU, else the CPU. It never selects a
    /// software device, which is no faster than the CPU.
    ///
    /// # Errors
    /// If the named device does not exist, cannot be opened, or is unsuitable. `Auto` and `Cpu` never fail.
    pub fn choose(choice: DeviceChoice, needs: &Needs<'_>) -> Result<Self, DeviceError> {
        match choice {
            DeviceChoice::Cpu => Ok(Self::cpu()),
            DeviceChoice::Device(id) => needs.named(id),
            DeviceChoice::Auto => Ok(needs.fastest()),
        }
    }

    /// The device; `None` on the CPU.
    pub fn device(&self) -> Option<&Device> {
        self.device.as_deref()
    }

    /// The device, shared; `None` on the CPU.
    pub fn shared_device(&self) -> Option<&Arc<Device>> {
        self.device.as_ref()
    }

    /// The device, to configure it; `None` on the CPU, and while clones of the executor exist.
    pub fn device_mut(&mut self) -> Option<&mut Device> {
        self.device.as_mut().and_then(Arc::get_mut)
    }

    /// `cpu`, or id and name of the device.
    pub fn label(&self) -> String {
        self.device().map_or_else(|| "cpu".to_owned(), |device| device.info().label())
    }

    /// Waits until all submitted work is done; returns at once on the CPU.
    ///
    /// # Errors
    /// If the device failed.
    pub fn wait(&self) -> Result<(), DeviceError> {
        self.device().map_or(Ok(()), |device| device.synchronize("wait"))
    }

    /// The reason for an automatic choice; empty if the user named the executor.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl From<&Arc<Device>> for Executor {
    fn from(device: &Arc<Device>) -> Self {
        Self { device: Some(Arc::clone(device)), reason: String::new() }
    }
}

impl From<Device> for Executor {
    fn from(device: Device) -> Self {
        Self { device: Some(Arc::new(device)), reason: String::new() }
    }
}

/// The needs of a computation. By default every executor meets them.
pub struct Needs<'n> {
    /// The reason why the CPU suits the computation better than any GPU, if so. Only called for [`DeviceChoice::Auto`].
    pub suits_cpu: &'n dyn Fn() -> Option<String>,
    /// The reason why a device cannot be used, if it cannot.
    pub unsuitable: &'n dyn Fn(&DeviceInfo) -> Option<String>,
    /// Checks an open device.
    pub check: &'n dyn Fn(&Device) -> Result<(), DeviceError>,
}

impl Default for Needs<'_> {
    fn default() -> Self {
        Self { suits_cpu: &|| None, unsuitable: &|_| None, check: &|_| Ok(()) }
    }
}

impl Needs<'_> {
    fn named(&self, id: DeviceId) -> Result<Executor, DeviceError> {
        let device = open(id)?;
        self.meet(&device)?;
        Ok(device.into())
    }

    /// Refuses a device that does not meet them.
    fn meet(&self, device: &Device) -> Result<(), DeviceError> {
        match (self.unsuitable)(device.info()) {
            Some(lacks) => Err(DeviceError::Unsuitable { device: device.info().label(), lacks }),
            None => (self.check)(device),
        }
    }

    fn fastest(&self) -> Executor {
        if let Some(reason) = (self.suits_cpu)() {
            return Executor::cpu_because(reason);
        }
        if IS_CPU_ONLY {
            return Executor::cpu_because("this build has no GPU support");
        }
        self.fastest_of(&inventory(), DeviceInfo::open)
    }

    fn fastest_of(&self, all: &Inventory, open: impl Fn(&DeviceInfo) -> Result<Device, DeviceError>) -> Executor {
        let mut fastest_is_refused = None;
        for info in all.gpus() {
            let opened = match (self.unsuitable)(info) {
                Some(why) => Err(why),
                None => open(info)
                    .and_then(|device| (self.check)(&device).map(|()| device))
                    .map_err(|error| error.to_string()),
            };
            match opened {
                Ok(device) => {
                    let reason = fastest_is_refused.unwrap_or_else(|| "the fastest on this machine".to_owned());
                    return Executor { reason, ..device.into() };
                }
                Err(why) => {
                    fastest_is_refused.get_or_insert_with(|| format!("{}: {why}", info.label()));
                }
            }
        }
        Executor::cpu_because(
            fastest_is_refused.unwrap_or_else(|| "there is no GPU; `throng doctor` lists the reasons".to_owned()),
        )
    }
}

/// The executor on which a builder builds a simulation: a choice, which it opens, or an open executor.
#[derive(Debug, Clone)]
pub enum On {
    /// A choice, opened by the builder.
    Choice(DeviceChoice),
    /// An executor that may be shared with other simulations.
    Open(Executor),
}

impl On {
    /// Returns the open executor, or opens the chosen one.
    ///
    /// # Errors
    /// As for [`Executor::choose`]; also if an open device is unsuitable.
    pub fn executor(self, needs: &Needs<'_>) -> Result<Executor, DeviceError> {
        match self {
            Self::Choice(choice) => Executor::choose(choice, needs),
            Self::Open(executor) => {
                executor.device().map_or(Ok(()), |device| needs.meet(device))?;
                Ok(executor)
            }
        }
    }
}

impl Default for On {
    fn default() -> Self {
        Self::Choice(DeviceChoice::Auto)
    }
}

impl From<DeviceChoice> for On {
    fn from(choice: DeviceChoice) -> Self {
        Self::Choice(choice)
    }
}

impl From<Executor> for On {
    fn from(executor: Executor) -> Self {
        Self::Open(executor)
    }
}

impl From<&Executor> for On {
    fn from(executor: &Executor) -> Self {
        Self::Open(executor.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Backend;
    use crate::inventory::DeviceClass;

    fn gpu(index: usize, class: DeviceClass) -> DeviceInfo {
        DeviceInfo {
            id: DeviceId { backend: Backend::Cuda, index },
            name: "card".into(),
            driver: String::new(),
            class,
            memory_bytes: None,
            has_f64: index > 0,
            index_in_class: 0,
        }
    }

    fn broken(info: &DeviceInfo) -> Result<Device, DeviceError> {
        Err(DeviceError::NotFound { id: info.id, reason: "broken".to_owned() })
    }

    #[test]
    fn the_cpu_takes_over_with_the_reason_of_the_fastest_gpu() {
        let reason = |devices: Vec<DeviceInfo>, needs: &Needs<'_>| {
            let executor = needs.fastest_of(&Inventory { devices, missing: Vec::new() }, broken);
            assert!(executor.device().is_none());
            executor.reason().to_owned()
        };
        let two = || vec![gpu(0, DeviceClass::Discrete), gpu(1, DeviceClass::Discrete)];
        let needs = Needs { unsuitable: &DeviceInfo::unsuitable_for_f64, ..Needs::default() };
        assert_eq!(reason(two(), &needs), "cuda:0 (card): the device has no double precision");
        assert_eq!(reason(two(), &Needs::default()), "cuda:0 (card): there is no device cuda:0: broken");
        let software = vec![gpu(0, DeviceClass::Software)];
        assert!(reason(software, &Needs::default()).starts_with("there is no GPU"));
    }

    #[test]
    fn work_suited_to_the_cpu_stays_on_it() {
        let needs = Needs { suits_cpu: &|| Some("10 agents".to_owned()), ..Needs::default() };
        let executor = On::default().executor(&needs).unwrap();
        assert_eq!((executor.label(), executor.reason()), ("cpu".to_owned(), "10 agents"));
        let named = Executor::choose(DeviceChoice::Cpu, &needs).unwrap();
        assert_eq!((named.label(), named.reason()), ("cpu".to_owned(), ""));
    }
}
