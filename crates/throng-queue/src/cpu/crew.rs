//! Threads that carry out one order after the other on all partitions.
//!
//! No thread owns a partition: the first free thread takes the next one. A thread that the operating system has suspended
//! delays the others only if it stopped in the middle of a partition; on a busy machine several threads are then hardly
//! slower than one. The leading thread gives the orders and works, too.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use throng_core::panic_text;

use super::partition::Partition;

/// What is done to each partition; between two of them all partitions are through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Order {
    /// A step begins: changes of the network, ends of activities, nodes.
    Nodes,
    /// Vehicles from other partitions are taken in, links are stepped.
    Links,
    /// Teleported agents arrive; once more when some have arrived in another partition in this very step.
    Teleports,
    /// The state is hashed.
    Hash,
    /// The agents that are left are aborted.
    Abort,
}

impl Order {
    const ALL: [Self; 5] = [Self::Nodes, Self::Links, Self::Teleports, Self::Hash, Self::Abort];

    fn carry_out(self, part: &mut Partition<'_>, step: i64) {
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
                part.receive_inlets();
                part.receive_teleports();
                part.end_teleports();
                part.mark();
            }
            Self::Hash => part.hashed = part.hash(),
            Self::Abort => {
                part.events.clear();
                part.marks.clear();
                // Agents sent away in the last phase have not been received by anybody yet.
                part.receive_teleports();
                part.abort_all();
                part.mark();
            }
        }
    }
}

/// The partitions, and who works on them.
pub(super) struct Crew<'a> {
    parts: Vec<Mutex<Partition<'a>>>,
    /// The number of the present order, from 1.
    number: AtomicU64,
    order: AtomicU8,
    step: AtomicI64,
    /// The number of the last order for which somebody has taken each partition.
    taken: Vec<Apart>,
    /// Partitions that are through with the present order.
    done: AtomicUsize,
    over: AtomicBool,
    panic: Mutex<Option<String>>,
    helpers: WaitingRoom,
    lead: WaitingRoom,
}

/// On a cache line of its own: neighbours are written by other threads.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Apart(AtomicU64);

impl<'a> Crew<'a> {
    pub fn new(parts: Vec<Partition<'a>>) -> Self {
        // With more threads than cores the one that is waited for may need this very core.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let patience = if parts.len() > cores { 0 } else { 2000 };
        Self {
            number: AtomicU64::new(0),
            order: AtomicU8::new(0),
            step: AtomicI64::new(0),
            taken: parts.iter().map(|_| Apart::default()).collect(),
            done: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            panic: Mutex::new(None),
            helpers: WaitingRoom::new(patience),
            lead: WaitingRoom::new(patience),
            parts: parts.into_iter().map(Mutex::new).collect(),
        }
    }

