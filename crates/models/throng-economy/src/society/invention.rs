//! All agents try to invent.

use throng_device::cube::host::shuffle;
use throng_device::philox::Draws;
use throng_device::team::Alone;

use super::model::ModelOnCpu;
use super::{Agent, Deviations, Recipes, Society, purpose};
use crate::devices::{KINDS, Kind};
use crate::rules::invention::{InventorView, count_known, invent};

/// The draws of an attempt to invent. Before these come the draws of what is considered.
pub mod draw {
    /// Whether it succeeds.
    pub const SUCCESS: u32 = 1 << 16;
    /// What it is for.
    pub const USE: u32 = (1 << 16) + 1;
    /// Whether the agent goes on with machines or with devmachines.
    pub const COIN: u32 = (1 << 16) + 2;
}

impl Society {
    /// All agents try to invent, in a random order: recipes belong to all.
    pub(super) fn invent(&mut self) {
        let mut order = shuffle(self.agents.len() as u32, self.draws, 0, self.days, purpose::INVENTORS);
        order.retain(|&number| self.is_present[number as usize]);
        let kinds = self.parameters.devices.by(Kind::ALL).count() as u32;
        let extracting = self.parameters.devices.by(Kind::ALL).filter(|kind| kind.assembles().is_none()).count() as u32;
        let mut inventor = self.inventor();
        let model = inventor.model;
        count_known(&mut inventor, &Alone, kinds);
        for number in order {
            inventor.number = number;
            invent(&model, &mut inventor, &Alone, kinds, extracting);
        }
    }

    fn inventor(&mut self) -> InventorOnCpu<'_> {
        let resources = self.is_left.len();
        let Self { parameters, numbers, utility, effort, assembly, agents, recipes, today, .. } = self;
        InventorOnCpu {
            model: ModelOnCpu { parameters, numbers, utility, effort, assembly },
            number: 0,
            agents,
            recipes,
            inventions: &mut today.inventions,
            deviations: self.deviations,
            seed: self.seed,
            day: self.days,
            known: vec![false; KINDS * resources],
            considered: Vec::new(),
            is_other: vec![false; resources],
            own: vec![0.0; resources],
        }
    }
}

/// An inventor on the CPU.
struct InventorOnCpu<'s> {
    model: ModelOnCpu<'s>,
    number: u32,
    agents: &'s mut [Agent],
    recipes: &'s mut Recipes,
    inventions: &'s mut Vec<(Kind, usize, usize)>,
    deviations: Deviations,
    seed: u64,
    day: u32,
    /// Whether some agent can make a device: `[kind][resource]`.
    known: Vec<bool>,
    considered: Vec<u32>,
    is_other: Vec<bool>,
    own: Vec<f64>,
}

#[cfg(feature = "gpu")]
impl throng_device::cubecl::prelude::CubeType for InventorOnCpu<'_> {
    type ExpandType = <crate::gpu::InventorOnDevice<'static> as throng_device::cubecl::prelude::CubeType>::ExpandType;
}

impl InventorView for InventorOnCpu<'_> {
    fn number(&self) -> u32 {
        self.number
    }

    fn agents(&self) -> u32 {
        self.agents.len() as u32
    }

    fn resources(&self) -> u32 {
        self.own.len() as u32
    }

    fn speed(&self) -> f64 {
        self.model.parameters.invention_speed(self.number as usize)
    }

    fn draws(&self, kind: u32) -> Draws {
        let (seed_low, seed_high) = (self.seed as u32, (self.seed >> 32) as u32);
        Draws { seed_low, seed_high, entity: self.number, step: self.day, purpose: purpose::INVENTED | kind }
    }

    fn held(&self, resource: u32) -> u32 {
        self.agents[self.number as usize].held[resource as usize]
    }

    fn extraction(&self, resource: u32) -> f64 {
        self.agents[self.number as usize].experience[resource as usize]
    }

    fn experience(&self, agent: u32, kind: u32, resource: u32) -> f64 {
        self.agents[agent as usize].devices[kind as usize].experience[resource as usize]
    }

    fn set_experience(&mut self, agent: u32, kind: u32, resource: u32, devices: f64) {
        self.agents[agent as usize].devices[kind as usize].experience[resource as usize] = devices;
    }

    fn is_known(&self, kind: u32, resource: u32) -> bool {
        self.known[(kind * self.resources() + resource) as usize]
    }

    fn set_known(&mut self, kind: u32, resource: u32, is_known: bool) {
        let at = kind * self.resources() + resource;
        self.known[at as usize] = is_known;
    }

    fn publish(&mut self, kind: u32, resource: u32, count: u32) {
        let kind = Kind::ALL[kind as usize];
        let considered = self.considered[..count as usize].iter();
        let components = considered.filter(|&&other| kind != Kind::Tool || other != resource);
        self.recipes.invent(kind, resource as usize, components.map(|&component| component as usize).collect());
        self.inventions.push((kind, resource as usize, self.number as usize));
    }

    fn may_be_best(&self, kind: u32, resource: u32) -> bool {
        kind == Kind::Tool as u32 || resource > 0 || !self.deviations.first_is_never_best
    }

    fn has_short_recipes(&self) -> bool {
        self.deviations.short_recipes
    }

    fn considered(&self, place: u32) -> u32 {
        self.considered[place as usize]
    }

    fn set_considered(&mut self, place: u32, resource: u32) {
        self.considered.truncate(place as usize);
        self.considered.push(resource);
    }

    fn is_other(&self, resource: u32) -> bool {
        self.is_other[resource as usize]
    }

    fn set_other(&mut self, resource: u32, is_other: bool) {
        self.is_other[resource as usize] = is_other;
    }

    fn own(&self, resource: u32) -> f64 {
        self.own[resource as usize]
    }

    fn set_own(&mut self, resource: u32, experience: f64) {
        self.own[resource as usize] = experience;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parameters;
    use crate::rules::invention::consider_two_highest;

    #[test]
    fn highest_by_hand() {
        for (own, more_than, expected) in [
            (vec![1.0, 3.0, 0.0, 3.0, 2.0], -1.0, vec![1, 3]),
            (vec![1.0, 0.0, 0.0, 3.0, 0.0], 0.0, vec![3, 0]),
            (vec![0.0, 0.5], 0.0, vec![1]),
        ] {
            let mut society = Society::new(&Parameters { resources: own.len() as u32, ..Parameters::default() }, 1);
            let mut inventor = society.inventor();
            inventor.own = own;
            let count = consider_two_highest(&mut inventor, &Alone, 0, 6, more_than);
            assert_eq!((inventor.considered.len(), inventor.considered), (count as usize, expected));
        }
    }
}
