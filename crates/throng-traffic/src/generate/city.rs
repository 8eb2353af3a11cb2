//! Puts the city together: streets, people, routes.

use throng_core::{NONE, Philox, Progress};

use super::assignment::{self, Trip, period_of};
use super::demand::{Destinations, Kind, Person, Places, people};
use super::draws::{Draws, Purpose};
use super::facts::Facts;
use super::options::{CityOptions, OptionsError};
use super::streets::{self, RoadClass};
use crate::scenario::{Activity, Leg, ModeId, ModeTable, Network, Population, RouteKind};

/// Persons made at a time, so that few of them exist twice.
const BLOCK: u32 = 100_000;

/// A city in memory.
#[derive(Debug)]
pub struct City {
    /// What was asked for.
    pub options: CityOptions,
    /// The modes of links and legs.
    pub modes: ModeTable,
    /// The roads.
    pub network: Network,
    /// The class of each link.
    pub classes: Vec<RoadClass>,
    /// The persons with their plans and routes.
    pub population: Population,
    /// Figures about all this.
    pub facts: Facts,
}

/// Makes a city. See the [module](super).
///
/// # Errors
/// When an option is out of its range.
pub fn city(options: &CityOptions, progress: &dyn Progress) -> Result<City, OptionsError> {
    options.check()?;
    let mut modes = ModeTable::default();
    let mut mode = |name| modes.intern(name).expect("three modes fit");
    let [car, walk, pt] = [mode("car"), mode("walk"), mode("pt")];

    progress.begin("streets", None, "links");
    let streets = streets::build(options, car);
    progress.end();

    progress.begin("people", Some(u64::from(options.persons)), "persons");
    let places = Places::new(&streets, Philox::new(options.seed));
    let destinations = Destinations::new(options, &places, &streets.network, car);
    let mut writer = PlanWriter::new(options, &streets.network, [car, walk, pt]);
    for first in (0..options.persons).step_by(BLOCK as usize) {
        let numbers = first..first.saturating_add(BLOCK).min(options.persons);
        progress.at(u64::from(first), "");
        for person in people(options, &places, &destinations, numbers) {
            writer.add(&person);
        }
    }
    let PlanWriter { mut population, trips, .. } = writer;
    progress.end();

    progress.begin("routes", Some(trips.len() as u64), "trips");
    let volumes = assignment::assign(options, &streets.network, &mut population, &trips, progress);
    progress.end();
    let facts = Facts::new(&streets.network, &population, car, &volumes);
    Ok(City { options: options.clone(), modes, network: streets.network, classes: streets.class, population, facts })
}

/// Turns persons into plans.
struct PlanWriter<'a> {
    philox: Philox,
    network: &'a Network,
    modes: [ModeId; 3],
    kinds: [u32; 5],
    population: Population,
    trips: Vec<Trip>,
}

impl<'a> PlanWriter<'a> {
    fn new(options: &CityOptions, network: &'a Network, modes: [ModeId; 3]) -> Self {
        let mut population = Population::default();
        let kinds = Kind::ALL.map(|kind| population.activity_types.intern(kind.name()));
        Self { philox: Philox::new(options.seed), network, modes, kinds, population, trips: Vec::new() }
    }

    fn add(&mut self, person: &Person) {
        self.population.begin_person(&(person.number + 1).to_string()).expect("numbers are unique");
        for (i, stop) in person.stops.iter().enumerate() {
            if i > 0 {
                let before = &person.stops[i - 1];
                self.add_leg(person, i as u8, before.link, stop.link, before.end);
            }
            let (x, y) = self.place(stop.link, if stop.kind == Kind::Home { 0 } else { i as u32 }, person.number);
            self.population.add_activity(&Activity {
                kind: self.kinds[stop.kind as usize],
                link: stop.link,
                facility: NONE,
                x,
                y,
                end_time: stop.end,
                max_duration: f64::NAN,
            });
        }
    }

    /// A place beside the link: home is the same place all day.
    fn place(&self, link: u32, visit: u32, person: u32) -> (f64, f64) {
        let draws = Draws::new(self.philox, person, 0);
        let n = self.network;
        let (a, b) = (n.from[link as usize] as usize, n.to[link as usize] as usize);
        let along = draws.unit(Purpose::Jitter, 2 * visit);
        let (dx, dy) = (n.node_x[b] - n.node_x[a], n.node_y[b] - n.node_y[a]);
        let aside = draws.between(Purpose::Jitter, 2 * visit + 1, 5.0, 25.0) / dx.hypot(dy).max(1.0);
        let x = n.node_x[a] + along * dx + aside * dy;
        let y = n.node_y[a] + along * dy - aside * dx;
        (x.round(), y.round())
    }

    fn add_leg(&mut self, person: &Person, ordinal: u8, from: u32, to: u32, departure: f64) {
        let n = self.network;
        let end = |link: u32| n.to[link as usize] as usize;
        let beeline = (n.node_x[end(from)] - n.node_x[end(to)]).hypot(n.node_y[end(from)] - n.node_y[end(to)]);
        let [car, walk, pt] = self.modes;
        let mode = match (person.drives, beeline < 1500.0) {
            (true, _) => car,
            (false, true) => walk,
            (false, false) => pt,
        };
        let mut leg = Leg::new(mode, from, to);
        leg.routing_mode = mode;
        if person.drives {
            let index = self.population.add_leg(&leg);
            if from == to {
                assignment::stay(&mut self.population, index);
            } else {
                // Half of a drive at 36 km/h: where the trip is when it matters.
                let period = period_of(departure + beeline / 20.0);
                self.trips.push(Trip { leg: index, person: person.number, ordinal, period });
            }
            return;
        }
        leg.route = RouteKind::Generic;
        leg.distance = (1.3 * beeline).round();
        // On foot 3 km/h; by public transport 20 km/h and a wait of five minutes.
        leg.travel_time = if mode == walk { leg.distance * 1.2 } else { 300.0 + leg.distance * 0.18 }.round();
        self.population.add_leg(&leg);
    }
}

#[cfg(test)]
#[path = "city_tests.rs"]
mod tests;
