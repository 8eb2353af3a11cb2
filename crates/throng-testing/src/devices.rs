//! The devices that tests run on.

use std::sync::LazyLock;

use throng_device::{AnyDevice, Inventory, inventory};

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
    let (with, without): (Vec<_>, Vec<_>) = devices().into_iter().partition(|device| device.info().has_f64);
    for device in without {
        skip(Needs::DoublePrecision, format_args!("{} has none", device.info().label()));
    }
    with
}
