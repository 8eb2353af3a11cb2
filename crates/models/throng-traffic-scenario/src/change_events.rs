//! Changes of link attributes during the day.

/// Link attribute that an event changes.
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
    /// Indices of the links that change.
    pub links: Vec<u32>,
    /// Attribute that changes on these links.
    pub kind: ChangeKind,
    /// New value of the attribute.
    pub value: ChangeValue,
}