    /// Has `order` carried out on all partitions, by the leading thread alone where that is `little` work. `meanwhile` is
    /// done by the leading thread while the others have begun.
    ///
    /// # Errors
    /// The message of a panic.
    pub fn carry_out(&self, order: Order, step: i64, little: bool, meanwhile: impl FnOnce()) -> Result<(), String> {
        if little {
            meanwhile();
            (0..self.parts.len()).for_each(|p| self.attempt(p, order, step));
            return self.panic();
        }
        self.order.store(order as u8, Ordering::Relaxed);
        self.step.store(step, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        let number = self.number.fetch_add(1, Ordering::SeqCst) + 1;
        self.helpers.call();
        meanwhile();
        self.work(number, 0);
        self.lead.wait(|| self.done.load(Ordering::SeqCst) == self.parts.len());
        self.panic()
    }

    fn panic(&self) -> Result<(), String> {
        self.panic.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    /// Carries out an order on a partition; a panic is kept.
    fn attempt(&self, p: usize, order: Order, step: i64) {
        let result = catch_unwind(AssertUnwindSafe(|| order.carry_out(&mut self.part(p), step)));
        if let Err(panic) = result {
            let mut first = self.panic.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert_with(|| panic_text(panic.as_ref()));
        }
    }

    /// Works along until the end; `seat` is the partition that is looked at first.
    pub fn help(&self, seat: usize) {
        let mut number = 0;
        loop {
            self.helpers.wait(|| self.over.load(Ordering::SeqCst) || self.number.load(Ordering::SeqCst) != number);
            if self.over.load(Ordering::SeqCst) {
                return;
            }
            number = self.number.load(Ordering::SeqCst);
            self.work(number, seat);
        }
    }

    /// Takes partitions that no thread has taken yet for this order.
    fn work(&self, number: u64, seat: usize) {
        let parts = self.parts.len();
        for p in (seat..parts).chain(0..seat) {
            // A look is cheaper than an attempt, which takes the cache line away from others.
            if self.taken[p].0.load(Ordering::Relaxed) != number - 1 {
                continue;
            }
            // Succeeds only while the order is the present one: the next is given when all partitions are taken.
            if self.taken[p].0.compare_exchange(number - 1, number, Ordering::AcqRel, Ordering::Relaxed).is_err() {
                continue;
            }
            let order = Order::ALL[usize::from(self.order.load(Ordering::Relaxed))];
            self.attempt(p, order, self.step.load(Ordering::Relaxed));
            if self.done.fetch_add(1, Ordering::SeqCst) + 1 == parts {
                self.lead.call();
            }
        }
    }

    /// One partition. Between orders no other thread has it.
    pub fn part(&self, p: usize) -> MutexGuard<'_, Partition<'a>> {
        // After a panic the run ends with its message; the state is not used any more.
        self.parts[p].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All partitions, in order.
    pub fn parts(&self) -> impl Iterator<Item = MutexGuard<'_, Partition<'a>>> {
        (0..self.parts.len()).map(|p| self.part(p))
    }

    /// Sends the helpers home.
    pub fn dismiss(&self) {
        self.over.store(true, Ordering::SeqCst);
        self.helpers.call();
    }
}

/// Where threads wait for something that mostly happens within microseconds: they spin, then yield their core, then
/// sleep.
#[derive(Debug)]
struct WaitingRoom {
    /// Rounds of spinning; 2000 are about 20 microseconds.
    patience: u32,
    /// Threads that sleep or are about to.
    sleepers: AtomicUsize,
    bed: Mutex<()>,
    bell: Condvar,
}

/// Rounds of yielding before a thread sleeps: after many of them somebody else needs the core.
const YIELDS: u32 = 16;

impl WaitingRoom {
    fn new(patience: u32) -> Self {
        Self { patience, sleepers: AtomicUsize::new(0), bed: Mutex::new(()), bell: Condvar::new() }
    }

    /// Returns when `happened`. The thread that makes it happen then calls [`WaitingRoom::call`].
    fn wait(&self, happened: impl Fn() -> bool) {
        for round in 0..self.patience + YIELDS {
            if happened() {
                return;
            }
            if round < self.patience {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
        // Announced before the last look, so that a caller either sees this sleeper or is seen by it.
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let mut bed = self.bed.lock().unwrap_or_else(PoisonError::into_inner);
        while !happened() {
            bed = self.bell.wait(bed).unwrap_or_else(PoisonError::into_inner);
        }
        drop(bed);
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    fn call(&self) {
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            drop(self.bed.lock().unwrap_or_else(PoisonError::into_inner));
            self.bell.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_misses_the_call() {
        // Without patience all threads sleep whenever they wait.
        for patience in [0, 2000] {
            let room = WaitingRoom::new(patience);
            let turn = AtomicUsize::new(0);
            std::thread::scope(|scope| {
                for me in 0..3 {
                    let (room, turn) = (&room, &turn);
                    scope.spawn(move || {
                        for round in 0..300 {
                            room.wait(|| turn.load(Ordering::SeqCst) == round * 3 + me);
                            turn.fetch_add(1, Ordering::SeqCst);
                            room.call();
                        }
                    });
                }
            });
            assert_eq!(turn.load(Ordering::SeqCst), 900);
        }
    }
}
