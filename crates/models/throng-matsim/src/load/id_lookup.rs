//! Fast lookup of ids in plans files.

use throng_core::IdTable;

/// Maximum length of an id that fits into a key, in bytes.
const SHORT: usize = 8;

/// Finds ids in an [`IdTable`]; short ids are compared as integers.
///
/// Routes make up most of a plans file. Looking up their ids here takes about a third of the time of a lookup in the
/// table itself, which hashes bytes and compares strings.
#[derive(Debug)]
pub(super) struct IdLookup<'a> {
    table: &'a IdTable,
    // Open addressing with at least half of the slots empty; the key 0 marks an empty slot.
    slots: Vec<(u64, u32)>,
    shift: u32,
}

/// An id in a list of ids.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListedId<'t> {
    /// Id as it appears in the list.
    pub(super) text: &'t str,
    /// Bytes of the id as an integer; 0 if the id is too long.
    key: u64,
}

impl<'a> IdLookup<'a> {
    pub(super) fn new(table: &'a IdTable) -> Self {
        let bits = (table.len() * 2).next_power_of_two().trailing_zeros().max(4);
        let slots = 1_usize << bits;
        let mut lookup = Self { table, slots: vec![(0, 0); slots], shift: 64 - bits };
        for (index, id) in table.iter().enumerate() {
            let key = list(id).next().filter(|first| first.text == id).map_or(0, |first| first.key);
            if key != 0 {
                let slot = lookup.slot(key);
                lookup.slots[slot] = (key, index as u32);
            }
        }
        lookup
    }

    /// Returns the index of an id, if it is defined.
    #[inline]
    pub(super) fn get(&self, id: ListedId<'_>) -> Option<u32> {
        if id.key == 0 {
            return self.table.get(id.text);
        }
        let (key, index) = self.slots[self.slot(id.key)];
        (key == id.key).then_some(index)
    }

    /// Returns the index of the id `text`, which may contain blanks, if it is defined.
    #[inline]
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        match list(text).next() {
            Some(id) if id.text.len() == text.len() => self.get(id),
            _ => self.table.get(text),
        }
    }

    /// Returns the slot of a key, or the empty slot where it belongs.
    #[inline]
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        // Ids differ mostly in their last bytes, which are the high bits of the key: fold them down first.
        let mut slot = ((key ^ (key >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        while self.slots[slot].0 != 0 && self.slots[slot].0 != key {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

/// Iterates over the ids of a list separated by whitespace.
#[inline]
pub(super) fn list(text: &str) -> Ids<'_> {
    Ids { text, at: 0 }
}

/// See [`list`].
#[derive(Debug, Clone)]
pub(super) struct Ids<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Ids<'t> {
    type Item = ListedId<'t>;

    #[inline]
    fn next(&mut self) -> Option<ListedId<'t>> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        while at < bytes.len() && bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        let start = at;
        let mut key = 0_u64;
        let mut bits = 0;
        while at < bytes.len() && !bytes[at].is_ascii_whitespace() {
            // Beyond eight bytes, the key is not used.
            key |= u64::from(bytes[at]) << (bits & 63);
            bits += 8;
            at += 1;
        }
        self.at = at;
        if at - start > SHORT {
            key = 0;
        }
        // Spaces are single bytes, so both ends are character boundaries.
        let text = self.text.get(start..at).filter(|text| !text.is_empty())?;
        Some(ListedId { text, key })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_ids_are_found() {
        let mut table = IdTable::new();
        let ids = ["1", "12345678", "123456789", "ä", "a b", "", "link_with_a_long_name"];
        for id in ids {
            table.insert(id).unwrap();
        }
        for i in 0..5000 {
            table.intern(&format!("n{i}")).unwrap();
        }
        let lookup = IdLookup::new(&table);
        let found: Vec<_> = list(" 1\n12345678\t123456789  ä n4999 n5000 12345 link_with_a_long_name ")
            .map(|id| lookup.get(id))
            .collect();
        let last = table.get("n4999");
        assert_eq!(found, [Some(0), Some(1), Some(2), Some(3), last, None, None, Some(6)]);
        assert!(list(" \n ").next().is_none());
        for (index, id) in table.iter().enumerate() {
            assert_eq!(lookup.find(id), Some(index as u32));
        }
        assert_eq!(lookup.find("a c"), None);
    }

    #[test]
    fn an_empty_table_finds_nothing() {
        let table = IdTable::new();
        assert_eq!(IdLookup::new(&table).get(list("a").next().unwrap()), None);
    }
}
