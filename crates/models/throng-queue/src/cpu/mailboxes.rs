//! Data exchange between partitions: mailboxes that are filled during one task and emptied during a later one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::agent::Teleport;
use super::vehicle::VehicleRecord;

/// The messages from one partition to another.
#[derive(Debug, Default)]
struct Mailbox {
    /// Vehicles that enter a link of the receiver.
    vehicles: Vec<(u32, VehicleRecord)>,
    /// Changes at the downstream end of the sender's links that start at a node of the receiver.
    upstream: Vec<(u32, UpstreamMessage)>,
    /// Agents that are teleported to the receiver. Double-buffered: agents may be forwarded while the receiver is still
    /// emptying the other buffer.
    teleports: [Vec<Teleport>; 2],
}

/// A change at the downstream end of a link, sent to its upstream end. Messages arrive in order.
#[derive(Debug, Clone, Copy)]
pub(super) enum UpstreamMessage {
    /// A step of the link begins; `idle` as for [`super::upstream_state::HolesAndInflow::begin_step`].
    Begin { idle: bool },
    /// A vehicle of this many passenger car equivalents has left the queue.
    Freed(f64),
    /// A step of the link ends; `idle` as for [`super::upstream_state::HolesAndInflow::end_step`].
    End { idle: bool },
}

/// The mailboxes between all pairs of partitions. No buffer is both filled and emptied during the same task.
#[derive(Debug)]
pub(super) struct Mailboxes {
    partitions: usize,
    boxes: Vec<Mutex<Mailbox>>,
    /// Whether each receiver has messages in any of its mailboxes. Usually there are none, and checking all mailboxes
    /// takes longer than a step of a small partition.
    unread: Vec<Unread>,
}

/// The kinds of messages that a receiver has not read yet. Relaxed atomics suffice: tasks synchronize the threads.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Unread {
    vehicles: AtomicBool,
    upstream: AtomicBool,
    teleports: [AtomicBool; 2],
}

impl Mailboxes {
    pub fn new(partitions: usize) -> Self {
        Self {
            partitions,
            boxes: (0..partitions * partitions).map(|_| Mutex::default()).collect(),
            unread: (0..partitions).map(|_| Unread::default()).collect(),
        }
    }

    /// Sends a vehicle that enters `link` of another partition.
    pub fn send_vehicle(&self, from: usize, to: usize, link: u32, moving: VehicleRecord) {
        self.mailbox(from, to).vehicles.push((link, moving));
        self.unread[to].vehicles.store(true, Ordering::Relaxed);
    }

    /// Sends a change of `link`, whose start node belongs to another partition.
    pub fn send_upstream(&self, from: usize, to: usize, link: u32, message: UpstreamMessage) {
        self.mailbox(from, to).upstream.push((link, message));
        self.unread[to].upstream.store(true, Ordering::Relaxed);
    }

    /// Sends an agent that is teleported to another partition; `round` selects one of the two buffers.
    pub fn send_teleport(&self, from: usize, to: usize, round: usize, agent: Teleport) {
        self.mailbox(from, to).teleports[round % 2].push(agent);
        self.unread[to].teleports[round % 2].store(true, Ordering::Relaxed);
    }

    /// Calls `take` for each vehicle sent to a partition.
    pub fn take_vehicles(&self, to: usize, mut take: impl FnMut(u32, VehicleRecord)) {
        let unread = &self.unread[to].vehicles;
        self.take(to, unread, |mailbox| &mut mailbox.vehicles, |(link, moving)| take(link, moving));
    }

    /// Calls `take` for each upstream message sent to a partition.
    pub fn take_upstream(&self, to: usize, mut take: impl FnMut(u32, UpstreamMessage)) {
        let unread = &self.unread[to].upstream;
        self.take(to, unread, |mailbox| &mut mailbox.upstream, |(link, message)| take(link, message));
    }

    /// Calls `take` for each agent teleported to a partition in `round`.
    pub fn take_teleports(&self, to: usize, round: usize, take: impl FnMut(Teleport)) {
        let unread = &self.unread[to].teleports[round % 2];
        self.take(to, unread, |mailbox| &mut mailbox.teleports[round % 2], take);
    }

    /// Takes all messages of one kind, in the order of the senders.
    fn take<T>(
        &self,
        to: usize,
        unread: &AtomicBool,
        kind: impl Fn(&mut Mailbox) -> &mut Vec<T>,
        mut take: impl FnMut(T),
    ) {
        if unread.swap(false, Ordering::Relaxed) {
            for from in self.others(to) {
                let messages = std::mem::take(kind(&mut self.mailbox(from, to)));
                messages.into_iter().for_each(&mut take);
            }
        }
    }

    /// Returns the agents that a partition has teleported away in `round` and that no partition has received yet.
    pub fn teleported_by(&self, from: usize, round: usize) -> Vec<Teleport> {
        self.others(from).flat_map(|to| self.mailbox(from, to).teleports[round % 2].clone()).collect()
    }

    /// Returns all partitions but this one.
    fn others(&self, than: usize) -> impl Iterator<Item = usize> + use<> {
        (0..self.partitions).filter(move |&other| other != than)
    }

    /// Locks the mailbox from one partition to another.
    fn mailbox(&self, from: usize, to: usize) -> MutexGuard<'_, Mailbox> {
        // A poisoned lock means that a partition has panicked; the run reports that panic.
        self.boxes[from * self.partitions + to].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
