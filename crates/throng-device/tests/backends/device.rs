//! Buffers, launches and transfers.

use throng_device::cubecl::prelude::*;
use throng_device::{Arithmetic, Device, cubecl};

#[cube(launch)]
fn add(values: &mut Array<u32>, counts: &mut Array<Atomic<u32>>, amount: u32) {
    let i = ABSOLUTE_POS;
    if i < values.len() {
        values[i] += amount;
        counts[0].fetch_add(1u32);
    }
}

pub fn transfers_and_launches<R: Runtime>(device: &Device<R>) {
    let input: Vec<u32> = (0..1000).collect();
    let buffer = device.upload("input", &input).unwrap();
    let counts = device.upload("counts", &[0u32]).unwrap();
    device
        .launch("add", input.len(), |client, cubes, dim| {
            add::launch::<R>(client, cubes, dim, buffer.arg(), counts.arg(), 7);
        })
        .unwrap();
    let before = device.read_later(&buffer).unwrap();
    let first = device.read_first(&buffer, 3).unwrap();
    device
        .launch("add", input.len(), |client, cubes, dim| {
            add::launch::<R>(client, cubes, dim, buffer.arg(), counts.arg(), 1);
        })
        .unwrap();
    assert_eq!(before.wait().unwrap()[..3], [7, 8, 9], "{}", device.label());
    assert_eq!(first.wait().unwrap(), [7, 8, 9]);
    assert_eq!(device.read(&buffer).unwrap()[999], 1007);
    assert_eq!(device.read(&counts).unwrap(), [2000]);
    assert_eq!(device.ledger().phases["add"].launches, 2);
    let long = device.upload("long", &[1u64 << 32 | 5]).unwrap();
    assert_eq!(device.read(&long.words()).unwrap(), [5, 1]);
}

pub fn double_precision<R: Runtime>(device: &Device<R>) {
    let arithmetic = Arithmetic::of(device);
    println!("{}: {arithmetic:?}", device.label());
    assert!(arithmetic.unwrap().sums_and_products);
}
