//! The kernels of a step: one thread for each disc.
//!
//! A decision grows from open to final and never changes again, and what it becomes does not depend on when a thread
//! reads those of others. So threads may read decisions while others write them, and the result is the same in every
//! run and on every device.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]
#![allow(clippy::too_many_arguments, reason = "each buffer of a kernel is an argument")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::copied;
use throng_device::neighbours::Neighbours;
use throng_device::philox;

use super::super::cpu::{NONE, PRIORITY};
use super::super::rules::contest::{Contest, MOVED, Rule, UNDECIDED, contest, is_first};
use super::super::rules::overlap::is_nearer;
use super::super::rules::wall::{Displacement, hits_wall};
use super::super::rules::wish::{POSSIBLE, TOO_LONG, after_walls, is_at_wish, tested_way, wish};
use super::super::walls::WALL_CELL_BITS;
use super::state::{
    Config, Decisions, Discs, FIRST_TOO_LONG, LEFT, OPEN_COUNTERS, PIECE, Parameters, TOO_LONG_WISHES, UNFINISHED, WAY,
};

/// Fills slots with [`NONE`].
#[cube(launch)]
pub(super) fn clear_cells(slots: &mut Array<u32>) {
    if ABSOLUTE_POS < slots.len() {
        slots[ABSOLUTE_POS] = NONE;
    }
}

/// Enters discs into the grid.
#[cube(launch)]
pub(super) fn enter_all(params: &Parameters, xs: &Array<i32>, ys: &Array<i32>, slots: &mut Array<u32>) {
    let i = ABSOLUTE_POS;
    if i < params.discs as usize {
        let (x, y) = (xs[i], ys[i]);
        slots[params.world.cell_of(x, y) as usize] = i as u32;
    }
}

/// Checks the wishes, and draws the priorities. A wish that walls or the border refuse becomes a wish to stay.
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
            // Counters begin at 0, so the lowest disc is the one with the highest number counted from the end.
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
        let at = (disc * WAY) as usize;
        discs.ways[at] = x;
        discs.ways[at + 1] = y;
        discs.ways[at + 2] = left.x;
        discs.ways[at + 3] = left.y;
        if comptime!(!config.bounded) {
            target_xs[i] = left.x;
            target_ys[i] = left.y;
        }
        let drawn = philox::words(
            params.seed_low,
            params.seed_high,
            discs.id(disc, config),
            params.step_low,
            PRIORITY.runtime(),
            params.step_high,
        );
        discs.priorities[i] = drawn.first;
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
    let way = tested_way(step);
    let cell = (y >> comptime!(WALL_CELL_BITS as i32)) as u32 * params.wall_columns
        + (x >> comptime!(WALL_CELL_BITS as i32)) as u32;
    let mut refused = false;
    for number in starts[cell as usize]..starts[cell as usize + 1] {
        let first = (number * PIECE) as usize;
        let piece = Displacement { x: pieces[first + 2], y: pieces[first + 3] };
        let at = Displacement { x: x - pieces[first], y: y - pieces[first + 1] };
        let hit = hits_wall(piece, at, way, radius);
        refused = refused || hit;
    }
    refused
}

/// The most wishes in the cells about the wish of a disc.
#[cube(launch)]
pub(super) fn count_around(params: &Parameters, discs: &Discs, lists: &Neighbours, most: &mut Array<Atomic<u32>>) {
    let i = ABSOLUTE_POS;
    if i < params.discs as usize {
        let block = lists.grid.block(discs.wished_x(i as u32), discs.wished_y(i as u32), 0i32);
        let mut found = 0u32;
        for k in 0..block.cells() {
            let cell = lists.grid.block_cell(block, k);
            found += lists.end(cell) - lists.start(cell);
        }
        most[0].fetch_max(found);
    }
}

/// The first pass: decides about all discs, as far as the decisions depend on the places of other discs and on
/// decisions that are made. Lists the discs whose decision stays open, in any order.
///
/// Threads take the discs in the order of `lists`, cell by cell, because neighbouring threads then read the same part
/// of the grid. The decisions do not depend on the order.
#[cube(launch)]
pub(super) fn decide_all(
    params: &Parameters,
    discs: &Discs,
    decisions: &mut Decisions,
    lists: &Neighbours,
    open: &mut Array<u32>,
    #[comptime] config: Config,
) {
    let i = ABSOLUTE_POS;
    if i == 0 {
        decisions.counters[1].store(0u32);
    }
    if i < params.discs as usize {
        let disc = lists.agent(i as u32);
        let verdict = decision(params, discs, decisions, lists, disc, config);
        if verdict == UNDECIDED {
            // The conservative rule leaves all open whose place is free; they compete next.
            if comptime!(config.rule != Rule::Conservative) {
                list_open(decisions, open, disc, 0u32);
            }
        } else {
            decisions.states[disc as usize].store(verdict);
        }
    }
}

