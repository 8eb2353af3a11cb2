//! Reader for transit schedules, versions 1 and 2.

use std::io::BufRead;
use std::path::Path;

use rustc_hash::FxHashSet;
use throng_core::{InputError, NONE, Problems, Warnings, clock};

use super::check::{EXPECTED_TIME, Element, Rule, SystemName, report};
use super::network_items::COORDINATE_SYSTEM;
use super::open::TextInput;
use super::value::{quoted, shortened};
use super::xml::{Tag, Token, Xml};
use crate::coordinates::InputCoordinates;
use throng_traffic_scenario::transit_routing::{RouteDeparture, Timetable, TransferTime};
use throng_traffic_scenario::{Network, Routes, Stops};

const UNKNOWN_ELEMENTS: &str = "unknown elements in schedules; skipped";
const UNKNOWN_TRANSFERS: &str = "minimal transfer times that are negative, undefined or of undefined stops; skipped";
const BACKWARDS: &str = "offsets of stops are earlier than those before them; vehicles are late there";

/// The stops, lines, routes and departures of a schedule.
#[derive(Debug, Clone, Default)]
pub struct ScheduleFile {
    /// Stops.
    pub stops: Stops,
    /// Coordinate of each stop; NaN if it has none. Only the router needs them.
    pub coordinates: Vec<[f64; 2]>,
    /// Times of transfers between stops, for the router.
    pub transfer_times: Vec<TransferTime>,
    /// Ids of lines.
    pub lines: throng_core::IdTable,
    /// Routes in the order of the file.
    pub routes: Routes,
    /// The links of each route, including the first and the last one.
    pub route_links: Vec<Vec<u32>>,
    /// Departures in the order of the file.
    pub departures: Vec<DepartureRecord>,
}

/// A departure.
#[derive(Debug, Clone, PartialEq)]
pub struct DepartureRecord {
    /// Line in the file.
    pub line: u64,
    /// Index of its route.
    pub route: u32,
    /// Id, which is unique within the transit line only.
    pub id: String,
    /// Time, seconds of the day.
    pub time_s: f64,
    /// Id of its vehicle.
    pub vehicle: String,
}

impl ScheduleFile {
    /// Returns the schedule for the router. `network` is that of the schedule.
    pub fn timetable<'a>(&'a self, network: &'a Network) -> Timetable<'a> {
        let departures =
            self.departures.iter().map(|&DepartureRecord { route, time_s, .. }| RouteDeparture { route, time_s });
        Timetable {
            stops: &self.stops,
            coordinates: &self.coordinates,
            routes: &self.routes,
            route_links: &self.route_links,
            link_lengths_m: &network.length_m,
            departures: departures.collect(),
            transfer_times: &self.transfer_times,
        }
    }
}

/// Reads the schedule in `path` (`.xml`, `.xml.gz` or `.xml.zst`) for a network.
///
/// Names, descriptions and attributes are skipped.
///
/// # Errors
/// All problems of the file: nonexistent stops and links, routes with gaps or without stops, stops that are not in
/// order on the links of their route, departures without time or vehicle, duplicate ids, malformed XML.
pub fn read_schedule(path: &Path, network: &Network, warnings: &mut Warnings) -> Result<ScheduleFile, InputError> {
    read_transformed(path, InputCoordinates::default(), network, warnings)
}

/// Like [`read_schedule`], with transformed coordinates.
pub(crate) fn read_transformed(
    path: &Path,
    coordinates: InputCoordinates,
    network: &Network,
    warnings: &mut Warnings,
) -> Result<ScheduleFile, InputError> {
    let input = TextInput::open(path)?;
    let name = input.name().to_owned();
    read(input, &name, coordinates, network, warnings)
}

/// Like [`read_schedule`], but from any reader; `file` is its name in messages.
///
/// # Errors
/// See [`read_schedule`].
pub fn read_schedule_from(
    input: impl BufRead,
    file: &str,
    network: &Network,
    warnings: &mut Warnings,
) -> Result<ScheduleFile, InputError> {
    read(input, file, InputCoordinates::default(), network, warnings)
}

