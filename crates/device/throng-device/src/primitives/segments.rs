//! Reductions of many segments of a buffer.

use cubecl::prelude::*;

use super::order::Ordered;
use super::pair::{Fold, combine, element, nothing};
use super::reduce::{Answer, PAIR_WORDS, fold_lanes, write};
use super::tile::{UNITS, check_cube};
use crate::{Buffer, Device, DeviceError, KernelParameter};

/// Returns the 64-bit sum of each segment, which cannot overflow; zero for an empty segment.
///
/// Segment `s` has the values `offsets[s]..offsets[s + 1]` of the first `len`; there are `segments + 1` offsets.
/// Segments may overlap or omit values. A segment is empty if its second offset is below the first; values after the
/// first `len` are ignored.
///
/// Cost: one launch. 1, 16 or all units of a cube process a segment, depending on the mean number of values; a segment
/// much longer than the mean delays the result.
///
/// # Errors
/// When the device fails or has too little memory.
///
/// # Panics
/// When `values` is shorter than `len`, `offsets` is shorter than `segments + 1`, or there are 2^31 segments or more.
///
/// ```
/// use throng_device::{DeviceError, DeviceId, open, primitives};
///
/// # fn main() -> Result<(), DeviceError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let values = device.upload("values", &[1u32, 2, 3, 4])?;
/// let offsets = device.upload("offsets", &[0u32, 3, 3, 4])?;
/// let sums = primitives::segmented_sum(&device, &values, 4, &offsets, 3)?;
/// assert_eq!(device.read(&sums)?, [6, 0, 4]);
/// # Ok(())
/// # }
/// ```
pub fn segmented_sum(
    device: &Device,
    values: &Buffer<u32>,
    len: usize,
    offsets: &Buffer<u32>,
    segments: usize,
) -> Result<Buffer<u64>, DeviceError> {
    super::check_len("values", values, len);
    let sums: Buffer<u64> = device.empty("sums of segments", segments)?;
    super::check_len("words of sums", &sums.words(), 2 * segments);
    let of = Segments { words: values, len, offsets, count: segments };
    fold_each(device, of, &sums.words(), 0, Fold::Sum, Answer::Sum)?;
    Ok(sums)
}

/// Returns the minimum of each segment, or `if_empty` for an empty one; otherwise like [`segmented_sum`]. For floats
/// see [`Ordered`].
///
/// # Errors
/// As [`segmented_sum`].
///
/// # Panics
/// As [`segmented_sum`].
///
/// ```
/// use throng_device::{DeviceError, DeviceId, open, primitives};
///
/// # fn main() -> Result<(), DeviceError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let values = device.upload("values", &[1i32, -2, 3])?;
/// let offsets = device.upload("offsets", &[0u32, 2, 2, 3])?;
/// let least = primitives::segmented_min(&device, &values, 3, &offsets, 3, i32::MAX)?;
/// assert_eq!(device.read(&least)?, [-2, i32::MAX, 3]);
/// # Ok(())
/// # }
/// ```
pub fn segmented_min<T: Ordered>(
    device: &Device,
    values: &Buffer<T>,
    len: usize,
    offsets: &Buffer<u32>,
    segments: usize,
    if_empty: T,
) -> Result<Buffer<T>, DeviceError> {
    extreme_of_each(device, values, len, offsets, segments, if_empty, Fold::Least(T::KIND))
}

/// Returns the maximum of each segment, or `if_empty` for an empty one; otherwise like [`segmented_min`].
///
/// # Errors
/// As [`segmented_sum`].
///
/// # Panics
/// As [`segmented_sum`].
///
/// ```
/// use throng_device::{DeviceError, DeviceId, open, primitives};
///
/// # fn main() -> Result<(), DeviceError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let values = device.upload("values", &[0.5f32, -0.0, 0.0])?;
/// let offsets = device.upload("offsets", &[0u32, 1, 3])?;
/// let greatest = primitives::segmented_max(&device, &values, 3, &offsets, 2, f32::NEG_INFINITY)?;
/// assert_eq!(device.read(&greatest)?, [0.5, 0.0]);
/// # Ok(())
/// # }
/// ```
pub fn segmented_max<T: Ordered>(
    device: &Device,
    values: &Buffer<T>,
    len: usize,
    offsets: &Buffer<u32>,
    segments: usize,
    if_empty: T,
) -> Result<Buffer<T>, DeviceError> {
    extreme_of_each(device, values, len, offsets, segments, if_empty, Fold::Greatest(T::KIND))
}

