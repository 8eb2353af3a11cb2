//! Scenarios built in code.

use throng_core::{InputError, NONE, Problems};

use super::{Activity, Leg, ModeId, Network, NetworkChangeEvent, RouteKind, Scenario, VehicleType};
use crate::settings::Settings;

/// Builds a scenario person by person. Problems are collected, and [`ScenarioBuilder::build`] returns them together.
///
/// Every person gets one vehicle of the first type per driven mode, named like the person (`car`) or `<person>_<mode>`,
/// and parked where the day begins.
///
/// ```
/// use throng_traffic_scenario::{NetworkBuilder, ScenarioBuilder};
///
/// let network = NetworkBuilder::new()
///     .node("a", 0.0, 0.0).node("b", 100.0, 0.0).node("c", 200.0, 0.0)
///     .link("ab", "a", "b", 100.0, 10.0, 3600.0, 1.0)
///     .link("bc", "b", "c", 100.0, 10.0, 3600.0, 1.0)
///     .build()?;
/// let scenario = ScenarioBuilder::new(network)
///     .person("1", |plan| plan.until("h", "ab", 60.0).drive("car", &["ab", "bc"]).stay("w", "bc"))
///     .build()?;
/// assert_eq!(scenario.population.persons(), 1);
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct ScenarioBuilder {
    scenario: Scenario,
    problems: Problems,
}

impl ScenarioBuilder {
    /// Creates a scenario on `network` with default settings and no persons.
    pub fn new(network: Network) -> Self {
        let mut scenario = Scenario { network, ..Scenario::default() };
        scenario.vehicles.types.push(VehicleType::default_car());
        scenario.modes.intern("car");
        Self { scenario, problems: Problems::new() }
    }

    /// Changes the settings.
    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.scenario.settings);
        self
    }

    /// Adds a vehicle type; see [`PlanBuilder::kind`].
    pub fn vehicle_type(mut self, vehicle_type: VehicleType) -> Self {
        self.scenario.vehicles.types.push(vehicle_type);
        self
    }

    /// Adds a network change event.
    pub fn change(mut self, event: NetworkChangeEvent) -> Self {
        self.scenario.change_events.push(event);
        self.scenario.change_events.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
        self
    }

    /// Adds a person with a plan.
    pub fn person(mut self, id: &str, plan: impl FnOnce(PlanBuilder<'_>) -> PlanBuilder<'_>) -> Self {
        let Self { scenario, problems } = &mut self;
        match scenario.population.begin_person(id) {
            Ok(_) => {
                plan(PlanBuilder { scenario, problems, person: id.to_owned(), home: NONE, kind: 0, vehicle: None });
            }
            Err(error) => {
                problems.push(place(id), error.to_string(), "use a different id for each person");
            }
        }
        self
    }

    /// Returns the scenario.
    ///
    /// # Errors
    /// All problems: ids that are taken or too long, more modes than [`ModeTable`](super::ModeTable) holds, and routes
    /// without links.
    pub fn build(mut self) -> Result<Scenario, InputError> {
        self.problems.into_result()?;
        if self.scenario.population.first_element.is_empty() {
            self.scenario.population.first_element.push(0);
        }
        Ok(self.scenario)
    }
}

fn place(person: &str) -> String {
    format!("person \"{person}\"")
}

/// Adds plan elements to a person. As in a plans file, an id that is not in the network becomes a missing link: the
/// agent is aborted where its plan reaches it.
#[derive(Debug)]
pub struct PlanBuilder<'a> {
    scenario: &'a mut Scenario,
    problems: &'a mut Problems,
    person: String,
    home: u32,
    kind: u16,
    vehicle: Option<String>,
}

