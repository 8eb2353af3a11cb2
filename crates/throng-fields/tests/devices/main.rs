//! Fields on every device that is there, against those of the CPU.

#[path = "../common/random.rs"]
mod random;

mod creation;
mod elmir;
mod exactness;
mod influence;
mod layers;
mod windows;

use std::sync::LazyLock;

use throng_device::{AnyDevice, DeviceInfo, Missing, inventory};
use throng_testing::skip_backend;

/// All devices. Those of a backend that is not here are a skip of the test that asks.
fn devices() -> &'static [AnyDevice] {
    static FOUND: LazyLock<(Vec<AnyDevice>, Vec<Missing>)> = LazyLock::new(|| {
        let all = inventory();
        let open = |info: &DeviceInfo| info.open().expect("a device that was found opens");
        (all.devices.iter().map(open).collect(), all.missing)
    });
    let (devices, missing) = &*FOUND;
    for missing in missing {
        skip_backend(missing.backend.name(), &missing.reason);
    }
    devices
}

#[test]
fn verification_cases_hold() {
    let mut tell = |verified: throng_core::Verified| assert!(verified.finding.holds, "{verified:?}");
    for device in devices() {
        throng_fields::verification::verify(Some(device), &mut tell);
    }
}

fn bits(field: &throng_fields::Field) -> Vec<u32> {
    field.values().iter().map(|value| value.to_bits()).collect()
}
