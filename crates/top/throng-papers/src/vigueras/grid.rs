//! The collision grid of the four-step check: two slots per cell, with stamps that mark the current ones.

use throng_core::InputError;

/// Storage of the paper's step id, which marks the slots that were written in the current step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stamps {
    /// One per cell, as printed. A slot that was written in an earlier step counts as current once the other slot of
    /// its cell is written, see [`counterexamples::stale_target`](super::counterexamples::stale_target).
    PerCell,
    /// One per slot, in one word with the id.
    PerSlot,
}

/// A slot of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// Holds the disc that wishes to enter the cell.
    Target,
    /// Holds the disc that is in the cell.
    Source,
}

/// Marks an empty slot.
const NONE: u32 = u32::MAX;

/// Two slots per cell, all empty at the start of a step.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    words: Words,
    /// Stamp of the current step; 0 before the first step.
    stamp: u32,
    last_stamp: u32,
}

#[derive(Debug, Clone)]
enum Words {
    PerCell { stamps: Vec<u32>, ids: [Vec<u32>; 2] },
    PerSlot { words: [Vec<u32>; 2], id_bits: u32 },
}

/// The number of bits in a word that hold the id of one of `discs` discs. The other bits hold the stamp.
pub(super) fn id_bits(discs: usize) -> u32 {
    usize::BITS - discs.saturating_sub(1).leading_zeros()
}

/// The last stamp before all slots have to be cleared, for words that also hold the id of one of `discs` discs.
///
/// # Errors
/// If the ids leave no room for a stamp.
pub(super) fn last_stamp(discs: usize) -> Result<u32, InputError> {
    match id_bits(discs) {
        // The id of a single disc takes no bits: the stamp is the whole word.
        0 => Ok(u32::MAX),
        bits @ 1..=30 => Ok(u32::MAX >> bits),
        _ => Err(InputError::one(
            "discs",
            discs.to_string(),
            format!("give at most {}: ids share words with stamps", 1 << 30),
        )),
    }
}

impl Grid {
    pub(super) fn new(cells: usize, discs: usize, stamps: Stamps) -> Result<Self, InputError> {
        let last_stamp = last_stamp(discs)?;
        let slots = |value| [vec![value; cells], vec![value; cells]];
        Ok(match stamps {
            Stamps::PerCell => {
                let words = Words::PerCell { stamps: vec![0; cells], ids: slots(NONE) };
                Self { words, stamp: 0, last_stamp: u32::MAX }
            }
            Stamps::PerSlot => {
                Self { words: Words::PerSlot { words: slots(0), id_bits: id_bits(discs) }, stamp: 0, last_stamp }
            }
        })
    }

    /// Empties all slots by advancing the stamp; after the last stamp, clears them one by one.
    pub(super) fn begin_step(&mut self) {
        if self.stamp >= self.last_stamp {
            self.clear();
        }
        self.stamp += 1;
    }

    /// Empties all slots one by one, and restarts at the first stamp.
    pub(super) fn clear(&mut self) {
        match &mut self.words {
            Words::PerCell { stamps, ids: [target, source] } => {
                stamps.fill(0);
                target.fill(NONE);
                source.fill(NONE);
            }
            Words::PerSlot { words: [target, source], .. } => {
                target.fill(0);
                source.fill(0);
            }
        }
        self.stamp = 0;
    }

    /// Returns the disc in a slot.
    pub(super) fn get(&self, slot: Slot, cell: usize) -> Option<u32> {
        match &self.words {
            Words::PerCell { stamps, ids } => {
                Some(ids[slot as usize][cell]).filter(|&id| stamps[cell] == self.stamp && id != NONE)
            }
            Words::PerSlot { words, id_bits } => {
                let word = words[slot as usize][cell];
                (word.checked_shr(*id_bits) == Some(self.stamp)).then(|| word & ((1 << id_bits) - 1))
            }
        }
    }

    /// Writes a disc to a slot, and overwrites its previous content.
    pub(super) fn put(&mut self, slot: Slot, cell: usize, id: u32) {
        match &mut self.words {
            Words::PerCell { stamps, ids } => {
                stamps[cell] = self.stamp;
                ids[slot as usize][cell] = id;
            }
            Words::PerSlot { words, id_bits } => words[slot as usize][cell] = (self.stamp << *id_bits) | id,
        }
    }

    /// Empties a slot.
    pub(super) fn erase(&mut self, slot: Slot, cell: usize) {
        match &mut self.words {
            Words::PerCell { ids, .. } => ids[slot as usize][cell] = NONE,
            Words::PerSlot { words, .. } => words[slot as usize][cell] = 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_stamps_share_a_word() {
        assert_eq!([0, 1, 2, 3, 4, 5, 5_000_000].map(id_bits), [0, 0, 1, 2, 2, 3, 23]);
        assert_eq!((last_stamp(1), last_stamp(2), last_stamp(5_000_000)), (Ok(u32::MAX), Ok(u32::MAX / 2), Ok(511)));
        assert_eq!(last_stamp(1 << 30), Ok(3));
        assert!(last_stamp((1 << 30) + 1).unwrap_err().to_string().starts_with("discs: 1073741825\n"));
    }

    #[test]
    fn a_new_step_empties_all_slots() {
        for stamps in [Stamps::PerCell, Stamps::PerSlot] {
            for discs in [1, 5, 1 << 30] {
                let mut grid = Grid::new(3, discs, stamps).unwrap();
                let last = discs as u32 - 1;
                // With 2^30 discs, the stamp wraps around within five steps.
                for _ in 0..5 {
                    grid.begin_step();
                    assert_eq!([0, 1, 2].map(|cell| grid.get(Slot::Target, cell)), [None; 3], "{stamps:?} {discs}");
                    grid.put(Slot::Target, 1, last);
                    assert_eq!((grid.get(Slot::Target, 1), grid.get(Slot::Source, 1)), (Some(last), None));
                    grid.put(Slot::Source, 2, 0);
                    grid.erase(Slot::Source, 2);
                    assert_eq!(grid.get(Slot::Source, 2), None);
                }
            }
        }
    }

    #[test]
    fn a_stamp_of_a_cell_makes_the_other_slot_current() {
        let stale = [Stamps::PerCell, Stamps::PerSlot].map(|stamps| {
            let mut grid = Grid::new(1, 9, stamps).unwrap();
            grid.begin_step();
            grid.put(Slot::Target, 0, 7);
            grid.begin_step();
            grid.put(Slot::Source, 0, 7);
            grid.get(Slot::Target, 0)
        });
        assert_eq!(stale, [Some(7), None]);
    }
}
