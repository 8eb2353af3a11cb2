//! An ordered parallel pipeline: several threads process blocks, and the results are written in the order of the
//! blocks.

use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use throng_core::{panic_text, spawn};

use crate::OutputError;

/// Thread count and capacity of a [`Pipeline`].
#[derive(Debug, Clone, Copy)]
pub struct PipelineSize {
    /// Number of worker threads; one more thread writes.
    pub workers: NonZeroUsize,
    /// Maximum number of blocks sent but not yet written; a producer further ahead blocks. This bounds the memory.
    pub in_flight: NonZeroUsize,
}

impl PipelineSize {
    /// `workers` threads (at least one) and two blocks per thread, so that workers do not wait for the producer.
    pub fn of_workers(workers: usize) -> Self {
        let workers = NonZeroUsize::new(workers).unwrap_or(NonZeroUsize::MIN);
        Self { workers, in_flight: workers.saturating_mul(NonZeroUsize::MIN.saturating_add(1)) }
    }
}

/// Converts blocks of type `T` to output that a writer `W` receives in order.
///
/// The first error of a worker or of the writer stops the pipeline. The next [`Pipeline::send`] and
/// [`Pipeline::finish`] return it. A panic in a thread becomes an error. Dropping a pipeline without calling `finish`
/// discards the queued blocks and joins the threads.
#[derive(Debug)]
pub struct Pipeline<T, W> {
    control: Arc<dyn Control<T>>,
    workers: Vec<JoinHandle<()>>,
    writer: Option<JoinHandle<Option<W>>>,
}

impl<T: Send + 'static, W: Send + 'static> Pipeline<T, W> {
    /// Starts the threads.
    ///
    /// `make_worker` is called once per worker thread, so that each worker has its own buffers. A worker converts a
    /// block to an output, and `write` passes the outputs to `writer` in the order in which the blocks were sent.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub fn start<O, M, F, G>(
        name: &str,
        size: PipelineSize,
        mut writer: W,
        make_worker: M,
        mut write: G,
    ) -> Result<Self, OutputError>
    where
        O: Send + 'static,
        M: Fn() -> F,
        F: FnMut(T) -> Result<O, OutputError> + Send + 'static,
        G: FnMut(&mut W, O) -> Result<(), OutputError> + Send + 'static,
    {
        let shared = Arc::new(Shared::<T, O>::new(size.in_flight.get()));
        let mut pipeline =
            Self { control: Arc::clone(&shared) as Arc<dyn Control<T>>, workers: Vec::new(), writer: None };
        for i in 0..size.workers.get() {
            let (shared, mut work) = (Arc::clone(&shared), make_worker());
            pipeline.workers.push(spawn(&format!("{name}-{i}"), move || {
                while let Some((number, block)) = shared.next_block() {
                    shared.done(number, guarded(|| work(block)));
                }
            })?);
        }
        pipeline.writer = Some(spawn(&format!("{name}-write"), move || {
            while let Some(output) = shared.next_output() {
                shared.written(guarded(|| write(&mut writer, output)));
            }
            (!shared.failed()).then_some(writer)
        })?);
        Ok(pipeline)
    }

    /// Sends the next block; blocks while too many are in flight.
    ///
    /// # Errors
    /// The first error of a worker or of the writer.
    pub fn send(&mut self, block: T) -> Result<(), OutputError> {
        self.control.send(block)
    }

    /// Waits until everything is written and returns the writer.
    ///
    /// # Errors
    /// The first error of a worker or of the writer.
    pub fn finish(mut self) -> Result<W, OutputError> {
        self.control.close(false);
        self.join()
            .ok_or_else(|| self.control.error().unwrap_or_else(|| OutputError::Panicked("no cause is known".into())))
    }

    fn join(&mut self) -> Option<W> {
        for worker in self.workers.drain(..) {
            // Worker and writer bodies catch panics; a join can fail only due to a bug in this file, in which case
            // there is no writer to return either.
            let _ = worker.join();
        }
        self.writer.take().and_then(|writer| writer.join().ok()).flatten()
    }
}

