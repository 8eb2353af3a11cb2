//! Making devices, and what time does to devices and to those who can make them.

use throng_device::exact::{NEGATIVE_ZERO, greater};

use super::Society;
use crate::devices::Kind;
use crate::rules::assembly::{kept, worn};

impl Society {
    /// Agents promise devices of a kind to themselves, the most useful first, until none is worth its cost.
    pub(super) fn make_for_themselves(&mut self, kind: Kind) {
        for number in 0..self.agents.len() {
            while self.is_present[number]
                && let Some((resource, gain, cost)) = self.best_for_itself(number, kind)
            {
                self.promise(number, kind, resource);
                let lifetime = self.parameters.of(kind).lifetime_min;
                let agent = &mut self.agents[number];
                agent.of_mut(kind).minutes[resource] += lifetime;
                agent.of_mut(kind).remember_price(resource, -cost);
                agent.gained_by_devices += gain;
            }
        }
    }

    /// The device of most gain to its maker, with the gain and the cost.
    fn best_for_itself(&self, number: usize, kind: Kind) -> Option<(usize, f64, f64)> {
        let agent = &self.agents[number];
        let enough_min = self.parameters.stock_min();
        let needs = |resource: usize| {
            let minutes = Kind::EXTRACTING.map(|kind| agent.minutes(kind, resource)).iter().sum::<f64>();
            kind.assembles().is_some() || minutes < enough_min
        };
        let mut best = None;
        for resource in 0..agent.held.len() {
            if needs(resource) && self.can_promise(agent, kind, resource) {
                let cost = self.cost_of_device(agent, kind, resource);
                let gain = self.gross_benefit(agent, kind, resource) - cost;
                if gain > best.map_or(0.0, |(_, gain, _)| gain) {
                    best = Some((resource, gain, cost));
                }
            }
        }
        best
    }

    /// Promised devices are made, components first. The time is taken from the next extraction.
    pub(super) fn produce(&mut self) {
        for kind in self.parameters.devices.by(Kind::BY_PRODUCTION) {
            for number in 0..self.agents.len() {
                for resource in 0..self.is_left.len() {
                    let made = &mut self.agents[number].of_mut(kind).made[resource];
                    made.rotate_right(1);
                    made[0] = 0;
                    let mut minutes = 0.0;
                    for _ in 0..std::mem::take(&mut self.agents[number].of_mut(kind).to_make[resource]) {
                        minutes += self.make(number, kind, resource);
                    }
                    self.agents[number].overtime_min += minutes;
                }
            }
        }
    }

    /// Makes a device, and returns the minutes that it took.
    fn make(&mut self, number: usize, kind: Kind, resource: usize) -> f64 {
        let factor = self.assembly_factor(&self.agents[number], kind, resource);
        let minutes = self.assembly_min(&self.agents[number], kind, resource);
        let agent = &mut self.agents[number];
        if factor > 1.0
            && let Some(assembler) = kind.assembled_with()
        {
            let left = &mut agent.of_mut(assembler).minutes[resource];
            *left = greater(*left - minutes, 0.0);
        }
        agent.of_mut(kind).experience[resource] += self.parameters.of(kind).experience / factor;
        agent.of_mut(kind).made[resource][0] += 1;
        self.today.devices_made[kind as usize][resource] += 1;
        minutes
    }

    /// The end of the day for those who can make devices.
    pub(super) fn forget_assembly(&mut self) {
        let most = f64::from(self.parameters.assembly.full_experience);
        for agent in &mut self.agents {
            for kind in self.parameters.devices.by(Kind::BY_PRODUCTION) {
                let own = agent.of_mut(kind);
                for (resource, experience) in own.experience.iter_mut().enumerate() {
                    let owner = self.parameters.invention.owner_experience;
                    *experience = kept(*experience, own.made[resource][0], own.minutes[resource], most, owner);
                }
            }
            // An agent that can make a device can make its components.
            for kind in self.parameters.devices.by(Kind::BY_MARKET) {
                let Some(of) = kind.made_of() else { continue };
                for (resource, recipe) in self.recipes.of(kind) {
                    if agent.of(kind).experience[resource] > 0.0 {
                        for &component in &recipe.components {
                            let experience = &mut agent.of_mut(of).experience[component];
                            *experience = experience.max(1.0);
                        }
                    }
                }
            }
            agent.set_aside_min = agent.overtime_min;
            agent.gained_by_devices = 0.0;
        }
    }

    /// Devices wear out without use, too.
    pub(super) fn wear(&mut self) {
        let wear = self.parameters.assembly.wear_min;
        for agent in &mut self.agents {
            for kind in Kind::BY_PRODUCTION {
                let lifetime = self.parameters.of(kind).lifetime_min;
                for minutes in &mut agent.of_mut(kind).minutes {
                    *minutes = worn(*minutes, lifetime, wear, NEGATIVE_ZERO);
                }
            }
        }
    }
}
