//! Buffers: device memory and its length.

use std::marker::PhantomData;

use cubecl::bytes::Bytes;
use cubecl::prelude::*;
use cubecl::server::Handle;

use crate::DeviceError;
use crate::origin::{self, Origin};
use crate::runtime::Gpu;
use crate::source::ElementType;

/// Types that a buffer can hold: plain numbers.
pub trait Element: bytemuck::Pod + Send + Sync + 'static {
    /// The type, in the text of a kernel.
    #[doc(hidden)]
    const TYPE: ElementType;
}

macro_rules! elements {
    ($($element:ty: $kind:ident),+) => {
        $(impl Element for $element {
            const TYPE: ElementType = ElementType::$kind;
        })+
    };
}

elements!(u32: U32, i32: I32, u64: U64, f32: F32, f64: F64);

/// Numbers on a device. A clone refers to the same memory.
///
/// A buffer can only be used on the device that created it; other devices reject it with [`DeviceError::Foreign`].
#[derive(Debug)]
pub struct Buffer<T> {
    pub(crate) handle: Handle,
    pub(crate) origin: Origin,
    len: usize,
    element: PhantomData<T>,
}

impl<T> Clone for Buffer<T> {
    fn clone(&self) -> Self {
        Self { handle: self.handle.clone(), origin: self.origin, len: self.len, element: PhantomData }
    }
}

impl<T: Element> Buffer<T> {
    pub(crate) fn new(handle: Handle, origin: Origin, len: usize) -> Self {
        Self { handle, origin, len, element: PhantomData }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Always false: a device has no empty buffers, see [`crate::Device::upload`].
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of 32-bit words per element.
    pub const WORDS: usize = size_of::<T>() / size_of::<u32>();

    /// Returns the same memory as 32-bit words; the lower word of a 64-bit element comes first.
    ///
    /// ```
    /// use throng_device::{DeviceError, DeviceId, open};
    ///
    /// # fn main() -> Result<(), DeviceError> {
    /// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
    /// let long = device.upload("long", &[(1u64 << 32) | 5])?;
    /// assert_eq!(device.read(&long.words())?, [5, 1]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn words(&self) -> Buffer<u32> {
        Buffer::new(self.handle.clone(), self.origin, self.len * Self::WORDS)
    }

    /// Returns the buffer as a kernel argument of type `Array<T>` or `Array<Atomic<T>>`. It must be created inside the
    /// closure passed to [`Device::launch`](crate::Device::launch) and must not leave it: the device is checked here,
    /// but not when the argument is used.
    ///
    /// In a launch on another device this call does not return: the closure unwinds, nothing is launched, and
    /// [`Device::launch`](crate::Device::launch) returns [`DeviceError::Foreign`].
    ///
    /// # Panics
    /// If called outside such a closure.
    pub fn arg(&self) -> ArrayArg<Gpu> {
        self.arg_on()
    }

    /// [`Buffer::arg`] for code that is generic over the runtime, of which there is only one.
    #[allow(unsafe_code)]
    pub(crate) fn arg_on<R: Runtime>(&self) -> ArrayArg<R> {
        origin::check(self.origin);
        // SAFETY: the handle was allocated with `len` elements of T on the device of this launch, as checked above, and
        // lives as long as the argument. The caller must keep the argument in this launch: CubeCL's type has no
        // lifetime that could enforce it.
        unsafe { ArrayArg::from_raw_parts(self.handle.clone(), self.len) }
    }
}

/// A transfer of numbers from a device. The device continues to work in the meantime.
///
/// Dropping it without [`Pending::wait`] also waits for the transfer, because the destination memory is reused.
pub struct Pending<T> {
    arrival: Option<Arrival>,
    element: PhantomData<T>,
}

/// Waits for a transfer and returns its bytes.
pub(crate) type Arrival = Box<dyn FnOnce() -> Result<Bytes, DeviceError> + Send>;

impl<T> Drop for Pending<T> {
    fn drop(&mut self) {
        if let Some(arrival) = self.arrival.take() {
            // The result is not needed.
            let _ = arrival();
        }
    }
}

impl<T> std::fmt::Debug for Pending<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pending")
    }
}

impl<T: Element> Pending<T> {
    pub(crate) fn new(arrival: Arrival) -> Self {
        Self { arrival: Some(arrival), element: PhantomData }
    }

    /// Waits for the numbers and returns them.
    ///
    /// # Errors
    /// If the device failed in this transfer; with CUDA, also if it failed in any earlier launch.
    pub fn wait(self) -> Result<Vec<T>, DeviceError> {
        self.wait_with(<[T]>::to_vec)
    }

    /// Waits for the numbers and calls `visit` with them, without copying if possible.
    ///
    /// # Errors
    /// As for [`Pending::wait`].
    pub fn wait_with<U>(mut self, visit: impl FnOnce(&[T]) -> U) -> Result<U, DeviceError> {
        let arrival = self.arrival.take().expect("only waiting takes it, and that consumes the transfer");
        let bytes = arrival()?;
        match bytemuck::try_cast_slice(&bytes) {
            Ok(values) => Ok(visit(values)),
            // The memory of the transfer is not aligned for T.
            Err(_) => Ok(visit(&bytemuck::pod_collect_to_vec::<u8, T>(&bytes))),
        }
    }
}
