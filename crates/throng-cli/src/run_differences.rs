//! How two runs differ by their manifests: in settings and in results.

use std::collections::{BTreeMap, BTreeSet};

use throng::model::names::one_line;
use throng::output::RecordedRun;
use throng_core::{
    Alignment::{self, Left, Right},
    text_table,
};

/// Settings of all models that change no result: where files go and which, and the number of threads.
const WITHOUT_EFFECT: [&str; 13] = [
    "controller.compressionType",
    "controller.outputDirectory",
    "controller.overwriteFiles",
    "controller.runId",
    "controller.writeEventsInterval",
    "controller.writePlansInterval",
    "folder",
    "global.numberOfThreads",
    "output.folder",
    "output.overwrite",
    "overwrite",
    "qsim.numberOfThreads",
    "throng.eventsParquet",
];
/// The same of options.
const OPTION_WITHOUT_EFFECT: &str = "hash-every";

/// The largest number of rows of a table.
const MAX_ROWS: usize = 100;
/// Relative rounding error of a sum in another order.
const ROUNDING: f64 = 1e-12;

/// A table of the settings and options that differ, apart from those that change no result. Empty if none does.
pub(crate) fn changed_settings(a: &RecordedRun, b: &RecordedRun) -> String {
    let of = |run: &RecordedRun| -> BTreeMap<String, String> {
        let settings = run.settings.iter().filter(|(key, _)| !WITHOUT_EFFECT.contains(&key.as_str()));
        let options = run.options.iter().filter(|(name, _)| *name != OPTION_WITHOUT_EFFECT);
        let options = options.map(|(name, value)| (format!("--{name}"), value.clone()));
        settings.map(|(key, value)| (key.clone(), value.clone())).chain(options).collect()
    };
    let (of_a, of_b) = (of(a), of(b));
    let value = |value: Option<&String>| value.map_or_else(|| "-".to_owned(), |value| one_line(value));
    let rows = pairs(&of_a, &of_b).filter(|(_, a, b)| a != b).map(|(key, a, b)| [one_line(key), value(a), value(b)]);
    table(["settings that differ", "A", "B"], rows.collect(), &[Left])
}

/// A table of the results that differ, numbers by more than the rounding of a sum: A, B, and the change from A to B. Empty if
/// none differs.
pub(crate) fn changed_results(a: &RecordedRun, b: &RecordedRun) -> String {
    let rows = pairs(&a.results, &b.results).filter(|(_, a, b)| a != b).filter_map(|(name, a, b)| {
        let numbers = [a, b].map(|value| value.and_then(|value| value.parse::<f64>().ok()));
        if let [Some(a), Some(b)] = numbers {
            return changed_number(a, b).map(|[a, b, change]| [one_line(name), a, b, change]);
        }
        let text = |value: Option<&String>| {
            let text = value.filter(|value| *value != "null").map(|value| one_line(value.trim_matches('"')));
            text.unwrap_or_else(|| "-".to_owned())
        };
        Some([one_line(name), text(a), text(b), String::new()])
    });
    table(["results that differ", "A", "B", "change"], rows.collect(), &[Left, Right, Right])
}

/// How many results there are in A or B, and how many of them differ, however little.
pub(crate) fn count_results(a: &RecordedRun, b: &RecordedRun) -> (usize, usize) {
    let all = || pairs(&a.results, &b.results);
    (all().count(), all().filter(|(_, a, b)| a != b).count())
}

/// The entries that A or B has.
fn pairs<'m>(
    a: &'m BTreeMap<String, String>,
    b: &'m BTreeMap<String, String>,
) -> impl Iterator<Item = (&'m String, Option<&'m String>, Option<&'m String>)> {
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    names.into_iter().map(|name| (name, a.get(name), b.get(name)))
}

/// A, B and the change, unless it is a rounding error.
fn changed_number(a: f64, b: f64) -> Option<[String; 3]> {
    if (a - b).abs() <= ROUNDING * a.abs().max(b.abs()) {
        return None;
    }
    let percent = 100.0 * (b - a) / a.abs();
    let is_worth_printing = (0.05..1e5).contains(&percent.abs());
    let percent = if is_worth_printing { format!(" ({percent:+.1} %)") } else { String::new() };
    let sign = if b > a { "+" } else { "" };
    // All digits where six are the same.
    let needs_all = number(a) == number(b);
    let [of_a, of_b] = [a, b].map(|value| if needs_all { format!("{value:?}") } else { number(value) });
    Some([of_a, of_b, format!("{sign}{}{percent}", number(b - a))])
}

