//! Text ids and their dense indices.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use thiserror::Error;

use crate::NONE;

/// The longest id that an [`IdTable`] takes, bytes.
pub const MAX_ID_BYTES: usize = 65_535;

/// The most text that an [`IdTable`] holds, bytes: positions in it are 32-bit numbers.
const MAX_TEXT_BYTES: usize = u32::MAX as usize;

/// An id that an [`IdTable`] does not take.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum IdError {
    /// It was defined before.
    #[error("id \"{id}\" is already defined")]
    Duplicate {
        /// The id in question.
        id: String,
        /// The index of its first definition.
        first: u32,
    },
    /// It is longer than [`MAX_ID_BYTES`].
    #[error("an id of {bytes} bytes, but an id has at most {MAX_ID_BYTES}")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// The table is full.
    #[error("the ids of one kind take more than 4 GiB (this one would be number {number})")]
    Full {
        /// How many ids there are with this one.
        number: u64,
    },
}

/// A two-way table between text ids and dense indices `0..len`, in order of insertion.
///
/// All texts lie in one buffer, so a table costs about the length of its ids plus 9 bytes each.
#[derive(Debug, Clone, Default)]
pub struct IdTable {
    text: String,
    ends: Vec<u32>,
    index: HashTable<u32>,
    hasher: BuildHasherDefault<FxHasher>,
}

impl IdTable {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of ids.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True when no id is defined.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text of `index`.
    ///
    /// # Panics
    /// When `index` did not come from this table.
    pub fn name(&self, index: u32) -> &str {
        name_of(&self.text, &self.ends, index)
    }

    /// The index of `id`, if it is defined.
    pub fn get(&self, id: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(id.as_bytes());
        self.index.find(hash, |&i| self.name(i) == id).copied()
    }

    /// The index of `id`; defines it when it is new. For ids that a program makes up; those of a file go through
    /// [`IdTable::try_intern`].
    ///
    /// # Panics
    /// When the id is too long or the table is full.
    pub fn intern(&mut self, id: &str) -> u32 {
        self.try_intern(id).expect("a program makes few and short ids")
    }

    /// The index of `id`; defines it when it is new.
    ///
    /// # Errors
    /// [`IdError::TooLong`] and [`IdError::Full`].
    pub fn try_intern(&mut self, id: &str) -> Result<u32, IdError> {
        match self.get(id) {
            Some(index) => Ok(index),
            None => self.add(id, MAX_TEXT_BYTES),
        }
    }

    /// Defines a new `id`.
    ///
    /// # Errors
    /// [`IdError`] when it is defined already or there is no room for it.
    pub fn insert(&mut self, id: &str) -> Result<u32, IdError> {
        match self.get(id) {
            Some(first) => Err(IdError::Duplicate { id: id.to_owned(), first }),
            None => self.add(id, MAX_TEXT_BYTES),
        }
    }

    /// Adds an id that is not there yet; the table holds at most `room` bytes.
    fn add(&mut self, id: &str, room: usize) -> Result<u32, IdError> {
        if id.len() > MAX_ID_BYTES {
            return Err(IdError::TooLong { bytes: id.len() });
        }
        // The last index stands for "none".
        let index = u32::try_from(self.ends.len()).ok().filter(|&index| index != NONE);
        let (Some(index), true) = (index, self.text.len() + id.len() <= room) else {
            return Err(IdError::Full { number: self.ends.len() as u64 + 1 });
        };
        self.text.push_str(id);
        self.ends.push(self.text.len() as u32);
        let Self { text, ends, index: table, hasher } = self;
        let hash = hasher.hash_one(id.as_bytes());
        table.insert_unique(hash, index, |&i| hasher.hash_one(name_of(text, ends, i).as_bytes()));
        Ok(index)
    }

    /// All ids in order of definition.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.ends.len() as u32).map(|i| self.name(i))
    }

    /// The indices sorted by id text (byte order, which for ASCII ids is the order of Java strings).
    pub fn sorted(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by(|&a, &b| self.name(a).cmp(self.name(b)));
        order
    }

    /// For each index its position in [`IdTable::sorted`].
    pub fn ranks(&self) -> Vec<u32> {
        let mut ranks = vec![0; self.len()];
        for (rank, &i) in self.sorted().iter().enumerate() {
            ranks[i as usize] = rank as u32;
        }
        ranks
    }
}

fn name_of<'a>(text: &'a str, ends: &[u32], index: u32) -> &'a str {
    let i = index as usize;
    let start = if i == 0 { 0 } else { ends[i - 1] as usize };
    &text[start..ends[i] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_keep_their_index_and_duplicates_are_named() {
        let mut table = IdTable::new();
        for i in 0..1000 {
            assert_eq!(table.insert(&format!("link_{i}")), Ok(i));
        }
        assert_eq!(table.insert("link_7"), Err(IdError::Duplicate { id: "link_7".into(), first: 7 }));
        assert_eq!(table.intern("link_7"), 7);
        assert_eq!(table.get("link_999"), Some(999));
        assert_eq!(table.get("link_1000"), None);
        assert_eq!(table.name(10), "link_10");
        assert_eq!(table.iter().nth(3), Some("link_3"));
    }

    #[test]
    fn long_ids_and_full_tables_are_errors() {
        let mut table = IdTable::new();
        let long = "x".repeat(MAX_ID_BYTES + 1);
        assert_eq!(table.insert(&long), Err(IdError::TooLong { bytes: 65_536 }));
        assert_eq!(table.try_intern(&long), Err(IdError::TooLong { bytes: 65_536 }));
        assert_eq!(table.insert(&long[1..]), Ok(0));
        assert_eq!(table.add("abc", MAX_ID_BYTES + 2), Err(IdError::Full { number: 2 }));
        assert_eq!(table.add("ab", MAX_ID_BYTES + 2), Ok(1));
        assert_eq!(table.try_intern("ab"), Ok(1));
        assert_eq!((table.len(), table.name(1)), (2, "ab"));
    }

    #[test]
    fn ranks_follow_the_text_not_the_number() {
        let mut table = IdTable::new();
        for id in ["9", "10", "1", "b", "a"] {
            table.intern(id);
        }
        assert_eq!(table.sorted(), [2, 1, 0, 4, 3]);
        assert_eq!(table.ranks(), [2, 1, 0, 4, 3]);
    }
}
