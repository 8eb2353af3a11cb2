//! Means, intervals, quantiles and units in the tables and the report.

use super::*;

/// Returns the fields of a table, row by row.
fn rows(folder: &Path, name: &str) -> Vec<Vec<String>> {
    text(folder, name).lines().map(|line| line.split(';').map(str::to_owned).collect()).collect()
}

fn number(text: &str) -> f64 {
    text.parse().unwrap()
}

#[test]
fn a_summary_has_means_with_their_intervals() {
    let dir = tempfile::tempdir().unwrap();
    sweep(&ONE_BY_ONE, &request(dir.path(), &["rise=2,30", "name=a"], 2)).unwrap();
    let rows = rows(dir.path(), "summary.csv");
    let header =
        "set;rise;name;figure;unit;runs;mean;standard_deviation;standard_error;low_95;high_95;p10;p25;p50;p75;p90";
    assert_eq!(rows[0].join(";"), header);
    assert_eq!(rows.len(), 1 + 2 * 2, "a row for each figure of each set");
    // Levels 46 and 47: the interval is 46.5 +- 12.706 * 0.5.
    assert_eq!(rows[1][..7], ["1", "2", "a", "level_m", "m", "2", "46.5"]);
    let [deviation, error, low, high] = [7, 8, 9, 10].map(|column| number(&rows[1][column]));
    assert!((deviation - 0.5_f64.sqrt()).abs() < 1e-12 && (error - 0.5).abs() < 1e-12, "{rows:?}");
    assert!((low - 40.146_898).abs() < 1e-5 && (high - 52.853_102).abs() < 1e-5, "{rows:?}");
    assert!(rows[1][11..].iter().all(String::is_empty), "two runs have no quantiles: {rows:?}");
    assert_eq!(rows[2][3..7], ["flood", "", "0", ""], "no run of the first set has this figure");
    assert!(rows[2][7..].iter().all(String::is_empty), "{rows:?}");
    assert_eq!(rows[4][3..11], ["flood", "", "2", "1", "0", "0", "1", "1"], "equal values have an interval of width 0");
}

#[test]
fn differences_have_single_and_simultaneous_intervals() {
    let dir = tempfile::tempdir().unwrap();
    sweep(&ONE_BY_ONE, &request(dir.path(), &["rise=2,3,30"], 2)).unwrap();
    let rows = rows(dir.path(), "differences.csv");
    assert_eq!(
        rows[0].join(";"),
        "figure;unit;set_a;set_b;mean_a;mean_b;difference;standard_error;degrees_of_freedom;low_95;high_95;comparisons;\
         low_95_simultaneous;high_95_simultaneous"
    );
    // The flood of the last set has no counterpart.
    assert_eq!(rows.len(), 1 + 3);
    let pairs: Vec<_> = rows[1..].iter().map(|row| row[..4].join(" ") + " " + &row[6]).collect();
    assert_eq!(pairs, ["level_m m 1 2 3", "level_m m 1 3 84", "level_m m 2 3 81"]);
    // Variances 0.5 of two runs each: standard error sqrt(0.5), 2 degrees of freedom, and t in closed form.
    let t = |alpha: f64| (1.0 - alpha) * (2.0 / (alpha * (2.0 - alpha))).sqrt();
    let half = |alpha: f64| t(alpha) * 0.5_f64.sqrt();
    let expected =
        [0.5_f64.sqrt(), 2.0, 3.0 - half(0.05), 3.0 + half(0.05), 3.0, 3.0 - half(0.05 / 3.0), 3.0 + half(0.05 / 3.0)];
    for (found, expected) in rows[1][7..].iter().zip(expected) {
        assert!((number(found) - expected).abs() < 1e-9, "{found} instead of {expected}");
    }
}

#[test]
fn many_parameter_sets_are_compared_with_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let values =
        |sets: u32| format!("rise={}", (100..100 + sets).map(|rise| rise.to_string()).collect::<Vec<_>>().join(","));
    for (sets, comparisons) in [(50, 50 * 49 / 2), (51, 50)] {
        let folder = dir.path().join(sets.to_string());
        sweep(&ONE_BY_ONE, &request(&folder, &[&values(sets)], 1)).unwrap();
        let rows = rows(&folder, "differences.csv");
        // Rows for levels and floods.
        assert_eq!(rows.len(), 1 + 2 * comparisons, "{sets}");
        assert!(rows[1..].iter().all(|row| row[11] == comparisons.to_string()), "{sets}");
        let is_from_first = rows[1..].iter().all(|row| row[2] == "1");
        assert_eq!(is_from_first, sets > 50);
        assert!(rows[1..].iter().all(|row| row[7..11].iter().all(String::is_empty)), "single runs have no intervals");
    }
    // A single parameter set has no differences.
    sweep(&ONE_BY_ONE, &request(&dir.path().join("one"), &["rise=1"], 2)).unwrap();
    assert!(!dir.path().join("one/differences.csv").exists());
}

#[test]
fn columns_have_their_units() {
    let dir = tempfile::tempdir().unwrap();
    sweep(&ONE_BY_ONE, &request(dir.path(), &["rise=2,30"], 1)).unwrap();
    let expected = "table;column;name;label;unit;kind;meaning\r\n\
                    runs;level_m;level;water level;m;real;at the end\r\n\
                    runs;flood;flood;flood;;count;\r\n\
                    series;day;day;day;;count;\r\n\
                    series;level_m;level;water level;m;real;at the end\r\n";
    assert_eq!(text(dir.path(), "columns.csv"), expected);
}

