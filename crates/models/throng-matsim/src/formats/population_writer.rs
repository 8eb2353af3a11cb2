//! Writes plans files as MATSim does.

use std::io::{self, Write};

use throng_core::{Warnings, clock, java_double};

use super::node_path::NodePaths;
use super::person::{
    ActivityRecord, AttributeRange, ElementRecord, LegRecord, PersonRecord, PlanRecord, RouteFormat, RouteRecord, Text,
};
use super::population::{PopulationHeader, PopulationVersion};
use super::route_text::RouteTexts;
use super::text::{push_attribute, push_escaped};
use super::value::quoted;
use throng_traffic_scenario::Network;

const SEPARATOR: &str = "<!-- ====================================================================== -->\n\n";

/// Attributes of a person that versions 4 and 5 write into the `<person>` tag, in tag order, with their names in
/// version 6.
pub(super) const PERSON_ATTRIBUTES: [(&str, &str); 5] =
    [("sex", "sex"), ("age", "age"), ("license", "hasLicense"), ("car_avail", "carAvail"), ("employed", "employed")];

/// Writes persons one by one, with the layout that MATSim uses for the same version.
///
/// Data of a person that a version cannot hold is omitted with a counted warning; population attributes, silently.
#[derive(Debug)]
pub struct PopulationWriter<'a, W: Write> {
    out: W,
    network: Option<&'a Network>,
    persons: PersonFormatter,
}

impl<'a, W: Write> PopulationWriter<'a, W> {
    /// Starts a file of `version` with the name and attributes of `header`.
    ///
    /// `network` is needed if routes change between lists of nodes (version 4) and lists of links.
    ///
    /// # Errors
    /// If writing to `out` fails.
    pub fn new(
        mut out: W,
        version: PopulationVersion,
        header: &PopulationHeader,
        network: Option<&'a Network>,
    ) -> io::Result<Self> {
        out.write_all(head(version, header).as_bytes())?;
        Ok(Self { out, network, persons: PersonFormatter::new(version, network) })
    }

    /// Writes one person.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn write(&mut self, person: &PersonRecord, warnings: &mut Warnings) -> io::Result<()> {
        self.out.write_all(self.persons.format(person, self.network, warnings).as_bytes())
    }

    /// Ends the file and returns the output.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(tail(self.persons.version).as_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Returns the text before the first person.
pub fn head(version: PopulationVersion, header: &PopulationHeader) -> String {
    let mut text = String::new();
    let root = version.root();
    text.push_str("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE ");
    text.push_str(root);
    text.push_str(" SYSTEM \"http://www.matsim.org/files/dtd/");
    text.push_str(version.dtd());
    text.push_str("\">\n\n<");
    text.push_str(root);
    if let Some(name) = &header.name {
        push_attribute(&mut text, if version == PopulationVersion::V4 { "name" } else { "desc" }, name);
    }
    text.push_str(">\n\n");
    if version == PopulationVersion::V6 {
        if !header.attributes.is_empty() {
            text.push_str("\t<attributes>\n");
            for (name, class, value) in &header.attributes {
                push_attribute_element(&mut text, "\t\t", name, class, value);
            }
            text.push_str("\t</attributes>\n");
        }
        text.push_str("\n\n");
    }
    text.push_str(SEPARATOR);
    text
}

/// Returns the text after the last person.
pub fn tail(version: PopulationVersion) -> String {
    format!("</{}>\n", version.root())
}

/// Formats persons one by one; see [`PopulationWriter`].
#[derive(Debug)]
pub struct PersonFormatter {
    version: PopulationVersion,
    paths: Option<NodePaths>,
    text: String,
    route: String,
}

impl PersonFormatter {
    /// Creates a formatter for `version`. `network` is needed if routes change between lists of nodes (version 4) and
    /// lists of links.
    pub fn new(version: PopulationVersion, network: Option<&Network>) -> Self {
        Self { version, paths: network.map(NodePaths::new), text: String::new(), route: String::new() }
    }

    /// Returns the text of a person; `network` must be that of [`PersonFormatter::new`].
    pub fn format(&mut self, person: &PersonRecord, network: Option<&Network>, warnings: &mut Warnings) -> &str {
        self.text.clear();
        self.text.push_str("\t<person");
        push_attribute(&mut self.text, "id", person.id());
        if self.version == PopulationVersion::V6 {
            self.text.push_str(">\n");
            self.attributes(person, person.attributes, "\t\t");
        } else {
            self.person_tag(person, warnings);
        }
        for (position, plan) in person.plans().iter().enumerate() {
            self.plan((person, network), plan, person.selected_plan() == Some(position), warnings);
        }
        self.text.push_str("\t</person>\n\n");
        self.text.push_str(SEPARATOR);
        &self.text
    }

