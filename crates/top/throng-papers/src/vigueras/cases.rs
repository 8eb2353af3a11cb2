//! What the experiment measures: numbers of agents, densities and lengths of steps.

use throng_collision::CELL;

use super::method::Method;
use super::published::Restore;

/// What to measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Numbers of agents, at [`AREA`] and [`STEP`].
    pub agents: Vec<u32>,
    /// Area fractions, each with each step.
    pub areas: Vec<f64>,
    /// Lengths of steps, cells.
    pub steps: Vec<f64>,
    /// Agents in the cases of several densities and steps.
    pub density_agents: u32,
    /// Moves of each agent.
    pub moves: u32,
    /// The readings of the four steps that are timed.
    pub restore: Vec<Restore>,
    /// Runs of each program of a device; the median counts.
    pub repeat: usize,
    /// Threads of the CPU.
    pub threads: usize,
    /// Agents and steps of the count of overlapping pairs.
    pub counted_agents: u32,
    /// Steps of that count.
    pub counted_steps: u32,
    /// Chooses places and moves.
    pub seed: u64,
}

/// The area fraction in the cases with several numbers of agents.
pub const AREA: f64 = 0.2;
/// The length of their steps, cells.
pub const STEP: f64 = 0.25;

impl Default for Options {
    fn default() -> Self {
        Self {
            agents: vec![10_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_000_000, 5_000_000],
            areas: vec![0.05, 0.2, 0.45],
            steps: vec![0.25, 1.0, 3.0],
            density_agents: 100_000,
            moves: 100,
            restore: vec![Restore::Immediate],
            repeat: 3,
            threads: 1,
            counted_agents: 20_000,
            counted_steps: 20,
            seed: 1,
        }
    }
}

/// A crowd and its moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// Discs.
    pub agents: u32,
    /// The part of the world that they cover.
    pub area: f64,
    /// The length of a step, cells.
    pub step: f64,
}

impl Case {
    /// The length of a step, units.
    pub fn length(&self) -> i32 {
        (self.step * f64::from(CELL)).round() as i32
    }
}

impl Options {
    /// All cases: first those with several numbers of agents.
    pub fn cases(&self) -> Vec<Case> {
        let mut cases: Vec<Case> = self.agents.iter().map(|&agents| Case { agents, area: AREA, step: STEP }).collect();
        for case in self.densities(self.density_agents) {
            if !cases.contains(&case) {
                cases.push(case);
            }
        }
        cases
    }

    /// The checks that are measured, in the order of tables.
    pub fn methods(&self) -> Vec<Method> {
        let readings = self.restore.iter().copied().map(Method::FourSteps);
        [Method::NoCheck, Method::Baseline, Method::OptimisedBaseline]
            .into_iter()
            .chain(readings)
            .chain([Method::FourStepsAtomic, Method::SequentialOnDevice, Method::SequentialOnCpu])
            .collect()
    }

    /// All area fractions with all steps.
    pub fn densities(&self, agents: u32) -> Vec<Case> {
        let with_steps = |&area: &f64| self.steps.iter().map(move |&step| Case { agents, area, step });
        self.areas.iter().flat_map(with_steps).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_methods_are_measured_with_the_readings_that_were_chosen() {
        assert_eq!(Options::default().methods(), Method::ALL);
        let options = Options { restore: vec![Restore::FullWalk, Restore::OneHop], ..Options::default() };
        let readings = [Method::FourSteps(Restore::FullWalk), Method::FourSteps(Restore::OneHop)];
        assert_eq!((options.methods().len(), &options.methods()[3..5]), (8, &readings[..]));
    }

    #[test]
    fn no_case_is_measured_twice() {
        let cases = Options::default().cases();
        assert_eq!(cases.len(), 8 + 9 - 1);
        assert!(cases.iter().enumerate().all(|(i, case)| !cases[..i].contains(case)));
        assert_eq!(cases.iter().map(Case::length).max(), Some(3 * CELL));
    }
}
