//! Validation of attribute values, with messages for the problems.

use throng_core::{IdError, InputError, Problems, clock};

use super::network_items::COORDINATE_SYSTEM;
use super::value::{number, quoted};
use crate::coordinates::InputCoordinates;
pub(crate) use throng_traffic_scenario::ValidRange as Rule;

/// Remedy in messages about malformed times.
pub(super) const EXPECTED_TIME: &str = "Expected a time: HH:MM:SS, HH:MM or seconds, with minutes and seconds \
    below 60, and at most 1000000000 seconds (31 years).";

/// The remedy for an id that is too long, or for too many ids.
pub(crate) const ID_REMEDY: &str = "Use shorter ids; a very long one often indicates a damaged file.";

/// An element whose attributes are checked, with its location and name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Element<'a> {
    pub file: &'a str,
    pub line: u64,
    /// Kind of the element, for example `link`.
    pub kind: &'static str,
    /// Id of the element; empty if it has none.
    pub id: &'a str,
}

impl Element<'_> {
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// Returns `link "17_b"`, or only the kind if the element has no id.
    pub(crate) fn name(&self) -> String {
        if self.id.is_empty() { self.kind.to_owned() } else { format!("{} {}", self.kind, quoted(self.id)) }
    }

    /// Parses `text`, the value of `attribute`, as a number; NaN and a problem if it is missing or violates `rule`.
    #[inline]
    pub(crate) fn number(
        &self,
        attribute: &'static str,
        text: Option<&str>,
        rule: Rule,
        unit: &'static str,
        problems: &mut Problems,
    ) -> f64 {
        match text.and_then(number) {
            Some(value) if rule.holds(value) => value,
            _ => {
                self.bad(attribute, text, &format!("Expected {}{unit}.", rule.in_words()), problems);
                f64::NAN
            }
        }
    }

    /// Like [`Element::number`], for an optional attribute.
    pub(crate) fn number_or(
        &self,
        attribute: &'static str,
        text: Option<&str>,
        default: f64,
        rule: Rule,
        unit: &'static str,
        problems: &mut Problems,
    ) -> f64 {
        if text.is_none() { default } else { self.number(attribute, text, rule, unit, problems) }
    }

    /// Returns the coordinates in the system of the run; NaN and a problem if they cannot be transformed.
    #[inline]
    pub(crate) fn transformed(
        &self,
        coordinates: &InputCoordinates,
        (x, y): (f64, f64),
        problems: &mut Problems,
    ) -> (f64, f64) {
        coordinates.apply(x, y).unwrap_or_else(|(message, remedy)| {
            problems.push(self.place(), format!("{} {message}", self.name()), remedy);
            (f64::NAN, f64::NAN)
        })
    }

    /// Parses `text` as a time of day in seconds; NaN and a problem if it is missing or malformed.
    pub(crate) fn time(&self, attribute: &'static str, text: Option<&str>, problems: &mut Problems) -> f64 {
        if let Some(Ok(Some(seconds))) = text.map(clock::parse) {
            return seconds;
        }
        self.bad(attribute, text, EXPECTED_TIME, problems);
        f64::NAN
    }

    /// Returns the text of a required attribute; empty and a problem if it is missing or empty.
    #[inline]
    pub(crate) fn required<'t>(
        &self,
        attribute: &'static str,
        text: Option<&'t str>,
        problems: &mut Problems,
    ) -> &'t str {
        match text {
            Some(text) if !text.is_empty() => text,
            Some(_) => {
                problems.push(self.place(), format!("{attribute} of {} is empty", self.name()), "Give it a value.");
                ""
            }
            None => {
                self.bad(attribute, text, "Add it.", problems);
                ""
            }
        }
    }

    /// Reports that the id of this element was rejected, with the reason.
    #[cold]
    pub(crate) fn refused(&self, error: &IdError, problems: &mut Problems) {
        match error {
            IdError::Duplicate { .. } => {
                let message = format!("{} is defined twice", self.name());
                problems.push(self.place(), message, "Remove one of the two, or give it another id.");
            }
            other => problems.push(self.place(), format!("{} has {other}", self.name()), ID_REMEDY),
        }
    }

    /// Reports that the type of this vehicle does not exist.
    #[cold]
    pub(crate) fn unknown_type(&self, vehicle_type: &str, problems: &mut Problems) {
        let message = format!("{} is of type {}, which is not defined", self.name(), quoted(vehicle_type));
        problems.push(self.place(), message, "Define the <vehicleType> before the vehicle, or name another.");
    }

    #[cold]
    pub(crate) fn bad(&self, attribute: &str, text: Option<&str>, remedy: &str, problems: &mut Problems) {
        let name = self.name();
        let message = match text {
            Some(text) => format!("{name} has {attribute} {}", quoted(text)),
            None => format!("{name} has no {attribute}"),
        };
        problems.push(self.place(), message, remedy);
    }
}

