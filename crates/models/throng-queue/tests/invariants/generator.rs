//! Random networks, plans and settings.

use proptest::prelude::*;
use proptest::sample::select;
use throng_traffic_scenario::settings::{Compat, InflowCapacity, LinkDynamics, NodeTransition, QSim, TrafficDynamics};
use throng_traffic_scenario::{
    ChangeKind, ChangeValue, Link, Network, NetworkChangeEvent, PlanBuilder, Scenario, ScenarioBuilder, VehicleType,
};

use super::kinds::Kind;

/// The values that define a scenario; out-of-range indices wrap around.
#[derive(Debug, Clone)]
pub struct Case {
    nodes: Vec<(f64, f64)>,
    links: Vec<Road>,
    persons: Vec<Person>,
    changes: Vec<(f64, usize, ChangeKind, ChangeValue)>,
    qsim: QSim,
    compat: Compat,
    seed: i64,
}

#[derive(Debug, Clone)]
struct Road {
    from: usize,
    to: usize,
    length: f64,
    speed: f64,
    capacity: f64,
    lanes: f64,
}

#[derive(Debug, Clone)]
struct Person {
    home: usize,
    leaves_at: f64,
    kind: u16,
    trips: Vec<Trip>,
}

#[derive(Debug, Clone)]
struct Trip {
    travel: Travel,
    /// Seconds spent at the destination; the last activity does not end.
    stays: f64,
}

#[derive(Debug, Clone)]
enum Travel {
    /// A route, given by the index of the out-link at each node.
    Drive(Vec<usize>),
    /// Like `Drive`, but one link is replaced by an arbitrary link.
    WrongTurn(Vec<usize>, usize),
    Teleport(usize, f64),
    Lost,
}

fn road(nodes: usize) -> impl Strategy<Value = Road> {
    // Each number is rarely 0, but not length and speed together.
    let length_and_speed = prop_oneof![
        30 => (20.0..300.0, 3.0..25.0),
        8 => (1.0..12.0, 3.0..25.0),
        2 => (Just(0.0), 3.0..25.0),
        1 => (20.0..300.0, Just(0.0)),
    ];
    let capacity = prop_oneof![30 => select(vec![120.0, 360.0, 900.0, 1800.0, 3600.0, 9000.0]), 1 => Just(0.0)];
    let lanes = prop_oneof![30 => select(vec![1.0, 1.0, 2.0, 0.5]), 1 => Just(0.0)];
    (0..nodes, 0..nodes, length_and_speed, capacity, lanes)
        .prop_map(|(from, to, (length, speed), capacity, lanes)| Road { from, to, length, speed, capacity, lanes })
}

fn trip() -> impl Strategy<Value = Trip> {
    let turns = || prop::collection::vec(0..64usize, 0..7);
    let travel = prop_oneof![
        8 => turns().prop_map(Travel::Drive),
        1 => (turns(), 0..64usize).prop_map(|(turns, link)| Travel::WrongTurn(turns, link)),
        5 => (0..64usize, select(vec![0.0, 0.0, 0.0, 0.7, 3.0, 40.0])).prop_map(|(to, time)| Travel::Teleport(to, time)),
        1 => Just(Travel::Lost),
    ];
    (travel, select(vec![0.0, 0.0, 0.0, 5.0, 60.5])).prop_map(|(travel, stays)| Trip { travel, stays })
}

fn person() -> impl Strategy<Value = Person> {
    let leaves_at = prop_oneof![3 => select(vec![10.0, 10.0, 12.0, 20.0]), 1 => 0.0..80.0];
    (0..64usize, leaves_at, 0..4u16, prop::collection::vec(trip(), 0..5))
        .prop_map(|(home, leaves_at, kind, trips)| Person { home, leaves_at, kind, trips })
}

