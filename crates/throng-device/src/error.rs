//! What can go wrong with a device, and what to do about it.

use thiserror::Error;

use crate::DeviceId;

/// A device that is not there, lacks something, or failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DeviceError {
    /// There is no such device.
    #[error("there is no device {id}: {reason}")]
    NotFound {
        /// What was asked for.
        id: DeviceId,
        /// What is there instead, or why there is nothing.
        reason: String,
    },
    /// The device lacks something that the task needs.
    #[error("{device} cannot be used: {lacks}")]
    Unsuitable {
        /// Id and name.
        device: String,
        /// What it lacks, and for what.
        lacks: String,
    },
    /// The memory of the device does not suffice.
    #[error("{device} has too little memory: {}", shortage(what, *.asked_mib, *.available_mib))]
    OutOfMemory {
        /// Id and name.
        device: String,
        /// What it was for.
        what: String,
        /// Asked for, MiB; unknown when the driver refuses a small buffer, which shows in a later transfer.
        asked_mib: Option<u64>,
        /// Free, MiB, where the interface tells.
        available_mib: Option<u64>,
    },
    /// One buffer is larger than the device allows.
    #[error("{device} allows buffers of at most {limit_mib} MiB, but {what} needs {asked_mib} MiB")]
    BufferTooLarge {
        /// Id and name.
        device: String,
        /// What it was for.
        what: String,
        /// Asked for, MiB.
        asked_mib: u64,
        /// Allowed, MiB.
        limit_mib: u64,
    },
    /// A buffer of one device was used on another.
    #[error("{device} was given a buffer of {owner}")]
    Foreign {
        /// Id and name of the device that refused it.
        device: String,
        /// The device that made it.
        owner: DeviceId,
    },
    /// A kernel could not be compiled.
    #[error("{device} could not compile the kernel \"{kernel}\": {message}")]
    Kernel {
        /// Id and name.
        device: String,
        /// Label of the launch.
        kernel: String,
        /// What the compiler said.
        message: String,
    },
    /// The device or its driver failed while it was at work.
    #[error("{device} failed during \"{during}\": {message}")]
    Lost {
        /// Id and name.
        device: String,
        /// Label of the launch or transfer.
        during: String,
        /// What the driver said.
        message: String,
    },
}

/// What was asked for and how much there is, as far as that is known.
fn shortage(what: &str, asked_mib: Option<u64>, available_mib: Option<u64>) -> String {
    let asked = match asked_mib {
        Some(asked) => format!("{asked} MiB asked for ({what})"),
        None => format!("it refused a buffer ({what})"),
    };
    match available_mib {
        Some(available) => format!("{asked}, {available} MiB available"),
        None => asked,
    }
}

impl DeviceError {
    /// What a user may do.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "`throng doctor` lists devices and what is missing; --device cpu runs everywhere",
            Self::Unsuitable { .. } => "choose another device with --device, or --device cpu",
            Self::OutOfMemory { .. } | Self::BufferTooLarge { .. } => {
                "free memory on the device, take a smaller sample or grid, or use --device cpu"
            }
            Self::Foreign { .. } => {
                "this is a defect of the program: a buffer can only be used on the device that made it"
            }
            Self::Kernel { .. } => "update the driver, or use --device cpu; please report it with the driver's version",
            Self::Lost { .. } => "repeat the run, or use --device cpu; the system log may tell what happened",
        }
    }
}
