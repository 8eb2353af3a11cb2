//! The kernels of a tick of bodies: decide, vote, settle and move.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use throng_device::cubecl::prelude::*;
use throng_device::exact::copied;
use throng_device::{KernelArrays, KernelParameter, cubecl};

use super::super::rules::body::{
    self as rules, Body, Changing, Outcome, OutcomesView, OutcomesViewExpand, Shape, WinnersView, WinnersViewExpand,
    middle, occupant_after, possible,
};
use super::super::rules::body_size::{Limits, direction_of, intent};
use super::super::rules::decision::{PedestrianView, PedestrianViewExpand, Weights};
use super::super::rules::direction::{DIRECTIONS, NONE};
use super::super::rules::directional::Reading;
use super::super::rules::draws::{Drawn, Seed};
use super::super::rules::floor::{Around, EMPTY, FloorView, FloorViewExpand, FreeFromView, FreeFromViewExpand, WALL};
use super::super::rules::grid::{Grid, NOWHERE};
use super::super::rules::sources::{
    BodyView, BodyViewExpand, Extent, StrengthsView, StrengthsViewExpand, sums_of_bodies,
};
use super::super::rules::sums::Sums;
use super::super::rules::vote::{ANY, CandidatesView, CandidatesViewExpand, due_after, winner};

/// Compile-time parameters of kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct BodyConfig {
    pub reading: Reading,
    pub equal_speeds: bool,
    pub has_static_scores: bool,
    /// Whether steps take several ticks, so that space units just left stay closed for some ticks.
    pub has_free_from: bool,
    /// Whether bodies change their size.
    pub changes: bool,
}

#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct BodyParameters {
    pub grid: Grid,
    pub weights: Weights,
    pub pedestrians: u32,
    pub extent: Extent,
    /// The largest doubled offset in the table of sectors.
    pub longest: i32,
    pub seed: Seed,
    pub tick: u32,
    /// Number of ticks after which a pedestrian that cannot move squeezes.
    pub squeeze_after: u32,
}

/// Arrays with one value per pedestrian.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct People {
    pub at: Array<u32>,
    /// Heading in the lower 8 bits, then columns and rows of the body in 8 bits each.
    pub shapes: Array<u32>,
    pub periods: Array<u32>,
    pub due: Array<u32>,
    /// Intent of the pedestrian, or [`NONE`].
    pub intents: Array<u32>,
    /// Destination in this tick; [`NOWHERE`] if the body stays as it is.
    pub to: Array<u32>,
    /// The smallest columns and rows of the body, and the largest, 8 bits each. Empty if no body changes its size, as
    /// is the next array.
    pub limits: Array<u32>,
    /// Number of ticks for which the pedestrian has not been able to move.
    pub blocked: Array<u32>,
}

/// Arrays with one value per space unit.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct BodyFloor {
    pub occupants: Array<u32>,
    /// The first tick in which each space unit can be entered after a pedestrian has left it.
    pub free_from: Array<u32>,
}

#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct BodyTables {
    /// `[field][ring]`.
    pub strengths: Array<i32>,
    /// The sector of each doubled offset, row by row.
    pub sectors: Array<u32>,
    /// Contribution of walls to scores: `[unit][direction]`.
    pub static_scores: Array<i32>,
}

// Views borrow it.
impl CubeType for &BodyParameters {
    type ExpandType = BodyParametersExpand;
}

/// Unpacks a word of `shapes`.
#[cube]
fn shape_of(word: u32) -> Shape {
    Shape { heading: word & 0xFFu32, columns: ((word >> 8u32) & 0xFFu32) as i32, rows: (word >> 16u32) as i32 }
}

/// Unpacks a word of `limits`.
#[cube]
fn limits_of(word: u32) -> Limits {
    Limits {
        smallest_columns: (word & 0xFFu32) as i32,
        smallest_rows: ((word >> 8u32) & 0xFFu32) as i32,
        largest_columns: ((word >> 16u32) & 0xFFu32) as i32,
        largest_rows: (word >> 24u32) as i32,
    }
}

/// Returns the occupant of a space unit.
#[cube]
fn occupant_of(occupants: &Array<u32>, unit: u32) -> u32 {
    let mut occupant = WALL.runtime();
    if unit != NOWHERE {
        occupant = occupants[unit as usize];
    }
    occupant
}

/// Lets the pedestrians decide: one unit per pedestrian.
#[cube(launch)]
pub(super) fn decide(
    params: &BodyParameters,
    floor: &BodyFloor,
    people: &mut People,
    tables: &BodyTables,
    #[comptime] config: BodyConfig,
) {
    let pedestrian = ABSOLUTE_POS as u32;
    if pedestrian < params.pedestrians {
        let i = pedestrian as usize;
        let mut intent = NONE.runtime();
        if params.tick >= people.due[i] {
            intent = intent_of(params, floor, people, tables, pedestrian, config);
        }
        people.intents[i] = intent;
    }
}

