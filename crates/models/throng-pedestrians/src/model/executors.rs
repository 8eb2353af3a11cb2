//! The simulation as steps of a model.

use std::sync::Arc;

use throng_device::Executor;
use throng_model::Failure;
use throng_model::step_model::Steps;

use super::super::social_field::SocialField;
use super::crowd::{Crowd, Prepared};

/// A crowd that walks, on any executor.
pub struct Walk {
    prepared: Arc<Prepared>,
    field: SocialField,
}

impl Walk {
    pub fn new(on: &Executor, Crowd { pedestrians, tick, prepared }: Crowd) -> Result<Self, Failure> {
        let Prepared { world, tables, summing, seed } = (*prepared).clone();
        let has_large_bodies = pedestrians.has_large_bodies();
        let field = SocialField::builder(world).tables(tables).pedestrians(pedestrians).seed(seed).first_tick(tick);
        let field = if has_large_bodies { field } else { field.summing(summing) };
        Ok(Self { prepared, field: field.on(on).build()? })
    }
}

impl Steps for Walk {
    type State = Crowd;

    fn step(&mut self) -> Result<(), Failure> {
        Ok(self.field.step()?)
    }

    fn state(&self) -> Result<Crowd, Failure> {
        let pedestrians = self.field.pedestrians()?;
        Ok(Crowd { pedestrians, tick: self.field.tick(), prepared: Arc::clone(&self.prepared) })
    }
}
