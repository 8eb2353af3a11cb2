//! Differences of two runs according to their manifests: settings and results.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use throng::model::replay::StoredRun;
use throng::model::scenario_file::is_without_effect;
use throng_core::{
    Alignment::{self, Left, Right},
    text_table,
};

/// An option that does not affect results.
const OPTION_WITHOUT_EFFECT: &str = "hash-every";

/// Maximum number of rows of a table.
const MAX_ROWS: usize = 100;
/// Relative rounding error of a sum computed in a different order.
const ROUNDING: f64 = 1e-12;

/// Returns the settings and options of a run, except for those that do not affect results.
fn settings_of(run: &StoredRun) -> BTreeMap<String, String> {
    let settings = run.settings().filter(|(key, _)| !is_without_effect(key));
    let options = run.options().filter(|(name, _)| *name != OPTION_WITHOUT_EFFECT);
    let settings = settings.map(|(key, value)| (key.to_owned(), value.to_owned()));
    settings.chain(options.map(|(name, value)| (format!("--{name}"), value.to_owned()))).collect()
}

/// Flattens JSON results to full names such as `modes.car.trips`. List entries are named by their only string, or else
/// by their index.
fn results_of(results: &Value) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    add_results("", results, &mut found);
    found
}

fn add_results(name: &str, value: &Value, results: &mut BTreeMap<String, String>) {
    let part = |part: &str| if name.is_empty() { part.to_owned() } else { format!("{name}.{part}") };
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                add_results(&part(key), value, results);
            }
        }
        Value::Array(entries) => {
            for (i, entry) in entries.iter().enumerate() {
                let values = entry.as_object().into_iter().flat_map(|entry| entry.values());
                let name = match values.filter_map(Value::as_str).collect::<Vec<_>>().as_slice() {
                    [text] => (*text).to_owned(),
                    _ => i.to_string(),
                };
                add_results(&part(&name), entry, results);
            }
        }
        _ if name.is_empty() => {}
        leaf => {
            results.insert(name.to_owned(), leaf.to_string());
        }
    }
}

/// Returns a table of the settings and options that differ, except for those that do not affect results; empty if none
/// differ.
pub(crate) fn changed_settings(a: &StoredRun, b: &StoredRun) -> String {
    let (of_a, of_b) = (settings_of(a), settings_of(b));
    let value = |value: Option<&String>| value.map_or("-", String::as_str).to_owned();
    let rows = pairs(&of_a, &of_b).filter(|(_, a, b)| a != b).map(|(key, a, b)| [key.clone(), value(a), value(b)]);
    table(["settings that differ", "A", "B"], rows.collect(), &[Left])
}

/// Returns a table of the results that differ: A, B, and the change from A to B. Numbers must differ by more than the
/// rounding error of a sum. Empty if none differ.
pub(crate) fn changed_results(a: &Value, b: &Value) -> String {
    let (of_a, of_b) = (results_of(a), results_of(b));
    let rows = pairs(&of_a, &of_b).filter(|(_, a, b)| a != b).filter_map(|(name, a, b)| {
        let numbers = [a, b].map(|value| value.and_then(|value| value.parse::<f64>().ok()));
        if let [Some(a), Some(b)] = numbers {
            return changed_number(a, b).map(|[a, b, change]| [name.clone(), a, b, change]);
        }
        let text = |value: Option<&String>| {
            let text = value.filter(|value| *value != "null").map(|value| value.trim_matches('"').to_owned());
            text.unwrap_or_else(|| "-".to_owned())
        };
        Some([name.clone(), text(a), text(b), String::new()])
    });
    table(["results that differ", "A", "B", "change"], rows.collect(), &[Left, Right, Right])
}

/// Counts the results in A or B, and those that differ, even by rounding.
pub(crate) fn count_results(a: &Value, b: &Value) -> (usize, usize) {
    let (of_a, of_b) = (results_of(a), results_of(b));
    let all = || pairs(&of_a, &of_b);
    (all().count(), all().filter(|(_, a, b)| a != b).count())
}

/// Pairs the entries of A and B by name.
fn pairs<'m>(
    a: &'m BTreeMap<String, String>,
    b: &'m BTreeMap<String, String>,
) -> impl Iterator<Item = (&'m String, Option<&'m String>, Option<&'m String>)> {
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    names.into_iter().map(|name| (name, a.get(name), b.get(name)))
}

