//! A pool of threads that executes one task after another on all partitions.
//!
//! Partitions are not bound to threads: the first free thread claims the next one. A thread that the operating system
//! has suspended delays the others only if it was processing a partition, so on a busy machine several threads are
//! hardly slower than one. The coordinator starts the tasks and also works on them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use throng_core::panic_text;

use super::partition::Partition;

/// A task for each partition. It starts only after the previous task is complete on all partitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Task {
    /// Starts a step: network changes, ends of activities, nodes.
    Nodes,
    /// Receives vehicles from other partitions and steps links.
    Links,
    /// Ends the legs of teleported agents; repeated when some have arrived in another partition in the same step.
    Teleports,
    /// Hashes the state.
    Hash,
    /// Aborts the remaining agents.
    Abort,
}

impl Task {
    const ALL: [Self; 5] = [Self::Nodes, Self::Links, Self::Teleports, Self::Hash, Self::Abort];

    fn execute(self, part: &mut Partition<'_>, step: i64) {
        match self {
            Self::Nodes => {
                part.begin(step);
                part.change_links();
                part.end_activities();
                part.mark();
                part.cross_nodes();
                part.mark();
            }
            Self::Links => {
                part.receive_vehicles();
                part.step_links();
                part.mark();
            }
            Self::Teleports => {
                part.receive_upstream_messages();
                part.receive_teleports();
                part.end_teleports();
                part.mark();
            }
            Self::Hash => part.hashed = part.hash(),
            Self::Abort => {
                part.events.clear();
                part.phase_ends.clear();
                // Agents sent in the last phase are still in the mailboxes.
                part.receive_teleports();
                part.abort_all();
            }
        }
    }
}

/// The partitions and the state of the threads that work on them.
pub(super) struct WorkerPool<'a> {
    parts: Vec<Mutex<Partition<'a>>>,
    /// Index of the current task, counted from 1.
    generation: AtomicU64,
    task: AtomicU8,
    step: AtomicI64,
    /// For each partition, the generation of the last task that a thread has claimed.
    claimed: Vec<CachePadded>,
    /// Number of partitions on which the current task is complete.
    completed: AtomicUsize,
    shut_down: AtomicBool,
    panic: Mutex<Option<String>>,
    idle_workers: Parking,
    idle_coordinator: Parking,
}

/// A counter on its own cache line, because other threads write to its neighbours.
#[derive(Debug, Default)]
#[repr(align(64))]
struct CachePadded(AtomicU64);

impl<'a> WorkerPool<'a> {
    pub fn new(parts: Vec<Partition<'a>>) -> Self {
        // With more threads than cores, a spinning thread may occupy the core that the awaited thread needs.
        let cores = throng_core::available_threads();
        let spins = if parts.len() > cores { 0 } else { 2000 };
        Self {
            generation: AtomicU64::new(0),
            task: AtomicU8::new(0),
            step: AtomicI64::new(0),
            claimed: parts.iter().map(|_| CachePadded::default()).collect(),
            completed: AtomicUsize::new(0),
            shut_down: AtomicBool::new(false),
            panic: Mutex::new(None),
            idle_workers: Parking::new(spins),
            idle_coordinator: Parking::new(spins),
            parts: parts.into_iter().map(Mutex::new).collect(),
        }
    }

    /// Executes `task` on all partitions, on the calling thread alone if `sequential`. The calling thread, which must
    /// be the coordinator, runs `meanwhile` after starting the workers.
    ///
    /// # Errors
    /// Returns the panic message if a task panics.
    pub fn execute(&self, task: Task, step: i64, sequential: bool, meanwhile: impl FnOnce()) -> Result<(), String> {
        if sequential {
            meanwhile();
            (0..self.parts.len()).for_each(|p| self.execute_on(p, task, step));
            return self.take_panic();
        }
        self.task.store(task as u8, Ordering::Relaxed);
        self.step.store(step, Ordering::Relaxed);
        self.completed.store(0, Ordering::Relaxed);
        let generation = self.generation.fetch_add(1, Ordering::SeqCst) + 1;
        self.idle_workers.unpark_all();
        meanwhile();
        self.work(generation, 0);
        self.idle_coordinator.wait_until(|| self.completed.load(Ordering::SeqCst) == self.parts.len());
        self.take_panic()
    }

