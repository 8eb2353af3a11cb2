//! Compares sorts with the stable sort of the standard library.

use throng_device::{Device, DeviceError, primitives};

use super::sample::{Sample, for_samples, numbers, words};

fn check<K>(device: &Device, keys: &[K], bits: u32, sample: Sample) -> Result<(), DeviceError>
where
    K: primitives::SortKey + Copy + PartialEq + Into<u64>,
{
    let mask = u64::MAX.checked_shr(64 - bits).unwrap_or(0);
    let mut expected: Vec<(K, u32)> = keys.iter().copied().zip(1000..).collect();
    expected.sort_by_key(|&(key, _)| key.into() & mask);
    let payload: Vec<u32> = (1000..).take(keys.len()).collect();
    let (key_buffer, payload_buffer) = (device.upload("keys", keys)?, device.upload("payload", &payload)?);
    let sorted = primitives::sort_by_key(device, &key_buffer, &payload_buffer, keys.len(), bits)?;
    let found = device.read(&sorted.keys)?.into_iter().zip(device.read(&sorted.payload)?).take(keys.len());
    assert!(found.eq(expected), "{}: {sample:?} by {bits} bits", device.label());
    let left = device.read(&key_buffer)?;
    assert!(left.iter().zip(keys).all(|(left, key)| left == key), "the input is left as it is");
    Ok(())
}

pub fn sort_is_stable_in_every_number_of_bits(device: &Device) {
    for_samples(|sample| {
        let keys = words(sample);
        for bits in [32, sample.1 as u32 % 32] {
            check(device, &keys, bits, sample)?;
        }
        Ok(())
    });
    let sample = (5000, 1);
    let keys: Vec<u32> = numbers(sample.1).take(sample.0).map(|n| n as u32).collect();
    for bits in 0..=32 {
        check(device, &keys, bits, sample).unwrap();
    }
}

pub fn sort_of_long_keys(device: &Device) {
    for_samples(|sample| {
        // 64-bit keys with few different upper halves.
        let keys: Vec<u64> = numbers(sample.1).take(sample.0).map(|n| (n & 0x3_ffff_ffff) << (n >> 58)).collect();
        for bits in [64, 1 + sample.1 as u32 % 64] {
            check(device, &keys, bits, sample)?;
        }
        Ok(())
    });
}

pub fn sorted_runs_and_single_digits(device: &Device) {
    let len = 10_000;
    let shapes: [fn(u32) -> u32; 6] =
        [|_| 0, |_| u32::MAX, |i| i, |i| u32::MAX - i, |i| i % 2 * 255, |i| if i == 9_999 { 0 } else { 0xff00_00ff }];
    for (number, shape) in shapes.iter().enumerate() {
        let keys: Vec<u32> = (0..len).map(shape).collect();
        check(device, &keys, 32, (len as usize, number as u64)).unwrap();
    }
}

pub fn sort_of_a_million(device: &Device) {
    let sample = (1_000_003, 6);
    check(device, &words(sample), 32, sample).unwrap();
}
