//! Calendars of the agents and links that are due, by step.

use std::collections::BTreeMap;

use crate::prepare::clock::NEVER;

/// Agents by the step in which they are due. The caller sorts those of one step.
#[derive(Debug)]
pub(super) struct Calendar<T> {
    by_step: BTreeMap<i64, Vec<T>>,
    spare: Vec<Vec<T>>,
}

impl<T> Default for Calendar<T> {
    fn default() -> Self {
        Self { by_step: BTreeMap::new(), spare: Vec::new() }
    }
}

impl<T> Calendar<T> {
    pub fn add(&mut self, step: i64, entry: T) {
        let spare = &mut self.spare;
        self.by_step.entry(step).or_insert_with(|| spare.pop().unwrap_or_default()).push(entry);
    }

    /// Returns the first step in which an agent is due.
    pub fn next_step(&self) -> Option<i64> {
        self.by_step.first_key_value().map(|(&step, _)| step)
    }

    /// Moves all agents due at or before `step` to `out`.
    pub fn take_due(&mut self, step: i64, out: &mut Vec<T>) {
        while let Some(entry) = self.by_step.first_entry() {
            if *entry.key() > step {
                return;
            }
            let mut due = entry.remove();
            out.append(&mut due);
            self.spare.push(due);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.by_step.values().flatten()
    }
}

/// Number of slots of the wheel, one per step. Links that are due later are also woken in between.
const SLOTS: usize = 4096;

/// A timing wheel: links by the step in which they must be visited.
///
/// A link is due at most once, at its earliest request. Later entries of the same link are stale and skipped.
#[derive(Debug)]
pub(super) struct WakeWheel {
    slots: Vec<Vec<u32>>,
    /// One bit per slot, set if the slot may hold entries.
    filled: [u64; SLOTS / 64],
    /// Step at which each link is due.
    due: Vec<i64>,
}

impl WakeWheel {
    pub fn new(links: usize) -> Self {
        Self { slots: vec![Vec::new(); SLOTS], filled: [0; SLOTS / 64], due: vec![NEVER; links] }
    }

    /// Requests a visit of `link` in `step`, which must be later than `now`.
    #[inline]
    pub fn request(&mut self, link: u32, step: i64, now: i64) {
        let step = step.min(now + SLOTS as i64 - 1);
        if step < self.due[link as usize] {
            self.due[link as usize] = step;
            let slot = step as usize % SLOTS;
            self.slots[slot].push(link);
            self.filled[slot / 64] |= 1 << (slot % 64);
        }
    }

    /// Calls `wake` for each link due at `step`.
    pub fn take_due(&mut self, step: i64, mut wake: impl FnMut(u32)) {
        let slot = step as usize % SLOTS;
        let due = &mut self.due;
        self.slots[slot].retain(|&link| {
            let at = due[link as usize];
            if at == step {
                due[link as usize] = NEVER;
                wake(link);
            }
            false
        });
        self.filled[slot / 64] &= !(1 << (slot % 64));
    }

    /// Returns the first step after `now` at which a link may be due.
    pub fn next_step(&self, now: i64) -> Option<i64> {
        if self.filled.iter().all(|&word| word == 0) {
            return None;
        }
        (1..=SLOTS as i64).map(|ahead| now + ahead).find(|&step| {
            let slot = step as usize % SLOTS;
            self.filled[slot / 64] & (1 << (slot % 64)) != 0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_taken_by_step() {
        let mut calendar = Calendar::default();
        calendar.add(5, "b");
        calendar.add(3, "a");
        calendar.add(5, "c");
        assert_eq!(calendar.next_step(), Some(3));
        let mut due = Vec::new();
        calendar.take_due(4, &mut due);
        assert_eq!(due, ["a"]);
        calendar.take_due(5, &mut due);
        assert_eq!(due, ["a", "b", "c"]);
        assert_eq!(calendar.next_step(), None);
    }

    #[test]
    fn a_link_is_due_once_at_its_earliest_request() {
        let mut wheel = WakeWheel::new(2);
        wheel.request(0, 9, 0);
        wheel.request(0, 4, 0);
        wheel.request(1, 4, 0);
        wheel.request(1, 7, 0);
        assert_eq!(wheel.next_step(0), Some(4));
        let mut seen = Vec::new();
        for step in 1..20 {
            wheel.take_due(step, |link| seen.push((step, link)));
        }
        assert_eq!(seen, [(4, 0), (4, 1)]);
    }

    #[test]
    fn distant_requests_wake_early_rather_than_never() {
        let mut wheel = WakeWheel::new(1);
        wheel.request(0, 1_000_000, 10);
        let step = wheel.next_step(10).unwrap();
        assert!(step > 10 && step < 1_000_000);
        let mut woken = false;
        wheel.take_due(step, |_| woken = true);
        assert!(woken);
        assert_eq!(wheel.next_step(step), None);
    }
}
