//! The check in four steps.

use throng_collision::CELL_BITS;
use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, KernelParameter, cubecl};

use super::{Answers, FREE, NONE, TILE, TILE_CELLS, is_near};

/// The paper's flag for a disc that may not move.
pub const COLLIDES: u32 = 1;
/// Colliding disc that is no longer in a target slot.
const NOTIFIED: u32 = 2;
/// Colliding disc that lost its target cell to another disc.
const OVERWRITTEN: u32 = 3;

/// Width in cells of the margin around a tile that its discs also read.
const HALO: u32 = 2;
const SLOTS_SIDE: u32 = TILE + 2 * HALO;
const SLOTS: u32 = SLOTS_SIDE * SLOTS_SIDE;

/// Parameters of a step of the four-step check. A slot's word combines a stamp and an id.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct StepParameters {
    pub discs: u32,
    pub columns: u32,
    pub rows: u32,
    /// Stamp of the current step.
    pub stamp: u32,
    pub id_bits: u32,
}

#[cube]
impl StepParameters {
    /// The word that a disc writes to a slot.
    fn word(&self, disc: u32) -> u32 {
        (self.stamp << self.id_bits) | disc
    }

    /// The disc in a slot with this word, or [`NONE`] if the word was written in another step.
    fn disc(&self, word: u32) -> u32 {
        let mut disc = NONE.runtime();
        if word >> self.id_bits == self.stamp {
            disc = word & ((1u32 << self.id_bits) - 1u32);
        }
        disc
    }

    /// Cell of a disc's position.
    fn cell(&self, positions: &Array<i32>, disc: u32) -> u32 {
        let x = positions[(2u32 * disc) as usize] >> CELL_BITS as i32;
        let y = positions[(2u32 * disc + 1u32) as usize] >> CELL_BITS as i32;
        y as u32 * self.columns + x as u32
    }
}

/// The positions and the wishes of discs, x and y of each.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub struct Discs {
    pub at: Array<i32>,
    pub to: Array<i32>,
}

/// The source slot and the target slot of each cell.
#[derive(CubeLaunch, CubeType, KernelArrays)]
#[buffers(owned)]
pub struct CellSlots {
    pub source: Array<u32>,
    pub target: Array<u32>,
}

/// The same for discs that compete for them.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub struct SharedCellSlots {
    pub source: Array<Atomic<u32>>,
    pub target: Array<Atomic<u32>>,
}

/// State that discs change when they leave their cells or notify their followers.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub struct Restored {
    pub source: Array<u32>,
    pub response: Array<u32>,
}

/// Inputs of a disc that leaves its cell.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub struct Notified {
    pub target: Array<u32>,
    pub response: Array<u32>,
}

/// Step 2, without atomic operations.
#[cube(launch)]
pub fn calc_hash(discs: &Discs, slots: &mut CellSlots, by: &StepParameters) {
    let i = ABSOLUTE_POS as u32;
    if i < by.discs {
        slots.source[by.cell(&discs.at, i) as usize] = by.word(i);
        slots.target[by.cell(&discs.to, i) as usize] = by.word(i);
    }
}

/// Step 3 at once: a disc that got another cell leaves its own; one that got none notifies its follower. One that lost
/// even its source slot, after an earlier step in which the check failed, does neither.
#[cube(launch)]
pub fn restore(discs: &Discs, target: &Array<u32>, restored: &mut Restored, by: &StepParameters) {
    let i = ABSOLUTE_POS as u32;
    if i < by.discs {
        let from = by.cell(&discs.at, i);
        if by.disc(restored.source[from as usize]) == i {
            let entered = by.cell(&discs.to, i);
            if by.disc(target[entered as usize]) == i {
                if entered != from {
                    restored.source[from as usize] = 0u32;
                }
            } else {
                let follower = by.disc(target[from as usize]);
                if follower != NONE {
                    restored.response[follower as usize] = NOTIFIED;
                }
            }
        }
    }
}

/// First half of step 3 if discs leave only afterwards: the overwritten discs notify their followers, and with
/// `full_walk` the followers of those, too.
#[cube(launch)]
pub fn notify(
    discs: &Discs,
    slots: &CellSlots,
    response: &mut Array<u32>,
    by: &StepParameters,
    #[comptime] full_walk: bool,
) {
    let i = ABSOLUTE_POS as u32;
    if i < by.discs {
        let from = by.cell(&discs.at, i);
        let mut follower = NONE.runtime();
        if by.disc(slots.source[from as usize]) == i {
            if by.disc(slots.target[by.cell(&discs.to, i) as usize]) != i {
                follower = by.disc(slots.target[from as usize]);
            }
        }
        if comptime!(full_walk) {
            while follower != NONE {
                if response[follower as usize] == NOTIFIED {
                    // Another walk continues from this disc, or this one has run in a circle.
                    follower = NONE.runtime();
                } else {
                    response[follower as usize] = NOTIFIED;
                    follower = by.disc(slots.target[by.cell(&discs.at, follower) as usize]);
                }
            }
        } else {
            if follower != NONE {
                response[follower as usize] = NOTIFIED;
            }
        }
    }
}

