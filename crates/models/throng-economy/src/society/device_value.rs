//! What a device is worth, what it costs, and what it takes to make one.

use throng_device::exact::{NEGATIVE_ZERO, greater, rounded_product};

use super::{Agent, Society};
use crate::devices::Kind;
use crate::rules::assembly::{devices_begun, with_further};
use crate::rules::worth::{cost_of_making, net_benefit};

impl Society {
    /// What the agent gains from a further device, before the cost of its time.
    ///
    /// With a device for extraction it is the utility of the units that are extracted with it, once the devices of the same and
    /// of higher order are used up. With a device for assembly it is the worth of the time that is saved by all assemblies with
    /// it; it has no use to an agent that made few of the assembled devices lately.
    pub(super) fn gross_benefit(&self, agent: &Agent, kind: Kind, resource: usize) -> f64 {
        match kind.assembles() {
            // A resource that was removed cannot be extracted.
            None if !self.is_left[resource] => 0.0,
            None => self.extracted_with(agent, kind, resource),
            Some(assembled) => agent.gain_per_min * self.saved_min(agent, kind, assembled, resource),
        }
    }

    fn extracted_with(&self, agent: &Agent, kind: Kind, resource: usize) -> f64 {
        let (mut held, mut experience) = (agent.held[resource], agent.experience[resource]);
        let mut units_during = |minutes: f64, factor: f64| {
            if minutes <= 0.0 {
                return 0;
            }
            let units = self.effort.units_during(minutes, experience, factor);
            held += units;
            experience += f64::from(units) / factor;
            units
        };
        for used in Kind::EXTRACTING.into_iter().rev().take_while(|&used| used >= kind) {
            units_during(agent.minutes(used, resource), self.parameters.of(used).factor);
        }
        let with_it = self.parameters.of(kind);
        let units = units_during(with_it.lifetime_min, with_it.factor);
        self.utility.gain(held - units, units)
    }

    fn saved_min(&self, agent: &Agent, kind: Kind, assembled: Kind, resource: usize) -> f64 {
        let numbers = self.parameters.of(kind);
        let owned = agent.minutes(kind, resource) / numbers.lifetime_min;
        let made: u32 = agent.of(assembled).made[resource].iter().sum();
        if f64::from(made) <= f64::from(self.parameters.assembly.made_for_assembler) * (owned + 1.0) {
            return 0.0;
        }
        let added = self.parameters.of(assembled).experience;
        let (mut without, mut with) = (0.0, 0.0);
        let mut experience = agent.of(assembled).experience[resource];
        let mut experience_with = experience;
        let full = f64::from(self.parameters.assembly.full_experience);
        while with < numbers.lifetime_min && experience_with < full && added > 0.0 {
            without += self.assembly.minutes(experience);
            experience += added;
            with += self.assembly.minutes(experience_with) / numbers.factor;
            experience_with += added / numbers.factor;
        }
        if with < numbers.lifetime_min {
            // Experience is full, without the device as well, since it grows faster then; or it does not grow at all.
            let of_each = self.assembly.minutes(experience_with);
            let devices = devices_begun(numbers.lifetime_min - with, of_each / numbers.factor);
            with = with_further(with, devices, of_each / numbers.factor, NEGATIVE_ZERO);
            without = with_further(without, devices, of_each, NEGATIVE_ZERO);
        }
        without - with
    }

    /// The most that an agent would give for a device: no more than making it itself would cost. 0 if it has no use for one.
    pub(super) fn value_of_device(&self, agent: &Agent, kind: Kind, resource: usize) -> f64 {
        let gross = self.gross_benefit(agent, kind, resource);
        let benefit = match kind.assembles() {
            None => net_benefit(gross, agent.gain_per_min, self.parameters.of(kind).lifetime_min, NEGATIVE_ZERO),
            Some(_) => gross,
        };
        if benefit <= 0.0 {
            0.0
        } else if self.can_make(agent, kind, resource) {
            benefit.min(self.cost_of_device(agent, kind, resource))
        } else {
            benefit
        }
    }

    /// What it costs the agent to come by a device: what it paid lately, or else its time and the cost of the components.
    pub(super) fn cost_of_device(&self, agent: &Agent, kind: Kind, resource: usize) -> f64 {
        let (mut sum, mut bought) = (0.0, 0);
        for price in agent.of(kind).prices[resource].into_iter().filter(|&price| price > 0.0) {
            sum += price;
            bought += 1;
        }
        if bought >= 2 {
            return sum / f64::from(bought);
        }
        let of_component = |&component: &usize| match kind.made_of() {
            Some(of) => self.cost_of_device(agent, of, component),
            None if agent.held[component] > 0 => self.utility.of_last(agent.held[component]),
            None => self.utility.of_next(0),
        };
        let components: f64 = self.recipes.components(kind, resource).iter().map(of_component).sum();
        cost_of_making(agent.gain_per_min, self.assembly_min(agent, kind, resource), components, NEGATIVE_ZERO)
    }