/// Formats A, B and the change; `None` for a rounding error.
fn changed_number(a: f64, b: f64) -> Option<[String; 3]> {
    if (a - b).abs() <= ROUNDING * a.abs().max(b.abs()) {
        return None;
    }
    let percent = 100.0 * (b - a) / a.abs();
    let is_worth_printing = (0.05..1e5).contains(&percent.abs());
    let percent = if is_worth_printing { format!(" ({percent:+.1} %)") } else { String::new() };
    let sign = if b > a { "+" } else { "" };
    // Use all digits if the first six are the same.
    let needs_all = number(a) == number(b);
    let [of_a, of_b] = [a, b].map(|value| if needs_all { format!("{value:?}") } else { number(value) });
    Some([of_a, of_b, format!("{sign}{}{percent}", number(b - a))])
}

/// Formats the first rows below an empty line and a heading; empty without rows.
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

/// Formats a number with six significant digits, or in full if it is whole and below 1e15.
fn number(value: f64) -> String {
    if value == value.round() && value.abs() < 1e15 {
        // Adding 0.0 removes the sign of a negative zero.
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
    use serde_json::json;

    use super::*;

    /// Returns the lines, with single spaces.
    fn words(text: &str) -> Vec<String> {
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn nested_results_have_full_names() {
        let results = json!({
            "trips": 3, "mean_s": null, "modes": [{ "mode": "car", "trips": 2 }], "sizes": [1.5], "a": { "b": 4 }
        });
        let found = results_of(&results);
        let found: Vec<_> = found.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let expected = [
            ("a.b", "4"),
            ("mean_s", "null"),
            ("modes.car.mode", "\"car\""),
            ("modes.car.trips", "2"),
            ("sizes.0", "1.5"),
            ("trips", "3"),
        ];
        assert_eq!(found, expected);
        assert!(results_of(&Value::Null).is_empty());
    }

    #[test]
    fn differing_results_are_listed_with_their_change() {
        let a = json!({ "a": 200, "b": 7, "c": 0.9843, "d": 1e-5, "e": -0.0, "f": null });
        let b = json!({ "a": 150.25, "b": 7, "c": 0.9841, "d": 2e-5, "e": 1e300, "f": 1 });
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
    fn small_changes_and_changes_of_strings_are_listed() {
        // A sum in a different order, a change in the seventh decimal, one too large for percent, and a state hash.
        let a = json!({ "a": 0.3, "b": 1.000_000_1, "c": 1, "hash": "0f", "only": 3 });
        let b = json!({ "a": 0.1 + 0.2, "b": 1.000_000_2, "c": 1e30, "hash": "1f" });
        let expected = ["b 1.0000001 1.0000002 +1.00000e-7", "c 1 1.00000e30 +1.00000e30", "hash 0f 1f", "only 3 -"];
        assert_eq!(words(&changed_results(&a, &b))[2..], expected);
        assert_eq!(count_results(&a, &b), (5, 5), "the rounding counts as well");
        let many = |value: i32| Value::Array(vec![json!(value); 150]);
        let text = changed_results(&many(1), &many(2));
        assert!(text.lines().count() == 103 && text.ends_with("\n... and 50 more\n"), "{text}");
    }

    #[test]
    fn settings_of_one_run_only_are_differences_and_threads_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let run = |name: &str, settings: Value, options: Value| {
            let folder = dir.path().join(name);
            std::fs::create_dir(&folder).unwrap();
            let manifest = json!({ "model": "rivers", "settings": settings, "options": options });
            std::fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
            StoredRun::open(&folder).unwrap()
        };
        let long = |end: &str| format!("{}{end}", "x".repeat(120));
        let (of_a, of_b) = (long("a"), long("b"));
        let a = run(
            "a",
            json!({ "seed": "1", "ticks": "9", "folder": "a", "qsim.numberOfThreads": "1", "map": of_a }),
            json!({ "steps": "5", "hash-every": "1" }),
        );
        let b = run("b", json!({ "seed": "2", "ticks": "9", "folder": "b", "doors": "x\ny", "map": of_b }), json!({}));
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
