//! Validation of numbers in columns: only those that the readers of MATSim's files accept may reach a run.

use throng_core::NONE;
use throng_core::clock::MAX_SECONDS;
use throng_traffic_scenario::ValidRange;

pub(super) fn any<T>(_: T) -> bool {
    true
}

pub(super) fn positive(value: f64) -> bool {
    ValidRange::Positive.holds(value)
}

pub(super) fn positive_or_infinite(value: f64) -> bool {
    ValidRange::PositiveOrInfinite.holds(value)
}

pub(super) fn not_negative(value: f64) -> bool {
    ValidRange::NotNegative.holds(value)
}

/// Whether `value` is a valid time of day or duration in seconds, or NaN for none.
pub(super) fn time(value: f64) -> bool {
    value.is_nan() || value.abs() <= MAX_SECONDS
}

/// Like [`time`]; also the end of a driver's stay before an empty run, which is over at once.
pub(super) fn end_time(value: f64) -> bool {
    time(value) || value == f64::NEG_INFINITY
}

/// Returns a check for indices into a list of length `len`.
pub(super) fn index(len: usize) -> impl Fn(u32) -> bool + Sync {
    move |value| (value as usize) < len
}

/// Returns a check for indices into a list of length `len`, which may also be [`NONE`].
pub(super) fn index_or_none(len: usize) -> impl Fn(u32) -> bool + Sync {
    move |value| (value as usize) < len || value == NONE
}

/// Describes the range of [`index`].
pub(super) fn below(len: usize, what: &str) -> String {
    format!("there are {len} {what}, numbered from 0")
}