#[cube]
fn intent_of<'w>(
    params: &'w BodyParameters,
    floor: &'w BodyFloor,
    people: &'w People,
    tables: &'w BodyTables,
    pedestrian: u32,
    #[comptime] config: BodyConfig,
) -> u32 {
    let (shape, at) = (shape_of(people.shapes[pedestrian as usize]), people.at[pedestrian as usize]);
    let (x, y) = ((at % params.grid.width) as i32, (at / params.grid.width) as i32);
    let reads = params.grid.unit_at(x + middle(shape.columns), y + middle(shape.rows));
    let mut deciding =
        DecisionContextBody::<'w> { params, floor, people, tables, pedestrian, shape, x, y, reads, config };
    let mut limits = 0u32.runtime();
    let mut blocked = 0u32.runtime();
    if comptime!(config.changes) {
        limits = people.limits[pedestrian as usize];
        blocked = people.blocked[pedestrian as usize];
    }
    let limits = limits_of(limits);
    intent::<DecisionContextBody<'w>>(&mut deciding, &params.weights, shape, limits, blocked, config.changes)
}

/// View of a deciding pedestrian.
#[derive(CubeType)]
pub struct DecisionContextBody<'w> {
    params: &'w BodyParameters,
    floor: &'w BodyFloor,
    people: &'w People,
    tables: &'w BodyTables,
    pedestrian: u32,
    shape: Shape,
    /// Position of the body's lower left space unit.
    x: i32,
    y: i32,
    /// The space unit at which the pedestrian reads fields.
    reads: u32,
    #[cube(comptime)]
    config: BodyConfig,
}

#[cube]
impl FloorView for DecisionContextBody<'_> {
    fn occupant(&self, unit: u32) -> u32 {
        occupant_of(&self.floor.occupants, unit)
    }
}

#[cube]
impl FreeFromView for DecisionContextBody<'_> {
    fn free_from(&self, unit: u32) -> u32 {
        self.floor.free_from[unit as usize]
    }
}

#[cube]
impl StrengthsView for DecisionContextBody<'_> {
    fn strength(&self, #[comptime] field: u32, ring: u32) -> i32 {
        self.tables.strengths[(field * (self.params.extent.rings + 1u32) + ring) as usize]
    }
}

#[cube]
impl BodyView for DecisionContextBody<'_> {
    fn place(&self, pedestrian: u32) -> u32 {
        self.people.at[pedestrian as usize]
    }

    fn shape(&self, pedestrian: u32) -> Shape {
        shape_of(self.people.shapes[pedestrian as usize])
    }

    fn sector(&self, x: i32, y: i32) -> u32 {
        let longest = self.params.longest;
        self.tables.sectors[((y + longest) * (2 * longest + 1) + x + longest) as usize]
    }
}

#[cube]
impl PedestrianView for DecisionContextBody<'_> {
    fn around(&self) -> Around {
        let (grid, tick, has_long_steps) = (&self.params.grid, self.params.tick, comptime!(self.config.has_free_from));
        let body = Body { pedestrian: self.pedestrian, shape: self.shape, x: self.x, y: self.y };
        let free = possible::<DecisionContextBody<'_>>(self, grid, body, tick, has_long_steps);
        // `possible` already excludes diagonals between walls.
        Around { free, walls: 0u32.runtime() }
    }

    fn drawn(&self) -> Drawn {
        self.params.seed.of_tick(self.pedestrian, self.params.tick)
    }

    fn sums(&mut self) -> Sums {
        let (grid, extent, own) = (&self.params.grid, &self.params.extent, self.shape.heading);
        sums_of_bodies::<DecisionContextBody<'_>>(
            self,
            grid,
            extent,
            self.reads,
            self.pedestrian,
            own,
            self.config.reading,
        )
    }

    fn static_score(&self, #[comptime] direction: u32) -> i32 {
        let mut score = 0i32;
        if comptime!(self.config.has_static_scores) {
            score = self.tables.static_scores[(self.reads * DIRECTIONS + direction) as usize];
        }
        score
    }
}

/// Chooses the winner of each empty space unit: one unit per space unit.
#[cube(launch)]
pub(super) fn vote(params: &BodyParameters, occupants: &Array<u32>, people: &People, winners: &mut Array<u32>) {
    let unit = ABSOLUTE_POS as u32;
    if unit < params.grid.width * params.grid.height {
        let mut winner = EMPTY.runtime();
        if occupants[unit as usize] == EMPTY {
            winner = winner_of(params, occupants, people, unit);
        }
        winners[unit as usize] = winner;
    }
}

#[cube]
fn winner_of<'w>(params: &'w BodyParameters, occupants: &'w Array<u32>, people: &'w People, unit: u32) -> u32 {
    let (x, y) = ((unit % params.grid.width) as i32, (unit / params.grid.width) as i32);
    let mut candidates = BodyCandidates::<'w> { params, occupants, people };
    winner::<BodyCandidates<'w>>(&mut candidates, &params.grid, x, y, ANY.runtime(), false).pedestrian
}

/// View of the candidates for space units.
#[derive(CubeType)]
pub struct BodyCandidates<'w> {
    params: &'w BodyParameters,
    occupants: &'w Array<u32>,
    people: &'w People,
}

