//! The inhabitants with their daily plans, before routing.

use rayon::prelude::*;
use throng_core::Philox;

use super::chains::Chain;
use super::gravity::Gravity;
use super::places::Places;
use super::{Kind, times};
use crate::draws::{Draws, Purpose};
use crate::options::CityOptions;
use throng_traffic_scenario::routing::Router;
use throng_traffic_scenario::{ModeId, Network};

/// An activity of a plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stop {
    pub(crate) kind: Kind,
    pub(crate) link: u32,
    /// End time, seconds of the day; NaN for the last activity.
    pub(crate) end: f64,
}

#[derive(Debug, Clone)]
pub(crate) struct Person {
    /// Index in the whole city, so that samples contain the same people.
    pub(crate) number: u32,
    pub(crate) drives: bool,
    pub(crate) stops: Vec<Stop>,
}

/// The destinations of people: one table per kind of activity away from home.
#[derive(Debug)]
pub(crate) struct Destinations {
    work: Gravity,
    education: Gravity,
    shopping: Gravity,
    leisure: Gravity,
}

impl Destinations {
    pub(crate) fn new(options: &CityOptions, places: &Places, network: &Network, car: ModeId) -> Self {
        // Trips to school and shops are about half as long as those to work, those to leisure four fifths as long. If
        // they were longer, the roads of the city tier could not carry its 850,000 persons.
        let mean = options.work_trip();
        let router = Router::new(network, car, f64::INFINITY);
        let table = |kind, mean_m: f64| {
            // The option is a distance by road; sample trips show how much longer it is than the beeline.
            let guess = Gravity::new(places, kind, mean_m / 1.5);
            Gravity::new(places, kind, mean_m / detour(options, places, &guess, kind, &router))
        };
        Self {
            work: table(Kind::Work, mean),
            education: table(Kind::Education, 0.52 * mean),
            shopping: table(Kind::Shopping, 0.52 * mean),
            leisure: table(Kind::Leisure, 0.78 * mean),
        }
    }

    fn of(&self, kind: Kind) -> &Gravity {
        match kind {
            Kind::Home | Kind::Work => &self.work,
            Kind::Education => &self.education,
            Kind::Shopping => &self.shopping,
            Kind::Leisure => &self.leisure,
        }
    }
}

/// Generates the persons with these indices that are in the sample.
pub(crate) fn people(
    options: &CityOptions,
    places: &Places,
    destinations: &Destinations,
    numbers: std::ops::Range<u32>,
) -> impl Iterator<Item = Person> {
    let philox = Philox::new(options.seed);
    numbers
        .filter(move |&number| {
            options.sample >= 1.0 || Draws::new(philox, number, 0).chance(Purpose::Sample, 0, options.sample)
        })
        .map(move |number| person(options, places, destinations, Draws::new(philox, number, 0), number))
}

/// Returns the ratio of the distances by road to the beelines between zones, for a sample of trips.
fn detour(options: &CityOptions, places: &Places, gravity: &Gravity, kind: Kind, router: &Router<'_>) -> f64 {
    let trip = |i: u32| {
        let draws = Draws::new(Philox::new(options.seed), i, kind as u32);
        let from = places.home_zone(draws.unit(Purpose::Detour, 0));
        let to = gravity.zone(from, draws.unit(Purpose::Detour, 1));
        let home = places.zones[from as usize].link(Kind::Home, draws.unit(Purpose::Detour, 2));
        let destination = places.zones[to as usize].link(kind, draws.unit(Purpose::Detour, 3));
        let road = router.route(home, destination).map_or(0.0, |route| route.distance_m);
        (road, places.distance(from as usize, to as usize))
    };
    // Summed in order, so that the result does not depend on the threads.
    let trips: Vec<(f64, f64)> = (0..2000).into_par_iter().map(trip).collect();
    let (road, beeline) = trips.iter().fold((0.0, 0.0), |sum, t| (sum.0 + t.0, sum.1 + t.1));
    (road / beeline.max(1.0)).clamp(1.0, 3.0)
}

fn person(options: &CityOptions, places: &Places, destinations: &Destinations, draws: Draws, number: u32) -> Person {
    let zone = places.home_zone(draws.unit(Purpose::Home, 0));
    let home = places.zones[zone as usize].link(Kind::Home, draws.unit(Purpose::Spot, 0));
    let place = |kind: Kind, index: u32| {
        let to = destinations.of(kind).zone(zone, draws.unit(Purpose::Destination, index));
        places.zones[to as usize].link(kind, draws.unit(Purpose::Spot, index))
    };
    let chain = Chain::draw(draws);
    let ends = times::draw(chain, draws, options.spike);
    let mut stops = Vec::with_capacity(6);
    stops.push(Stop { kind: Kind::Home, link: home, end: ends.home });
    for (i, &kind) in chain.away().iter().enumerate() {
        // No activity ends before it can have begun.
        let earliest = stops.last().map_or(0.0, |s: &Stop| s.end) + 600.0;
        stops.push(Stop { kind, link: place(kind, i as u32 + 1), end: ends.away[i].max(earliest) });
    }
    let left_for_home = stops.last().map_or(0.0, |s| s.end);
    if draws.chance(Purpose::SecondTour, 0, options.second_tour_share * chain.second_tour()) {
        let kind = if draws.chance(Purpose::SecondTour, 3, 0.5) { Kind::Shopping } else { Kind::Leisure };
        let [out, back] = times::second_tour(chain, kind, draws, left_for_home);
        stops.push(Stop { kind: Kind::Home, link: home, end: out });
        stops.push(Stop { kind, link: place(kind, 3), end: back });
    }
    stops.push(Stop { kind: Kind::Home, link: home, end: f64::NAN });
    Person { number, drives: draws.chance(Purpose::Mode, 0, options.car_share), stops }
}
