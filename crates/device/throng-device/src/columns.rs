//! The state of agents on a device: one column per variable, before and after a step.

use crate::{Buffer, Device, DeviceError, Element};

/// Two sets of columns of equal length. A kernel reads the state before a step and writes the state after it, so no
/// agent sees another one that has already moved. [`Columns::swap`] ends a step.
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
    /// If the device has too little memory, or fails.
    ///
    /// # Panics
    /// If the columns differ in length.
    pub fn upload(device: &Device, what: &str, columns: &[Vec<T>; N]) -> Result<Self, DeviceError> {
        let len = columns.first().map_or(0, Vec::len);
        assert!(columns.iter().all(|column| column.len() == len), "columns of different lengths");
        let before = each(columns, |column| device.upload(what, column))?;
        let after = each(columns, |_| device.empty(what, len))?;
        Ok(Self { before, after, len })
    }

    /// Number of entries per column.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// State before the step.
    pub fn before(&self) -> &[Buffer<T>; N] {
        &self.before
    }

    /// State after the step. Its content is undefined until a kernel has written every entry.
    pub fn after(&self) -> &[Buffer<T>; N] {
        &self.after
    }

    /// Ends a step: the state after it becomes the state before the next step.
    pub fn swap(&mut self) {
        std::mem::swap(&mut self.before, &mut self.after);
    }

    /// Copies the state before the next step from the device.
    ///
    /// # Errors
    /// If the device fails.
    pub fn read(&self, device: &Device) -> Result<[Vec<T>; N], DeviceError> {
        each(&self.before, |column| {
            let mut values = device.read(column)?;
            // Devices have no empty buffers.
            values.truncate(self.len);
            Ok(values)
        })
    }
}

/// Calls `make` for all items and returns the results, or the first error.
fn each<A, B, const N: usize>(
    items: &[A; N],
    make: impl FnMut(&A) -> Result<B, DeviceError>,
) -> Result<[B; N], DeviceError> {
    let made: Vec<B> = items.iter().map(make).collect::<Result<_, _>>()?;
    Ok(made.try_into().unwrap_or_else(|_| unreachable!("as many as items")))
}
