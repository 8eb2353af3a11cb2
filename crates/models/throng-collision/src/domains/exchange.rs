//! The exchange of messages between domains.

use std::cell::Cell;
use std::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A message between domains: plain values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Message {
    /// A disc that may affect decisions of the receiver.
    Ghost {
        /// Index of the disc in the whole crowd.
        id: u32,
        /// Position, and the new position if the disc moves.
        route: [i32; 4],
        /// Radius, units.
        radius: i32,
    },
    /// The decision about a ghost of the receiver.
    Decision {
        /// Index of the ghost among those that the sender sent to the receiver in this step.
        ghost: u32,
        /// The decided state, such as [`MOVED`](super::super::rules::contest::MOVED).
        state: u32,
    },
    /// A disc that now belongs to the receiver.
    Migrant {
        /// Index of the disc in the whole crowd.
        id: u32,
        /// Position of its centre, units.
        at: [i32; 2],
        /// Radius, units.
        radius: i32,
    },
}

/// Another domain left the exchange: the step cannot be completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failed;

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a domain left the exchange")
    }
}

impl std::error::Error for Failed {}

/// The exchange of a domain with its neighbours and, for sums, with all domains. Every domain makes the same calls in
/// the same order. If one leaves before the end of a step, the calls of all others fail, so none waits forever.
pub trait Exchange {
    /// Sends a list of messages to each neighbour, and waits for a list from each of them; the result is in the order
    /// of `neighbours`. Messages from one neighbour arrive in the order in which they were sent. The neighbour relation
    /// is symmetric, so every list that is sent is also received.
    ///
    /// # Errors
    /// When a domain has left the exchange.
    fn exchange(&self, neighbours: &[usize], outgoing: Vec<Vec<Message>>) -> Result<Vec<Vec<Message>>, Failed>;

    /// Returns the sum of a number over all domains.
    ///
    /// # Errors
    /// When a domain has left the exchange.
    fn sum(&self, number: u64) -> Result<u64, Failed>;
}

/// State shared by the threads of a process: a mailbox per domain, and a sum.
pub(super) struct Mailboxes {
    boxes: Vec<(Mutex<Mailbox>, Condvar)>,
    sum: (Mutex<Sum>, Condvar),
}

#[derive(Default)]
struct Mailbox {
    /// Senders and lists in order of arrival. A neighbour may be ahead by one list.
    lists: Vec<(usize, Vec<Message>)>,
    has_failed: bool,
}

#[derive(Default)]
struct Sum {
    added: usize,
    total: u64,
    /// The last complete sum, and the number of complete sums. It stays until all domains have called again, and thus
    /// until all have read it.
    complete: u64,
    turns: u64,
    has_failed: bool,
}

/// Ignores poisoning: a thread that panics while it holds a lock leaves plain values behind, and the exchange fails
/// anyway.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Mailboxes {
    pub fn new(domains: usize) -> Self {
        Self { boxes: (0..domains).map(|_| Default::default()).collect(), sum: Default::default() }
    }

    /// Makes all pending and later calls fail.
    pub fn fail(&self) {
        for (mailbox, changed) in &self.boxes {
            locked(mailbox).has_failed = true;
            changed.notify_all();
        }
        locked(&self.sum.0).has_failed = true;
        self.sum.1.notify_all();
    }
}

/// The exchange between domains that are threads of one process.
pub struct InProcess<'m> {
    mailboxes: &'m Mailboxes,
    domain: usize,
    is_done: Cell<bool>,
}

impl<'m> InProcess<'m> {
    pub(super) fn new(mailboxes: &'m Mailboxes, domain: usize) -> Self {
        Self { mailboxes, domain, is_done: Cell::new(false) }
    }

    /// Declares that the domain needs no more messages. An exchange that is dropped before this fails for all domains,
    /// which would otherwise wait for a thread that has panicked.
    pub(super) fn done(self) {
        self.is_done.set(true);
    }
}

impl Drop for InProcess<'_> {
    fn drop(&mut self) {
        if !self.is_done.get() {
            self.mailboxes.fail();
        }
    }
}