fn read(
    input: impl BufRead,
    file: &str,
    coordinates: InputCoordinates,
    network: &Network,
    warnings: &mut Warnings,
) -> Result<ScheduleFile, InputError> {
    let mut reader = Reader {
        file,
        coordinates,
        network,
        warnings,
        result: ScheduleFile::default(),
        route: None,
        route_ids: FxHashSet::default(),
        departure_ids: FxHashSet::default(),
        in_line: false,
    };
    reader.result.routes.first_call.push(0);
    let mut problems = Problems::new();
    let read = reader.walk(&mut Xml::new(input, file), &mut problems);
    report(problems, read).map(|()| reader.result)
}

/// The route that is being read.
#[derive(Debug, Default)]
struct Route {
    line: u64,
    id: String,
    links: Vec<u32>,
    /// Links that the network does not have have been reported.
    is_complete: bool,
}

struct Reader<'a> {
    file: &'a str,
    coordinates: InputCoordinates,
    network: &'a Network,
    warnings: &'a mut Warnings,
    result: ScheduleFile,
    route: Option<Route>,
    /// Ids of the routes of the current line, and of the departures of the current route.
    route_ids: FxHashSet<String>,
    departure_ids: FxHashSet<String>,
    /// Whether a line has begun and not ended.
    in_line: bool,
}

