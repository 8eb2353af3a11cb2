//! When a search ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use throng_core::{InputError, Problems};

/// The largest depth of a search.
pub const MOST_DEPTH: u32 = 63;

/// When a search ends. Every sowing is a move of its own, and counts, also those of a player who moves again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// After so many moves from the board.
    Depth(u32),
    /// When the time is over: the last depth that was finished counts, and a search of one move is always finished.
    Time(Duration),
    /// At this depth or this time, whichever comes first.
    Both(u32, Duration),
}

impl Limit {
    /// Refuses a depth that is not from 1 to [`MOST_DEPTH`], and no time at all.
    ///
    /// # Errors
    /// The value, and what it may be.
    pub fn check(self) -> Result<(), InputError> {
        let mut problems = Problems::new();
        if !(1..=MOST_DEPTH).contains(&self.depth()) {
            let remedy = format!("give a whole number from 1 to {MOST_DEPTH}");
            problems.push("depth", self.depth().to_string(), remedy);
        }
        if self.time() == Some(Duration::ZERO) {
            problems.push("time", "0 s", "give a time above 0");
        }
        problems.into_result()
    }

    /// The depth at which it ends at the latest.
    pub(super) fn depth(self) -> u32 {
        match self {
            Self::Depth(depth) | Self::Both(depth, _) => depth,
            Self::Time(_) => MOST_DEPTH,
        }
    }

    /// The time after which it ends at the latest.
    pub(super) fn time(self) -> Option<Duration> {
        match self {
            Self::Depth(_) => None,
            Self::Time(time) | Self::Both(_, time) => Some(time),
        }
    }
}

/// A search was stopped before it was finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// Stops the threads of a search.
#[derive(Debug, Default)]
pub struct Stop {
    stopped: AtomicBool,
    deadline: Option<Instant>,
}

/// A thread looks at the clock once in so many positions.
const POSITIONS_PER_LOOK: u64 = 2048;

impl Stop {
    /// Stops at this time.
    pub fn at(deadline: Option<Instant>) -> Self {
        Self { stopped: AtomicBool::new(false), deadline }
    }

    /// Stops all threads.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Lets threads search again, until the time is over.
    pub fn go_on(&self) {
        self.stopped.store(false, Ordering::Relaxed);
    }

    /// Whether to go on. `positions` is the number of calls by this thread so far, from 1 on.
    ///
    /// # Errors
    /// When the search was stopped, or the time is over.
    #[inline(always)]
    pub fn check(&self, positions: u64) -> Result<(), Stopped> {
        if positions.is_multiple_of(POSITIONS_PER_LOOK) && self.deadline.is_some_and(|end| Instant::now() >= end) {
            self.stop();
        }
        if self.stopped.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}
