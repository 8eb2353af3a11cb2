//! Measurements: programs in cases.

use std::ops::Deref;

use super::times::Times;

/// A program in a case.
#[derive(Debug, Clone, PartialEq)]
pub struct Row<C, P, F = ()> {
    /// The parameters.
    pub case: C,
    /// What ran.
    pub program: P,
    /// How long.
    pub times: Times,
    /// What else was measured.
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
    /// The measurement of a program in a case.
    pub fn row(&self, case: C, program: P) -> Option<&Row<C, P, F>> {
        self.iter().find(|row| row.case == case && row.program == program)
    }

    /// The median of its runs, seconds.
    pub fn median(&self, case: C, program: P) -> Option<f64> {
        Some(self.row(case, program)?.times.median())
    }

    /// How many times as long a program takes as another one, in a case.
    pub fn ratio(&self, case: C, slow: P, fast: P) -> Option<f64> {
        Some(self.median(case, slow)? / self.median(case, fast)?)
    }

    /// Whether a program ran in any case.
    pub fn ran(&self, program: P) -> bool {
        self.iter().any(|row| row.program == program)
    }

    /// Whether a program took longer than this in an earlier case, so that it need not run in a larger one.
    pub(crate) fn is_too_slow(&self, program: P, longest_s: f64) -> bool {
        self.iter().any(|row| row.program == program && row.times.median() > longest_s)
    }

    /// All programs, each once.
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
