//! Tiny scenarios, and their events as short strings.

use throng_core::NONE;
use throng_queue::RunError;
use throng_queue::cpu::simulate;
use throng_queue::{RunOptions, RunOutcome, gpu};
use throng_traffic_scenario::events::{EventKind, EventLog};
use throng_traffic_scenario::{ModeId, NetworkBuilder, PlanBuilder, Scenario, ScenarioBuilder, VehicleType};

use crate::devices::{all_devices, assert_same_on, assert_same_on_devices, devices};

/// Id, from, to, length (m), free speed (m/s), capacity (vehicles per hour), lanes.
pub type Road<'a> = (&'a str, &'a str, &'a str, f64, f64, f64, f64);

/// A link that holds one vehicle for 80 s: 7.5 m / 0.09375 m/s. Its flow is 0.01 per second, so the storage is raised
/// neither to the flow of a step nor to the number of vehicles under way at free flow (0.8).
pub const fn parking_place<'a>(id: &'a str, from: &'a str, to: &'a str) -> Road<'a> {
    (id, from, to, 7.5, 0.09375, 36.0, 1.0)
}

/// 100 m at 10 m/s, which takes 10 s, with the given capacity per second.
pub const fn street<'a>(id: &'a str, from: &'a str, to: &'a str, per_second: f64) -> Road<'a> {
    (id, from, to, 100.0, 10.0, 3600.0 * per_second, 1.0)
}

