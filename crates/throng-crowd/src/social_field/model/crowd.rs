//! The state of a run: a crowd in its world.

use std::sync::Arc;

use throng_core::InputError;
use throng_model::State;

use super::super::bodies::Plan;
use super::super::fields::FieldTables;
use super::super::scene::{Pedestrians, World};
use super::super::summing::Summing;
use super::floor::Floor;
use super::people::people;
use super::scenario::Scenario;

/// A scenario in numbers of the grid.
#[derive(Debug, Clone)]
pub struct Prepared {
    pub world: World,
    pub tables: FieldTables,
    pub summing: Summing,
    pub seed: u64,
}

impl Prepared {
    /// Checks all keys, and places the pedestrians as they are before the first tick.
    ///
    /// # Errors
    /// Values that are out of range, places that do not fit, and more persons than space.
    pub fn of(scenario: &Scenario) -> Result<(Self, Pedestrians), InputError> {
        let tables = FieldTables::new(&scenario.field_parameters())?;
        let floor = Floor::of(scenario)?;
        floor.world.check_field(tables.radius)?;
        let (world, pedestrians) = people(scenario, floor)?;
        let seed = scenario.seed.into();
        let summing = if pedestrians.has_large_bodies() {
            Plan::new(&world, &tables, &pedestrians)?;
            Summing::Units
        } else {
            Summing::fastest(&tables)
        };
        Ok((Self { world, tables, summing, seed }, pedestrians))
    }
}

/// The pedestrians between two ticks.
#[derive(Debug, Clone)]
pub struct Crowd {
    /// The pedestrians.
    pub pedestrians: Pedestrians,
    /// The next tick.
    pub tick: u32,
    pub(super) prepared: Arc<Prepared>,
}

impl State for Crowd {
    fn hash(&self) -> u64 {
        self.pedestrians.hash()
    }
}
