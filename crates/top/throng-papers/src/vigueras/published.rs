//! The paper's new check, in four steps without sorting, on the CPU: the reference for its device programs.

use throng_collision::{CELL, World};
use throng_core::InputError;

use super::grid::{Grid, Slot, Stamps};
use super::overlaps::{check_places, overlap};
use crate::experiment::listed;

listed! {
    /// When discs that may not move are put back into their old cell, in the third step: three readings of the paper.
    ///
    /// A disc is overwritten if another one got its target cell. It stays, and notifies its *follower*, the disc that
    /// wishes to enter its cell and now cannot move either. The notified disc has a follower in turn.
    ///
    /// A disc that wishes to move within its own cell stays in the source slot under all readings. The paper can also
    /// be read as erasing it, but with steps of a quarter of a cell, that leaves two to three times as many overlaps.
    Restore {
        /// All discs at once: those that got their target cell leave their old cell, the others notify their follower.
        /// By then, a notified follower has already left its cell.
        Immediate = "immediate erasure";
        /// Discs leave their old cell after the overwritten ones have notified their followers; notified followers do
        /// not notify theirs.
        OneHop = "one hop";
        /// An overwritten disc notifies its follower, which notifies its own follower, and so on, before any disc
        /// leaves.
        FullWalk = "full walk";
    }
}

impl Restore {
    /// The name as the value of a flag.
    pub fn flag(self) -> &'static str {
        match self {
            Self::Immediate => "immediate",
            Self::OneHop => "one-hop",
            Self::FullWalk => "full-walk",
        }
    }
}

/// A reading of the paper's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Reading of the third step.
    pub restore: Restore,
    /// Storage of the step ids.
    pub stamps: Stamps,
}

/// Whether a cell at this offset is an extended neighbour; a cell is its own extended neighbour.
///
/// The centres of two overlapping discs are less than sqrt(2) cells apart. So the extended neighbours are all cells up
/// to two away in each direction except the four corners, see [`MIN_RADIUS`](throng_collision::MIN_RADIUS).
pub(super) const fn is_extended_neighbour(columns: i32, rows: i32) -> bool {
    let (columns, rows) = (columns.abs(), rows.abs());
    columns <= 2 && rows <= 2 && columns + rows < 4
}

/// The check with one target and one source slot per cell. It does **not** prevent overlaps, see
/// [`counterexamples`](super::counterexamples).
///
/// ```
/// use throng_collision::{CELL, World};
/// use throng_device::neighbours::Boundary;
/// use throng_papers::vigueras::{FourSteps, Restore, Stamps, Variant};
///
/// let world = World::new([8 * CELL, 8 * CELL], Boundary::Closed)?;
/// let variant = Variant { restore: Restore::Immediate, stamps: Stamps::PerSlot };
/// let mut check = FourSteps::new(world, 2, variant)?;
/// // Both discs wish to enter the same cell. The last writer gets it.
/// let (xs, ys, wishes) = ([4_000, 20_000], [9_000; 2], [13_000, 13_100]);
/// assert_eq!(check.accepted([&xs, &ys], [&wishes, &ys])?, [false, true]);
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct FourSteps {
    world: World,
    discs: usize,
    restore: Restore,
    grid: Grid,
}

/// A step in progress.
struct Step<'a> {
    check: &'a mut FourSteps,
    at: [&'a [i32]; 2],
    to: [&'a [i32]; 2],
}

impl FourSteps {
    /// Creates a check of `discs` discs.
    ///
    /// # Errors
    /// If there are more than 2^30 discs.
    pub fn new(world: World, discs: usize, variant: Variant) -> Result<Self, InputError> {
        let Variant { restore, stamps } = variant;
        Ok(Self { world, discs, restore, grid: Grid::new(world.cells(), discs, stamps)? })
    }

    /// Returns for each disc whether it may move from `at` to `to`. Discs write in the order of their ids, so the last
    /// one gets a cell.
    ///
    /// # Errors
    /// If the number of positions or wishes differs from that of the discs, one is outside the world, or the border is
    /// periodic.
    pub fn accepted(&mut self, at: [&[i32]; 2], to: [&[i32]; 2]) -> Result<Vec<bool>, InputError> {
        let order: Vec<u32> = (0..self.discs as u32).collect();
        self.accepted_in_order(at, to, &order)
    }

    /// Like [`FourSteps::accepted`], but discs write in the given order, which must contain each id once. On a device,
    /// a race determines the order.
    ///
    /// # Errors
    /// As for `accepted`, and if the order does not contain each id exactly once.
    pub fn accepted_in_order(
        &mut self,
        at: [&[i32]; 2],
        to: [&[i32]; 2],
        order: &[u32],
    ) -> Result<Vec<bool>, InputError> {
        check_places(&self.world, self.discs, at, to)?;
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..self.discs as u32) {
            let found = format!("{} ids for {} discs", order.len(), self.discs);
            return Err(InputError::one("order of writers", found, "give each id once"));
        }
        self.grid.begin_step();
        let mut step = Step { check: self, at, to };
        let mut collides = step.init();
        step.calc_hash(order);
        step.restore();
        step.check_collisions(&mut collides);
        Ok(collides.into_iter().map(|collides| !collides).collect())
    }
}

