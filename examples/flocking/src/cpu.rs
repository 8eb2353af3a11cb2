//! The executor on the threads of the CPU.

use rayon::prelude::*;
use throng_core::InputError;
use throng_device::angles::{cosine, sine};
use throng_device::neighbours::CellLists;

use crate::rules::{moved, nothing_seen};
use crate::scenario::{Scenario, State};

/// Runs the scenario from `state` on, shows each state, the first one too, and returns the last.
pub fn run(scenario: &Scenario, mut state: State, mut see: impl FnMut(u32, &State)) -> Result<State, InputError> {
    let (rules, grid) = scenario.prepare()?;
    let mut lists = CellLists::new(grid, state.xs.len())?;
    see(0, &state);
    for tick in 1..=scenario.ticks {
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
        see(tick, &state);
    }
    Ok(state)
}
