//! Scenarios and samples that cannot be simulated.

use thiserror::Error;
use throng_model::Failure;

/// The reason why a scenario has no model.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StrippgenError {
    /// A quantity exceeds the range of 32-bit numbers.
    #[error("the scenario is too large for this model: {found} {what}, at most {limit} are possible")]
    TooLarge {
        /// The quantity that is too large.
        what: &'static str,
        /// Value of the quantity.
        found: u64,
        /// Maximum value of the quantity.
        limit: u64,
    },
    /// No agent drives.
    #[error("no agent of the {percent} % sample has a car leg with a route")]
    NobodyDrives {
        /// The sample, percent of the population.
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
