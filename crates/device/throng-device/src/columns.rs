//! The state of agents on a device: a column for each variable, before and after a step.

use cubecl::prelude::{ArrayArg, LaunchArg, Runtime};

use crate::runtime::Gpu;
use crate::{Buffer, Device, DeviceError, Element};

pub use throng_device_macros::KernelColumns;

/// Two sets of columns of equal length: a kernel reads the state before a step and writes the one after it, so that no
/// agent sees another that has already moved. [`Columns::swap`] ends a step.
///
/// ```
/// use throng_device::{Columns, DeviceId, open};
///
/// # fn main() -> Result<(), throng_device::DeviceError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let mut columns = Columns::upload(&device, "agents", &[vec![1, 2], vec![3, 4]])?;
/// assert_eq!((columns.len(), columns.read(&device)?), (2, [vec![1, 2], vec![3, 4]]));
/// // Here a kernel reads `columns.before()` and writes every entry of `columns.after()`.
/// columns.swap();
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Columns<T, const N: usize> {
    before: [Buffer<T>; N],
    after: [Buffer<T>; N],
    len: usize,
}

impl<T: Element, const N: usize> Columns<T, N> {
    /// Copies columns to a device; `what` names them in errors.
    ///
    /// # Errors
    /// When the device has too little memory.
    ///
    /// # Panics
    /// When the columns differ in length.
    pub fn upload(device: &Device, what: &str, columns: &[Vec<T>; N]) -> Result<Self, DeviceError> {
        let len = columns.first().map_or(0, Vec::len);
        assert!(columns.iter().all(|column| column.len() == len), "columns of different lengths");
        let before = each(columns, |column| device.upload(what, column))?;
        let after = each(columns, |_| device.empty(what, len))?;
        Ok(Self { before, after, len })
    }

    /// The number of entries of a column.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The state before the step.
    pub fn before(&self) -> &[Buffer<T>; N] {
        &self.before
    }

    /// The state after the step. Its content is undefined until a kernel has written every entry.
    pub fn after(&self) -> &[Buffer<T>; N] {
        &self.after
    }

    /// Ends a step: the state after it becomes the state before the next one.
    pub fn swap(&mut self) {
        std::mem::swap(&mut self.before, &mut self.after);
    }

    /// Copies the state before the next step from the device.
    ///
    /// # Errors
    /// When the device fails.
    pub fn read(&self, device: &Device) -> Result<[Vec<T>; N], DeviceError> {
        each(&self.before, |column| device.read(column))
    }
}

/// A struct of arrays that is an argument of kernels: the columns of a state under their names.
///
/// The derive macro of the same name implements it for a struct that also derives `CubeLaunch`. All its fields are arrays
/// with entries of one type, and it has no generics. The names `cubecl` and `KernelColumns` have to be in scope.
///
/// ```
/// use throng_device::prelude::*;
/// use throng_device::{DeviceError, DeviceId, open};
///
/// #[derive(CubeType, CubeLaunch, KernelColumns)]
/// struct Cars {
///     positions: Array<u32>,
///     speeds: Array<u32>,
/// }
///
/// #[cube(launch)]
/// fn drive(before: &Cars, after: &mut Cars) {
///     let car = ABSOLUTE_POS;
///     if car < after.positions.len() {
///         after.positions[car] = before.positions[car] + before.speeds[car];
///         after.speeds[car] = before.speeds[car];
///     }
/// }
///
/// # fn main() -> Result<(), DeviceError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let mut cars = Columns::upload(&device, "cars", &[vec![10, 20], vec![1, 2]])?;
/// device.launch("drive", cars.len(), |client, cubes, dim| {
///     drive::launch(client, cubes, dim, Cars::of(cars.before()), Cars::of(cars.after()));
/// })?;
/// cars.swap();
/// assert_eq!(cars.read(&device)?, [[11, 22], [1, 2]]);
/// # Ok(())
/// # }
/// ```
pub trait KernelColumns<T, const N: usize>: LaunchArg {
    /// The argument of a launch. The columns are in the order of the fields.
    fn of(columns: &[Buffer<T>; N]) -> Self::RuntimeArg<Gpu>
    where
        T: Element,
    {
        Self::of_arrays(columns.each_ref().map(Buffer::arg))
    }

    /// The same from arrays; the derive macro writes it.
    #[doc(hidden)]
    fn of_arrays<R: Runtime>(arrays: [ArrayArg<R>; N]) -> Self::RuntimeArg<R>;
}

/// The results of `make` for all items, or the first error.
fn each<A, B, const N: usize>(
    items: &[A; N],
    make: impl FnMut(&A) -> Result<B, DeviceError>,
) -> Result<[B; N], DeviceError> {
    let made: Vec<B> = items.iter().map(make).collect::<Result<_, _>>()?;
    Ok(made.try_into().unwrap_or_else(|_| unreachable!("as many as items")))
}
