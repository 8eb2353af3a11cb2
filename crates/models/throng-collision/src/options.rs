//! Options of a collision check.

use rayon::prelude::*;
use throng_core::InputError;

use super::lattice::{Lattice, MAX_STEP, ShownLengths};
use super::rules::contest::Rule;

/// Options of a collision check.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Options {
    /// Rule that decides which discs move.
    pub rule: Rule,
    /// Seed of the priorities; every disc draws a new priority in each step.
    pub seed: u64,
    /// Longest step, units, at most [`MAX_STEP`]; `None` for steps of any length. With a bound the check needs no
    /// sorting, and is faster the shorter the steps are.
    pub longest_step: Option<i32>,
    /// Lattice for messages in metres; `None` for messages in units.
    pub lattice: Option<Lattice>,
}

/// Returns the longest step whose path is tested for walls. `can_be_unbounded`: whether steps may also have any
/// length.
pub(super) fn check_longest_step(options: &Options, can_be_unbounded: bool) -> Result<i32, InputError> {
    match options.longest_step {
        Some(longest) if !(0..=MAX_STEP).contains(&longest) => {
            let or = if can_be_unbounded { ", or allow steps of any length" } else { "" };
            let shown = ShownLengths(options.lattice.as_ref());
            let remedy = format!("give 0 to {}{or}", shown.length(MAX_STEP.into()));
            Err(InputError::one("longest step", shown.length(longest.into()), remedy))
        }
        Some(longest) => Ok(longest),
        None => Ok(MAX_STEP),
    }
}

/// Rejects ids that are neither empty nor one unique id per disc.
pub(super) fn check_ids(discs: usize, ids: &[u32]) -> Result<(), InputError> {
    if !ids.is_empty() && ids.len() != discs {
        let found = format!("{} for {discs} discs", ids.len());
        return Err(InputError::one("ids", found, "give an id for every disc, or none"));
    }
    let mut sorted = ids.to_vec();
    sorted.par_sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(InputError::one("ids", format!("{} occurs twice", pair[0]), "give each disc a unique id")),
        None => Ok(()),
    }
}
