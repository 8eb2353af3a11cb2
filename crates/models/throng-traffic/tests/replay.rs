//! A day of the example city, opened as a recording.

use std::path::Path;

use tempfile::TempDir;
use throng_core::NoProgress;
use throng_matsim::formats::events_reader::EventsReader;
use throng_model::replay::StoredRun;
use throng_model::{Model as _, Replay, RunRequest};
use throng_scene::{Recording, TimeUnit};
use throng_testing::repository;
use throng_traffic::config::{self, Change};
use throng_traffic::{Day, Settings, Traffic, run};

fn settings(out: &Path, changes: &[&str]) -> Settings {
    let folder = format!("controller.outputDirectory={}", out.display());
    let fixed = [folder.as_str(), "qsim.endTime=07:30:00", "controller.overwriteFiles=failIfDirectoryExists"];
    let changes: Vec<Change> = fixed.iter().chain(changes).map(|change| Change::typed(*change)).collect();
    let config = repository().join("examples/city/config.xml");
    config::from_file_with(&config, &changes).unwrap().settings
}

fn run_city(out: &Path, changes: &[&str]) -> StoredRun {
    run(Day::new(settings(out, changes)), &RunRequest::default(), &NoProgress).unwrap();
    StoredRun::open(out).unwrap()
}

fn replay() -> &'static dyn Replay {
    Traffic.replay().unwrap()
}

/// Returns the number of vehicles that have entered traffic and not left it, after all events up to a time.
fn vehicles_on_links(run: &StoredRun, name: &str, time_s: f64) -> usize {
    let mut events = EventsReader::open(&run.folder().join(name)).unwrap();
    let mut on_links = 0;
    while let Some(event) = events.read().unwrap() {
        if event.time_s > time_s {
            break;
        }
        match event.get("type") {
            Some("vehicle enters traffic" | "entered link") => on_links += 1,
            Some("vehicle leaves traffic" | "left link") => on_links -= 1,
            _ => {}
        }
    }
    on_links
}

#[test]
fn scenes_match_the_vehicles_in_the_events() {
    let dir = TempDir::new().unwrap();
    let run = run_city(&dir.path().join("a"), &[]);
    let open = |colouring: &str| -> Box<dyn Recording> { replay().open(&run, colouring).unwrap() };
    let (speed, volume) = (open("speed"), open("volume"));
    let times = speed.times();
    assert_eq!((times.unit, times.step), (TimeUnit::TimeOfDay, 1.0));
    assert!(times.first < times.last, "{times:?}");
    let links = volume.scene(times.first).unwrap().shapes();
    let mut most = 0;
    for time_s in [times.first, 22_000.0, 25_000.0, 26_400.0, 26_999.0] {
        let scene = speed.scene(time_s).unwrap();
        assert_eq!(scene.check(), Ok(()));
        let vehicles = vehicles_on_links(&run, "output_events.xml.gz", time_s);
        assert_eq!(scene.shapes(), links + vehicles, "at {time_s}");
        assert_eq!(volume.scene(time_s).unwrap().shapes(), links);
        assert_eq!(scene, open("speed").scene(time_s).unwrap());
        most = most.max(vehicles);
    }
    assert!(most > 20, "{most} vehicles");
    for (colouring, _) in replay().colourings() {
        let recording = open(colouring);
        assert_eq!(recording.scene(26_000.0).unwrap().check(), Ok(()));
        assert_eq!(recording.camera().check(), Ok(()));
        assert!(recording.legend().iter().any(|(_, text)| text.contains(" times as ")));
    }
}

#[test]
fn prefixes_and_compressions_are_found() {
    let dir = TempDir::new().unwrap();
    for (compression, name) in [("none", "output_events.xml"), ("zst", "output_events.xml.zst")] {
        let run = run_city(&dir.path().join(compression), &[&format!("controller.compressionType={compression}")]);
        let links = replay().open(&run, "volume").unwrap().scene(26_400.0).unwrap().shapes();
        let vehicles = vehicles_on_links(&run, name, 26_400.0);
        assert_eq!(replay().open(&run, "id").unwrap().scene(26_400.0).unwrap().shapes(), links + vehicles);
    }
    // The names of all files begin with the run id; a stored run is found by a manifest whose name does not.
    let out = dir.path().join("monday");
    run(Day::new(settings(&out, &["controller.runId=monday"])), &RunRequest::default(), &NoProgress).unwrap();
    std::fs::copy(out.join("monday.manifest.json"), out.join("manifest.json")).unwrap();
    assert!(replay().open(&StoredRun::open(&out).unwrap(), "id").is_ok());
}

#[test]
fn missing_events_and_unknown_colourings_are_reported_with_a_remedy() {
    let dir = TempDir::new().unwrap();
    let run = run_city(&dir.path().join("a"), &["controller.writeEventsInterval=0"]);
    let refused = |colouring: &str| replay().open(&run, colouring).err().unwrap().to_string();
    let error = refused("speed");
    assert!(error.contains("has no output_events.xml, which rendering needs"), "{error}");
    assert!(error.contains("--set controller.writeEventsInterval=1"), "{error}");
    assert!(refused("colour").contains("give one of speed, volume, delay, id"));
}

#[test]
fn a_deleted_network_is_reported_with_a_remedy() {
    let dir = TempDir::new().unwrap();
    let network = dir.path().join("network.xml.gz");
    std::fs::copy(repository().join("examples/city/network.xml.gz"), &network).unwrap();
    let set = format!("network.inputNetworkFile={}", network.display());
    let run = run_city(&dir.path().join("a"), &[&set]);
    std::fs::remove_file(&network).unwrap();
    let error = replay().open(&run, "speed").err().unwrap().to_string();
    assert!(error.contains("there is no file") && error.contains("put the network back"), "{error}");
}
