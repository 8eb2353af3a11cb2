//! Fills a [`PersonRecord`] from the tags of one person.

use throng_core::{MAX_ID_BYTES, Problems, Warnings, clock};

use super::check::{EXPECTED_TIME, ID_REMEDY};
use super::person::{
    ActivityRecord, Attribute, AttributeRange, ElementRecord, LegRecord, PersonRecord, RouteFormat, RouteRecord, Text,
};
use super::person_stream::PlansFile;
use super::population::PopulationVersion;
use super::population_writer::PERSON_ATTRIBUTES;
use super::value::{number, quoted, shortened};
use super::xml::{End, Tag};

/// The warning about elements where only persons are allowed.
pub(super) const BETWEEN_PERSONS: &str = "unknown elements outside of persons; skipped";

const NOT_SELECTED: &str = "faulty plans that are not selected; they are not needed";

/// The reader's next action after a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Read the next tag.
    GoOn,
    /// Skip the element.
    Skip,
    /// Return the person.
    Done,
}

/// Kind of the innermost open element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    Person,
    Plan,
    Activity,
    Leg,
    Route,
}

/// Parses the tags of one person into a [`PersonRecord`].
#[derive(Debug)]
pub(super) struct PersonParser<'a> {
    file: &'a PlansFile,
    person: &'a mut PersonRecord,
    problems: &'a mut Problems,
    warnings: &'a mut Warnings,
    open: Open,
    attributes: Option<AttributeRange>,
    attribute: Attribute,
    // The faults are kept until the end of the person, when it is known which plan is selected.
    faults: Vec<Fault>,
}

/// A fault in the order of activities and legs.
#[derive(Debug)]
struct Fault {
    /// Index of the plan.
    plan: usize,
    line: u64,
    message: String,
    remedy: &'static str,
}

impl<'a> PersonParser<'a> {
    pub(super) fn new(
        file: &'a PlansFile,
        person: &'a mut PersonRecord,
        problems: &'a mut Problems,
        warnings: &'a mut Warnings,
    ) -> Self {
        let attribute = Attribute::default();
        let (open, attributes, faults) = (Open::Nothing, None, Vec::new());
        Self { file, person, problems, warnings, open, attributes, attribute, faults }
    }

    /// Processes a start tag.
    pub(super) fn start(&mut self, tag: &Tag<'_>) -> Next {
        let activity = if self.file.version == PopulationVersion::V6 { "activity" } else { "act" };
        match (self.open, tag.name) {
            (Open::Plan, name) if name == activity => self.activity(tag),
            (Open::Plan, "leg") => self.leg(tag),
            (Open::Leg, "route") => self.route(tag),
            (_, "attribute") if self.attributes.is_some() => {
                let [name, class] = ["name", "class"].map(|name| self.person.add_optional(tag.get(name)));
                self.attribute = Attribute { name, class, value: Text::NONE };
            }
            (Open::Person | Open::Plan | Open::Activity | Open::Leg, "attributes")
                if self.file.version == PopulationVersion::V6 =>
            {
                self.attributes = Some(self.person.begin_attributes());
            }
            (Open::Person, "plan") => self.plan(tag),
            (Open::Nothing, "person") => self.person(tag.line, &tag.attributes()),
            (Open::Person, "knowledge" | "desires") if self.file.version == PopulationVersion::V4 => {
                self.warnings.add("knowledge and desires are not kept", || tag.place());
                return Next::Skip;
            }
            (Open::Person, "travelcard") if self.file.version == PopulationVersion::V4 => {
                self.warnings.add("travel cards are not kept", || tag.place());
                return Next::Skip;
            }
            (Open::Nothing, "attributes") => {
                let remedy = "Move them to the start of the file, before any <person>.";
                self.problem(tag.line, "<attributes> of the population behind the first <person>".to_owned(), remedy);
                return Next::Skip;
            }
            (Open::Nothing, other) => {
                self.warnings.add(BETWEEN_PERSONS, || format!("{}: <{}>", tag.place(), shortened(other)));
                return Next::Skip;
            }
            (_, other) => {
                let message = format!("element <{}> is not expected here", shortened(other));
                let remedy = format!("It is not allowed there in {}; remove or correct it.", self.file.version.dtd());
                self.problem(tag.line, message, &remedy);
                return Next::Skip;
            }
        }
        Next::GoOn
    }

