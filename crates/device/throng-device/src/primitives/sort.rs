//! Stable radix sort, eight bits per pass, lowest bits first.

use super::radix::{DigitPass, PASS_BITS, PairsBuffers, count_digits, scatter};
use super::scan::exclusive_scan;
use super::split::SPLIT_BITS;
use super::tile::{SUM_WORDS, TILE_WORDS, UNITS, check_cube, tiles};
use crate::{Buffer, Device, DeviceError, Element, KernelParameter};

/// Types of sort keys.
pub trait SortKey: Element + sealed::Sealed {}

impl SortKey for u32 {}
impl SortKey for u64 {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
}

/// Sorted keys and their payloads, on the device.
#[derive(Debug, Clone)]
pub struct Sorted<K> {
    /// Keys in ascending order of their lower bits.
    pub keys: Buffer<K>,
    /// Payloads in the order of their keys.
    pub payload: Buffer<u32>,
}

/// Sorts the first `len` pairs of key and payload by the lower `bits` bits of the key, stably. Higher bits are kept,
/// but not compared.
///
/// 64-bit keys also work on devices without 64-bit integers: a kernel writes them through [`Buffer::words`] as pairs of
/// words, the lower one first.
///
/// Cost: one pass per eight bits, rounded up, but at least one, so a known maximum of the keys saves time. A pass reads
/// the keys twice and the payload once, and writes both, in three launches up to 65,536 pairs, five up to 2^27, then
/// seven. A last pass of at most four bits is cheaper. Temporary memory: as much as the result if there are two or more
/// passes, plus two words per eight pairs.
///
/// # Errors
/// When the device fails or has too little memory.
///
/// # Panics
/// When `keys` or `payload` is shorter than `len`, `bits` exceeds the size of a key, or there are 2^31 or more 64-bit
/// keys.
///
/// ```
/// use throng_device::{DeviceError, DeviceId, open, primitives};
///
/// # fn main() -> Result<(), DeviceError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let keys = device.upload("keys", &[9u32, 2, 9, 1])?;
/// let payload = device.upload("payload", &[0u32, 1, 2, 3])?;
/// let sorted = primitives::sort_by_key(&device, &keys, &payload, 4, 4)?;
/// assert_eq!(device.read(&sorted.keys)?, [1, 2, 9, 9]);
/// assert_eq!(device.read(&sorted.payload)?, [3, 1, 0, 2]);
/// # Ok(())
/// # }
/// ```
pub fn sort_by_key<K: SortKey>(
    device: &Device,
    keys: &Buffer<K>,
    payload: &Buffer<u32>,
    len: usize,
    bits: u32,
) -> Result<Sorted<K>, DeviceError> {
    super::check_len("keys", keys, len);
    super::check_len("payloads", payload, len);
    super::check_len("words of keys", &keys.words(), len * Buffer::<K>::WORDS);
    assert!(bits as usize <= 8 * size_of::<K>(), "{bits} bits of keys with {}", 8 * size_of::<K>());
    check_cube(device, 2 * TILE_WORDS + SUM_WORDS + UNITS)?;
    let pair = || -> Result<Sorted<K>, DeviceError> {
        Ok(Sorted { keys: device.empty("sorted keys", len)?, payload: device.empty("sorted payload", len)? })
    };
    let mut to = pair()?;
    sort_pass(device, keys, payload, &to, len, 0, bits)?;
    if bits > PASS_BITS {
        let mut from = pair()?;
        for shift in (PASS_BITS..bits).step_by(PASS_BITS as usize) {
            std::mem::swap(&mut from, &mut to);
            sort_pass(device, &from.keys, &from.payload, &to, len, shift, bits)?;
        }
    }
    Ok(to)
}

/// Runs one pass on the bits at `shift`: counts the digits of each tile, scans the counts digit by digit, and
/// moves each pair to its destination.
fn sort_pass<K: SortKey>(
    device: &Device,
    keys: &Buffer<K>,
    payload: &Buffer<u32>,
    to: &Sorted<K>,
    len: usize,
    shift: u32,
    bits: u32,
) -> Result<(), DeviceError> {
    let width = Buffer::<K>::WORDS;
    let bits = (bits - shift).min(PASS_BITS);
    let splits = (bits as usize).div_ceil(SPLIT_BITS).max(1);
    let digits = 1usize << (splits * SPLIT_BITS);
    let tiles = tiles(len).max(1);
    let pass = DigitPass {
        len: len as u32,
        tiles: tiles as u32,
        word: shift / u32::BITS,
        low: shift % u32::BITS,
        mask: (1 << bits) - 1,
    };
    let counts = device.empty("counts of digits", tiles * digits)?;
    device.launch_cubes("sort: count", tiles as u32, UNITS as u32, |client, cubes, dim| {
        count_digits::launch(client, cubes, dim, keys.words().arg(), counts.arg(), pass.arg(), width, digits);
    })?;
    let before = exclusive_scan(device, &counts, tiles * digits)?.sums;
    let from = PairsBuffers { keys: &keys.words(), payload };
    let sorted = PairsBuffers { keys: &to.keys.words(), payload: &to.payload };
    device.launch_cubes("sort: scatter", tiles as u32, UNITS as u32, |client, cubes, dim| {
        let (from, sorted, pass) = (from.arg(), sorted.arg(), pass.arg());
        scatter::launch(client, cubes, dim, from, before.arg(), sorted, pass, width, splits);
    })
}
