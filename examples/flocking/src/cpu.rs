//! The executor on the threads of the CPU.

use rayon::prelude::*;
use throng::device::angles::{cosine, sine};
use throng::device::neighbours::CellLists;
use throng::model::{Failure, Steps};

use crate::rules::{Rules, moved, nothing_seen};
use crate::scenario::Birds;

pub struct OnCpu {
    pub rules: Rules,
    pub lists: CellLists,
    pub birds: Birds,
}

impl Steps for OnCpu {
    type State = Birds;

    fn step(&mut self) -> Result<(), Failure> {
        let Self { rules, lists, birds: [xs, ys, headings] } = self;
        lists.build(&[xs, ys]);
        let grid = lists.grid();
        let after = |bird: usize| {
            let (x, y, mut seen) = (xs[bird], ys[bird], nothing_seen());
            for other in lists.around(x, y, 0).filter(|&other| other as usize != bird) {
                let at = other as usize;
                seen.look(rules, grid.offset_x(x, xs[at]), grid.offset_y(y, ys[at]), other, headings[at]);
            }
            let heading = seen.turned(rules, headings[bird]);
            ((moved(rules, x, cosine(heading)), moved(rules, y, sine(heading))), heading)
        };
        let ((xs, ys), headings) = (0..xs.len()).into_par_iter().map(after).unzip();
        self.birds = [xs, ys, headings];
        Ok(())
    }

    fn state(&self) -> Result<Birds, Failure> {
        Ok(self.birds.clone())
    }
}
