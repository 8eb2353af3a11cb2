//! Parses reference files of MATSim and writes them again: the bytes must be the same.

mod reader;

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
fn legs_and_trips_are_those_of_matsim() {
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
