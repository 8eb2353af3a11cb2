//! Converts persons to plans in parallel pieces, which are joined in order.

use std::ops::Range;

use throng_core::{NONE, Philox};

use super::assignment::{Trip, period_of};
use super::demand::{Kind, Person};
use super::draws::{Draws, Purpose};
use throng_traffic_scenario::{Activity, Leg, ModeId, Network, Population, RouteKind};

/// Number of persons in a piece.
const PERSONS: u32 = 2048;

/// Divides a range of persons into pieces.
pub(super) fn in_parts(numbers: Range<u32>) -> Vec<Range<u32>> {
    let end = numbers.end;
    numbers.step_by(PERSONS as usize).map(|first| first..first.saturating_add(PERSONS).min(end)).collect()
}

/// The plans of some persons, which alternate between activities and legs.
#[derive(Debug, Default)]
pub(super) struct Piece {
    /// Index and number of activities of each person.
    persons: Vec<(u32, u8)>,
    activities: Vec<Activity>,
    /// The legs. A trip to be routed refers to its leg by the index in this list.
    legs: Vec<Leg>,
    trips: Vec<Trip>,
}

impl Piece {
    /// Appends the plans to those of the previous persons.
    pub(super) fn append_to(self, population: &mut Population, trips: &mut Vec<Trip>) {
        let first_leg = population.legs.mode.len() as u32;
        trips.extend(self.trips.into_iter().map(|trip| Trip { leg: first_leg + trip.leg, ..trip }));
        let (mut activities, mut legs) = (self.activities.iter(), self.legs.into_iter());
        for (number, stops) in self.persons {
            population.begin_person(&(number + 1).to_string()).expect("numbers are unique");
            for (i, activity) in activities.by_ref().take(usize::from(stops)).enumerate() {
                // A leg leads to each activity but the first.
                if let Some(mut leg) = (i > 0).then(|| legs.next()).flatten() {
                    if leg.route == RouteKind::Links {
                        // The trivial route of a trip that ends on its start link.
                        leg.route_start = population.route_links.len() as u64;
                        population.route_links.push(leg.start_link);
                    }
                    population.add_leg(&leg);
                }
                population.add_activity(activity);
            }
        }
    }
}

/// Converts persons to plans.
pub(super) struct PlanWriter<'a> {
    pub(super) philox: Philox,
    pub(super) network: &'a Network,
    /// The modes: car, walking, public transport.
    pub(super) modes: [ModeId; 3],
    /// The activity types of all kinds, by index of the kind.
    pub(super) kinds: [u32; 5],
}

impl PlanWriter<'_> {
    pub(super) fn add(&self, piece: &mut Piece, person: &Person) {
        piece.persons.push((person.number, person.stops.len() as u8));
        for (i, stop) in person.stops.iter().enumerate() {
            if i > 0 {
                let before = &person.stops[i - 1];
                self.add_leg(piece, person, i as u8, (before.link, stop.link), before.end);
            }
            let (x, y) = self.place(stop.link, if stop.kind == Kind::Home { 0 } else { i as u32 }, person.number);
            piece.activities.push(Activity {
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

    /// Returns a location next to the link. Home is at the same location all day.
    fn place(&self, link: u32, visit: u32, person: u32) -> (f64, f64) {
        let draws = Draws::new(self.philox, person, 0);
        let n = self.network;
        let (a, b) = (n.from[link as usize] as usize, n.to[link as usize] as usize);
        let along = draws.unit(Purpose::Jitter, 2 * visit);
        let (dx, dy) = (n.node_x[b] - n.node_x[a], n.node_y[b] - n.node_y[a]);
        let aside = draws.between(Purpose::Jitter, 2 * visit + 1, 5.0, 25.0) / libm::hypot(dx, dy).max(1.0);
        let x = n.node_x[a] + along * dx + aside * dy;
        let y = n.node_y[a] + along * dy - aside * dx;
        (x.round(), y.round())
    }

    fn add_leg(&self, piece: &mut Piece, person: &Person, ordinal: u8, (from, to): (u32, u32), departure: f64) {
        let n = self.network;
        let end = |link: u32| n.to[link as usize] as usize;
        let beeline = libm::hypot(n.node_x[end(from)] - n.node_x[end(to)], n.node_y[end(from)] - n.node_y[end(to)]);
        let [car, walk, pt] = self.modes;
        let mode = match (person.drives, beeline < 1500.0) {
            (true, _) => car,
            (false, true) => walk,
            (false, false) => pt,
        };
        let mut leg = Leg::new(mode, from, to);
        leg.routing_mode = mode;
        if !person.drives {
            leg.route = RouteKind::Generic;
            leg.distance = (1.3 * beeline).round();
            // Walking is at 3 km/h; public transport at 20 km/h plus a wait of five minutes.
            leg.travel_time = if mode == walk { leg.distance * 1.2 } else { 300.0 + leg.distance * 0.18 }.round();
        } else if from == to {
            leg = Leg { route: RouteKind::Links, route_len: 1, travel_time: 0.0, distance: 0.0, ..leg };
        } else {
            // Halfway through a drive at 36 km/h, as an estimate of when the trip is under way.
            let period = period_of(departure + beeline / 20.0);
            piece.trips.push(Trip { leg: piece.legs.len() as u32, person: person.number, ordinal, period });
        }
        piece.legs.push(leg);
    }
}
