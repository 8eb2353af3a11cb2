//! Teams: the threads that execute a rule together, so that a cube and the CPU share one source.
//!
//! A rule visits items, such as the resources of an agent, in a loop that starts at [`Team::first`] and advances by
//! [`Team::size`]. In a kernel the team is a cube ([`CubeTeam`]), whose units divide the items among them. On the CPU
//! it is one thread ([`Alone`]), which visits all items; its barrier does nothing.
//!
//! A team has memory shared by its threads: lists with one entry per item. After the next barrier, all threads see the
//! words that one of them wrote there. State that a rule writes through a view is visible only to the thread that wrote
//! it until the launch ends: a rule must not read state that another thread of the team has written through a view.
//!
//! All threads of a team must call a function with the same arguments, except arguments documented as per thread.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use crate::cube::NONE;
use crate::cubecl::{self, prelude::*};

/// The item with the maximum value, ties going to the lower item; [`NONE`] if no item exceeds the initial value.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Best {
    pub value: f64,
    pub item: u32,
}

#[cube]
impl Best {
    /// Replaces the item if the given one is better.
    #[inline(always)]
    pub fn consider(&mut self, value: f64, item: u32) {
        if value > self.value || (value == self.value && self.item != NONE && item < self.item) {
            self.value = value;
            self.item = item;
        }
    }
}

