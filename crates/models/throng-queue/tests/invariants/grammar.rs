//! The events of one agent are consistent, and no agent is lost.

use throng_core::NONE;
use throng_queue::RunOutcome;
use throng_traffic_scenario::events::{Event, EventKind, EventLog};
use throng_traffic_scenario::{PlanElement, Scenario};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// At the given activity.
    AtActivity(u32),
    /// Between two plan elements.
    Between,
    /// On a leg, without a vehicle.
    Departed,
    InVehicle,
    /// Driving, with the number of route links already left.
    OnLink(usize),
    /// The vehicle has left a link and has not entered the next one yet.
    OffLink(usize),
    OutOfTraffic,
    OutOfVehicle,
    Travelled,
    /// The vehicle was aborted, but not yet the driver.
    Aborting,
    Gone,
}

struct Agent {
    state: State,
    /// Current link.
    at: u32,
    leg: u32,
    entered_traffic: u32,
    left_traffic: u32,
}

/// Panics if an event of an agent is inconsistent with its state.
pub fn check(scenario: &Scenario, log: &EventLog, outcome: &RunOutcome) {
    assert!(log.events.windows(2).all(|w| w[0].0 <= w[1].0), "times go backwards");
    let population = &scenario.population;
    let mut agents: Vec<Agent> = (0..population.persons() as u32)
        .map(|person| {
            let Some(PlanElement::Activity(first)) = population.plan(person).next() else {
                panic!("no first activity")
            };
            let at = population.activities.link[first as usize];
            Agent { state: State::AtActivity(first), at, leg: NONE, entered_traffic: 0, left_traffic: 0 }
        })
        .collect();
    let mut driver = vec![NONE; scenario.vehicles.ids.len()];
    for (time, event) in &log.events {
        let person = match event.kind {
            EventKind::LeftLink | EventKind::EnteredLink | EventKind::VehicleAborts => driver[event.detail as usize],
            _ => event.person,
        };
        if event.kind == EventKind::PersonEntersVehicle {
            assert_eq!(driver[event.detail as usize], NONE, "the vehicle already has a driver");
            driver[event.detail as usize] = person;
        }
        if event.kind == EventKind::PersonLeavesVehicle {
            driver[event.detail as usize] = NONE;
        }
        let agent = &mut agents[person as usize];
        let before = agent.state;
        assert!(next(scenario, agent, event), "at {time} {event:?} of {person} in state {before:?} on {}", agent.at);
    }
    let mut aborted = 0;
    for (person, agent) in agents.iter().enumerate() {
        match agent.state {
            State::Gone => aborted += 1,
            State::AtActivity(activity) => {
                let last = population.plan(person as u32).last();
                let never_started = log.events.is_empty();
                assert!(last == Some(PlanElement::Activity(activity)) || never_started, "{person} never continues");
                assert_eq!(agent.entered_traffic, agent.left_traffic);
            }
            state => panic!("{person} ends in state {state:?}"),
        }
    }
    let count = |kind| log.events.iter().filter(|(_, e)| e.kind == kind).count() as u64;
    let stats = &outcome.stats;
    assert_eq!(stats.events, log.events.len() as u64);
    assert_eq!(stats.arrivals, count(EventKind::Arrival));
    assert_eq!(stats.moves, count(EventKind::EnteredLink));
    assert_eq!(stats.aborted + stats.aborted_at_end, count(EventKind::StuckAndAbort));
    assert_eq!(aborted, count(EventKind::StuckAndAbort), "no agent is aborted twice");
    let settings = &scenario.settings.qsim;
    assert!(stats.stuck_pushed == 0 || !settings.remove_stuck_vehicles);
    assert!(stats.stuck_removed == 0 || settings.remove_stuck_vehicles);
}

/// Whether `event` is allowed in the state of `agent`. Updates the state.
fn next(scenario: &Scenario, agent: &mut Agent, event: &Event) -> bool {
    use EventKind as E;
    let here = event.link == agent.at;
    let legs = &scenario.population.legs;
    let (allowed, state) = match (event.kind, agent.state) {
        (E::ActivityEnd, State::AtActivity(activity)) => (here && event.detail == activity, State::Between),
        (E::Departure, State::Between) => {
            agent.leg = event.detail;
            (here && event.mode == legs.mode[event.detail as usize], State::Departed)
        }
        (E::PersonEntersVehicle, State::Departed) => (true, State::InVehicle),
        (E::VehicleEntersTraffic, State::InVehicle) => {
            agent.entered_traffic += 1;
            (here, State::OnLink(0))
        }
        (E::LeftLink, State::OnLink(links)) => (here, State::OffLink(links + 1)),
        (E::EnteredLink, State::OffLink(links)) => {
            let network = &scenario.network;
            let connected = network.to[agent.at as usize] == network.from[event.link as usize];
            agent.at = event.link;
            let planned = scenario.population.route(agent.leg).get(links) == Some(&event.link);
            (connected && planned, State::OnLink(links))
        }
        (E::VehicleLeavesTraffic, State::OnLink(links)) => {
            agent.left_traffic += 1;
            (here && links + 1 == scenario.population.route(agent.leg).len(), State::OutOfTraffic)
        }
        (E::PersonLeavesVehicle, State::OutOfTraffic) => (true, State::OutOfVehicle),
        (E::Travelled, State::Departed) => {
            agent.at = legs.end_link[agent.leg as usize];
            (event.detail == agent.leg, State::Travelled)
        }
        (E::Arrival, State::OutOfVehicle | State::Travelled) => (here && event.detail == agent.leg, State::Between),
        (E::ActivityStart, State::Between) => (here, State::AtActivity(event.detail)),
        (E::VehicleAborts, State::InVehicle | State::OnLink(_)) => (here, State::Aborting),
        (E::StuckAndAbort, State::Between | State::OffLink(_) | State::Aborting) => (here, State::Gone),
        // Aborted at the end of the run: waiting for a vehicle, or teleported to the end of the leg; next arm: at an
        // activity.
        (E::StuckAndAbort, State::Departed) => (here || event.link == legs.end_link[agent.leg as usize], State::Gone),
        (E::StuckAndAbort, State::AtActivity(_)) => (event.link == NONE, State::Gone),
        (_, state) => (false, state),
    };
    agent.state = state;
    allowed
}
