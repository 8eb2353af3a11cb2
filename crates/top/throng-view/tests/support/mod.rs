//! Helpers for the tests of the server and of the page.

pub mod chromium;
pub mod client;
pub mod gradient;

use std::thread;
use std::time::{Duration, Instant};

/// Timeout of tests; machines that are busy with other tests are slow.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// Waits until a condition holds.
///
/// # Panics
/// If it takes longer than [`PATIENCE`].
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "waited in vain until {what}");
        thread::sleep(Duration::from_millis(5));
    }
}
