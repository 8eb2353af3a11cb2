//! Throng's full model on the same samples, for comparison.

use std::time::Instant;

use throng_core::Philox;
use throng_device::Device;
use throng_model::Failure;
use throng_queue::{RunError, RunOptions, RunOutcome, cpu, gpu};
use throng_traffic_scenario::events::{EventColumns, EventSink, NoEvents};
use throng_traffic_scenario::{PlanElement, Population, Scenario};

use super::plans::is_in_sample;
use super::program::{Measurement, Program, SampleResults};
use crate::experiment::{Row, never_enough, repeated, runs_are_long};

/// Untimed steps on a device, which compile the kernels.
const WARM_UP: u64 = 100;

/// Measures the full model over the whole day of a sample: on one CPU thread, on `threads` threads, and on these with
/// events kept in memory as columns; then `repeat` times on `device`, without and with events.
pub(super) fn full_model(
    scenario: &Scenario,
    percent: f64,
    threads: usize,
    repeat: usize,
    device: Option<&Device>,
    rows: &mut Measurement,
) -> Result<(), Failure> {
    let failed = |error| match error {
        RunError::Device(error) => error.into(),
        error => {
            Failure::resource(format!("the full model: {error}"), "run `throng run` with the same scenario for details")
        }
    };
    let suits =
        |device: &&Device| gpu::unsuitable_device(device.info()).is_none() && gpu::unsuitable(scenario).is_none();
    let device = device.filter(suits);
    let mut programs = vec![(1, false), (threads, false), (threads, true)];
    programs.dedup();
    let mut programs: Vec<Program> =
        programs.into_iter().map(|(threads, events)| Program::FullModel { threads, events }).collect();
    if let Some(device) = device {
        let warm_up = RunOptions { max_steps: Some(WARM_UP), ..RunOptions::default() };
        gpu::simulate(scenario, &mut EventColumns::default(), &warm_up, device).map_err(failed)?;
        let device = device.info().id;
        programs.extend([false, true].map(|events| Program::FullModelOnDevice { device, events }));
    }
    for program in programs {
        let run = |sink: &mut dyn EventSink| match (program, device) {
            (Program::FullModelOnDevice { .. }, Some(device)) => {
                gpu::simulate(scenario, sink, &RunOptions::default(), device)
            }
            (Program::FullModel { threads, .. }, _) => {
                cpu::simulate(scenario, sink, &RunOptions { threads, ..RunOptions::default() })
            }
            (program, _) => unreachable!("{} is not the full model", program.name()),
        };
        let (is_enough, events): (fn(&[f64]) -> bool, bool) = match program {
            Program::FullModelOnDevice { events, .. } => (never_enough, events),
            Program::FullModel { events, .. } => (runs_are_long, events),
            _ => (runs_are_long, false),
        };
        let mut last: Option<RunOutcome> = None;
        let times = repeated(repeat, is_enough, || {
            let since = Instant::now();
            let outcome = if events { run(&mut EventColumns::default()) } else { run(&mut NoEvents) }?;
            let seconds = since.elapsed().as_secs_f64() - outcome.preparation_s;
            last = Some(outcome);
            Ok(seconds)
        });
        let (times, outcome) = (times.map_err(failed)?, last.expect("a program runs at least once"));
        let figures = SampleResults {
            agents: scenario.population.persons(),
            from_s: outcome.start_time,
            simulated_s: outcome.end_time - outcome.start_time,
            legs_ended: outcome.stats.arrivals,
            in_traffic: None,
            hash: None,
        };
        rows.0.push(Row { case: percent, program, times, figures });
    }
    Ok(())
}

/// The scenario with a sample of its persons, the same ones as in [`super::Plans::sample`]. Capacities are not scaled.
pub(super) fn sample(scenario: &Scenario, percent: f64, seed: u64) -> Scenario {
    let draws = Philox::new(seed);
    let all = &scenario.population;
    let mut population = Population::default();
    population.activity_types = all.activity_types.clone();
    for person in (0..all.persons() as u32).filter(|&person| is_in_sample(draws, person, percent)) {
        population.begin_person(all.person_ids.name(person)).expect("ids of persons are unique");
        for element in all.plan(person) {
            match element {
                PlanElement::Activity(activity) => {
                    population.add_activity(&all.activity(activity));
                }
                PlanElement::Leg(leg) => {
                    let route_start = population.route_links.len() as u64;
                    population.route_links.extend_from_slice(all.route(leg));
                    population.add_leg(&throng_traffic_scenario::Leg { route_start, ..all.leg(leg) });
                }
            }
        }
    }
    if population.first_element.is_empty() {
        population.first_element.push(0);
    }
    Scenario {
        settings: scenario.settings.clone(),
        modes: scenario.modes.clone(),
        network: scenario.network.clone(),
        population,
        vehicles: scenario.vehicles.clone(),
        facilities: scenario.facilities.clone(),
        change_events: scenario.change_events.clone(),
        ..Scenario::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strippgen::testing::small_city;

    #[test]
    fn a_sample_keeps_plans_whole() {
        let city = small_city();
        let (all, tenth) = (sample(&city, 100.0, 1), sample(&city, 10.0, 1));
        assert_eq!(all.population.persons(), 3000);
        assert!(all.population.legs.vehicle == city.population.legs.vehicle);
        let legs = 0..city.population.legs.mode.len() as u32;
        assert!(legs.clone().all(|leg| all.population.route(leg) == city.population.route(leg)));
        assert!(legs.len() > 6000);
        let persons = tenth.population.persons();
        assert!((240..360).contains(&persons), "{persons}");
        let id = tenth.population.person_ids.name(7);
        let person = city.population.person_ids.get(id).unwrap();
        let route = |population: &Population, person| {
            let Some(PlanElement::Leg(leg)) = population.plan(person).nth(1) else { panic!("no leg") };
            population.route(leg).to_vec()
        };
        assert_eq!(route(&tenth.population, 7), route(&city.population, person));
    }

    #[test]
    fn the_full_model_runs_with_and_without_events_on_cpu_and_devices() {
        let mut scenario = sample(&small_city(), 10.0, 1);
        scenario.settings.qsim.end_time = Some(6.2 * 3600.0);
        let full_model = |device, repeat| {
            let mut rows = Measurement::default();
            full_model(&scenario, 10.0, 2, repeat, device, &mut rows).unwrap();
            rows
        };
        let programs = |rows: &Measurement| rows.iter().map(|row| row.program.name()).collect::<Vec<_>>();
        let rows = full_model(None, 1);
        let on_cpu = ["CPU, 1 thread", "CPU, 2 threads", "CPU, 2 threads, with events"];
        assert_eq!(programs(&rows), on_cpu);
        let ended = rows[0].figures.legs_ended;
        assert!(ended > 50 && rows.iter().all(|row| row.figures.legs_ended == ended), "{ended}");
        for device in throng_testing_devices::suitable(throng_testing_devices::devices(), gpu::unsuitable_device) {
            let rows = full_model(Some(device), 2);
            let id = device.info().id;
            assert_eq!(programs(&rows)[3..], [format!("{id}"), format!("{id}, with events")]);
            assert!(rows[3..].iter().all(|row| row.times.runs() == 2));
            assert!(rows.iter().all(|row| row.figures.legs_ended == ended));
        }
    }
}
