//! How domains talk to each other.

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Barrier, Mutex, PoisonError};

/// What domains send: plain values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Message {
    /// A disc that may concern decisions of the receiver: id, position and wish, radius.
    Ghost {
        /// Number of the disc in the whole crowd.
        id: u32,
        /// Position, and where the disc will be if it moves.
        way: [i32; 4],
        /// Radius, units.
        radius: i32,
    },
    /// What was decided about a ghost of the receiver.
    Decision {
        /// Number of the disc in the whole crowd.
        id: u32,
        /// Its state.
        state: u32,
    },
    /// A disc that now belongs to the receiver.
    Migrant {
        /// Number of the disc in the whole crowd.
        id: u32,
        /// Its position.
        at: [i32; 2],
    },
}

/// An exchange that another domain left: the step cannot be completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failed;

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a domain left the exchange")
    }
}

impl std::error::Error for Failed {}

/// The exchange of a domain with all domains. Every domain makes the same calls in the same order, and each call
/// returns when all domains have made it.
pub trait Exchange {
    /// Sends a list of messages to each domain, and returns those from each domain, in the order in which they were
    /// sent.
    ///
    /// # Errors
    /// When a domain no longer takes part.
    fn exchange(&self, outgoing: Vec<Vec<Message>>) -> Result<Vec<Vec<Message>>, Failed>;

    /// The sum of a number over all domains.
    ///
    /// # Errors
    /// When a domain no longer takes part.
    fn sum(&self, number: u64) -> Result<u64, Failed>;
}

/// What the threads of a process share: a mailbox from each domain to each.
pub(super) struct Mailboxes {
    domains: usize,
    boxes: Vec<Mutex<Vec<Message>>>,
    sums: [AtomicU64; 2],
    barrier: Barrier,
}

impl Mailboxes {
    pub fn new(domains: usize) -> Self {
        Self {
            domains,
            boxes: (0..domains * domains).map(|_| Mutex::default()).collect(),
            sums: Default::default(),
            barrier: Barrier::new(domains),
        }
    }
}

/// The exchange of domains that are threads of one process.
pub struct InProcess<'m> {
    mailboxes: &'m Mailboxes,
    domain: usize,
    sums: AtomicU64,
}

impl<'m> InProcess<'m> {
    pub(super) fn new(mailboxes: &'m Mailboxes, domain: usize) -> Self {
        Self { mailboxes, domain, sums: AtomicU64::new(0) }
    }

    fn meet(&self) {
        self.mailboxes.barrier.wait();
    }
}

impl Exchange for InProcess<'_> {
    fn exchange(&self, outgoing: Vec<Vec<Message>>) -> Result<Vec<Vec<Message>>, Failed> {
        let Mailboxes { domains, boxes, .. } = self.mailboxes;
        for (to, messages) in outgoing.into_iter().enumerate() {
            *boxes[self.domain * domains + to].lock().unwrap_or_else(PoisonError::into_inner) = messages;
        }
        self.meet();
        let received = |from: usize| {
            std::mem::take(&mut *boxes[from * domains + self.domain].lock().unwrap_or_else(PoisonError::into_inner))
        };
        let incoming = (0..*domains).map(received).collect();
        // No domain sends again before all have received.
        self.meet();
        Ok(incoming)
    }

    fn sum(&self, number: u64) -> Result<u64, Failed> {
        // Two sums in turn: while one is read, the other one is cleared.
        let turn = self.sums.fetch_add(1, SeqCst) as usize;
        let [now, after] = [turn % 2, (turn + 1) % 2];
        self.mailboxes.sums[now].fetch_add(number, SeqCst);
        self.meet();
        let sum = self.mailboxes.sums[now].load(SeqCst);
        self.mailboxes.sums[after].store(0, SeqCst);
        self.meet();
        Ok(sum)
    }
}