/// The threads that execute a rule.
#[cube]
pub trait Team {
    /// Returns the first item of this thread.
    fn first(&self) -> u32;
    /// Returns the number of threads, which is the distance to the thread's next item.
    fn size(&self) -> u32;
    /// Whether this thread visits an item.
    fn owns(&self, item: u32) -> bool;
    /// Whether this thread does the work that only one thread may do.
    fn leads(&self) -> bool;
    /// Waits for all threads of the team.
    fn barrier(&self);
    /// Returns the best item over all threads. `own` is per thread. A barrier must separate two calls.
    fn best(&mut self, own: Best) -> Best;
    /// Returns the word of the thread that visits an item. `word` is per thread. A barrier must separate two calls.
    fn told(&mut self, item: u32, word: u32) -> u32;
    /// Returns a word of a list. `at` may run on into the next lists.
    fn word(&self, #[comptime] list: u32, at: u32) -> u32;
    fn set_word(&mut self, #[comptime] list: u32, at: u32, word: u32);
    /// Returns a float of a list of floats.
    fn real(&self, #[comptime] list: u32, at: u32) -> f64;
    fn set_real(&mut self, #[comptime] list: u32, at: u32, real: f64);
}

/// Size of the memory shared by a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Lists {
    /// Entries per list.
    pub places: u32,
    /// Total number of words in all lists; `reals` is the total number of floats.
    pub words: u32,
    pub reals: u32,
}

/// A single CPU thread.
#[derive(Debug, Clone)]
pub struct Alone {
    places: u32,
    words: Vec<u32>,
    reals: Vec<f64>,
}

impl Alone {
    /// Creates a thread with its memory.
    pub fn new(lists: Lists) -> Self {
        let Lists { places, words, reals } = lists;
        Self { places, words: vec![0; words as usize], reals: vec![0.0; reals as usize] }
    }
}

#[cfg(feature = "gpu")]
impl CubeType for Alone {
    type ExpandType = CubeTeamExpand;
}

impl Team for Alone {
    #[inline(always)]
    fn first(&self) -> u32 {
        0
    }

    #[inline(always)]
    fn size(&self) -> u32 {
        1
    }

    #[inline(always)]
    fn owns(&self, _item: u32) -> bool {
        true
    }

    #[inline(always)]
    fn leads(&self) -> bool {
        true
    }

    #[inline(always)]
    fn barrier(&self) {}

    #[inline(always)]
    fn best(&mut self, own: Best) -> Best {
        own
    }

    #[inline(always)]
    fn told(&mut self, _item: u32, word: u32) -> u32 {
        word
    }

    #[inline(always)]
    fn word(&self, list: u32, at: u32) -> u32 {
        self.words[(list * self.places + at) as usize]
    }

    #[inline(always)]
    fn set_word(&mut self, list: u32, at: u32, word: u32) {
        self.words[(list * self.places + at) as usize] = word;
    }

    #[inline(always)]
    fn real(&self, list: u32, at: u32) -> f64 {
        self.reals[(list * self.places + at) as usize]
    }

    #[inline(always)]
    fn set_real(&mut self, list: u32, at: u32, real: f64) {
        self.reals[(list * self.places + at) as usize] = real;
    }
}

/// A team that consists of the units of a cube.
#[cfg(feature = "gpu")]
#[derive(CubeType)]
pub struct CubeTeam {
    values: SharedMemory<f64>,
    items: SharedMemory<u32>,
    told: SharedMemory<u32>,
    words: SharedMemory<u32>,
    reals: SharedMemory<f64>,
    #[cube(comptime)]
    units: u32,
    #[cube(comptime)]
    lists: Lists,
}

#[cfg(feature = "gpu")]
#[cube]
impl CubeTeam {
    /// Creates the team of this cube's units. `units` is the number of units that have items.
    pub fn new(#[comptime] units: u32, #[comptime] lists: Lists) -> CubeTeam {
        CubeTeam {
            values: SharedMemory::<f64>::new(comptime!(units as usize)),
            items: SharedMemory::<u32>::new(comptime!(units as usize)),
            told: SharedMemory::<u32>::new(1usize),
            words: SharedMemory::<u32>::new(comptime!(lists.words.max(1) as usize)),
            reals: SharedMemory::<f64>::new(comptime!(lists.reals.max(1) as usize)),
            units,
            lists,
        }
    }
}

#[cfg(feature = "gpu")]
#[cube]
impl Team for CubeTeam {
    fn first(&self) -> u32 {
        UNIT_POS
    }

    fn size(&self) -> u32 {
        CUBE_DIM
    }

    fn owns(&self, item: u32) -> bool {
        item % CUBE_DIM == UNIT_POS
    }

    fn leads(&self) -> bool {
        UNIT_POS == 0u32
    }

    fn barrier(&self) {
        sync_cube();
    }

    fn best(&mut self, own: Best) -> Best {
        if UNIT_POS < comptime!(self.units) {
            self.values[UNIT_POS as usize] = own.value;
            self.items[UNIT_POS as usize] = own.item;
        }
        sync_cube();
        // All units read the same words at the same time. This needs one barrier, where a tree needs one per level.
        let mut best = Best { value: self.values[0], item: self.items[0] };
        for unit in 1..comptime!(self.units) {
            best.consider(self.values[unit as usize], self.items[unit as usize]);
        }
        best
    }

    fn told(&mut self, item: u32, word: u32) -> u32 {
        if item % CUBE_DIM == UNIT_POS {
            self.told[0] = word;
        }
        sync_cube();
        self.told[0]
    }

    fn word(&self, #[comptime] list: u32, at: u32) -> u32 {
        self.words[(comptime!(list * self.lists.places) + at) as usize]
    }

    fn set_word(&mut self, #[comptime] list: u32, at: u32, word: u32) {
        self.words[(comptime!(list * self.lists.places) + at) as usize] = word;
    }

    fn real(&self, #[comptime] list: u32, at: u32) -> f64 {
        self.reals[(comptime!(list * self.lists.places) + at) as usize]
    }

    fn set_real(&mut self, #[comptime] list: u32, at: u32, real: f64) {
        self.reals[(comptime!(list * self.lists.places) + at) as usize] = real;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_lowest_item() {
        let best_of = |values: &[(f64, u32)]| {
            let mut best = Best { value: 0.0, item: NONE };
            for &(value, item) in values {
                best.consider(value, item);
            }
            (best.value, best.item)
        };
        assert_eq!(best_of(&[(1.0, 5), (3.0, 7), (3.0, 2), (3.0, 4)]), (3.0, 2));
        assert_eq!(best_of(&[(0.0, 5), (-1.0, 1)]), (0.0, NONE));
    }
}
