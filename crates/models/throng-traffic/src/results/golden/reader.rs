//! Converts a reference event file back to events and a scenario, as far as tests of the writers need it.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use throng_core::NONE;

use throng_traffic_scenario::events::{Event, EventKind};
use throng_traffic_scenario::settings::Compat;
use throng_traffic_scenario::{Activity, Leg, Link, ModeId, RouteKind, Scenario};

/// Returns the text of a file, decompressed according to its suffix.
pub fn read_text(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut text = String::new();
    match path.extension().and_then(|e| e.to_str()) {
        // Reads a single gzip member, because files written by Throng must consist of one member.
        Some("gz") => flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).map(|_| ()).unwrap(),
        Some("zst") => text = String::from_utf8(zstd::decode_all(&bytes[..]).unwrap()).unwrap(),
        _ => text = String::from_utf8(bytes).unwrap(),
    }
    text
}

/// Returns the attributes of a line of XML. The ids of the reference files need no escapes.
fn attributes(line: &str) -> HashMap<&str, &str> {
    let mut parts = line.split('"');
    let mut all = HashMap::new();
    while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
        let name = name.trim().trim_end_matches('=').trim_end();
        all.insert(name.rsplit(char::is_whitespace).next().unwrap_or(name), value);
    }
    all
}

/// Returns the elements called `name`, each as the text of its start tag.
fn elements<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let open = format!("<{name} ");
    text.split(&open).skip(1).map(|rest| rest.split('>').next().unwrap_or(rest)).collect()
}

fn number(text: Option<&&str>) -> f64 {
    text.map_or(f64::NAN, |t| t.parse().unwrap())
}

/// A scenario built from the files of a reference run.
#[derive(Debug, Default)]
pub struct Reference {
    pub scenario: Scenario,
    /// Activities of each person in order, by index; legs likewise.
    activities: Vec<Vec<u32>>,
    legs: Vec<Vec<u32>>,
}

impl Reference {
    pub fn new() -> Self {
        let mut reference = Self::default();
        reference.scenario.settings.extensions.compat = Compat::Matsim13;
        reference
    }

    pub fn read_network(&mut self, text: &str) {
        let network = &mut self.scenario.network;
        for node in elements(text, "node") {
            let a = attributes(node);
            network.add_node(a["id"], number(a.get("x")), number(a.get("y"))).unwrap();
        }
        for link in elements(text, "link") {
            let a = attributes(link);
            let node = |name| network.node_ids.get(a[name]).unwrap();
            let link = Link {
                from: node("from"),
                to: node("to"),
                length_m: number(a.get("length")),
                freespeed_mps: number(a.get("freespeed")),
                capacity: number(a.get("capacity")),
                lanes: number(a.get("permlanes")),
                modes: u64::MAX,
            };
            network.add_link(a["id"], link).unwrap();
        }
    }

    pub fn read_facilities(&mut self, text: &str) {
        for facility in elements(text, "facility") {
            let a = attributes(facility);
            self.facility(a["id"], number(a.get("x")), number(a.get("y")));
        }
    }

    fn facility(&mut self, id: &str, x: f64, y: f64) -> u32 {
        let facilities = &mut self.scenario.facilities;
        let index = facilities.ids.intern(id).unwrap();
        if facilities.x.len() < facilities.ids.len() {
            facilities.x.push(x);
            facilities.y.push(y);
            facilities.link.push(NONE);
        }
        index
    }

    fn link(&mut self, id: &str) -> u32 {
        let network = &mut self.scenario.network;
        if network.link_ids.get(id).is_none() {
            if network.nodes() == 0 {
                network.add_node("nowhere", f64::NAN, f64::NAN).unwrap();
            }
            let unknown = f64::NAN;
            let link = Link {
                from: 0,
                to: 0,
                length_m: unknown,
                freespeed_mps: unknown,
                capacity: unknown,
                lanes: unknown,
                modes: 0,
            };
            network.add_link(id, link).unwrap();
        }
        network.link_ids.intern(id).unwrap()
    }