impl Exchange for InProcess<'_> {
    fn exchange(&self, neighbours: &[usize], outgoing: Vec<Vec<Message>>) -> Result<Vec<Vec<Message>>, Failed> {
        for (&to, messages) in neighbours.iter().zip(outgoing) {
            let (mailbox, changed) = &self.mailboxes.boxes[to];
            locked(mailbox).lists.push((self.domain, messages));
            changed.notify_all();
        }
        let (mailbox, changed) = &self.mailboxes.boxes[self.domain];
        let is_missing = |mailbox: &mut Mailbox| {
            let has_arrived = |from: &usize| mailbox.lists.iter().any(|(sender, _)| sender == from);
            !mailbox.has_failed && !neighbours.iter().all(has_arrived)
        };
        let mut mailbox = changed.wait_while(locked(mailbox), is_missing).unwrap_or_else(PoisonError::into_inner);
        if mailbox.has_failed {
            return Err(Failed);
        }
        // The first list from each neighbour: one that is ahead has already sent the next.
        let first_from = |from: &usize| {
            let first = mailbox.lists.iter().position(|(sender, _)| sender == from).ok_or(Failed)?;
            Ok(mailbox.lists.remove(first).1)
        };
        neighbours.iter().map(first_from).collect()
    }

    fn sum(&self, number: u64) -> Result<u64, Failed> {
        let (sum, changed) = &self.mailboxes.sum;
        let mut sum = locked(sum);
        let turn = sum.turns;
        sum.total += number;
        sum.added += 1;
        if sum.added == self.mailboxes.boxes.len() {
            (sum.complete, sum.total, sum.added) = (sum.total, 0, 0);
            sum.turns += 1;
            changed.notify_all();
        }
        let is_incomplete = |sum: &mut Sum| !sum.has_failed && sum.turns == turn;
        let sum = changed.wait_while(sum, is_incomplete).unwrap_or_else(PoisonError::into_inner);
        if sum.has_failed { Err(Failed) } else { Ok(sum.complete) }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn decision(ghost: usize, state: usize) -> Message {
        Message::Decision { ghost: ghost as u32, state: state as u32 }
    }

    #[test]
    fn lists_arrive_once_and_in_order_at_any_speed_of_domains() {
        // A row of domains that exchange messages with the next and the previous one.
        let (domains, turns) = (5, 300);
        let mailboxes = Mailboxes::new(domains);
        thread::scope(|scope| {
            for domain in 0..domains {
                let exchange = InProcess::new(&mailboxes, domain);
                scope.spawn(move || {
                    let near = |other: &usize| other.abs_diff(domain) == 1;
                    let neighbours: Vec<usize> = (0..domains).filter(near).collect();
                    for turn in 0..turns {
                        let messages = (0..(turn + domain) % 4).map(|i| decision(turn, i)).collect::<Vec<_>>();
                        let incoming = exchange.exchange(&neighbours, vec![messages; neighbours.len()]).unwrap();
                        for (from, messages) in neighbours.iter().zip(incoming) {
                            let expected: Vec<_> = (0..(turn + from) % 4).map(|i| decision(turn, i)).collect();
                            assert_eq!(messages, expected);
                        }
                        if turn % 3 == 0 {
                            let sum = exchange.sum((turn * domain) as u64).unwrap();
                            assert_eq!(sum, (turn * domains * (domains - 1) / 2) as u64);
                        }
                    }
                    exchange.done();
                });
            }
        });
        assert!(mailboxes.boxes.iter().all(|(mailbox, _)| locked(mailbox).lists.is_empty()));
    }

    #[test]
    fn domains_do_not_wait_for_one_that_left() {
        let mailboxes = Mailboxes::new(3);
        thread::scope(|scope| {
            let [first, second, third] = [0, 1, 2].map(|domain| InProcess::new(&mailboxes, domain));
            let waits_for_list = scope.spawn(move || first.exchange(&[2], vec![vec![]]));
            let waits_for_sum = scope.spawn(move || second.sum(1));
            scope.spawn(move || drop(third));
            assert_eq!(waits_for_list.join().unwrap(), Err(Failed));
            assert_eq!(waits_for_sum.join().unwrap(), Err(Failed));
        });
    }
}
