//! Kernels on the interpreter: values by hand, and defects that it must report with their place.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use cubecl::prelude::*;

use crate::choice::DeviceId;
use crate::{Buffer, Device, DeviceError, Gpu, open};

fn host() -> Device {
    open(DeviceId::parse("host").unwrap()).unwrap()
}

/// Launches a kernel on cubes of `units` units, and returns the content of `out`.
fn outcome(
    device: &Device,
    (cubes, units): (u32, u32),
    out: &Buffer<u32>,
    launch: impl FnOnce(&ComputeClient<Gpu>, CubeCount, CubeDim),
) -> Result<Vec<u32>, DeviceError> {
    device.launch_cubes("test", cubes, units, launch)?;
    device.read(out)
}

/// Returns the message of a kernel's defect.
fn fault(outcome: Result<Vec<u32>, DeviceError>) -> String {
    match outcome.unwrap_err() {
        DeviceError::Fault { kernel, message, .. } => {
            assert_eq!(kernel, "test");
            message
        }
        other => panic!("{other}"),
    }
}

#[cube(launch)]
fn integers(a: u32, b: u32, c: i32, out: &mut Array<u32>) {
    out[0] = a + b;
    out[1] = a - b;
    out[2] = a * b;
    out[3] = b / 7u32;
    out[4] = b % 7u32;
    out[5] = a << 3u32;
    out[6] = a >> 28u32;
    out[7] = (c / 4i32) as u32;
    out[8] = (c % 4i32) as u32;
    out[9] = (c >> 1u32) as u32;
    out[10] = min(c, -20i32) as u32;
    out[11] = a ^ b;
    out[12] = (a & b) | 1u32;
    out[13] = !b;
    out[14] = a.count_ones();
    out[15] = b.leading_zeros();
    out[16] = a.trailing_zeros();
    out[17] = ((u64::cast_from(a) * u64::cast_from(b)) >> 32u64) as u32;
}

#[test]
fn integers_wrap() {
    let device = host();
    let out = device.upload("out", &[0u32; 18]).unwrap();
    let (a, b, c) = (0xF000_0000u32, 0x2000_0010u32, -17i32);
    let found = outcome(&device, (1, 1), &out, |client, cubes, dim| {
        integers::launch(client, cubes, dim, a, b, c, out.arg());
    });
    let expected = [
        0x1000_0010, // 0xF0000000 + 0x20000010 - 2^32
        0xCFFF_FFF0,
        0,          // 0xF0000000 * 0x10 = 0xF_00000000, and 0xF0000000 * 0x20000000 is a multiple of 2^32, too
        76_695_846, // 536,870,928 = 7 * 76,695,846 + 6
        6,
        0x8000_0000,
        0xF,
        (-4i32).cast_unsigned(),
        (-1i32).cast_unsigned(),
        (-9i32).cast_unsigned(),
        (-20i32).cast_unsigned(),
        0xD000_0010,
        0x2000_0001,
        0xDFFF_FFEF,
        4,
        2,
        28,
        0x1E00_000F, // 0xF0000000 * 0x20000010 = 0x1E00000F_00000000
    ];
    assert_eq!(found.unwrap(), expected);
}

#[cube(launch)]
fn floats(x: f32, y: f64, out: &mut Array<u32>) {
    out[0] = u32::reinterpret(x + 0.25f32);
    out[1] = u32::reinterpret(x / 3.0f32);
    out[2] = u32::reinterpret(fma(x, x, -2.25f32));
    out[3] = (x * -3.0f32) as u32;
    out[4] = (x * 3.0f32) as u32;
    out[5] = u32::reinterpret(f32::cast_from(y));
    out[6] = select(y > 0.1f64, 1u32, 2u32);
    out[7] = u32::reinterpret(f32::sqrt(x + 0.75f32));
    out[8] = u32::reinterpret(f32::floor(-x));
    out[9] = u32::reinterpret(f32::cast_from(16_777_217u32));
}

#[test]
fn floats_round_to_nearest() {
    let device = host();
    let out = device.upload("out", &[0u32; 10]).unwrap();
    let found = outcome(&device, (1, 1), &out, |client, cubes, dim| {
        floats::launch(client, cubes, dim, 1.5f32, 0.1f64, out.arg());
    });
    let expected = [
        0x3FE0_0000, // 1.75
        0x3F00_0000, // 0.5
        0,
        0, // -4.5, saturated
        4,
        0x3DCC_CCCD, // the float nearest to 0.1
        2,
        0x3FC0_0000, // 1.5, the root of 2.25
        0xC000_0000, // -2
        0x4B80_0000, // 2^24: a tie goes to the even number
    ];
    assert_eq!(found.unwrap(), expected);
}

