//! The constant data of a run.

use super::plans::Plans;
use super::roads::Roads;
use throng_core::InputError;
use throng_traffic_scenario::Scenario;

/// Roads and plans.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Model {
    /// The network, which is the same for all samples: the paper mentions no scaling of capacities.
    pub roads: Roads,
    /// The plans of the sample.
    pub plans: Plans,
}

impl Model {
    /// Creates the model of a sample of `percent` % of the persons of a scenario, with all its roads.
    ///
    /// # Errors
    /// If no agent drives, or the scenario is too large.
    pub fn new(scenario: &Scenario, percent: f64, seed: u64) -> Result<Self, InputError> {
        let roads = Roads::new(scenario)?;
        let plans = Plans::sample(scenario, &roads, percent, seed)?;
        Ok(Self { roads, plans })
    }
}
