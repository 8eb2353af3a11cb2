//! Scenarios built in code.

use throng_core::clock::MAX_SECONDS;
use throng_core::{InputError, NONE, Problems};

use super::{
    Activity, Leg, ModeId, Network, NetworkChangeEvent, RouteKind, Scenario, ValidRange, VehicleType, invalid_changes,
};
use crate::settings::Settings;

/// Builds a scenario person by person. Problems are collected, and [`ScenarioBuilder::build`] returns them together.
///
/// Every person gets one vehicle of the first type per driven mode, named `<person>` (`car`) or `<person>_<mode>`,
/// and parked where the day begins, unless the plan sets [`PlanBuilder::kind`] or [`PlanBuilder::vehicle`].
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
    /// The person with the first leg of each vehicle.
    owners: Vec<u32>,
    problems: Problems,
}

impl ScenarioBuilder {
    /// Creates a scenario on `network` with default settings and no persons.
    pub fn new(network: Network) -> Self {
        let mut scenario = Scenario { network, ..Scenario::default() };
        scenario.vehicles.types.push(VehicleType::default_car());
        scenario.modes.intern("car");
        Self { scenario, owners: Vec::new(), problems: Problems::new() }
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

    /// Adds a person with a plan, which begins and ends with an activity.
    pub fn person(mut self, id: &str, plan: impl FnOnce(PlanBuilder<'_>) -> PlanBuilder<'_>) -> Self {
        let Self { scenario, owners, problems } = &mut self;
        match scenario.population.begin_person(id) {
            Ok(index) => {
                plan(PlanBuilder {
                    scenario,
                    owners,
                    problems,
                    person: id.to_owned(),
                    index,
                    home: NONE,
                    kind: None,
                    vehicle: None,
                });
                let population = &scenario.population;
                let elements = population.plan_range(index);
                if elements.is_empty() || population.is_leg(elements.start) || population.is_leg(elements.end - 1) {
                    let remedy = "add an activity at the beginning and at the end, for example with `stay`";
                    problems.push(place(id), "the plan does not begin and end with an activity", remedy);
                }
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
    /// All problems: ids that are taken or too long, more modes than [`ModeTable`](super::ModeTable) holds, routes
    /// without links, plans that begin or end with a leg, invalid times, vehicles with several types or owners, vehicle
    /// types that do not exist, invalid change events, and settings of `qsim` that no config file
    /// could have.
    pub fn build(self) -> Result<Scenario, InputError> {
        let Self { mut scenario, owners, mut problems } = self;
        let types = scenario.vehicles.types.len();
        for (&kind, &owner) in scenario.vehicles.type_of.iter().zip(&owners) {
            if usize::from(kind) >= types {
                let message = format!("vehicle type {kind}; there are {types}, numbered from 0");
                let person = place(scenario.population.person_ids.name(owner));
                problems.push(person, message, "add it with `vehicle_type`, or choose another with `kind`");
            }
        }
        scenario.settings.qsim.check(&mut problems);
        check_changes(&scenario, &mut problems);
        problems.into_result()?;
        if scenario.population.first_element.is_empty() {
            scenario.population.first_element.push(0);
        }
        Ok(scenario)
    }
}

fn check_changes(scenario: &Scenario, problems: &mut Problems) {
    let Scenario { network, change_events, .. } = scenario;
    let place = |time_s: f64| format!("network change event at {time_s} s");
    let links = network.links();
    let is_link = |&link: &u32| (link as usize) < links;
    for event in change_events {
        if event.time_s.is_nan() || event.time_s.abs() > MAX_SECONDS {
            let remedy = format!("expected a time of day of at most {MAX_SECONDS} seconds");
            problems.push(place(event.time_s), event.time_s.to_string(), remedy);
        }
        if let Some(link) = event.links.iter().find(|link| !is_link(link)) {
            let message = format!("link index {link}; there are {links} links, numbered from 0");
            problems.push(place(event.time_s), message, "name links of the network");
        }
    }
    let valid = change_events.iter().filter(|event| event.links.iter().all(is_link));
    for (time_s, invalid) in invalid_changes(valid.map(|event| (event.time_s, event)), network) {
        let link = format!("\"{}\"", network.link_ids.name(invalid.link));
        problems.push(place(time_s), invalid.message(&link), invalid.remedy());
    }
}

fn place(person: &str) -> String {
    format!("person \"{person}\"")
}

/// Adds plan elements to a person.
///
/// An id that matches no link becomes a missing link ([`NONE`]), which [`ScenarioBuilder::build`] does not
/// report. A run is refused if the first activity of a plan is on a missing link, or if a teleported leg ends on one. A
/// driver is aborted on the last link before a missing one. The links of later activities, and the first of several
/// links of a route, do not matter, because the person is where the previous leg has ended.
#[derive(Debug)]
pub struct PlanBuilder<'a> {
    scenario: &'a mut Scenario,
    owners: &'a mut Vec<u32>,
    problems: &'a mut Problems,
    person: String,
    index: u32,
    home: u32,
    kind: Option<u16>,
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
        let kind = self.known(kind.map_err(|error| error.to_string()), "use shorter names for activity types");
        let activity = Activity { kind, link, facility: NONE, x: f64::NAN, y: f64::NAN, end_time, max_duration };
        self.scenario.population.add_activity(&activity);
        self
    }

    /// Reports a time or duration that is NaN or negative, with its meaning and the activity or mode.
    fn check_time(&mut self, seconds: f64, meaning: &str, of: &str) {
        let place = || format!("{}, {meaning} \"{of}\"", place(&self.person));
        ValidRange::NotNegative.check(seconds, " (seconds)", place, self.problems);
    }

    /// Adds an activity until a time of day, seconds; 0 or more.
    pub fn until(mut self, kind: &str, link: &str, end_time: f64) -> Self {
        self.check_time(end_time, "end of activity", kind);
        self.add(kind, link, end_time, f64::NAN)
    }

    /// Adds an activity that lasts for a duration, seconds; 0 or more.
    pub fn lasting(mut self, kind: &str, link: &str, duration: f64) -> Self {
        self.check_time(duration, "duration of activity", kind);
        self.add(kind, link, f64::NAN, duration)
    }

    /// Adds an activity without end.
    pub fn stay(self, kind: &str, link: &str) -> Self {
        self.add(kind, link, f64::NAN, f64::NAN)
    }

    /// Sets the index of the vehicle type of the following legs; 0 is the default car. A vehicle has one type: use
    /// [`PlanBuilder::vehicle`] for legs with vehicles of several types.
    pub fn kind(mut self, kind: u16) -> Self {
        self.kind = Some(kind);
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

    /// Adds a vehicle if this is its first leg. Otherwise, reports a type that differs from that of the first leg, and
    /// an id that was generated for this person although another person has such a vehicle.
    fn use_vehicle(&mut self, vehicle: u32, id: &str) {
        let vehicles = &mut self.scenario.vehicles;
        let Some(&known) = vehicles.type_of.get(vehicle as usize) else {
            vehicles.type_of.push(self.kind.unwrap_or(0));
            vehicles.start_link.push(self.home);
            self.owners.push(self.index);
            return;
        };
        if let Some(kind) = self.kind
            && kind != known
        {
            let message = format!("vehicle \"{id}\" has type {kind} here, but type {known} in earlier legs");
            self.problems.push(place(&self.person), message, "set the same `kind`, or name another `vehicle`");
        }
        let owner = self.owners[vehicle as usize];
        if self.vehicle.is_none() && owner != self.index {
            let owner = self.scenario.population.person_ids.name(owner);
            let message = format!("vehicle \"{id}\" already belongs to person \"{owner}\"");
            self.problems.push(place(&self.person), message, "name another `vehicle`, or this one to share it");
        }
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
        if let Ok(vehicle) = vehicle {
            self.use_vehicle(vehicle, &id);
        }
        let vehicle = self.known(vehicle.map_err(|error| error.to_string()), "use a shorter vehicle id");
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

    /// Adds a teleported leg: travel time in seconds, 0 or more; distance in metres.
    pub fn teleport(mut self, mode: &str, from: &str, to: &str, travel_time: f64, distance: f64) -> Self {
        self.check_time(travel_time, "travel time of mode", mode);
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
    use crate::{ChangeKind, ChangeValue, NetworkBuilder};

    fn network() -> Network {
        let nodes = NetworkBuilder::new().node("a", 0.0, 0.0).node("b", 100.0, 0.0);
        let there = nodes.link("ab", "a", "b", 100.0, 10.0, 3600.0, 1.0);
        there.link("ba", "b", "a", 100.0, 10.0, 3600.0, 1.0).build().unwrap()
    }

    /// Returns the first lines of all problems.
    fn problems<T: std::fmt::Debug>(built: Result<T, InputError>) -> Vec<String> {
        let error = built.unwrap_err();
        assert!(error.0.shown().iter().all(|problem| !problem.remedy.is_empty()), "{error}");
        error.0.shown().iter().map(|problem| format!("{}: {}", problem.place, problem.message)).collect()
    }

    fn problem_of(plan: impl FnOnce(PlanBuilder<'_>) -> PlanBuilder<'_>) -> String {
        problems(ScenarioBuilder::new(network()).person("1", plan).build()).join(" | ")
    }

    #[test]
    fn build_reports_all_problems() {
        let network = NetworkBuilder::new().node("a", 0.0, 0.0).node("a", 1.0, 0.0);
        let found = problems(network.link("ab", "a", "b", 1.0, 1.0, 1.0, 1.0).build());
        assert_eq!(found, ["node \"a\": id \"a\" is already defined", "link \"ab\": there is no node \"b\""]);
        let network = NetworkBuilder::new().build().unwrap();
        let scenario = ScenarioBuilder::new(network)
            .person("1", |plan| plan.stay("h", "a").drive("car", &[]).stay("w", "a"))
            .person("1", |plan| plan);
        let many = (0..260).fold(scenario, |scenario, mode| {
            let mode_name = format!("mode {mode}");
            scenario.person(&format!("p{mode}"), |plan| plan.stay("h", "a").lost(&mode_name, "a", "b").stay("w", "b"))
        });
        let found = problems(many.build());
        assert_eq!(found[0], "person \"1\": a leg on the network without links");
        assert_eq!(found[1], "person \"1\": id \"1\" is already defined");
        assert_eq!(found[2], "person \"p254\": no room for mode \"mode 254\"");
        assert_eq!(found.len(), 8);
    }

    #[test]
    fn invalid_numbers_of_a_network_are_reported_together() {
        let (nan, infinity) = (f64::NAN, f64::INFINITY);
        let network = NetworkBuilder::new()
            .node("a", nan, 0.0)
            .node("b", 0.0, infinity)
            .link("1", "a", "b", -500.0, nan, -1.0, -2.0)
            .link("2", "a", "b", infinity, -3.0, nan, -1.0)
            .link("3", "a", "b", 1000.0, 1e-7, 3600.0, 1.0)
            .link("fast", "a", "b", 0.1, infinity, infinity, infinity)
            .link("closed", "a", "b", 10.0, 0.0, 0.0, 0.0);
        let found = problems(network.build());
        let expected = [
            "node \"a\", x: NaN",
            "node \"b\", y: inf",
            "link \"1\", length: -500",
            "link \"1\", free speed: NaN",
            "link \"1\", capacity: -1",
            "link \"1\", lanes: -2",
            "link \"2\", length: inf",
            "link \"2\", free speed: -3",
            "link \"2\", capacity: NaN",
            "link \"2\", lanes: -1",
            "link \"3\", travel time: 1e10 seconds for 1000 m at 0.0000001 m/s",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn plans_begin_and_end_with_activities() {
        let expected = "person \"1\": the plan does not begin and end with an activity";
        assert_eq!(problem_of(|plan| plan), expected);
        assert_eq!(problem_of(|plan| plan.drive("car", &["ab", "ba"]).stay("w", "ba")), expected);
        assert_eq!(problem_of(|plan| plan.until("h", "ab", 60.0).drive("car", &["ab", "ba"])), expected);
        let single = ScenarioBuilder::new(network()).person("1", |plan| plan.stay("h", "ab"));
        assert_eq!(single.build().unwrap().population.elements(), 1);
    }

    #[test]
    fn invalid_times_are_reported() {
        let end = |seconds| problem_of(|plan| plan.until("h", "ab", seconds).stay("w", "ab"));
        assert_eq!(end(f64::NAN), "person \"1\", end of activity \"h\": NaN");
        assert_eq!(end(-1.0), "person \"1\", end of activity \"h\": -1");
        let duration = |seconds| problem_of(|plan| plan.lasting("h", "ab", seconds).stay("w", "ab"));
        assert_eq!(duration(f64::NAN), "person \"1\", duration of activity \"h\": NaN");
        assert_eq!(duration(-0.5), "person \"1\", duration of activity \"h\": -0.5");
        let travel =
            |time| problem_of(|plan| plan.stay("h", "ab").teleport("walk", "ab", "ba", time, 1.0).stay("w", "ba"));
        assert_eq!(travel(f64::NAN), "person \"1\", travel time of mode \"walk\": NaN");
        assert_eq!(travel(-1.0), "person \"1\", travel time of mode \"walk\": -1");
    }

    fn there_and_back<'a>(plan: PlanBuilder<'a>, kind_back: u16, vehicle_back: Option<&str>) -> PlanBuilder<'a> {
        let plan = plan.until("h", "ab", 60.0).drive("car", &["ab", "ba"]).until("w", "ba", 900.0).kind(kind_back);
        let plan = if let Some(id) = vehicle_back { plan.vehicle(id) } else { plan };
        plan.drive("car", &["ba", "ab"]).stay("h", "ab")
    }

    #[test]
    fn a_vehicle_has_one_type_which_exists() {
        let built = |kind, id| {
            let truck = VehicleType { id: "truck".into(), ..VehicleType::default_car() };
            let scenario = ScenarioBuilder::new(network()).vehicle_type(truck);
            scenario.person("1", |plan| there_and_back(plan, kind, id)).build()
        };
        let expected = "person \"1\": vehicle \"1\" has type 1 here, but type 0 in earlier legs";
        assert_eq!(problems(built(1, None)), [expected]);
        assert_eq!(built(0, None).unwrap().vehicles.type_of, [0]);
        assert_eq!(built(1, Some("truck")).unwrap().vehicles.type_of, [0, 1]);
        assert_eq!(problems(built(2, Some("x"))), ["person \"1\": vehicle type 2; there are 2, numbered from 0"]);
    }

    #[test]
    fn a_generated_vehicle_does_not_belong_to_another_person() {
        let two = ScenarioBuilder::new(network())
            .person("1_truck", |plan| plan.until("h", "ab", 60.0).drive("car", &["ab", "ba"]).stay("w", "ba"))
            .person("1", |plan| plan.until("h", "ab", 60.0).drive("truck", &["ab", "ba"]).stay("w", "ba"));
        let expected = "person \"1\": vehicle \"1_truck\" already belongs to person \"1_truck\"";
        assert_eq!(problems(two.build()), [expected]);
        // A person who names the vehicle shares it.
        let shared = ScenarioBuilder::new(network())
            .person("1", |plan| plan.until("h", "ab", 60.0).drive("car", &["ab", "ba"]).stay("w", "ba"))
            .person("2", |plan| plan.until("h", "ba", 900.0).vehicle("1").drive("car", &["ba", "ab"]).stay("w", "ab"));
        assert_eq!(shared.build().unwrap().population.legs.vehicle, [0, 0]);
    }

    #[test]
    fn unknown_links_become_missing_links() {
        let scenario = ScenarioBuilder::new(network())
            .person("1", |plan| plan.stay("h", "x").drive("car", &["ab", "y"]).stay("w", "z"))
            .build()
            .unwrap();
        assert_eq!(scenario.population.activities.link, [NONE, NONE]);
        assert_eq!(scenario.population.route_links, [0, NONE]);
    }

    #[test]
    fn invalid_change_events_are_reported() {
        let event = |time_s, link, value| {
            let kind = ChangeKind::FlowCapacity;
            NetworkChangeEvent { time_s, links: vec![link], kind, value }
        };
        let built = ScenarioBuilder::new(network())
            .change(event(10.0, 0, ChangeValue::Factor(f64::NAN)))
            .change(event(20.0, 0, ChangeValue::Offset(-0.75)))
            .change(event(30.0, 0, ChangeValue::Offset(-0.75)))
            .change(event(40.0, 2, ChangeValue::Absolute(1.0)))
            .change(event(2e9, 1, ChangeValue::Absolute(0.0)))
            .change(event(f64::NAN, 1, ChangeValue::Absolute(1.0)))
            .build();
        let expected = [
            "network change event at 40 s: link index 2; there are 2 links, numbered from 0",
            "network change event at 2000000000 s: 2000000000",
            "network change event at NaN s: NaN",
            "network change event at 10 s: flowCapacity of link \"ab\" becomes NaN (it was 1)",
            "network change event at 30 s: flowCapacity of link \"ab\" becomes -0.5 (it was 0.25)",
        ];
        assert_eq!(problems(built), expected);
    }

    #[test]
    fn settings_that_no_config_file_could_have_are_reported() {
        type Change = fn(&mut Settings);
        let built = |change: Change| ScenarioBuilder::new(network()).settings(change).build();
        assert!(built(|s| s.qsim.time_step_s = 0.01).is_ok());
        let cases: [(Change, &str); 9] = [
            (|s| s.qsim.time_step_s = 0.0, "time_step_s: 0"),
            (|s| s.qsim.time_step_s = -1.0, "time_step_s: -1"),
            (|s| s.qsim.time_step_s = f64::NAN, "time_step_s: NaN"),
            (|s| s.qsim.start_time = Some(-1.0), "start_time: -1"),
            (|s| s.qsim.end_time = Some(f64::NAN), "end_time: NaN"),
            (|s| s.qsim.flow_capacity_factor = 0.0, "flow_capacity_factor: 0"),
            (|s| s.qsim.storage_capacity_factor = f64::INFINITY, "storage_capacity_factor: inf"),
            (|s| s.qsim.stuck_time_s = 0.0, "stuck_time_s: 0"),
            (|s| s.qsim.pcu_threshold_for_flow_capacity_easing = -0.5, "pcu_threshold_for_flow_capacity_easing: -0.5"),
        ];
        for (change, expected) in cases {
            assert_eq!(problems(built(change)), [format!("settings, qsim.{expected}")]);
        }
    }
}