#[cube]
impl CandidatesView for BodyCandidates<'_> {
    fn candidate(&mut self, from: u32, direction: u32) -> u32 {
        let mut candidate = EMPTY.runtime();
        let occupant = occupant_of(self.occupants, from);
        if occupant < WALL {
            if direction_of(self.people.intents[occupant as usize]) == direction {
                candidate = occupant;
            }
        }
        candidate
    }

    fn number(&self, candidate: u32) -> u32 {
        candidate
    }

    fn priority(&self, candidate: u32) -> u32 {
        self.params.seed.of_tick(candidate, self.params.tick).priority
    }
}

/// Moves pedestrians that won all space units that they would enter, and changes bodies: one unit per pedestrian.
#[cube(launch)]
pub(super) fn settle(
    params: &BodyParameters,
    occupants: &Array<u32>,
    winners: &Array<u32>,
    people: &mut People,
    #[comptime] config: BodyConfig,
) {
    let pedestrian = ABSOLUTE_POS as u32;
    if pedestrian < params.pedestrians {
        let i = pedestrian as usize;
        let outcome = outcome_of(params, occupants, winners, people, pedestrian, config);
        if outcome.to != NOWHERE {
            people.at[i] = outcome.to;
            people.due[i] = due_after(params.tick, people.periods[i], outcome.direction, 1u32, config.equal_speeds);
        }
        people.to[i] = outcome.to;
        if comptime!(config.changes) {
            let heading = people.shapes[i] & 0xFFu32;
            people.shapes[i] = heading | (outcome.columns as u32) << 8u32 | (outcome.rows as u32) << 16u32;
            people.blocked[i] = outcome.blocked;
        }
    }
}

#[cube]
fn outcome_of<'w>(
    params: &BodyParameters,
    occupants: &'w Array<u32>,
    winners: &'w Array<u32>,
    people: &'w People,
    pedestrian: u32,
    #[comptime] config: BodyConfig,
) -> Outcome {
    let i = pedestrian as usize;
    let (shape, at) = (shape_of(people.shapes[i]), people.at[i]);
    let (x, y) = ((at % params.grid.width) as i32, (at / params.grid.width) as i32);
    let contest = ContestOnDevice::<'w> { occupants, winners, people };
    let mut limits = 0u32.runtime();
    let mut blocked = 0u32.runtime();
    let mut prefers_right = 0u32.runtime();
    if comptime!(config.changes) {
        limits = people.limits[i];
        blocked = people.blocked[i];
        prefers_right = params.seed.of_tick(pedestrian, params.tick).prefers_right;
    }
    let is_due = params.tick >= people.due[i];
    let changing =
        Changing { limits: limits_of(limits), blocked, squeeze_after: params.squeeze_after, is_due, prefers_right };
    let (body, intent) = (Body { pedestrian, shape, x, y }, people.intents[i]);
    rules::outcome::<ContestOnDevice<'w>>(&contest, &params.grid, body, intent, &changing, config.changes)
}

/// View of the winners and outcomes of a tick.
#[derive(CubeType)]
pub struct ContestOnDevice<'w> {
    occupants: &'w Array<u32>,
    winners: &'w Array<u32>,
    people: &'w People,
}

#[cube]
impl FloorView for ContestOnDevice<'_> {
    fn occupant(&self, unit: u32) -> u32 {
        occupant_of(self.occupants, unit)
    }
}

#[cube]
impl WinnersView for ContestOnDevice<'_> {
    fn winner(&self, unit: u32) -> u32 {
        self.winners[unit as usize]
    }
}

#[cube]
impl OutcomesView for ContestOnDevice<'_> {
    fn destination(&self, pedestrian: u32) -> u32 {
        self.people.to[pedestrian as usize]
    }

    fn body(&self, pedestrian: u32) -> Shape {
        shape_of(self.people.shapes[pedestrian as usize])
    }
}

/// Moves the bodies: one unit per space unit.
#[cube(launch)]
pub(super) fn move_bodies(
    params: &BodyParameters,
    winners: &Array<u32>,
    people: &People,
    floor: &mut BodyFloor,
    #[comptime] config: BodyConfig,
) {
    let unit = ABSOLUTE_POS as u32;
    if unit < params.grid.width * params.grid.height {
        let before = copied(floor.occupants[unit as usize]);
        let after = after_move(params, winners, people, &floor.occupants, unit, before);
        if after != before {
            floor.occupants[unit as usize] = after;
            if comptime!(config.has_free_from) {
                if after == EMPTY {
                    floor.free_from[unit as usize] = people.due[before as usize];
                }
            }
        }
    }
}

#[cube]
fn after_move<'w>(
    params: &BodyParameters,
    winners: &'w Array<u32>,
    people: &'w People,
    occupants: &'w Array<u32>,
    unit: u32,
    before: u32,
) -> u32 {
    let contest = ContestOnDevice::<'w> { occupants, winners, people };
    occupant_after::<ContestOnDevice<'w>>(&contest, &params.grid, unit, before)
}
