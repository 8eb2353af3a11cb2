//! Throng's own model on the same samples, for comparison.

use std::time::Instant;

use throng_core::Philox;
use throng_device::Device;

use super::error::StrippgenError;
use super::plans::is_in_sample;
use super::row::{Machine, Repeat, Row, timed};
use throng_queue::{RunError, RunOptions, RunOutcome, cpu, gpu};
use throng_traffic_scenario::events::{EventColumns, EventSink, NoEvents};
use throng_traffic_scenario::{PlanElement, Population, Scenario};

/// Steps that a device makes before the clock runs, so that its kernels are compiled.
const WARM_UP: u64 = 100;

/// Runs the whole day of a sample with the full model: on one CPU thread, on `threads`, and there with events, which
/// stay in memory as columns; then on `device`, without and with events, there always `repeat` times.
pub(super) fn full_model_rows(
    scenario: &Scenario,
    percent: f64,
    threads: usize,
    repeat: usize,
    device: Option<&Device>,
) -> Result<Vec<Row>, StrippgenError> {
    let mut rows = Vec::new();
    let mut ways = vec![(1, false), (threads, false), (threads, true)];
    ways.dedup();
    for (threads, events) in ways {
        let options = RunOptions { threads, ..RunOptions::default() };
        let run = |sink: &mut dyn EventSink| cpu::simulate(scenario, sink, &options);
        let who = if threads == 1 { "CPU, 1 thread".to_owned() } else { format!("CPU, {threads} threads") };
        let full_model = FullModel { machine: Machine::FullModel, who, events, repeat: Repeat::WhileShort(repeat) };
        rows.push(full_model.row(scenario, percent, run)?);
    }
    let suits =
        |device: &&Device| gpu::unsuitable_device(device.info()).is_none() && gpu::unsuitable(scenario).is_none();
    if let Some(device) = device.filter(suits) {
        let warm_up = RunOptions { max_steps: Some(WARM_UP), ..RunOptions::default() };
        gpu::simulate(scenario, &mut EventColumns::default(), &warm_up, device)?;
        for events in [false, true] {
            let run = |sink: &mut dyn EventSink| gpu::simulate(scenario, sink, &RunOptions::default(), device);
            let (machine, who) = (Machine::FullModelOnDevice, device.info().id.to_string());
            let full_model = FullModel { machine, who, events, repeat: Repeat::Always(repeat) };
            rows.push(full_model.row(scenario, percent, run)?);
        }
    }
    Ok(rows)
}

/// A way to run the full model.
struct FullModel {
    machine: Machine,
    who: String,
    events: bool,
    repeat: Repeat,
}

impl FullModel {
    fn row(
        self,
        scenario: &Scenario,
        percent: f64,
        run: impl Fn(&mut dyn EventSink) -> Result<RunOutcome, RunError>,
    ) -> Result<Row, StrippgenError> {
        let Self { machine, who, events, repeat } = self;
        let timed = timed(repeat, || {
            let since = Instant::now();
            let outcome = if events { run(&mut EventColumns::default()) } else { run(&mut NoEvents) }?;
            let wall_s = since.elapsed().as_secs_f64() - outcome.preparation_s;
            Ok::<_, StrippgenError>((outcome, wall_s))
        })?;
        let outcome = timed.result;
        Ok(Row {
            machine,
            program: if events { format!("{who}, with events") } else { who },
            percent,
            agents: scenario.population.persons(),
            from_s: outcome.start_time,
            simulated_s: outcome.end_time - outcome.start_time,
            walls_s: timed.walls_s,
            launches_per_step: None,
            legs_ended: outcome.stats.arrivals,
            in_traffic: None,
            hash: None,
        })
    }
}

/// The scenario with a sample of its persons, the same ones as in [`super::Plans::sample`]. Capacities stay.
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
        let rows = full_model_rows(&scenario, 10.0, 2, 1, None).unwrap();
        let programs = |rows: &[Row]| rows.iter().map(|row| row.program.clone()).collect::<Vec<_>>();
        let on_cpu = ["CPU, 1 thread", "CPU, 2 threads", "CPU, 2 threads, with events"];
        assert_eq!(programs(&rows), on_cpu);
        let ended = rows[0].legs_ended;
        assert!(ended > 50 && rows.iter().all(|row| row.legs_ended == ended), "{ended}");
        for device in throng_testing_devices::suitable(throng_testing_devices::devices(), gpu::unsuitable_device) {
            let rows = full_model_rows(&scenario, 10.0, 2, 2, Some(device)).unwrap();
            let id = device.info().id;
            assert_eq!(programs(&rows)[3..], [format!("{id}"), format!("{id}, with events")]);
            assert!(rows[3..].iter().all(|row| row.machine == Machine::FullModelOnDevice && row.walls_s.len() == 2));
            assert!(rows.iter().all(|row| row.legs_ended == ended));
        }
    }
}
