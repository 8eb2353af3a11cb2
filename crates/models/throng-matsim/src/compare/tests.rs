use std::io::{Read, Write};
use std::path::PathBuf;

use super::*;
use crate::formats::open::TextInput;
use throng_testing::reference_data;

fn write(folder: &tempfile::TempDir, name: &str, events: &[&str]) -> PathBuf {
    let path = folder.path().join(name);
    let lines: Vec<String> = events.iter().map(|event| format!("\t<event {event}  />\n")).collect();
    let body = lines.concat();
    std::fs::write(&path, format!("<events version=\"1.0\">\n{body}</events>")).unwrap();
    path
}

fn compare_with(a: &[&str], b: &[&str], options: &CompareOptions) -> Result<EventComparison, InputError> {
    let folder = tempfile::tempdir().unwrap();
    compare_events(&write(&folder, "a.xml", a), &write(&folder, "b.xml", b), options)
}

fn compare(a: &[&str], b: &[&str]) -> EventComparison {
    compare_with(a, b, &CompareOptions::default()).unwrap()
}

#[test]
fn order_and_coordinates_are_ignored() {
    let report = compare(
        &[r#"time="1.0" type="a" link="1""#, r#"time="1.0" type="b" x="3" y="4" link="1""#, r#"time="2.0" type="c""#],
        &[r#"time="1" type="b" link="1""#, r#"type="a" time="1.00" link="1" x="9""#, r#"time="2.0" type="c""#],
    );
    assert!(report.is_equal(), "{report}");
    assert_eq!(report.to_string(), "equal: 2 time stamps, 3 events");
    assert_eq!(report.spans, [Some((1.0, 2.0)); 2]);
}

#[test]
fn an_event_that_occurs_twice_counts_twice() {
    let (once, twice) = (r#"time="1" type="a""#, [r#"time="1" type="a""#; 2]);
    let report = compare(&twice, &[once]);
    assert_eq!((report.different, report.only_in), (1, [1, 0]));
    assert_eq!(report.first[0].only_in_a.shown, [r#"<event time="1" type="a" />"#]);
}

#[test]
fn an_event_at_another_time_differs_at_both_times() {
    let a = [r#"time="1" type="a" link="1""#, r#"time="2" type="a" link="2""#];
    let b = [r#"time="1" type="a" link="1""#, r#"time="3" type="a" link="2""#];
    let report = compare(&a, &b);
    assert_eq!((report.time_stamps, report.different), (3, 2));
    assert_eq!(report.missing_time_stamps, [1, 1]);
    let sides: Vec<_> = report.first.iter().map(|d| (d.time_s, d.missing_in)).collect();
    assert_eq!(sides, [(2.0, Some(Side::B)), (3.0, Some(Side::A))]);
    assert!(report.to_string().contains("A lacks 1 time stamp of B; it ends at 00:00:02 instead of 00:00:03"));
}

#[test]
fn an_attribute_of_one_side_is_reported_and_can_be_ignored() {
    let a = [r#"time="1" type="departure" person="p" legMode="car""#];
    let b = [r#"time="1" type="departure" person="p" legMode="car" routingMode="car""#];
    let report = compare(&a, &b);
    assert_eq!(report.hints().len(), 1);
    assert!(report.hints()[0].starts_with("attribute `routingMode` occurs in 1 of the events that are only in B"));
    let options = CompareOptions { ignore_attributes: vec!["routingMode".into()], ..CompareOptions::default() };
    assert!(compare_with(&a, &b, &options).unwrap().is_equal());
}

#[test]
fn attributes_give_no_hint_if_other_events_are_missing() {
    let a = [r#"time="1" type="departure" person="p""#, r#"time="2" type="arrival" person="p""#];
    let b = [r#"time="1" type="departure" person="p" routingMode="car""#];
    let hints = compare(&a, &b).hints();
    assert!(hints.len() == 1 && hints[0].starts_with("B lacks 1 time stamp "), "{hints:?}");
    // The additional attribute of later MATSim releases is known.
    let b = [r#"time="1" type="departure" person="p" computationalRoutingMode="car""#];
    let hints = compare(&a, &b).hints();
    assert!(hints.iter().any(|hint| hint.contains("MATSim 13 does not write it")), "{hints:?}");
}

#[test]
fn only_the_first_differences_are_shown_and_all_are_counted() {
    let events: Vec<String> = (0..100).map(|i| format!("time=\"{}\" type=\"a\" n=\"{i}\"", i / 50)).collect();
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    let options = CompareOptions { first: 1, ..CompareOptions::default() };
    let report = compare_with(&events, &[], &options).unwrap();
    assert_eq!((report.different, report.only_in, report.first.len()), (2, [100, 0], 1));
    let list = &report.first[0].only_in_a;
    assert_eq!((list.shown.len(), list.total), (SHOWN_EVENTS, 50));
    let text = report.to_string();
    assert!(text.contains("... and 45 more only in A") && text.contains("... and 1 more time stamp\n"), "{text}");
    assert!(text.contains("hint: B has no events at all"), "{text}");
}

#[test]
fn unsorted_times_and_broken_files_are_errors() {
    let sorted = [r#"time="1" type="a""#];
    let unsorted = [r#"time="1" type="a""#, r#"time="2" type="a""#, r#"time="1" type="a""#];
    for (a, b, file) in [(&unsorted[..], &sorted[..], "a.xml:4"), (&sorted, &unsorted, "b.xml:4")] {
        let error = compare_with(a, b, &CompareOptions::default()).unwrap_err().to_string();
        assert!(error.contains(file) && error.contains("time 1 comes after time 2"), "{error}");
    }
    let error = compare_with(&[r#"time="1""#], &sorted, &CompareOptions::default()).unwrap_err().to_string();
    assert!(error.contains("a.xml:2: this event has no type"), "{error}");
}

const OURS: &str = "equil100/qsim_fast_events.xml.gz";
const UPSTREAM: &str = "equil100/upstream_reference_events.xml.gz";

fn text_of(path: &Path) -> String {
    let mut text = String::new();
    TextInput::open(path).unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn files_with_different_attribute_orders_are_equal() {
    let (Some(a), Some(b)) = (reference_data(OURS), reference_data(UPSTREAM)) else { return };
    let report = compare_events(&a, &b, &CompareOptions::default()).unwrap();
    assert!(report.is_equal(), "{report}");
    assert_eq!((report.time_stamps, report.different, report.events), (916, 0, [3008, 3008]));
}

#[test]
fn a_changed_copy_differs_at_the_changed_events() {
    let Some(original) = reference_data(OURS) else { return };
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.xml.zst");
    let mut lines: Vec<String> = text_of(&original).lines().map(str::to_owned).collect();
    // The second event of the first time stamp gets another link; one event at 21511 is dropped; both events at 21541
    // are dropped.
    assert!(lines[3].contains("time=\"21510.0\" type=\"departure\""));
    lines[3] = lines[3].replace("link=\"1\"", "link=\"2\"");
    assert!(lines[7].contains("time=\"21511.0\" type=\"entered link\""));
    lines.retain(|line| !line.contains("time=\"21541.0\""));
    lines.remove(7);
    let mut output = throng_output::TextFile::at(&copy).unwrap();
    output.write_all(lines.join("\n").as_bytes()).unwrap();
    output.finish().unwrap();

    let report = compare_events(&original, &copy, &CompareOptions::default()).unwrap();
    assert_eq!((report.time_stamps, report.different), (916, 3));
    assert_eq!((report.events, report.only_in, report.missing_time_stamps), ([3008, 3005], [4, 1], [0, 1]));
    let found: Vec<_> =
        report.first.iter().map(|d| (d.time_s, d.missing_in, d.only_in_a.total, d.only_in_b.total)).collect();
    assert_eq!(found, [(21510.0, None, 1, 1), (21511.0, None, 1, 0), (21541.0, Some(Side::B), 2, 0)]);
    assert_eq!(
        report.first[0].only_in_b.shown,
        ["<event time=\"21510.0\" type=\"departure\" person=\"3\" link=\"2\" legMode=\"car\" />"]
    );
}

#[test]
fn a_truncated_file_is_an_error() {
    let Some(original) = reference_data(OURS) else { return };
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.xml.gz");
    let packed = std::fs::read(&original).unwrap();
    std::fs::write(&copy, &packed[..packed.len() / 2]).unwrap();
    for (a, b) in [(&original, &copy), (&copy, &original)] {
        let error = compare_events(a, b, &CompareOptions::default()).unwrap_err().to_string();
        assert!(error.contains("copy.xml.gz:") && error.contains("the compressed file is truncated"), "{error}");
    }
}

/// Tests with millions of events.
mod exhaustive {
    use super::*;

    #[test]
    fn a_large_file_equals_itself() {
        let Some(path) = reference_data("berlin_1pct_10s/events_deterministic_nodes.xml.zst") else { return };
        let report = compare_events(&path, &path, &CompareOptions::default()).unwrap();
        assert!(report.is_equal(), "{report}");
        assert_eq!(report.events, [1_645_689; 2]);
    }
}
