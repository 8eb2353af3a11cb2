//! The cases of the experiment: the paper's 360 scenarios.

use throng_core::InputError;
use throng_model::flags::Flags;
use throng_pedestrians::{Flow, MAX_FIELD_SIDE};

use super::caching::PARTIAL_SUMS;
use super::method::Method;
use crate::experiment::flags::{number, numbers, runs, threads, values_or_default};
use crate::experiment::options;

options! {
    /// Options of the experiment.
    Options, FLAGS {
        sizes: Vec<u32> = (1..=10).map(|hundreds| 100 * hundreds).collect(); quick vec![32, 64],
            list "sizes" "N,..." "Space units along a side of the world [default: 100,200,...,1000]"
            numbers(3..=MAX_SIDE);
        densities: Vec<f64> = (1..=9).map(|tenths| f64::from(tenths) / 10.0).collect(); quick vec![0.3, 0.6],
            list "densities" "FRACTION,..." "Fractions of space units with a pedestrian [default: 0.1,0.2,...,0.9]"
            numbers(0.001..=1.0);
        flows: Vec<Flow> = Flow::ALL.to_vec(); quick vec![Flow::Bi, Flow::Eight],
            list "flows" "N,..." "Numbers of headings: 1, 2, 4 or 8 [default: 1,2,4,8]" flows;
        field: u32 = 7, new "field" "N" "Columns and rows of a field, odd [default: 7]" number(1..=MAX_FIELD_SIDE);
        ticks: u32 = 1000; quick 12, new "ticks" "N" "Ticks of a case [default: 1000]" number(1..=1_000_000);
        seconds: f64 = 0.05; quick 0.01,
            new "seconds" "S"
            "Seconds per run after which no more ticks are executed; at least one tick per part [default: 0.05]"
            number(0.0..=3600.0);
        windows: u32 = 3; quick 1,
            new "windows" "N"
            "Parts of a case; programs too slow for all ticks make some in each part [default: 3]" number(1..=100);
        sums: u32 = 4,
            new "sums" "K"
            "Partial sums of the multi-step cache: 2, 4, 8 or 16; one case is measured with each of them [default: 4]"
            number(2..=16);
        memory_side: u32 = 2000; quick 100,
            new "memory-side" "N"
            "Space units along a side of the world of the memory table; 0 leaves the table out [default: 2000]"
            number(0..=MAX_SIDE);
        memory_fields: Vec<u32> = vec![7, 21, 35, 49, 63, 77]; quick vec![7, 21],
            list "memory-fields" "N,..." "Field sizes of the memory table [default: 7,21,35,49,63,77]"
            numbers(1..=MAX_FIELD_SIDE);
        ablation_sizes: Vec<u32> = vec![700]; quick vec![64],
            list "ablation-sizes" "N,..."
            "Space units along a side of the worlds in which each technique is left out; 0 for none [default: 700]"
            numbers(0..=MAX_SIDE);
        repeat: usize = 3,
            new "repeat" "N" "Runs of each program; fewer than 3 decide no statement about times [default: 3]" runs;
        threads: usize = 1, new "threads" "N" "Threads for Throng's CPU executor [default: all]" threads;
    }
    also {}
    fixed {
        /// Seed of positions, preferred sides and priorities.
        seed: u64 = 1;
    }
}

/// Maximum side length of a world. Larger worlds could exceed Throng's limit of 2^24 pedestrians.
const MAX_SIDE: u32 = 4000;

/// Parses flows, given as their numbers of headings.
fn flows(flags: &Flags, name: &str, default: Vec<Flow>) -> Result<Vec<Flow>, InputError> {
    let of = |count: u32| {
        let flow = Flow::ALL.into_iter().find(|&flow| directions(flow) == count as usize);
        flow.ok_or_else(|| InputError::one("--flows", count.to_string(), "give some of 1, 2, 4 and 8"))
    };
    let typed = flags.numbers(name, 1..=8)?.into_iter().map(of).collect::<Result<_, _>>()?;
    Ok(values_or_default(typed, default))
}

