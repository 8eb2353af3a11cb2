//! Text ids and their dense indices.

use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::OnceLock;

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use thiserror::Error;

use crate::NONE;

/// Maximum length of an id in an [`IdTable`], in bytes.
pub const MAX_ID_BYTES: usize = 65_535;

/// Maximum total length of all ids in an [`IdTable`], in bytes: positions in the text are 32-bit.
const MAX_TEXT_BYTES: usize = u32::MAX as usize;

/// An id that an [`IdTable`] rejects.
#[derive(Clone, PartialEq, Eq, Error)]
pub enum IdError {
    /// An earlier element has the same id.
    #[error("id \"{id}\" is already defined")]
    Duplicate {
        /// The id that was defined twice.
        id: String,
        /// The index of its first definition.
        first: u32,
    },
    /// The id is longer than [`MAX_ID_BYTES`].
    #[error("an id of {bytes} bytes, but an id has at most {MAX_ID_BYTES}")]
    TooLong {
        /// Length of the id in bytes.
        bytes: usize,
    },
    /// The ids do not fit into 4 GiB of text.
    #[error("the ids of one kind take more than 4 GiB (this one would be number {number})")]
    Full {
        /// Number of ids, including this one.
        number: u64,
    },
}

crate::debug_is_message!(IdError);

/// Text and end positions that do not form an [`IdTable`]; see [`IdTable::from_parts`].
#[derive(Clone, Copy, PartialEq, Eq, Error)]
#[error("id number {number} has an invalid range of text: {why}")]
pub struct BadParts {
    /// Index of the first invalid id.
    pub number: usize,
    /// Reason why the range of the id is invalid.
    pub why: &'static str,
}

crate::debug_is_message!(BadParts);

/// A two-way table between text ids and dense indices `0..len`, in order of insertion.
///
/// The text of all ids is in one buffer, so a table takes the length of its ids plus about 9 bytes per id; 5 of these
/// are only allocated when an id is first looked up or added.
#[derive(Debug, Clone, Default)]
pub struct IdTable {
    text: String,
    ends: Vec<u32>,
    /// Built on first use: a scenario with millions of persons that is read from a cache never looks up an id.
    index: OnceLock<HashTable<u32>>,
    hasher: BuildHasherDefault<FxHasher>,
}

impl IdTable {
    /// Creates an empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a table from the ids concatenated in `text`; id `i` ends at byte `ends[i]`.
    ///
    /// The caller must ensure that the ids are distinct: nothing is hashed here. For equal ids, [`IdTable::get`]
    /// returns an arbitrary one.
    ///
    /// ```
    /// use throng_core::IdTable;
    ///
    /// let table = IdTable::from_parts("ab17".into(), vec![2, 4]).unwrap();
    /// assert_eq!((table.name(0), table.get("17")), ("ab", Some(1)));
    /// assert!(IdTable::from_parts("ab".into(), vec![2, 1]).is_err());
    /// ```
    ///
    /// # Errors
    /// If an id ends before it begins, within a character or beyond the text, if an id is too long, if the last id does
    /// not end with the text, or if there are more ids than indices.
    pub fn from_parts(text: String, ends: Vec<u32>) -> Result<Self, BadParts> {
        let wrong = |number, why| Err(BadParts { number, why });
        if ends.len() >= NONE as usize {
            return wrong(ends.len(), "there are more ids than indices");
        }
        let mut start = 0;
        for (number, &end) in ends.iter().enumerate() {
            let end = end as usize;
            if end < start {
                return wrong(number, "it ends before it begins");
            }
            if !text.is_char_boundary(end) {
                return wrong(number, "it ends beyond the text or within a character");
            }
            if end - start > MAX_ID_BYTES {
                return wrong(number, "it is too long");
            }
            start = end;
        }
        if start != text.len() {
            return wrong(ends.len(), "there is text after the last id");
        }
        Ok(Self { text, ends, ..Self::default() })
    }

    /// Returns the text of all ids, concatenated.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the end position of each id in [`IdTable::text`], in bytes.
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// Returns the number of ids.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the table has no ids.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the id at `index`.
    ///
    /// # Panics
    /// If `index` did not come from this table.
    pub fn name(&self, index: u32) -> &str {
        name_of(&self.text, &self.ends, index)
    }

    /// Returns the index of `id`, if it is defined.
    pub fn get(&self, id: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(id.as_bytes());
        self.index().find(hash, |&i| self.name(i) == id).copied()
    }

    fn index(&self) -> &HashTable<u32> {
        self.index.get_or_init(|| {
            let Self { text, ends, hasher, .. } = self;
            let hash_of = |i: &u32| hasher.hash_one(name_of(text, ends, *i).as_bytes());
            let mut index = HashTable::with_capacity(ends.len());
            for i in 0..ends.len() as u32 {
                index.insert_unique(hash_of(&i), i, hash_of);
            }
            index
        })
    }

