//! The kernels of a tick of bodies: decide, vote, settle and move.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use throng_device::cubecl::prelude::*;
use throng_device::exact::copied;
use throng_device::{KernelArrays, KernelParameter, cubecl};

use super::super::rules::body::{
    Body, ContestView, ContestViewExpand, Shape, destination, middle, occupant_after, possible,
};
use super::super::rules::decision::{self as rules, PedestrianView, PedestrianViewExpand, Weights};
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
    /// Direction in which the pedestrian wants to go, or [`NONE`].
    pub intents: Array<u32>,
    /// Destination in this tick, or [`NOWHERE`].
    pub to: Array<u32>,
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
    rules::decide::<DecisionContextBody<'w>>(&mut deciding, &params.weights, shape.heading, false).direction
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
            if self.people.intents[occupant as usize] == direction {
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

/// Determines the destinations of pedestrians that won all space units that they would enter: one unit per pedestrian.
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
        let mut to = NOWHERE.runtime();
        let direction = people.intents[i];
        if direction != NONE {
            to = destination_of(params, occupants, winners, people, pedestrian, direction);
            if to != NOWHERE {
                people.at[i] = to;
                people.due[i] = due_after(params.tick, people.periods[i], direction, 1u32, config.equal_speeds);
            }
        }
        people.to[i] = to;
    }
}

#[cube]
fn destination_of<'w>(
    params: &BodyParameters,
    occupants: &'w Array<u32>,
    winners: &'w Array<u32>,
    people: &'w People,
    pedestrian: u32,
    direction: u32,
) -> u32 {
    let (shape, at) = (shape_of(people.shapes[pedestrian as usize]), people.at[pedestrian as usize]);
    let (x, y) = ((at % params.grid.width) as i32, (at / params.grid.width) as i32);
    let contest = ContestOnDevice::<'w> { occupants, winners, people };
    let body = Body { pedestrian, shape, x, y };
    destination::<ContestOnDevice<'w>>(&contest, &params.grid, body, direction)
}

/// View of the winners and destinations of a tick.
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
impl ContestView for ContestOnDevice<'_> {
    fn winner(&self, unit: u32) -> u32 {
        self.winners[unit as usize]
    }

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
