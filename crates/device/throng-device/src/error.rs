//! Errors of devices and their remedies.

use thiserror::Error;

use crate::DeviceId;

/// A device is missing, lacks a feature, or failed.
#[derive(Clone, PartialEq, Eq, Error)]
pub enum DeviceError {
    /// No device has the requested id.
    #[error("there is no device {id}: {reason}")]
    NotFound {
        /// Id of the requested device.
        id: DeviceId,
        /// The existing devices, or the reason why there are none.
        reason: String,
    },
    /// The device lacks a feature that the task needs.
    #[error("{device} cannot be used: {lacks}")]
    Unsuitable {
        /// Id and name.
        device: String,
        /// The missing feature and its purpose.
        lacks: String,
    },
    /// The memory of the device is too small.
    #[error("{device} has too little memory: {}", shortage(what, *.asked_mib, *.available_mib))]
    OutOfMemory {
        /// Id and name.
        device: String,
        /// Purpose of the memory, such as the name of a buffer.
        what: String,
        /// Requested, MiB; `None` if the driver refused a small buffer, which is only detected in a later transfer.
        asked_mib: Option<u64>,
        /// Free, MiB, if the interface reports it.
        available_mib: Option<u64>,
    },
    /// One buffer is larger than the device allows.
    #[error("{device} allows buffers of at most {limit_mib} MiB, but {what} needs {asked_mib} MiB")]
    BufferTooLarge {
        /// Id and name.
        device: String,
        /// Purpose of the memory, such as the name of a buffer.
        what: String,
        /// Requested, MiB.
        asked_mib: u64,
        /// Allowed, MiB.
        limit_mib: u64,
    },
    /// A buffer of one device was used on another.
    #[error("{device} was given a buffer of {owner}")]
    Foreign {
        /// Id and name of the device that rejected it.
        device: String,
        /// Device on which the buffer was created.
        owner: DeviceId,
    },
    /// A kernel could not be compiled.
    #[error("{device} could not compile the kernel \"{kernel}\": {message}")]
    Kernel {
        /// Id and name.
        device: String,
        /// Label of the launch.
        kernel: String,
        /// Error message of the compiler.
        message: String,
    },
    /// A kernel that takes `Checks` accessed an array out of bounds.
    #[error("{device}: the kernel \"{kernel}\" accessed index {index} of an array of {len} ({place}, unit {unit})")]
    OutOfBounds {
        /// Id and name.
        device: String,
        /// Label of the launch.
        kernel: String,
        /// File and line of the access; only the line if the kernel was compiled by an earlier process.
        place: String,
        /// Index that was accessed.
        index: u32,
        /// Number of elements of the array.
        len: u32,
        /// Index of the unit over all cubes.
        unit: u32,
    },
    /// The device or its driver failed during a launch or transfer.
    #[error("{device} failed during \"{during}\": {message}")]
    Lost {
        /// Id and name.
        device: String,
        /// Label of the launch or transfer, or name of another operation.
        during: String,
        /// Error message of the driver.
        message: String,
    },
}

throng_core::debug_is_message!(DeviceError);

/// Formats the requested and the available memory, as far as known.
fn shortage(what: &str, asked_mib: Option<u64>, available_mib: Option<u64>) -> String {
    let asked = match asked_mib {
        Some(asked) => format!("{asked} MiB requested ({what})"),
        None => format!("the driver refused a buffer ({what})"),
    };
    match available_mib {
        Some(available) => format!("{asked}, {available} MiB available"),
        None => asked,
    }
}

impl DeviceError {
    /// Returns the remedy.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => {
                "`throng doctor` lists devices and what is missing; the device cpu is on every machine"
            }
            Self::Unsuitable { .. } => "choose another device, for example cpu",
            Self::OutOfMemory { .. } | Self::BufferTooLarge { .. } => {
                "free memory on the device, take a smaller sample or grid, or use the device cpu"
            }
            Self::Foreign { .. } => {
                "this is a defect of the program: a buffer can only be used on the device that made it"
            }
            Self::OutOfBounds { .. } => "this is a defect of the kernel: correct the index, or guard the access",
            Self::Kernel { .. } => {
                "update the driver, or use the device cpu; please report it with the driver's version"
            }
            Self::Lost { .. } => "repeat the run, or use the device cpu; the system log may show the cause",
        }
    }
}
