//! Production of devices, and the effects of time on devices and on experience in assembly.

use throng_device::exact::NEGATIVE_ZERO;
use throng_device::team::Alone;

use super::Society;
use crate::devices::Kind;
use crate::rules::assembly::minutes_after_wear;
use crate::rules::production::{forget_assembly, make_for_itself, produce};
use crate::rules::promises;

impl Society {
    /// Lets agents promise devices of a kind to themselves, the most useful first, until none is worth its cost.
    pub(super) fn make_for_themselves(&mut self, kind: Kind) {
        let present = self.is_present.clone();
        let mut alone = Alone::new(promises::lists(self.parameters.resources));
        let mut agents = self.agents_view();
        for number in (0..present.len()).filter(|&number| present[number]) {
            agents.numbers = [number; 2];
            make_for_itself(agents.model, &mut agents, &mut alone, kind as u32);
        }
    }

    /// Makes the promised devices.
    pub(super) fn produce(&mut self) {
        let mut alone = Alone::new(promises::lists(self.parameters.resources));
        let mut agents = self.agents_view();
        for number in 0..agents.agents.len() {
            agents.numbers = [number; 2];
            let overtime = agents.agents[number].overtime_min;
            agents.agents[number].overtime_min = produce(agents.model, &mut agents, &mut alone, 0, overtime);
        }
        for kind in self.parameters.devices.by(Kind::ALL) {
            for agent in &self.agents {
                for (sum, made) in self.today.devices_made[kind as usize].iter_mut().zip(&agent.of(kind).made) {
                    *sum += made[0];
                }
            }
        }
    }

    /// Ends the day of agents that can make devices.
    pub(super) fn forget_assembly(&mut self) {
        let mut alone = Alone::new(promises::lists(self.parameters.resources));
        let mut agents = self.agents_view();
        for number in 0..agents.agents.len() {
            agents.numbers = [number; 2];
            forget_assembly(agents.model, &mut agents, &mut alone, 0);
            let agent = &mut agents.agents[number];
            agent.set_aside_min = agent.overtime_min;
            agent.gained_by_devices = 0.0;
        }
    }

    /// Wears out devices, even unused ones.
    pub(super) fn wear(&mut self) {
        let wear = self.parameters.assembly.wear_min;
        for agent in &mut self.agents {
            for kind in Kind::BY_PRODUCTION {
                let lifetime = self.parameters.of(kind).lifetime_min;
                for minutes in &mut agent.of_mut(kind).minutes {
                    *minutes = minutes_after_wear(*minutes, lifetime, wear, NEGATIVE_ZERO);
                }
            }
        }
    }
}
