//! Changes of link attributes during the day.

/// The attribute that changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// Free speed, metres per second.
    Freespeed,
    /// Flow capacity, vehicles per second when absolute or an offset.
    FlowCapacity,
    /// Number of lanes.
    Lanes,
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

/// One change of one attribute on a set of links.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkChangeEvent {
    /// Time of the change, seconds of the day.
    pub time_s: f64,
    /// The links that change.
    pub links: Vec<u32>,
    /// The attribute that changes.
    pub kind: ChangeKind,
    /// The new value.
    pub value: ChangeValue,
}
