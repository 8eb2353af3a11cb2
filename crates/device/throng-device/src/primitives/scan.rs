//! Exclusive prefix sums.

use cubecl::prelude::*;

use super::tile::{
    ITEMS, SUM_WORDS, TILE, TILE_WORDS, UNITS, check_cube, load, place, scan_tile, scan_units, share, tile_len, tiles,
};
use crate::{Buffer, Device, DeviceError};

/// Maximum number of tiles that a single cube scans sequentially; more tiles are distributed over several cubes. For
/// this many, one cube takes a few microseconds, about as long as the additional launches of a distributed scan.
pub(super) const MAX_SERIAL_TILES: usize = 4;

/// Prefix sums and the total, on the device.
#[derive(Debug, Clone)]
pub struct Scanned {
    /// For each element, the sum of the elements before it.
    pub sums: Buffer<u32>,
    /// The sum of all elements, a single number.
    pub total: Buffer<u32>,
}

/// Computes for each of the first `len` values the sum of the values before it, and the total.
///
/// Sums wrap at 2^32, like [`u32::wrapping_add`]; [`sum`](super::sum) uses 64 bits. `len` may be zero, and the total is
/// then zero.
///
/// Cost: three passes over the values (read, read, write); one launch up to 8192 values, three up to 2^24, then five.
/// Temporary memory: two words per 2048 values.
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
/// let values = device.upload("values", &[3u32, 1, 4])?;
/// let scanned = primitives::exclusive_scan(&device, &values, 3)?;
/// assert_eq!(device.read(&scanned.sums)?, [0, 3, 4]);
/// assert_eq!(device.read(&scanned.total)?, [8]);
/// # Ok(())
/// # }
/// ```
pub fn exclusive_scan(device: &Device, values: &Buffer<u32>, len: usize) -> Result<Scanned, DeviceError> {
    super::check_len("values", values, len);
    check_cube(device, TILE_WORDS + SUM_WORDS)?;
    if tiles(len) <= MAX_SERIAL_TILES {
        return scan_serially(device, values, len);
    }
    let before = tile_offsets(device, values, len, false)?;
    let sums = device.empty("prefix sums", len)?;
    device.launch_cubes("scan: write", tiles(len) as u32, UNITS as u32, |client, cubes, dim| {
        write_sums::launch(client, cubes, dim, values.arg(), before.sums.arg(), sums.arg(), len as u32);
    })?;
    Ok(Scanned { sums, total: before.total })
}

/// Computes for each tile the sum of all earlier tiles; with `flags`, their number of non-zero elements.
pub(super) fn tile_offsets(
    device: &Device,
    values: &Buffer<u32>,
    len: usize,
    flags: bool,
) -> Result<Scanned, DeviceError> {
    let tiles = tiles(len).max(1);
    let sums = device.empty("sums of tiles", tiles)?;
    device.launch_cubes("scan: sums of tiles", tiles as u32, UNITS as u32, |client, cubes, dim| {
        sum_tiles::launch(client, cubes, dim, values.arg(), sums.arg(), len as u32, flags);
    })?;
    exclusive_scan(device, &sums, tiles)
}

fn scan_serially(device: &Device, values: &Buffer<u32>, len: usize) -> Result<Scanned, DeviceError> {
    let sums = device.empty("prefix sums", len)?;
    let total = device.empty("total", 1)?;
    device.launch_cubes("scan: alone", 1, UNITS as u32, |client, cubes, dim| {
        scan_in_one_cube::launch(client, cubes, dim, values.arg(), sums.arg(), total.arg(), len as u32);
    })?;
    Ok(Scanned { sums, total })
}

#[cube(launch)]
pub(super) fn sum_tiles(values: &Array<u32>, sums: &mut Array<u32>, len: u32, #[comptime] flags: bool) {
    let mut unit_sums = SharedMemory::<u32>::new(SUM_WORDS);
    let tile = CUBE_POS;
    // There may be more cubes than tiles, because cubes fill a rectangle.
    if tile < sums.len() {
        let own = load(values, tile * TILE, tile_len(tile, len as usize), flags);
        let mut sum = 0u32;
        #[unroll]
        for i in 0..ITEMS {
            sum += own[i];
        }
        scan_units(sum, &mut unit_sums);
        if UNIT_POS == 0 {
            sums[tile] = unit_sums[UNITS - 1];
        }
    }
}

#[cube(launch)]
pub(super) fn write_sums(values: &Array<u32>, before: &Array<u32>, sums: &mut Array<u32>, len: u32) {
    let mut words = SharedMemory::<u32>::new(TILE_WORDS);
    let mut unit_sums = SharedMemory::<u32>::new(SUM_WORDS);
    let tile = CUBE_POS;
    if tile < before.len() {
        scan_one(values, sums, tile, len as usize, before[tile], &mut words, &mut unit_sums);
    }
}

#[cube(launch)]
pub(super) fn scan_in_one_cube(values: &Array<u32>, sums: &mut Array<u32>, total: &mut Array<u32>, len: u32) {
    let mut words = SharedMemory::<u32>::new(TILE_WORDS);
    let mut unit_sums = SharedMemory::<u32>::new(SUM_WORDS);
    let len = len as usize;
    let mut before = 0u32;
    for tile in 0..len.div_ceil(TILE) {
        before += scan_one(values, sums, tile, len, before, &mut words, &mut unit_sums);
        sync_cube();
    }
    if UNIT_POS == 0 {
        total[0] = before;
    }
}

/// Writes the prefix sums of a tile and returns its sum.
#[cube]
fn scan_one(
    values: &Array<u32>,
    sums: &mut Array<u32>,
    tile: usize,
    len: usize,
    before: u32,
    words: &mut SharedMemory<u32>,
    unit_sums: &mut SharedMemory<u32>,
) -> u32 {
    let start = tile * TILE;
    let count = tile_len(tile, len);
    let own = load(values, start, count, false);
    share(&own, words);
    let total = scan_tile(words, unit_sums);
    #[unroll]
    for i in 0..ITEMS {
        let k = i * UNITS + UNIT_POS as usize;
        if k < count {
            sums[start + k] = before + words[place(k)];
        }
    }
    total
}
