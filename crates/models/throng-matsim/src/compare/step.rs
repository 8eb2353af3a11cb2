//! The events of one time stamp, and the hash of their multiset.

use std::hash::Hasher;

use quick_xml::escape::escape;
use rustc_hash::FxHasher;
use throng_core::{InputError, StateHash};

/// The events of one time stamp, in the order of their source.
pub(super) struct Step<'a> {
    pub time_s: f64,
    pub count: u64,
    /// Equal for equal multisets of events; different multisets collide with probability 2^-64.
    pub hash: StateHash,
    pub events: Box<dyn StepEvents + 'a>,
}

/// Access to the events of a step, needed only if the hashes differ.
pub(super) trait StepEvents: Send {
    /// Calls `visit` with the attributes of the event at `index` in their usual order, including `time`.
    fn attributes(&self, index: usize, visit: &mut dyn FnMut(&str, &str));

    /// Returns the event at `index` as an XML element.
    fn element(&self, index: usize) -> String {
        let mut text = String::from("<event");
        self.attributes(index, &mut |name, value| {
            text.extend([" ", name, "=\"", &escape(value), "\""]);
        });
        text + " />"
    }
}

/// Yields the time stamps of a source, in order.
pub(super) trait Steps<'a> {
    /// Returns the next time stamp; `None` at the end.
    fn next_step(&mut self) -> Result<Option<Step<'a>>, InputError>;
}

/// Attributes that are not compared.
#[derive(Debug, Clone)]
pub(super) struct Ignored(Vec<String>);

impl Ignored {
    pub fn new(names: &[String]) -> Self {
        // The time selects the time stamp of an event, where it is compared as a number.
        Self(["time", "x", "y"].into_iter().map(String::from).chain(names.iter().cloned()).collect())
    }

    pub fn contains(&self, name: &str) -> bool {
        self.0.iter().any(|ignored| ignored == name)
    }
}

/// The hash of one event: a sum over its attributes, so that their order has no effect.
#[derive(Debug, Default)]
pub(super) struct EventHash(StateHash);

impl EventHash {
    pub fn add(&mut self, name: &str, value: &str) {
        let mut hasher = FxHasher::default();
        hasher.write(name.as_bytes());
        hasher.write(value.as_bytes());
        self.0.add(hasher.finish(), &[]);
    }

    /// Adds the event to the multiset of a time stamp.
    pub fn add_to(self, step: &mut StateHash) {
        step.add(self.0.finish(), &[]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(attributes: &[(&str, &str)]) -> u64 {
        let mut hash = EventHash::default();
        for (name, value) in attributes {
            hash.add(name, value);
        }
        let mut step = StateHash::new();
        hash.add_to(&mut step);
        step.finish()
    }

    #[test]
    fn the_order_of_attributes_does_not_matter_but_their_content_does() {
        assert_eq!(event(&[("link", "1"), ("person", "a")]), event(&[("person", "a"), ("link", "1")]));
        assert_ne!(event(&[("link", "1"), ("person", "a")]), event(&[("link", "a"), ("person", "1")]));
        assert_ne!(event(&[("link", "1")]), event(&[("link", "1"), ("facility", "")]));
        assert_ne!(event(&[("ab", "c")]), event(&[("a", "bc")]));
    }

    #[test]
    fn time_and_coordinates_are_always_ignored() {
        let ignored = Ignored::new(&["facility".into()]);
        assert!(["time", "x", "y", "facility"].into_iter().all(|name| ignored.contains(name)));
        assert!(!ignored.contains("link"));
    }
}