#[test]
fn a_parameter_named_like_a_column_is_renamed_in_all_tables() {
    let layout = |keys: &[&str]| {
        let typed: Vec<String> = keys.iter().map(|key| format!("{key}=1,2")).collect();
        let design = Design::full_factorial(vary::parse(&typed, false, &mut Problems::new())).unwrap();
        let parameters = layout::Layout::new(&design, &design.table()).parameters;
        parameters.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(layout(&["mean", "replicate", "rise"]), ["mean_parameter", "replicate_parameter", "rise"]);
}

#[test]
fn reports_show_few_runs_one_by_one_and_many_as_quantiles() {
    let dir = tempfile::tempdir().unwrap();
    for (seeds, shown, hidden) in [
        (3, &["single runs", "mean with its 95 % confidence interval"][..], &["median</text>", "(25 % to 75 %)"][..]),
        (8, &["median</text>", "half of the runs (25 % to 75 %)"], &["single runs</text>", "(10 % to 90 %)"]),
        (20, &["80 % of the runs (10 % to 90 %)"], &["single runs</text>"]),
        (1, &["a single value cannot tell", "single runs</text>"], &["confidence interval</text>"]),
    ] {
        let folder = dir.path().join(seeds.to_string());
        sweep(&ONE_BY_ONE, &request(&folder, &["rise=1,2,4"], seeds)).unwrap();
        let report = text(&folder, "report.html");
        assert!(shown.iter().all(|part| report.contains(part)), "{seeds}: {shown:?}");
        assert!(!hidden.iter().any(|part| report.contains(part)), "{seeds}: {hidden:?}");
        assert!(report.contains("hold for all 3 comparisons"), "{seeds}");
    }
}

#[test]
fn single_sets_and_equal_runs_give_no_verdict() {
    let dir = tempfile::tempdir().unwrap();
    let report_of = |varied: &str, seeds: u64| {
        let folder = dir.path().join(varied);
        sweep(&ONE_BY_ONE, &request(&folder, &[varied], seeds)).unwrap();
        text(&folder, "report.html")
    };
    // Floods of 1 in one set, then in two.
    let report = report_of("rise=2,30", 2);
    assert!(report.contains("<td>no other set has values; 2 of 4 runs have a value</td>"));
    assert!(report.contains("the means cover the other runs only") && !report.contains("<td>the same</td>"));
    let report = report_of("rise=30,31", 2);
    assert!(report.contains("<td>the same</td>") && !report.contains("have a value"));
    // More sets than the report shows, of which the last has the highest mean.
    let values: Vec<String> = (0..=bands::MAX_SETS).map(|rise| (100 + rise).to_string()).collect();
    let folder = dir.path().join("many");
    sweep(&ONE_BY_ONE, &request(&folder, &[&format!("rise={}", values.join(","))], 1)).unwrap();
    let report = text(&folder, "report.html");
    assert!(report.contains(" m with rise = 1100; a single value") && report.contains("the first 1000 parameter sets"));
}

#[test]
fn series_that_end_early_are_extended_with_their_last_value() {
    let design = Design::full_factorial(vary::parse(&["rise=1,2".to_owned()], false, &mut Problems::new())).unwrap();
    let run = |rows: u32| Measured {
        series: Series {
            over: Quantity::count("day", "", ""),
            quantities: vec![LEVEL],
            rows: (0..rows).map(|day| (day.into(), vec![f64::from(day) * 10.0])).collect(),
        },
        ..Measured::default()
    };
    let mut layout = layout::Layout::new(&design, &design.table());
    layout.add(&run(4));
    let layout = layout.finish();
    let bands_of = |runs: &[&Measured]| {
        let mut bands = bands::Bands::default();
        bands.add(&layout, runs, bands::spreads(&layout, runs));
        (bands.lengths_differ, bands.series[0][0].at_end.mean())
    };
    assert_eq!(bands_of(&[&run(4), &run(4)]), (false, 30.0));
    assert_eq!(bands_of(&[&run(4), &run(2)]), (true, 20.0));
    // A failed run has no series.
    assert_eq!(bands_of(&[&run(4), &Measured::default()]), (false, 30.0));
    let mut runs = vec![run(4); 9];
    runs.push(run(2));
    assert!(bands_of(&runs.iter().collect::<Vec<_>>()).0);
}

#[test]
fn a_difference_is_clear_if_its_interval_does_not_contain_0() {
    let dir = tempfile::tempdir().unwrap();
    // Levels of consecutive seeds, whose quartiles are 3.5 apart with 8 runs. The interval around a difference of 3
    // between the means has a half width of 2.6.
    for (seeds, verdict) in [(2, "may be chance"), (8, "clear")] {
        let folder = dir.path().join(seeds.to_string());
        sweep(&ONE_BY_ONE, &request(&folder, &["rise=2,3"], seeds)).unwrap();
        let report = text(&folder, "report.html");
        assert!(report.contains(&format!("<td>{verdict}</td>")), "{seeds}");
        assert!(!report.contains("Water level of each parameter set"), "two sets need no chart");
    }
}