/// Whether a file has named its coordinate system, which it may do once, before its first coordinates.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SystemName {
    is_given: bool,
}

impl SystemName {
    /// Checks another attribute with the name of the system, at `place`; `behind` is the kind of the elements with
    /// coordinates if there was one before.
    pub(crate) fn give(&mut self, place: &str, behind: Option<&str>) -> Result<(), InputError> {
        if let Some(element) = behind {
            let message = format!("the file names its {COORDINATE_SYSTEM} behind the first <{element}>");
            let remedy = format!("Move it into the <attributes> at the start of the file, before any <{element}>.");
            return Err(InputError::one(place, message, remedy));
        }
        if std::mem::replace(&mut self.is_given, true) {
            let message = format!("the file names its {COORDINATE_SYSTEM} twice");
            return Err(InputError::one(place, message, "Keep the one that is right."));
        }
        Ok(())
    }
}

/// Combines the problems found by a reader with the error that ended the reading, if any.
pub(crate) fn report(mut problems: Problems, read: Result<(), InputError>) -> Result<(), InputError> {
    if let Err(InputError(failure)) = read {
        problems.append(failure);
    }
    problems.into_result()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: Element<'_> = Element { file: "n.xml", line: 7, kind: "link", id: "1" };

    #[test]
    fn rules_accept_only_values_in_range() {
        for (rule, good, bad) in [
            (Rule::Positive, &["0.1", "5"][..], &["0", "-1", "NaN", "Infinity", "x", ""][..]),
            (Rule::PositiveOrInfinite, &["1", "Infinity"], &["0", "-Infinity", "NaN"]),
            (Rule::NotNegative, &["0", "Infinity"], &["-1", "NaN"]),
            (Rule::NotNegativeFinite, &["0", "1"], &["-1", "NaN", "Infinity"]),
            (Rule::Finite, &["0", "-1"], &["Infinity", "NaN"]),
            (Rule::Number, &["-Infinity"], &["NaN"]),
        ] {
            for (texts, expected) in [(good, 0), (bad, 1)] {
                for text in texts {
                    let mut problems = Problems::new();
                    LINK.number("length", Some(text), rule, " (metres)", &mut problems);
                    assert_eq!(problems.total(), expected, "{rule:?} {text}");
                }
            }
        }
    }

    #[test]
    fn required_attributes_are_neither_missing_nor_empty() {
        for (text, expected) in [
            (None, "n.xml:7: link \"1\" has no from\n    Add it."),
            (Some(""), "n.xml:7: from of link \"1\" is empty\n    Give it a value."),
        ] {
            let mut problems = Problems::new();
            assert_eq!(LINK.required("from", text, &mut problems), "");
            assert_eq!(problems.into_result().unwrap_err().to_string(), expected);
        }
        let mut problems = Problems::new();
        assert_eq!((LINK.required("from", Some("2"), &mut problems), problems.total()), ("2", 0));
    }

    #[test]
    fn ids_are_refused_with_a_reason() {
        let mut problems = Problems::new();
        let mut ids = throng_core::IdTable::new();
        for id in ["1", "1", &"x".repeat(70_000)] {
            if let Err(error) = ids.insert(id) {
                LINK.refused(&error, &mut problems);
            }
        }
        let text = problems.to_string();
        for part in
            ["n.xml:7: link \"1\" is defined twice", "link \"1\" has an id of 70000 bytes, but an id has at most"]
        {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn a_problem_contains_location_value_and_remedy() {
        let mut problems = Problems::new();
        LINK.number("length", Some("-5"), Rule::Positive, " of metres", &mut problems);
        LINK.number("capacity", None, Rule::Positive, "", &mut problems);
        LINK.time("capperiod", Some("25:61:00"), &mut problems);
        let text = problems.to_string();
        for part in [
            "n.xml:7: link \"1\" has length \"-5\"\n    Expected a finite number above 0 of metres.",
            "link \"1\" has no capacity",
            "has capperiod \"25:61:00\"",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }
}