    /// Writes the rest of the `<person>` tag in versions 4 and 5.
    fn person_tag(&mut self, person: &PersonRecord, warnings: &mut Warnings) {
        let mut kept = 0;
        for (tag, name) in PERSON_ATTRIBUTES {
            let Some(value) = person.attribute(person.attributes, name) else { continue };
            let value = match (tag, value) {
                ("employed", "true") => "yes",
                ("employed", "false") => "no",
                _ => value,
            };
            push_attribute(&mut self.text, tag, value);
            kept += 1;
        }
        self.text.push_str(">\n");
        if person.attributes(person.attributes).len() > kept {
            self.lost("attributes of persons", person, warnings);
        }
    }

    fn plan(
        &mut self,
        (person, network): (&PersonRecord, Option<&Network>),
        plan: &PlanRecord,
        selected: bool,
        warnings: &mut Warnings,
    ) {
        self.text.push_str("\t\t<plan");
        if !plan.score.is_nan() {
            push_number(&mut self.text, "score", plan.score);
        }
        push_attribute(&mut self.text, "selected", if selected { "yes" } else { "no" });
        push_optional(&mut self.text, "type", person.optional(plan.kind));
        self.text.push_str(">\n");
        self.element_attributes(person, plan.attributes, "attributes of plans", warnings);
        let elements = person.elements(plan);
        for (position, element) in elements.iter().enumerate() {
            match element {
                ElementRecord::Activity(activity) => self.activity(person, activity, warnings),
                ElementRecord::Leg(leg) => {
                    let before = neighbour(elements, position.checked_sub(1));
                    let after = neighbour(elements, position.checked_add(1));
                    self.leg((person, network), leg, [before, after], warnings);
                }
            }
        }
        self.text.push_str("\t\t</plan>\n\n");
    }

    fn activity(&mut self, person: &PersonRecord, activity: &ActivityRecord, warnings: &mut Warnings) {
        let version = self.version;
        let text = &mut self.text;
        text.push_str(if version == PopulationVersion::V6 { "\t\t\t<activity" } else { "\t\t\t<act" });
        push_attribute(text, "type", person.text(activity.kind));
        push_optional(text, "link", person.optional(activity.link));
        push_optional(text, "facility", person.optional(activity.facility));
        if !activity.x.is_nan() && !activity.y.is_nan() {
            push_number(text, "x", activity.x);
            push_number(text, "y", activity.y);
            if version == PopulationVersion::V6 && !activity.z.is_nan() {
                push_number(text, "z", activity.z);
            }
        }
        let duration = if version == PopulationVersion::V4 { "dur" } else { "max_dur" };
        for (name, time) in
            [("start_time", activity.start_time), (duration, activity.max_duration), ("end_time", activity.end_time)]
        {
            push_time(text, name, time);
        }
        if version == PopulationVersion::V6 {
            text.push_str(" >\n");
            self.attributes(person, activity.attributes, "\t\t\t\t");
            self.text.push_str("\t\t\t</activity>\n");
        } else {
            text.push_str(" />\n");
            if !person.attributes(activity.attributes).is_empty() {
                self.lost("attributes of activities", person, warnings);
            }
            if !activity.z.is_nan() {
                self.lost("elevations of activities", person, warnings);
            }
        }
    }

    fn leg(
        &mut self,
        (person, network): (&PersonRecord, Option<&Network>),
        leg: &LegRecord,
        links: [Text; 2],
        warnings: &mut Warnings,
    ) {
        self.text.push_str("\t\t\t<leg");
        push_attribute(&mut self.text, "mode", person.text(leg.mode));
        push_time(&mut self.text, "dep_time", leg.departure_time);
        push_time(&mut self.text, "trav_time", leg.travel_time);
        self.text.push_str(">\n");
        self.element_attributes(person, leg.attributes, "attributes of legs", warnings);
        if let Some(route) = &leg.route {
            self.route((person, network), route, links, warnings);
        }
        self.text.push_str("\t\t\t</leg>\n");
    }

    /// Writes a route; `links` are the links of the activities before and after it.
    fn route(
        &mut self,
        (person, network): (&PersonRecord, Option<&Network>),
        route: &RouteRecord,
        links: [Text; 2],
        warnings: &mut Warnings,
    ) {
        let wanted = match (self.version, route.format) {
            (_, RouteFormat::Other) => RouteFormat::Other,
            (PopulationVersion::V4, _) => RouteFormat::Nodes,
            _ => RouteFormat::Links,
        };
        let ends = [first_of(person, route.start_link, links[0]), first_of(person, route.end_link, links[1])];
        self.route.clear();
        let routes = network.zip(self.paths.as_ref()).map(|(network, paths)| RouteTexts::new(network, paths));
        if wanted == route.format {
            self.route.push_str(person.text(route.description));
        } else if !routes.is_some_and(|r| {
            // In version 4 a route does not name its ends: readers use the links of the activities.
            let implied = [first_of(person, links[0], route.start_link), first_of(person, links[1], route.end_link)];
            let ends = if wanted == RouteFormat::Nodes { implied } else { ends };
            r.convert(person.text(route.description), ends.map(|end| person.optional(end)), wanted, &mut self.route)
        }) {
            let place = || format!("person {}, line {}", quoted(person.id()), route.line);
            warnings.add("routes that could not be converted; their legs are written without a route", place);
            return;
        }
        let has_vehicle = self.version != PopulationVersion::V4 && route.format != RouteFormat::Other;
        if !route.vehicle.is_none() && !has_vehicle {
            self.lost("vehicles (vehicleRefId) of routes", person, warnings);
        }
        if self.version == PopulationVersion::V4 {
            self.route_of_version_4(route);
        } else {
            self.route_tag(person, route, ends);
        }
        self.text.push_str("</route>\n");
    }

