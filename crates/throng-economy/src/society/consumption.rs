//! Consumption: each unit is consumed with the same probability every day.

use super::{Society, purpose};

impl Society {
    /// Stock is consumed: of each resource a binomial number of units, one draw of 32 bits for each unit.
    pub(super) fn consume(&mut self) {
        let Self { parameters, agents, draws, days, .. } = self;
        let below = (4_294_967_296.0 / parameters.economy.unit_lifetime_days) as u64;
        for (number, agent) in (0..).zip(agents) {
            for (resource, held) in (0..).zip(&mut agent.held) {
                let word =
                    |unit: u32| draws.block([number, *days, purpose::CONSUMED | resource, unit / 4])[unit as usize % 4];
                *held -= (0..*held).filter(|&unit| u64::from(word(unit)) < below).count() as u32;
            }
        }
    }
}
