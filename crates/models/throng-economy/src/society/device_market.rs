//! The market of a kind of device: agents prefer partners with whom they gained before, and pay in resources.

use throng_device::team::Alone;

use super::{Agent, Society, purpose};
use crate::devices::Kind;
use crate::rules::device_market;
use crate::rules::partners::{self, PartnersView, choose_partners};

impl Society {
    /// Runs a day of the market.
    pub(super) fn trade_devices(&mut self, kind: Kind) {
        for agent in &mut self.agents {
            agent.of_mut(kind).age_surplus();
        }
        if !self.agents.iter().any(|agent| agent.of(kind).is_any_known()) {
            return;
        }
        let mut met = Vec::new();
        for round in 0..self.parameters.device_market.rounds {
            let attempts = self.parameters.device_market.attempts;
            let pairs = self.device_partners(kind, round, &mut met);
            let menu_size = self.parameters.market.menu_size;
            let mut alone = Alone::new(device_market::lists(self.parameters.resources, menu_size));
            let mut agents = self.agents_view();
            for pair in pairs {
                agents.numbers = pair;
                device_market::trade_devices(agents.model, &mut agents, &mut alone, kind as u32, attempts);
            }
        }
    }

    /// Returns the pairs of a round. `met` belongs to the market and is empty before its first round.
    fn device_partners(&self, kind: Kind, round: u32, met: &mut Vec<u32>) -> Vec<[usize; 2]> {
        let words = self.agents.len().div_ceil(32);
        met.resize(words * self.agents.len(), 0);
        let (agents, is_present) = (&self.agents[..], &self.is_present[..]);
        let mut partners = PartnersOnCpu { kind, words, agents, is_present, met, pairs: Vec::new() };
        let mut alone = Alone::new(partners::lists(words as u32));
        let present = is_present.iter().filter(|&&is_present| is_present).count() as u32;
        let draws = self.draws_for(kind as u32, purpose::DEVICE_PARTNERS | round);
        choose_partners(&mut partners, &mut alone, &draws, present / 2, present);
        partners.pairs
    }
}

/// The agents of a society as partners.
struct PartnersOnCpu<'s> {
    kind: Kind,
    words: usize,
    agents: &'s [Agent],
    is_present: &'s [bool],
    /// The set of agents that each agent met today, one bit per agent.
    met: &'s mut [u32],
    pairs: Vec<[usize; 2]>,
}

#[cfg(feature = "gpu")]
impl throng_device::cubecl::prelude::CubeType for PartnersOnCpu<'_> {
    type ExpandType = <crate::gpu::PartnersOnDevice<'static> as throng_device::cubecl::prelude::CubeType>::ExpandType;
}

impl PartnersView for PartnersOnCpu<'_> {
    fn words(&self) -> u32 {
        self.words as u32
    }

    fn is_present(&self, agent: u32) -> bool {
        self.is_present.get(agent as usize).is_some_and(|&is_present| is_present)
    }

    fn met(&self, agent: u32, word: u32) -> u32 {
        self.met[agent as usize * self.words + word as usize]
    }

    fn set_met(&mut self, agent: u32, word: u32, bits: u32) {
        self.met[agent as usize * self.words + word as usize] = bits;
    }

    fn places(&self, agent: u32) -> u32 {
        self.agents[agent as usize].of(self.kind).surplus.len() as u32
    }

    fn partner(&self, agent: u32, place: u32) -> u32 {
        self.agents[agent as usize].of(self.kind).surplus[place as usize].0 as u32
    }

    fn gained(&self, agent: u32, place: u32) -> f64 {
        self.agents[agent as usize].of(self.kind).surplus[place as usize].1.iter().sum()
    }

    fn set_pair(&mut self, _pair: u32, agent: u32, partner: u32) {
        self.pairs.push([agent as usize, partner as usize]);
    }
}
