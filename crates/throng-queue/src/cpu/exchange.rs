//! How partitions talk: mailboxes that are filled under one order and emptied under a later one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::agents::Teleport;
use super::vehicle::Moving;

/// What one partition tells another.
#[derive(Debug, Default)]
struct Mail {
    /// Vehicles that enter a link of the receiver.
    vehicles: Vec<(u32, Moving)>,
    /// What happened on links of the sender that begin at a node of the receiver.
    inlets: Vec<(u32, InletNews)>,
    /// Agents that are teleported to the receiver, in two boxes that take turns: agents may be sent on while the
    /// receiver still empties the other box.
    teleports: [Vec<Teleport>; 2],
}

/// News from the downstream end of a link, in order.
#[derive(Debug, Clone, Copy)]
pub(super) enum InletNews {
    /// The link is stepped; `idle` as for [`crate::rules::inlet::Waves::begin_step`].
    Begin { idle: bool },
    /// A vehicle of this many passenger car equivalents left the queue.
    Freed(f64),
    /// The step is over; `idle` as for [`crate::rules::inlet::Waves::end_step`].
    End { idle: bool },
}

/// All mailboxes. Mail of one kind is never filled and emptied under the same order.
#[derive(Debug)]
pub(super) struct Post {
    partitions: usize,
    boxes: Vec<Mutex<Mail>>,
    /// By receiver: whether there is anything in any of its boxes. Most of the time there is not, and looking into all of
    /// them takes longer than a step of a small partition.
    waiting: Vec<Waiting>,
}

/// Kinds of mail that wait for a receiver. Order between threads comes from the orders of the crew.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Waiting {
    vehicles: AtomicBool,
    inlets: AtomicBool,
    teleports: [AtomicBool; 2],
}

impl Post {
    pub fn new(partitions: usize) -> Self {
        Self {
            partitions,
            boxes: (0..partitions * partitions).map(|_| Mutex::default()).collect(),
            waiting: (0..partitions).map(|_| Waiting::default()).collect(),
        }
    }

    /// A vehicle enters `link` of another partition.
    pub fn send_vehicle(&self, from: usize, to: usize, link: u32, moving: Moving) {
        self.mailbox(from, to).vehicles.push((link, moving));
        self.waiting[to].vehicles.store(true, Ordering::Relaxed);
    }

    /// Something happened on `link`, which begins in another partition.
    pub fn send_news(&self, from: usize, to: usize, link: u32, news: InletNews) {
        self.mailbox(from, to).inlets.push((link, news));
        self.waiting[to].inlets.store(true, Ordering::Relaxed);
    }

    /// An agent is teleported to another partition; `round` says which of the two boxes is in use.
    pub fn send_teleport(&self, from: usize, to: usize, round: usize, agent: Teleport) {
        self.mailbox(from, to).teleports[round % 2].push(agent);
        self.waiting[to].teleports[round % 2].store(true, Ordering::Relaxed);
    }

    /// Calls `take` for each vehicle that was sent to a partition.
    pub fn take_vehicles(&self, to: usize, mut take: impl FnMut(u32, Moving)) {
        let waiting = &self.waiting[to].vehicles;
        self.take(to, waiting, |mail| &mut mail.vehicles, |(link, moving)| take(link, moving));
    }

    /// Calls `take` for all news that were sent to a partition.
    pub fn take_news(&self, to: usize, mut take: impl FnMut(u32, InletNews)) {
        let waiting = &self.waiting[to].inlets;
        self.take(to, waiting, |mail| &mut mail.inlets, |(link, news)| take(link, news));
    }

    /// Calls `take` for each agent that was teleported to a partition in `round`.
    pub fn take_teleports(&self, to: usize, round: usize, take: impl FnMut(Teleport)) {
        let waiting = &self.waiting[to].teleports[round % 2];
        self.take(to, waiting, |mail| &mut mail.teleports[round % 2], take);
    }

    /// Empties one kind of box from all senders, in their order.
    fn take<T>(
        &self,
        to: usize,
        waiting: &AtomicBool,
        kind: impl Fn(&mut Mail) -> &mut Vec<T>,
        mut take: impl FnMut(T),
    ) {
        if waiting.swap(false, Ordering::Relaxed) {
            for from in self.others(to) {
                let mail = std::mem::take(kind(&mut self.mailbox(from, to)));
                mail.into_iter().for_each(&mut take);
            }
        }
    }

    /// Agents that a partition has teleported away in `round` and no partition has received yet.
    pub fn teleported_by(&self, from: usize, round: usize) -> Vec<Teleport> {
        self.others(from).flat_map(|to| self.mailbox(from, to).teleports[round % 2].clone()).collect()
    }

    /// All partitions but this one.
    fn others(&self, than: usize) -> impl Iterator<Item = usize> + use<> {
        (0..self.partitions).filter(move |&other| other != than)
    }

    /// The mailbox from one partition to another.
    fn mailbox(&self, from: usize, to: usize) -> MutexGuard<'_, Mail> {
        // A poisoned box means that its partition has panicked; that panic is what the user will see.
        self.boxes[from * self.partitions + to].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
