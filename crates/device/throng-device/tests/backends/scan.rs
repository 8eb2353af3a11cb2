//! Compares prefix sums with a loop.

use std::panic::{AssertUnwindSafe, catch_unwind};

use throng_device::{Device, DeviceError, primitives};

use super::sample::{Sample, for_samples, words};

fn check(device: &Device, sample: Sample) -> Result<(), DeviceError> {
    let values = words(sample);
    let mut sum = 0u32;
    let mut expected = Vec::with_capacity(values.len());
    for value in &values {
        expected.push(sum);
        sum = sum.wrapping_add(*value);
    }
    // A buffer that is longer than the logical length.
    let buffer = device.upload("values", &[&values[..], &[77; 5]].concat())?;
    let scanned = primitives::exclusive_scan(device, &buffer, values.len())?;
    let sums = device.read(&scanned.sums)?;
    assert!(sums[..values.len()] == expected, "{}: sums of {sample:?}", device.label());
    assert_eq!(scanned.sums.len(), values.len().max(1));
    assert_eq!(device.read(&scanned.total)?, [sum], "{}: total of {sample:?}", device.label());
    assert_eq!(device.read(&buffer)?[..values.len()], values, "the input is left as it is");
    Ok(())
}

pub fn exclusive_scan(device: &Device) {
    for_samples(|sample| check(device, sample));
}

pub fn exclusive_scan_of_millions(device: &Device) {
    check(device, (1_000_003, 3)).unwrap();
    // Long enough that there are more sums of tiles than one cube scans.
    check(device, (2048 * 8192 + 5, 4)).unwrap();
}

pub fn short_buffers_are_refused(device: &Device) {
    let buffer = device.upload("values", &[1u32, 2]).unwrap();
    let panic = catch_unwind(AssertUnwindSafe(|| primitives::exclusive_scan(device, &buffer, 3))).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some("3 values in a buffer of 2"));
}
