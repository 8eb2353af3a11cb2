//! Tests whether a device's arithmetic agrees with the host's. Kernels need some operations to match the host to the
//! last bit, but the graphics interfaces leave some of the rounding to the device. Each such operation is tested on
//! several thousand numbers before the first run.

mod double;
mod single;

pub use double::Arithmetic;
pub use single::SingleArithmetic;

/// Number of test cases.
const TRIALS: u32 = 4096;

/// Whether all values are equal, bit for bit.
fn same<T: bytemuck::Pod>(found: &[T], expected: impl Iterator<Item = T>) -> bool {
    let mut left = found.iter();
    let mut expected = expected;
    let equal = expected
        .all(|expected| left.next().is_some_and(|found| bytemuck::bytes_of(found) == bytemuck::bytes_of(&expected)));
    equal && left.next().is_none()
}
