//! The executor on the threads of the CPU.

use throng::device::angles::{cosine, sine};
use throng::model::prelude::*;

use crate::rules::{Rules, moved, nothing_seen};
use crate::scenario::Birds;

pub fn executor(rules: Rules, grid: UniformGrid, birds: Birds) -> Result<Box<dyn Steps<State = Birds>>, Failure> {
    let tick = move |near: &CellLists, [xs, ys, headings]: &Birds, _: u64, bird: usize| {
        let (x, y, mut seen) = (xs[bird], ys[bird], nothing_seen());
        for other in near.around(x, y, 0).filter(|&other| other as usize != bird) {
            let at = other as usize;
            seen.look(&rules, grid.offset_x(x, xs[at]), grid.offset_y(y, ys[at]), other, headings[at]);
        }
        let heading = seen.turned(&rules, headings[bird]);
        [moved(&rules, x, cosine(heading)), moved(&rules, y, sine(heading)), heading]
    };
    Ok(Box::new(NeighboursOnCpu::new(grid, birds, tick)?))
}
