//! The positions that threads are currently searching. All threads search the same tree; to share the work, a thread
//! defers a move that another thread is searching. When it returns to the move, the table may have its value.

use std::sync::atomic::{AtomicU64, Ordering};

const SLOTS: usize = 1 << 12;

/// A set of positions. A position whose slot is occupied is not stored; this affects only the duration of the search.
#[derive(Debug)]
pub struct PositionsInProgress {
    slots: Vec<AtomicU64>,
}

/// Marks a position as being searched; dropping it removes the mark.
#[derive(Debug)]
pub struct Searching<'s>(Option<&'s AtomicU64>);

impl PositionsInProgress {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self { slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Marks the position with this key.
    pub fn begin(&self, number: u64) -> Searching<'_> {
        let slot = self.slot(number);
        let noted = slot.compare_exchange(0, number + 1, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        Searching(noted.then_some(slot))
    }

    /// Whether a thread is searching the position with this key.
    pub fn contains(&self, number: u64) -> bool {
        self.slot(number).load(Ordering::Relaxed) == number + 1
    }

    fn slot(&self, number: u64) -> &AtomicU64 {
        &self.slots[(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize]
    }
}

impl Drop for Searching<'_> {
    fn drop(&mut self) {
        if let Some(slot) = self.0 {
            slot.store(0, Ordering::Relaxed);
        }
    }
}
