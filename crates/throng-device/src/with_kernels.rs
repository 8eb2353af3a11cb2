//! The branch of a model for devices, in builds with and without kernels.

/// Evaluates an expression on the device inside an [`AnyDevice`](crate::AnyDevice), as
#[cfg_attr(feature = "gpu", doc = "[`with_device!`](crate::with_device)")]
#[cfg_attr(not(feature = "gpu"), doc = "`with_device!`")]
/// does, if the calling crate is built with its feature `gpu`. Without it the expression is left out, and the result is
/// the error [`no_kernels`](crate::AnyDevice::no_kernels) for the model of a given name.
///
/// The result is a `Result` whose error can be made from a [`DeviceError`](crate::DeviceError).
///
/// ```
/// use throng_device::{AnyDevice, DeviceError, with_kernels};
///
/// fn label(device: &AnyDevice) -> Result<String, DeviceError> {
///     with_kernels!("flocking", device, |device| Ok(device.label()))
/// }
/// # let _ = label;
/// ```
#[macro_export]
macro_rules! with_kernels {
    ($model:expr, $any:expr, |$device:ident| $body:expr) => {{
        #[cfg(feature = "gpu")]
        let result = $crate::with_device!($any, |$device| $body);
        #[cfg(not(feature = "gpu"))]
        let result = Err($any.no_kernels($model).into());
        result
    }};
}