impl Reader<'_> {
    fn walk<R: BufRead>(&mut self, xml: &mut Xml<R>, problems: &mut Problems) -> Result<(), InputError> {
        xml.root(&["transitSchedule"], "a schedule of public transport")?;
        xml.check_doctype("transitSchedule", &["transitSchedule_v1.dtd", "transitSchedule_v2.dtd"], "schedules")?;
        // Whether the current attribute is the coordinate system. Attributes of other elements are skipped.
        let mut of_coordinates = false;
        let (mut system, mut behind) = (SystemName::default(), None);
        loop {
            let in_root = xml.depth() == 1;
            match xml.read()? {
                Token::Start(tag) => match tag.name {
                    "attributes" if in_root => continue,
                    "attribute" => {
                        of_coordinates = tag.get("name") == Some(COORDINATE_SYSTEM);
                        if of_coordinates {
                            system.give(&tag.place(), behind)?;
                        }
                        continue;
                    }
                    "transitStops" | "minimalTransferTimes" | "routeProfile" | "route" | "departures" => continue,
                    "transitLine" => {
                        self.transit_line(&tag, problems);
                        continue;
                    }
                    "transitRoute" => {
                        self.begin_route(&tag, problems);
                        continue;
                    }
                    "stopFacility" => {
                        behind = Some("stopFacility");
                        self.stop_facility(&tag, problems);
                    }
                    "stop" => self.call(&tag, problems),
                    "link" => self.links(&tag, problems),
                    "departure" => self.departure(&tag, problems),
                    "relation" => self.transfer_time(&tag, problems),
                    "attributes" | "description" | "transportMode" => {}
                    name => {
                        let example = || format!("{}: <{}>", tag.place(), shortened(name));
                        self.warnings.add(UNKNOWN_ELEMENTS, example);
                    }
                },
                Token::End(end) => {
                    match end.name {
                        "transitLine" => self.in_line = false,
                        "transitRoute" => self.end_route(problems),
                        "attribute" if of_coordinates => {
                            let place = format!("{}:{}", self.file, end.line);
                            self.coordinates.file_names(end.text, &place, self.warnings)?;
                        }
                        _ => {}
                    }
                    continue;
                }
                Token::Eof => return Ok(()),
            }
            xml.skip()?;
        }
    }

    fn link(&self, element: &Element<'_>, id: &str, problems: &mut Problems) -> u32 {
        self.network.link_ids.get(id).unwrap_or_else(|| {
            let message = format!("{} names link {}, which the network does not have", element.name(), quoted(id));
            problems.push(element.place(), message, "Use the network to which the schedule belongs.");
            NONE
        })
    }

    fn stop_facility(&mut self, tag: &Tag<'_>, problems: &mut Problems) {
        let element =
            Element { file: self.file, line: tag.line, kind: "stopFacility", id: tag.get("id").unwrap_or("") };
        let id = element.required("id", tag.get("id"), problems);
        let link = tag.get("linkRefId").map_or(NONE, |link| self.link(&element, link, problems));
        if id.is_empty() {
            return;
        }
        if let Err(error) = self.result.stops.ids.insert(id) {
            element.refused(&error, problems);
            return;
        }
        self.result.stops.link.push(link);
        let is_blocking = flag(&element, "isBlocking", tag, problems);
        self.result.stops.is_blocking.push(is_blocking);
        let mut coordinate = |name| element.number_or(name, tag.get(name), f64::NAN, Rule::Finite, "", problems);
        let point = (coordinate("x"), coordinate("y"));
        let (x, y) = element.transformed(&self.coordinates, point, problems);
        self.result.coordinates.push([x, y]);
    }

    /// Reads a minimal transfer time, `<relation>`.
    fn transfer_time(&mut self, tag: &Tag<'_>, problems: &mut Problems) {
        let element = Element { file: self.file, line: tag.line, kind: "relation", id: "" };
        let mut stop = |name| {
            let id = element.required(name, tag.get(name), problems);
            self.result.stops.ids.get(id)
        };
        let stops = [stop("fromStop"), stop("toStop")];
        let text = tag.get("transferTime");
        let is_undefined = text.is_some_and(|text| clock::parse(text) == Ok(None));
        let time_s = if is_undefined { f64::NAN } else { element.time("transferTime", text, problems) };
        match stops {
            [Some(from_stop), Some(to_stop)] if time_s >= 0.0 => {
                self.result.transfer_times.push(TransferTime { from_stop, to_stop, time_s });
            }
            _ => self.warnings.add(UNKNOWN_TRANSFERS, || tag.place()),
        }
    }

    fn transit_line(&mut self, tag: &Tag<'_>, problems: &mut Problems) {
        let element = Element { file: self.file, line: tag.line, kind: "transitLine", id: tag.get("id").unwrap_or("") };
        if self.in_line {
            let message = format!("{} begins inside another line", element.name());
            problems.push(element.place(), message, "End the other <transitLine> first.");
        }
        self.in_line = true;
        self.route_ids.clear();
        let id = element.required("id", tag.get("id"), problems);
        if let Err(error) = self.result.lines.insert(id) {
            element.refused(&error, problems);
        }
    }

    fn begin_route(&mut self, tag: &Tag<'_>, problems: &mut Problems) {
        let element =
            Element { file: self.file, line: tag.line, kind: "transitRoute", id: tag.get("id").unwrap_or("") };
        if self.route.is_some() || !self.in_line || self.result.lines.is_empty() {
            let place = if self.in_line { "inside another route" } else { "outside of any line" };
            let message = format!("{} begins {place}", element.name());
            problems.push(
                element.place(),
                message,
                "Put each <transitRoute> into a <transitLine>, one after the other.",
            );
            return;
        }
        let id = element.required("id", tag.get("id"), problems);
        if !self.route_ids.insert(id.to_owned()) {
            let message = format!("{} is defined twice in this line", element.name());
            problems.push(element.place(), message, "Remove one of the two, or give it another id.");
        }
        self.departure_ids.clear();
        let routes = &mut self.result.routes;
        routes.ids.push(id.to_owned());
        routes.line.push(self.result.lines.len() as u32 - 1);
        self.route = Some(Route { line: tag.line, id: id.to_owned(), links: Vec::new(), is_complete: true });
    }

    /// A stop of the route.
    fn call(&mut self, tag: &Tag<'_>, problems: &mut Problems) {
        let Some(route) = &mut self.route else { return };
        let element = Element { file: self.file, line: tag.line, kind: "transitRoute", id: &route.id };
        let id = element.required("refId", tag.get("refId"), problems);
        let Some(stop) = self.result.stops.ids.get(id) else {
            route.is_complete = false;
            if !id.is_empty() {
                let message = format!("{} stops at {}, which is not defined", element.name(), quoted(id));
                problems.push(
                    element.place(),
                    message,
                    "Define the <stopFacility> before the lines, or correct refId.",
                );
            }
            return;
        };
        let mut offset = |name: &'static str| match tag.get(name).map(clock::parse) {
            None => f64::NAN,
            Some(Ok(seconds)) => seconds.unwrap_or(f64::NAN),
            Some(Err(_)) => {
                element.bad(name, tag.get(name), EXPECTED_TIME, problems);
                f64::NAN
            }
        };
        let (arrival, departure) = (offset("arrivalOffset"), offset("departureOffset"));
        let routes = &mut self.result.routes;
        let begins = *routes.first_call.last().unwrap_or(&0) as usize;
        let before = |times: &[f64]| times[begins..].last().copied().unwrap_or(f64::NAN);
        let previous = before(&routes.departure_offset_s).max(before(&routes.arrival_offset_s));
        if arrival < previous || departure < previous || departure < arrival {
            self.warnings.add(BACKWARDS, || format!("{}: {} at stop {}", tag.place(), element.name(), quoted(id)));
        }
        routes.stop.push(stop);
        routes.arrival_offset_s.push(arrival);
        routes.departure_offset_s.push(departure);
        routes.awaits_departure.push(flag(&element, "awaitDeparture", tag, problems));
    }

    /// Links of the route: usually one per element, but an element may name several.
    fn links(&mut self, tag: &Tag<'_>, problems: &mut Problems) {
        let Some(mut route) = self.route.take() else { return };
        let element = Element { file: self.file, line: tag.line, kind: "transitRoute", id: &route.id };
        let ids = element.required("refId", tag.get("refId").map(str::trim), problems);
        if ids.is_empty() {
            route.is_complete = false;
        }
        // An id may contain blanks.
        if let Some(link) = self.network.link_ids.get(ids) {
            route.links.push(link);
        } else {
            for id in ids.split_ascii_whitespace() {
                let link = self.link(&element, id, problems);
                route.is_complete &= link != NONE;
                route.links.push(link);
            }
        }
        self.route = Some(route);
    }

    fn departure(&mut self, tag: &Tag<'_>, problems: &mut Problems) {
        if self.route.is_none() {
            return;
        }
        let element = Element { file: self.file, line: tag.line, kind: "departure", id: tag.get("id").unwrap_or("") };
        let id = element.required("id", tag.get("id"), problems);
        let time_s = element.time("departureTime", tag.get("departureTime"), problems);
        let vehicle = element.required("vehicleRefId", tag.get("vehicleRefId"), problems).to_owned();
        if !id.is_empty() && !self.departure_ids.insert(id.to_owned()) {
            let message = format!("{} is defined twice in this route", element.name());
            problems.push(element.place(), message, "Remove one of the two, or give it another id.");
        }
        let route = self.result.routes.len() as u32 - 1;
        self.result.departures.push(DepartureRecord { line: tag.line, route, id: id.to_owned(), time_s, vehicle });
    }

    fn end_route(&mut self, problems: &mut Problems) {
        let Some(route) = self.route.take() else { return };
        let element = Element { file: self.file, line: route.line, kind: "transitRoute", id: &route.id };
        let routes = &mut self.result.routes;
        let begins = *routes.first_call.last().unwrap_or(&0) as usize;
        routes.first_call.push(routes.stop.len() as u32);
        let calls = &routes.stop[begins..];
        let mut problem = |message: String, remedy: &str| {
            problems.push(element.place(), format!("{} {message}", element.name()), remedy);
        };
        if route.links.is_empty() {
            problem("has no links".to_owned(), "Give it a <route> with at least one <link>.");
        } else if calls.is_empty() && route.is_complete {
            problem("has no stops".to_owned(), "Give it a <routeProfile> with at least one <stop>.");
        } else if route.is_complete {
            let (network, stops) = (self.network, &self.result.stops);
            let gap =
                route.links.windows(2).find(|pair| network.to[pair[0] as usize] != network.from[pair[1] as usize]);
            if let Some(pair) = gap {
                let [a, b] = [pair[0], pair[1]].map(|link| quoted(network.link_ids.name(link)));
                problem(
                    format!("goes from link {a} to link {b}, which does not begin where the first one ends"),
                    "List all links of the route, in order.",
                );
            }
            let mut at = 0;
            for &stop in calls {
                let link = stops.link[stop as usize];
                let Some(further) = route.links[at..].iter().position(|&on_route| on_route == link) else {
                    let id = quoted(stops.ids.name(stop));
                    let place = match link {
                        NONE => "which is on no link".to_owned(),
                        _ => format!("on link {}, after the stops before it", quoted(network.link_ids.name(link))),
                    };
                    problem(
                        format!("does not reach its stop {id}, {place}"),
                        "Correct the links of the route, the order of its stops, or linkRefId of the stop.",
                    );
                    break;
                };
                at += further;
            }
        }
        self.result.route_links.push(route.links);
    }
}

