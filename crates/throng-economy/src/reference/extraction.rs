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
        let mut worked = vec![false; agent.held.len()];
        if agent.overtime_min >= parameters.day_min {
            // The day goes by with building.
            agent.gain_per_min = agent.gained_by_tools / agent.overtime_min;
            agent.overtime_min -= parameters.day_min;
        } else {
            agent.clock_min = std::mem::take(&mut agent.overtime_min);
            let factor = |tool_min: f64| if tool_min > 0.0 { parameters.tool_factor } else { 1.0 };
            let gain = |held: u32, experience: f64, tool_min: f64| {
                utility.of_next(held) * (factor(tool_min) / effort.minutes(experience))
            };
            let all = 0..agent.held.len();
            let mut gains: Vec<f64> =
                all.map(|r| gain(agent.held[r], agent.experience[r], agent.tool_min[r])).collect();
            let mut drawn = 0;
            while agent.clock_min < parameters.day_min {
                let best = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let is_good = |&resource: &usize| gains[resource] >= best - parameters.extraction_tolerance;
                let good: Vec<usize> = (0..gains.len()).filter(is_good).collect();
                let choice = draws.below(good.len() as u32, number as u32, *days, purpose::EXTRACTED, drawn);
                drawn += 1;
                let r = good[choice as usize];
                let factor = factor(agent.tool_min[r]);
                let minutes = effort.minutes(agent.experience[r]) / factor;
                agent.clock_min += minutes;
                agent.gain_per_min = gains[r];
                agent.held[r] += 1;
                agent.experience[r] += 1.0 / factor;
                worked[r] = true;
                today.units_extracted += 1;
                today.extracted[number][r] += 1;
                today.units_with_tools += u64::from(agent.tool_min[r] > 0.0);
                agent.tool_min[r] = (agent.tool_min[r] - minutes).max(0.0);
                gains[r] = gain(agent.held[r], agent.experience[r], agent.tool_min[r]);
            }
        }
        for (experience, worked) in agent.experience.iter_mut().zip(worked) {
            if !worked {
                *experience = (*experience - parameters.forgotten_per_day).max(0.0);
            }
            *experience = experience.min(f64::from(parameters.full_experience));
        }
    }
}