fn extreme_of_each<T: Ordered>(
    device: &Device,
    values: &Buffer<T>,
    len: usize,
    offsets: &Buffer<u32>,
    segments: usize,
    if_empty: T,
    fold: Fold,
) -> Result<Buffer<T>, DeviceError> {
    super::check_len("values", values, len);
    let extremes: Buffer<T> = device.empty("extremes of segments", segments)?;
    let of = Segments { words: &values.words(), len, offsets, count: segments };
    fold_each(device, of, &extremes.words(), bytemuck::cast(if_empty), fold, Answer::Value)?;
    Ok(extremes)
}

/// Number of units per segment.
fn lanes(len: usize, segments: usize) -> usize {
    match len / segments.max(1) {
        0..=8 => 1,
        9..=256 => 16,
        _ => UNITS,
    }
}

/// The first `len` words, and the offsets of their segments.
#[derive(Clone, Copy)]
struct Segments<'b> {
    words: &'b Buffer<u32>,
    len: usize,
    offsets: &'b Buffer<u32>,
    count: usize,
}

fn fold_each(
    device: &Device,
    of: Segments<'_>,
    answers: &Buffer<u32>,
    if_empty: u32,
    fold: Fold,
    form: Answer,
) -> Result<(), DeviceError> {
    let Segments { words, len, offsets, count: segments } = of;
    check_cube(device, PAIR_WORDS)?;
    if segments == 0 {
        return Ok(());
    }
    super::check_len("offsets", offsets, segments + 1);
    let lanes = lanes(len, segments);
    let cubes = segments.div_ceil(UNITS / lanes);
    let numbers = SegmentNumbers { len: len as u32, segments: segments as u32, if_empty };
    device.launch_cubes("reduce: segments", cubes as u32, UNITS as u32, |client, count, dim| {
        fold_segments::launch(
            client,
            count,
            dim,
            words.arg(),
            offsets.arg(),
            answers.arg(),
            numbers.arg(),
            lanes,
            fold,
            form,
        );
    })
}

/// Number of values, number of segments, and the result for an empty segment.
#[derive(CubeType, CubeLaunch, KernelParameter, Clone, Copy)]
struct SegmentNumbers {
    len: u32,
    segments: u32,
    if_empty: u32,
}

#[cube(launch)]
fn fold_segments(
    words: &Array<u32>,
    offsets: &Array<u32>,
    answers: &mut Array<u32>,
    numbers: &SegmentNumbers,
    #[comptime] lanes: usize,
    #[comptime] fold: Fold,
    #[comptime] form: Answer,
) {
    let mut shared = SharedMemory::<u32>::new(PAIR_WORDS);
    let lane = UNIT_POS % lanes as u32;
    let segment = CUBE_POS * (UNITS / lanes) + UNIT_POS as usize / lanes;
    let exists = segment < numbers.segments as usize;
    let mut begin = 0u32;
    let mut values = 0u32;
    if exists {
        begin = offsets[segment];
        let mut end = offsets[segment + 1];
        if end > numbers.len {
            end = numbers.len;
        }
        if end > begin {
            values = end - begin;
        }
    }
    let mut all = nothing(fold);
    for round in 0..share_of(values, lane, lanes) {
        let i = begin + round * lanes as u32 + lane;
        combine(&mut all, element(words[i as usize], i, fold), fold);
    }
    let all = fold_lanes(all, &mut shared, lanes, fold);
    if exists && lane == 0 {
        if values == 0 && comptime!(form == Answer::Value) {
            answers[segment] = numbers.if_empty;
        } else {
            write(all, answers, segment, fold, form);
        }
    }
}

/// Number of values, out of `values`, that a lane processes in round-robin order, computed without exceeding 32 bits.
#[cube]
fn share_of(values: u32, lane: u32, #[comptime] lanes: usize) -> u32 {
    let mut share = values / lanes as u32;
    if lane < values % lanes as u32 {
        share += 1u32;
    }
    share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_cover_all_values() {
        for lanes in [1usize, 16, 256] {
            for values in [0, 1, 15, 16, 17, 1000, u32::MAX] {
                let shares = (0..lanes as u32).map(|lane| u64::from(share_of(values, lane, lanes)));
                assert_eq!(shares.sum::<u64>(), u64::from(values), "{lanes}");
            }
        }
    }
}
