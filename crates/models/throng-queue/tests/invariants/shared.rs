//! Vehicles that several persons drive: equal results, or equal errors, on any number of threads and on devices.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use throng_core::NONE;
use throng_queue::cpu::simulate;
use throng_queue::{RunError, RunOptions, RunOutcome, gpu};
use throng_traffic_scenario::events::{EventKind, EventLog};
use throng_traffic_scenario::settings::VehicleBehavior;
use throng_traffic_scenario::{PlanElement, Scenario};

use super::generator::{Case, cases};
use super::kinds::COVERING;
use super::threads;
use crate::devices::{assert_same_events, devices};

/// Gives each person of `pairs` the vehicle of the person before, and lets the person leave later.
fn scenario(case: &Case, pairs: &[(usize, f64)], behavior: VehicleBehavior) -> Scenario {
    let mut scenario = case.scenario();
    scenario.settings.qsim.vehicle_behavior = behavior;
    let persons = case.persons();
    for &(person, later_s) in pairs.iter().filter(|_| persons > 1) {
        let person = (person % (persons - 1) + 1) as u32;
        let own = vehicle_of(&scenario, person - 1);
        let population = &mut scenario.population;
        let plan: Vec<PlanElement> = population.plan(person).collect();
        for element in plan {
            match element {
                PlanElement::Leg(leg) if population.legs.vehicle[leg as usize] != NONE => {
                    population.legs.vehicle[leg as usize] = own.unwrap_or(population.legs.vehicle[leg as usize]);
                }
                PlanElement::Activity(activity) => population.activities.end_time[activity as usize] += later_s,
                PlanElement::Leg(_) => {}
            }
        }
    }
    scenario
}

/// The vehicle of the first leg that has one.
fn vehicle_of(scenario: &Scenario, person: u32) -> Option<u32> {
    let legs = &scenario.population.legs;
    scenario.population.plan(person).find_map(|element| match element {
        PlanElement::Leg(leg) => Some(legs.vehicle[leg as usize]).filter(|&vehicle| vehicle != NONE),
        PlanElement::Activity(_) => None,
    })
}

fn run(scenario: &Scenario, threads: usize) -> (EventLog, Result<RunOutcome, RunError>) {
    let mut log = EventLog::default();
    let options = RunOptions { threads, hash_every: 7, always_shared: true, ..RunOptions::default() };
    let result = simulate(scenario, &mut log, &options);
    (log, result)
}

/// Checks that a vehicle has one driver at a time.
fn check_drivers(scenario: &Scenario, log: &EventLog) {
    let mut driver = vec![NONE; scenario.vehicles.ids.len()];
    for (time, event) in &log.events {
        let Some(driver) = driver.get_mut(event.detail as usize) else { continue };
        match event.kind {
            EventKind::PersonEntersVehicle => {
                assert_eq!(*driver, NONE, "{time}: {event:?}");
                *driver = event.person;
            }
            EventKind::PersonLeavesVehicle => {
                assert_eq!(*driver, event.person, "{time}: {event:?}");
                *driver = NONE;
            }
            _ => {}
        }
    }
}

fn pairs() -> impl Strategy<Value = Vec<(usize, f64)>> {
    prop::collection::vec((0..64usize, select(vec![0.0, 40.0, 400.0, 900.0])), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(48), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shared_vehicles_do_not_depend_on_threads(
        case in cases(3000.0),
        pairs in pairs(),
        behavior in select(vec![VehicleBehavior::Teleport, VehicleBehavior::Teleport, VehicleBehavior::Exception]),
    ) {
        let scenario = scenario(&case, &pairs, behavior);
        let (single, result) = run(&scenario, 1);
        check_drivers(&scenario, &single);
        match result {
            Ok(_) => threads::check(&scenario),
            Err(error) => {
                for threads in [2, 3, 5] {
                    let (log, result) = run(&scenario, threads);
                    prop_assert_eq!(result.unwrap_err().to_string(), error.to_string());
                    assert_same_events(&single, &log, &format!("{threads} threads"));
                }
            }
        }
    }
}

/// Random networks of one kind share their kernels, whose compilation takes most of the time.
#[test]
fn shared_vehicles_are_the_same_on_devices() {
    let config = ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() };
    let checked = TestRunner::new(config).run(&(cases(400.0), pairs()), |(case, pairs)| {
        let scenario = scenario(&case.with_rules(COVERING[7]), &pairs, VehicleBehavior::Teleport);
        let options = RunOptions { hash_every: 7, ..RunOptions::default() };
        let (log, result) = run(&scenario, 1);
        for device in devices() {
            let mut on_device = EventLog::default();
            let found = gpu::simulate(&scenario, &mut on_device, &options, device);
            let texts = [&result, &found].map(|result| result.as_ref().err().map(ToString::to_string));
            prop_assert_eq!(&texts[0], &texts[1], "{}", device.info().label());
            assert_same_events(&log, &on_device, &device.info().label());
        }
        Ok(())
    });
    checked.unwrap_or_else(|error| panic!("{error}"));
}
