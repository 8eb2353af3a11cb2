//! What the experiment measures: the paper's 360 scenarios.

use throng_pedestrians::Flow;

use super::caching::PARTIAL_SUMS;
use super::method::Method;

/// What to measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Space units along a side of the world.
    pub sizes: Vec<u32>,
    /// Shares of the space units with a pedestrian.
    pub densities: Vec<f64>,
    /// The headings of pedestrians.
    pub flows: Vec<Flow>,
    /// Columns and rows of a field.
    pub field: u32,
    /// Ticks of a case.
    pub ticks: u32,
    /// Seconds after which a program makes no further ticks of a case.
    pub seconds: f64,
    /// Parts of a case in which programs that are too slow for all its ticks make some.
    pub windows: u32,
    /// Runs of each program; the median counts.
    pub repeat: usize,
    /// Partial sums of the multi-step cache.
    pub sums: u32,
    /// Threads of Throng's CPU executor.
    pub threads: usize,
    /// Space units along a side of the world of the memory table; 0 for no such table.
    pub memory_side: u32,
    /// Columns of the fields of the memory table.
    pub memory_fields: Vec<u32>,
    /// Chooses places, sides and priorities.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            sizes: (1..=10).map(|hundreds| 100 * hundreds).collect(),
            densities: (1..=9).map(|tenths| f64::from(tenths) / 10.0).collect(),
            flows: Flow::ALL.to_vec(),
            field: 7,
            ticks: 1000,
            seconds: 0.2,
            windows: 2,
            repeat: 1,
            sums: 4,
            threads: 1,
            memory_side: 2000,
            memory_fields: vec![7, 21, 35, 49, 63, 77],
            seed: 1,
        }
    }
}

/// A scenario: a periodic world, in which all pedestrians have a walk period of 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// Space units along a side.
    pub side: u32,
    /// The share of space units with a pedestrian.
    pub density: f64,
    /// The headings.
    pub flow: Flow,
}

impl Options {
    /// All cases: flow by flow, size by size.
    pub fn cases(&self) -> Vec<Case> {
        let of_flow = |&flow: &Flow| {
            self.sizes
                .iter()
                .flat_map(move |&side| self.densities.iter().map(move |&density| Case { side, density, flow }))
        };
        self.flows.iter().flat_map(of_flow).collect()
    }

    /// The density that is nearest to a half.
    pub fn middle_density(&self) -> Option<f64> {
        let apart = |density: &&f64| (**density - 0.5).abs();
        self.densities.iter().min_by(|a, b| apart(a).total_cmp(&apart(b))).copied()
    }

    /// The case in which the multi-step cache is measured with each number of partial sums: the largest world, the density
    /// nearest to a half, and the most directions.
    pub fn case_of_sums(&self) -> Option<Case> {
        let side = *self.sizes.iter().max()?;
        let flow = *self.flows.iter().max_by_key(|&&flow| directions(flow))?;
        Some(Case { side, density: self.middle_density()?, flow })
    }

    /// The programs of a case, in the order in which they are measured.
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

/// The number of headings of a flow, by which the paper names it.
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
        // In one of them all numbers of partial sums are measured.
        let options = Options::default();
        assert_eq!(options.case_of_sums().unwrap().to_string(), "1000 x 1000, density 0.5, 8-directional");
        let methods: Vec<usize> = cases.iter().map(|&case| options.methods(case).len()).collect();
        assert_eq!(methods.iter().sum::<usize>(), 360 * 5 + 3);
        let of_sums = options.methods(options.case_of_sums().unwrap());
        assert!(PARTIAL_SUMS.iter().all(|&sums| of_sums.contains(&Method::MultiStep(sums))), "{of_sums:?}");
        assert!(cases.iter().enumerate().all(|(i, case)| !cases[..i].contains(case)));
    }
}
