//! Extraction: the agent takes, unit by unit, what adds most utility per minute.

use super::{Agent, Society, purpose};
use crate::devices::Kind;
use crate::rules::worth::gain_per_min;

impl Society {
    /// All agents extract for a day.
    pub(super) fn extract(&mut self) {
        for agent in 0..self.agents.len() {
            if self.is_present[agent] {
                self.extract_for(agent);
            }
        }
    }

    fn extract_for(&mut self, number: usize) {
        let full = f64::from(self.parameters.work.full_experience);
        let forgotten = self.parameters.work.forgotten_per_day;
        let agent = &mut self.agents[number];
        if agent.overtime_min >= self.parameters.work.day_min {
            // The day goes by with assembly.
            agent.gain_per_min = agent.gained_by_devices / agent.overtime_min;
            agent.overtime_min -= self.parameters.work.day_min;
        } else {
            agent.clock_min = std::mem::take(&mut agent.overtime_min);
            self.extract_units(number);
        }
        let extracted = &self.today.extracted[number];
        for (experience, &extracted) in self.agents[number].experience.iter_mut().zip(extracted) {
            if extracted == 0 {
                *experience = (*experience - forgotten).max(0.0);
            }
            *experience = experience.min(full);
        }
    }

    fn extract_units(&mut self, number: usize) {
        let mut gains: Vec<f64> =
            (0..self.is_left.len()).map(|resource| self.gain_per_min(&self.agents[number], resource)).collect();
        let mut best = Vec::new();
        let mut drawn = 0;
        while self.agents[number].clock_min < self.parameters.work.day_min {
            best_resources(&gains, self.parameters.work.tolerance, &mut best);
            if best.is_empty() {
                // All resources were removed: the day goes by.
                break;
            }
            let choice =
                self.draws.below(best.len() as u32, number as u32, self.days, purpose::EXTRACTED, drawn) as usize;
            drawn += 1;
            let resource = best[choice];
            let agent = &mut self.agents[number];
            let device = agent.best_device(resource);
            let factor = device.map_or(1.0, |kind| self.parameters.of(kind).factor);
            let minutes = self.effort.minutes(agent.experience[resource]) / factor;
            agent.clock_min += minutes;
            agent.gain_per_min = gains[resource];
            agent.held[resource] += 1;
            agent.experience[resource] += 1.0 / factor;
            if let Some(kind) = device {
                let left = &mut agent.of_mut(kind).minutes[resource];
                *left = (*left - minutes).max(0.0);
            }
            self.today.count_extracted(number, resource, device);
            gains[resource] = self.gain_per_min(&self.agents[number], resource);
        }
    }

    /// Utility per minute of the next unit; below every gain if the resource was removed.
    fn gain_per_min(&self, agent: &Agent, resource: usize) -> f64 {
        if !self.is_left[resource] {
            return f64::NEG_INFINITY;
        }
        let factor = agent.best_device(resource).map_or(1.0, |kind: Kind| self.parameters.of(kind).factor);
        gain_per_min(
            self.utility.of_next(agent.held[resource]),
            factor,
            self.effort.minutes(agent.experience[resource]),
        )
    }
}

/// Resources whose gain is the best, or less by no more than a tolerance.
fn best_resources(gains: &[f64], tolerance: f64, best: &mut Vec<usize>) {
    let most = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let is_good = |&resource: &usize| gains[resource] > f64::NEG_INFINITY && gains[resource] >= most - tolerance;
    best.clear();
    best.extend((0..gains.len()).filter(is_good));
}
