//! The constants of the rules and of the score; searches and their kernels are compiled for them.

/// The constants of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Pits per player.
    pub pits: u32,
    /// Bits of a pit's field in a word.
    pub bits: u32,
    /// Whether a last stone that falls into an empty pit of its player goes to the store even if the opposite pit is
    /// empty.
    pub empty_capture: bool,
    /// The weight of a stone in the store; a stone in a pit weighs 1.
    pub store_weight: u32,
}

impl Variant {
    /// Returns the number of cells of a full lap: all pits and the mover's store.
    pub const fn lap(self) -> u32 {
        2 * self.pits + 1
    }

    /// Returns the maximum number of stones in a field.
    pub const fn most_stones(self) -> u32 {
        (1 << self.bits) - 1
    }
}
