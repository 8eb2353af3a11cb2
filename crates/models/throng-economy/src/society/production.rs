//! Making devices, and what time does to devices and to those who can make them.

use throng_device::exact::NEGATIVE_ZERO;
use throng_device::team::Alone;

use super::Society;
use crate::devices::Kind;
use crate::rules::assembly::{kept, worn};
use crate::rules::production::{make_for_itself, make_promised};
use crate::rules::promises;
use crate::rules::views::AgentsView;

impl Society {
    /// Agents promise devices of a kind to themselves, the most useful first, until none is worth its cost.
    pub(super) fn make_for_themselves(&mut self, kind: Kind) {
        let present = self.is_present.clone();
        let mut alone = Alone::new(promises::lists(self.parameters.resources));
        let mut agents = self.agents_view();
        for number in (0..present.len()).filter(|&number| present[number]) {
            agents.numbers = [number; 2];
            make_for_itself(agents.model, &mut agents, &mut alone, kind as u32);
        }
    }

    /// Promised devices are made, components first. The time is taken from the next extraction.
    pub(super) fn produce(&mut self) {
        let kinds = self.parameters.devices;
        let mut agents = self.agents_view();
        for number in 0..agents.agents.len() {
            agents.numbers = [number; 2];
            for kind in kinds.by(Kind::BY_PRODUCTION) {
                for resource in 0..agents.resources() {
                    let minutes = make_promised(agents.model, &mut agents, 0, kind as u32, resource);
                    agents.agents[number].overtime_min += minutes;
                }
            }
        }
        for kind in kinds.by(Kind::ALL) {
            for agent in &self.agents {
                for (sum, made) in self.today.devices_made[kind as usize].iter_mut().zip(&agent.of(kind).made) {
                    *sum += made[0];
                }
            }
        }
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
            // An agent that can make a device can make its components. On devices a unit looks for its own resource among the
            // components of all devices, which would take one thread as many steps as pairs of resources.
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
