//! Limits of devices on caches and fields.

use throng_device::{CUBE_UNITS, Device};
use throng_model::Failure;

use crate::yu::caching::{Caching, bytes};
use crate::yu::kernels::multi_step;
use crate::yu::numbers::{CROWD, Numbers};
use crate::yu::techniques::{Technique, Variant};

/// Maximum length of an array that kernels index with 32 bits.
const MAX_NUMBERS: u64 = u32::MAX as u64;

/// Rejects a cache that does not fit on the device.
///
/// # Errors
/// When the memory is insufficient or an array is too long for kernels to index.
pub fn check_cache(
    device: &Device,
    caching: Caching,
    fan_out: u32,
    numbers: Numbers,
    units: u64,
) -> Result<(), Failure> {
    let array = match caching {
        Caching::None => units * u64::from(numbers.count()),
        Caching::OneStep => units * 8 * u64::from(fan_out),
        Caching::MultiStep(sums) => units * u64::from(numbers.count() + CROWD) * u64::from(sums),
    };
    device.check_memory(&format!("the {caching} with its fields"), bytes(caching, fan_out, numbers, units))?;
    if array > MAX_NUMBERS {
        let message = format!("{caching}: an array of {array} numbers, but kernels index at most {MAX_NUMBERS}");
        return Err(Failure::resource(message, "use smaller fields, a smaller world or fewer partial sums"));
    }
    Ok(())
}

/// Rejects records and tiles that do not fit into the local memory of a cube.
pub(super) fn check_local_memory(
    device: &Device,
    Variant { caching, techniques }: Variant,
    radius: u32,
) -> Result<(), Failure> {
    if !techniques.has(Technique::DataBandwidth) {
        return Ok(());
    }
    let records = CUBE_UNITS * techniques.record_words();
    let tile = match caching {
        Caching::MultiStep(_) => multi_step::side(radius).pow(2),
        Caching::None | Caching::OneStep => 0,
    };
    let (needed, available) = (4 * records.max(tile) as usize, device.shared_bytes());
    if needed > available {
        let message = format!("local memory of {needed} bytes per cube, and {} has {available}", device.label());
        return Err(Failure::resource(message, "use smaller fields"));
    }
    Ok(())
}
