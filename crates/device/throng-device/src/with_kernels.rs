//! Device branch of a model, in builds with and without kernels.

/// Evaluates an expression if the calling crate is built with its feature `gpu`, with `device` bound to a reference to
/// a [`Device`](crate::Device). Without the feature the expression is omitted, and the result is the error
/// [`no_kernels`](crate::Device::no_kernels) for the model with the given name.
///
/// The result is a `Result` whose error type can be converted from a [`DeviceError`](crate::DeviceError).
///
/// ```
/// use throng_device::{Device, DeviceError, with_kernels};
///
/// fn label(device: &Device) -> Result<String, DeviceError> {
///     with_kernels!("flocking", device, |device| Ok(device.info().label()))
/// }
/// # let _ = label;
/// ```
#[macro_export]
macro_rules! with_kernels {
    ($model:expr, $any:expr, |$device:ident| $body:expr) => {{
        #[cfg(feature = "gpu")]
        let result = {
            let $device = $any;
            $body
        };
        #[cfg(not(feature = "gpu"))]
        let result = Err($any.no_kernels($model).into());
        result
    }};
}
