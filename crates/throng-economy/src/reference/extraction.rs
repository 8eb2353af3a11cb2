//! Extraction: the agent takes, unit by unit, what adds most utility per minute.

use super::{Society, purpose};

impl Society {
    /// All agents extract for a day.
    pub(super) fn extract(&mut self) {
        for agent in 0..self.agents.len() {
            self.extract_for(agent);
        }
    }

    fn extract_for(&mut self, number: usize) {
        let Self { parameters, utility, effort, agents, draws, days, today, .. } = self;
        let agent = &mut agents[number];
        let gain = |held: u32, experience: f64| utility.of_next(held) * (1.0 / effort.minutes(experience));
        let mut gains: Vec<f64> = agent.held.iter().zip(&agent.experience).map(|(&h, &e)| gain(h, e)).collect();
        let mut worked = vec![false; gains.len()];
        agent.clock_min = 0.0;
        let mut drawn = 0;
        while agent.clock_min < parameters.day_min {
            let best = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let is_good = |&resource: &usize| gains[resource] >= best - parameters.extraction_tolerance;
            let good: Vec<usize> = (0..gains.len()).filter(is_good).collect();
            let choice = draws.below(good.len() as u32, number as u32, *days, purpose::EXTRACTED, drawn);
            drawn += 1;
            let resource = good[choice as usize];
            agent.clock_min += effort.minutes(agent.experience[resource]);
            agent.gain_per_min = gains[resource];
            agent.held[resource] += 1;
            agent.experience[resource] += 1.0;
            worked[resource] = true;
            gains[resource] = gain(agent.held[resource], agent.experience[resource]);
            today.units_extracted += 1;
        }
        for (experience, worked) in agent.experience.iter_mut().zip(worked) {
            if !worked {
                *experience = (*experience - parameters.forgotten_per_day).max(0.0);
            }
            *experience = experience.min(f64::from(parameters.full_experience));
        }
    }
}
