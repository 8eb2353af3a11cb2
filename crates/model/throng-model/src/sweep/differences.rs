//! `differences.csv`: differences between the means of parameter sets.

use throng_output::csv::{Row, push_header};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::bands::Spread;
use super::layout::Layout;
use super::moments::{Difference, Moments};
use crate::Failure;

/// Maximum number of parameter sets for pairwise comparisons; if there are more, each set is compared with the first.
pub(super) const MAX_COMPARED: u32 = 50;

/// Returns the number of pairs of parameter sets.
pub(super) fn pairs(sets: u64) -> u64 {
    sets * sets.saturating_sub(1) / 2
}

/// `differences.csv`: a row for each figure of each compared pair of parameter sets.
pub(super) struct Differences {
    file: TextFile,
    /// Number of comparisons per figure.
    comparisons: u64,
    /// Number of sets with which each later set is compared.
    references: usize,
    /// Indices and figures of the sets with which later sets are compared.
    earlier: Vec<(u32, Vec<Moments>)>,
}

impl Differences {
    /// Creates the table for a sweep with `sets` parameter sets; `None` if there are fewer than two.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(folder: &RunFolder, sets: u32) -> Result<Option<Self>, Failure> {
        if sets < 2 {
            return Ok(None);
        }
        let mut file = TextFile::create(folder, "differences.csv", Codec::None)?;
        let columns = ["figure", "unit", "set_a", "set_b", "mean_a", "mean_b", "difference", "standard_error"];
        let of_intervals = ["degrees_of_freedom", "low_95", "high_95", "comparisons"];
        let simultaneous = ["low_95_simultaneous", "high_95_simultaneous"];
        push_header(file.text(), &[&columns[..], &of_intervals, &simultaneous].concat());
        let is_pairwise = sets <= MAX_COMPARED;
        let comparisons = if is_pairwise { pairs(sets.into()) } else { u64::from(sets) - 1 };
        let references = if is_pairwise { sets as usize } else { 1 };
        Ok(Some(Self { file, comparisons, references, earlier: Vec::new() }))
    }

    /// Adds the next parameter set. Figures without a value in one of the two sets are omitted.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, layout: &Layout, set: u32, spreads: &[Spread]) -> Result<(), Failure> {
        for (other, figures) in &self.earlier {
            for (((quantity, name), a), b) in layout.figures.0.iter().zip(figures).zip(spreads) {
                let difference = a.difference(&b.moments);
                if !difference.value.is_finite() {
                    continue;
                }
                let Difference { value, standard_error, degrees_of_freedom } = difference;
                let mut row = Row::new(self.file.text());
                row.text(name).text(&quantity.unit).integer(i64::from(*other) + 1).integer(i64::from(set) + 1);
                row.number(a.mean()).number(b.moments.mean()).number(value).number(standard_error);
                row.number(degrees_of_freedom);
                let single = difference.half_width(1);
                row.number(value - single).number(value + single).integer(self.comparisons as i64);
                let simultaneous = difference.half_width(self.comparisons);
                row.number(value - simultaneous).number(value + simultaneous).end();
                self.file.flush_full()?;
            }
        }
        if self.earlier.len() < self.references {
            self.earlier.push((set, spreads.iter().map(|spread| spread.moments).collect()));
        }
        Ok(())
    }

    /// Completes the table.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(self) -> Result<WrittenFile, Failure> {
        Ok(self.file.finish()?)
    }
}