    fn take_panic(&self) -> Result<(), String> {
        self.panic.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    /// Executes a task on one partition and records a panic.
    fn execute_on(&self, p: usize, task: Task, step: i64) {
        let result = catch_unwind(AssertUnwindSafe(|| task.execute(&mut self.part(p), step)));
        if let Err(panic) = result {
            let mut first = self.panic.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert_with(|| panic_text(panic.as_ref()));
        }
    }

    /// Runs a worker thread until the pool is shut down. `slot` is the partition that the worker tries first.
    pub fn run_worker(&self, slot: usize) {
        let mut generation = 0;
        loop {
            self.idle_workers.wait_until(|| {
                self.shut_down.load(Ordering::SeqCst) || self.generation.load(Ordering::SeqCst) != generation
            });
            if self.shut_down.load(Ordering::SeqCst) {
                return;
            }
            generation = self.generation.load(Ordering::SeqCst);
            self.work(generation, slot);
        }
    }

    /// Claims and processes partitions until all are claimed for this generation.
    fn work(&self, generation: u64, slot: usize) {
        let parts = self.parts.len();
        for p in (slot..parts).chain(0..slot) {
            // A load is cheaper than a failed exchange, which takes the cache line away from other threads.
            if self.claimed[p].0.load(Ordering::Relaxed) != generation - 1 {
                continue;
            }
            // The exchange succeeds only while the task is current: the next task starts after all partitions have been
            // claimed.
            let claim =
                self.claimed[p].0.compare_exchange(generation - 1, generation, Ordering::AcqRel, Ordering::Relaxed);
            if claim.is_err() {
                continue;
            }
            let task = Task::ALL[usize::from(self.task.load(Ordering::Relaxed))];
            self.execute_on(p, task, self.step.load(Ordering::Relaxed));
            if self.completed.fetch_add(1, Ordering::SeqCst) + 1 == parts {
                self.idle_coordinator.unpark_all();
            }
        }
    }

    /// Locks a partition. Between tasks no other thread holds its lock.
    pub fn part(&self, p: usize) -> MutexGuard<'_, Partition<'a>> {
        // After a panic the run ends with its message; the state is not used again.
        self.parts[p].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks all partitions, one after the other.
    pub fn parts(&self) -> impl Iterator<Item = MutexGuard<'_, Partition<'a>>> {
        (0..self.parts.len()).map(|p| self.part(p))
    }

    /// Ends all workers.
    pub fn shut_down(&self) {
        self.shut_down.store(true, Ordering::SeqCst);
        self.idle_workers.unpark_all();
    }
}

/// Lets threads wait for a condition that usually becomes true within microseconds: they spin, then yield, then park.
#[derive(Debug)]
struct Parking {
    /// Number of spin iterations; 2000 take about 20 microseconds.
    spins: u32,
    /// Number of threads that are parked or about to park.
    parked: AtomicUsize,
    lock: Mutex<()>,
    unparked: Condvar,
}

/// Number of times a waiting thread yields before it parks and leaves the core to other threads.
const YIELDS: u32 = 16;

impl Parking {
    fn new(spins: u32) -> Self {
        Self { spins, parked: AtomicUsize::new(0), lock: Mutex::new(()), unparked: Condvar::new() }
    }

    /// Returns when `condition` holds. A thread that makes it true must call [`Parking::unpark_all`] afterwards.
    fn wait_until(&self, condition: impl Fn() -> bool) {
        for round in 0..self.spins + YIELDS {
            if condition() {
                return;
            }
            if round < self.spins {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
        // Incremented before the last check, so that either this check sees the condition, or `unpark_all` sees this
        // thread.
        self.parked.fetch_add(1, Ordering::SeqCst);
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !condition() {
            guard = self.unparked.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        drop(guard);
        self.parked.fetch_sub(1, Ordering::SeqCst);
    }

    fn unpark_all(&self) {
        if self.parked.load(Ordering::SeqCst) > 0 {
            drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
            self.unparked.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wakeup_reaches_its_thread() {
        // Without spinning, all threads park whenever they wait.
        for spins in [0, 2000] {
            let parking = Parking::new(spins);
            let next = AtomicUsize::new(0);
            std::thread::scope(|scope| {
                for thread in 0..3 {
                    let (parking, next) = (&parking, &next);
                    scope.spawn(move || {
                        for round in 0..300 {
                            parking.wait_until(|| next.load(Ordering::SeqCst) == round * 3 + thread);
                            next.fetch_add(1, Ordering::SeqCst);
                            parking.unpark_all();
                        }
                    });
                }
            });
            assert_eq!(next.load(Ordering::SeqCst), 900);
        }
    }
}
