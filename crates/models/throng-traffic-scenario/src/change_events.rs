//! Changes of link attributes during the day.

use std::collections::HashMap;

use crate::{Link, Network};

/// Link attribute that an event changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// Free speed, metres per second.
    Freespeed,
    /// Flow capacity, vehicles per second when absolute or an offset.
    FlowCapacity,
    /// Number of lanes.
    Lanes,
}

impl ChangeKind {
    /// Returns the name in MATSim's files.
    pub fn name(self) -> &'static str {
        match self {
            Self::FlowCapacity => "flowCapacity",
            Self::Freespeed => "freespeed",
            Self::Lanes => "lanes",
        }
    }

    /// Returns the attribute of a link before all changes, in SI units.
    fn initial_value(self, network: &Network, link: u32) -> f64 {
        let link = network.link(link);
        match self {
            Self::Freespeed => link.freespeed_mps,
            Self::FlowCapacity => link.capacity / network.capacity_period_s,
            Self::Lanes => link.lanes,
        }
    }

    fn is_valid(self, old: f64, new: f64, length_m: f64) -> bool {
        // NaN is invalid; infinite values are valid only if they come from the network.
        let in_range = new >= 0.0 && (new.is_finite() || new == old);
        let takes_undefined_time = new == 0.0 && length_m == 0.0;
        in_range
            && !(self == Self::Freespeed && (takes_undefined_time || new > 0.0 && Link::is_too_slow(length_m, new)))
    }
}

/// The new value of an attribute, absolute or relative to the old one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ChangeValue {
    /// The new value, in SI units.
    Absolute(f64),
    /// The factor by which the old value is multiplied.
    Factor(f64),
    /// The difference that is added to the old value, in SI units.
    Offset(f64),
}

impl ChangeValue {
    /// Returns the new value of an attribute.
    pub fn applied_to(self, old: f64) -> f64 {
        let new = match self {
            Self::Absolute(new) => new,
            Self::Factor(factor) => old * factor,
            Self::Offset(offset) => old + offset,
        };
        // Makes 0 of -0, whose inverse would be a negative time.
        new + 0.0
    }
}

/// One change of one attribute on a set of links.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkChangeEvent {
    /// Time of the change, seconds of the day.
    pub time_s: f64,
    /// Indices of the links that change.
    pub links: Vec<u32>,
    /// Attribute that changes on these links.
    pub kind: ChangeKind,
    /// New value of the attribute.
    pub value: ChangeValue,
}

/// An event that gives links a value that cannot be simulated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InvalidChange {
    /// Attribute of the links.
    pub kind: ChangeKind,
    /// Index of the first of these links.
    pub link: u32,
    /// Its value before the event.
    pub old: f64,
    /// Its value after the event.
    pub new: f64,
    /// Number of these links.
    pub links: usize,
}

impl InvalidChange {
    /// Describes the fault; `link` is the quoted id of the link.
    pub fn message(&self, link: &str) -> String {
        let others = if self.links > 1 { format!("; {} links are affected", self.links) } else { String::new() };
        format!("{} of link {link} becomes {} (it was {}){others}", self.kind.name(), self.new, self.old)
    }

    /// Returns how to correct the event.
    pub fn remedy(&self) -> &'static str {
        match self.kind {
            ChangeKind::Freespeed => {
                "Expected a finite speed not below 0 (metres per second), 0 or one that takes at most 1000000000 \
                 seconds. Changes of the same link add up: check earlier ones, too."
            }
            ChangeKind::FlowCapacity => {
                "Expected a finite capacity not below 0 (vehicles per second). Changes of the same link add up: check \
                 earlier ones, too."
            }
            ChangeKind::Lanes => {
                "Expected a finite number of lanes not below 0. Changes of the same link add up: check earlier ones, \
                 too."
            }
        }
    }
}

/// Applies events one after the other, and returns those that leave a link with a value that cannot be simulated, with
/// their places; 0 is valid and means a closed road. The events are sorted by time, and their links exist.
pub fn invalid_changes<'a, P>(
    events: impl IntoIterator<Item = (P, &'a NetworkChangeEvent)>,
    network: &Network,
) -> Vec<(P, InvalidChange)> {
    let mut values: HashMap<(u32, ChangeKind), f64> = HashMap::new();
    let mut found = Vec::new();
    for (place, event) in events {
        let kind = event.kind;
        let mut invalid: Option<InvalidChange> = None;
        for &link in &event.links {
            let value = values.entry((link, kind)).or_insert_with(|| kind.initial_value(network, link));
            let (old, new) = (*value, event.value.applied_to(*value));
            if kind.is_valid(old, new, network.length_m[link as usize]) {
                *value = new;
            } else {
                // The old value stays, so that the fault is not reported again for later changes.
                invalid.get_or_insert(InvalidChange { kind, link, old, new, links: 0 }).links += 1;
            }
        }
        found.extend(invalid.map(|invalid| (place, invalid)));
    }
    found
}
