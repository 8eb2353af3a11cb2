//! Extraction: the agent takes, unit by unit, what adds most utility per minute.

use rayon::prelude::*;
use throng_core::Philox;

use super::{Agent, Society, purpose};
use crate::Parameters;
use crate::curves::{Effort, Utility};
use crate::devices::{KINDS, Kind};
use crate::rules::extraction::kept_experience;
use crate::rules::worth::gain_per_min;

/// A day of extraction.
struct WorkDay<'s> {
    parameters: &'s Parameters,
    utility: &'s Utility,
    effort: &'s Effort,
    is_left: &'s [bool],
    draws: Philox,
    day: u32,
}

/// Units that an agent extracted.
struct Extracted {
    /// Of each resource.
    units: Vec<u32>,
    by_hand: u64,
    /// With each kind of device.
    with: [u64; KINDS],
}

impl Society {
    /// All agents extract for a day.
    pub(super) fn extract(&mut self) {
        let is_large = self.is_large();
        let Self { parameters, utility, effort, is_left, draws, days, agents, is_present, today, .. } = self;
        let day = WorkDay { parameters, utility, effort, is_left, draws: *draws, day: *days };
        let of_agent = |(number, (agent, &is_present)): (usize, (&mut Agent, &bool))| {
            is_present.then(|| day.extract_for(number as u32, agent))
        };
        let extracted: Vec<Option<Extracted>> = if is_large {
            agents.par_iter_mut().zip(&is_present[..]).enumerate().map(of_agent).collect()
        } else {
            agents.iter_mut().zip(&is_present[..]).enumerate().map(of_agent).collect()
        };
        for (units, of_agent) in today.extracted.iter_mut().zip(extracted) {
            let Some(of_agent) = of_agent else { continue };
            *units = of_agent.units;
            today.units_by_hand += of_agent.by_hand;
            for (sum, units) in today.units_with.iter_mut().zip(of_agent.with) {
                *sum += units;
            }
        }
    }
}

impl WorkDay<'_> {
    fn extract_for(&self, number: u32, agent: &mut Agent) -> Extracted {
        let work = &self.parameters.work;
        let mut extracted = Extracted { units: vec![0; self.is_left.len()], by_hand: 0, with: [0; KINDS] };
        if agent.overtime_min >= work.day_min {
            // The day goes by with assembly.
            agent.gain_per_min = agent.gained_by_devices / agent.overtime_min;
            agent.overtime_min -= work.day_min;
        } else {
            agent.clock_min = std::mem::take(&mut agent.overtime_min);
            self.extract_units(number, agent, &mut extracted);
        }
        for (experience, &units) in agent.experience.iter_mut().zip(&extracted.units) {
            *experience = kept_experience(*experience, units, work.forgotten_per_day, work.full_experience.into());
        }
        extracted
    }

    fn extract_units(&self, number: u32, agent: &mut Agent, extracted: &mut Extracted) {
        let mut gains: Vec<f64> = (0..self.is_left.len()).map(|resource| self.gain_per_min(agent, resource)).collect();
        let mut best = Vec::new();
        let mut drawn = 0;
        while agent.clock_min < self.parameters.work.day_min {
            best_resources(&gains, self.parameters.work.tolerance, &mut best);
            if best.is_empty() {
                // All resources were removed: the day goes by.
                break;
            }
            let choice = self.draws.below(best.len() as u32, number, self.day, purpose::EXTRACTED, drawn) as usize;
            drawn += 1;
            let resource = best[choice];
            let device = agent.best_device(resource);
            let factor = device.map_or(1.0, |kind| self.parameters.of(kind).factor);
            let minutes = self.effort.minutes(agent.experience[resource]) / factor;
            agent.clock_min += minutes;
            agent.gain_per_min = gains[resource];
            agent.held[resource] += 1;
            agent.experience[resource] += 1.0 / factor;
            extracted.units[resource] += 1;
            match device {
                None => extracted.by_hand += 1,
                Some(kind) => {
                    extracted.with[kind as usize] += 1;
                    let left = &mut agent.of_mut(kind).minutes[resource];
                    *left = (*left - minutes).max(0.0);
                }
            }
            gains[resource] = self.gain_per_min(agent, resource);
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
