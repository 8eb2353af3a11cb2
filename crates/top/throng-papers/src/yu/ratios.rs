//! Ratios of times over many cases.

use throng_core::three_figures;

use super::cases::Case;
use super::method::Method;
use super::reproduce::YuMeasurements;

/// Minimum, mean and maximum of the ratios in some cases, and the case with the maximum.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratios {
    /// Minimum over the cases.
    pub least: f64,
    /// The arithmetic mean, as in the paper.
    pub mean: f64,
    /// Maximum over the cases.
    pub largest: f64,
    /// The case with the maximum.
    pub at: Case,
    /// Number of cases.
    pub cases: usize,
}

impl Ratios {
    /// The ratios of the times of two programs, over the wanted cases that both were measured in.
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

    /// Minimum, mean and maximum, as text.
    pub fn text(&self) -> String {
        [self.least, self.mean, self.largest].map(three_figures).join(", ")
    }
}