impl Step<'_> {
    fn position(&self, disc: u32) -> [i32; 2] {
        self.at.map(|axis| axis[disc as usize])
    }

    fn wish(&self, disc: u32) -> [i32; 2] {
        self.to.map(|axis| axis[disc as usize])
    }

    fn cell(&self, [x, y]: [i32; 2]) -> usize {
        self.check.world.cell_of(x, y) as usize
    }

    fn source_cell(&self, disc: u32) -> usize {
        self.cell(self.position(disc))
    }

    fn target_cell(&self, disc: u32) -> usize {
        self.cell(self.wish(disc))
    }

    fn has_target(&self, disc: u32) -> bool {
        self.check.grid.get(Slot::Target, self.target_cell(disc)) == Some(disc)
    }

    fn has_source(&self, disc: u32) -> bool {
        self.check.grid.get(Slot::Source, self.source_cell(disc)) == Some(disc)
    }

    /// Step 1: all discs count as colliding until step 4 clears them. Overwritten discs are never cleared.
    fn init(&self) -> Vec<bool> {
        vec![true; self.check.discs]
    }

    /// Step 2: discs write their ids into the slots of their source and target cells.
    fn calc_hash(&mut self, order: &[u32]) {
        for &disc in order {
            let (source, target) = (self.source_cell(disc), self.target_cell(disc));
            self.check.grid.put(Slot::Source, source, disc);
            self.check.grid.put(Slot::Target, target, disc);
        }
    }

    /// Step 3: overwritten discs stay, and notify their followers; the others leave their source cell.
    fn restore(&mut self) {
        // Two discs share a source cell only after a step in which the check has failed. The one without a slot is
        // ignored.
        let all: Vec<u32> = (0..self.check.discs as u32).filter(|&disc| self.has_source(disc)).collect();
        let (winners, losers): (Vec<u32>, Vec<u32>) = all.into_iter().partition(|&disc| self.has_target(disc));
        for &loser in &losers {
            let mut notified = self.notify(loser);
            while let (Restore::FullWalk, Some(disc)) = (self.check.restore, notified) {
                notified = self.notify(disc);
            }
        }
        for winner in winners {
            // A disc that moves within its cell does not leave it.
            let leaves = self.source_cell(winner) != self.target_cell(winner);
            if leaves && (self.check.restore == Restore::Immediate || self.has_target(winner)) {
                self.check.grid.erase(Slot::Source, self.source_cell(winner));
            }
        }
    }

    /// Notifies the disc that wishes to enter the source cell of `disc`, and returns it: it loses its target slot.
    fn notify(&mut self, disc: u32) -> Option<u32> {
        let cell = self.source_cell(disc);
        let follower = self.check.grid.get(Slot::Target, cell).filter(|&follower| follower != disc)?;
        self.check.grid.erase(Slot::Target, cell);
        Some(follower)
    }

    /// Step 4: the disc in the target slot of a cell does not collide if nothing in the extended neighbour cells is too
    /// close.
    fn check_collisions(&self, collides: &mut [bool]) {
        for disc in 0..self.check.discs as u32 {
            // All other cells lack a current slot.
            for position in [self.position(disc), self.wish(disc)] {
                let mover = self.check.grid.get(Slot::Target, self.cell(position));
                if let Some(mover) = mover.filter(|&mover| !self.meets_another(mover, position)) {
                    collides[mover as usize] = false;
                }
            }
        }
    }

    /// Whether a disc in the target slot of the cell of `position` is too close to another one at its wish.
    fn meets_another(&self, mover: u32, position: [i32; 2]) -> bool {
        let wish = self.wish(mover);
        let [width, height] = self.check.world.size();
        let [column, row] = position.map(|axis| axis / CELL);
        let within = |middle: i32, size: i32| (middle - 2).max(0)..=(middle + 2).min((size - 1) / CELL);
        within(row, height).any(|y| {
            within(column, width).filter(|x| is_extended_neighbour(x - column, y - row)).any(|x| {
                let cell = self.check.world.cell(x, y) as usize;
                let other = |slot| self.check.grid.get(slot, cell).filter(|&other| other != mover);
                other(Slot::Target).is_some_and(|other| overlap(wish, self.wish(other)))
                    || other(Slot::Source).is_some_and(|other| overlap(wish, self.position(other)))
            })
        })
    }
}

#[cfg(test)]
mod tests;
