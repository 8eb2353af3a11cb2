//! Query results that stay on the device until they are needed.

use std::fmt;

use throng_device::Error;
#[cfg(feature = "gpu")]
use {
    std::sync::Arc,
    throng_device::{Buffer, Device, Pending},
};

/// The result of a query, for the state at the time of the query. It may not have been computed or copied yet.
///
/// On a device, the work is submitted at the time of the query; nothing blocks before [`Deferred::wait`]. The result
/// stays on the device until [`Deferred::begin`] or `wait`, except that of a whole field. Meanwhile the program may do
/// other work, submit queries, and update the field. On the CPU, the result is computed at the time of the query.
///
/// ```
/// use throng_fields::{Discs, DynamicField, Grid, Profile, Window};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
/// let discs = Discs::new(&[[8.5, 8.5]], Profile::linear(4.0)?)?;
/// let mut field = DynamicField::builder(grid).entities(discs).build()?;
/// let mut best = field.best_in_later(&[Window::new(0..64, 0..64)], 1)?;
/// best.begin()?;
/// // The next step of the game may begin; the result belongs to the previous step.
/// field.move_to(field.ids()[0], [40.5, 40.5])?;
/// field.update()?;
/// assert_eq!(best.wait()?[0][0].column, 8);
/// # Ok::<(), throng_fields::Error>(())
/// ```
#[must_use = "the result is lost unless `wait` is called"]
pub struct Deferred<T> {
    state: State<T>,
}

enum State<T> {
    Ready(T),
    #[cfg(feature = "gpu")]
    OnDevice(OnDevice<T>),
}

/// A result on a device, and the function that decodes it.
#[cfg(feature = "gpu")]
struct OnDevice<T> {
    device: Arc<Device>,
    words: Buffer<u32>,
    /// The copy, once it has been started.
    pending_copy: Option<Pending<u32>>,
    decode: Decode<T>,
}

#[cfg(feature = "gpu")]
type Decode<T> = Box<dyn FnOnce(&[u32]) -> T + Send>;

impl<T> fmt::Debug for Deferred<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.state {
            State::Ready(_) => "Deferred (ready)",
            #[cfg(feature = "gpu")]
            State::OnDevice(OnDevice { pending_copy: Some(_), .. }) => "Deferred (being copied)",
            #[cfg(feature = "gpu")]
            State::OnDevice(_) => "Deferred (on a device)",
        })
    }
}

impl<T> Deferred<T> {
    pub(super) fn ready(answer: T) -> Self {
        Self { state: State::Ready(answer) }
    }

    #[cfg(feature = "gpu")]
    pub(crate) fn on_device(
        device: &Arc<Device>,
        words: Buffer<u32>,
        decode: impl FnOnce(&[u32]) -> T + Send + 'static,
    ) -> Self {
        let result = OnDevice { device: Arc::clone(device), words, pending_copy: None, decode: Box::new(decode) };
        Self { state: State::OnDevice(result) }
    }

    /// Starts copying the result from the device without waiting, so that the copy overlaps with the work of the device
    /// and the program.
    ///
    /// # Errors
    /// When the device has failed.
    pub fn begin(&mut self) -> Result<(), Error> {
        match &mut self.state {
            State::Ready(_) => Ok(()),
            #[cfg(feature = "gpu")]
            State::OnDevice(OnDevice { pending_copy: Some(_), .. }) => Ok(()),
            #[cfg(feature = "gpu")]
            State::OnDevice(OnDevice { device, words, pending_copy, .. }) => {
                *pending_copy = Some(device.read_later(words)?);
                Ok(())
            }
        }
    }

    /// Returns the result. On a device, waits until all earlier work is done, and copies it.
    ///
    /// # Errors
    /// When the device failed.
    pub fn wait(self) -> Result<T, Error> {
        match self.state {
            State::Ready(answer) => Ok(answer),
            #[cfg(feature = "gpu")]
            State::OnDevice(OnDevice { device, words, pending_copy, decode }) => {
                let copy = pending_copy.map_or_else(|| device.read_later(&words), Ok);
                copy.and_then(|copy| copy.wait_with(decode)).map_err(Error::from)
            }
        }
    }

    /// The result in device memory, for kernels; `None` on the CPU. A sample is stored as the bits of an `f32`, a
    /// gradient as two such words, in value per cell, and a field row by row. Best cells have two words each: the bits
    /// of the value, and `row * columns + column`, or [`u32::MAX`] for no cell. Every tile of 64 x 64 cells of each
    /// window has the same number of them, best first.
    #[cfg(feature = "gpu")]
    pub fn words(&self) -> Option<&Buffer<u32>> {
        match &self.state {
            State::Ready(_) => None,
            State::OnDevice(result) => Some(&result.words),
        }
    }
}
