//! Scenarios and samples that cannot be simulated.

use thiserror::Error;
use throng_model::Failure;

/// Why there is no model of a scenario.
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
}

impl From<StrippgenError> for Failure {
    fn from(error: StrippgenError) -> Self {
        let (place, remedy) = match error {
            StrippgenError::TooLarge { .. } => ("the scenario", "take a smaller scenario, or a smaller sample"),
            StrippgenError::NobodyDrives { .. } => {
                ("--samples", "take a larger sample, or plans with routes for mode car")
            }
        };
        Self::input(place, error.to_string(), remedy)
    }
}
