//! Reductions of a whole buffer to one number.

use cubecl::prelude::*;

use super::order::from_rank;
use super::pair::{Fold, Pair, combine, element, nothing};
use super::tile::{ITEMS, TILE, UNITS, check_cube, load, tile_len, tiles};
use crate::{Buffer, Device, DeviceError};

/// Maximum number of cubes of the first launch; if there are more tiles, each cube folds several. Large enough to
/// occupy every device, and small enough for a single cube to fold the results.
const MAX_CUBES: usize = 1024;

/// Words of shared memory for one pair per unit.
pub(super) const PAIR_WORDS: usize = 2 * UNITS;

/// Returns the 64-bit sum of the first `len` values, which cannot overflow; zero if there are none. The result is a
/// single number on the device.
///
/// Cost: one pass over the values, two launches.
///
/// # Errors
/// When the device fails or has too little memory.
///
/// # Panics
/// When `values` is shorter than `len`.
///
/// ```
/// use throng_device::{DeviceError, DeviceId, open, primitives};
///
/// # fn main() -> Result<(), DeviceError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let values = device.upload("values", &[u32::MAX, 2])?;
/// let sum = primitives::sum(&device, &values, 2)?;
/// assert_eq!(device.read(&sum)?, [4_294_967_297]);
/// # Ok(())
/// # }
/// ```
pub fn sum(device: &Device, values: &Buffer<u32>, len: usize) -> Result<Buffer<u64>, DeviceError> {
    super::check_len("values", values, len);
    let sum: Buffer<u64> = device.empty("sum", 1)?;
    reduce(device, values, None, &sum.words(), len, Fold::Sum, Answer::Sum)?;
    Ok(sum)
}

/// Output form of a reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Both halves of a sum, the lower one first.
    Sum,
    /// The minimum or maximum.
    Value,
    /// The index of the minimum or maximum.
    Position,
}

/// Folds the first `len` words into `answer`; with `mask`, only those whose mask is not zero.
pub(super) fn reduce(
    device: &Device,
    words: &Buffer<u32>,
    mask: Option<&Buffer<u32>>,
    answer: &Buffer<u32>,
    len: usize,
    fold: Fold,
    form: Answer,
) -> Result<(), DeviceError> {
    check_cube(device, PAIR_WORDS)?;
    let cubes = tiles(len).clamp(1, MAX_CUBES);
    let partial: Buffer<u32> = device.empty("partial results", 2 * cubes)?;
    device.launch_cubes("reduce: tiles", cubes as u32, UNITS as u32, |client, count, dim| {
        fold_tiles::launch(
            client,
            count,
            dim,
            words.arg(),
            mask.unwrap_or(words).arg(),
            partial.arg(),
            len as u32,
            cubes as u32,
            mask.is_some(),
            fold,
        );
    })?;
    device.launch_cubes("reduce: last", 1, UNITS as u32, |client, count, dim| {
        fold_partial::launch(client, count, dim, partial.arg(), answer.arg(), cubes as u32, fold, form);
    })
}

#[cube(launch)]
fn fold_tiles(
    words: &Array<u32>,
    mask: &Array<u32>,
    partial: &mut Array<u32>,
    len: u32,
    cubes: u32,
    #[comptime] masked: bool,
    #[comptime] fold: Fold,
) {
    let mut shared = SharedMemory::<u32>::new(PAIR_WORDS);
    let len = len as usize;
    let cubes = cubes as usize;
    let tiles = len.div_ceil(TILE);
    let mut all = nothing(fold);
    for round in 0..tiles.div_ceil(cubes) {
        let tile = round * cubes + CUBE_POS;
        if tile < tiles {
            let start = tile * TILE;
            let count = tile_len(tile, len);
            let own = load(words, start, count, false);
            let included = if masked { load(mask, start, count, true) } else { Array::<u32>::new(ITEMS) };
            #[unroll]
            for i in 0..ITEMS {
                let k = i * UNITS + UNIT_POS as usize;
                let mut counts = k < count;
                if masked {
                    counts = included[i] != 0;
                }
                if counts {
                    combine(&mut all, element(own[i], (start + k) as u32, fold), fold);
                }
            }
        }
    }
    let all = fold_lanes(all, &mut shared, UNITS, fold);
    if UNIT_POS == 0 {
        partial[2 * CUBE_POS] = all.high;
        partial[2 * CUBE_POS + 1] = all.low;
    }
}

#[cube(launch)]
fn fold_partial(
    partial: &Array<u32>,
    answer: &mut Array<u32>,
    pairs: u32,
    #[comptime] fold: Fold,
    #[comptime] form: Answer,
) {
    let mut shared = SharedMemory::<u32>::new(PAIR_WORDS);
    let mut all = nothing(fold);
    for round in 0..(pairs as usize).div_ceil(UNITS) {
        let i = round * UNITS + UNIT_POS as usize;
        if i < pairs as usize {
            combine(&mut all, Pair { high: partial[2 * i], low: partial[2 * i + 1] }, fold);
        }
    }
    let all = fold_lanes(all, &mut shared, UNITS, fold);
    if UNIT_POS == 0 {
        write(all, answer, 0, fold, form);
    }
}

/// Folds the pairs of groups of `lanes` neighbouring units; the first unit of each group gets the result. `lanes` must
/// be a power of two. All units of a cube must call it.
#[cube]
pub(super) fn fold_lanes(
    own: Pair,
    shared: &mut SharedMemory<u32>,
    #[comptime] lanes: usize,
    #[comptime] fold: Fold,
) -> Pair {
    let unit = UNIT_POS as usize;
    let mut all = own;
    #[unroll]
    for step in 0..comptime!(lanes.ilog2()) {
        let distance = comptime!(lanes >> (step + 1));
        shared[unit] = all.high;
        shared[UNITS + unit] = all.low;
        sync_cube();
        if unit % lanes < distance {
            let other = Pair { high: shared[unit + distance], low: shared[UNITS + unit + distance] };
            combine(&mut all, other, fold);
        }
        sync_cube();
    }
    all
}

/// Writes a result in the requested form to entry `i` of `answer`.
#[cube]
pub(super) fn write(all: Pair, answer: &mut Array<u32>, i: usize, #[comptime] fold: Fold, #[comptime] form: Answer) {
    match form {
        Answer::Sum => {
            answer[2 * i] = all.low;
            answer[2 * i + 1] = all.high;
        }
        Answer::Value => answer[i] = value(all.high, fold),
        Answer::Position => answer[i] = all.low,
    }
}

/// Returns the bits of an extreme.
#[cube]
fn value(rank: u32, #[comptime] fold: Fold) -> u32 {
    match fold {
        Fold::Sum => rank,
        Fold::Least(kind) => from_rank(rank, kind),
        Fold::Greatest(kind) => from_rank(rank ^ 0xffff_ffffu32, kind),
    }
}
