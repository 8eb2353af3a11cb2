//! Changes of link attributes during the day.

/// Which attribute changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// Free speed, metres per second.
    Freespeed,
    /// Flow capacity, vehicles per second when absolute or an offset.
    FlowCapacity,
    /// Number of lanes.
    Lanes,
}

/// How it changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ChangeValue {
    /// The new value, in SI units.
    Absolute(f64),
    /// The old value times this.
    Factor(f64),
    /// The old value plus this, in SI units.
    Offset(f64),
}

/// One change of one attribute on a set of links.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkChangeEvent {
    /// When, seconds of the day.
    pub time_s: f64,
    /// Where.
    pub links: Vec<u32>,
    /// What.
    pub kind: ChangeKind,
    /// How.
    pub value: ChangeValue,
}
