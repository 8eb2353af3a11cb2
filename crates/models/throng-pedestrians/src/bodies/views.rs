//! Views of a crowd with bodies, for the rules.

use super::super::fields::FieldTables;
use super::super::rules::body::{Body, Outcome, OutcomesView, Shape, WinnersView, possible};
use super::super::rules::body_size::direction_of;
use super::super::rules::decision::PedestrianView;
use super::super::rules::direction::DIRECTIONS;
use super::super::rules::draws::{Drawn, Seed};
use super::super::rules::floor::{Around, EMPTY, FloorView, FreeFromView, WALL};
use super::super::rules::grid::Grid;
use super::super::rules::sources::{BodyView, StrengthsView, sums_of_bodies};
use super::super::rules::sums::Sums;
use super::super::rules::vote::CandidatesView;
use super::super::scene::Pedestrians;
use super::plan::Plan;

/// A crowd with bodies on the floor.
#[derive(Debug, Clone, Copy)]
pub struct BodiesOnFloor<'s> {
    pub grid: &'s Grid,
    pub occupants: &'s [u32],
    pub pedestrians: &'s Pedestrians,
    pub plan: &'s Plan,
    pub tables: &'s FieldTables,
}

impl BodiesOnFloor<'_> {
    /// Returns the sums at a space unit for a pedestrian with heading `own` that occupies it.
    ///
    /// The cost is proportional to the size of the field of the largest body.
    pub fn sums(&self, unit: u32, own: u32) -> Sums {
        let Self { grid, plan, tables, occupants, .. } = *self;
        sums_of_bodies(self, grid, &plan.extent, unit, occupants[unit as usize], own, tables.reading)
    }
}

impl FloorView for BodiesOnFloor<'_> {
    #[inline]
    fn occupant(&self, unit: u32) -> u32 {
        self.occupants.get(unit as usize).copied().unwrap_or(WALL)
    }
}

impl FreeFromView for BodiesOnFloor<'_> {
    #[inline]
    fn free_from(&self, unit: u32) -> u32 {
        self.pedestrians.free_from[unit as usize]
    }
}

impl StrengthsView for BodiesOnFloor<'_> {
    #[inline]
    fn strength(&self, field: u32, ring: u32) -> i32 {
        self.tables.strengths[field as usize][ring as usize]
    }
}

impl BodyView for BodiesOnFloor<'_> {
    #[inline]
    fn place(&self, pedestrian: u32) -> u32 {
        self.pedestrians.at[pedestrian as usize]
    }

    #[inline]
    fn shape(&self, pedestrian: u32) -> Shape {
        self.pedestrians.shape(pedestrian)
    }

    #[inline]
    fn sector(&self, x: i32, y: i32) -> u32 {
        self.plan.sectors.at(x, y)
    }
}

/// View of a deciding pedestrian.
#[derive(Debug)]
pub struct DecisionContext<'b> {
    pub floor: BodiesOnFloor<'b>,
    pub static_scores: &'b [i32],
    pub seed: Seed,
    pub tick: u32,
    pub pedestrian: u32,
    pub shape: Shape,
    /// Position of the body's lower left space unit.
    pub x: i32,
    pub y: i32,
    /// The space unit at which the pedestrian reads fields.
    pub reads: u32,
}

impl PedestrianView for DecisionContext<'_> {
    fn around(&self) -> Around {
        let Self { floor, pedestrian, shape, x, y, tick, .. } = self;
        let has_long_steps = !floor.pedestrians.free_from.is_empty();
        // `possible` already excludes diagonals between walls.
        let body = Body { pedestrian: *pedestrian, shape: *shape, x: *x, y: *y };
        let free = possible(floor, floor.grid, body, *tick, has_long_steps);
        Around { free, walls: 0 }
    }

    fn drawn(&self) -> Drawn {
        self.seed.of_tick(self.pedestrian, self.tick)
    }

    fn sums(&mut self) -> Sums {
        self.floor.sums(self.reads, self.shape.heading)
    }

    fn static_score(&self, direction: u32) -> i32 {
        let place = self.reads as usize * DIRECTIONS as usize + direction as usize;
        self.static_scores.get(place).copied().unwrap_or(0)
    }
}

/// View of the candidates for space units.
#[derive(Debug)]
pub struct Candidates<'b> {
    pub occupants: &'b [u32],
    /// Intent of each pedestrian, or `NONE`.
    pub intents: &'b [u8],
    pub seed: Seed,
    pub tick: u32,
}

impl CandidatesView for Candidates<'_> {
    #[inline]
    fn candidate(&mut self, from: u32, direction: u32) -> u32 {
        let candidate = self.occupants.get(from as usize).copied().unwrap_or(WALL);
        let wants = candidate < WALL && direction_of(self.intents[candidate as usize].into()) == direction;
        if wants { candidate } else { EMPTY }
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

/// View of the winners and outcomes of a tick.
#[derive(Debug, Clone, Copy)]
pub struct Contest<'b> {
    pub occupants: &'b [u32],
    pub winners: &'b [u32],
    pub headings: &'b [u8],
    pub outcomes: &'b [Outcome],
}

impl FloorView for Contest<'_> {
    #[inline]
    fn occupant(&self, unit: u32) -> u32 {
        self.occupants.get(unit as usize).copied().unwrap_or(WALL)
    }
}

impl WinnersView for Contest<'_> {
    #[inline]
    fn winner(&self, unit: u32) -> u32 {
        self.winners[unit as usize]
    }
}

impl OutcomesView for Contest<'_> {
    #[inline]
    fn destination(&self, pedestrian: u32) -> u32 {
        self.outcomes[pedestrian as usize].to
    }

    #[inline]
    fn body(&self, pedestrian: u32) -> Shape {
        let Outcome { columns, rows, .. } = self.outcomes[pedestrian as usize];
        Shape { heading: self.headings[pedestrian as usize].into(), columns, rows }
    }
}
