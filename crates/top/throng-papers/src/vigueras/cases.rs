//! The cases of the experiment: numbers of agents, densities and step lengths.

use throng_collision::CELL;
use throng_core::InputError;
use throng_model::flags::Flags;

use super::crowd::MAX_AREA;
use super::method::{Method, Tile};
use super::published::Restore;
use crate::experiment::flags::{number, numbers, runs, threads, values_or_default};
use crate::experiment::options;

options! {
    /// Options of the experiment.
    Options, FLAGS {
        agents: Vec<u32> = vec![10_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_000_000, 5_000_000];
            quick vec![1_000, 3_000, 10_000],
            list "agents" "N,..."
            "Numbers of agents [default: 10000,50000,100000,250000,500000,1000000,2000000,5000000]"
            numbers(1..=MAX_AGENTS);
        areas: Vec<f64> = vec![0.05, 0.2, 0.45]; quick vec![0.2],
            list "areas" "FRACTION,..." "Fractions of the world that discs cover, up to 0.7 [default: 0.05,0.2,0.45]"
            numbers(MIN_AREA..=MAX_AREA);
        steps: Vec<f64> = vec![0.25, 1.0, 3.0]; quick vec![0.25, 1.0],
            list "steps" "CELLS,..." "Lengths of steps, cells [default: 0.25,1,3]" numbers(0.0..=MAX_STEP_CELLS);
        density_agents: u32 = 100_000; quick 1_000,
            new "density-agents" "N" "Agents in the cases of --areas and --steps [default: 100000]"
            number(1..=MAX_AGENTS);
        moves: u32 = 100; quick 3, new "moves" "N" "Moves of each agent [default: 100]" number(1..=1_000_000);
        restore: Vec<Restore> = vec![Restore::Immediate],
            list "restore" "READING,..."
            "Readings of the third step that are timed: immediate, one-hop, full-walk [default: immediate]" readings;
        repeat: usize = 3,
            new "repeat" "N" "Runs of each program; prints the median. Runs with copies: one [default: 3]"
            runs;
        threads: usize = 1,
            new "threads" "N" "Threads for the sequential rule on the CPU [default: all]" threads;
    }
    also {}
    fixed {
        /// Agents in the crowd whose overlapping pairs are counted.
        counted_agents: u32 = 20_000, quick 2_000;
        /// Number of steps over which the pairs are counted.
        counted_steps: u32 = 20, quick 5;
        /// Seed of positions and moves.
        seed: u64 = 1;
    }
}

/// Ids and cells have 32 bits.
const MAX_AGENTS: u32 = 100_000_000;
/// At this fraction, the world of a million agents still has fewer cells than the limit of a check.
const MIN_AREA: f64 = 0.001;
/// Maximum step length, cells; limited because products with directions have 32 bits.
const MAX_STEP_CELLS: f64 = 16.0;

/// Area fraction in the cases with several numbers of agents.
pub const AREA: f64 = 0.2;
/// Step length in those cases, cells.
pub const STEP: f64 = 0.25;
/// Number of agents in the paper's ratios.
const PUBLISHED_AGENTS: u32 = 1_000_000;

/// Reads the requested readings of the third step.
fn readings(flags: &Flags, name: &str, default: Vec<Restore>) -> Result<Vec<Restore>, InputError> {
    let mut readings = Vec::new();
    for typed in flags.get(name).into_iter().flat_map(|texts| texts.split(',')) {
        let Some(reading) = Restore::ALL.into_iter().find(|reading| reading.flag() == typed) else {
            let remedy = "give immediate, one-hop, full-walk, or several of them";
            return Err(InputError::one("--restore", format!("\"{typed}\" is not a reading"), remedy));
        };
        if readings.contains(&reading) {
            return Err(InputError::one("--restore", format!("{typed} is given twice"), "give each reading once"));
        }
        readings.push(reading);
    }
    Ok(values_or_default(readings, default))
}

/// A crowd and its moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// Number of discs.
    pub agents: u32,
    /// Fraction of the world's area that they cover.
    pub area: f64,
    /// Step length, cells.
    pub step: f64,
}

impl Case {
    /// Step length, units.
    pub fn length(&self) -> i32 {
        (self.step * f64::from(CELL)).round() as i32
    }
}

impl Options {
    /// All cases, starting with those with several numbers of agents.
    pub fn cases(&self) -> Vec<Case> {
        let mut cases = self.cases_of_agents();
        for case in self.densities(self.density_agents) {
            if !cases.contains(&case) {
                cases.push(case);
            }
        }
        cases
    }

    /// The cases with several numbers of agents.
    pub fn cases_of_agents(&self) -> Vec<Case> {
        self.agents.iter().map(|&agents| Case { agents, area: AREA, step: STEP }).collect()
    }

    /// The case compared with the paper's ratios: a million agents, or the largest number measured.
    pub fn published_case(&self) -> Option<Case> {
        let cases = self.cases_of_agents();
        let published = cases.iter().find(|case| case.agents == PUBLISHED_AGENTS);
        published.or_else(|| cases.iter().max_by_key(|case| case.agents)).copied()
    }

    /// The checks to measure, in the order of tables.
    pub fn methods(&self) -> Vec<Method> {
        let readings = self.restore.iter().copied().map(Method::FourSteps);
        [Method::NoCheck, Method::AtomicGrid, Method::Baseline, Method::FastSortBaseline]
            .into_iter()
            .chain(Tile::ALL.map(Method::OptimisedBaseline))
            .chain(readings)
            .chain([Method::ClearedFourSteps, Method::FourStepsAtomic])
            .chain([Method::SequentialOnDevice, Method::SequentialOnCpu])
            .collect()
    }

    /// The checks to measure in a case.
    pub fn methods_in(&self, case: Case) -> Vec<Method> {
        let has_variants = self.cases_of_agents().contains(&case);
        self.methods().into_iter().filter(|method| has_variants || !method.is_variant()).collect()
    }

    /// All combinations of area fraction and step length.
    pub fn densities(&self, agents: u32) -> Vec<Case> {
        let with_steps = |&area: &f64| self.steps.iter().map(move |&step| Case { agents, area, step });
        self.areas.iter().flat_map(with_steps).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_methods_are_measured_with_the_chosen_readings() {
        assert_eq!(Options::default().methods().len(), 12);
        let options = Options { restore: vec![Restore::FullWalk, Restore::OneHop], ..Options::default() };
        let readings = [Method::FourSteps(Restore::FullWalk), Method::FourSteps(Restore::OneHop)];
        assert_eq!((options.methods().len(), &options.methods()[7..9]), (13, &readings[..]));
    }

    #[test]
    fn variants_run_only_with_several_numbers_of_agents() {
        let options = Options::default();
        let counts = options.cases().into_iter().map(|case| options.methods_in(case).len());
        assert_eq!(counts.collect::<Vec<_>>(), [[12; 8].as_slice(), &[7; 8]].concat());
        assert_eq!(options.published_case(), Some(Case { agents: 1_000_000, area: 0.2, step: 0.25 }));
        let small = Options { agents: vec![30, 700, 50], ..Options::default() };
        assert_eq!(small.published_case().map(|case| case.agents), Some(700));
        assert_eq!(Options { agents: vec![], ..small }.published_case(), None);
    }

    #[test]
    fn no_case_is_measured_twice() {
        let cases = Options::default().cases();
        assert_eq!(cases.len(), 8 + 9 - 1);
        assert!(cases.iter().enumerate().all(|(i, case)| !cases[..i].contains(case)));
        assert_eq!(cases.iter().map(Case::length).max(), Some(3 * CELL));
    }
}
