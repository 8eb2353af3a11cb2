//! What can go wrong.

use thiserror::Error;
use throng_device::DeviceError;
use throng_model::Failure;

use throng_queue::RunError;

/// Why there is no measurement.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StrippgenError {
    /// More than 32-bit numbers count.
    #[error("the scenario is too large for this model: {found} {what}, at most {limit} are possible")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How much there is.
        found: u64,
        /// How much is possible.
        limit: u64,
    },
    /// No agent drives.
    #[error("no agent of the {percent} % sample has a car leg with a route")]
    NobodyDrives {
        /// The sample.
        percent: f64,
    },
    /// The full model could not run.
    #[error("the full model: {0}")]
    FullModel(String),
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A program that must be exact ended in another state than the reference.
    #[error(
        "{machine}, {variant} at {percent} %: state {found:016x} after {steps} steps, the reference has \
         {expected:016x}"
    )]
    Differs {
        /// Who computed it.
        machine: String,
        /// The variant.
        variant: String,
        /// The sample.
        percent: f64,
        /// Steps.
        steps: u32,
        /// State hash found.
        found: u64,
        /// State hash of the reference.
        expected: u64,
    },
    /// A program lost or duplicated an agent, or filled a link beyond its capacity.
    #[error("{machine}, {variant}: {what}")]
    Broken {
        /// Who computed it.
        machine: String,
        /// The variant.
        variant: String,
        /// What is wrong.
        what: String,
    },
}

impl From<RunError> for StrippgenError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Device(error) => error.into(),
            error => Self::FullModel(error.to_string()),
        }
    }
}

impl StrippgenError {
    /// What a user may do.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "take a smaller scenario, or a smaller sample",
            Self::NobodyDrives { .. } => "take a larger sample, or plans with routes for mode car",
            Self::FullModel(_) => "`throng run` with the same scenario tells more",
            Self::Device(error) => error.remedy(),
            Self::Differs { .. } | Self::Broken { .. } => "this is a bug; please report it with the driver's version",
        }
    }
}

impl From<StrippgenError> for Failure {
    fn from(error: StrippgenError) -> Self {
        let remedy = error.remedy();
        match error {
            StrippgenError::TooLarge { .. } => Self::input("the scenario", error.to_string(), remedy),
            StrippgenError::NobodyDrives { .. } => Self::input("--samples", error.to_string(), remedy),
            error => Self::resource(error.to_string(), remedy),
        }
    }
}