    /// Reads plans from the events. `plans` gives the persons in the order of the plans file, if that matters.
    pub fn read_plans(&mut self, events: &str, plans: Option<&str>) {
        #[derive(Debug)]
        enum Step<'a> {
            Activity(HashMap<&'a str, &'a str>),
            Leg { mode: &'a str, links: Vec<&'a str>, end: &'a str, vehicle: Option<&'a str> },
        }
        let mut order: Vec<&str> = plans.map_or_else(Vec::new, |p| {
            elements(p, "person").into_iter().map(|person| attributes(person)["id"]).collect()
        });
        let mut known: std::collections::HashSet<&str> = order.iter().copied().collect();
        let mut steps: HashMap<&str, Vec<Step<'_>>> = HashMap::new();
        let mut driver: HashMap<&str, &str> = HashMap::new();
        for line in events.lines().filter(|l| l.contains("<event ")) {
            let a = attributes(line);
            if let Some(&person) = a.get("person")
                && known.insert(person)
            {
                order.push(person);
            }
            let person = a.get("person").or_else(|| driver.get(a.get("vehicle")?)).copied().unwrap_or_default();
            let plan = steps.entry(person).or_default();
            match a["type"] {
                "actend" if plan.is_empty() => plan.push(Step::Activity(a)),
                "actstart" => plan.push(Step::Activity(a)),
                "departure" => {
                    let link = a["link"];
                    plan.push(Step::Leg { mode: a["legMode"], links: vec![link], end: link, vehicle: None });
                }
                "PersonEntersVehicle" => {
                    driver.insert(a["vehicle"], person);
                    if let Some(Step::Leg { vehicle, .. }) = plan.last_mut() {
                        *vehicle = Some(a["vehicle"]);
                    }
                }
                "entered link" => {
                    if let Some(Step::Leg { links, end, .. }) = plan.last_mut() {
                        links.push(a["link"]);
                        *end = a["link"];
                    }
                }
                "arrival" => {
                    if let Some(Step::Leg { end, .. }) = plan.last_mut() {
                        *end = a["link"];
                    }
                }
                _ => {}
            }
        }
        for person in order {
            self.scenario.population.begin_person(person).unwrap();
            let (mut activities, mut legs) = (Vec::new(), Vec::new());
            for step in steps.remove(person).unwrap_or_default() {
                match step {
                    Step::Activity(a) => {
                        let facility = a.get("facility").map_or(NONE, |f| self.facility(f, f64::NAN, f64::NAN));
                        let link = self.link(a["link"]);
                        let population = &mut self.scenario.population;
                        let kind = population.activity_types.intern(a["actType"]).unwrap();
                        activities.push(population.add_activity(&Activity {
                            kind,
                            link,
                            facility,
                            x: number(a.get("x")),
                            y: number(a.get("y")),
                            end_time: f64::NAN,
                            max_duration: f64::NAN,
                        }));
                    }
                    Step::Leg { mode, links, end, vehicle } => {
                        let links: Vec<u32> = links.into_iter().map(|l| self.link(l)).collect();
                        let end = self.link(end);
                        let vehicle = vehicle.map_or(NONE, |v| self.vehicle(v));
                        let mode = self.scenario.modes.intern(mode).unwrap();
                        let population = &mut self.scenario.population;
                        let mut leg = Leg::new(mode, links[0], end);
                        leg.vehicle = vehicle;
                        leg.route = if vehicle == NONE { RouteKind::Generic } else { RouteKind::Links };
                        leg.route_start = population.route_links.len() as u64;
                        leg.route_len = links.len() as u32;
                        population.route_links.extend(links);
                        legs.push(population.add_leg(&leg));
                    }
                }
            }
            self.activities.push(activities);
            self.legs.push(legs);
        }
    }

    fn vehicle(&mut self, id: &str) -> u32 {
        let vehicles = &mut self.scenario.vehicles;
        let index = vehicles.ids.intern(id).unwrap();
        vehicles.type_of.resize(vehicles.ids.len(), 0);
        vehicles.start_link.resize(vehicles.ids.len(), NONE);
        index
    }

    /// Calls `step` with the events of each time.
    pub fn replay(&self, events: &str, mut step: impl FnMut(f64, &[Event])) {
        let scenario = &self.scenario;
        // Position of each person in its plan: number of activities begun, number of legs begun.
        let mut at = vec![(0usize, 0usize); scenario.population.persons()];
        let (mut now, mut gathered) = ("", Vec::new());
        for line in events.lines().filter(|l| l.contains("<event ")) {
            let a = attributes(line);
            if a["time"] != now {
                if !gathered.is_empty() {
                    step(now.parse().unwrap(), &gathered);
                    gathered.clear();
                }
                now = a["time"];
            }
            let kind = EventKind::of_matsim_type(a["type"]).expect(a["type"]);
            let person = a.get("person").map_or(NONE, |p| scenario.population.person_ids.get(p).unwrap());
            let link = a.get("link").map_or(NONE, |l| scenario.network.link_ids.get(l).unwrap());
            let mode = ["legMode", "networkMode", "mode"].iter().find_map(|name| a.get(name));
            let mode = mode.map_or(ModeId::NONE, |m| scenario.modes.get(m).unwrap());
            let detail = if let Some(vehicle) = a.get("vehicle") {
                scenario.vehicles.ids.get(vehicle).unwrap()
            } else {
                let (activities, legs) = &mut at[person as usize];
                let (own_activities, own_legs) = (&self.activities[person as usize], &self.legs[person as usize]);
                match kind {
                    EventKind::ActivityStart => {
                        *activities += 1;
                        own_activities[*activities - 1]
                    }
                    EventKind::ActivityEnd => {
                        *activities = (*activities).max(1);
                        own_activities[*activities - 1]
                    }
                    EventKind::Departure => {
                        *legs += 1;
                        own_legs[*legs - 1]
                    }
                    _ => legs.checked_sub(1).map_or(NONE, |i| own_legs[i]),
                }
            };
            gathered.push(Event { kind, mode, person, link, detail });
        }
        if !gathered.is_empty() {
            step(now.parse().unwrap(), &gathered);
        }
    }
}
