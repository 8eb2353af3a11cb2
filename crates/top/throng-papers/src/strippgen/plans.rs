//! The plans of agents, in one long array of numbers.

use throng_core::{InputError, Philox};

use super::roads::{Roads, too_large};
use super::rules::{ACTIVITY, NEVER_ENDS};
use throng_traffic_scenario::{PlanElement, RouteKind, Scenario};

/// The purpose of the draws that choose a sample.
const SAMPLE: u32 = 0x5a;
/// Times are clamped to this value, a month, which keeps the end of an activity distinct from [`NEVER_ENDS`].
const MAX_TIME_S: f64 = 2_592_000.0;

/// The plans of all agents: for each leg, the end of the activity before it and its links, followed by a final activity
/// that does not end. An agent's position is the index of its current entry.
///
/// Only car legs are included. Legs of other modes are skipped, so the agent is at the next activity immediately.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plans {
    /// Entries of all plans, see [`super::rules::ACTIVITY`].
    pub entries: Vec<u32>,
    /// Index of the first entry of each agent's plan.
    pub begin: Vec<u32>,
    /// Number of car legs.
    pub legs: u64,
    /// Number of car legs that were left out because they have no route, or a route with a gap.
    pub left_out: u64,
}

impl Plans {
    /// The drivers in a sample of `percent` % of the persons of `scenario`. A larger sample contains each smaller one.
    ///
    /// # Errors
    /// If no agent in it drives, or the plans are too long for 31-bit indices.
    pub fn sample(scenario: &Scenario, roads: &Roads, percent: f64, seed: u64) -> Result<Self, InputError> {
        let draws = Philox::new(seed);
        let mut plans = Self::default();
        for person in 0..scenario.population.persons() as u32 {
            if is_in_sample(draws, person, percent) {
                plans.add(scenario, roads, person);
            }
        }
        let limit = u64::from(ACTIVITY - 1);
        if plans.entries.len() as u64 > limit {
            let found = plans.entries.len() as u64;
            return Err(too_large("links and activities in plans", found, limit));
        }
        if plans.begin.is_empty() {
            let message = format!("no agent of the {percent} % sample has a car leg with a route");
            return Err(InputError::one(
                "--samples",
                message,
                "take a larger sample, or plans with routes for mode car",
            ));
        }
        Ok(plans)
    }

    /// Number of agents.
    pub fn agents(&self) -> usize {
        self.begin.len()
    }

    /// Index after the last entry of an agent's plan.
    pub fn end(&self, agent: usize) -> u32 {
        self.begin.get(agent + 1).copied().unwrap_or(self.entries.len() as u32)
    }

    /// Earliest end of a first activity, seconds.
    pub fn first_departure(&self) -> u32 {
        self.begin.iter().map(|&at| self.entries[at as usize] - ACTIVITY).min().unwrap_or(0)
    }

    fn add(&mut self, scenario: &Scenario, roads: &Roads, person: u32) {
        let population = &scenario.population;
        let car = scenario.modes.get("car");
        let begin = self.entries.len() as u32;
        // The planned time, for activities that only have a duration.
        let mut clock = 0.0;
        for element in population.plan(person) {
            match element {
                PlanElement::Activity(a) => {
                    let (end, duration) =
                        (population.activities.end_time[a as usize], population.activities.max_duration[a as usize]);
                    clock = if end.is_finite() {
                        end
                    } else if duration.is_finite() {
                        clock + duration
                    } else {
                        clock
                    };
                }
                PlanElement::Leg(leg) => {
                    let l = leg as usize;
                    if Some(population.legs.mode[l]) == car {
                        let usable =
                            population.legs.route[l] == RouteKind::Links && is_connected(roads, population.route(leg));
                        if usable {
                            self.entries.push(ACTIVITY + clock.clamp(0.0, MAX_TIME_S) as u32);
                            self.entries.extend_from_slice(population.route(leg));
                            self.legs += 1;
                        } else {
                            self.left_out += 1;
                        }
                    }
                    let planned = population.legs.travel_time[l];
                    clock += if planned.is_finite() { planned } else { 0.0 };
                }
            }
        }
        if self.entries.len() as u32 > begin {
            self.entries.push(NEVER_ENDS);
            self.begin.push(begin);
        }
    }
}

/// Whether a sample of `percent` % includes this person.
pub(super) fn is_in_sample(draws: Philox, person: u32, percent: f64) -> bool {
    draws.unit(person, 0, SAMPLE, 0) * 100.0 < percent
}

/// Whether all links of `route` exist, and each starts where the previous one ends.
fn is_connected(roads: &Roads, route: &[u32]) -> bool {
    let known = |link: &u32| (*link as usize) < roads.links();
    !route.is_empty()
        && route.iter().all(known)
        && route.windows(2).all(|pair| roads.to[pair[0] as usize] == roads.from[pair[1] as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::{NetworkBuilder, ScenarioBuilder};

    #[test]
    fn only_car_legs_with_a_complete_route_are_used() {
        let mut network = NetworkBuilder::new();
        for node in ["a", "b", "c"] {
            network = network.node(node, 0.0, 0.0);
        }
        let network = network
            .link("ab", "a", "b", 100.0, 10.0, 3600.0, 1.0)
            .link("bc", "b", "c", 100.0, 10.0, 3600.0, 1.0)
            .build()
            .unwrap();
        let scenario = ScenarioBuilder::new(network)
            .person("walks", |plan| plan.until("h", "ab", 60.0).teleport("walk", "ab", "bc", 10.0, 5.0).stay("w", "bc"))
            .person("drives", |plan| {
                plan.until("h", "ab", 60.5)
                    .drive("car", &["ab", "bc"])
                    .until("w", "bc", 100.0)
                    .teleport("walk", "bc", "ab", 10.0, 5.0)
                    .lasting("s", "ab", 30.0)
                    .drive("car", &["ab"])
                    .stay("h", "ab")
            })
            .person("jumps", |plan| plan.until("h", "bc", 60.0).drive("car", &["bc", "ab"]).stay("w", "ab"))
            .person("is lost", |plan| plan.until("h", "ab", 60.0).lost("car", "ab", "bc").stay("w", "bc"))
            .build()
            .unwrap();
        let roads = Roads::new(&scenario).unwrap();
        let plans = Plans::sample(&scenario, &roads, 100.0, 1).unwrap();
        assert_eq!(plans.entries, [ACTIVITY + 60, 0, 1, ACTIVITY + 140, 0, NEVER_ENDS]);
        assert_eq!((plans.begin.as_slice(), plans.legs, plans.left_out), (&[0][..], 2, 2));
        assert_eq!((plans.first_departure(), plans.end(0)), (60, 6));
        let error = Plans::sample(&scenario, &roads, 0.0, 1).unwrap_err();
        assert!(error.to_string().starts_with("--samples: no agent of the 0 % sample has a car leg"), "{error}");
    }
}