impl PlanBuilder<'_> {
    fn link(&self, id: &str) -> u32 {
        self.scenario.network.link_ids.get(id).unwrap_or(NONE)
    }

    fn add(mut self, kind: &str, link: &str, end_time: f64, max_duration: f64) -> Self {
        let link = self.link(link);
        if self.home == NONE {
            self.home = link;
        }
        let kind = self.scenario.population.activity_types.intern(kind);
        let kind = self.known(kind.map_err(|error| error.to_string()), "use shorter names of activity types");
        let activity = Activity { kind, link, facility: NONE, x: f64::NAN, y: f64::NAN, end_time, max_duration };
        self.scenario.population.add_activity(&activity);
        self
    }

    /// Adds an activity that ends at `end_time`, seconds of the day.
    pub fn until(self, kind: &str, link: &str, end_time: f64) -> Self {
        self.add(kind, link, end_time, f64::NAN)
    }

    /// Adds an activity that lasts `duration` seconds.
    pub fn lasting(self, kind: &str, link: &str, duration: f64) -> Self {
        self.add(kind, link, f64::NAN, duration)
    }

    /// Adds an activity without end.
    pub fn stay(self, kind: &str, link: &str) -> Self {
        self.add(kind, link, f64::NAN, f64::NAN)
    }

    /// Sets the index of the vehicle type of the following legs; 0 is the default car.
    pub fn kind(mut self, kind: u16) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the id of the vehicle of the following legs; other persons may use it too.
    pub fn vehicle(mut self, id: &str) -> Self {
        self.vehicle = Some(id.to_owned());
        self
    }

    /// Returns the index, or records the problem and returns the default.
    fn known<I: Default>(&mut self, index: Result<I, String>, remedy: &str) -> I {
        index.unwrap_or_else(|message| {
            self.problems.push(place(&self.person), message, remedy);
            I::default()
        })
    }

    fn mode(&mut self, mode: &str) -> ModeId {
        let known = self.scenario.modes.intern(mode).map(|id| id.0);
        ModeId(
            self.known(known.ok_or_else(|| format!("no room for mode \"{mode}\"")), "use fewer modes or shorter names"),
        )
    }

    /// Adds a leg on the network over `links`, including the start and end link.
    pub fn drive(mut self, mode: &str, links: &[&str]) -> Self {
        let mode_id = self.mode(mode);
        let mut route: Vec<u32> = links.iter().map(|id| self.link(id)).collect();
        if route.len() >= 2 && route[route.len() - 1] == route[route.len() - 2] {
            route.pop();
        }
        let (Some(&start), Some(&end)) = (route.first(), route.last()) else {
            let remedy = "give at least the link of the activity before the leg";
            self.problems.push(place(&self.person), "a leg on the network without links", remedy);
            return self;
        };
        let id = self
            .vehicle
            .clone()
            .unwrap_or_else(|| if mode == "car" { self.person.clone() } else { format!("{}_{mode}", self.person) });
        let vehicle = self.scenario.vehicles.ids.intern(&id);
        let vehicle = self.known(vehicle.map_err(|error| error.to_string()), "use a shorter vehicle id");
        let vehicles = &mut self.scenario.vehicles;
        if vehicle as usize == vehicles.type_of.len() {
            vehicles.type_of.push(self.kind);
            vehicles.start_link.push(self.home);
        }
        let population = &mut self.scenario.population;
        let leg = Leg {
            route: RouteKind::Links,
            route_start: population.route_links.len() as u64,
            route_len: route.len() as u32,
            vehicle,
            ..Leg::new(mode_id, start, end)
        };
        population.route_links.extend(route);
        population.add_leg(&leg);
        self
    }

    /// Adds a teleported leg: travel time in seconds, distance in metres.
    pub fn teleport(mut self, mode: &str, from: &str, to: &str, travel_time: f64, distance: f64) -> Self {
        let mode = self.mode(mode);
        let leg =
            Leg { route: RouteKind::Generic, travel_time, distance, ..Leg::new(mode, self.link(from), self.link(to)) };
        self.scenario.population.add_leg(&leg);
        self
    }

    /// Adds a leg without a route. The agent is aborted when the leg begins.
    pub fn lost(mut self, mode: &str, from: &str, to: &str) -> Self {
        let mode = self.mode(mode);
        let leg = Leg::new(mode, self.link(from), self.link(to));
        self.scenario.population.add_leg(&leg);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NetworkBuilder;

    #[test]
    fn build_reports_all_problems() {
        let network = NetworkBuilder::new().node("a", 0.0, 0.0).node("a", 1.0, 0.0);
        let problems = network.link("ab", "a", "b", 1.0, 1.0, 1.0, 1.0).build().unwrap_err();
        assert!(problems.to_string().contains("node \"a\": id \"a\" is already defined"), "{problems}");
        assert!(problems.to_string().contains("link \"ab\": there is no node \"b\""), "{problems}");
        let network = NetworkBuilder::new().build().unwrap();
        let scenario = ScenarioBuilder::new(network).person("1", |plan| plan.drive("car", &[]));
        let many = (0..260).fold(scenario.person("1", |plan| plan), |scenario, mode| {
            scenario.person(&format!("p{mode}"), |plan| plan.lost(&format!("mode {mode}"), "a", "b"))
        });
        let problems = many.build().unwrap_err();
        assert!(problems.to_string().contains("person \"1\": a leg on the network without links"), "{problems}");
        assert!(problems.to_string().contains("person \"1\": id \"1\" is already defined"), "{problems}");
        assert!(problems.to_string().contains("no room for mode \"mode 254\""), "{problems}");
    }
}
