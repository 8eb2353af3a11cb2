//! Fields on every device that is there, against those of the CPU.

#[path = "../common/random.rs"]
mod random;

mod creation;
mod elmir;
mod exactness;
mod influence;
mod layers;
mod windows;

use std::io::Write as _;
use std::sync::LazyLock;

use throng_device::{AnyDevice, DeviceInfo, inventory};

/// All devices; where there is none, that is said.
static DEVICES: LazyLock<Vec<AnyDevice>> = LazyLock::new(|| {
    let all = inventory();
    for missing in &all.missing {
        // Not `eprintln!`, which a test that passes keeps to itself.
        let _ = writeln!(std::io::stderr(), "not tested on {}: {}", missing.backend.name(), missing.reason);
    }
    let open = |info: &DeviceInfo| info.open().expect("a device that was found opens");
    all.devices.iter().map(open).collect()
});

#[test]
fn verification_cases_hold() {
    let mut tell = |verified: throng_core::Verified| assert!(verified.finding.holds, "{verified:?}");
    for device in DEVICES.iter() {
        throng_fields::verification::verify(Some(device), &mut tell);
    }
}

fn bits(field: &throng_fields::Field) -> Vec<u32> {
    field.values().iter().map(|value| value.to_bits()).collect()
}
