//! What the tests of the server and those of the page share.

pub mod chromium;
pub mod client;
pub mod gradient;

use std::thread;
use std::time::{Duration, Instant};

/// The time after which a test gives up. Machines that are busy with other tests are slow.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// Waits until something is so.
///
/// # Panics
/// When it takes too long.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "waited in vain until {what}");
        thread::sleep(Duration::from_millis(5));
    }
}
