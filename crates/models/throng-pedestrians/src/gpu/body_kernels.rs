//! The kernels of a tick of bodies: decide, vote, settle and move.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]
#![allow(clippy::range_plus_one, reason = "loops of kernels are over half-open ranges")]
#![allow(clippy::too_many_arguments, reason = "each buffer of a kernel is an argument")]

use std::marker::PhantomData;

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::{Buffer, Gpu, KernelParameter, philox};

use super::super::rules::body::{gap, middle, ring, to_centre};
use super::super::rules::decision::Weights;
use super::super::rules::diagonal::{beside, is_shut};
use super::super::rules::direction::{step_x, step_y, turned};
use super::super::rules::directional::{NONE, Reading, attracted, repels};
use super::super::rules::grid::{Grid, NOWHERE};
use super::super::rules::vote::{TICK, beats, pause, priority};
use super::super::scene::{EMPTY, WALL};
use super::best_direction::best_direction;
use super::field_sums::{FieldSums, no_sums};
use super::state::STILL;

const HEADINGS: u32 = 8;

/// What is compiled into kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct BodyConfig {
    pub reading: Reading,
    pub equal_speeds: bool,
    pub has_static_scores: bool,
    /// Whether steps take several ticks, so that space units that are left cannot be entered in the next one.
    pub has_free_from: bool,
}

#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct BodyParameters {
    pub grid: Grid,
    pub weights: Weights,
    pub pedestrians: u32,
    /// Rings of a field.
    pub rings: u32,
    /// How far the field of the largest body reaches beyond it, space units; and the most columns and rows of a body.
    pub reach: i32,
    pub columns: i32,
    pub rows: i32,
    /// The longest doubled offset of the table of sectors.
    pub longest: i32,
    pub seed_low: u32,
    pub seed_high: u32,
    pub tick: u32,
}

/// A value for each pedestrian.
#[derive(CubeType, CubeLaunch)]
pub struct People {
    pub at: Array<u32>,
    /// The heading in the lower 8 bits, columns and rows of the body in 8 bits each above it.
    pub shapes: Array<u32>,
    pub periods: Array<u32>,
    pub due: Array<u32>,
    /// In which direction the pedestrian wants to go, or [`STILL`].
    pub intents: Array<u32>,
    /// Where it goes in this tick, or [`NOWHERE`].
    pub to: Array<u32>,
}

#[derive(CubeType, CubeLaunch)]
pub struct BodyTables {
    /// `[field][ring]`.
    pub strengths: Array<i32>,
    /// The sector of each doubled offset, row by row.
    pub sectors: Array<u32>,
    /// What walls add to scores: `[unit][direction]`.
    pub static_scores: Array<i32>,
}

#[derive(Debug)]
pub(super) struct PeopleBuffers {
    pub at: Buffer<u32>,
    pub shapes: Buffer<u32>,
    pub periods: Buffer<u32>,
    pub due: Buffer<u32>,
    pub intents: Buffer<u32>,
    pub to: Buffer<u32>,
}

impl PeopleBuffers {
    pub fn people(&self) -> PeopleLaunch<Gpu> {
        PeopleLaunch {
            at: self.at.arg(),
            shapes: self.shapes.arg(),
            periods: self.periods.arg(),
            due: self.due.arg(),
            intents: self.intents.arg(),
            to: self.to.arg(),
            _phantom_runtime: PhantomData,
        }
    }
}

#[derive(Debug)]
pub(super) struct BodyTableBuffers {
    pub strengths: Buffer<i32>,
    pub sectors: Buffer<u32>,
    pub static_scores: Buffer<i32>,
}

impl BodyTableBuffers {
    pub fn tables(&self) -> BodyTablesLaunch<Gpu> {
        BodyTablesLaunch {
            strengths: self.strengths.arg(),
            sectors: self.sectors.arg(),
            static_scores: self.static_scores.arg(),
            _phantom_runtime: PhantomData,
        }
    }
}

/// The heading of a shape.
#[cube]
fn heading(shape: u32) -> u32 {
    shape & 0xFFu32
}

/// The columns of the body of a shape.
#[cube]
fn columns(shape: u32) -> i32 {
    ((shape >> 8u32) & 0xFFu32) as i32
}

/// The rows of the body of a shape.
#[cube]
fn rows(shape: u32) -> i32 {
    (shape >> 16u32) as i32
}

