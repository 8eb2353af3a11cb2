//! Collects the differences between two event sources, and formats them.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use throng_core::{clock, counted};

use super::step::Step;

/// Maximum number of events of a time stamp that are shown in full, on each side.
pub const SHOWN_EVENTS: usize = 5;

/// An attribute of departures in the events of MATSim releases after 13.
const ROUTING_MODE: &str = "computationalRoutingMode";

/// A side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// First source.
    A,
    /// Second source.
    B,
}

impl Side {
    fn letter(self) -> char {
        match self {
            Self::A => 'A',
            Self::B => 'B',
        }
    }

    fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// The result of comparing two sources of events, A and B. Its `Display` text is the report for users.
#[derive(Debug, Clone, PartialEq)]
pub struct EventComparison {
    /// The names of A and B.
    pub names: [String; 2],
    /// Number of time stamps that occur on either side.
    pub time_stamps: u64,
    /// Number of time stamps at which the events differ.
    pub different: u64,
    /// Number of events on each side.
    pub events: [u64; 2],
    /// Number of events without a counterpart on the other side.
    pub only_in: [u64; 2],
    /// Number of time stamps that occur only on the other side.
    pub missing_time_stamps: [u64; 2],
    /// First and last time stamp of each side, in seconds; `None` if it has no events.
    pub spans: [Option<(f64, f64)>; 2],
    /// Differences of the earliest time stamps that differ.
    pub first: Vec<StepDifference>,
    /// Number of events without counterpart on each side that have an attribute, by attribute name.
    pub(super) unmatched_attributes: BTreeMap<String, [u64; 2]>,
}

/// The events of one time stamp that have no counterpart.
#[derive(Debug, Clone, PartialEq)]
pub struct StepDifference {
    /// The time stamp, in seconds of the day.
    pub time_s: f64,
    /// The side without any event at this time.
    pub missing_in: Option<Side>,
    /// Events that are only in A.
    pub only_in_a: EventList,
    /// Events that are only in B.
    pub only_in_b: EventList,
}

/// Events as XML elements: the first [`SHOWN_EVENTS`], and their total number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventList {
    /// First events as XML; at most [`SHOWN_EVENTS`].
    pub shown: Vec<String>,
    /// Total number of events.
    pub total: usize,
}

impl EventComparison {
    pub(super) fn new(names: [String; 2]) -> Self {
        Self {
            names,
            time_stamps: 0,
            different: 0,
            events: [0; 2],
            only_in: [0; 2],
            missing_time_stamps: [0; 2],
            spans: [None; 2],
            first: Vec::new(),
            unmatched_attributes: BTreeMap::new(),
        }
    }

    /// Records a time stamp of one side.
    pub(super) fn record_step(&mut self, side: Side, step: &Step<'_>) {
        self.events[side as usize] += step.count;
        let span = &mut self.spans[side as usize];
        let first = span.map_or(step.time_s, |(first, _)| first);
        *span = Some((first, step.time_s));
    }

    /// Whether no time stamp differs.
    pub fn is_equal(&self) -> bool {
        self.different == 0
    }

    /// Returns whether the sides are equal, and how many time stamps and events there are and differ; ends with a
    /// newline.
    pub fn summary(&self) -> String {
        if self.is_equal() {
            return format!("equal: {} time stamps, {} events\n", self.time_stamps, self.events[0]);
        }
        let mut text = format!("different: {} of {} time stamps\n", self.different, self.time_stamps);
        for side in [Side::A, Side::B] {
            let (i, letter) = (side as usize, side.letter());
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{letter}: {}: {} events, {} of them only in {letter}",
                self.names[i], self.events[i], self.only_in[i]
            );
        }
        text
    }

    /// Describes the first time stamps that differ, and what the differences have in common.
    pub fn details(&self) -> String {
        let mut text: String = self.first.iter().map(StepDifference::to_string).collect();
        let rest = self.different - self.first.len() as u64;
        if rest > 0 && !self.first.is_empty() {
            let _ = writeln!(text, "... and {}", counted(rest, "more time stamp"));
        }
        for hint in self.hints() {
            let _ = writeln!(text, "hint: {hint}");
        }
        text
    }

    /// Describes common traits of the differences, one sentence each.
    pub fn hints(&self) -> Vec<String> {
        let mut hints = Vec::new();
        for side in [Side::A, Side::B] {
            hints.extend(self.missing_hint(side));
        }
        // If other events are missing too, most attributes occur on one side only, and a hint would mislead.
        let may_be_attributes = self.missing_time_stamps == [0, 0] && self.only_in[0] == self.only_in[1];
        for (name, &[a, b]) in &self.unmatched_attributes {
            if !may_be_attributes && name != ROUTING_MODE {
                continue;
            }
            let (side, count) = match (a, b) {
                (count, 0) if self.only_in[1] > 0 => (Side::A, count),
                (0, count) if self.only_in[0] > 0 => (Side::B, count),
                _ => continue,
            };
            let mut hint = format!(
                "attribute `{name}` occurs in {count} of the events that are only in {}, in none that are only in {}; \
                 ignore it if that is expected",
                side.letter(),
                side.other().letter()
            );
            if name == ROUTING_MODE {
                hint += " (MATSim 13 does not write it, and neither does a run with throng.compat=13)";
            }
            hints.push(hint);
        }
        hints
    }

    fn missing_hint(&self, side: Side) -> Option<String> {
        let missing = self.missing_time_stamps[side as usize];
        if missing == 0 {
            return None;
        }
        let letter = side.letter();
        let Some((first, last)) = self.spans[side as usize] else {
            return Some(format!("{letter} has no events at all"));
        };
        let lacks = format!("{letter} lacks {} of {}", counted(missing, "time stamp"), side.other().letter());
        let (mut begins, mut ends) = (String::new(), String::new());
        if let Some((other_first, other_last)) = self.spans[side.other() as usize] {
            if first > other_first {
                begins = format!("; it begins at {} instead of {}", clock::format(first), clock::format(other_first));
            }
            if last < other_last {
                ends = format!("; it ends at {} instead of {}", clock::format(last), clock::format(other_last));
            }
        }
        Some(lacks + &begins + &ends)
    }
}

impl StepDifference {
    pub(super) fn new(
        time_s: f64,
        missing_in: Option<Side>,
        (a, only_a): (Option<&Step<'_>>, &[usize]),
        (b, only_b): (Option<&Step<'_>>, &[usize]),
    ) -> Self {
        let (only_in_a, only_in_b) = (EventList::new(a, only_a), EventList::new(b, only_b));
        Self { time_s, missing_in, only_in_a, only_in_b }
    }
}

impl EventList {
    fn new(step: Option<&Step<'_>>, indices: &[usize]) -> Self {
        let Some(step) = step else { return Self::default() };
        let shown = indices.iter().take(SHOWN_EVENTS).map(|&index| step.events.element(index)).collect();
        Self { shown, total: indices.len() }
    }
}

impl fmt::Display for EventComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str((self.summary() + &self.details()).trim_end())
    }
}

impl fmt::Display for StepDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "time {} ({})", self.time_s, clock::format(self.time_s))?;
        if let Some(side) = self.missing_in {
            write!(f, ": no events in {}", side.letter())?;
        }
        writeln!(f)?;
        for (side, list) in [(Side::A, &self.only_in_a), (Side::B, &self.only_in_b)] {
            let letter = side.letter();
            for event in &list.shown {
                writeln!(f, "  only in {letter}: {event}")?;
            }
            if list.total > list.shown.len() {
                writeln!(f, "  ... and {} more only in {letter}", list.total - list.shown.len())?;
            }
        }
        Ok(())
    }
}
