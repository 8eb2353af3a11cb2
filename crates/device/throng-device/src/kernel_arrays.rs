//! Structs of arrays as kernel arguments, built from buffers by field name.

use cubecl::prelude::*;

use crate::{Buffer, Element, KernelParameter};

pub use throng_device_macros::KernelArrays;

/// A struct of arrays that is a kernel argument, or one of its fields.
///
/// The derive macro of the same name implements it for a struct that also derives `CubeLaunch`. For `Name` it writes
/// `NameBuffers`, in which each array is a reference to a [`Buffer`], and whose method `arg` builds the argument. A
/// kernel that takes each array separately gets them by position, so that two buffers of the same type could be swapped
/// unnoticed.
///
/// A field is an array of numbers `T`, of `Atomic<T>` or of `Vector<T, N>`, another such struct, a [`KernelParameter`],
/// or a value that is marked `#[cube(comptime)]` and compiled into the kernel. The struct must not be generic. The
/// names `cubecl` and `KernelArrays` must be in scope.
///
/// All arrays of a struct that a kernel takes as `&mut` are writable in the kernel, and a buffer may not be bound twice
/// if a binding is writable: take arrays that are only read in another struct.
///
/// ```
/// use throng_device::cubecl::{self, prelude::*};
/// use throng_device::{DeviceError, DeviceId, KernelArrays, open};
///
/// #[derive(CubeType, CubeLaunch, KernelArrays)]
/// struct Loans {
///     sums: Array<u32>,
///     paid: Array<u32>,
/// }
///
/// #[cube(launch)]
/// fn owe(loans: &Loans, owed: &mut Array<u32>) {
///     if ABSOLUTE_POS < owed.len() {
///         owed[ABSOLUTE_POS] = loans.sums[ABSOLUTE_POS] - loans.paid[ABSOLUTE_POS];
///     }
/// }
///
/// # fn main() -> Result<(), DeviceError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let (sums, paid) = (device.upload("sums", &[7, 8])?, device.upload("paid", &[7, 5])?);
/// let owed = device.empty::<u32>("owed", 2)?;
/// let loans = LoansBuffers { paid: &paid, sums: &sums };
/// device.launch("owe", owed.len(), |client, cubes, dim| {
///     owe::launch(client, cubes, dim, loans.arg(), owed.arg());
/// })?;
/// assert_eq!(device.read(&owed)?, [0, 3]);
/// # Ok(())
/// # }
/// ```
///
/// With the mark `#[buffers(owned)]` on the struct, `NameBuffers` has the buffers themselves, so that the state of an
/// executor consists of such structs. As a field of another struct of arrays it is a reference, `&NameBuffers`.
///
/// ```
/// # use throng_device::cubecl::{self, prelude::*};
/// # use throng_device::{Device, DeviceError, KernelArrays};
/// #[derive(CubeType, CubeLaunch, KernelArrays)]
/// #[buffers(owned)]
/// struct Accounts {
///     balances: Array<u32>,
///     limits: Array<u32>,
/// }
///
/// # #[allow(dead_code)]
/// fn opened(device: &Device, accounts: usize) -> Result<AccountsBuffers, DeviceError> {
///     Ok(AccountsBuffers {
///         balances: device.empty("balances", accounts)?,
///         limits: device.empty("limits", accounts)?,
///     })
/// }
/// ```
///
/// References to the struct are a `CubeType`, so that a view in a kernel can borrow it.
pub trait KernelArrays: LaunchArg {
    /// The type of the host's argument: `NameBuffers` for a struct of arrays `Name`, a reference to a buffer for an
    /// array.
    type Buffers<'b>: Copy;

    /// Converts it to the argument of a launch, like [`Buffer::arg`].
    fn arg_of<R: Runtime>(buffers: Self::Buffers<'_>) -> Self::RuntimeArg<R>;
}

impl<T: Element + CubePrimitive> KernelArrays for Array<T> {
    type Buffers<'b> = &'b Buffer<T>;

    fn arg_of<R: Runtime>(buffer: &Buffer<T>) -> ArrayArg<R> {
        buffer.arg_on()
    }
}

impl<T: Element + CubePrimitive + Numeric> KernelArrays for Array<Atomic<T>> {
    type Buffers<'b> = &'b Buffer<T>;

    fn arg_of<R: Runtime>(buffer: &Buffer<T>) -> ArrayArg<R> {
        buffer.arg_on()
    }
}

impl<T: Element + Scalar, N: Size> KernelArrays for Array<Vector<T, N>> {
    type Buffers<'b> = &'b Buffer<T>;

    fn arg_of<R: Runtime>(buffer: &Buffer<T>) -> ArrayArg<R> {
        buffer.arg_on()
    }
}

impl<P: KernelParameter> KernelArrays for P {
    type Buffers<'b> = P;

    fn arg_of<R: Runtime>(parameter: P) -> P::RuntimeArg<R> {
        parameter.arg()
    }
}