/// Parses an optional attribute that is true or false, in any case.
fn flag(element: &Element<'_>, name: &str, tag: &Tag<'_>, problems: &mut Problems) -> bool {
    match tag.get(name) {
        None => false,
        Some(text) if text.eq_ignore_ascii_case("true") => true,
        Some(text) if text.eq_ignore_ascii_case("false") => false,
        text => {
            element.bad(name, text, "Expected true or false.", problems);
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::NetworkBuilder;

    fn network() -> Network {
        NetworkBuilder::new()
            .node("1", 0.0, 0.0)
            .node("2", 1.0, 0.0)
            .node("3", 2.0, 0.0)
            .link("12", "1", "2", 10.0, 1.0, 1.0, 1.0)
            .link("23", "2", "3", 20.0, 1.0, 1.0, 1.0)
            .link("31", "3", "1", 40.0, 1.0, 1.0, 1.0)
            .build()
            .unwrap()
    }

    const STOPS: &str = "<transitStops><stopFacility id='a' x='0' y='0' linkRefId='12'/>\n\
        <stopFacility id='b' x='0' y='0' linkRefId='31' isBlocking='true'/><stopFacility id='c' x='0' y='0'/></transitStops>";

    fn read(stops: &str, route: &str) -> (Result<ScheduleFile, InputError>, Warnings) {
        let text = format!(
            "<transitSchedule>{stops}<transitLine id='L'><transitRoute id='r'>\n{route}</transitRoute></transitLine></transitSchedule>"
        );
        let mut warnings = Warnings::new();
        (read_schedule_from(text.as_bytes(), "s.xml", &network(), &mut warnings), warnings)
    }

    fn problem(stops: &str, route: &str) -> String {
        read(stops, route).0.unwrap_err().to_string()
    }

    const PROFILE: &str = "<routeProfile><stop refId='a' departureOffset='00:00:10'/>\
        <stop refId='b' arrivalOffset='00:02:00' awaitDeparture='true'/></routeProfile>";
    const ROUTE: &str = "<route><link refId='12 23'/><link refId='31'/></route>";

    #[test]
    fn stops_routes_and_departures_are_read() {
        let departures = "<departures><departure id='d' departureTime='25:00:00' vehicleRefId='v'/></departures>";
        let (file, warnings) = read(STOPS, &format!("<transportMode>bus</transportMode>{PROFILE}{ROUTE}{departures}"));
        let file = file.unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!((file.stops.link, file.stops.is_blocking), (vec![0, 2, NONE], vec![false, true, false]));
        assert_eq!(file.route_links, [[0, 1, 2]]);
        let Routes { first_call, stop, departure_offset_s, arrival_offset_s, awaits_departure, .. } = file.routes;
        assert_eq!((first_call, stop, awaits_departure), (vec![0, 2], vec![0, 1], vec![false, true]));
        assert!(departure_offset_s[0] == 10.0 && departure_offset_s[1].is_nan() && arrival_offset_s[1] == 120.0);
        let DepartureRecord { route, id, time_s, vehicle, .. } = &file.departures[0];
        assert_eq!((*route, id.as_str(), *time_s, vehicle.as_str()), (0, "d", 90_000.0, "v"));
    }

    #[test]
    fn coordinates_and_transfer_times_are_read_for_the_router() {
        let stops = "<transitStops><stopFacility id='a' x='1.5' y='-2' linkRefId='12'/>\
            <stopFacility id='b' linkRefId='31'/></transitStops>\
            <minimalTransferTimes><relation fromStop='a' toStop='b' transferTime='90'/>\
            <relation fromStop='b' toStop='a' transferTime='00:02:00.5'/>\
            <relation fromStop='b' toStop='x' transferTime='1'/></minimalTransferTimes>";
        let departures = "<departures><departure id='d' departureTime='25:00:00' vehicleRefId='v'/></departures>";
        let (file, warnings) = read(stops, &format!("{PROFILE}{ROUTE}{departures}"));
        let (file, network) = (file.unwrap(), network());
        assert_eq!(warnings.count(UNKNOWN_TRANSFERS), 1);
        assert_eq!(file.coordinates[0], [1.5, -2.0]);
        assert!(file.coordinates[1][0].is_nan());
        let timetable = file.timetable(&network);
        let transfer = |from_stop, to_stop, time_s| TransferTime { from_stop, to_stop, time_s };
        assert_eq!(timetable.transfer_times, [transfer(0, 1, 90.0), transfer(1, 0, 120.5)]);
        assert_eq!(timetable.departures, [RouteDeparture { route: 0, time_s: 90_000.0 }]);
        assert_eq!(timetable.link_lengths_m, [10.0, 20.0, 40.0]);
    }

    #[test]
    fn problems_name_the_line_and_the_route() {
        for (stops, route, expected) in [
            (
                STOPS,
                format!("{PROFILE}<route><link refId='12'/><link refId='31'/></route>"),
                "s.xml:2: transitRoute \"r\" goes from link \"12\" to link \"31\"",
            ),
            (
                STOPS,
                format!("{PROFILE}<route><link refId='12'/><link refId='23'/></route>"),
                "does not reach its stop \"b\", on link \"31\"",
            ),
            (
                STOPS,
                format!("{PROFILE}<route><link refId='12'/><link refId='x'/></route>"),
                "transitRoute \"r\" names link \"x\"",
            ),
            (STOPS, PROFILE.to_owned(), "has no links"),
            (STOPS, ROUTE.to_owned(), "has no stops"),
            (
                STOPS,
                format!("<routeProfile><stop refId='c'/></routeProfile>{ROUTE}"),
                "stop \"c\", which is on no link",
            ),
            (
                STOPS,
                format!("<routeProfile><stop refId='d'/></routeProfile>{ROUTE}"),
                "stops at \"d\", which is not defined",
            ),
            (
                STOPS,
                format!("<routeProfile><stop refId='a' departureOffset='1x'/></routeProfile>{ROUTE}"),
                "has departureOffset \"1x\"",
            ),
            (
                STOPS,
                format!("{PROFILE}{ROUTE}<departures><departure id='d'/></departures>"),
                "departure \"d\" has no vehicleRefId",
            ),
            (
                "<transitStops><stopFacility id='a' linkRefId='9'/></transitStops>",
                String::new(),
                "stopFacility \"a\" names link \"9\"",
            ),
            (
                "<transitStops><stopFacility id='a' x='1' y='1e'/></transitStops>",
                String::new(),
                "stopFacility \"a\" has y \"1e\"",
            ),
            (
                "<minimalTransferTimes><relation fromStop='a' transferTime='x'/></minimalTransferTimes>",
                String::new(),
                "relation has no toStop",
            ),
            (
                "<transitStops><stopFacility id='a'/><stopFacility id='a'/></transitStops>",
                String::new(),
                "stopFacility \"a\" is defined twice",
            ),
        ] {
            let text = problem(stops, &route);
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }

    #[test]
    fn routes_are_in_lines_and_not_in_each_other() {
        let read = |text: &str| {
            let text = format!("<transitSchedule>{STOPS}{text}</transitSchedule>");
            read_schedule_from(text.as_bytes(), "s.xml", &network(), &mut Warnings::new()).unwrap_err().to_string()
        };
        let route = |id: &str| format!("<transitRoute id='{id}'>{PROFILE}{ROUTE}</transitRoute>");
        let (r, inner) = (route("r"), format!("<transitRoute id='o'>{}{PROFILE}{ROUTE}</transitRoute>", route("i")));
        let twice = "<departures><departure id='d' departureTime='1' vehicleRefId='v'/>\
            <departure id='d' departureTime='2' vehicleRefId='v'/></departures>";
        for (text, expected) in [
            (r.clone(), "transitRoute \"r\" begins outside of any line"),
            (format!("<transitLine id='L'>{inner}</transitLine>"), "transitRoute \"i\" begins inside another route"),
            (format!("<transitLine id='L'><transitLine id='M'>{r}</transitLine></transitLine>"), "transitLine \"M\" begins inside another line"),
            (format!("<transitLine id='L'>{r}{r}</transitLine>"), "transitRoute \"r\" is defined twice in this line"),
            (format!("<transitLine id='L'><transitRoute id='r'>{PROFILE}{ROUTE}{twice}</transitRoute></transitLine>"), "departure \"d\" is defined twice in this route"),
            ("<transitLine id='L'><transitRoute id='r'><routeProfile><stop refId='a' awaitDeparture='1'/></routeProfile></transitRoute></transitLine>".to_owned(), "has awaitDeparture \"1\""),
        ] {
            let found = read(&text);
            assert!(found.contains(expected), "{expected}: {found}");
        }
    }

    #[test]
    fn the_coordinate_system_is_named_once_before_the_stops() {
        let system = "<attributes><attribute name='coordinateReferenceSystem' class='c'>X</attribute></attributes>";
        let own = STOPS.replace(" isBlocking='true'/>", &format!(">{system}</stopFacility>"));
        let read = |text: String| {
            let text = format!("<transitSchedule>{text}</transitSchedule>");
            read_schedule_from(text.as_bytes(), "s.xml", &network(), &mut Warnings::new())
        };
        assert!(own.contains(system) && read(format!("{system}{own}")).is_ok());
        for (text, expected) in [
            (
                format!("{STOPS}\n{system}"),
                "s.xml:3: the file names its coordinateReferenceSystem behind the first <stopFacility>",
            ),
            (format!("{system}\n{system}"), "s.xml:2: the file names its coordinateReferenceSystem twice"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn offsets_that_go_back_are_counted() {
        let profile = "<routeProfile><stop refId='a' departureOffset='00:03:00'/><stop refId='b' arrivalOffset='00:02:00'/></routeProfile>";
        let (file, warnings) = read(STOPS, &format!("{profile}{ROUTE}"));
        assert!(file.is_ok());
        assert_eq!(warnings.count(BACKWARDS), 1);
    }

    proptest::proptest! {
        #[test]
        fn damaged_files_never_panic(at in 0_usize..600, byte: u8, cut in 0_usize..600) {
            let mut bytes = format!("<transitSchedule>{STOPS}<transitLine id='L'><transitRoute id='r'>{PROFILE}{ROUTE}</transitRoute></transitLine></transitSchedule>").into_bytes();
            bytes.truncate(cut.max(30));
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            let _ = read_schedule_from(&bytes[..], "s.xml", &network(), &mut Warnings::new());
        }
    }
}
