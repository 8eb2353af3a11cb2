//! Parses reference files of MATSim and writes them again: the bytes must be the same.

mod reader;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use reader::{Reference, read_text};
use throng_model::record::RunRecord;
use throng_output::{Codec, IfNotEmpty, RunFolder};
use throng_queue::RunOutcome;

use super::{Recorder, RecorderOptions, RunSummary};
use throng_testing::reference_data;
use throng_traffic_scenario::RunStats;
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::EventSink;

const ALL: RecorderOptions =
    RecorderOptions { events_xml: true, events_parquet: true, analysis: true, codec: Codec::Gzip, workers: 2 };

/// Replays `events` into a recorder that writes to `out`.
fn record(reference: &Reference, events: &str, out: &Path, options: RecorderOptions) -> (RunSummary, Arc<Scenario>) {
    let folder = RunFolder::create(out, IfNotEmpty::Refuse, "").unwrap();
    let scenario = Arc::new(reference.scenario.clone());
    let mut recorder = Recorder::create(Arc::clone(&scenario), folder.clone(), options).unwrap();
    reference.replay(events, |time, events| recorder.step(time, events).unwrap());
    let recorded = recorder.close(&RunStats::default()).unwrap();
    let run = RunRecord { program: "throng".into(), scenario: "golden".into(), ..RunRecord::default() };
    (recorded.write(&folder, run, &RunOutcome::default(), 0.0).unwrap(), scenario)
}

fn assert_same_text(found: &str, expected: &str, what: &str) {
    if found == expected {
        return;
    }
    for (i, (f, e)) in found.lines().zip(expected.lines()).enumerate() {
        assert_eq!(f, e, "{what}, line {}", i + 1);
    }
    panic!("{what}: {} bytes instead of {}", found.len(), expected.len());
}

#[test]
fn event_files_are_written_byte_for_byte() {
    let Some(data) = reference_data("") else { return };
    let files = [
        ("equil100/controler_it0_fast/output_events.xml.gz", Codec::Gzip),
        ("equil100/qsim_fast_events.xml.gz", Codec::Zstd),
        ("equil_it10/output_events.xml.gz", Codec::None),
        ("equil_mixed_it0/output_events.xml.gz", Codec::Gzip),
        ("chessboard_it0/output_events.xml.gz", Codec::Gzip),
        ("queue_variants/equil2000_holes.xml.gz", Codec::Gzip),
        ("queue_variants/equil2000_kw.xml.gz", Codec::Gzip),
        ("queue_variants/roundabout.xml.gz", Codec::Gzip),
        ("berlin_1pct_10s/events_deterministic_nodes.xml.zst", Codec::Gzip),
    ];
    for (name, codec) in files.into_iter().take(throng_testing::amount(8, 9) as usize) {
        let events = read_text(&data.join(name));
        let mut reference = Reference::new();
        reference.read_plans(&events, None);
        let dir = tempfile::tempdir().unwrap();
        let options = RecorderOptions { events_parquet: false, analysis: false, codec, ..ALL };
        record(&reference, &events, dir.path(), options);
        let written = read_text(&dir.path().join(format!("output_events.xml{}", codec.suffix())));
        assert_same_text(&written, &events, name);
    }
}

#[test]
fn legs_and_trips_match_matsim() {
    let Some(data) = reference_data("") else { return };
    for (inputs, outputs, plans) in
        [("equil100", "equil100/controler_it0_fast", "plans100.xml"), ("chessboard_it0", "chessboard_it0", "plans.xml")]
    {
        let (inputs, outputs) = (data.join(inputs), data.join(outputs));
        let events = read_text(&outputs.join("output_events.xml.gz"));
        let mut reference = Reference::new();
        reference.read_network(&read_text(&inputs.join("network.xml")));
        // The controller of the equil run derives facilities from links and does not use the file.
        if inputs == outputs {
            reference.read_facilities(&read_text(&inputs.join("facilities.xml")));
        }
        reference.read_plans(&events, Some(&read_text(&inputs.join(plans))));
        let dir = tempfile::tempdir().unwrap();
        let (summary, _) = record(&reference, &events, dir.path(), ALL);
        for table in ["output_legs.csv.gz", "output_trips.csv.gz"] {
            let expected = read_text(&outputs.join(table));
            assert_same_text(
                &read_text(&dir.path().join(table)),
                &expected,
                &outputs.join(table).display().to_string(),
            );
            assert_eq!(summary.trips, expected.lines().count() as u64 - 1);
        }
    }
}

