//! Executors of the crowds of the verification cases.

use throng_model::prelude::*;

use super::super::super::reference::Reference;
use super::super::scenario::Scenario;
use super::super::{Crowd, SocialFieldModel};

/// Number of seeds of means.
pub const SEEDS: u32 = 10;
/// Devices run fewer seeds, because software devices take a millisecond or two per tick. Their states equal the states
/// of the CPU bit for bit.
const SEEDS_ON_DEVICES: u32 = 3;

/// An executor; in tests also a faulty one.
pub trait CaseExecutor {
    /// Begins to simulate a crowd.
    fn begin(&self, scenario: &Scenario, crowd: Crowd) -> Result<Box<dyn Steps<State = Crowd>>, Failure>;

    /// Number of seeds of means that need only a few.
    fn seeds(&self) -> u32;

    /// Returns the state hash of a crowd after `ticks` ticks by the definition.
    fn hash_by_definition(&self, crowd: &Crowd, ticks: u32) -> Result<u64, Failure> {
        let Crowd { pedestrians, tick, prepared } = crowd.clone();
        let (world, tables) = (prepared.world.clone(), prepared.tables.clone());
        let mut reference = Reference::new(world, tables, pedestrians, prepared.seed, tick)?;
        for _ in 0..ticks {
            reference.step();
        }
        Ok(reference.pedestrians().hash())
    }
}

impl CaseExecutor for Executor {
    fn begin(&self, scenario: &Scenario, crowd: Crowd) -> Result<Box<dyn Steps<State = Crowd>>, Failure> {
        SocialFieldModel::executor(self, scenario, crowd)
    }

    fn seeds(&self) -> u32 {
        if self.device().is_some() { SEEDS_ON_DEVICES } else { SEEDS }
    }
}
