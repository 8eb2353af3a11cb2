//! Several devices in one process, and one device opened several times.

use std::thread;

use throng_device::cubecl::prelude::*;
use throng_device::{Buffer, Device, DeviceError, cubecl, inventory, primitives};
use throng_testing::{Needs, skip};

#[cube(launch)]
fn multiply(values: &mut Array<u32>, factor: u32) {
    let i = ABSOLUTE_POS;
    if i < values.len() {
        values[i] *= factor;
    }
}

fn multiplied(device: &Device, buffer: &Buffer<u32>, factor: u32) -> Result<Vec<u32>, DeviceError> {
    device.launch("multiply", buffer.len(), |client, cubes, dim| {
        multiply::launch(client, cubes, dim, buffer.arg(), factor);
    })?;
    device.read(buffer)
}

fn uploaded(device: &Device, values: &[u32]) -> Buffer<u32> {
    device.upload("values", values).unwrap()
}

/// Returns the first two devices; skips the test if there are fewer.
fn two() -> Option<[Device; 2]> {
    let all = inventory().devices;
    if let [first, second, ..] = all.as_slice() {
        return Some([first, second].map(|info| info.open().expect("a device that was found opens")));
    }
    skip(Needs::TwoDevices, format_args!("the number of devices is {}", all.len()));
    None
}

#[test]
fn a_buffer_of_one_device_is_refused_by_another() {
    let Some([first, second]) = two() else { return };
    let [of_first, of_second] = [&first, &second].map(|device| uploaded(device, &[1, 2, 3]));
    for (device, own, other) in [(&first, &of_first, &of_second), (&second, &of_second, &of_first)] {
        let is_refused = |result: Result<Vec<u32>, DeviceError>| {
            assert!(matches!(result, Err(DeviceError::Foreign { .. })), "{}: {result:?}", device.label());
        };
        is_refused(device.read(other));
        is_refused(multiplied(device, other, 5));
        is_refused(primitives::exclusive_scan(device, other, 3).and_then(|scanned| device.read(&scanned.sums)));
        assert_eq!(multiplied(device, own, 2).unwrap(), [2, 4, 6]);
    }
}

/// Uses one million numbers, so that both devices are busy at the same time; both devices also compile the same
/// kernels.
#[test]
fn two_devices_work_concurrently() {
    let Some(devices) = two() else { return };
    let at_work = |device: &Device, factor: u32| {
        let values: Vec<u32> = (0..1 << 20).collect();
        let buffer = uploaded(device, &values);
        for round in 1..=20u32 {
            let power = factor.wrapping_pow(round);
            let found = multiplied(device, &buffer, factor).unwrap();
            assert!(found.iter().zip(&values).all(|(found, value)| *found == value.wrapping_mul(power)));
        }
        let small = uploaded(device, &[3, 1, 4]);
        let scanned = {
            let scanned = primitives::exclusive_scan(device, &small, 3).unwrap();
            device.read(&scanned.sums).unwrap()
        };
        assert_eq!(scanned, [0, 3, 4]);
    };
    thread::scope(|scope| {
        let threads =
            [3, 5].into_iter().zip(&devices).map(|(factor, device)| scope.spawn(move || at_work(device, factor)));
        threads.collect::<Vec<_>>().into_iter().for_each(|thread| thread.join().unwrap());
    });
}

/// Threads that use one device at the same time do not interfere, and their buffers outlive them.
pub fn threads_share_a_device(device: &Device) {
    let at_work = |factor: u32| {
        let buffer = device.upload("values", &[1u32, 2, 3]).unwrap();
        for round in 1..=50u32 {
            let power = factor.wrapping_pow(round);
            let expected = [1, 2, 3].map(|value: u32| value.wrapping_mul(power));
            assert_eq!(multiplied(device, &buffer, factor).unwrap(), expected, "{}", device.label());
        }
        buffer
    };
    let buffers: Vec<Buffer<u32>> = thread::scope(|scope| {
        let threads: Vec<_> = [3, 5, 7].into_iter().map(|factor| scope.spawn(move || at_work(factor))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let powers = [3u32, 5, 7].map(|factor| factor.wrapping_pow(50));
    for (buffer, power) in buffers.iter().zip(powers) {
        assert_eq!(device.read(buffer).unwrap()[0], power, "a buffer of a thread that has ended");
    }
}

/// Two handles of one device share its memory.
pub fn a_device_can_be_opened_twice(device: &Device) {
    let again = device.info().open().expect("it opened before");
    let buffer = device.upload("values", &[1u32, 2, 3]).unwrap();
    assert_eq!(multiplied(&again, &buffer, 4).unwrap(), [4, 8, 12]);
    assert_eq!(multiplied(device, &buffer, 2).unwrap(), [8, 16, 24]);
    drop(again);
    assert_eq!(device.read(&buffer).unwrap(), [8, 16, 24]);
}