/// Returns the tables of a text, by the first field of each row.
fn rows(text: &str) -> HashMap<&str, Vec<&str>> {
    let rows = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    rows.map(|row| (row[0], row)).collect()
}

#[test]
fn statistics_and_link_stats_match_matsim() {
    let Some(data) = reference_data("equil_it10") else { return };
    for (iteration, events) in [(0, "0.events.xml.gz"), (10, "output_events.xml.gz")] {
        let mut reference = Reference::new();
        reference.scenario.settings.extensions.iteration_files = true;
        reference.scenario.settings.controller.first_iteration = iteration;
        reference.read_network(&read_text(&data.join("../equil100/network.xml")));
        let events = read_text(&data.join(events));
        reference.read_plans(&events, None);
        let dir = tempfile::tempdir().unwrap();
        record(&reference, &events, dir.path(), ALL);
        for name in ["modestats.txt", "traveldistancestats.txt"] {
            let (ours, theirs) = (read_text(&dir.path().join(name)), read_text(&data.join(name)));
            let of_iteration = |line: &&str| line.starts_with(&format!("{iteration}\t"));
            let expected: Vec<&str> = theirs.lines().take(1).chain(theirs.lines().filter(of_iteration)).collect();
            assert_eq!(ours.lines().collect::<Vec<_>>(), expected, "{name}");
        }
        let folder = dir.path().join(format!("ITERS/it.{iteration}"));
        let text = read_text(&folder.join(format!("{iteration}.linkstats.txt.gz")));
        let theirs = read_text(&data.join("10.linkstats.txt.gz"));
        assert_eq!(text.lines().next(), theirs.lines().next());
        if iteration == 0 {
            continue;
        }
        // MATSim's file has the minimum and the maximum over five iterations, of which this one is the last.
        let (ours, theirs) = (rows(&text), rows(&theirs));
        assert_eq!((ours.len(), text.lines().nth(1).unwrap().split('\t').next()), (theirs.len(), Some("1")));
        let (mut congested, mut different) = (0, 0);
        for (link, theirs) in theirs.iter().filter(|(link, _)| **link != "LINK") {
            let ours = &ours[link];
            assert_eq!((ours.len(), &ours[..7]), (theirs.len(), &theirs[..7]));
            for (i, (ours, theirs)) in ours[7..].chunks(3).zip(theirs[7..].chunks(3)).enumerate() {
                let number = |text: &&str| text.parse::<f64>().unwrap();
                let [low, high] = [number(&theirs[0]), number(&theirs[2])];
                let range = low * (1.0 - 1e-12)..=high * (1.0 + 1e-12);
                assert!(ours.iter().all(|value| range.contains(&number(value))), "{link}, {i}: {ours:?} {theirs:?}");
                congested += u32::from(i > 24 && ours[0] != "359.9712023038157");
                different += u32::from(low < high);
            }
        }
        assert!(congested > 100 && different > 0, "{congested} {different}");
    }
}

#[test]
fn parquet_holds_the_same_events() {
    let Some(data) = reference_data("") else { return };
    let events = read_text(&data.join("chessboard_it0/output_events.xml.gz"));
    let mut reference = Reference::new();
    reference.read_plans(&events, None);
    let dir = tempfile::tempdir().unwrap();
    record(&reference, &events, dir.path(), ALL);

    let file = std::fs::File::open(dir.path().join("output_events.parquet")).unwrap();
    let table = SerializedFileReader::new(file).unwrap();
    let mut lines = events.lines().filter(|l| l.contains("<event "));
    for row in table.get_row_iter(None).unwrap() {
        let row = row.unwrap();
        let line = lines.next().expect("not more rows than events");
        for (name, value) in row.get_column_iter() {
            let of_line = |name: &str| line.split(&format!(" {name}=\"")).nth(1).and_then(|r| r.split('"').next());
            // `networkMode` is stored in the same column as `legMode`.
            let expected = of_line(name).or_else(|| of_line("networkMode").filter(|_| name == "legMode"));
            let found = match value {
                Field::Null => None,
                Field::Str(text) => Some(text.clone()),
                Field::Double(number) => Some(format!("{number:?}")),
                other => panic!("{name}: {other:?}"),
            };
            assert_eq!(found.as_deref(), expected, "{name} of {line}");
        }
    }
    assert_eq!(lines.next(), None);
}
