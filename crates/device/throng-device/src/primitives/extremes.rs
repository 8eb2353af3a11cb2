//! Minima and maxima, and their indices.

use super::order::Ordered;
use super::pair::Fold;
use super::reduce::{Answer, reduce};
use crate::{Buffer, Device, DeviceError};

/// The index that [`argmin`] and [`argmax`] write on the device if there is no element; see [`read_index`].
pub const NONE: u32 = u32::MAX;

/// Returns the minimum of the first `len` values, or `if_empty` if there are none, as a single number on the device.
/// For floats see [`Ordered`].
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
/// let values = device.upload("values", &[0.5f32, -2.0, 1.0])?;
/// assert_eq!(device.read(&primitives::min(&device, &values, 3, f32::INFINITY)?)?, [-2.0]);
/// assert_eq!(device.read(&primitives::min(&device, &values, 0, f32::INFINITY)?)?, [f32::INFINITY]);
/// # Ok(())
/// # }
/// ```
pub fn min<T: Ordered>(device: &Device, values: &Buffer<T>, len: usize, if_empty: T) -> Result<Buffer<T>, DeviceError> {
    extreme(device, values, len, if_empty, Fold::Least(T::KIND))
}

/// Returns the maximum of the first `len` values, or `if_empty` if there are none; otherwise like [`min()`].
///
/// # Errors
/// As [`min()`].
///
/// # Panics
/// As [`min()`].
///
/// ```
/// use throng_device::{DeviceError, DeviceId, open, primitives};
///
/// # fn main() -> Result<(), DeviceError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let values = device.upload("values", &[-5i32, -2, -9])?;
/// assert_eq!(device.read(&primitives::max(&device, &values, 3, 0)?)?, [-2]);
/// # Ok(())
/// # }
/// ```
pub fn max<T: Ordered>(device: &Device, values: &Buffer<T>, len: usize, if_empty: T) -> Result<Buffer<T>, DeviceError> {
    extreme(device, values, len, if_empty, Fold::Greatest(T::KIND))
}

/// Returns the index of the minimum of the first `len` values; with `mask`, only of values whose mask is not zero. Ties
/// go to the lower index; [`NONE`] if there are no values. The result is a single number on the device. For floats see
/// [`Ordered`].
///
/// Cost: one pass over values and mask, two launches.
///
/// # Errors
/// When the device fails or has too little memory.
///
/// # Panics
/// When `values` or `mask` is shorter than `len`.
///
/// ```
/// use throng_device::{DeviceError, DeviceId, open, primitives};
///
/// # fn main() -> Result<(), DeviceError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let values = device.upload("values", &[4u32, 1, 7, 1])?;
/// let mask = device.upload("mask", &[1u32, 0, 1, 1])?;
/// assert_eq!(primitives::read_index(&device, &primitives::argmin(&device, &values, None, 4)?)?, Some(1));
/// assert_eq!(primitives::read_index(&device, &primitives::argmin(&device, &values, Some(&mask), 4)?)?, Some(3));
/// assert_eq!(primitives::read_index(&device, &primitives::argmin(&device, &values, None, 0)?)?, None);
/// # Ok(())
/// # }
/// ```
pub fn argmin<T: Ordered>(
    device: &Device,
    values: &Buffer<T>,
    mask: Option<&Buffer<u32>>,
    len: usize,
) -> Result<Buffer<u32>, DeviceError> {
    position(device, values, mask, len, Fold::Least(T::KIND))
}

/// Returns the index of the maximum of the first `len` values; ties go to the lower index. Otherwise like [`argmin`].
///
/// # Errors
/// As [`argmin`].
///
/// # Panics
/// As [`argmin`].
///
/// ```
/// use throng_device::{DeviceError, DeviceId, open, primitives};
///
/// # fn main() -> Result<(), DeviceError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let values = device.upload("values", &[4u32, 7, 7, 1])?;
/// assert_eq!(primitives::read_index(&device, &primitives::argmax(&device, &values, None, 4)?)?, Some(1));
/// # Ok(())
/// # }
/// ```
pub fn argmax<T: Ordered>(
    device: &Device,
    values: &Buffer<T>,
    mask: Option<&Buffer<u32>>,
    len: usize,
) -> Result<Buffer<u32>, DeviceError> {
    position(device, values, mask, len, Fold::Greatest(T::KIND))
}

/// Copies an index from the device; `None` if it is [`NONE`].
///
/// # Errors
/// When the device failed in this transfer; with CUDA, also when it failed in any earlier launch.
///
/// ```
/// use throng_device::{DeviceError, DeviceId, open, primitives};
///
/// # fn main() -> Result<(), DeviceError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let positions = device.upload("positions", &[primitives::NONE])?;
/// assert_eq!(primitives::read_index(&device, &positions)?, None);
/// # Ok(())
/// # }
/// ```
pub fn read_index(device: &Device, position: &Buffer<u32>) -> Result<Option<usize>, DeviceError> {
    let position = device.read_first(position, 1)?.wait()?[0];
    Ok((position != NONE).then_some(position as usize))
}

fn extreme<T: Ordered>(
    device: &Device,
    values: &Buffer<T>,
    len: usize,
    if_empty: T,
    fold: Fold,
) -> Result<Buffer<T>, DeviceError> {
    super::check_len("values", values, len);
    if len == 0 {
        return device.upload("extreme", &[if_empty]);
    }
    let extreme: Buffer<T> = device.empty("extreme", 1)?;
    reduce(device, &values.words(), None, &extreme.words(), len, fold, Answer::Value)?;
    Ok(extreme)
}

fn position<T: Ordered>(
    device: &Device,
    values: &Buffer<T>,
    mask: Option<&Buffer<u32>>,
    len: usize,
    fold: Fold,
) -> Result<Buffer<u32>, DeviceError> {
    super::check_len("values", values, len);
    if let Some(mask) = mask {
        super::check_len("masks", mask, len);
    }
    let position = device.empty("position", 1)?;
    reduce(device, &values.words(), mask, &position, len, fold, Answer::Position)?;
    Ok(position)
}
