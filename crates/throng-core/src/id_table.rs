//! Text ids and their dense indices.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use thiserror::Error;

/// An id was defined twice.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("id \"{id}\" is already defined")]
pub struct DuplicateId {
    /// The id in question.
    pub id: String,
    /// The index of its first definition.
    pub first: u32,
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

    /// The index of `id`; defines it when it is new.
    pub fn intern(&mut self, id: &str) -> u32 {
        match self.insert(id) {
            Ok(index) => index,
            Err(duplicate) => duplicate.first,
        }
    }

    /// Defines a new `id`.
    ///
    /// # Errors
    /// [`DuplicateId`] when it is defined already.
    pub fn insert(&mut self, id: &str) -> Result<u32, DuplicateId> {
        if let Some(first) = self.get(id) {
            return Err(DuplicateId { id: id.to_owned(), first });
        }
        let index = self.ends.len() as u32;
        self.text.push_str(id);
        self.ends.push(u32::try_from(self.text.len()).expect("the ids of one kind take less than 4 GiB"));
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
        assert_eq!(table.insert("link_7"), Err(DuplicateId { id: "link_7".into(), first: 7 }));
        assert_eq!(table.intern("link_7"), 7);
        assert_eq!(table.get("link_999"), Some(999));
        assert_eq!(table.get("link_1000"), None);
        assert_eq!(table.name(10), "link_10");
        assert_eq!(table.iter().nth(3), Some("link_3"));
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
