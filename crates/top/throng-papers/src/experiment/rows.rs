//! Measurements: programs in cases.

use std::ops::Deref;

use super::speed_up::SpeedUp;
use super::times::Times;

/// The measurement of a program in a case.
#[derive(Debug, Clone, PartialEq)]
pub struct Row<C, P, F = ()> {
    /// Parameters of the case.
    pub case: C,
    /// The program that ran.
    pub program: P,
    /// Run times.
    pub times: Times,
    /// Further measurements.
    pub figures: F,
}

/// All measurements, in the order in which they were made.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows<C, P, F = ()>(pub Vec<Row<C, P, F>>);

impl<C, P, F> Default for Rows<C, P, F> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<C, P, F> Deref for Rows<C, P, F> {
    type Target = [Row<C, P, F>];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<C: Copy + PartialEq, P: Copy + PartialEq, F> Rows<C, P, F> {
    /// Returns the measurement of a program in a case.
    pub fn row(&self, case: C, program: P) -> Option<&Row<C, P, F>> {
        self.iter().find(|row| row.case == case && row.program == program)
    }

    /// Returns the median run time of a program in a case, seconds.
    pub fn median(&self, case: C, program: P) -> Option<f64> {
        Some(self.row(case, program)?.times.median())
    }

    /// Returns the median time of `slow` divided by the median time of `fast`, in a case.
    pub fn ratio(&self, case: C, slow: P, fast: P) -> Option<f64> {
        Some(self.median(case, slow)? / self.median(case, fast)?)
    }

    /// How many times as fast `fast` is as `slow`, in a case.
    pub(crate) fn compare(&self, case: C, slow: P, fast: P) -> Option<SpeedUp> {
        Some(SpeedUp::of(&self.row(case, slow)?.times, &self.row(case, fast)?.times))
    }

    /// Whether a program ran in any case.
    pub fn ran(&self, program: P) -> bool {
        self.iter().any(|row| row.program == program)
    }

    /// Whether a program took longer than `longest_s` seconds in an earlier case, so that larger cases can skip it.
    pub(crate) fn is_too_slow(&self, program: P, longest_s: f64) -> bool {
        self.iter().any(|row| row.program == program && row.times.median() > longest_s)
    }

    /// All programs, without duplicates.
    pub(crate) fn programs(&self) -> Vec<P> {
        let mut programs = Vec::new();
        for row in self.iter() {
            if !programs.contains(&row.program) {
                programs.push(row.program);
            }
        }
        programs
    }
}
