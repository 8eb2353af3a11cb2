//! Which Kalah is played, and how positions are scored: constants of a search, and of the kernels compiled for it.

/// The constants of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Pits of a player.
    pub pits: u32,
    /// Bits of a pit's field in a word.
    pub bits: u32,
    /// Whether the last stone, in an own empty pit, goes to the store also if the opposite pit is empty.
    pub empty_capture: bool,
    /// What a stone in the store adds to the score; one in a pit adds 1.
    pub store_weight: u32,
}

impl Variant {
    /// Pits and own store: the length of a full lap, which leaves out the opponent's store.
    pub const fn lap(self) -> u32 {
        2 * self.pits + 1
    }

    /// The largest number of stones in a field.
    pub const fn most_stones(self) -> u32 {
        (1 << self.bits) - 1
    }
}
