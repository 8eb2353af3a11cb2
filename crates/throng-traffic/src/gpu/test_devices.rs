//! The devices that tests of traffic run on.

use std::sync::LazyLock;

use throng_device::{AnyDevice, Inventory, inventory, open};
use throng_testing::{Needs, skip, skip_backend};

/// All devices with double precision; opened once. Those that are missing are a skip of the test that asks.
pub fn devices() -> &'static [AnyDevice] {
    static FOUND: LazyLock<(Vec<AnyDevice>, Inventory)> = LazyLock::new(|| {
        let all = inventory();
        (all.devices.iter().filter(|info| info.has_f64).map(|info| open(info.id).unwrap()).collect(), all)
    });
    let (devices, all) = &*FOUND;
    for missing in &all.missing {
        skip_backend(missing.backend.name(), &missing.reason);
    }
    for info in all.devices.iter().filter(|info| !info.has_f64) {
        skip(Needs::DoublePrecision, format_args!("{} has none", info.label()));
    }
    devices
}
