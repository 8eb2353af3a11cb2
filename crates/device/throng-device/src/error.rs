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
    /// The source text of a kernel could not be compiled.
    #[error(
        "{device} could not compile the text of the kernel \"{kernel}\", which must define \"{signature}\": {message}"
    )]
    Text {
        /// Id and name.
        device: String,
        /// Name of the kernel.
        kernel: String,
        /// Error message of the compiler. It counts the lines of the text from 1.
        message: String,
        /// The function that the text must define, with the declared parameters.
        signature: String,
    },
    /// A kernel from source text was declared or called incorrectly.
    #[error("the kernel \"{kernel}\": {problem}")]
    Call {
        /// Name of the kernel.
        kernel: String,
        /// The incorrect parameter, argument or setting, with its value.
        problem: String,
        /// The remedy.
        remedy: &'static str,
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
    /// The device `host` found a defect of a kernel, such as a barrier that not all units reach.
    #[error("{device}: the kernel \"{kernel}\" is wrong: {message}")]
    Fault {
        /// Id and name.
        device: String,
        /// Label of the launch.
        kernel: String,
        /// Function of the kernel, cube, unit, what the unit did, and the instruction.
        message: String,
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
            Self::Text { .. } => "correct the text at the line in the message",
            Self::Call { remedy, .. } => remedy,
            Self::Fault { .. } => "this is a defect of the kernel: `THRONG_TRACE` prints the instructions of a unit",
            Self::Kernel { .. } => {
                "update the driver, or use the device cpu; please report it with the driver's version"
            }
            Self::Lost { .. } => "repeat the run, or use the device cpu; the system log may show the cause",
        }
    }
}
