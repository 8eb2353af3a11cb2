//! How two runs differ by their manifests: in settings, and in results in numbers.

use throng::model::names::shown;
use throng::output::RecordedRun;
use throng_core::{
    Alignment::{self, Left, Right},
    text_table,
};

/// Settings that change no result: where results go, and the number of threads.
const WITHOUT_EFFECT: [&str; 7] = [
    "controller.outputDirectory",
    "controller.overwriteFiles",
    "folder",
    "global.numberOfThreads",
    "output.folder",
    "overwrite",
    "qsim.numberOfThreads",
];

/// A table of the settings that differ, apart from those that change no result. Empty if none does.
pub(crate) fn changed_settings(a: &RecordedRun, b: &RecordedRun) -> String {
    let keys = a.settings.keys().chain(b.settings.keys().filter(|key| !a.settings.contains_key(*key)));
    let value =
        |run: &RecordedRun, key: &str| run.settings.get(key).map_or_else(|| "-".to_owned(), |value| shown(value));
    let rows = keys
        .filter(|key| a.settings.get(*key) != b.settings.get(*key) && !WITHOUT_EFFECT.contains(&key.as_str()))
        .map(|key| [shown(key), value(a, key), value(b, key)]);
    table(["settings that differ", "A", "B"], rows.collect(), &[Left])
}

/// Numbers that are listed.
const LISTED: usize = 100;
/// What the order of a sum may change, relative to it.
const ROUNDING: f64 = 1e-12;

/// A table of the numbers that differ by more than the rounding of a sum: A, B, and the change from A to B. Numbers that only
/// one of them has are left out. Empty if none differs.
pub(crate) fn changed_numbers(a: &RecordedRun, b: &RecordedRun) -> String {
    let row = |(name, a, b): (&String, f64, f64)| {
        let percent = 100.0 * (b - a) / a.abs();
        let is_worth_printing = (0.05..1e5).contains(&percent.abs());
        let percent = if is_worth_printing { format!(" ({percent:+.1} %)") } else { String::new() };
        let sign = if b > a { "+" } else { "" };
        // All digits where six are the same.
        let all = number(a) == number(b);
        let [of_a, of_b] = [a, b].map(|value| if all { format!("{value:?}") } else { number(value) });
        [shown(name), of_a, of_b, format!("{sign}{}{percent}", number(b - a))]
    };
    let mut rows: Vec<_> = pairs(a, b).filter(differs).map(row).collect();
    let left_out = rows.len().saturating_sub(LISTED);
    rows.truncate(LISTED);
    let rest = if left_out == 0 { String::new() } else { format!("... and {left_out} more numbers\n") };
    table(["numbers that differ", "A", "B", "change"], rows, &[Left, Right, Right]) + &rest
}

/// How many numbers both have, and how many of them differ by more than the rounding of a sum.
pub(crate) fn count_numbers(a: &RecordedRun, b: &RecordedRun) -> (usize, usize) {
    (pairs(a, b).count(), pairs(a, b).filter(differs).count())
}

/// The numbers that both have: name, value in A, value in B.
fn pairs<'r>(a: &'r RecordedRun, b: &'r RecordedRun) -> impl Iterator<Item = (&'r String, f64, f64)> {
    a.numbers.iter().filter_map(|(name, &value)| Some((name, value, *b.numbers.get(name)?)))
}

fn differs((_, a, b): &(&String, f64, f64)) -> bool {
    (a - b).abs() > ROUNDING * a.abs().max(b.abs())
}

/// The rows below an empty line and a heading; nothing without rows.
fn table<const N: usize>(heading: [&str; N], mut rows: Vec<[String; N]>, alignments: &[Alignment]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    rows.insert(0, heading.map(str::to_owned));
    format!("\n{}", text_table(&rows, alignments))
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

    #[test]
    fn numbers_that_differ_are_seen_to_differ() {
        let with = |values: [f64; 5]| RecordedRun {
            numbers: ["a", "b", "c", "d", "e"].map(str::to_owned).into_iter().zip(values).collect(),
            ..RecordedRun::default()
        };
        let (a, b) = (with([200.0, 7.0, 0.9843, 1e-5, -0.0]), with([150.25, 7.0, 0.9841, 2e-5, 1e300]));
        let expected = "
numbers that differ            A             B  change
a                            200       150.250  -49.7500 (-24.9 %)
c                       0.984300      0.984100  -0.000200000
d                    1.00000e-5    2.00000e-5  +1.00000e-5 (+100.0 %)
e                              0  1.00000e300  +1.00000e300
";
        let words = |text: &str| -> Vec<String> {
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
        };
        assert_eq!(words(&changed_numbers(&a, &b)), words(expected));
        assert_eq!(changed_numbers(&a, &a), "");
        // Sums in another order, a change in the seventh digit, and one that has no meaning in percent.
        let (a, b) = (with([0.3, 1.000_000_1, 1.0, 0.0, 0.0]), with([0.1 + 0.2, 1.000_000_2, 1e30, 0.0, 0.0]));
        let text = changed_numbers(&a, &b);
        assert_eq!(words(&text)[2..], ["b 1.0000001 1.0000002 +1.00000e-7", "c 1 1.00000e30 +1.00000e30"]);
        assert_eq!(count_numbers(&a, &b), (5, 2));
        let many = |value: f64| RecordedRun {
            numbers: (0..150).map(|i| (format!("n{i}"), value)).collect(),
            ..RecordedRun::default()
        };
        let text = changed_numbers(&many(1.0), &many(2.0));
        assert!(text.lines().count() == 103 && text.ends_with("\n... and 50 more numbers\n"), "{text}");
    }

    #[test]
    fn settings_of_one_run_only_differ_and_threads_do_not() {
        let with = |settings: &[(&str, &str)]| RecordedRun {
            settings: settings.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect(),
            ..RecordedRun::default()
        };
        let a = with(&[("seed", "1"), ("ticks", "9"), ("folder", "a"), ("qsim.numberOfThreads", "1")]);
        let b =
            with(&[("seed", "2"), ("doors", "x\ny"), ("folder", "b"), ("ticks", "9"), ("qsim.numberOfThreads", "2")]);
        let expected = "\nsettings that differ  A  B\nseed                  1  2\ndoors                 -  x\\u{a}y\n";
        assert_eq!(changed_settings(&a, &b), expected);
        assert_eq!(changed_settings(&a, &a), "");
    }
}