    fn route_tag(&mut self, person: &PersonRecord, route: &RouteRecord, ends: [Text; 2]) {
        let text = &mut self.text;
        text.push_str("\t\t\t\t<route");
        push_attribute(text, "type", person.optional(route.kind).unwrap_or("generic"));
        // A list of links includes both ends.
        let mut ids = self.route.split_ascii_whitespace();
        let (first, last) = if route.format == RouteFormat::Other {
            (None, None)
        } else {
            let first = ids.next();
            (first, ids.next_back())
        };
        push_optional(text, "start_link", first.or(person.optional(ends[0])));
        push_optional(text, "end_link", last.or(person.optional(ends[1])));
        text.push_str(" trav_time=\"");
        text.push_str(&clock::exact(route.travel_time));
        text.push('"');
        push_number(text, "distance", route.distance);
        if route.format != RouteFormat::Other {
            push_attribute(text, "vehicleRefId", person.optional(route.vehicle).unwrap_or("null"));
        }
        text.push('>');
        push_escaped(text, &self.route);
    }

    fn route_of_version_4(&mut self, route: &RouteRecord) {
        let text = &mut self.text;
        text.push_str("\t\t\t\t<route");
        if !route.distance.is_nan() {
            push_number(text, "dist", route.distance);
        }
        push_time(text, "trav_time", route.travel_time);
        text.push_str(">\n\t\t\t\t\t");
        if !self.route.is_empty() {
            push_escaped(text, &self.route);
            text.push(' ');
        }
        text.push_str("\n\t\t\t\t");
    }

    fn element_attributes(
        &mut self,
        person: &PersonRecord,
        range: AttributeRange,
        what: &'static str,
        warnings: &mut Warnings,
    ) {
        if self.version == PopulationVersion::V6 {
            self.attributes(person, range, "\t\t\t\t");
        } else if !person.attributes(range).is_empty() {
            self.lost(what, person, warnings);
        }
    }

    fn attributes(&mut self, person: &PersonRecord, range: AttributeRange, indent: &str) {
        if !range.present {
            return;
        }
        let text = &mut self.text;
        for part in [indent, "<attributes>\n"] {
            text.push_str(part);
        }
        for attribute in person.attributes(range) {
            text.push_str(indent);
            let [name, class, value] = [attribute.name, attribute.class, attribute.value].map(|t| person.text(t));
            push_attribute_element(text, "\t", name, class, value);
        }
        for part in [indent, "</attributes>\n"] {
            text.push_str(part);
        }
    }

    fn lost(&self, what: &str, person: &PersonRecord, warnings: &mut Warnings) {
        let kind = format!("{what} that plans of version {} have no room for; left out", self.version.number());
        warnings.add(&kind, || format!("person {}", quoted(person.id())));
    }
}

fn first_of(person: &PersonRecord, given: Text, implied: Text) -> Text {
    if person.optional(given).is_some() { given } else { implied }
}

/// Returns the link of the activity at index `position`, if any.
fn neighbour(elements: &[ElementRecord], position: Option<usize>) -> Text {
    match position.and_then(|position| elements.get(position)) {
        Some(ElementRecord::Activity(activity)) => activity.link,
        _ => Text::NONE,
    }
}

fn push_attribute_element(text: &mut String, indent: &str, name: &str, class: &str, value: &str) {
    text.push_str(indent);
    text.push_str("<attribute");
    push_attribute(text, "name", name);
    push_attribute(text, "class", class);
    text.push('>');
    push_escaped(text, value);
    text.push_str("</attribute>\n");
}

fn push_optional(text: &mut String, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        push_attribute(text, name, value);
    }
}

fn push_time(text: &mut String, name: &str, seconds: f64) {
    if !seconds.is_nan() {
        push_attribute(text, name, &clock::exact(seconds));
    }
}

fn push_number(text: &mut String, name: &str, value: f64) {
    text.push(' ');
    text.push_str(name);
    text.push_str("=\"");
    java_double::push(text, value);
    text.push('"');
}

#[cfg(test)]
mod tests;