/// A further pass: decides about the discs that the pass before it left open, and lists those that stay open. There may
/// be more of them than threads.
#[cube(launch)]
pub(super) fn decide_open(
    params: &Parameters,
    discs: &Discs,
    decisions: &mut Decisions,
    lists: &Neighbours,
    open: &Array<u32>,
    still_open: &mut Array<u32>,
    pass: u32,
    #[comptime] config: Config,
) {
    let mut i = ABSOLUTE_POS as u32;
    if i == 0u32 {
        decisions.counters[((pass + 1u32) % OPEN_COUNTERS) as usize].store(0u32);
    }
    let count = decisions.counters[((pass - 1u32) % OPEN_COUNTERS) as usize].load();
    while i < count {
        let disc = open[i as usize];
        let verdict = decision(params, discs, decisions, lists, disc, config);
        if verdict == UNDECIDED {
            list_open(decisions, still_open, disc, pass);
        } else {
            decisions.states[disc as usize].store(verdict);
        }
        i += CUBE_COUNT as u32 * CUBE_DIM;
    }
}

/// Adds a disc to the list of those whose decision is open after a pass.
#[cube]
fn list_open(decisions: &Decisions, open: &mut Array<u32>, disc: u32, pass: u32) {
    let at = decisions.counters[(pass % OPEN_COUNTERS) as usize].fetch_add(1u32);
    open[at as usize] = disc;
}

/// The second pass of the conservative rule: among the discs whose place is free priority decides.
#[cube(launch)]
pub(super) fn compete(
    params: &Parameters,
    discs: &Discs,
    decisions: &mut Decisions,
    lists: &Neighbours,
    #[comptime] config: Config,
) {
    let i = ABSOLUTE_POS;
    if i < params.discs as usize {
        let disc = lists.agent(i as u32);
        if decisions.states[disc as usize].load() == UNDECIDED {
            let mut found = contest();
            meet_all(params, discs, decisions, lists, disc, &mut found, true, config);
            decisions.states[disc as usize].store(found.verdict());
        }
    }
}

/// Decides about the discs that pass `pass` left open, by one cube: until none is open, nothing changes, or
/// `most_rounds` are over. If nothing changes, the rest are rings of discs that follow each other, and move. If the
/// pass before left as many open, nothing changes any more.
#[cube(launch)]
pub(super) fn decide_rest(
    params: &Parameters,
    discs: &Discs,
    decisions: &mut Decisions,
    lists: &Neighbours,
    open: &Array<u32>,
    pass: u32,
    most_rounds: u32,
    #[comptime] config: Config,
) {
    let count = decisions.counters[(pass % OPEN_COUNTERS) as usize].load();
    let mut before = decisions.counters[((pass - 1u32) % OPEN_COUNTERS) as usize].load();
    let mut left = copied(count);
    let mut turn = 0u32;
    let mut rounds = 0u32;
    while left > 0u32 && left < before && rounds < most_rounds {
        rounds += 1u32;
        let mut at = UNIT_POS;
        while at < count {
            let disc = open[at as usize];
            if decisions.states[disc as usize].load() == UNDECIDED {
                let verdict = decision(params, discs, decisions, lists, disc, config);
                if verdict == UNDECIDED {
                    decisions.counters[(LEFT + turn) as usize].fetch_add(1u32);
                } else {
                    decisions.states[disc as usize].store(verdict);
                }
            }
            at += CUBE_DIM;
        }
        sync_storage();
        before = copied(left);
        left = decisions.counters[(LEFT + turn) as usize].load();
        turn = 1u32 - turn;
        sync_storage();
        // All units have read the counter of this round. The other one counts in the next.
        if UNIT_POS == 0u32 {
            decisions.counters[(LEFT + 1u32 - turn) as usize].store(0u32);
        }
    }
    let is_unfinished = left > 0u32 && left < before;
    if UNIT_POS == 0u32 {
        decisions.counters[comptime!(UNFINISHED as usize)].store(select(is_unfinished, 1u32, 0u32));
    }
    if !is_unfinished {
        let mut at = UNIT_POS;
        while at < count {
            let disc = open[at as usize];
            if decisions.states[disc as usize].load() == UNDECIDED {
                decisions.states[disc as usize].store(MOVED.runtime());
            }
            at += CUBE_DIM;
        }
    }
}