/// Steps last 0.5, 1 or 10 s. `seconds` is the maximum end time for steps of one second; with other lengths the number
/// of steps is the same.
fn settings(seconds: f64) -> impl Strategy<Value = (QSim, Compat, i64)> {
    use NodeTransition as N;
    let dynamics = select(vec![TrafficDynamics::Queue, TrafficDynamics::WithHoles, TrafficDynamics::KinematicWaves]);
    let inflow = select(vec![
        InflowCapacity::InflowFromFdiag,
        InflowCapacity::NrOfLanesFromFdiag,
        InflowCapacity::MaxCapForOneLane,
    ]);
    let transition = select(vec![
        N::EmptyBufferDontBlockNode,
        N::EmptyBufferBlockNode,
        N::VehByVehDontBlockNode,
        N::VehByVehBlockNode,
        N::DeterministicPriorities,
    ]);
    let kinds = (dynamics, inflow, transition, select(vec![LinkDynamics::Fifo, LinkDynamics::PassingQ]));
    let numbers = (
        select(vec![1.0, 1.0, 10.0, 0.5]),
        select(vec![1.0, 0.4, 0.1]),
        select(vec![1.0, 0.4, 0.1]),
        select(vec![3.0, 10.0, 1e9]),
        select(vec![0.0, 0.0, 0.5]),
        0.2..1.0f64,
    );
    let switches = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), 0..1000i64);
    (kinds, numbers, switches).prop_map(move |(kinds, numbers, switches)| {
        let (step, flow, storage, stuck, easing, end) = numbers;
        let qsim = QSim {
            traffic_dynamics: kinds.0,
            inflow_capacity: kinds.1,
            node_transition: kinds.2,
            link_dynamics: kinds.3,
            time_step_s: step,
            flow_capacity_factor: flow,
            storage_capacity_factor: storage,
            stuck_time_s: stuck,
            pcu_threshold_for_flow_capacity_easing: easing,
            end_time: Some((seconds * end * step).floor()),
            remove_stuck_vehicles: switches.0,
            using_fast_capacity_update: switches.1,
            waiting_before_driving: switches.2,
            ..QSim::default()
        };
        (qsim, if switches.3 { Compat::Matsim13 } else { Compat::Matsim2024 }, switches.4)
    })
}

fn changes() -> impl Strategy<Value = Vec<(f64, usize, ChangeKind, ChangeValue)>> {
    let change = prop_oneof![
        select(vec![0.0, 0.0, 0.02, 0.5, 2.0]).prop_map(|v| (ChangeKind::FlowCapacity, ChangeValue::Absolute(v))),
        select(vec![0.5, 2.0]).prop_map(|v| (ChangeKind::Freespeed, ChangeValue::Factor(v))),
        Just((ChangeKind::Lanes, ChangeValue::Offset(1.0))),
    ];
    let one = (0.0..120.0, 0..64usize, change).prop_map(|(time, link, (kind, value))| (time, link, kind, value));
    // Half of the cases have no changes, because constant capacities are easier to check.
    prop_oneof![Just(Vec::new()), prop::collection::vec(one, 1..5)]
}

/// Random cases that end within `seconds` steps.
pub fn cases(seconds: f64) -> impl Strategy<Value = Case> {
    (3..9usize).prop_flat_map(move |nodes| {
        let places = prop::collection::vec((0.0..2000.0, 0.0..2000.0), nodes);
        let links = prop::collection::vec(road(nodes), 5..30);
        let persons = prop::collection::vec(person(), 1..40);
        (places, links, persons, changes(), settings(seconds)).prop_map(
            |(nodes, links, persons, changes, (qsim, compat, seed))| Case {
                nodes,
                links,
                persons,
                changes,
                qsim,
                compat,
                seed,
            },
        )
    })
}

/// Returns the vehicle types 1 (long), 2 (slow and efficient) and 3 (small); type 0 is the default car.
fn vehicle_types() -> [VehicleType; 3] {
    let car = VehicleType::default_car();
    [
        VehicleType { id: "long".into(), pcu: 3.0, ..car.clone() },
        VehicleType { id: "slow".into(), maximum_velocity_mps: 4.0, flow_efficiency: 2.0, ..car.clone() },
        VehicleType { id: "small".into(), pcu: 0.25, ..car },
    ]
}

