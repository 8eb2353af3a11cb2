//! Transport modes as small integers.

use throng_core::IdTable;

/// A transport mode such as `car`; index into the scenario's [`ModeTable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModeId(pub u8);

impl ModeId {
    /// The value for "no mode" in arrays and events.
    pub const NONE: Self = Self(u8::MAX);

    /// Maximum number of modes with a bit in the masks of links.
    pub const BITS: u8 = 64;

    /// Returns the bit of this mode in a link's mask of allowed modes. Modes with an id of [`ModeId::BITS`] or
    /// more have none: no link is open to them, and a network with that many modes is rejected.
    pub fn bit(self) -> u64 {
        1_u64.checked_shl(u32::from(self.0)).unwrap_or(0)
    }
}

/// The names of all modes of a scenario, at most 255.
#[derive(Debug, Clone, Default)]
pub struct ModeTable {
    names: IdTable,
}

impl ModeTable {
    /// Returns the mode called `name`, and defines it if it is new. `None` if there are too many modes or the name is
    /// too long for an id.
    pub fn intern(&mut self, name: &str) -> Option<ModeId> {
        if let known @ Some(_) = self.get(name) {
            return known;
        }
        // A name that does not fit must not remain in the table, because its index would wrap.
        if self.names.len() >= usize::from(u8::MAX) {
            return None;
        }
        self.names.intern(name).ok().map(|id| ModeId(id as u8))
    }

    /// Returns the mode called `name`, if any link, leg or setting mentions it.
    pub fn get(&self, name: &str) -> Option<ModeId> {
        self.names.get(name).map(|id| ModeId(id as u8))
    }

    /// Returns the name of `mode`.
    pub fn name(&self, mode: ModeId) -> &str {
        self.names.name(u32::from(mode.0))
    }

    /// Returns the table of the names, by [`ModeId`].
    pub fn table(&self) -> &IdTable {
        &self.names
    }

    /// Iterates over all names in the order of their ids.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter()
    }

    /// Returns the number of modes.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether no mode is defined.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_table_keeps_its_modes() {
        let mut modes = ModeTable::default();
        for i in 0..255 {
            assert_eq!(modes.intern(&format!("m{i}")), Some(ModeId(i)));
        }
        assert_eq!(modes.intern("one more"), None);
        assert_eq!((modes.get("one more"), modes.intern("m254"), modes.len()), (None, Some(ModeId(254)), 255));
    }

    #[test]
    fn no_two_modes_share_a_bit() {
        let all = (0..ModeId::BITS).fold(0, |mask, mode| {
            assert_eq!(mask & ModeId(mode).bit(), 0);
            mask | ModeId(mode).bit()
        });
        assert_eq!(all, u64::MAX);
        assert_eq!((ModeId(64).bit(), ModeId::NONE.bit()), (0, 0));
    }
}
