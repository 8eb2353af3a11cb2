//! Consumption: each unit is consumed with the same probability every day.

use rayon::prelude::*;

use super::{Agent, Society, purpose};

impl Society {
    /// Stock is consumed: of each resource a binomial number of units, one draw of 32 bits for each unit.
    pub(super) fn consume(&mut self) {
        let is_large = self.is_large();
        let Self { parameters, agents, draws, days, .. } = self;
        let below = parameters.consumed_words();
        let consume = |(number, agent): (usize, &mut Agent)| {
            let number = number as u32;
            for (resource, held) in (0..).zip(&mut agent.held) {
                let word =
                    |unit: u32| draws.block([number, *days, purpose::CONSUMED | resource, unit / 4])[unit as usize % 4];
                *held -= (0..*held).filter(|&unit| u64::from(word(unit)) < below).count() as u32;
            }
        };
        if is_large {
            agents.par_iter_mut().enumerate().for_each(consume);
        } else {
            agents.iter_mut().enumerate().for_each(consume);
        }
    }
}