    /// Processes the end of an element.
    pub(super) fn end(&mut self, end: &End<'_>) -> Next {
        match end.name {
            "route" => {
                let description = self.person.add_text(end.text.trim_ascii());
                if let Some(ElementRecord::Leg(LegRecord { route: Some(route), .. })) = self.person.last_element_mut() {
                    route.description = description;
                }
                self.open = Open::Leg;
            }
            "activity" | "act" | "leg" => self.open = Open::Plan,
            "attribute" => {
                self.attribute.value = self.person.add_text(end.text);
                if let Some(range) = &mut self.attributes {
                    self.person.add_attribute(range, self.attribute);
                }
            }
            "attributes" => self.end_attributes(),
            "plan" => {
                self.check_plan();
                self.open = Open::Person;
            }
            "person" => {
                self.report_faults();
                if self.person.plans().is_empty() && !self.person.id.is_none() {
                    let message = format!("person {} has no plan", quoted(self.person.id()));
                    self.problem(self.person.line, message, "Give the person a plan, or remove the person.");
                }
                return Next::Done;
            }
            _ => {}
        }
        Next::GoOn
    }

    /// Starts a person with the attributes of its tag.
    pub(super) fn person<'t>(&mut self, line: u64, attributes: &(impl Iterator<Item = (&'t str, &'t str)> + Clone)) {
        self.open = Open::Person;
        self.person.line = line;
        if let Some((_, id)) = attributes.clone().find(|&(name, _)| name == "id") {
            self.person.id = self.id(line, "id", id);
        }
        if self.person.id.is_none() {
            self.problem(line, "person without id".to_owned(), "Give each person a unique attribute id.");
        }
        if self.file.version == PopulationVersion::V6 {
            return;
        }
        let mut range = self.person.begin_attributes();
        // Version 6 sorts attributes by name; this order achieves the same.
        for position in [1, 3, 4, 2, 0] {
            let (tag, name) = PERSON_ATTRIBUTES[position];
            let Some((_, value)) = attributes.clone().find(|&(found, _)| found == tag) else { continue };
            let (class, value) = match tag {
                "age" => {
                    if value.parse::<i32>().is_err() {
                        let message = format!("age {} is not a whole number", quoted(value));
                        self.problem(line, message, "Expected years, for example 42.");
                    }
                    ("java.lang.Integer", value)
                }
                "employed" => ("java.lang.Boolean", self.employed(line, value)),
                _ => ("java.lang.String", value),
            };
            let [name, class, value] = [name, class, value].map(|text| self.person.add_text(text));
            self.person.add_attribute(&mut range, Attribute { name, class, value });
        }
        range.present = !self.person.attributes(range).is_empty();
        self.person.attributes = range;
    }

    fn employed(&mut self, line: u64, value: &str) -> &'static str {
        if value == "yes" {
            return "true";
        }
        if value != "no" {
            let kind = "persons whose attribute employed is neither yes nor no; read as no";
            self.warnings.add(kind, || format!("{}:{line}: {}", self.file.name, quoted(value)));
        }
        "false"
    }

    fn plan(&mut self, tag: &Tag<'_>) {
        self.open = Open::Plan;
        let (mut selected, mut score, mut kind) = (false, f64::NAN, None);
        for (name, value) in tag.attributes() {
            match name {
                "score" => score = self.number(tag.line, name, value),
                "type" => kind = Some(value),
                "selected" => match value {
                    "yes" => selected = true,
                    "no" => {}
                    _ => {
                        let message = format!("selected is {}", quoted(value));
                        self.problem(tag.line, message, "Expected yes or no.");
                    }
                },
                _ => {}
            }
        }
        let kind = self.person.add_optional(kind);
        self.person.add_plan(tag.line, selected, score, kind);
    }

    fn activity(&mut self, tag: &Tag<'_>) {
        let line = tag.line;
        self.open = Open::Activity;
        if let Some(ElementRecord::Activity(_)) = self.person.last_element_mut() {
            let message = "two activities follow each other".to_owned();
            self.fault(line, message, "Put a leg between two activities.");
        }
        let mut activity = ActivityRecord {
            line,
            kind: Text::NONE,
            link: Text::NONE,
            facility: Text::NONE,
            x: f64::NAN,
            y: f64::NAN,
            z: f64::NAN,
            start_time: f64::NAN,
            end_time: f64::NAN,
            max_duration: f64::NAN,
            attributes: AttributeRange::default(),
        };
        let (mut has_x, mut has_y) = (false, false);
        for (name, value) in tag.attributes() {
            match name {
                "type" => activity.kind = self.id(line, name, value),
                "link" => activity.link = self.person.add_text(value),
                "facility" => activity.facility = self.id(line, name, value),
                "x" => (has_x, activity.x) = (true, self.coordinate(line, name, value)),
                "y" => (has_y, activity.y) = (true, self.coordinate(line, name, value)),
                "z" => activity.z = self.number(line, name, value),
                "start_time" => activity.start_time = self.time(line, name, value),
                "end_time" => activity.end_time = self.time(line, name, value),
                "max_dur" | "dur" => activity.max_duration = self.time(line, name, value),
                // The simulation does not need the `ref_id` of version 4.
                _ => {}
            }
        }
        if activity.kind.is_none() {
            self.problem(line, "activity without type".to_owned(), "Give it a type, for example type=\"home\".");
        }
        if activity.link.is_none() && activity.facility.is_none() && !(has_x && has_y) {
            let message = "activity without link, coordinate and facility".to_owned();
            self.problem(line, message, "Give it a link, or both x and y, or a facility.");
        }
        match self.file.coordinates.apply(activity.x, activity.y) {
            Ok(point) => (activity.x, activity.y) = point,
            Err((message, remedy)) => self.problem(line, format!("an activity {message}"), &remedy),
        }
        self.person.add_element(ElementRecord::Activity(activity));
    }

    fn leg(&mut self, tag: &Tag<'_>) {
        let line = tag.line;
        self.open = Open::Leg;
        let mut leg = LegRecord {
            line,
            mode: Text::NONE,
            departure_time: f64::NAN,
            travel_time: f64::NAN,
            attributes: AttributeRange::default(),
            route: None,
        };
        for (name, value) in tag.attributes() {
            match name {
                "mode" => leg.mode = self.mode(line, value),
                "dep_time" => leg.departure_time = self.time(line, name, value),
                "trav_time" => leg.travel_time = self.time(line, name, value),
                // MATSim reads neither `num` nor `arr_time`.
                _ => {}
            }
        }
        if leg.mode.is_none() {
            self.problem(line, "leg without mode".to_owned(), "Give it a mode, for example mode=\"car\".");
        }
        self.person.add_element(ElementRecord::Leg(leg));
    }

    fn mode(&mut self, line: u64, value: &str) -> Text {
        if self.file.version == PopulationVersion::V4 && value.contains(char::is_uppercase) {
            let lower = value.to_lowercase();
            return self.id(line, "mode", if lower == "undef" { "undefined" } else { &lower });
        }
        self.id(line, "mode", if value == "undef" { "undefined" } else { value })
    }

    fn route(&mut self, tag: &Tag<'_>) {
        let line = tag.line;
        self.open = Open::Route;
        let mut route = RouteRecord {
            line,
            format: RouteFormat::Other,
            kind: Text::NONE,
            start_link: Text::NONE,
            end_link: Text::NONE,
            travel_time: f64::NAN,
            distance: f64::NAN,
            vehicle: Text::NONE,
            description: Text::NONE,
        };
        let old = self.file.version == PopulationVersion::V4;
        for (name, value) in tag.attributes() {
            match name {
                "trav_time" => route.travel_time = self.time(line, name, value),
                "dist" if old => route.distance = self.number(line, name, value),
                _ if old => {}
                "distance" => route.distance = self.number(line, name, value),
                "type" => route.kind = self.person.add_text(value),
                "start_link" => route.start_link = self.person.add_text(value),
                "end_link" => route.end_link = self.person.add_text(value),
                "vehicleRefId" if value != "null" => route.vehicle = self.id(line, name, value),
                _ => {}
            }
        }
        if route.kind.is_none() {
            let mode = match self.person.last_element_mut() {
                Some(ElementRecord::Leg(leg)) => leg.mode,
                _ => Text::NONE,
            };
            let implied = match self.person.text(mode) {
                "car" => "links",
                "pt" => "experimentalPt1",
                _ => "generic",
            };
            route.kind = self.person.add_text(implied);
        }
        if self.person.text(route.kind) == "links" {
            route.format = if old { RouteFormat::Nodes } else { RouteFormat::Links };
        }
        match self.person.last_element_mut() {
            Some(ElementRecord::Leg(leg)) if leg.route.is_none() => leg.route = Some(route),
            _ => self.problem(line, "a second route in one leg".to_owned(), "A leg has one route: remove the others."),
        }
    }

    fn end_attributes(&mut self) {
        let Some(range) = self.attributes.take() else { return };
        match self.open {
            Open::Person => self.person.attributes = range,
            Open::Plan => {
                if let Some(plan) = self.person.last_plan_mut() {
                    plan.attributes = range;
                }
            }
            _ => match self.person.last_element_mut() {
                Some(ElementRecord::Activity(activity)) => activity.attributes = range,
                Some(ElementRecord::Leg(leg)) => leg.attributes = range,
                None => {}
            },
        }
    }

    /// Checks that a plan begins and ends with an activity.
    fn check_plan(&mut self) {
        let Some(plan) = self.person.plans().last() else { return };
        let elements = self.person.elements(plan);
        let remedy = "A plan begins and ends with an activity.";
        let (line, fault) = match (elements.first(), elements.last()) {
            (None, _) | (_, None) => (plan.line, "has no activity"),
            (Some(ElementRecord::Leg(leg)), _) => (leg.line, "begins with a leg"),
            (_, Some(ElementRecord::Leg(leg))) => (leg.line, "ends with a leg"),
            _ => return,
        };
        let message = format!("a plan of person {} {fault}", quoted(self.person.id()));
        self.fault(line, message, remedy);
    }

    /// Stores a fault of the plan added last until it is known which plan is selected.
    fn fault(&mut self, line: u64, message: String, remedy: &'static str) {
        let plan = self.person.plans().len().saturating_sub(1);
        self.faults.push(Fault { plan, line, message, remedy });
    }

    fn report_faults(&mut self) {
        let selected = self.person.selected_plan();
        let mut warned = None;
        for Fault { plan, line, message, remedy } in std::mem::take(&mut self.faults) {
            if self.file.every_plan || Some(plan) == selected {
                self.problem(line, message, remedy);
            } else if warned != Some(plan) {
                warned = Some(plan);
                self.warnings.add(NOT_SELECTED, || format!("{}:{line}: {message}", self.file.name));
            }
        }
    }

    /// Stores a string that becomes an id of the scenario.
    fn id(&mut self, line: u64, name: &str, value: &str) -> Text {
        if value.len() <= MAX_ID_BYTES {
            return self.person.add_text(value);
        }
        let message =
            format!("{name} {} has {} bytes, but an id has at most {MAX_ID_BYTES}", quoted(value), value.len());
        self.problem(line, message, ID_REMEDY);
        // The id counts as present, so that other problems are still found.
        self.person.add_text("")
    }

    fn time(&mut self, line: u64, name: &str, value: &str) -> f64 {
        if let Some(seconds) = usual_time(value.as_bytes()) {
            return seconds;
        }
        if let Ok(time) = clock::parse(value) {
            return time.unwrap_or(f64::NAN);
        }
        let message = format!("{name} {} is not a time", quoted(value));
        self.problem(line, message, EXPECTED_TIME);
        f64::NAN
    }

    fn number(&mut self, line: u64, name: &str, value: &str) -> f64 {
        number(value).unwrap_or_else(|| {
            let message = format!("{name} {} is not a number", quoted(value));
            self.problem(line, message, "Expected a decimal number such as 12.5 or 1.0E7.");
            f64::NAN
        })
    }

    fn coordinate(&mut self, line: u64, name: &str, value: &str) -> f64 {
        let found = self.number(line, name, value);
        if found.is_finite() || number(value).is_none() {
            return found;
        }
        let message = format!("{name} {} is not finite", quoted(value));
        self.problem(line, message, "Give a finite coordinate, or a link or facility instead of x and y.");
        f64::NAN
    }

    fn problem(&mut self, line: u64, message: String, remedy: &str) {
        self.problems.push(format!("{}:{line}", self.file.name), message, remedy);
    }
}

/// Parses times of the forms `HH:MM:SS` and `HH:MM`, by far the most common ones, several times faster than
/// [`clock::parse`].
#[inline]
fn usual_time(text: &[u8]) -> Option<f64> {
    let two = |tens: u8, ones: u8| {
        let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
        (tens < 10 && ones < 10).then(|| u32::from(tens) * 10 + u32::from(ones))
    };
    let (hours, minutes, seconds) = match *text {
        [a, b, b':', c, d, b':', e, f] => (two(a, b)?, two(c, d)?, two(e, f)?),
        [a, b, b':', c, d] => (two(a, b)?, two(c, d)?, 0),
        _ => return None,
    };
    (minutes < 60 && seconds < 60).then(|| f64::from(hours * 3600 + minutes * 60 + seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_times_match_the_clock_parser() {
        for text in ["00:00:00", "06:30:15", "99:59:59", "07:45"] {
            assert_eq!(usual_time(text.as_bytes()), clock::parse(text).unwrap(), "{text}");
        }
        for text in ["25:61:00", "07:60", "07:45:60", "7:45:00", "-7:45:00", "07-45", "undefined", "", "ab:cd:ef"] {
            assert_eq!(usual_time(text.as_bytes()), None, "{text}");
        }
    }
}
