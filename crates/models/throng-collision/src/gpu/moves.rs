//! The kernels before and after the decisions: one thread per disc.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]
#![allow(clippy::too_many_arguments, reason = "each buffer of a kernel is an argument")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::copied;

use super::super::rules::contest::{MOVED, UNDECIDED};
use super::super::rules::decision::NONE;
use super::super::rules::draws::{priority_draw, word};
use super::super::rules::wall::{Displacement, hits_wall};
use super::super::rules::wish::{POSSIBLE, TOO_LONG, after_walls, is_at_wish, tested_displacement, wish};
use super::super::walls::WALL_CELL_BITS;
use super::state::{Config, Discs, FIRST_TOO_LONG, PIECE, Parameters, ROUTE, TOO_LONG_WISHES};

/// Fills slots with [`NONE`].
#[cube(launch)]
pub(super) fn clear_cells(slots: &mut Array<u32>) {
    if ABSOLUTE_POS < slots.len() {
        slots[ABSOLUTE_POS] = NONE;
    }
}

/// Enters the discs into the grid.
#[cube(launch)]
pub(super) fn occupy_cells(params: &Parameters, xs: &Array<i32>, ys: &Array<i32>, slots: &mut Array<u32>) {
    let i = ABSOLUTE_POS;
    if i < params.discs as usize {
        let (x, y) = (xs[i], ys[i]);
        slots[params.world.cell_of(x, y) as usize] = i as u32;
    }
}

/// Validates the wishes, and draws the priorities. A wish that walls or the border refuse becomes a wish to stay.
#[cube(launch)]
pub(super) fn prepare(
    params: &Parameters,
    xs: &Array<i32>,
    ys: &Array<i32>,
    to_xs: &Array<i32>,
    to_ys: &Array<i32>,
    wall_starts: &Array<u32>,
    wall_pieces: &Array<i32>,
    discs: &mut Discs,
    states: &mut Array<u32>,
    counters: &mut Array<Atomic<u32>>,
    target_xs: &mut Array<i32>,
    target_ys: &mut Array<i32>,
    #[comptime] config: Config,
) {
    let i = ABSOLUTE_POS;
    if i == 0 {
        counters[0].store(0u32);
    }
    if i < params.discs as usize {
        let disc = i as u32;
        let (x, y) = (xs[i], ys[i]);
        let radius = discs.radius(disc, config);
        let asked = wish(&params.world, x, y, to_xs[i], to_ys[i], radius, params.longest);
        if asked.kind == TOO_LONG {
            counters[comptime!(TOO_LONG_WISHES as usize)].fetch_add(1u32);
            // The counter starts at 0, so the maximum of `NONE - disc` yields the lowest index.
            counters[comptime!(FIRST_TOO_LONG as usize)].fetch_max(NONE - disc);
        }
        let mut is_refused = false;
        if comptime!(config.has_walls) {
            if asked.kind == POSSIBLE {
                is_refused =
                    is_refused_by_walls(params, wall_starts, wall_pieces, asked.x, asked.y, asked.step, radius);
            }
        }
        let left = after_walls(asked, is_refused, x, y);
        let at = (disc * ROUTE) as usize;
        discs.routes[at] = x;
        discs.routes[at + 1] = y;
        discs.routes[at + 2] = left.x;
        discs.routes[at + 3] = left.y;
        if comptime!(!config.bounded) {
            target_xs[i] = left.x;
            target_ys[i] = left.y;
        }
        let draw = priority_draw(discs.id(disc, config), params.step_low, params.step_high);
        discs.priorities[i] = word(draw, params.seed_low, params.seed_high);
        states[i] = UNDECIDED;
    }
}

#[cube]
fn is_refused_by_walls(
    params: &Parameters,
    starts: &Array<u32>,
    pieces: &Array<i32>,
    x: i32,
    y: i32,
    step: Displacement,
    radius: i32,
) -> bool {
    let path = tested_displacement(step);
    let cell = (y >> comptime!(WALL_CELL_BITS as i32)) as u32 * params.wall_columns
        + (x >> comptime!(WALL_CELL_BITS as i32)) as u32;
    let mut refused = false;
    for number in starts[cell as usize]..starts[cell as usize + 1] {
        let first = (number * PIECE) as usize;
        let piece = Displacement { x: pieces[first + 2], y: pieces[first + 3] };
        let at = Displacement { x: x - pieces[first], y: y - pieces[first + 1] };
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
#[cube(launch)]
pub(super) fn move_discs(
    params: &Parameters,
    discs: &Discs,
    states: &Array<u32>,
    slots: &mut Array<Atomic<u32>>,
    to_xs: &Array<i32>,
    to_ys: &Array<i32>,
    xs: &mut Array<i32>,
    ys: &mut Array<i32>,
    accepted: &mut Array<u32>,
) {
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
                while slots[from as usize].load() == disc {
                    slots[from as usize].compare_exchange_weak(disc, NONE.runtime());
                }
                slots[to as usize].store(disc);
            }
            xs[i] = x;
            ys[i] = y;
        }
        let is_wish = is_at_wish(&params.world, x, y, to_xs[i], to_ys[i]);
        accepted[i] = select(is_wish, 1u32, 0u32);
    }
}

/// Computes the wishes of a repetition: accepted discs request to stay. `now`: discs accepted in the last step; `all`:
/// discs accepted in any step; `newly` is set to 1 if the last step accepted further discs.
#[cube(launch)]
pub(super) fn wish_again(
    discs: u32,
    to_xs: &Array<i32>,
    to_ys: &Array<i32>,
    xs: &Array<i32>,
    ys: &Array<i32>,
    now: &Array<u32>,
    is_first: u32,
    all: &mut Array<u32>,
    again_xs: &mut Array<i32>,
    again_ys: &mut Array<i32>,
    newly: &mut Array<Atomic<u32>>,
) {
    let i = ABSOLUTE_POS;
    if i < discs as usize {
        let mut before = 0u32;
        if is_first == 0u32 {
            before = all[i];
        }
        let accepted = before | now[i];
        if accepted != before {
            newly[0].store(1u32);
        }
        all[i] = accepted;
        again_xs[i] = select(accepted != 0u32, xs[i], to_xs[i]);
        again_ys[i] = select(accepted != 0u32, ys[i], to_ys[i]);
    }
}
