//! Radix sort of one bit per pass on a device.

use throng_device::primitives::{Sorted, exclusive_scan};
use throng_device::{Device, DeviceError};

use crate::vigueras::kernels::bitwise_sort::{ZerosBuffers, mark_zeros, split};
use crate::vigueras::kernels::sorted::KeysBuffers;

/// Sorts the first `len` keys with their ids by the lower `bits` bits, stably, like
/// [`sort_by_key`](throng_device::primitives::sort_by_key), but one bit per pass: the radix sort of the first GPUs, by
/// prefix sums (Harris, Sengupta and Owens, *GPU Gems 3*, chapter 39). The paper gives no bits per pass for its
/// baseline.
///
/// # Errors
/// If the device fails or has too little memory.
pub(super) fn sort_bit_by_bit(
    device: &Device,
    unsorted: &KeysBuffers,
    len: usize,
    bits: u32,
) -> Result<Sorted<u32>, DeviceError> {
    let pair = || -> Result<KeysBuffers, DeviceError> {
        Ok(KeysBuffers { keys: device.empty("sorted keys", len)?, ids: device.empty("sorted ids", len)? })
    };
    let (mut from, mut to) = (pair()?, pair()?);
    sort_pass(device, unsorted, &to, len, 0)?;
    for bit in 1..bits {
        std::mem::swap(&mut from, &mut to);
        sort_pass(device, &from, &to, len, bit)?;
    }
    Ok(Sorted { keys: to.keys, payload: to.ids })
}

fn sort_pass(device: &Device, from: &KeysBuffers, to: &KeysBuffers, len: usize, bit: u32) -> Result<(), DeviceError> {
    let zeros = device.empty("zero bits", len)?;
    device.launch("sort: mark zeros", len, |client, cubes, dim| {
        mark_zeros::launch(client, cubes, dim, from.keys.arg(), zeros.arg(), len as u32, bit);
    })?;
    let scanned = exclusive_scan(device, &zeros, len)?;
    device.launch("sort: split", len, |client, cubes, dim| {
        let zeros = ZerosBuffers { before: &scanned.sums, total: &scanned.total };
        split::launch(client, cubes, dim, from.arg(), zeros.arg(), to.arg(), len as u32, bit);
    })
}

#[cfg(test)]
mod tests {
    use throng_testing_devices::devices;

    use super::*;

    #[test]
    fn pairs_are_sorted_stably_by_the_lower_bits() {
        for len in [1, 2, 300, 9_000] {
            let keys: Vec<u32> = (0..len).map(|i: u32| i.wrapping_mul(2_654_435_761) >> 7).collect();
            for bits in [1, 4, 13] {
                let mut expected: Vec<u32> = (0..len).collect();
                expected.sort_by_key(|&id| keys[id as usize] & ((1 << bits) - 1));
                for device in devices() {
                    let ids: Vec<u32> = (0..len).collect();
                    let unsorted = KeysBuffers {
                        keys: device.upload("keys", &keys).unwrap(),
                        ids: device.upload("ids", &ids).unwrap(),
                    };
                    let sorted = sort_bit_by_bit(device, &unsorted, len as usize, bits).unwrap();
                    assert_eq!(device.read(&sorted.payload).unwrap(), expected, "{len} {bits}");
                    let of_expected: Vec<u32> = expected.iter().map(|&id| keys[id as usize]).collect();
                    assert_eq!(device.read(&sorted.keys).unwrap(), of_expected);
                }
            }
        }
    }
}