#[cube(launch)]
fn control(limit: u32, out: &mut Array<u32>) {
    let mut sum = 0u32;
    for i in 0..limit {
        if i == 5u32 {
            sum += 100u32;
        } else if i % 2u32 == 0u32 {
            sum += i;
        }
    }
    out[0] = sum;
    let mut steps = 0u32;
    let mut n = 4u32 * limit - 1u32;
    while n != 1u32 {
        if n & 1u32 == 0u32 {
            n /= 2u32;
        } else {
            n = 3u32 * n + 1u32;
        }
        steps += 1u32;
    }
    out[1] = steps;
    let mut squares = Array::<u32>::new(4usize);
    #[unroll]
    for i in 0..4u32 {
        squares[i as usize] = i * i;
    }
    out[2] = squares[(limit % 4u32) as usize];
    let mut found = 0u32;
    loop {
        found += 3u32;
        if found > limit {
            break;
        }
    }
    out[3] = found;
    if limit > 3u32 {
        terminate!();
    }
    out[3] = 0u32;
}

#[test]
fn loops_and_branches_are_followed() {
    let device = host();
    let out = device.upload("out", &[0u32; 4]).unwrap();
    let found = outcome(&device, (1, 1), &out, |client, cubes, dim| {
        control::launch(client, cubes, dim, 7, out.arg());
    });
    // 0 + 2 + 4 + 100 + 6; 27 reaches 1 after 111 steps of Collatz; 3 * 3; the first multiple of 3 above 7.
    assert_eq!(found.unwrap(), [112, 111, 9, 9]);
}

#[cube(launch)]
fn positions(out: &mut Array<u32>, sums: &mut Array<Atomic<u32>>) {
    out[ABSOLUTE_POS] = 100u32 * CUBE_POS as u32 + UNIT_POS + 10_000u32 * CUBE_COUNT as u32 + 1_000_000u32 * CUBE_DIM;
    let before = sums[0].fetch_add(UNIT_POS);
    sums[1].fetch_max(before);
    sums[2].fetch_min(CUBE_POS as u32);
    if sums[3].compare_exchange_weak(7u32, 8u32) == 7u32 {
        sums[4].store(ABSOLUTE_POS as u32 + 50u32);
    }
}

#[test]
fn cubes_and_units_run_in_order() {
    let device = host();
    let out = device.empty::<u32>("out", 6).unwrap();
    let sums = device.upload("sums", &[0u32, 0, 9, 7, 0]).unwrap();
    let found = outcome(&device, (2, 3), &out, |client, cubes, dim| {
        positions::launch(client, cubes, dim, out.arg(), sums.arg());
    });
    assert_eq!(found.unwrap(), [3_020_000, 3_020_001, 3_020_002, 3_020_100, 3_020_101, 3_020_102]);
    // 0 + 1 + 2 twice; the last unit finds 4.
    assert_eq!(device.read(&sums).unwrap(), [6, 4, 0, 8, 50]);
}

#[cube(launch)]
fn reverse(out: &mut Array<u32>, #[comptime] has_barrier: bool) {
    let mut tile = SharedMemory::<u32>::new(4usize);
    tile[UNIT_POS as usize] = 10u32 * UNIT_POS;
    if has_barrier {
        sync_cube();
    }
    out[ABSOLUTE_POS] = tile[(3u32 - UNIT_POS) as usize];
}

#[test]
fn a_missing_barrier_is_reported() {
    let device = host();
    let out = device.empty::<u32>("out", 8).unwrap();
    let run = |has_barrier| {
        outcome(&device, (2, 4), &out, |client, cubes, dim| {
            reverse::launch(client, cubes, dim, out.arg(), has_barrier);
        })
    };
    assert_eq!(run(true).unwrap(), [30, 20, 10, 0, 30, 20, 10, 0]);
    let message = fault(run(false));
    let place = "`reverse`, cube (0, 0, 0), unit 0: uses the result of `";
    assert!(
        message.starts_with(place) && message.contains("it reads shared memory that no unit has written"),
        "{message}"
    );
    assert_eq!(run(true).unwrap()[0], 30, "the device remains usable");
}

#[cube(launch)]
fn shift(out: &mut Array<u32>, #[comptime] has_barrier: bool) {
    let mut tile = SharedMemory::<u32>::new(4usize);
    tile[UNIT_POS as usize] = UNIT_POS + 1u32;
    sync_cube();
    let next = tile[((UNIT_POS + 1u32) % 4u32) as usize];
    if has_barrier {
        sync_cube();
    }
    tile[UNIT_POS as usize] = next;
    sync_cube();
    out[ABSOLUTE_POS] = tile[UNIT_POS as usize];
}