/// Discs whose decision is open when a pass changes nothing follow each other in rings, and move.
#[cube(launch)]
pub(super) fn move_rings(decisions: &mut Decisions, open: &Array<u32>, count: u32) {
    let i = ABSOLUTE_POS;
    if i < count as usize {
        decisions.states[open[i] as usize].store(MOVED.runtime());
    }
}

#[cube]
fn decision(
    params: &Parameters,
    discs: &Discs,
    decisions: &Decisions,
    lists: &Neighbours,
    disc: u32,
    #[comptime] config: Config,
) -> u32 {
    let mut found = contest();
    meet_all(params, discs, decisions, lists, disc, &mut found, false, config);
    found.verdict()
}

/// Meets all discs that are in conflict with the wish of this one.
#[cube]
fn meet_all(
    params: &Parameters,
    discs: &Discs,
    decisions: &Decisions,
    lists: &Neighbours,
    disc: u32,
    found: &mut Contest,
    #[comptime] competes: bool,
    #[comptime] config: Config,
) {
    let radius = discs.radius(disc, config);
    let (x, y) = (discs.wished_x(disc), discs.wished_y(disc));
    let mut reach = radius + params.largest;
    if comptime!(config.bounded) {
        reach += params.longest;
    }
    let columns = params.world.x.cells_within(x, reach);
    let rows = params.world.y.cells_within(y, reach);
    for r in 0..rows.count {
        let row = params.world.y.cell_at(rows, r);
        for c in 0..columns.count {
            let cell = params.world.cell(params.world.x.cell_at(columns, c), row);
            let other = decisions.slots[cell as usize];
            if other != NONE {
                if other != disc {
                    let distance = radius + discs.radius(other, config);
                    let stayer = is_near(params, x, y, discs.x(other), discs.y(other), distance);
                    let mut target = false;
                    if comptime!(config.bounded) {
                        target = is_near(params, x, y, discs.wished_x(other), discs.wished_y(other), distance);
                    }
                    if stayer || target {
                        meet(discs, decisions, disc, other, stayer, target, found, competes, config);
                    }
                }
            }
        }
    }
    if comptime!(!config.bounded) {
        let block = lists.grid.block(x, y, 0i32);
        for k in 0..block.cells() {
            let cell = lists.grid.block_cell(block, k);
            for place in lists.start(cell)..lists.end(cell) {
                let other = lists.agent(place);
                if other != disc {
                    let distance = radius + discs.radius(other, config);
                    if is_near(params, x, y, discs.wished_x(other), discs.wished_y(other), distance) {
                        meet(discs, decisions, disc, other, false.runtime(), true.runtime(), found, competes, config);
                    }
                }
            }
        }
    }
}

#[cube]
fn is_near(params: &Parameters, x: i32, y: i32, other_x: i32, other_y: i32, distance: i32) -> bool {
    is_nearer(params.world.x.offset(x, other_x), params.world.y.offset(y, other_y), distance)
}

#[cube]
fn meet(
    discs: &Discs,
    decisions: &Decisions,
    disc: u32,
    other: u32,
    stayer: bool,
    target: bool,
    found: &mut Contest,
    #[comptime] competes: bool,
    #[comptime] config: Config,
) {
    let own = discs.priorities[disc as usize];
    let (other_id, own_id) = (discs.id(other, config), discs.id(disc, config));
    let it_is_first = is_first(discs.priorities[other as usize], other_id, own, own_id);
    let state = decisions.states[other as usize].load();
    if comptime!(competes) {
        found.meet_competitor(target, it_is_first, state);
    } else {
        found.meet(stayer, target, it_is_first, state, config.rule);
    }
}

/// Moves the discs that may move, in the grid, too. A wish that was refused by a wall or the border differs from where
/// the disc is.
///
/// One disc may enter a cell that another one leaves in the same launch. It does not matter which of them comes first:
/// a cell is cleared only while it still holds the disc that leaves.
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
        let mut x = copied(discs.x(disc));
        let mut y = copied(discs.y(disc));
        if states[i] == MOVED {
            let from = params.world.cell_of(x, y);
            x = discs.wished_x(disc);
            y = discs.wished_y(disc);
            let to = params.world.cell_of(x, y);
            if from != to {
                // A weak exchange may fail without a cause.
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

/// The wishes of a repetition: discs that have moved wish to stay. `now` says who was accepted in the last step, `all`
/// in any of them; `newly` becomes 1 if the last step added to these.
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
