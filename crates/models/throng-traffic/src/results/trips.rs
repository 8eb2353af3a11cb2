//! Executed trips: from one activity to the next that is not an interaction.

use throng_core::NONE;

use super::analysis::LegTimes;
use throng_traffic_scenario::settings::Compat;
use throng_traffic_scenario::{ModeId, PlanElement, Scenario};

/// A leg that was finished.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FinishedLeg {
    /// Index of the leg in the population.
    pub leg: u32,
    /// Departure, seconds of the day.
    pub departure: f64,
    /// Travel time from departure to arrival, seconds.
    pub travel_time_s: f64,
    /// Waiting time from departure to boarding, seconds.
    pub wait_s: f64,
    /// Distance, metres; NaN if unknown.
    pub distance_m: f64,
    /// The leg of the driver with whom a passenger rode.
    pub driver_leg: Option<u32>,
    /// The activities before and after the leg; [`NONE`] where another leg is adjacent.
    pub between: (u32, u32),
}

/// A finished trip, as returned by [`ExperiencedTrips::next_trip`].
#[derive(Debug, Clone, PartialEq)]
pub struct Trip {
    /// Number of the trip within the person's day, from 1.
    pub number: u32,
    /// Index of the activity where the trip began.
    pub origin: u32,
    /// Index of the activity where the trip ended.
    pub destination: u32,
    /// Departure, seconds of the day.
    pub departure: f64,
    /// Travel time from departure to the start of the activity at the destination, seconds.
    pub travel_time_s: f64,
    /// Legs of the trip in order.
    pub legs: Vec<FinishedLeg>,
}

/// Iterates over the finished trips of one person.
#[derive(Debug)]
pub struct ExperiencedTrips<'a> {
    scenario: &'a Scenario,
    times: &'a LegTimes,
    next_element: u32,
    end: u32,
    origin: u32,
    number: u32,
}

impl<'a> ExperiencedTrips<'a> {
    /// Returns an iterator over the trips of `person`.
    pub fn of(scenario: &'a Scenario, times: &'a LegTimes, person: u32) -> Self {
        let range = scenario.population.plan_range(person);
        Self { scenario, times, next_element: range.start, end: range.end, origin: NONE, number: 0 }
    }

    /// Returns the next trip; `None` if the plan or the day ended before it was finished.
    pub fn next_trip(&mut self) -> Option<Trip> {
        let population = &self.scenario.population;
        let mut legs: Vec<FinishedLeg> = Vec::new();
        let mut before = self.origin;
        while self.next_element < self.end {
            let element = population.element(self.next_element);
            self.next_element += 1;
            match element {
                PlanElement::Leg(leg) => {
                    legs.push(self.finished_leg(leg, before)?);
                    before = NONE;
                }
                PlanElement::Activity(activity) => {
                    if legs.last().is_some_and(|leg| !self.times.reached_activity(leg.leg)) {
                        return None;
                    }
                    if let Some(leg) = legs.last_mut().filter(|leg| leg.between.1 == NONE) {
                        leg.between.1 = activity;
                    }
                    before = activity;
                    if is_interaction(self.scenario, activity) {
                        continue;
                    }
                    let origin = std::mem::replace(&mut self.origin, activity);
                    if let (Some(first), Some(last)) = (legs.first(), legs.last())
                        && origin != NONE
                    {
                        self.number += 1;
                        let departure = first.departure;
                        let travel_time_s = last.departure + last.travel_time_s - departure;
                        let number = self.number;
                        return Some(Trip { number, origin, destination: activity, departure, travel_time_s, legs });
                    }
                    legs.clear();
                }
            }
        }
        None
    }

    fn finished_leg(&self, leg: u32, before: u32) -> Option<FinishedLeg> {
        let departure = self.times.departure(leg)?;
        Some(FinishedLeg {
            leg,
            departure,
            travel_time_s: self.times.arrival(leg)? - departure,
            wait_s: self.times.wait_s(leg),
            distance_m: distance_of(self.scenario, self.times, leg),
            driver_leg: self.times.driver_leg(leg),
            between: (before, NONE),
        })
    }
}

impl Trip {
    /// Returns the sum of the distances of the legs, metres; NaN if one is unknown.
    pub fn distance_m(&self) -> f64 {
        self.legs.iter().map(|leg| leg.distance_m).fold(0.0, |sum, d| sum + d)
    }

    /// Returns the time from departure to boarding, summed over the legs, seconds.
    pub fn wait_s(&self) -> f64 {
        self.legs.iter().map(|leg| leg.wait_s).sum()
    }

