//! Which positions threads are searching now, so that they share the work: all threads search the same tree, and a thread
//! puts off a move that another one is searching. By the time it comes back to it, the table may know the value.

use std::sync::atomic::{AtomicU64, Ordering};

const SLOTS: usize = 1 << 12;

/// The positions. A position may be missing, if another one has its slot; that costs time only.
#[derive(Debug)]
pub struct SearchedNow {
    slots: Vec<AtomicU64>,
}

/// A note that a position is being searched; removed when dropped.
#[derive(Debug)]
pub struct Searching<'s>(Option<&'s AtomicU64>);

impl SearchedNow {
    /// None.
    pub fn new() -> Self {
        Self { slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Notes that the position with a number is being searched.
    pub fn begin(&self, number: u64) -> Searching<'_> {
        let slot = self.slot(number);
        let noted = slot.compare_exchange(0, number + 1, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        Searching(noted.then_some(slot))
    }

    /// Whether a thread is searching the position with a number.
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
