//! The devices that tests run on.

use std::sync::LazyLock;

use throng_device::{Device, DeviceClass, DeviceInfo, Executor, Inventory, inventory};
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
    let (executors, all) = &*FOUND;
    for missing in &all.missing {
        skip_backend(missing.backend.name(), &missing.reason);
    }
    executors.iter().filter_map(Executor::device).collect()
}

/// The executors of [`devices`].
///
/// # Panics
///
/// As there.
pub fn executors() -> Vec<&'static Executor> {
    devices().into_iter().filter_map(executor_of).collect()
}

/// The executor of one of [`all_devices`].
pub fn executor_of(device: &Device) -> Option<&'static Executor> {
    FOUND.0.iter().find(|executor| executor.device().is_some_and(|other| other.info().id == device.info().id))
}

static FOUND: LazyLock<(Vec<Executor>, Inventory)> = LazyLock::new(|| {
    let all = inventory();
    let opened = |info: &DeviceInfo| Executor::from(info.open().expect("a device that was found opens"));
    (all.devices.iter().map(opened).collect(), all)
});

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
