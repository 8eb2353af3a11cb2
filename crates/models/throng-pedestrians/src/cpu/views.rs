//! Views of pedestrians of one space unit, for the rules.

use super::super::rules::decision::PedestrianView;
use super::super::rules::direction::DIRECTIONS;
use super::super::rules::draws::{Drawn, Seed};
use super::super::rules::floor::{Around, around};
use super::super::rules::sums::Sums;
use super::super::rules::vote::CandidatesView;
use super::super::unit_sums::OnFloor;
use super::field_sums::FieldSums;

/// The state as the rules see it; in tests not always the actual state.
pub trait Views: Sync {
    fn deciding<'f>(&'f self, context: DecisionContext<'f>) -> impl PedestrianView;
    fn candidates<'f>(&'f self, candidates: Candidates<'f>) -> impl CandidatesView;
}

/// Shows the rules the state as it is.
#[derive(Debug, Clone, Copy)]
pub struct ActualState;

impl Views for ActualState {
    #[inline]
    fn deciding<'f>(&'f self, context: DecisionContext<'f>) -> impl PedestrianView {
        context
    }

    #[inline]
    fn candidates<'f>(&'f self, candidates: Candidates<'f>) -> impl CandidatesView {
        candidates
    }
}

/// View of a deciding pedestrian.
#[derive(Debug)]
pub struct DecisionContext<'f> {
    pub floor: OnFloor<'f>,
    pub field_sums: &'f FieldSums,
    pub static_scores: &'f [i32],
    pub seed: Seed,
    pub tick: u32,
    pub x: u32,
    pub y: u32,
    pub pedestrian: u32,
    pub heading: u32,
}

impl PedestrianView for DecisionContext<'_> {
    #[inline]
    fn around(&self) -> Around {
        let has_long_steps = !self.floor.free_from.is_empty();
        around(&self.floor, self.floor.grid, self.x as i32, self.y as i32, self.tick, has_long_steps)
    }

    #[inline]
    fn drawn(&self) -> Drawn {
        self.seed.of_tick(self.pedestrian, self.tick)
    }

    #[inline]
    fn sums(&mut self) -> Sums {
        self.field_sums.at(&self.floor, [self.x, self.y], self.heading)
    }

    #[inline]
    fn static_score(&self, direction: u32) -> i32 {
        let unit = (self.y * self.floor.grid.width + self.x) as usize;
        self.static_scores.get(unit * DIRECTIONS as usize + direction as usize).copied().unwrap_or(0)
    }
}

/// View of the candidates for a space unit.
#[derive(Debug)]
pub struct Candidates<'f> {
    pub occupants: &'f [u32],
    pub seed: Seed,
    pub tick: u32,
}

impl CandidatesView for Candidates<'_> {
    #[inline]
    fn candidate(&mut self, from: u32, _direction: u32) -> u32 {
        self.occupants[from as usize]
    }

    #[inline]
    fn number(&self, candidate: u32) -> u32 {
        candidate
    }

    #[inline]
    fn priority(&self, candidate: u32) -> u32 {
        self.seed.of_tick(candidate, self.tick).priority
    }
}
