//! Tests whether the arithmetic of a device equals that of the host. Every operation for which kernels need the result
//! of the host to the last bit is tested on some thousand numbers before the first run, because the interfaces leave
//! some of the rounding to the device.

mod double;
mod single;

pub use double::Arithmetic;
pub use single::SingleArithmetic;

/// How many numbers are tested.
const TRIALS: u32 = 4096;

/// Whether all pairs are equal, bit for bit.
fn same<T: bytemuck::Pod>(found: &[T], expected: impl Iterator<Item = T>) -> bool {
    let mut left = found.iter();
    let mut expected = expected;
    let equal = expected
        .all(|expected| left.next().is_some_and(|found| bytemuck::bytes_of(found) == bytemuck::bytes_of(&expected)));
    equal && left.next().is_none()
}
