//! Tests of code that might never end.

use std::panic::resume_unwind;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// After so long something is taken for endless; on a CPU it takes milliseconds, on a software device seconds.
const PATIENCE: Duration = Duration::from_mins(4);

/// The result of `work`. Panics when that takes too long, and then abandons the thread.
pub fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, result) = mpsc::channel();
    // The thread takes the name of its test, because skips are counted by thread name.
    let name = thread::current().name().map(str::to_owned);
    let builder = name.into_iter().fold(thread::Builder::new(), thread::Builder::name);
    let worker = builder.spawn(move || {
        // Nothing receives it any more when it took too long.
        let _ = done.send(work());
    });
    let worker = worker.expect("the system starts a thread");
    match result.recv_timeout(PATIENCE) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("it does not end"),
        Err(mpsc::RecvTimeoutError::Disconnected) => match worker.join() {
            Err(panic) => resume_unwind(panic),
            Ok(()) => unreachable!("it sends a result or panics"),
        },
    }
}
