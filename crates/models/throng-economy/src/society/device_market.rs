//! The market of a kind of device: agents look for partners with whom they gained before, and pay in resources.

use throng_device::team::Alone;

use super::{Agent, Society, purpose};
use crate::devices::Kind;
use crate::rules::device_market::trade_devices;
use crate::rules::partners::{PartnersView, choose_partners};

impl Society {
    /// A day of the market.
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
            let mut agents = self.agents_view();
            let model = agents.model;
            for pair in pairs {
                agents.look_at(pair);
                trade_devices(&model, &mut agents, &mut Alone, kind as u32, attempts);
            }
        }
    }

    /// The pairs of a round. `met` belongs to the market, and is empty before its first round.
    fn device_partners(&self, kind: Kind, round: u32, met: &mut Vec<u32>) -> Vec<[usize; 2]> {
        let words = self.agents.len().div_ceil(32);
        met.resize(words * self.agents.len(), 0);
        let mut partners = PartnersOnCpu {
            kind,
            agents: &self.agents,
            free: vec![0; words],
            strangers: vec![0; words],
            met,
            pairs: Vec::new(),
        };
        let mut present = 0;
        for number in (0..self.agents.len()).filter(|&number| self.is_present[number]) {
            partners.free[number / 32] |= 1 << (number % 32);
            present += 1;
        }
        let draws = self.draws_for(kind as u32, purpose::DEVICE_PARTNERS | round);
        choose_partners(&mut partners, &mut Alone, &draws, present / 2, present);
        partners.pairs
    }
}

/// The agents of a society as partners. Sets have a bit for each agent.
struct PartnersOnCpu<'s> {
    kind: Kind,
    agents: &'s [Agent],
    free: Vec<u32>,
    strangers: Vec<u32>,
    /// Whom each agent met today.
    met: &'s mut [u32],
    pairs: Vec<[usize; 2]>,
}

#[cfg(feature = "gpu")]
impl throng_device::cubecl::prelude::CubeType for PartnersOnCpu<'_> {
    type ExpandType = <crate::gpu::PartnersOnDevice<'static> as throng_device::cubecl::prelude::CubeType>::ExpandType;
}

impl PartnersView for PartnersOnCpu<'_> {
    fn words(&self) -> u32 {
        self.free.len() as u32
    }

    fn free(&self, word: u32) -> u32 {
        self.free[word as usize]
    }

    fn set_free(&mut self, word: u32, bits: u32) {
        self.free[word as usize] = bits;
    }

    fn strangers(&self, word: u32) -> u32 {
        self.strangers[word as usize]
    }

    fn set_strangers(&mut self, word: u32, bits: u32) {
        self.strangers[word as usize] = bits;
    }

    fn met(&self, agent: u32, word: u32) -> u32 {
        self.met[agent as usize * self.free.len() + word as usize]
    }

    fn set_met(&mut self, agent: u32, word: u32, bits: u32) {
        self.met[agent as usize * self.free.len() + word as usize] = bits;
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