/// Builds a scenario on these roads; nodes are created from the names in the roads.
pub fn on(roads: &[Road<'_>]) -> ScenarioBuilder {
    ScenarioBuilder::new(network(roads))
}

/// Builds the network of these roads.
pub fn network(roads: &[Road<'_>]) -> throng_traffic_scenario::Network {
    let mut names: Vec<&str> = roads.iter().flat_map(|r| [r.1, r.2]).collect();
    names.sort_unstable();
    names.dedup();
    let nodes = names.iter().enumerate();
    let mut builder = nodes.fold(NetworkBuilder::new(), |b, (i, name)| b.node(name, 100.0 * i as f64, 0.0));
    for &(id, from, to, length, speed, capacity, lanes) in roads {
        builder = builder.link(id, from, to, length, speed, capacity, lanes);
    }
    builder.build().unwrap()
}

/// Adds a plan that departs at `time` from the first link of `route` and stays on the last one.
pub fn trip<'a>(time: f64, route: &'a [&'a str]) -> impl FnOnce(PlanBuilder<'_>) -> PlanBuilder<'_> + 'a {
    move |plan| plan.until("h", route[0], time).drive("car", route).stay("w", route[route.len() - 1])
}

/// Returns a vehicle type of this size that is otherwise the default car.
pub fn size(pcu: f64) -> VehicleType {
    VehicleType { id: format!("pcu {pcu}"), pcu, ..VehicleType::default_car() }
}

/// Events and counters of a run, with the scenario for names.
pub struct Trace {
    scenario: Scenario,
    pub log: EventLog,
    pub outcome: RunOutcome,
}

/// Runs on one thread and on every device of this machine; all results must be equal.
pub fn run(builder: ScenarioBuilder) -> Trace {
    run_with(builder, &RunOptions::default())
}

/// As [`run`], with options.
pub fn run_with(builder: ScenarioBuilder, options: &RunOptions<'_>) -> Trace {
    run_scenario(builder.build().unwrap(), options)
}

/// As [`run_with`], for scenarios that the builder refuses but files may contain.
pub fn run_scenario(scenario: Scenario, options: &RunOptions<'_>) -> Trace {
    let mut log = EventLog::default();
    let outcome = simulate(&scenario, &mut log, options).unwrap();
    assert_same_on_devices(&scenario, options, &log, &outcome);
    Trace { scenario, log, outcome }
}

/// As [`run`], but quick tests include software devices.
pub fn run_on_all_devices(builder: ScenarioBuilder) -> Trace {
    let scenario = builder.build().unwrap();
    let (mut log, options) = (EventLog::default(), RunOptions { hash_every: 7, ..RunOptions::default() });
    let outcome = simulate(&scenario, &mut log, &options).unwrap();
    assert_same_on(&all_devices(), &scenario, &options, &log, &outcome);
    Trace { scenario, log, outcome }
}

/// Returns the error of a run that must fail, in the same way on devices.
pub fn failure(builder: ScenarioBuilder) -> RunError {
    failure_of(&builder.build().unwrap())
}

/// As [`failure`], for scenarios that the builder refuses.
pub fn failure_of(scenario: &Scenario) -> RunError {
    let options = RunOptions::default();
    let error = simulate(scenario, &mut EventLog::default(), &options).unwrap_err();
    for device in devices().into_iter().filter(|_| gpu::unsuitable(scenario).is_none()) {
        let found = gpu::simulate(scenario, &mut EventLog::default(), &options, device).unwrap_err();
        assert_eq!(error.to_string(), found.to_string(), "{}", device.info().label());
    }
    error
}

impl Trace {
    /// Returns the vehicles that left the link, with times, in order: `1@61 2@62`.
    pub fn left(&self, link: &str) -> String {
        self.on_link(EventKind::LeftLink, link)
    }

    /// Returns the vehicles that entered the link over its start node.
    pub fn entered(&self, link: &str) -> String {
        self.on_link(EventKind::EnteredLink, link)
    }

    /// Returns the vehicles that entered traffic on the link.
    pub fn in_traffic(&self, link: &str) -> String {
        self.on_link(EventKind::VehicleEntersTraffic, link)
    }

    /// Returns the vehicles that arrived on the link.
    pub fn arrived(&self, link: &str) -> String {
        self.on_link(EventKind::VehicleLeavesTraffic, link)
    }

    /// Returns the vehicles with an event of this kind on the link.
    fn on_link(&self, kind: EventKind, link: &str) -> String {
        let link = self.scenario.network.link_ids.get(link).unwrap();
        let events = self.log.events.iter().filter(|(_, e)| e.kind == kind && e.link == link);
        let texts = events.map(|(t, e)| format!("{}@{t}", self.scenario.vehicles.ids.name(e.detail)));
        texts.collect::<Vec<_>>().join(" ")
    }

    /// Returns all events of a person and of the vehicle with the same name, in order:
    /// `60 actend h a`, `61 left link a`, `80 stuckAndAbort c car`.
    pub fn of(&self, name: &str) -> Vec<String> {
        let person = self.scenario.population.person_ids.get(name).unwrap_or(NONE);
        let vehicle = self.scenario.vehicles.ids.get(name).unwrap_or(NONE);
        let mut found = Vec::new();
        for (time, e) in &self.log.events {
            let of_vehicle = matches!(e.kind, EventKind::LeftLink | EventKind::EnteredLink | EventKind::VehicleAborts);
            let mine = if of_vehicle { e.detail == vehicle } else { e.person == person };
            if !mine {
                continue;
            }
            let mut text = format!("{time} {}", e.kind.matsim_type());
            let mut add = |word: &str| {
                text.push(' ');
                text.push_str(word);
            };
            if matches!(e.kind, EventKind::ActivityEnd | EventKind::ActivityStart) {
                let kind = self.scenario.population.activities.kind[e.detail as usize];
                add(self.scenario.population.activity_types.name(kind));
            }
            if e.link != NONE {
                add(self.scenario.network.link_ids.name(e.link));
            }
            if e.mode != ModeId::NONE {
                add(self.scenario.modes.name(e.mode));
            }
            found.push(text);
        }
        found
    }

    /// Returns the last event of a person.
    pub fn last(&self, name: &str) -> String {
        self.of(name).pop().unwrap()
    }

    /// Returns the number of events of one kind.
    pub fn count(&self, kind: EventKind) -> usize {
        self.log.events.iter().filter(|(_, e)| e.kind == kind).count()
    }

    /// Returns the aborted persons, in order.
    pub fn aborted(&self) -> Vec<&str> {
        let aborted = self.log.events.iter().filter(|(_, e)| e.kind == EventKind::StuckAndAbort);
        aborted.map(|(_, e)| self.scenario.population.person_ids.name(e.person)).collect()
    }
}
