//! The decision kernels.
//!
//! A decision changes only once, from open to final, and its value does not depend on when a thread reads the decisions
//! of others. So threads may read decisions while others write them, and the result is the same in every run and on
//! every device.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::exact::copied;
use throng_device::prelude::*;

use super::super::rules::contest::{Contest, MOVED, Rule, UNDECIDED};
use super::super::rules::decision::{
    CrowdView, CrowdViewExpand, OpenWish, Pass, Position, decision, meet_target, open_wish,
};
use super::super::world::World;
use super::state::{Config, Crowd, Decisions, LEFT, OPEN_COUNTERS, Parameters, UNFINISHED};

/// Computes the maximum number of wishes in the cells around a disc's target.
#[kernel("collision: crowding")]
pub(super) fn count_around(params: &Parameters, crowd: &Crowd, max_wishes: &mut Array<Atomic<u32>>) {
    let i = ABSOLUTE_POS;
    if i < params.discs as usize {
        let target = crowd.discs.target(i as u32);
        let block = crowd.lists.grid.block(target.x, target.y, 0i32);
        let mut found = 0u32;
        for k in 0..block.cells() {
            let cell = crowd.lists.grid.block_cell(block, k);
            found += crowd.lists.end(cell) - crowd.lists.start(cell);
        }
        max_wishes[0].fetch_max(found);
    }
}

/// The first pass: decides about all discs as far as the positions of other discs and known decisions allow. Lists the
/// discs whose decision remains open, in any order.
///
/// Threads take the discs in the order of `lists`, cell by cell, so that neighbouring threads read the same part of the
/// grid. The decisions do not depend on the order.
#[kernel("collision: first pass")]
pub(super) fn decide_all(
    params: &Parameters,
    crowd: &Crowd,
    decisions: &mut Decisions,
    open: &mut Array<u32>,
    #[comptime] config: Config,
) {
    let i = ABSOLUTE_POS;
    if i == 0 {
        decisions.counters[1].store(0u32);
    }
    if i < params.discs as usize {
        let disc = crowd.lists.agent(i as u32);
        let verdict = decide(params, crowd, decisions, disc, false, config);
        if verdict == UNDECIDED {
            // The conservative rule leaves open the discs whose free target others request, too; they compete next.
            if comptime!(config.rule != Rule::Conservative) {
                list_open(decisions, open, disc, 0u32);
            }
        } else {
            decisions.states[disc as usize].store(verdict);
        }
    }
}

/// A further pass: decides about the discs that the previous pass left open, and lists those that remain open. There
/// may be more discs than threads.
#[kernel("collision: further passes")]
pub(super) fn decide_open(
    params: &Parameters,
    crowd: &Crowd,
    decisions: &mut Decisions,
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
        let verdict = decide(params, crowd, decisions, disc, false, config);
        if verdict == UNDECIDED {
            list_open(decisions, still_open, disc, pass);
        } else {
            decisions.states[disc as usize].store(verdict);
        }
        i += CUBE_COUNT as u32 * CUBE_DIM;
    }
}

/// Appends a disc to the list of open decisions of a pass.
#[cube]
fn list_open(decisions: &Decisions, open: &mut Array<u32>, disc: u32, pass: u32) {
    let at = decisions.counters[(pass % OPEN_COUNTERS) as usize].fetch_add(1u32);
    open[at as usize] = disc;
}

/// The second pass of the conservative rule: priority decides among the discs whose target is free.
#[kernel("collision: compete")]
pub(super) fn compete(params: &Parameters, crowd: &Crowd, decisions: &mut Decisions, #[comptime] config: Config) {
    let i = ABSOLUTE_POS;
    if i < params.discs as usize {
        let disc = crowd.lists.agent(i as u32);
        if decisions.states[disc as usize].load() == UNDECIDED {
            let verdict = decide(params, crowd, decisions, disc, true, config);
            decisions.states[disc as usize].store(verdict);
        }
    }
}