impl Case {
    /// Returns the same case under different rules; its values stay the same.
    pub fn with_rules(mut self, kind: Kind) -> Self {
        kind.apply(&mut self.qsim, &mut self.compat);
        self
    }

    /// Number of links.
    pub fn links(&self) -> usize {
        self.links.len()
    }

    /// Number of persons.
    pub fn persons(&self) -> usize {
        self.persons.len()
    }

    /// Builds the scenario of this case.
    pub fn scenario(&self) -> Scenario {
        self.builder().build().unwrap()
    }

    /// Returns network, persons and settings of this case.
    pub fn builder(&self) -> ScenarioBuilder {
        let mut network = Network::default();
        for (i, &(x, y)) in self.nodes.iter().enumerate() {
            network.add_node(&format!("n{i}"), x, y).unwrap();
        }
        for (i, road) in self.links.iter().enumerate() {
            let link = Link {
                from: road.from as u32,
                to: road.to as u32,
                length_m: road.length,
                freespeed_mps: road.speed,
                capacity: road.capacity,
                lanes: road.lanes,
                modes: u64::MAX,
            };
            network.add_link(&name(i), link).unwrap();
        }
        let builder = vehicle_types().into_iter().fold(ScenarioBuilder::new(network), ScenarioBuilder::vehicle_type);
        let builder = self.changes.iter().fold(builder, |builder, &(time_s, link, kind, value)| {
            let links = vec![(link % self.links.len()) as u32];
            builder.change(NetworkChangeEvent { time_s, links, kind, value })
        });
        let builder = self
            .persons
            .iter()
            .enumerate()
            .fold(builder, |builder, (i, person)| builder.person(&format!("p{i}"), |plan| self.plan(plan, person)));
        builder.settings(|settings| {
            settings.qsim = self.qsim.clone();
            settings.extensions.compat = self.compat;
            settings.global.random_seed = self.seed;
        })
    }

    fn plan<'a>(&self, plan: PlanBuilder<'a>, person: &Person) -> PlanBuilder<'a> {
        let mut at = person.home % self.links.len();
        let mut plan = plan.kind(person.kind).until("h", &name(at), person.leaves_at);
        for (i, trip) in person.trips.iter().enumerate() {
            let start = name(at);
            match &trip.travel {
                Travel::Drive(turns) => {
                    let route = self.walk(at, turns);
                    plan = drive(plan, &route);
                    at = route[route.len() - 1];
                }
                Travel::WrongTurn(turns, link) => {
                    let mut route = self.walk(at, turns);
                    let middle = route.len() / 2;
                    if middle > 0 {
                        route[middle] = link % self.links.len();
                    }
                    plan = drive(plan, &route);
                    at = route[route.len() - 1];
                }
                Travel::Teleport(to, time) => {
                    at = to % self.links.len();
                    plan = plan.teleport("walk", &start, &name(at), *time, 1.0);
                }
                Travel::Lost => {
                    plan = plan.lost("car", &start, &start);
                }
            }
            let last = i + 1 == person.trips.len();
            plan = if last { plan.stay("w", &name(at)) } else { plan.lasting("w", &name(at), trip.stays) };
        }
        plan
    }

    /// Follows links from `at`; ends early at a node without out-links.
    pub fn walk(&self, at: usize, turns: &[usize]) -> Vec<usize> {
        let mut route = vec![at];
        for turn in turns {
            let node = self.links[route[route.len() - 1]].to;
            let out: Vec<usize> = (0..self.links.len()).filter(|&l| self.links[l].from == node).collect();
            let Some(&next) = out.get(turn % out.len().max(1)) else { break };
            route.push(next);
        }
        // The route builder merges repeated links at the end of a route.
        while route.len() >= 3 && route[route.len() - 1] == route[route.len() - 2] {
            route.pop();
        }
        route
    }
}

pub fn name(link: usize) -> String {
    format!("l{link}")
}

pub fn drive<'a>(plan: PlanBuilder<'a>, route: &[usize]) -> PlanBuilder<'a> {
    let names: Vec<String> = route.iter().map(|&link| name(link)).collect();
    plan.drive("car", &names.iter().map(String::as_str).collect::<Vec<_>>())
}
