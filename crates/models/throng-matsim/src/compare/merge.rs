//! Iterates over the time stamps of both sides in parallel.

use throng_core::InputError;

use super::difference::difference;
use super::report::{EventComparison, Side, StepDifference};
use super::step::{Ignored, Step, Steps};

/// Compares two sources and describes the first `first` time stamps that differ.
pub(super) fn compare<'a, 'b>(
    names: [String; 2],
    mut a: impl Steps<'a>,
    mut b: impl Steps<'b>,
    ignored: &Ignored,
    first: usize,
) -> Result<EventComparison, InputError> {
    let mut report = EventComparison::new(names);
    let (mut left, mut right) = (a.next_step()?, b.next_step()?);
    loop {
        let Some(time_s) = earliest(left.as_ref(), right.as_ref()) else { return Ok(report) };
        let in_a = left.take_if(|step| step.time_s == time_s);
        let in_b = right.take_if(|step| step.time_s == time_s);
        report.time_stamps += 1;
        for (side, step) in [(Side::A, in_a.as_ref()), (Side::B, in_b.as_ref())] {
            if let Some(step) = step {
                report.record_step(side, step);
            }
        }
        let is_equal = match (&in_a, &in_b) {
            (Some(a), Some(b)) => a.count == b.count && a.hash == b.hash,
            _ => false,
        };
        if !is_equal {
            compare_step(&mut report, time_s, in_a.as_ref(), in_b.as_ref(), ignored, first);
        }
        if in_a.is_some() {
            left = a.next_step()?;
        }
        if in_b.is_some() {
            right = b.next_step()?;
        }
    }
}

fn earliest(a: Option<&Step<'_>>, b: Option<&Step<'_>>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.time_s.min(b.time_s)),
        (one, other) => one.or(other).map(|step| step.time_s),
    }
}

fn compare_step(
    report: &mut EventComparison,
    time_s: f64,
    a: Option<&Step<'_>>,
    b: Option<&Step<'_>>,
    ignored: &Ignored,
    first: usize,
) {
    let [only_a, only_b] = difference(a, b, ignored, &mut report.unmatched_attributes);
    report.different += 1;
    report.only_in[0] += only_a.len() as u64;
    report.only_in[1] += only_b.len() as u64;
    let missing_in = match (a, b) {
        (None, _) => Some(Side::A),
        (_, None) => Some(Side::B),
        _ => None,
    };
    if let Some(side) = missing_in {
        report.missing_time_stamps[side as usize] += 1;
    }
    if report.first.len() < first {
        report.first.push(StepDifference::new(time_s, missing_in, (a, &only_a), (b, &only_b)));
    }
}
