//! The error of a computation on any executor.

use thiserror::Error;
use throng_core::{InputError, NoThread};

use crate::{DeviceError, UnknownDevice};

/// An input that cannot be used, or a device that lacks something or failed.
#[derive(Clone, PartialEq, Error)]
pub enum Error {
    /// The input cannot be used, or the machine lacks memory or another resource for it; see [`InputError::kind`].
    #[error(transparent)]
    Input(#[from] InputError),
    /// The device does not exist, lacks something, or failed.
    #[error("{0}\n    {remedy}", remedy = .0.remedy())]
    Device(DeviceError),
}

impl From<DeviceError> for Error {
    fn from(error: DeviceError) -> Self {
        Self::Device(error)
    }
}

impl From<UnknownDevice> for Error {
    fn from(error: UnknownDevice) -> Self {
        InputError::one("device", format!("{:?}", error.0), "give auto, cpu, cuda:N, vulkan:N or host").into()
    }
}

impl From<NoThread> for Error {
    fn from(error: NoThread) -> Self {
        InputError::from(error).into()
    }
}

throng_core::debug_is_message!(Error);