/// A scenario: a periodic world in which all pedestrians have a walk period of 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// Side length in space units.
    pub side: u32,
    /// Fraction of space units with a pedestrian.
    pub density: f64,
    /// Headings of the pedestrians.
    pub flow: Flow,
}

impl Options {
    /// Rejects inconsistent options.
    pub(super) fn checked(self) -> Result<Self, InputError> {
        if !PARTIAL_SUMS.contains(&self.sums) {
            return Err(InputError::one("--sums", self.sums.to_string(), "give 2, 4, 8 or 16"));
        }
        for (name, fields) in [("--field", &[self.field][..]), ("--memory-fields", &self.memory_fields)] {
            if let Some(even) = fields.iter().find(|field| field.is_multiple_of(2)) {
                return Err(InputError::one(name, even.to_string(), "give odd numbers"));
            }
        }
        let of_ablation = || self.ablation_sizes.iter().filter(|&&size| size > 0);
        for (name, too_small) in [
            ("--sizes", self.sizes.iter().find(|&&size| size < self.field)),
            ("--ablation-sizes", of_ablation().find(|&&size| size < self.field)),
        ] {
            if let Some(size) = too_small {
                let found = format!("{size}, with fields of {}", self.field);
                return Err(InputError::one(name, found, "give worlds that are at least as large as a field"));
            }
        }
        Ok(self)
    }

    /// All cases, by flow and then by size.
    pub fn cases(&self) -> Vec<Case> {
        let of_flow = |&flow: &Flow| {
            self.sizes
                .iter()
                .flat_map(move |&side| self.densities.iter().map(move |&density| Case { side, density, flow }))
        };
        self.flows.iter().flat_map(of_flow).collect()
    }

    /// The density closest to one half.
    pub fn middle_density(&self) -> Option<f64> {
        let apart = |density: &&f64| (**density - 0.5).abs();
        self.densities.iter().min_by(|a, b| apart(a).total_cmp(&apart(b))).copied()
    }

    /// The case in which the multi-step cache is measured with each number of partial sums: the largest world, the
    /// density closest to one half, and the most directions.
    pub fn case_of_sums(&self) -> Option<Case> {
        let side = *self.sizes.iter().max()?;
        let flow = *self.flows.iter().max_by_key(|&&flow| directions(flow))?;
        Some(Case { side, density: self.middle_density()?, flow })
    }

    /// The programs of a case, in the order of measurement.
    pub fn methods(&self, case: Case) -> Vec<Method> {
        let others = PARTIAL_SUMS.into_iter().filter(|&sums| sums != self.sums && self.case_of_sums() == Some(case));
        Method::all(self.sums).into_iter().chain(others.map(Method::MultiStep)).collect()
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { side, density, flow } = self;
        write!(f, "{side} x {side}, density {density}, {}-directional", directions(*flow))
    }
}

/// Number of headings of a flow, which is its name in the paper.
pub fn directions(flow: Flow) -> usize {
    flow.headings().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_has_360_scenarios() {
        let cases = Options::default().cases();
        assert_eq!(cases.len(), 360);
        assert_eq!(cases[0].to_string(), "100 x 100, density 0.1, 1-directional");
        assert_eq!(cases[359].to_string(), "1000 x 1000, density 0.9, 8-directional");
        // One of the cases is measured with all numbers of partial sums.
        let options = Options::default();
        assert_eq!(options.case_of_sums().unwrap().to_string(), "1000 x 1000, density 0.5, 8-directional");
        let methods: Vec<usize> = cases.iter().map(|&case| options.methods(case).len()).collect();
        assert_eq!(methods.iter().sum::<usize>(), 360 * 8 + 3);
        let of_sums = options.methods(options.case_of_sums().unwrap());
        assert!(PARTIAL_SUMS.iter().all(|&sums| of_sums.contains(&Method::MultiStep(sums))), "{of_sums:?}");
        assert!(cases.iter().enumerate().all(|(i, case)| !cases[..i].contains(case)));
    }
}
