//! Invention: all agents try to invent.

use throng_device::cube::host::shuffle;
use throng_device::philox::Draws;
use throng_device::team::Alone;

use super::{Agent, Deviations, Model, Recipes, Society, purpose};
use crate::Parameters;
use crate::devices::Kind;
use crate::rules::invention::{InventorView, count_known, invent, lists};

/// Draws of an attempt to invent. Lower numbers are the draws of the resources to consider.
pub mod draw {
    /// Whether the attempt succeeds.
    pub const SUCCESS: u32 = 1 << 16;
    /// The resource that the device is for.
    pub const USE: u32 = (1 << 16) + 1;
    /// Whether the agent continues with machines or with devmachines.
    pub const COIN: u32 = (1 << 16) + 2;
}

impl Society {
    /// Lets all agents try to invent, in a random order: recipes are shared.
    pub(super) fn invent(&mut self) {
        let mut order = shuffle(self.agents.len() as u32, self.draws, 0, self.days, purpose::INVENTORS);
        order.retain(|&number| self.is_present[number as usize]);
        let kinds = self.parameters.devices.by(Kind::ALL).count() as u32;
        let extracting = self.parameters.devices.by(Kind::ALL).filter(|kind| kind.assembles().is_none()).count() as u32;
        let mut alone = Alone::new(lists(self.parameters.resources, kinds));
        let mut inventor = self.inventor();
        count_known(&inventor, &mut alone, kinds);
        for number in order {
            inventor.number = number;
            invent(inventor.model, &mut inventor, &mut alone, kinds, extracting);
        }
    }

    fn inventor(&mut self) -> InventorOnCpu<'_> {
        let Self { parameters, model, agents, recipes, deviations, seed, days, today, .. } = self;
        InventorOnCpu {
            parameters,
            model,
            number: 0,
            agents,
            recipes,
            inventions: &mut today.inventions,
            deviations: *deviations,
            seed: *seed,
            day: *days,
            components: Vec::new(),
        }
    }
}

struct InventorOnCpu<'s> {
    parameters: &'s Parameters,
    model: &'s Model,
    number: u32,
    agents: &'s mut [Agent],
    recipes: &'s mut Recipes,
    inventions: &'s mut Vec<(Kind, usize, usize)>,
    deviations: Deviations,
    seed: u64,
    day: u32,
    /// Components of the recipe being written.
    components: Vec<usize>,
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
        self.parameters.resources
    }

    fn speed(&self) -> f64 {
        self.parameters.invention_speed(self.number as usize)
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

    fn write_component(&mut self, _kind: u32, _resource: u32, _which: u32, component: u32) {
        self.components.push(component as usize);
    }

    fn publish(&mut self, kind: u32, resource: u32, _count: u32) {
        let (kind, resource) = (Kind::ALL[kind as usize], resource as usize);
        self.recipes.invent(kind, resource, std::mem::take(&mut self.components));
        self.inventions.push((kind, resource, self.number as usize));
    }

    fn may_be_best(&self, kind: u32, resource: u32) -> bool {
        kind == Kind::Tool as u32 || resource > 0 || !self.deviations.first_is_never_best
    }

    fn has_short_recipes(&self) -> bool {
        self.deviations.short_recipes
    }
}

#[cfg(test)]
mod tests {
    use throng_device::team::Team;

    use super::*;
    use crate::rules::invention::{CONSIDERED, OWN, consider_two_highest};

    #[test]
    fn the_two_highest_resources_are_considered() {
        for (own, more_than, expected) in [
            (vec![1.0, 3.0, 0.0, 3.0, 2.0], -1.0, vec![1, 3]),
            (vec![1.0, 0.0, 0.0, 3.0, 0.0], 0.0, vec![3, 0]),
            (vec![0.0, 0.5], 0.0, vec![1]),
        ] {
            let mut society = Society::of(&Parameters { resources: own.len() as u32, ..Parameters::default() }, 1);
            let mut alone = Alone::new(lists(own.len() as u32, 1));
            (0..).zip(own).for_each(|(resource, own)| alone.set_real(OWN, resource, own));
            let count = consider_two_highest(&society.inventor(), &mut alone, 0, 6, more_than);
            let considered: Vec<u32> = (0..count).map(|place| alone.word(CONSIDERED, place)).collect();
            assert_eq!(considered, expected);
        }
    }
}