impl<T, W> Drop for Pipeline<T, W> {
    fn drop(&mut self) {
        self.control.close(true);
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

/// The producer's view of the shared state; hides the type of the outputs.
trait Control<T>: Send + Sync + std::fmt::Debug {
    fn send(&self, block: T) -> Result<(), OutputError>;
    fn close(&self, abandon: bool);
    fn error(&self) -> Option<OutputError>;
}

struct Shared<T, O> {
    state: Mutex<State<T, O>>,
    /// Signalled when there is space for a block.
    room: Condvar,
    /// Signalled when a block is queued.
    queued: Condvar,
    /// Signalled when the next output may be available.
    ready: Condvar,
}

struct State<T, O> {
    queue: VecDeque<(u64, T)>,
    outputs: BTreeMap<u64, O>,
    sent: u64,
    written: u64,
    in_flight_limit: u64,
    closed: bool,
    abandoned: bool,
    error: Option<OutputError>,
}

impl<T, O> State<T, O> {
    fn stopped(&self) -> bool {
        self.abandoned || self.error.is_some()
    }
}

impl<T, O> Shared<T, O> {
    fn new(in_flight: usize) -> Self {
        let state = State {
            queue: VecDeque::new(),
            outputs: BTreeMap::new(),
            sent: 0,
            written: 0,
            in_flight_limit: in_flight as u64,
            closed: false,
            abandoned: false,
            error: None,
        };
        Self { state: Mutex::new(state), room: Condvar::new(), queued: Condvar::new(), ready: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<T, O>> {
        // No foreign code runs under the lock, so a poisoned state is still consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_block(&self) -> Option<(u64, T)> {
        let mut state = self.lock();
        loop {
            if state.stopped() {
                return None;
            }
            if let Some(block) = state.queue.pop_front() {
                return Some(block);
            }
            if state.closed {
                return None;
            }
            state = self.queued.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn done(&self, number: u64, result: Result<O, OutputError>) {
        match result {
            Ok(output) => {
                self.lock().outputs.insert(number, output);
                self.ready.notify_one();
            }
            Err(error) => self.fail(error),
        }
    }

    fn next_output(&self) -> Option<O> {
        let mut state = self.lock();
        loop {
            if state.stopped() {
                return None;
            }
            let next = state.written;
            if let Some(output) = state.outputs.remove(&next) {
                return Some(output);
            }
            if state.closed && state.written == state.sent {
                return None;
            }
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn written(&self, result: Result<(), OutputError>) {
        match result {
            Ok(()) => {
                self.lock().written += 1;
                self.room.notify_one();
            }
            Err(error) => self.fail(error),
        }
    }

    fn fail(&self, error: OutputError) {
        self.lock().error.get_or_insert(error);
        self.wake_all();
    }

    fn failed(&self) -> bool {
        self.lock().stopped()
    }

    fn wake_all(&self) {
        self.room.notify_all();
        self.queued.notify_all();
        self.ready.notify_all();
    }
}

impl<T: Send, O: Send> Control<T> for Shared<T, O> {
    fn send(&self, block: T) -> Result<(), OutputError> {
        let mut state = self.lock();
        loop {
            if let Some(error) = &state.error {
                return Err(error.clone());
            }
            if state.sent - state.written < state.in_flight_limit {
                break;
            }
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let number = state.sent;
        state.sent += 1;
        state.queue.push_back((number, block));
        drop(state);
        self.queued.notify_one();
        Ok(())
    }

    fn close(&self, abandon: bool) {
        let mut state = self.lock();
        state.closed = true;
        state.abandoned |= abandon;
        drop(state);
        self.wake_all();
    }

    fn error(&self) -> Option<OutputError> {
        self.lock().error.clone()
    }
}

impl<T, O> std::fmt::Debug for Shared<T, O> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.lock();
        f.debug_struct("Pipeline").field("sent", &state.sent).field("written", &state.written).finish_non_exhaustive()
    }
}

/// Runs `body` and turns a panic into an error, so that the other threads stop.
pub(crate) fn guarded<R>(body: impl FnOnce() -> Result<R, OutputError>) -> Result<R, OutputError> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(OutputError::Panicked(panic_text(panic.as_ref()))))
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    fn full() -> OutputError {
        OutputError::io("write", Path::new("x"), io::ErrorKind::StorageFull.into())
    }

    #[test]
    fn outputs_keep_the_order_of_the_blocks() {
        let make = || {
            |n: u64| {
                std::thread::sleep(Duration::from_micros(n * 7 % 50));
                Ok(n * n)
            }
        };
        let mut pipeline =
            Pipeline::start("t", PipelineSize::of_workers(4), Vec::new(), make, |all: &mut Vec<u64>, o| {
                all.push(o);
                Ok(())
            })
            .unwrap();
        for n in 0..500 {
            pipeline.send(n).unwrap();
        }
        assert_eq!(pipeline.finish().unwrap(), (0..500).map(|n| n * n).collect::<Vec<u64>>());
    }

    #[test]
    fn a_slow_writer_limits_the_producer() {
        let alive = Arc::new(AtomicUsize::new(0));
        let size = PipelineSize { workers: NonZeroUsize::new(3).unwrap(), in_flight: NonZeroUsize::new(5).unwrap() };
        let counter = Arc::clone(&alive);
        let mut pipeline = Pipeline::start(
            "t",
            size,
            0u32,
            || Ok,
            move |sum: &mut u32, n: u32| {
                std::thread::sleep(Duration::from_micros(200));
                counter.fetch_sub(1, Ordering::SeqCst);
                *sum += n;
                Ok(())
            },
        )
        .unwrap();
        for n in 0..100 {
            // Counted before it is sent: the writer may have processed it before `send` returns.
            assert!(alive.fetch_add(1, Ordering::SeqCst) < 6);
            pipeline.send(n).unwrap();
        }
        assert_eq!(pipeline.finish().unwrap(), 4950);
    }

    #[test]
    fn writer_errors_stop_the_producer_and_are_returned() {
        let mut pipeline = Pipeline::start(
            "t",
            PipelineSize::of_workers(2),
            0,
            || Ok,
            |count: &mut u32, _: u32| {
                *count += 1;
                if *count == 4 { Err(full()) } else { Ok(()) }
            },
        )
        .unwrap();
        let refused = (0..1000).find_map(|n| pipeline.send(n).err()).expect("the error reaches the producer");
        assert!(refused.to_string().contains("cannot write x"), "{refused}");
        assert!(pipeline.finish().unwrap_err().to_string().contains("cannot write x"));
    }

    #[test]
    fn errors_after_the_last_block_are_returned_by_finish() {
        let mut pipeline = Pipeline::start(
            "t",
            PipelineSize::of_workers(1),
            (),
            || Ok,
            |(): &mut (), n: u32| {
                if n == 1 { Err(full()) } else { Ok(()) }
            },
        )
        .unwrap();
        pipeline.send(0).unwrap();
        pipeline.send(1).unwrap();
        assert!(matches!(pipeline.finish(), Err(OutputError::Io { .. })));
    }

    #[test]
    fn a_panic_becomes_an_error() {
        let make = || |n: u32| if n == 3 { panic!("block {n} is bad") } else { Ok(n) };
        let mut pipeline =
            Pipeline::start("t", PipelineSize::of_workers(2), (), make, |(): &mut (), _: u32| Ok(())).unwrap();
        let refused = (0..1000).find_map(|n| pipeline.send(n).err()).expect("the error reaches the producer");
        assert!(matches!(refused, OutputError::Panicked(text) if text == "block 3 is bad"));
    }

    #[test]
    fn a_dropped_pipeline_joins_its_threads() {
        let alive = Arc::new(());
        let held = Arc::clone(&alive);
        let write = move |(): &mut (), _: u32| {
            std::thread::sleep(Duration::from_millis(5));
            let _ = &held;
            Ok(())
        };
        let mut pipeline = Pipeline::start("t", PipelineSize::of_workers(2), (), || Ok, write).unwrap();
        pipeline.send(1).unwrap();
        drop(pipeline);
        assert_eq!(Arc::strong_count(&alive), 1, "the writing thread has ended and dropped its captures");
    }
}
