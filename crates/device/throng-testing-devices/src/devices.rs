//! The devices on which tests run.

use std::sync::LazyLock;

use throng_device::{Device, DeviceClass, DeviceInfo, Inventory, inventory};
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
pub fn devices() -> Vec<&'static Device> {
    let is_quick = |device: &&Device| {
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
pub fn all_devices() -> Vec<&'static Device> {
    static FOUND: LazyLock<(Vec<Device>, Inventory)> = LazyLock::new(|| {
        let all = inventory();
        (all.devices.iter().map(|info| info.open().expect("a device that was found opens")).collect(), all)
    });
    let (devices, all) = &*FOUND;
    for missing in &all.missing {
        skip_backend(missing.backend.name(), &missing.reason);
    }
    devices.iter().collect()
}

/// Returns the devices with double precision; records a skip for the others.
pub fn with_f64(devices: Vec<&'static Device>) -> Vec<&'static Device> {
    suitable(devices, |_| None)
}

/// Returns the devices that have double precision and that the model does not reject; records a skip for the others.
pub fn suitable(
    devices: Vec<&'static Device>,
    unsuitable: impl Fn(&DeviceInfo) -> Option<String>,
) -> Vec<&'static Device> {
    let is_suitable = |device: &&Device| {
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
