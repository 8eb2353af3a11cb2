//! Parameters of kernels that the host passes by value.

use cubecl::prelude::*;

pub use throng_device_macros::KernelParameter;

/// A number, or a struct of numbers, that is an argument of kernels.
///
/// The derive macro of the same name implements it for a struct that also derives `CubeLaunch`. The host writes such a
/// struct with the names of its fields, and [`KernelParameter::arg`] makes the argument. `CubeLaunch` alone makes a
/// constructor that takes the fields by position, where two numbers of a type could be swapped unnoticed.
///
/// A field is a number, another such struct, or a value that is marked `#[cube(comptime)]` and compiled into the kernel.
/// The struct has no generics. The names `cubecl` and `KernelParameter` have to be in scope.
///
/// ```
/// use throng_device::cubecl::{self, prelude::*};
/// use throng_device::{DeviceError, DeviceId, KernelParameter, open};
///
/// #[derive(CubeType, CubeLaunch, KernelParameter, Clone, Copy)]
/// struct Line {
///     slope: u32,
///     start: u32,
/// }
///
/// #[cube(launch)]
/// fn draw(line: &Line, heights: &mut Array<u32>) {
///     if ABSOLUTE_POS < heights.len() {
///         heights[ABSOLUTE_POS] = line.start + line.slope * ABSOLUTE_POS as u32;
///     }
/// }
///
/// # fn main() -> Result<(), DeviceError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let heights = device.empty::<u32>("heights", 3)?;
/// let line = Line { start: 10, slope: 2 };
/// device.launch("draw", heights.len(), |client, cubes, dim| {
///     draw::launch(client, cubes, dim, line.arg(), heights.arg());
/// })?;
/// assert_eq!(device.read(&heights)?, [10, 12, 14]);
/// # Ok(())
/// # }
/// ```
pub trait KernelParameter: LaunchArg + Copy {
    /// The argument of a launch.
    fn arg<R: Runtime>(self) -> Self::RuntimeArg<R>;
}

macro_rules! numbers {
    ($($number:ty),+) => {
        $(impl KernelParameter for $number {
            fn arg<R: Runtime>(self) -> Self {
                self
            }
        })+
    };
}

numbers!(u32, i32, u64, i64, f32, f64);
