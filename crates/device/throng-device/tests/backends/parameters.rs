//! Structs of numbers and of arrays as kernel arguments.

use throng_device::prelude::*;

/// The fields are in a different order than in the literal, and most have the same type.
#[derive(CubeType, CubeLaunch, KernelParameter, Clone, Copy)]
struct Outer {
    first: u32,
    /// The type contains a comma, which the derive macro must not take for the end of the field.
    #[cube(comptime)]
    compiled: Result<u32, (u32, u32)>,
    inner: Inner,
    pub r#final: u32,
}

#[derive(CubeType, CubeLaunch, KernelParameter, Clone, Copy)]
pub(crate) struct Inner {
    pub(crate) negative: i32,
    pub real: f32,
    pub(in super::parameters) long: u32,
}

#[cube(launch)]
fn write_fields(outer: &Outer, words: &mut Array<u32>, numbers: &mut Array<i32>, reals: &mut Array<f32>) {
    if ABSOLUTE_POS == 0 {
        words[0] = outer.first;
        words[1] = comptime!(outer.compiled.unwrap_or(0));
        words[2] = outer.inner.long;
        words[3] = outer.r#final;
        numbers[0] = outer.inner.negative;
        reals[0] = outer.inner.real;
    }
}

pub fn each_field_arrives_under_its_name(device: &Device) {
    let words = device.empty::<u32>("words", 4).unwrap();
    let numbers = device.empty::<i32>("numbers", 1).unwrap();
    let reals = device.empty::<f32>("reals", 1).unwrap();
    let inner = Inner { long: 3_000_000_000, real: 0.25, negative: -5 };
    let outer = Outer { r#final: 4, inner, compiled: Ok(2), first: 1 };
    device
        .launch("fields", 1, |client, cubes, dim| {
            write_fields::launch(client, cubes, dim, outer.arg(), words.arg(), numbers.arg(), reals.arg());
        })
        .unwrap();
    assert_eq!(device.read(&words).unwrap(), [1, 2, 3_000_000_000, 4], "{}", device.label());
    assert_eq!((device.read(&numbers).unwrap(), device.read(&reals).unwrap()), (vec![-5], vec![0.25]));
}

/// A struct that owns its buffers.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub(crate) struct Owned {
    pub(crate) tens: Array<u32>,
    pub(in super::parameters) counted: Array<Atomic<u32>>,
}

#[derive(CubeType, CubeLaunch, KernelArrays)]
struct Arrays {
    ones: Array<u32>,
    /// A type with a comma.
    #[cube(comptime)]
    compiled: Result<u32, (u32, u32)>,
    inner: Inner,
    pub r#final: Array<u32>,
    pair: Pair,
    owned: Owned,
}

#[derive(CubeType, CubeLaunch, KernelArrays)]
struct Pair {
    integers: Array<i32>,
    reals: Array<f32>,
}

#[cube(launch)]
fn gather_arrays(arrays: &mut Arrays) {
    let i = ABSOLUTE_POS;
    if i < arrays.ones.len() {
        arrays.r#final[i] = arrays.ones[i] + arrays.owned.tens[i] + comptime!(arrays.compiled.unwrap_or(0));
        arrays.pair.integers[i] = arrays.inner.negative;
        arrays.pair.reals[i] = arrays.inner.real;
        arrays.owned.counted[0].fetch_add(1u32);
    }
}

pub fn each_buffer_arrives_under_its_name(device: &Device) {
    let owned = OwnedBuffers {
        counted: device.upload("counted", &[5]).unwrap(),
        tens: device.upload("tens", &[10, 20]).unwrap(),
    };
    let ones = device.upload("ones", &[1, 2]).unwrap();
    let (sums, integers) = (device.empty::<u32>("sums", 2).unwrap(), device.empty::<i32>("integers", 2).unwrap());
    let reals = device.empty::<f32>("reals", 2).unwrap();
    let arrays = ArraysBuffers {
        owned: &owned,
        pair: PairBuffers { reals: &reals, integers: &integers },
        r#final: &sums,
        inner: Inner { long: 0, real: 0.25, negative: -5 },
        compiled: Ok(100),
        ones: &ones,
    };
    device.launch("arrays", 2, |client, cubes, dim| gather_arrays::launch(client, cubes, dim, arrays.arg())).unwrap();
    assert_eq!(device.read(&sums).unwrap(), [111, 122], "{}", device.label());
    assert_eq!((device.read(&integers).unwrap(), device.read(&reals).unwrap()), (vec![-5; 2], vec![0.25; 2]));
    assert_eq!((device.read(&owned.counted).unwrap(), device.read(&owned.tens).unwrap()), (vec![7], vec![10, 20]));
}