/// The random words of a pedestrian in this tick.
#[cube]
fn draw(params: &BodyParameters, pedestrian: u32) -> philox::Words {
    philox::words(params.seed_low, params.seed_high, pedestrian, params.tick, TICK.runtime(), 0u32)
}

/// Lets the pedestrians decide: a unit for each.
#[cube(launch)]
pub(super) fn decide(
    params: &BodyParameters,
    occupants: &Array<u32>,
    free_from: &Array<u32>,
    people: &mut People,
    tables: &BodyTables,
    #[comptime] config: BodyConfig,
) {
    let pedestrian = ABSOLUTE_POS as u32;
    if pedestrian < params.pedestrians {
        let i = pedestrian as usize;
        let mut intent = STILL.runtime();
        if params.tick >= people.due[i] {
            let (shape, at) = (people.shapes[i], people.at[i]);
            let (x, y) = ((at % params.grid.width) as i32, (at / params.grid.width) as i32);
            let mut possible = 0u32;
            for direction in 0..HEADINGS {
                if is_possible(params, occupants, free_from, pedestrian, x, y, shape, direction, config) {
                    possible |= 1u32 << direction;
                }
            }
            if possible != 0u32 {
                let (reads_x, reads_y) = (x + middle(columns(shape)), y + middle(rows(shape)));
                let unit = params.grid.unit_at(reads_x, reads_y);
                let mut sums = no_sums();
                add_bodies(params, occupants, people, tables, unit, pedestrian, &mut sums, config);
                let prefers_right = draw(params, pedestrian).second & 1u32;
                intent = best_direction(
                    &params.weights,
                    &tables.static_scores,
                    unit,
                    heading(shape),
                    possible,
                    prefers_right,
                    &sums,
                    config.has_static_scores,
                );
            }
        }
        people.intents[i] = intent;
    }
}

/// Whether a space unit is a wall, or beyond a closed border.
#[cube]
fn is_wall(occupants: &Array<u32>, unit: u32) -> bool {
    let mut there = WALL.runtime();
    if unit != NOWHERE {
        there = occupants[unit as usize];
    }
    there == WALL
}

/// Whether a body at `x`, `y` may move in a direction: as `place.rs` has it.
#[cube]
fn is_possible(
    params: &BodyParameters,
    occupants: &Array<u32>,
    free_from: &Array<u32>,
    own: u32,
    x: i32,
    y: i32,
    shape: u32,
    direction: u32,
    #[comptime] config: BodyConfig,
) -> bool {
    let (columns, rows) = (columns(shape), rows(shape));
    let (to_x, to_y) = (x + step_x(direction), y + step_y(direction));
    // In a periodic world of one row or column some directions lead back.
    let mut is_free = params.grid.unit_at(to_x, to_y) != params.grid.unit_at(x, y);
    for row in 0..rows {
        for column in 0..columns {
            let unit = params.grid.unit_at(to_x + column, to_y + row);
            let mut there = WALL.runtime();
            if unit != NOWHERE {
                there = occupants[unit as usize];
            }
            if there != EMPTY && there != own {
                is_free = false;
            }
            if comptime!(config.has_free_from) {
                if there == EMPTY {
                    is_free = is_free && free_from[unit as usize] <= params.tick;
                }
            }
        }
    }
    if direction & 1u32 == 1u32 {
        let (east, north) = (step_x(direction) > 0, step_y(direction) > 0);
        let next_to_it = params.grid.unit_at(select(east, x + columns, x - 1), select(north, y, y + rows - 1));
        let above = params.grid.unit_at(select(east, x, x + columns - 1), select(north, y + rows, y - 1));
        if is_shut(direction, beside(direction, is_wall(occupants, next_to_it), is_wall(occupants, above))) {
            is_free = false;
        }
    }
    is_free
}

