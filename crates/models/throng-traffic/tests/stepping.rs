//! A day that the calling program runs: the program of the book, and days from files and from code.

use throng_core::clock;
use throng_queue::{RunError, cpu};
use throng_testing::repository;
use throng_traffic::events::{Event, EventKind, EventLog, EventSink, SinkError};
use throng_traffic::{self as traffic, DeviceChoice, LoadedDay, RunOutcome};
use throng_traffic_scenario::{NetworkBuilder, ScenarioBuilder};

/// Counts arrivals.
#[derive(Default)]
struct Arrivals(usize);

impl EventSink for Arrivals {
    fn step(&mut self, _time: f64, events: &[Event]) -> Result<(), SinkError> {
        self.0 += events.iter().filter(|event| event.kind == EventKind::Arrival).count();
        Ok(())
    }
}

/// Vehicles and arrivals at each pause.
type Seen = Vec<(u32, usize)>;

#[rustfmt::skip]
fn program() -> Result<(RunOutcome, Seen), Box<dyn std::error::Error>> {
    let mut seen = Vec::new();
    std::env::set_current_dir(repository())?;
    // From here on as in the book.
    let day = traffic::open("examples/city/config.xml")?;
    let mut run = day.on(DeviceChoice::Auto).start(Arrivals::default())?;
    let mut time = 6 * 3600;
    while run.step_to(time)? {
        let vehicles: u32 = run.vehicles()?.iter().sum();
        println!("{}: {vehicles} vehicles, {} arrivals", clock::format(time.into()), run.sink().0);
        time += 900;
        seen.push((vehicles, run.sink().0));
    }
    let outcome = run.finish()?;
    println!("the run ended at {}", clock::format(outcome.end_time));
    // Up to here.
    Ok((outcome, seen))
}

#[test]
fn the_program_of_the_book_gives_the_results_of_a_whole_run() {
    let (outcome, seen) = program().unwrap();
    assert!(seen.iter().any(|&(vehicles, _)| vehicles > 40));
    assert!(seen.is_sorted_by_key(|&(_, arrivals)| arrivals));
    let day = traffic::open(repository().join("examples/city")).unwrap();
    let mut arrivals = Arrivals::default();
    let whole = cpu::simulate(day.scenario(), &mut arrivals, &day.options()).unwrap();
    assert_eq!((outcome.stats, outcome.end_time), (whole.stats, whole.end_time));
    assert!(arrivals.0 > 1000 && seen.last().unwrap().1 <= arrivals.0);
}

#[test]
fn the_book_prints_the_program() {
    let code = include_str!("stepping.rs");
    let sink = between(code, "/// Counts arrivals.\n", "\n/// Vehicles and");
    let body = between(code, "as in the book.\n", "    // Up to");
    let lines = body.lines().filter(|line| !line.contains("seen."));
    let body: String = lines.map(|line| line.strip_prefix("    ").unwrap_or(line).to_owned() + "\n").collect();
    let page = std::fs::read_to_string(repository().join("docs/src/traffic-in-rust.md")).unwrap();
    for part in [sink, &body] {
        assert!(page.contains(part), "docs/src/traffic-in-rust.md lacks:\n{part}");
    }
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    text.split_once(before).unwrap().1.split_once(after).unwrap().0
}

#[test]
fn a_day_built_in_code_runs_repeatedly_and_may_stop_early() {
    let network = NetworkBuilder::new()
        .node("a", 0.0, 0.0)
        .node("b", 1000.0, 0.0)
        .link("ab", "a", "b", 1000.0, 10.0, 3600.0, 1.0)
        .link("ba", "b", "a", 1000.0, 10.0, 3600.0, 1.0)
        .build()
        .unwrap();
    let scenario = ScenarioBuilder::new(network)
        .person("1", |plan| plan.until("home", "ab", 60.0).drive("car", &["ab", "ba"]).stay("work", "ba"))
        .person("2", |plan| plan.until("home", "ba", 300.0).drive("car", &["ba", "ab"]).stay("work", "ab"))
        .build()
        .unwrap();
    let day = LoadedDay::from(scenario).on(DeviceChoice::Cpu);
    let (mut stopped, mut whole) = (EventLog::default(), EventLog::default());
    let mut first = day.start(&mut stopped).unwrap();
    let mut second = day.start(&mut whole).unwrap();
    assert_eq!((first.executor().label(), first.next_time()), ("cpu".to_owned(), 60.0));
    // The two runs alternate.
    assert!(first.step_to(100).unwrap() && second.step_to(100).unwrap());
    assert_eq!((first.hash().unwrap(), first.active_agents()), (second.hash().unwrap(), 2));
    assert_eq!(first.vehicles().unwrap(), [0, 1]);
    assert!(first.step_to(200).unwrap() && second.step_to(250).unwrap());
    assert_eq!((first.vehicles().unwrap(), first.active_agents()), (vec![0, 0], 1));
    let outcome = first.stop().unwrap();
    assert_eq!((outcome.end_time, outcome.stats.arrivals, outcome.stats.aborted_at_end), (200.0, 1, 1));
    let outcome = second.finish().unwrap();
    assert_eq!((outcome.stats.arrivals, outcome.stats.aborted_at_end), (2, 0));
    // Up to the end of the first run both have the same events, except that the person at home is aborted there.
    let (last, before) = stopped.events.split_last().unwrap();
    assert_eq!((last.0, last.1.kind), (200.0, EventKind::StuckAndAbort));
    assert!(whole.events.starts_with(before) && whole.events.len() > before.len());
}

#[test]
fn a_loaded_day_has_the_notes_about_its_settings() {
    let dir = tempfile::tempdir().unwrap();
    let (file, config) = (dir.path().join("scenario.toml"), repository().join("examples/city/config.xml"));
    let text = format!("model = \"traffic\"\nconfig = {config:?}\n[set]\ncontroller.lastIteration = 3\n");
    std::fs::write(&file, text).unwrap();
    let note = "controller.lastIteration is 3: only the mobility simulation of iteration 0 is run";
    let [day, city] = [file, config].map(|file| traffic::open(file).unwrap());
    assert_eq!(day.notes().split_first(), Some((&note.to_owned(), city.notes())));
    assert!(city.notes()[0].ends_with("settings have no effect on the mobility simulation (module scoring)"));
}

#[test]
fn missing_configs_and_devices_are_errors() {
    let error = traffic::open("no/such/config.xml").unwrap_err();
    assert!(error.text().contains("no/such/config.xml"), "{}", error.text());
    let day = LoadedDay::from(ScenarioBuilder::new(NetworkBuilder::new().build().unwrap()).build().unwrap());
    let missing: DeviceChoice = "cuda:77".parse().unwrap();
    assert!(matches!(day.on(missing).start(EventLog::default()), Err(RunError::Device(_))));
}
