//! The devices that tests run on.

use std::sync::LazyLock;

use throng_device::{AnyDevice, DeviceInfo, Inventory, inventory};

use crate::{Needs, skip, skip_backend};

/// All devices, opened once. Each backend that has none is a skip of the test that asks.
///
/// # Panics
///
/// When a device that was found cannot be opened.
pub fn devices() -> Vec<&'static AnyDevice> {
    static FOUND: LazyLock<(Vec<AnyDevice>, Inventory)> = LazyLock::new(|| {
        let all = inventory();
        (all.devices.iter().map(|info| info.open().expect("a device that was found opens")).collect(), all)
    });
    let (devices, all) = &*FOUND;
    for missing in &all.missing {
        skip_backend(missing.backend.name(), &missing.reason);
    }
    devices.iter().collect()
}

/// All devices with double precision. Others are a skip of the test that asks, too.
///
/// # Panics
///
/// When a device that was found cannot be opened.
pub fn devices_with_f64() -> Vec<&'static AnyDevice> {
    suitable_devices(|_| None)
}

/// All devices with double precision for which the model has no reason against them. Others are a skip of the test that
/// asks, too.
///
/// # Panics
///
/// When a device that was found cannot be opened.
pub fn suitable_devices(unsuitable: impl Fn(&DeviceInfo) -> Option<String>) -> Vec<&'static AnyDevice> {
    let is_suitable = |device: &&AnyDevice| {
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
    devices().into_iter().filter(is_suitable).collect()
}
