//! Runs code that might not terminate.

use std::panic::resume_unwind;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Time after which work is considered endless; it takes milliseconds on a CPU and seconds on a software device.
const TIMEOUT: Duration = Duration::from_mins(4);

/// Returns the result of `work`. Panics if it takes too long, and abandons its thread.
pub fn with_timeout<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, result) = mpsc::channel();
    // The thread takes the name of its test, because skips are counted by thread name.
    let name = thread::current().name().map(str::to_owned);
    let builder = name.into_iter().fold(thread::Builder::new(), thread::Builder::name);
    let worker = builder.spawn(move || {
        // Sending fails if the receiver has given up.
        let _ = done.send(work());
    });
    let worker = worker.expect("the system starts a thread");
    match result.recv_timeout(TIMEOUT) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("the work did not end within {TIMEOUT:?}"),
        Err(mpsc::RecvTimeoutError::Disconnected) => match worker.join() {
            Err(panic) => resume_unwind(panic),
            Ok(()) => unreachable!("the worker sends a result or panics"),
        },
    }
}
