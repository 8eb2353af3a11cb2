//! The kernels before and after the decisions: one thread per disc, or per cell.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use throng_device::exact::copied;
use throng_device::prelude::*;

use super::super::rules::contest::{MOVED, UNDECIDED};
use super::super::rules::decision::NONE;
use super::super::rules::draws::{priority_draw, word};
use super::super::rules::wall::{Displacement, hits_wall};
use super::super::rules::wish::{POSSIBLE, TOO_LONG, after_walls, is_at_wish, tested_displacement, wish};
use super::super::walls::WALL_CELL_BITS;
use super::state::{Config, Discs, FIRST_TOO_LONG, Moves, PIECE, Parameters, Points, ROUTE, TOO_LONG_WISHES};

/// The pieces of walls near each cell.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct WallPieces {
    pub starts: Array<u32>,
    pub pieces: Array<i32>,
}

/// Inputs of the decisions, besides the discs.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Prepared {
    pub states: Array<u32>,
    pub counters: Array<Atomic<u32>>,
    /// With steps of any length: targets of the discs.
    pub targets: Points,
}

/// The discs after a step.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Moved {
    pub slots: Array<Atomic<u32>>,
    pub at: Points,
    pub accepted: Array<u32>,
}

/// The wishes of a repetition.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Repetition {
    /// The discs accepted in any step.
    pub all: Array<u32>,
    pub wishes: Points,
    /// Set to 1 if the last step accepted further discs.
    pub newly: Array<Atomic<u32>>,
}

/// Fills slots with [`NONE`].
#[kernel("collision: clear")]
pub(super) fn clear_cells(slots: &mut Array<u32>) {
    if ABSOLUTE_POS < slots.len() {
        slots[ABSOLUTE_POS] = NONE;
    }
}

/// Enters the discs into the grid.
#[kernel("collision: place")]
pub(super) fn occupy_cells(params: &Parameters, at: &Points, slots: &mut Array<u32>) {
    let i = ABSOLUTE_POS;
    if i < params.discs as usize {
        let (x, y) = (at.xs[i], at.ys[i]);
        slots[params.world.cell_of(x, y) as usize] = i as u32;
    }
}

/// Validates the wishes, and draws the priorities. Wishes refused here or too long become wishes to stay.
#[kernel("collision: prepare")]
pub(super) fn prepare(
    params: &Parameters,
    moves: &Moves,
    walls: &WallPieces,
    discs: &mut Discs,
    prepared: &mut Prepared,
    #[comptime] config: Config,
) {
    let i = ABSOLUTE_POS;
    if i == 0 {
        prepared.counters[0].store(0u32);
    }
    if i < params.discs as usize {
        let disc = i as u32;
        let (x, y) = (moves.at.xs[i], moves.at.ys[i]);
        let radius = discs.radius(disc, config);
        let requested = wish(&params.world, x, y, moves.to.xs[i], moves.to.ys[i], radius, params.longest);
        if requested.kind == TOO_LONG {
            prepared.counters[comptime!(TOO_LONG_WISHES as usize)].fetch_add(1u32);
            // The counter starts at 0, so the maximum of `NONE - disc` yields the lowest index.
            prepared.counters[comptime!(FIRST_TOO_LONG as usize)].fetch_max(NONE - disc);
        }
        let mut is_refused = false;
        if comptime!(config.has_walls) {
            if requested.kind == POSSIBLE {
                is_refused = is_refused_by_walls(params, walls, requested.x, requested.y, requested.step, radius);
            }
        }
        let remaining = after_walls(requested, is_refused, x, y);
        let at = (disc * ROUTE) as usize;
        discs.routes[at] = x;
        discs.routes[at + 1] = y;
        discs.routes[at + 2] = remaining.x;
        discs.routes[at + 3] = remaining.y;
        if comptime!(!config.bounded) {
            prepared.targets.xs[i] = remaining.x;
            prepared.targets.ys[i] = remaining.y;
        }
        let draw = priority_draw(discs.id(disc, config), params.step_low, params.step_high);
        discs.priorities[i] = word(draw, params.seed_low, params.seed_high);
        prepared.states[i] = UNDECIDED;
    }
}

#[cube]
fn is_refused_by_walls(
    params: &Parameters,
    walls: &WallPieces,
    x: i32,
    y: i32,
    step: Displacement,
    radius: i32,
) -> bool {
    let path = tested_displacement(step);
    let cell = (y >> comptime!(WALL_CELL_BITS as i32)) as u32 * params.wall_columns
        + (x >> comptime!(WALL_CELL_BITS as i32)) as u32;
    let mut refused = false;
    for number in walls.starts[cell as usize]..walls.starts[cell as usize + 1] {
        let first = (number * PIECE) as usize;
        let piece = Displacement { x: walls.pieces[first + 2], y: walls.pieces[first + 3] };
        let at = Displacement { x: x - walls.pieces[first], y: y - walls.pieces[first + 1] };
        let hit = hits_wall(piece, at, path, radius);
        refused = refused || hit;
    }
    refused
}

/// Moves the granted discs, including their entries in the grid. A wish counts as refused if it differs from the disc's
/// position, also if a wall or the border refused it.
///
/// A disc may enter a cell that another one leaves in the same launch, in either order: a cell is cleared only while it
/// still holds the leaving disc.
#[kernel("collision: move")]
pub(super) fn move_discs(params: &Parameters, discs: &Discs, states: &Array<u32>, wishes: &Points, moved: &mut Moved) {
    let i = ABSOLUTE_POS;
    if i < params.discs as usize {
        let disc = i as u32;
        let position = discs.position(disc);
        let mut x = copied(position.x);
        let mut y = copied(position.y);
        if states[i] == MOVED {
            let from = params.world.cell_of(x, y);
            let target = discs.target(disc);
            x = target.x;
            y = target.y;
            let to = params.world.cell_of(x, y);
            if from != to {
                // A weak exchange may fail spuriously.
                while moved.slots[from as usize].load() == disc {
                    moved.slots[from as usize].compare_exchange_weak(disc, NONE.runtime());
                }
                moved.slots[to as usize].store(disc);
            }
            moved.at.xs[i] = x;
            moved.at.ys[i] = y;
        }
        let is_wish = is_at_wish(&params.world, x, y, wishes.xs[i], wishes.ys[i]);
        moved.accepted[i] = select(is_wish, 1u32, 0u32);
    }
}

/// Computes the wishes of a repetition: accepted discs request to stay. `latest`: discs accepted in the last step.
#[kernel("collision: repeat")]
pub(super) fn wish_again(discs: u32, moves: &Moves, latest: &Array<u32>, is_first: u32, repetition: &mut Repetition) {
    let i = ABSOLUTE_POS;
    if i < discs as usize {
        let mut before = 0u32;
        if is_first == 0u32 {
            before = repetition.all[i];
        }
        let accepted = before | latest[i];
        if accepted != before {
            repetition.newly[0].store(1u32);
        }
        repetition.all[i] = accepted;
        repetition.wishes.xs[i] = select(accepted != 0u32, moves.at.xs[i], moves.to.xs[i]);
        repetition.wishes.ys[i] = select(accepted != 0u32, moves.at.ys[i], moves.to.ys[i]);
    }
}