    /// Minutes of the assembly of a device from its components, with a device for it if the agent has one.
    pub(super) fn assembly_min(&self, agent: &Agent, kind: Kind, resource: usize) -> f64 {
        self.assembly.minutes(agent.of(kind).experience[resource]) / self.assembly_factor(agent, kind, resource)
    }

    /// The factor of the device with which the agent assembles devices of a kind; 1 if it has none.
    pub(super) fn assembly_factor(&self, agent: &Agent, kind: Kind, resource: usize) -> f64 {
        let assembler = kind.assembled_with().filter(|&assembler| agent.minutes(assembler, resource) > 0.0);
        assembler.map_or(1.0, |assembler| self.parameters.of(assembler).factor)
    }

    /// Minutes of the assembly of a device and all its components.
    fn whole_assembly_min(&self, agent: &Agent, kind: Kind, resource: usize) -> f64 {
        let mut minutes = self.assembly_min(agent, kind, resource);
        if let Some(of) = kind.made_of() {
            for &component in self.recipes.components(kind, resource) {
                minutes += self.whole_assembly_min(agent, of, component);
            }
        }
        minutes
    }

    /// Whether the agent has enough experience to make a device.
    pub(super) fn can_make(&self, agent: &Agent, kind: Kind, resource: usize) -> bool {
        agent.of(kind).experience[resource] >= 1.0 && self.recipes.get(kind, resource).is_some()
    }

    /// Whether the agent can make a device, and has the resources and the time, even if it has to make all components.
    pub(super) fn can_promise(&self, agent: &Agent, kind: Kind, resource: usize) -> bool {
        let Some(recipe) = self.recipes.get(kind, resource) else { return false };
        agent.of(kind).experience[resource] >= 1.0
            && recipe.units.iter().all(|&(resource, count)| agent.held[resource] >= count)
            && agent.set_aside_min + self.whole_assembly_min(agent, kind, resource) < self.parameters.work.day_min
    }

    /// Promises a device and sets aside what it takes: components that the agent has, and what those take that it has to make
    /// itself. All components of a level are set aside before those of the next.
    pub(super) fn promise(&mut self, number: usize, kind: Kind, resource: usize) {
        let mut promised = vec![0; self.is_left.len()];
        promised[resource] = 1;
        let mut level = Some(kind);
        while let Some(kind) = level {
            let mut needed = vec![0; promised.len()];
            for (resource, &count) in promised.iter().enumerate().filter(|&(_, &count)| count > 0) {
                let minutes = self.assembly_min(&self.agents[number], kind, resource);
                let agent = &mut self.agents[number];
                agent.set_aside_min += rounded_product(f64::from(count), minutes, NEGATIVE_ZERO);
                agent.of_mut(kind).to_make[resource] += count;
                for &component in self.recipes.components(kind, resource) {
                    needed[component] += count;
                }
            }
            let agent = &mut self.agents[number];
            match kind.made_of() {
                None => agent.held.iter_mut().zip(&needed).for_each(|(held, needed)| *held -= needed),
                Some(of) => {
                    let lifetime = self.parameters.of(of).lifetime_min;
                    for (needed, minutes) in needed.iter_mut().zip(&mut agent.of_mut(of).minutes) {
                        while *needed > 0 && *minutes >= lifetime {
                            *minutes -= lifetime;
                            *needed -= 1;
                        }
                    }
                }
            }
            level = kind.made_of();
            promised = needed;
        }
    }

    /// Takes a promise back: the components belong to the agent again, also those that it still has to make.
    pub(super) fn withdraw(&mut self, number: usize, kind: Kind, resource: usize) {
        let minutes = self.assembly_min(&self.agents[number], kind, resource);
        let agent = &mut self.agents[number];
        // With a device for assembly the promise may have taken less.
        agent.set_aside_min = greater(agent.set_aside_min - minutes, 0.0);
        agent.of_mut(kind).to_make[resource] -= 1;
        for &component in self.recipes.components(kind, resource) {
            match kind.made_of() {
                None => agent.held[component] += 1,
                Some(of) => agent.of_mut(of).minutes[component] += self.parameters.of(of).lifetime_min,
            }
        }
    }
}
