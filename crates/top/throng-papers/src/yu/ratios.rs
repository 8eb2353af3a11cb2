//! Ratios of times over many cases.

use throng_core::three_figures;

use super::cases::Case;
use super::method::Method;
use super::reproduce::YuMeasurements;

/// The least, mean and largest ratio of some cases, and where the largest one is.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratios {
    /// The least.
    pub least: f64,
    /// The arithmetic mean, as in the paper.
    pub mean: f64,
    /// The largest.
    pub largest: f64,
    /// The case with the largest.
    pub at: Case,
    /// How many cases there are.
    pub cases: usize,
}

impl Ratios {
    /// How many times as long one program takes as another one, over the cases that both have and that are wanted.
    pub fn of(
        measurements: &YuMeasurements,
        slower: Method,
        faster: Method,
        wanted: impl Fn(&Case) -> bool,
    ) -> Option<Self> {
        let cases = measurements.options.cases().into_iter().filter(|case| wanted(case));
        let found: Vec<(Case, f64)> =
            cases.filter_map(|case| Some((case, measurements.ratio(case, slower, faster)?))).collect();
        let &(at, largest) = found.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let sum: f64 = found.iter().map(|(_, ratio)| ratio).sum();
        let least = found.iter().map(|(_, ratio)| *ratio).fold(largest, f64::min);
        Some(Self { least, mean: sum / found.len() as f64, largest, at, cases: found.len() })
    }

    /// Least, mean and largest.
    pub fn text(&self) -> String {
        [self.least, self.mean, self.largest].map(three_figures).join(", ")
    }
}
