//! Transport modes as small integers.

use throng_core::IdTable;

/// A transport mode such as `car`; index into the scenario's [`ModeTable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModeId(pub u8);

impl ModeId {
    /// Stands for "no mode" in arrays and events.
    pub const NONE: Self = Self(u8::MAX);

    /// The bit of this mode in a link's mask of allowed modes. Modes beyond 63 share the last bit.
    pub fn bit(self) -> u64 {
        1 << self.0.min(63)
    }
}

/// The names of all modes of a scenario, at most 255.
#[derive(Debug, Clone, Default)]
pub struct ModeTable {
    names: IdTable,
}

impl ModeTable {
    /// The mode called `name`; defines it when it is new. `None` when there are too many modes.
    pub fn intern(&mut self, name: &str) -> Option<ModeId> {
        let id = self.names.intern(name);
        u8::try_from(id).ok().filter(|&id| id != u8::MAX).map(ModeId)
    }

    /// The mode called `name`, if any link, leg or setting mentions it.
    pub fn get(&self, name: &str) -> Option<ModeId> {
        self.names.get(name).map(|id| ModeId(id as u8))
    }

    /// The name of `mode`.
    pub fn name(&self, mode: ModeId) -> &str {
        self.names.name(u32::from(mode.0))
    }

    /// The number of modes.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True when no mode is defined.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
