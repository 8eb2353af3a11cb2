//! Consumption: each unit is consumed with the same probability every day.

use rayon::prelude::*;
use throng_device::philox::Draws;

use super::{Agent, Society, purpose};
use crate::rules::consumption::consumed;

impl Society {
    /// Consumes stock: a binomial number of units of each resource, one 32-bit draw per unit.
    pub(super) fn consume(&mut self) {
        let is_large = self.is_large();
        let draws = self.draws_for(0, purpose::CONSUMED);
        let to = self.parameters.consumed_words().saturating_sub(1) as u32;
        let consume = |(number, agent): (usize, &mut Agent)| {
            for (resource, held) in (0..).zip(&mut agent.held) {
                let draws = Draws { entity: number as u32, purpose: draws.purpose | resource, ..draws };
                *held -= consumed(&draws, *held, to);
            }
        };
        if is_large {
            self.agents.par_iter_mut().enumerate().for_each(consume);
        } else {
            self.agents.iter_mut().enumerate().for_each(consume);
        }
    }
}
