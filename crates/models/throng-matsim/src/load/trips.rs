//! Trips of a plan: the legs between two activities that are not interactions.

use throng_core::NONE;

use super::modes;
use super::report::Report;
use crate::formats::person::{ElementRecord, LegRecord, PersonRecord};
use crate::formats::value::quoted;
use throng_traffic_scenario::{Activity, is_interaction};

const WITHOUT_ROUTING_MODE: &str = "trips of several legs have no routing mode; it is that of the first leg that is no \
    walk, as with plans.handlingOfPlansWithoutRoutingMode=useMainModeIdentifier";

/// Returns an activity between two legs of a trip, which takes no time.
pub(super) fn interaction(kind: u32, link: u32, (x, y): (f64, f64)) -> Activity {
    Activity { kind, link, facility: NONE, x, y, end_time: f64::NAN, max_duration: 0.0 }
}

/// Whether an element separates trips: an activity that is no interaction.
pub fn separates_trips(record: &PersonRecord, element: &ElementRecord) -> bool {
    matches!(element, ElementRecord::Activity(activity) if !is_interaction(record.text(activity.kind)))
}

/// A trip of the plan that is being read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Trip<'a> {
    /// Position of the activity at its end among the elements of the plan.
    pub(super) end: usize,
    /// Number of legs.
    pub(super) legs: usize,
    /// The mode for which the trip is routed; empty if a leg has no mode.
    pub(super) routing_mode: &'a str,
}

impl<'a> Trip<'a> {
    /// Returns the trip that begins at the activity at `origin`. Its legs must agree about the routing mode.
    pub(super) fn after(
        origin: usize,
        record: &'a PersonRecord,
        elements: &'a [ElementRecord],
        report: &mut Report<'_>,
    ) -> Self {
        let later = &elements[(origin + 1).min(elements.len())..];
        let length = later.iter().position(|element| separates_trips(record, element)).unwrap_or(later.len());
        let legs = || {
            later[..length].iter().filter_map(|element| match element {
                ElementRecord::Leg(leg) => Some(leg),
                ElementRecord::Activity(_) => None,
            })
        };
        let given = |leg: &LegRecord| record.attribute(leg.attributes, "routingMode");
        let count = legs().count();
        let first = legs().next();
        let routing_mode = first.and_then(given).unwrap_or_default();
        if let Some(other) = legs().find(|leg| count > 1 && given(leg).unwrap_or_default() != routing_mode) {
            let of = |mode: &str| {
                if mode.is_empty() { "no routing mode".to_owned() } else { format!("routing mode {}", quoted(mode)) }
            };
            let (first, second) = (of(routing_mode), of(given(other).unwrap_or_default()));
            let message = format!("a trip of person {} has legs with {first} and {second}", quoted(record.id()));
            let remedy =
                "Give all legs of a trip the same attribute routingMode, the mode for which the trip was routed.";
            report.problem(other.line, message, remedy);
        }
        let routing_mode = if routing_mode.is_empty() { main_mode(record, legs()) } else { routing_mode };
        if let Some(first) = first.filter(|first| count > 1 && given(first).is_none()) {
            report.warn(WITHOUT_ROUTING_MODE, first.line, || format!("person {}", quoted(record.id())));
        }
        Self { end: origin + 1 + length, legs: count, routing_mode }
    }
}

/// The mode that the names of the legs imply: that of the first leg that is no walk. Walks of old plans name the mode
/// of their trip.
fn main_mode<'a>(record: &'a PersonRecord, legs: impl Iterator<Item = &'a LegRecord>) -> &'a str {
    let mut walk = "";
    for leg in legs {
        let mode = record.text(leg.mode);
        match modes::replacement(mode) {
            Some((_, Some(implied))) => return implied,
            Some((present, None)) => walk = present,
            None if mode == "walk" => walk = mode,
            None => return mode,
        }
    }
    walk
}
