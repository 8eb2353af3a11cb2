//! Faults of the search, for tests of the verification cases. Other builds contain no code for them.

/// A fault of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Cuts off at one below the upper end of the window.
    CutsOneTooEarly,
    /// Uses table entries of any depth.
    TableIgnoresDepth,
    /// Takes bounds in the table for exact values.
    TableIgnoresBounds,
    /// Finds the entry of the position in which the players have exchanged their pits.
    TableIgnoresSide,
}

impl Fault {
    /// Whether this is the fault of a search.
    #[inline(always)]
    pub fn is(self, fault: Option<Self>) -> bool {
        cfg!(test) && fault == Some(self)
    }
}