/// The first rows below an empty line and a heading; nothing without rows.
fn table<const N: usize>(heading: [&str; N], mut rows: Vec<[String; N]>, alignments: &[Alignment]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let left_out = rows.len().saturating_sub(MAX_ROWS);
    rows.truncate(MAX_ROWS);
    rows.insert(0, heading.map(str::to_owned));
    let rest = if left_out == 0 { String::new() } else { format!("... and {left_out} more\n") };
    format!("\n{}{rest}", text_table(&rows, alignments))
}

/// A number with six significant digits, or as it is if it is whole.
fn number(value: f64) -> String {
    if value == value.round() && value.abs() < 1e15 {
        // Without the sign of a negative zero.
        return format!("{:.0}", value + 0.0);
    }
    let scientific = format!("{value:.5e}");
    match scientific.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok()) {
        Some(exponent @ -4..12) => format!("{value:.0$}", (5 - exponent).clamp(0, 9) as usize),
        _ => scientific,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<const N: usize>(pairs: [(&str, &str); N]) -> BTreeMap<String, String> {
        pairs.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
    }

    fn with_results<const N: usize>(results: [(&str, &str); N]) -> RecordedRun {
        RecordedRun { results: texts(results), ..RecordedRun::default() }
    }

    /// The lines, with single spaces.
    fn words(text: &str) -> Vec<String> {
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn results_that_differ_are_seen_to_differ() {
        let a = with_results([("a", "200"), ("b", "7"), ("c", "0.9843"), ("d", "1e-5"), ("e", "-0.0"), ("f", "null")]);
        let b = with_results([("a", "150.25"), ("b", "7"), ("c", "0.9841"), ("d", "2e-5"), ("e", "1e300"), ("f", "1")]);
        let expected = [
            "",
            "results that differ A B change",
            "a 200 150.250 -49.7500 (-24.9 %)",
            "c 0.984300 0.984100 -0.000200000",
            "d 1.00000e-5 2.00000e-5 +1.00000e-5 (+100.0 %)",
            "e 0 1.00000e300 +1.00000e300",
            "f - 1",
        ];
        assert_eq!(words(&changed_results(&a, &b)), expected);
        assert_eq!((changed_results(&a, &a).as_str(), count_results(&a, &a)), ("", (6, 0)));
    }

    #[test]
    fn small_changes_and_those_of_texts_count() {
        // A sum in another order, a change in the seventh digit, one without a meaning in percent, and a state hash.
        let a = with_results([("a", "0.3"), ("b", "1.0000001"), ("c", "1"), ("hash", "\"0f\""), ("only", "3")]);
        let b = with_results([("a", "0.30000000000000004"), ("b", "1.0000002"), ("c", "1e30"), ("hash", "\"1f\"")]);
        let expected = ["b 1.0000001 1.0000002 +1.00000e-7", "c 1 1.00000e30 +1.00000e30", "hash 0f 1f", "only 3 -"];
        assert_eq!(words(&changed_results(&a, &b))[2..], expected);
        assert_eq!(count_results(&a, &b), (5, 5), "the rounding counts as well");
        let many = |value: &str| RecordedRun {
            results: (0..150).map(|i| (format!("n{i}"), value.to_owned())).collect(),
            ..RecordedRun::default()
        };
        let text = changed_results(&many("1"), &many("2"));
        assert!(text.lines().count() == 103 && text.ends_with("\n... and 50 more\n"), "{text}");
    }

    #[test]
    fn settings_and_options_of_one_run_only_differ_and_threads_do_not() {
        let long = |end: &str| format!("{}{end}", "x".repeat(120));
        let (of_a, of_b) = (long("a"), long("b"));
        let a = RecordedRun {
            settings: texts([
                ("seed", "1"),
                ("ticks", "9"),
                ("folder", "a"),
                ("qsim.numberOfThreads", "1"),
                ("map", &of_a),
            ]),
            options: texts([("steps", "5"), ("hash-every", "1")]),
            ..RecordedRun::default()
        };
        let b = RecordedRun {
            settings: texts([("seed", "2"), ("ticks", "9"), ("folder", "b"), ("doors", "x\ny"), ("map", &of_b)]),
            ..RecordedRun::default()
        };
        let expected = [
            "--steps 5 -".to_owned(),
            "doors - x\\u{a}y".to_owned(),
            format!("map {of_a} {of_b}"),
            "seed 1 2".to_owned(),
        ];
        assert_eq!(words(&changed_settings(&a, &b))[2..], expected);
        assert_eq!(changed_settings(&a, &a), "");
    }
}
