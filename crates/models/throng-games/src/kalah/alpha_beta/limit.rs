//! The limits of a search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use throng_core::{InputError, Problems};

/// Maximum depth of a search.
pub const MAX_DEPTH: u32 = 63;

/// The limit of a search. Every sowing counts as a move, including extra moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// A number of moves from the board.
    Depth(u32),
    /// A duration. The result comes from the last completed depth; depth 1 is always completed. A duration beyond the
    /// range of the system's clock means no limit.
    Time(Duration),
    /// A depth or a duration, whichever is reached first.
    Both(u32, Duration),
}

impl Limit {
    /// Checks that the depth is from 1 to [`MAX_DEPTH`] and the duration is not zero.
    ///
    /// # Errors
    /// The invalid value, with the valid range.
    pub fn check(self) -> Result<(), InputError> {
        let mut problems = Problems::new();
        if !(1..=MAX_DEPTH).contains(&self.depth()) {
            let remedy = format!("give a whole number from 1 to {MAX_DEPTH}");
            problems.push("depth", self.depth().to_string(), remedy);
        }
        if self.time() == Some(Duration::ZERO) {
            problems.push("time", "0 s", "give a time above 0");
        }
        problems.into_result()
    }

    /// Returns the maximum depth.
    pub(super) fn depth(self) -> u32 {
        match self {
            Self::Depth(depth) | Self::Both(depth, _) => depth,
            Self::Time(_) => MAX_DEPTH,
        }
    }

    /// Returns the maximum duration.
    pub(super) fn time(self) -> Option<Duration> {
        match self {
            Self::Depth(_) => None,
            Self::Time(time) | Self::Both(_, time) => Some(time),
        }
    }
}

/// The error of a search that was stopped before it finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// Stops the threads of a search.
#[derive(Debug, Default)]
pub struct Stop {
    stopped: AtomicBool,
    deadline: Option<Instant>,
}

/// Number of positions that a thread searches between two readings of the clock.
const POSITIONS_PER_CHECK: u64 = 2048;

impl Stop {
    /// Creates a stop signal that is raised at `deadline`, if given.
    pub fn at(deadline: Option<Instant>) -> Self {
        Self { stopped: AtomicBool::new(false), deadline }
    }

    /// Stops all threads.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Resets the signal, so that threads can search until the deadline.
    pub fn reset(&self) {
        self.stopped.store(false, Ordering::Relaxed);
    }

    /// Checks whether to continue. `positions` is the number of calls by this thread, including this one.
    ///
    /// # Errors
    /// If the search was stopped, or the deadline has passed.
    #[inline(always)]
    pub fn check(&self, positions: u64) -> Result<(), Stopped> {
        if positions.is_multiple_of(POSITIONS_PER_CHECK) && self.deadline.is_some_and(|end| Instant::now() >= end) {
            self.stop();
        }
        if self.stopped.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}
