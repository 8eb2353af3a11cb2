//! Speed of simulating the day of a generated city: `simulation/CASE/SIZE`. Elements are vehicles moved over nodes.
//!
//! `1_thread` and `2_threads` are the executor alone, `eager` visits each link that is not empty in every step,
//! `events` passes events to a sink that only counts them, `all_results` writes events, tables and report to a folder.

use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use throng_city::{CityFiles, CityOptions, city, write_city};
use throng_core::{NoProgress, Warnings};
use throng_matsim::config;
use throng_matsim::load::load_scenario;
use throng_model::record::RunRecord;
use throng_output::{Codec, IfNotEmpty, RunFolder};
use throng_queue::RunOptions;
use throng_queue::cpu::simulate;
use throng_traffic::results::{Recorder, RecorderOptions};
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::{Event, EventSink, SinkError};

/// Counts events, or requests none.
struct Counter(Option<u64>);

impl EventSink for Counter {
    fn step(&mut self, _: f64, events: &[Event]) -> Result<(), SinkError> {
        if let Some(count) = &mut self.0 {
            *count += events.len() as u64;
        }
        Ok(())
    }

    fn wants_events(&self) -> bool {
        self.0.is_some()
    }
}

fn scenario(persons: u32) -> Arc<Scenario> {
    let folder = tempfile::tempdir().unwrap();
    let options = CityOptions { persons, links: persons / 5, ..CityOptions::default() };
    let made = city(&options, &NoProgress).unwrap();
    let run_folder = RunFolder::create(folder.path(), IfNotEmpty::Refuse, "").unwrap();
    write_city(made, &run_folder, Codec::Gzip, CityFiles::Matsim).unwrap();
    let settings = config::from_file(&folder.path().join("config.xml")).unwrap().settings;
    Arc::new(load_scenario(settings, &mut Warnings::new(), &NoProgress).unwrap())
}

fn simulation(criterion: &mut Criterion) {
    for (persons, name) in [(10_000, "10k_persons"), (100_000, "100k_persons")] {
        let scenario = scenario(persons);
        let run = |options: &RunOptions<'_>, events: bool| {
            simulate(&scenario, &mut Counter(events.then_some(0)), options).unwrap()
        };
        let moves = run(&RunOptions::default(), false).stats.moves;
        let mut group = criterion.benchmark_group("simulation");
        group.sample_size(10);
        group.throughput(Throughput::Elements(moves));
        for (case, threads, eager, events) in [
            ("1_thread", 1, false, false),
            ("2_threads", 2, false, false),
            ("eager", 1, true, false),
            ("events", 1, false, true),
        ] {
            let options = RunOptions { threads, eager, ..RunOptions::default() };
            group.bench_function(format!("{case}/{name}"), |b| b.iter(|| run(&options, events)));
        }
        group.bench_function(format!("all_results/{name}"), |b| {
            b.iter(|| {
                let dir = tempfile::tempdir().unwrap();
                let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
                let options = RecorderOptions::of(&scenario.settings);
                let mut recorder = Recorder::create(Arc::clone(&scenario), folder.clone(), options).unwrap();
                let outcome = simulate(&scenario, &mut recorder, &RunOptions::default()).unwrap();
                let recorded = recorder.close(&outcome.stats).unwrap();
                recorded.write(&folder, RunRecord::default(), &outcome, 0.0).unwrap()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, simulation);
criterion_main!(benches);