/// Adds up the fields of all other bodies at a space unit, as `sums.rs` of bodies adds them.
#[cube]
fn add_bodies(
    params: &BodyParameters,
    occupants: &Array<u32>,
    people: &People,
    tables: &BodyTables,
    unit: u32,
    reader: u32,
    sums: &mut FieldSums,
    #[comptime] config: BodyConfig,
) {
    let own = heading(people.shapes[reader as usize]);
    let (x, y) = ((unit % params.grid.width) as i32, (unit / params.grid.width) as i32);
    let (from_x, from_y) = (1 - params.columns - params.reach, 1 - params.rows - params.reach);
    for row in 0..params.reach - from_y + 1 {
        for column in 0..params.reach - from_x + 1 {
            let (dx, dy) = (from_x + column, from_y + row);
            let first = params.grid.unit_at(x + dx, y + dy);
            let mut other = EMPTY.runtime();
            if first != NOWHERE {
                other = occupants[first as usize];
            }
            if other < WALL && other != reader {
                if people.at[other as usize] == first {
                    let shape = people.shapes[other as usize];
                    let (columns, rows) = (columns(shape), rows(shape));
                    let ring = ring(gap(dx, columns), gap(dy, rows), columns, rows) as u32;
                    if ring <= params.rings {
                        let place = (to_centre(dy, rows) + params.longest) * (2 * params.longest + 1)
                            + to_centre(dx, columns)
                            + params.longest;
                        let sector = tables.sectors[place as usize];
                        let of_field = params.rings + 1u32;
                        sums.crowd[sector as usize] += tables.strengths[ring as usize];
                        let direction = attracted(heading(shape), sector, own, config.reading);
                        if direction != NONE {
                            sums.same[direction as usize] += tables.strengths[(of_field + ring) as usize];
                        }
                        if repels(heading(shape), sector, own, config.reading) {
                            sums.oncoming[sector as usize] += tables.strengths[(2u32 * of_field + ring) as usize];
                        }
                    }
                }
            }
        }
    }
}

/// Chooses who may enter each empty space unit: a unit for each.
#[cube(launch)]
pub(super) fn vote(params: &BodyParameters, occupants: &Array<u32>, people: &People, winners: &mut Array<u32>) {
    let unit = ABSOLUTE_POS as u32;
    let width = params.grid.width;
    if unit < width * params.grid.height {
        let mut best = EMPTY.runtime();
        let mut best_priority = 0u32.runtime();
        if occupants[unit as usize] == EMPTY {
            let (x, y) = ((unit % width) as i32, (unit / width) as i32);
            for direction in 0..HEADINGS {
                let from = params.grid.neighbour(x, y, turned(direction, 4u32));
                let mut candidate = EMPTY.runtime();
                if from != NOWHERE {
                    candidate = occupants[from as usize];
                }
                if candidate < WALL {
                    if people.intents[candidate as usize] == direction {
                        let own = priority(draw(params, candidate).first);
                        if best == EMPTY || beats(own, candidate, best_priority, best) {
                            best = candidate;
                            best_priority = own;
                        }
                    }
                }
            }
        }
        winners[unit as usize] = best;
    }
}

/// Settles where the pedestrians go, those that won all space units which they would enter: a unit for each.
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
        if direction != STILL {
            let (shape, at) = (people.shapes[i], people.at[i]);
            let (x, y) = ((at % params.grid.width) as i32, (at / params.grid.width) as i32);
            let (to_x, to_y) = (x + step_x(direction), y + step_y(direction));
            let mut has_won = true;
            for row in 0..rows(shape) {
                for column in 0..columns(shape) {
                    let unit = params.grid.unit_at(to_x + column, to_y + row) as usize;
                    if occupants[unit] != pedestrian && winners[unit] != pedestrian {
                        has_won = false;
                    }
                }
            }
            if has_won {
                to = params.grid.unit_at(to_x, to_y);
                people.at[i] = to;
                people.due[i] = params.tick + pause(people.periods[i], direction, config.equal_speeds);
            }
        }
        people.to[i] = to;
    }
}

/// Moves the bodies: a unit for each space unit.
#[cube(launch)]
pub(super) fn move_bodies(
    params: &BodyParameters,
    winners: &Array<u32>,
    people: &People,
    occupants: &mut Array<u32>,
    free_from: &mut Array<u32>,
    #[comptime] config: BodyConfig,
) {
    let unit = ABSOLUTE_POS as u32;
    if unit < params.grid.width * params.grid.height {
        let occupant = occupants[unit as usize];
        if occupant == EMPTY {
            let winner = winners[unit as usize];
            if winner != EMPTY {
                if people.to[winner as usize] != NOWHERE {
                    occupants[unit as usize] = winner;
                }
            }
        } else if occupant != WALL {
            let to = people.to[occupant as usize];
            if to != NOWHERE {
                let shape = people.shapes[occupant as usize];
                if !params.grid.covers(to, columns(shape), rows(shape), unit) {
                    occupants[unit as usize] = EMPTY;
                    if comptime!(config.has_free_from) {
                        free_from[unit as usize] = people.due[occupant as usize];
                    }
                }
            }
        }
    }
}
