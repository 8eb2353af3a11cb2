//! A society as the state of a run.

use throng_core::StateHash;
use throng_model::prelude::*;

use crate::devices::Kind;
use crate::society::{Agent, Society};

impl State for Society {
    /// Hashes everything that the next day depends on: the agents' possessions and memories, and the recipes.
    fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        let mut words = Vec::new();
        for (number, agent) in self.agents.iter().enumerate() {
            words.clear();
            push_agent(agent, &mut words);
            words.push(self.is_present[number].into());
            hash.add(number as u64, &words);
        }
        let is_left: Vec<u64> = self.is_left.iter().map(|&is_left| is_left.into()).collect();
        hash.add(RESOURCES, &is_left);
        for kind in Kind::BY_PRODUCTION {
            for (resource, recipe) in self.recipes.of(kind) {
                let components: Vec<u64> = recipe.components.iter().map(|&component| component as u64).collect();
                hash.add(RECIPES + 1000 * kind as u64 + resource as u64, &components);
            }
        }
        hash.finish()
    }
}

/// First id of recipes in the hash, above those of agents.
const RECIPES: u64 = 1 << 32;

/// Id of the availability of resources in the hash.
const RESOURCES: u64 = 1 << 33;

fn push_agent(agent: &Agent, words: &mut Vec<u64>) {
    words.extend(agent.held.iter().map(|&held| u64::from(held)));
    words.extend(agent.experience.iter().chain(&agent.valued).map(|number| number.to_bits()));
    words.extend([agent.gain_per_min, agent.overtime_min, agent.set_aside_min].map(f64::to_bits));
    for own in &agent.devices {
        words.extend(own.minutes.iter().chain(&own.experience).map(|number| number.to_bits()));
        words.extend(own.prices.iter().flatten().map(|price| price.to_bits()));
        words.extend(own.made.iter().flatten().map(|&made| u64::from(made)));
        for (partner, surplus) in &own.surplus {
            words.push(*partner as u64);
            words.extend(surplus.map(f64::to_bits));
        }
    }
}

/// A society on the CPU.
pub struct OnCpu(pub Society);

impl Steps for OnCpu {
    type State = Society;

    fn step(&mut self) -> Result<(), Failure> {
        self.0.day();
        Ok(())
    }

    fn state(&self) -> Result<Society, Failure> {
        Ok(self.0.clone())
    }
}
