//! Allocates the zeroed memory of new fields.

use rayon::prelude::*;

/// Minimum number of cells for which two threads zero a field faster than one.
const MANY: usize = 1 << 18;
/// Number of cells (32 MiB) at and above which the C library of Linux always requests pages from the system. They are
/// zero, and cost nothing until they are written to; cells that no entity reaches are never written to.
const PAGES: usize = 1 << 23;
/// Cells that are zeroed at a time.
const BLOCK: usize = 256;

/// Returns this number of zeros.
pub(super) fn zeroed(cells: usize) -> Vec<f32> {
    if !(MANY..PAGES).contains(&cells) {
        return vec![0.0; cells];
    }
    let blocks: Vec<[f32; BLOCK]> = (0..cells.div_ceil(BLOCK)).into_par_iter().map(|_| [0.0; BLOCK]).collect();
    let mut values = blocks.into_flattened();
    values.truncate(cells);
    values
}
