//! Compaction: keeps the flagged elements, densely and in order.

use cubecl::prelude::*;

use super::scan::tile_offsets;
use super::tile::{
    ITEMS, SUM_WORDS, TILE, TILE_WORDS, UNITS, check_cube, load, place, scan_tile, share, tile_len, tiles,
};
use crate::{Buffer, Device, DeviceError, Element, KernelArrays};

/// The kept elements, on the device.
#[derive(Debug, Clone)]
pub struct Compacted<T> {
    /// The kept elements. The buffer is as long as the input, because the host does not know their number; the rest is
    /// undefined.
    pub values: Buffer<T>,
    /// Number of kept elements, a single word.
    pub count: Buffer<u32>,
}

impl<T: Element> Compacted<T> {
    /// Copies the kept elements from the device: first their number, then the elements.
    ///
    /// # Errors
    /// When the device fails.
    pub fn read(&self, device: &Device) -> Result<Vec<T>, DeviceError> {
        let count = device.read(&self.count)?[0] as usize;
        if count == 0 {
            return Ok(Vec::new());
        }
        device.read_first(&self.values, count)?.wait()
    }
}

/// Returns the indices of the non-zero flags among the first `len`, in ascending order.
///
/// Cost: the flags are read twice and the kept indices written once; three launches up to 2^24 flags, then five.
///
/// # Errors
/// When the device fails or has too little memory.
///
/// # Panics
/// When `flags` is shorter than `len`.
///
/// ```
/// use throng_device::{DeviceError, DeviceId, open, primitives};
///
/// # fn main() -> Result<(), DeviceError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let flags = device.upload("flags", &[0u32, 1, 0, 7])?;
/// assert_eq!(primitives::compact_indices(&device, &flags, 4)?.read(&device)?, [1, 3]);
/// # Ok(())
/// # }
/// ```
pub fn compact_indices(device: &Device, flags: &Buffer<u32>, len: usize) -> Result<Compacted<u32>, DeviceError> {
    super::check_len("flags", flags, len);
    check_cube(device, TILE_WORDS + SUM_WORDS)?;
    let before = tile_offsets(device, flags, len, true)?;
    let kept = device.empty("kept indices", len)?;
    device.launch_cubes("compact: indices", tiles(len).max(1) as u32, UNITS as u32, |client, cubes, dim| {
        write_indices::launch(client, cubes, dim, flags.arg(), before.sums.arg(), kept.arg(), len as u32);
    })?;
    Ok(Compacted { values: kept, count: before.total })
}

/// Returns those of the first `len` values whose flag is not zero, in order. Values are copied bit by bit.
///
/// Cost: the flags are read twice, the kept values read and written once; three launches up to 2^24 flags, then five.
///
/// # Errors
/// When the device fails or has too little memory.
///
/// # Panics
/// When `values` or `flags` is shorter than `len`, or there are 2^31 or more 64-bit values.
///
/// ```
/// use throng_device::{DeviceError, DeviceId, open, primitives};
///
/// # fn main() -> Result<(), DeviceError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let values = device.upload("values", &[0.5f32, 1.5, 2.5])?;
/// let flags = device.upload("flags", &[1u32, 0, 1])?;
/// assert_eq!(primitives::compact_values(&device, &values, &flags, 3)?.read(&device)?, [0.5, 2.5]);
/// # Ok(())
/// # }
/// ```
pub fn compact_values<T: Element>(
    device: &Device,
    values: &Buffer<T>,
    flags: &Buffer<u32>,
    len: usize,
) -> Result<Compacted<T>, DeviceError> {
    super::check_len("flags", flags, len);
    super::check_len("values", values, len);
    let width = Buffer::<T>::WORDS;
    super::check_len("words of values", &values.words(), len * width);
    check_cube(device, TILE_WORDS + SUM_WORDS)?;
    let before = tile_offsets(device, flags, len, true)?;
    let kept: Buffer<T> = device.empty("kept values", len)?;
    let flagged = FlaggedBuffers { values: &values.words(), flags, before: &before.sums };
    device.launch_cubes("compact: values", tiles(len).max(1) as u32, UNITS as u32, |client, cubes, dim| {
        let (flagged, kept) = (flagged.arg(), kept.words().arg());
        write_values::launch(client, cubes, dim, flagged, kept, len as u32, width);
    })?;
    Ok(Compacted { values: kept, count: before.total })
}

#[cube(launch)]
fn write_indices(flags: &Array<u32>, before: &Array<u32>, kept: &mut Array<u32>, len: u32) {
    let mut words = SharedMemory::<u32>::new(TILE_WORDS);
    let mut unit_sums = SharedMemory::<u32>::new(SUM_WORDS);
    let tile = CUBE_POS;
    if tile < before.len() {
        let start = tile * TILE;
        let own = load(flags, start, tile_len(tile, len as usize), true);
        share(&own, &mut words);
        scan_tile(&mut words, &mut unit_sums);
        #[unroll]
        for i in 0..ITEMS {
            if own[i] != 0 {
                let k = i * UNITS + UNIT_POS as usize;
                let to = (before[tile] + words[place(k)]) as usize;
                kept[to] = (start + k) as u32;
            }
        }
    }
}

/// The words of values, their flags, and the number of flags that are set before each tile.
#[derive(CubeType, CubeLaunch, KernelArrays)]
struct Flagged {
    values: Array<u32>,
    flags: Array<u32>,
    before: Array<u32>,
}

#[cube(launch)]
fn write_values(flagged: &Flagged, kept: &mut Array<u32>, len: u32, #[comptime] width: usize) {
    let mut words = SharedMemory::<u32>::new(TILE_WORDS);
    let mut unit_sums = SharedMemory::<u32>::new(SUM_WORDS);
    let tile = CUBE_POS;
    if tile < flagged.before.len() {
        let start = tile * TILE;
        let own = load(&flagged.flags, start, tile_len(tile, len as usize), true);
        share(&own, &mut words);
        scan_tile(&mut words, &mut unit_sums);
        #[unroll]
        for i in 0..ITEMS {
            if own[i] != 0 {
                let k = i * UNITS + UNIT_POS as usize;
                let to = (flagged.before[tile] + words[place(k)]) as usize;
                #[unroll]
                for w in 0..width {
                    kept[to * width + w] = flagged.values[(start + k) * width + w];
                }
            }
        }
    }
}