/// Second half of step 3: the other discs leave their cells.
#[cube(launch)]
pub fn leave(discs: &Discs, notified: &Notified, source: &mut Array<u32>, by: &StepParameters) {
    let i = ABSOLUTE_POS as u32;
    if i < by.discs {
        let from = by.cell(&discs.at, i);
        if by.disc(source[from as usize]) == i {
            let entered = by.cell(&discs.to, i);
            if entered != from && by.disc(notified.target[entered as usize]) == i {
                if notified.response[i as usize] != NOTIFIED {
                    source[from as usize] = 0u32;
                }
            }
        }
    }
}

/// Steps 2 and 3 in one kernel, with atomic operations: the highest id gets a slot, and the disc that replaces another
/// one in its target slot, or finds a higher id there, flags the loser.
#[cube(launch)]
pub fn claim(discs: &Discs, slots: &mut SharedCellSlots, response: &mut Array<u32>, by: &StepParameters) {
    let i = ABSOLUTE_POS as u32;
    if i < by.discs {
        let word = by.word(i);
        slots.source[by.cell(&discs.at, i) as usize].fetch_max(word);
        let before = by.disc(slots.target[by.cell(&discs.to, i) as usize].fetch_max(word));
        if before != NONE {
            response[u32::min(before, i) as usize] = OVERWRITTEN;
        }
    }
}

/// Slots of a tile and its halo.
#[derive(CubeType)]
struct Slots {
    source: SharedMemory<u32>,
    target: SharedMemory<u32>,
}

/// Step 4, in tiles of cells, one unit per cell. Each unit reads the 21 extended neighbours from shared memory. With
/// `atomic`, the discs that step 3 would have erased are derived from the flags of the overwritten discs.
#[cube(launch)]
pub fn check_collisions(
    discs: &Discs,
    of_cells: &CellSlots,
    answers: &mut Answers,
    by: &StepParameters,
    #[comptime] atomic: bool,
    #[comptime] count: bool,
) {
    let mut slots = Slots {
        source: SharedMemory::<u32>::new(comptime!(SLOTS as usize)),
        target: SharedMemory::<u32>::new(comptime!(SLOTS as usize)),
    };
    let tile_columns = by.columns.div_ceil(TILE);
    let left = (CUBE_POS as u32 % tile_columns) * TILE;
    let top = (CUBE_POS as u32 / tile_columns) * TILE;
    let mut slot = UNIT_POS + 0u32;
    while slot < SLOTS {
        // Negative values wrap around to beyond the last column or row.
        let column = left + slot % SLOTS_SIDE - HALO;
        let row = top + slot / SLOTS_SIDE - HALO;
        let mut in_source = NONE.runtime();
        let mut in_target = NONE.runtime();
        if column < by.columns && row < by.rows {
            let cell = (row * by.columns + column) as usize;
            in_source = by.disc(of_cells.source[cell]);
            in_target = by.disc(of_cells.target[cell]);
        }
        slots.source[slot as usize] = in_source;
        slots.target[slot as usize] = in_target;
        slot += TILE_CELLS;
    }
    sync_cube();
    let middle = (UNIT_POS / TILE + HALO) * SLOTS_SIDE + UNIT_POS % TILE + HALO;
    let mover = slots.target[middle as usize];
    if mover != NONE {
        if may_enter(&slots, &answers.response, mover, middle, atomic) {
            let x = discs.to[(2u32 * mover) as usize];
            let y = discs.to[(2u32 * mover + 1u32) as usize];
            let mut meets = false;
            let mut tests = 0u32;
            for row in 0..5u32 {
                for column in 0..5u32 {
                    let is_corner = (row == 0u32 || row == 4u32) && (column == 0u32 || column == 4u32);
                    if !is_corner && !meets {
                        let cell = middle + row * SLOTS_SIDE + column - comptime!(HALO * SLOTS_SIDE + HALO);
                        let entering = slots.target[cell as usize];
                        if entering != NONE && entering != mover {
                            if may_enter(&slots, &answers.response, entering, cell, atomic) {
                                meets = is_near(&discs.to, entering, x, y);
                                tests += 1u32;
                            }
                        }
                        let staying = slots.source[cell as usize];
                        if staying != NONE && staying != mover && !meets {
                            if stays(discs, &answers.response, staying, by, atomic) {
                                meets = is_near(&discs.at, staying, x, y);
                                tests += 1u32;
                            }
                        }
                    }
                }
            }
            if !meets {
                answers.response[mover as usize] = FREE;
            }
            if comptime!(count) {
                answers.tests[mover as usize] += tests;
            }
        }
    }
}

/// Whether a disc in a target slot was not notified that its target is occupied.
#[cube]
fn may_enter(slots: &Slots, response: &Array<u32>, disc: u32, slot: u32, #[comptime] atomic: bool) -> bool {
    let mut may_enter = true;
    if comptime!(atomic) {
        let staying = slots.source[slot as usize];
        if staying != NONE && staying != disc {
            may_enter = response[staying as usize] != OVERWRITTEN;
        }
    } else {
        may_enter = response[disc as usize] != NOTIFIED;
    }
    may_enter
}

/// Whether a disc in a source slot stays in its cell.
#[cube]
fn stays(discs: &Discs, response: &Array<u32>, disc: u32, by: &StepParameters, #[comptime] atomic: bool) -> bool {
    let mut stays = true;
    if comptime!(atomic) {
        stays = response[disc as usize] == OVERWRITTEN;
        if !stays {
            stays = by.cell(&discs.at, disc) == by.cell(&discs.to, disc);
        }
    }
    stays
}