    /// Returns the index of `id`, defining it if it is new.
    ///
    /// # Errors
    /// [`IdError::TooLong`] and [`IdError::Full`].
    pub fn intern(&mut self, id: &str) -> Result<u32, IdError> {
        match self.get(id) {
            Some(index) => Ok(index),
            None => self.add(id, MAX_TEXT_BYTES),
        }
    }

    /// Defines a new id and returns its index.
    ///
    /// # Errors
    /// [`IdError`] if it is already defined or too long, or if the table is full.
    pub fn insert(&mut self, id: &str) -> Result<u32, IdError> {
        match self.get(id) {
            Some(first) => Err(IdError::Duplicate { id: id.to_owned(), first }),
            None => self.add(id, MAX_TEXT_BYTES),
        }
    }

    /// Adds an id that is not in the table yet; the table holds at most `room` bytes.
    fn add(&mut self, id: &str, room: usize) -> Result<u32, IdError> {
        if id.len() > MAX_ID_BYTES {
            return Err(IdError::TooLong { bytes: id.len() });
        }
        // The last index is the sentinel `NONE`.
        let index = u32::try_from(self.ends.len()).ok().filter(|&index| index != NONE);
        let (Some(index), true) = (index, self.text.len() + id.len() <= room) else {
            return Err(IdError::Full { number: self.ends.len() as u64 + 1 });
        };
        self.index();
        self.text.push_str(id);
        self.ends.push(self.text.len() as u32);
        let Self { text, ends, index: table, hasher } = self;
        let hash = hasher.hash_one(id.as_bytes());
        let table = table.get_mut().expect("`self.index()` has built the table");
        table.insert_unique(hash, index, |&i| hasher.hash_one(name_of(text, ends, i).as_bytes()));
        Ok(index)
    }

    /// Iterates over all ids in order of definition.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.ends.len() as u32).map(|i| self.name(i))
    }

    /// Returns the indices sorted by id (in byte order, which for ASCII ids is the order of Java strings).
    pub fn sorted(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by(|&a, &b| self.name(a).cmp(self.name(b)));
        order
    }

    /// Returns the position of each index in [`IdTable::sorted`].
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
    fn ids_keep_their_index_and_duplicates_are_refused() {
        let mut table = IdTable::new();
        for i in 0..1000 {
            assert_eq!(table.insert(&format!("link_{i}")), Ok(i));
        }
        assert_eq!(table.insert("link_7"), Err(IdError::Duplicate { id: "link_7".into(), first: 7 }));
        assert_eq!(table.intern("link_7"), Ok(7));
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
        assert_eq!(table.intern(&long), Err(IdError::TooLong { bytes: 65_536 }));
        assert_eq!(table.insert(&long[1..]), Ok(0));
        assert_eq!(table.add("abc", MAX_ID_BYTES + 2), Err(IdError::Full { number: 2 }));
        assert_eq!(table.add("ab", MAX_ID_BYTES + 2), Ok(1));
        assert_eq!(table.intern("ab"), Ok(1));
        assert_eq!((table.len(), table.name(1)), (2, "ab"));
    }

    #[test]
    fn a_table_from_parts_equals_a_filled_table() {
        let mut filled = IdTable::new();
        for id in ["a", "", "ä1", "long id", "b"] {
            filled.insert(id).unwrap();
        }
        let mut table = IdTable::from_parts(filled.text().to_owned(), filled.ends().to_vec()).unwrap();
        assert!(table.iter().eq(filled.iter()));
        assert_eq!(table.insert("ä1"), Err(IdError::Duplicate { id: "ä1".into(), first: 2 }));
        assert_eq!(
            (table.insert("c"), table.get("c"), table.get("b"), table.get("d")),
            (Ok(5), Some(5), Some(4), None)
        );
    }

    #[test]
    fn inconsistent_parts_are_refused() {
        let number = |text: &str, ends: &[u32]| IdTable::from_parts(text.into(), ends.to_vec()).unwrap_err().number;
        assert_eq!(number("abc", &[2, 1, 3]), 1);
        assert_eq!(number("abc", &[4]), 0);
        assert_eq!(number("äb", &[1, 3]), 0, "within a character");
        assert_eq!(number("abc", &[1, 2]), 2, "text left over");
        assert_eq!(number("abc", &[]), 0);
        assert_eq!(number(&"x".repeat(MAX_ID_BYTES + 1), &[MAX_ID_BYTES as u32 + 1]), 0);
    }

    #[test]
    fn ranks_follow_the_order_of_texts() {
        let mut table = IdTable::new();
        for id in ["9", "10", "1", "b", "a"] {
            table.intern(id).unwrap();
        }
        assert_eq!(table.sorted(), [2, 1, 0, 4, 3]);
        assert_eq!(table.ranks(), [2, 1, 0, 4, 3]);
    }
}
