//! The devices that tests run on.

use std::sync::LazyLock;

use throng_device::{Device, DeviceClass, DeviceInfo, Inventory, inventory};
use throng_testing::{Needs, skip, skip_backend, tries_all};

/// The devices of this machine, opened once. Each backend that has none is a skip of the test that asks.
///
/// The quick tests leave devices in software out, which takes minutes on them: that is a skip, too. What has to run on
/// every machine asks for [`all_devices`].
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

/// All devices of this machine, for tests that are quick on devices in software as well, and for one test of each model.
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

/// Those of some devices that have double precision. Others are a skip of the test that asks.
pub fn with_f64(devices: Vec<&'static Device>) -> Vec<&'static Device> {
    suitable(devices, |_| None)
}

/// Those of some devices that have double precision and for which the model has no reason against them. Others are a skip
/// of the test that asks.
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
