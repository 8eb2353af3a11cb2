//! How partitions talk: mailboxes that are filled before a barrier and emptied after it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::agents::Teleport;
use super::vehicle::Moving;

/// What one partition tells another.
#[derive(Debug, Default)]
pub(super) struct Mail {
    /// Vehicles that enter a link of the receiver.
    pub vehicles: Vec<(u32, Moving)>,
    /// What happened on links of the sender that begin at a node of the receiver.
    pub inlets: Vec<(u32, InletNews)>,
    /// Agents that are teleported to the receiver, in two boxes that take turns: agents may be sent on while the
    /// receiver still empties the other box.
    pub teleports: [Vec<Teleport>; 2],
}

/// News from the downstream end of a link, in order.
#[derive(Debug, Clone, Copy)]
pub(super) enum InletNews {
    /// The link is stepped.
    Begin,
    /// A vehicle of this many passenger car equivalents left the queue.
    Freed(f64),
    /// The step is over; `idle` as for [`crate::rules::inlet::Waves::end_step`].
    End { idle: bool },
}

/// The phases after which mail is delivered. Mail of one kind is never filled and emptied between the same barriers.
#[derive(Debug)]
pub(super) struct Post {
    partitions: usize,
    boxes: Vec<Mutex<Mail>>,
}

impl Post {
    pub fn new(partitions: usize) -> Self {
        Self { partitions, boxes: (0..partitions * partitions).map(|_| Mutex::default()).collect() }
    }

    /// The mailbox from one partition to another.
    pub fn mailbox(&self, from: usize, to: usize) -> MutexGuard<'_, Mail> {
        // A poisoned box means that its partition has panicked; that panic is what the user will see.
        self.boxes[from * self.partitions + to].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A barrier for a few threads that meet every few microseconds: it spins, then yields its core, then sleeps.
#[derive(Debug)]
pub(super) struct SpinBarrier {
    parties: usize,
    arrived: AtomicUsize,
    generation: AtomicUsize,
    broken: AtomicBool,
    /// Rounds of spinning before a waiting thread yields its core.
    patience: u32,
    /// Threads that sleep or are about to.
    sleepers: AtomicUsize,
    bed: Mutex<()>,
    bell: Condvar,
}

/// Rounds of yielding before a waiting thread sleeps: with many of them somebody else needs the core.
const YIELDS: u32 = 64;

/// A partition stopped early, so the others must stop too.
#[derive(Debug)]
pub(super) struct Broken;

impl SpinBarrier {
    pub fn new(parties: usize) -> Self {
        // With more threads than cores the one that is waited for may need this very core.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            parties,
            arrived: AtomicUsize::new(0),
            generation: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
            sleepers: AtomicUsize::new(0),
            bed: Mutex::new(()),
            bell: Condvar::new(),
            patience: if parties > cores { 0 } else { 2000 },
        }
    }

    /// Waits for all parties.
    pub fn wait(&self) -> Result<(), Broken> {
        if self.parties == 1 {
            return Ok(());
        }
        let generation = self.generation.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.parties {
            self.arrived.store(0, Ordering::Release);
            self.generation.fetch_add(1, Ordering::SeqCst);
            self.ring();
            return Ok(());
        }
        // 2000 rounds are about 20 microseconds; beyond that the core is better used by somebody else.
        for round in 0..self.patience + YIELDS {
            if self.may_go(generation) {
                break;
            }
            if round < self.patience {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
        if !self.may_go(generation) {
            self.sleep(generation);
        }
        if self.generation.load(Ordering::Acquire) == generation { Err(Broken) } else { Ok(()) }
    }

    fn may_go(&self, generation: usize) -> bool {
        self.generation.load(Ordering::SeqCst) != generation || self.broken.load(Ordering::SeqCst)
    }

    fn sleep(&self, generation: usize) {
        // Announced before the last look, so that whoever comes last either is seen or sees this sleeper.
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let mut bed = self.bed.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.may_go(generation) {
            bed = self.bell.wait(bed).unwrap_or_else(PoisonError::into_inner);
        }
        drop(bed);
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    fn ring(&self) {
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            drop(self.bed.lock().unwrap_or_else(PoisonError::into_inner));
            self.bell.notify_all();
        }
    }

    /// Lets all waiting parties go with an error.
    pub fn break_off(&self) {
        self.broken.store(true, Ordering::SeqCst);
        self.ring();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn nobody_passes_before_all_have_come() {
        let barrier = SpinBarrier::new(3);
        let counter = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for round in 1..=200 {
                        counter.fetch_add(1, Ordering::SeqCst);
                        barrier.wait().unwrap();
                        assert_eq!(counter.load(Ordering::SeqCst), 3 * round);
                        barrier.wait().unwrap();
                    }
                });
            }
        });
    }

    #[test]
    fn sleepers_are_woken() {
        let barrier = SpinBarrier::new(2);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| (0..3).all(|_| barrier.wait().is_ok()));
            for _ in 0..3 {
                while barrier.sleepers.load(Ordering::SeqCst) == 0 {
                    std::thread::yield_now();
                }
                barrier.wait().unwrap();
            }
            assert!(waiting.join().unwrap());
        });
    }

    #[test]
    fn a_broken_barrier_lets_everybody_go() {
        let barrier = SpinBarrier::new(2);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| barrier.wait().is_err());
            barrier.break_off();
            assert!(waiting.join().unwrap());
        });
    }
}
