//! The state of a walk.

use std::sync::Arc;

use rayon::prelude::*;
use throng_core::{InputError, Philox};
use throng_model::step_model::State;

use super::super::rules::decision::Position;
use super::super::rules::draws::word_of;
use super::prepared::{COLUMNS, Prepared};
use super::rules::{Walker, angle_draw, wish_of};
use super::scenario::Scenario;

/// The discs between two steps: x, y, direction, and 1 for those refused in the last step.
#[derive(Debug, Clone)]
pub struct Walkers {
    /// x and y in units, direction (0: to the right), refusal (1: refused).
    pub columns: [Vec<i32>; COLUMNS],
    pub(super) prepared: Arc<Prepared>,
}

impl Walkers {
    /// Returns the discs of a scenario before the first step.
    pub(super) fn start(scenario: &Scenario) -> Result<Self, InputError> {
        let prepared = Prepared::of(scenario)?;
        Ok(Self { columns: prepared.columns.clone(), prepared: Arc::new(prepared) })
    }

    /// Returns the wishes in the given step, and the directions after it.
    pub(super) fn wishes(&self, step: u32) -> ([Vec<i32>; 2], Vec<i32>) {
        let [xs, ys, directions, refused] = &self.columns;
        wishes(&self.prepared, [xs, ys], directions, refused, step)
    }
}

/// Returns the wishes of the discs at these positions in the given step, and their directions after it.
pub(super) fn wishes(
    prepared: &Prepared,
    [xs, ys]: [&[i32]; 2],
    directions: &[i32],
    refused: &[i32],
    step: u32,
) -> ([Vec<i32>; 2], Vec<i32>) {
    let Prepared { walk, behaviour, goals, options, .. } = prepared;
    let draws = Philox::new(options.seed);
    let wish = |disc: usize| {
        let (x, y) = (xs[disc], ys[disc]);
        let [goal_x, goal_y] = if goals[0].is_empty() { [x, y] } else { [goals[0][disc], goals[1][disc]] };
        let word = word_of(angle_draw(disc as u32, step), draws);
        let walker = Walker { x, y, direction: directions[disc], refused: refused[disc] };
        let wish = wish_of(walk, &walker, word, Position { x: goal_x, y: goal_y }, *behaviour);
        ((wish.x, wish.y), wish.direction)
    };
    let ((to_xs, to_ys), directions): ((Vec<i32>, Vec<i32>), Vec<i32>) =
        (0..xs.len()).into_par_iter().map(wish).unzip();
    ([to_xs, to_ys], directions)
}

impl State for Walkers {
    fn hash(&self) -> u64 {
        self.columns.hash()
    }
}