#[test]
fn a_race_is_reported() {
    let device = host();
    let out = device.empty::<u32>("out", 4).unwrap();
    let run = |has_barrier| {
        outcome(&device, (1, 4), &out, |client, cubes, dim| {
            shift::launch(client, cubes, dim, out.arg(), has_barrier);
        })
    };
    assert_eq!(run(true).unwrap(), [2, 3, 4, 1]);
    // Unit 0 has read the element of unit 1, and then unit 1 writes it.
    let message = fault(run(false));
    let place = "`shift`, cube (0, 0, 0), unit 1: writes what unit 0 has read since the last barrier";
    assert!(message.starts_with(place), "{message}");
}

#[cube(launch)]
fn divergent(out: &mut Array<u32>, last: u32, #[comptime] is_ended: bool) {
    if UNIT_POS == last {
        if is_ended {
            terminate!();
        } else {
            sync_cube();
        }
    }
    sync_cube();
    out[ABSOLUTE_POS] = UNIT_POS;
}

#[test]
fn a_barrier_that_not_all_units_reach_is_reported() {
    let device = host();
    let out = device.empty::<u32>("out", 8).unwrap();
    let run = |last, is_ended| {
        outcome(&device, (1, 4), &out, |client, cubes, dim| {
            divergent::launch(client, cubes, dim, out.arg(), last, is_ended);
        })
    };
    assert_eq!(run(9, true).unwrap()[..4], [0, 1, 2, 3]);
    let place = "`divergent`, cube (0, 0, 0), unit 0: waits at a barrier, but unit 2";
    let message = fault(run(2, true));
    assert!(message.starts_with(&format!("{place} has ended, in `sync_cube()`")), "{message}");
    let message = fault(run(2, false));
    assert!(message.starts_with(&format!("{place} waits at another one, in `sync_cube()`")), "{message}");
}

#[cube(launch)]
fn gather(values: &Array<u32>, indices: &Array<u32>, out: &mut Array<u32>) {
    out[ABSOLUTE_POS] = values[indices[ABSOLUTE_POS] as usize];
}

#[test]
fn an_index_out_of_bounds_is_reported_without_checks() {
    let device = host();
    let values = device.upload("values", &[5u32, 6, 7]).unwrap();
    let indices = device.upload("indices", &[2u32, 0, 1, 3]).unwrap();
    let out = device.empty::<u32>("out", 4).unwrap();
    let message = fault(outcome(&device, (2, 2), &out, |client, cubes, dim| {
        gather::launch(client, cubes, dim, values.arg(), indices.arg(), out.arg());
    }));
    let place = "`gather`, cube (1, 0, 0), unit 1: uses the result of `";
    let what = "index 3 of buffer 0 is out of bounds: it has 3 elements, in `output(2)[";
    assert!(message.starts_with(place) && message.contains(what), "{message}");
}

#[cube(launch)]
fn read_first(values: &Array<u32>, out: &mut Array<u32>) {
    let value = values[ABSOLUTE_POS + 1];
    out[ABSOLUTE_POS] = select(ABSOLUTE_POS + 1 < values.len(), value + 1u32, 0u32);
}

#[test]
fn an_undefined_value_may_be_discarded() {
    let device = host();
    let values = device.upload("values", &[5u32, 6, 7]).unwrap();
    let out = device.empty::<u32>("out", 4).unwrap();
    let launch = |client: &_, cubes, dim| read_first::launch(client, cubes, dim, values.arg(), out.arg());
    assert_eq!(outcome(&device, (2, 2), &out, launch).unwrap(), [7, 8, 0, 0]);
}

#[cube(launch)]
fn divide(out: &mut Array<u32>, by: u32) {
    out[0] = 10u32 / by;
}

#[cube(launch)]
fn planes(out: &mut Array<u32>) {
    out[0] = plane_sum(UNIT_POS);
}

#[test]
fn undefined_and_unsupported_operations_are_errors() {
    let device = host();
    let out = device.empty::<u32>("out", 1).unwrap();
    let by =
        |by| outcome(&device, (1, 1), &out, |client, cubes, dim| divide::launch(client, cubes, dim, out.arg(), by));
    assert_eq!(by(3).unwrap(), [3]);
    let message = fault(by(0));
    assert!(
        message
            .contains("`divide`, cube (0, 0, 0), unit 0: uses the result of `binding(0) = u32(10) / scalar<u32>(0)`"),
        "{message}"
    );
    let error = outcome(&device, (1, 1), &out, |client, cubes, dim| planes::launch(client, cubes, dim, out.arg()));
    let Err(DeviceError::Kernel { message, .. }) = &error else { panic!("{error:?}") };
    assert!(message.contains("plane_sum(UnitPos)") && message.contains("is not supported"), "{message}");
}