/// Decides about the discs that pass `pass` left open, in one cube, until none is open, nothing changes, or
/// `max_rounds` are over. If nothing changes, including in the previous pass, the remaining discs follow each other in
/// rings, and move.
#[kernel("collision: finish")]
pub(super) fn decide_rest(
    params: &Parameters,
    crowd: &Crowd,
    decisions: &mut Decisions,
    open: &Array<u32>,
    pass: u32,
    max_rounds: u32,
    #[comptime] config: Config,
) {
    let count = decisions.counters[(pass % OPEN_COUNTERS) as usize].load();
    let mut before = decisions.counters[((pass - 1u32) % OPEN_COUNTERS) as usize].load();
    let mut left = copied(count);
    let mut turn = 0u32;
    let mut rounds = 0u32;
    while left > 0u32 && left < before && rounds < max_rounds {
        rounds += 1u32;
        let mut at = UNIT_POS;
        while at < count {
            let disc = open[at as usize];
            if decisions.states[disc as usize].load() == UNDECIDED {
                let verdict = decide(params, crowd, decisions, disc, false, config);
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
        // All units have read the counter of this round. The next round uses the other one.
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

/// Moves the discs whose decision is open when a pass changes nothing: they follow each other in rings.
#[kernel("collision: rings")]
pub(super) fn move_rings(decisions: &mut Decisions, open: &Array<u32>, count: u32) {
    let i = ABSOLUTE_POS;
    if i < count as usize {
        decisions.states[open[i] as usize].store(MOVED.runtime());
    }
}

/// Returns the decision about a disc. `competes`: whether this is the second pass of the conservative rule.
#[cube]
fn decide<'w>(
    params: &'w Parameters,
    crowd: &'w Crowd,
    decisions: &'w Decisions,
    disc: u32,
    #[comptime] competes: bool,
    #[comptime] config: Config,
) -> u32 {
    let view = CrowdOnDevice::<'w> { params, crowd, decisions, config };
    let pass = comptime!(Pass { rule: config.rule, is_bounded: config.bounded, competes });
    let wish = open_wish::<CrowdOnDevice<'w>>(&view, disc);
    decision::<CrowdOnDevice<'w>>(&view, &params.world, &wish, params.largest, params.longest, pass)
}

/// View of the discs of a step. The slot of each disc is its index.
#[derive(CubeType)]
pub struct CrowdOnDevice<'w> {
    params: &'w Parameters,
    crowd: &'w Crowd,
    decisions: &'w Decisions,
    #[cube(comptime)]
    config: Config,
}

#[cube]
impl CrowdView for CrowdOnDevice<'_> {
    fn slot(&self, column: i32, row: i32) -> u32 {
        self.decisions.slots[self.params.world.cell(column, row) as usize]
    }

    fn disc(&self, slot: u32) -> u32 {
        slot
    }

    fn position(&self, slot: u32) -> Position {
        self.crowd.discs.position(slot)
    }

    fn target(&self, slot: u32) -> Position {
        self.crowd.discs.target(slot)
    }

    fn radius(&self, disc: u32) -> i32 {
        self.crowd.discs.radius(disc, self.config)
    }

    fn priority(&self, disc: u32) -> u32 {
        self.crowd.discs.priorities[disc as usize]
    }

    fn id(&self, disc: u32) -> u32 {
        self.crowd.discs.id(disc, self.config)
    }

    fn state(&self, disc: u32) -> u32 {
        self.decisions.states[disc as usize].load()
    }

    fn meet_targets(&self, world: &World, wish: &OpenWish, found: &mut Contest, #[comptime] pass: Pass) {
        let block = self.crowd.lists.grid.block(wish.target.x, wish.target.y, 0i32);
        for k in 0..block.cells() {
            let cell = self.crowd.lists.grid.block_cell(block, k);
            for place in self.crowd.lists.start(cell)..self.crowd.lists.end(cell) {
                let slot = self.crowd.lists.agent(place);
                meet_target::<CrowdOnDevice<'_>>(self, world, wish, slot, found, pass);
            }
        }
    }
}
