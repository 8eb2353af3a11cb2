//! The devices on which tests run.

use std::sync::{Arc, LazyLock};

use throng_device::{Device, DeviceClass, DeviceInfo, Executor, Inventory, inventory};
use throng_testing::{Needs, skip, skip_backend, tries_all};

/// Returns the devices of this machine, which are opened once. For each backend without a device, the calling test
/// records a skip.
///
/// The quick tests also skip software devices, on which they would take minutes. Tests that must run on every machine
/// use [`all_devices`].
///
/// # Panics
///
/// When a device that was found cannot be opened.
pub fn devices() -> Vec<&'static Arc<Device>> {
    let is_quick = |device: &&Arc<Device>| {
        let info = device.info();
        let is_left_out = info.class == DeviceClass::Software && !tries_all();
        if is_left_out {
            skip(Needs::All, format_args!("{} is software, which is left to `cargo xtask test --rest`", info.label()));
        }
        !is_left_out
    };
    all_devices().into_iter().filter(is_quick).collect()
}

/// Returns all devices of this machine, for tests that are also quick on software devices, and for one test of each
/// model.
///
/// # Panics
///
/// When a device that was found cannot be opened.
pub fn all_devices() -> Vec<&'static Arc<Device>> {
    let (executors, all) = &*FOUND;
    for missing in &all.missing {
        skip_backend(missing.backend.name(), &missing.reason);
    }
    executors.iter().filter_map(Executor::shared_device).collect()
}

/// Returns the CPU and [`devices`], as executors.
///
/// # Panics
///
/// As [`devices`].
pub fn executors() -> Vec<Executor> {
    std::iter::once(Executor::cpu()).chain(devices().into_iter().map(Executor::from)).collect()
}

static FOUND: LazyLock<(Vec<Executor>, Inventory)> = LazyLock::new(|| {
    let all = inventory();
    let opened = |info: &DeviceInfo| Executor::from(info.open().expect("a device that was found opens"));
    (all.devices.iter().map(opened).collect(), all)
});

/// Returns the devices with double precision; records a skip for the others.
pub fn with_f64(devices: Vec<&'static Arc<Device>>) -> Vec<&'static Arc<Device>> {
    suitable(devices, |_| None)
}

/// Returns the devices that have double precision and that the model does not reject; records a skip for the others.
pub fn suitable(
    devices: Vec<&'static Arc<Device>>,
    unsuitable: impl Fn(&DeviceInfo) -> Option<String>,
) -> Vec<&'static Arc<Device>> {
    let is_suitable = |device: &&Arc<Device>| {
        let info = device.info();
        if !info.has_f64 {
            skip(Needs::DoublePrecision, format_args!("{} has none", info.label()));
            return false;
        }
        let reason = unsuitable(info);
        if let Some(reason) = &reason {
            skip_backend(info.id.backend.name(), reason);
        }
        reason.is_none()
    };
    devices.into_iter().filter(is_suitable).collect()
}
