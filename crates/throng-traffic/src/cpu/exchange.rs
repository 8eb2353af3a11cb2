//! How partitions talk: mailboxes that are filled under one order and emptied under a later one.

use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// All mailboxes. Mail of one kind is never filled and emptied under the same order.
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
