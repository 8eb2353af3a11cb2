//! Fields on every device of this machine, compared with fields on the CPU.

mod creation;
mod exactness;
mod influence;
mod layers;
mod live;
mod windows;

use throng_testing_devices::devices;

#[test]
fn verification_cases_hold() {
    let mut tell = |verified: throng_core::Verified| assert!(verified.finding.holds, "{verified:?}");
    for device in devices() {
        throng_fields::verification::verify(&device.into(), &mut tell);
    }
}

fn bits(field: &throng_fields::Field) -> Vec<u32> {
    field.values().iter().map(|value| value.to_bits()).collect()
}
