//! The executor on the threads of the CPU.

use rayon::prelude::*;
use throng::device::angles::{cosine, sine};
use throng::device::neighbours::CellLists;
use throng::model::Failure;

use crate::model::Observer;
use crate::rules::{moved, nothing_seen};
use crate::scenario::{Scenario, State};

/// Runs the scenario from `state` on.
pub fn run(scenario: &Scenario, state: &State, observer: &mut dyn Observer) -> Result<(), Failure> {
    let (rules, grid) = scenario.prepare()?;
    let mut lists = CellLists::new(grid, state.xs.len())?;
    let mut state = state.clone();
    for tick in 0..=scenario.ticks {
        if tick > 0 {
            lists.build(&[&state.xs, &state.ys]);
            let State { xs, ys, headings } = &state;
            let after = |bird: usize| {
                let (x, y, mut seen) = (xs[bird], ys[bird], nothing_seen());
                for other in lists.around(x, y, 0).filter(|&other| other as usize != bird) {
                    let at = other as usize;
                    seen.look(&rules, grid.offset_x(x, xs[at]), grid.offset_y(y, ys[at]), other, headings[at]);
                }
                let heading = seen.turned(&rules, headings[bird]);
                ((moved(&rules, x, cosine(heading)), moved(&rules, y, sine(heading))), heading)
            };
            let ((xs, ys), headings) = (0..xs.len()).into_par_iter().map(after).unzip();
            state = State { xs, ys, headings };
        }
        if observer.wants(tick) {
            observer.see(tick, &state)?;
        }
    }
    Ok(())
}