    /// Returns the mode of the longest leg, as determined by MATSim: in release 13 only legs of positive length count,
    /// so there may be none; in the current release the first leg always counts.
    pub fn longest_mode(&self, scenario: &Scenario) -> Option<ModeId> {
        let recent = scenario.settings.extensions.compat.is_recent();
        let (mut mode, mut longest) = (None, 0.0);
        for leg in &self.legs {
            if (recent && mode.is_none()) || leg.distance_m > longest {
                mode = Some(scenario.population.legs.mode[leg.leg as usize]);
                longest = leg.distance_m;
            }
        }
        mode
    }

    /// Returns the mode of the trip in tables and statistics; see [`throng_traffic_scenario::main_mode`].
    pub fn main_mode(&self, scenario: &Scenario) -> ModeId {
        main_mode(scenario, &self.legs.iter().map(|leg| leg.leg).collect::<Vec<_>>())
    }
}

/// Returns the main mode of a planned trip as MATSim identifies it: the most important mode of its legs; in release 13,
/// the routing mode of the plan, else the mode of the first leg that is no walk, else that of the first leg.
pub(super) fn main_mode(scenario: &Scenario, legs: &[u32]) -> ModeId {
    let of_legs = &scenario.population.legs;
    let modes = || legs.iter().map(|&leg| of_legs.mode[leg as usize]);
    let name = |mode: ModeId| scenario.modes.name(mode);
    let found = match scenario.settings.extensions.compat {
        Compat::Matsim2024 => {
            let most_important = throng_traffic_scenario::main_mode(modes().map(name));
            most_important.and_then(|found| scenario.modes.get(found))
        }
        Compat::Matsim13 => {
            let routing_mode = legs.first().map(|&leg| of_legs.routing_mode[leg as usize]);
            let identified = || modes().find(|&mode| name(mode) != "walk").or_else(|| modes().next());
            routing_mode.filter(|&mode| mode != ModeId::NONE).or_else(identified)
        }
    };
    found.unwrap_or(ModeId::NONE)
}

pub(super) fn is_interaction(scenario: &Scenario, activity: u32) -> bool {
    let kind = scenario.population.activities.kind[activity as usize];
    throng_traffic_scenario::is_interaction(scenario.population.activity_types.name(kind))
}

/// Returns the distance of a finished leg, metres; see [`Scenario::distance_m`].
pub fn distance_of(scenario: &Scenario, times: &LegTimes, leg: u32) -> f64 {
    scenario.distance_m(leg, times.driver_leg(leg))
}

/// Returns the location of an activity: its own coordinate, else that of its facility, else that of the end node of its
/// link.
///
/// In release 13 the event that ends an activity has no coordinate, so the coordinate of a plan's first activity is
/// ignored.
pub fn coordinate_of(scenario: &Scenario, activity: u32, first_of_plan: bool) -> (f64, f64) {
    let (activities, i) = (&scenario.population.activities, activity as usize);
    let (x, y) = (activities.x[i], activities.y[i]);
    let known_from_event = !first_of_plan || scenario.settings.extensions.compat.is_recent();
    if known_from_event && !x.is_nan() && !y.is_nan() {
        return (x, y);
    }
    let facility = activities.facility[i] as usize;
    if let (Some(&x), Some(&y)) = (scenario.facilities.x.get(facility), scenario.facilities.y.get(facility))
        && !x.is_nan()
        && !y.is_nan()
    {
        return (x, y);
    }
    match scenario.network.to.get(activities.link[i] as usize) {
        Some(&node) => (scenario.network.node_x[node as usize], scenario.network.node_y[node as usize]),
        None => (f64::NAN, f64::NAN),
    }
}

#[cfg(test)]
mod tests {
    use throng_traffic_scenario::Leg;

    use super::*;

    #[test]
    fn main_modes_are_those_of_the_release() {
        let mut scenario = Scenario::default();
        scenario.population.begin_person("p").unwrap();
        let [walk, bike, pt] = ["walk", "bike", "pt"].map(|mode| scenario.modes.intern(mode).unwrap());
        let mut trip = |modes: &[ModeId], routing_mode| {
            let leg = |&mode: &ModeId| scenario.population.add_leg(&Leg { routing_mode, ..Leg::new(mode, 0, 0) });
            modes.iter().map(leg).collect::<Vec<u32>>()
        };
        // A connection by public transport that is a walk, and trips without a routing mode.
        let cases = [
            (trip(&[walk], pt), walk, pt),
            (trip(&[walk, bike, walk, pt, walk], pt), pt, pt),
            (trip(&[walk, bike, pt], ModeId::NONE), pt, bike),
            (trip(&[walk], ModeId::NONE), walk, walk),
            (Vec::new(), ModeId::NONE, ModeId::NONE),
        ];
        for (legs, now, in_13) in cases {
            for (compat, expected) in [(Compat::Matsim2024, now), (Compat::Matsim13, in_13)] {
                scenario.settings.extensions.compat = compat;
                assert_eq!(main_mode(&scenario, &legs), expected, "{legs:?}, {compat:?}");
            }
        }
    }
}
