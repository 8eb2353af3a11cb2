//! Does a device count as the host does? Every operation of which kernels need the host's result to the last bit is
//! tried on some thousand numbers before the first run, because interfaces leave some of the rounding to the device.

mod double;
mod single;

pub use double::Arithmetic;
pub use single::SingleArithmetic;

/// Numbers that are tried.
const TRIALS: u32 = 4096;

/// Whether all pairs are the same, bit for bit.
fn same<T: bytemuck::Pod>(found: &[T], expected: impl Iterator<Item = T>) -> bool {
    let mut left = found.iter();
    let mut expected = expected;
    let equal = expected
        .all(|expected| left.next().is_some_and(|found| bytemuck::bytes_of(found) == bytemuck::bytes_of(&expected)));
    equal && left.next().is_none()
}
