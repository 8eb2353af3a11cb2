//! Buffers, launches, transfers and grid barriers.

use throng_device::cubecl::prelude::*;
use throng_device::{Arithmetic, Device, SingleArithmetic, cubecl, grid_barrier};
use throng_testing::{Needs, skip};

#[cube(launch)]
fn add(values: &mut Array<u32>, counts: &mut Array<Atomic<u32>>, amount: u32) {
    let i = ABSOLUTE_POS;
    if i < values.len() {
        values[i] += amount;
        counts[0].fetch_add(1u32);
    }
}

pub fn transfers_and_launches(device: &Device) {
    let input: Vec<u32> = (0..1000).collect();
    let buffer = device.upload("input", &input).unwrap();
    let counts = device.upload("counts", &[0u32]).unwrap();
    device
        .launch("add", input.len(), |client, cubes, dim| {
            add::launch(client, cubes, dim, buffer.arg(), counts.arg(), 7);
        })
        .unwrap();
    let before = device.read_later(&buffer).unwrap();
    let first = device.read_first(&buffer, 3).unwrap();
    device
        .launch("add", input.len(), |client, cubes, dim| {
            add::launch(client, cubes, dim, buffer.arg(), counts.arg(), 1);
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

pub fn double_precision(device: &Device) {
    if !device.info().has_f64 {
        skip(Needs::DoublePrecision, format_args!("{} has none", device.label()));
        return;
    }
    let arithmetic = Arithmetic::of(device);
    println!("{}: {arithmetic:?}", device.label());
    assert_eq!(arithmetic.unwrap().lacks(false), None);
}

pub fn single_precision(device: &Device) {
    let arithmetic = SingleArithmetic::of(device);
    println!("{}: {arithmetic:?}", device.label());
    assert_eq!(arithmetic.unwrap().lacks(), None);
    assert_eq!(device.check_single_precision(), Ok(()));
}

/// Cells that change in rounds: each combines its own value with its neighbour and a cell of another cube. `cells`
/// holds two generations of cells.
#[cube(launch)]
fn grow(cells: &mut Array<u32>, arrivals: &mut Array<Atomic<u32>>, rounds: u32, #[comptime] single_cube: bool) {
    let len = CUBE_COUNT as u32 * CUBE_DIM;
    let i = ABSOLUTE_POS as u32;
    let mut expected_arrivals = 0u32;
    for round in 0..rounds {
        let old = (round % 2u32) * len;
        let near = cells[(old + (i + 1u32) % len) as usize];
        let far = cells[(old + (i + 7u32 * CUBE_DIM) % len) as usize];
        cells[(len - old + i) as usize] = 3u32 * cells[(old + i) as usize] + near + far;
        expected_arrivals += CUBE_COUNT as u32;
        if !grid_barrier(arrivals, 0u32, expected_arrivals, single_cube) {
            terminate!();
        }
    }
}

pub fn writes_before_a_grid_barrier_are_visible_to_all_cubes(device: &Device) {
    let cubes = device.co_resident_cubes();
    let (units, rounds) = (512usize, 1001);
    let len = cubes as usize * units;
    let mut expected: Vec<u32> = (0..len as u32).map(|i| i.wrapping_mul(0x9E37_79B9)).collect();
    let cells = device.upload("cells", &[expected.clone(), vec![0; len]].concat()).unwrap();
    let arrivals = device.upload("arrivals", &[0u32, 0]).unwrap();
    let single_cube = cubes == 1;
    device
        .launch_cubes("grow", cubes, units as u32, |client, cubes, dim| {
            grow::launch(client, cubes, dim, cells.arg(), arrivals.arg(), rounds, single_cube);
        })
        .unwrap();
    for _ in 0..rounds {
        let sum = |i: usize| expected[i].wrapping_mul(3).wrapping_add(expected[(i + 1) % len]);
        expected = (0..len).map(|i| sum(i).wrapping_add(expected[(i + 7 * units) % len])).collect();
    }
    // A single cube does not use the counter.
    assert_eq!(device.read(&arrivals).unwrap(), [if single_cube { 0 } else { cubes * rounds }, 0]);
    assert!(device.read(&cells).unwrap()[len..] == expected, "{}", device.label());
}

/// Each cube waits for one more arrival than there are cubes.
#[cube(launch)]
fn wait_for_more(arrivals: &mut Array<Atomic<u32>>, came: &mut Array<Atomic<u32>>) {
    if grid_barrier(arrivals, 0u32, CUBE_COUNT as u32 + 1u32, false) {
        came[0].fetch_add(1u32);
    }
}

pub fn a_grid_barrier_times_out(device: &Device) {
    let cubes = device.co_resident_cubes();
    if cubes == 1 {
        skip(
            Needs::CubesAtOnce,
            format_args!("several cubes of {} are not certain to run at the same time", device.label()),
        );
        return;
    }
    let arrivals = device.upload("arrivals", &[0u32, 0]).unwrap();
    let came = device.upload("came", &[0u32]).unwrap();
    device
        .launch_cubes("wait for more", cubes, 64, |client, cubes, dim| {
            wait_for_more::launch(client, cubes, dim, arrivals.arg(), came.arg());
        })
        .unwrap();
    assert_eq!(device.read(&arrivals).unwrap(), [cubes, 1], "{}", device.label());
    assert_eq!(device.read(&came).unwrap(), [0]);
}
