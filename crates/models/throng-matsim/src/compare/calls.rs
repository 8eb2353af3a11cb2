//! Comparison of the calls of public transport at its stops, `stop_calls.csv`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use throng_core::Alignment::Left;
use throng_core::{InputError, text_table};

use super::change::{change, mean, percentile};
use super::rows::Rows;
use crate::formats::value::number;

/// The result of comparing the stop calls of two runs, A and B. Its `Display` text is the report for users.
#[derive(Debug, Clone, PartialEq)]
pub struct CallComparison {
    /// Public transport in A and B.
    pub runs: [CallStatistics; 2],
}

/// Statistics of stop calls.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CallStatistics {
    /// Number of planned calls.
    pub planned: u64,
    /// Number of calls from which a vehicle departed.
    pub departures: u64,
    /// Number of boardings.
    pub boarded: u64,
    /// Denied boardings: persons who found no place, once for each vehicle; `None` if they were not counted.
    pub denied: Option<u64>,
    /// Mean delay of departures, in seconds; NaN without departures.
    pub mean_delay_s: f64,
    /// Smallest delay that at least 90 % of the departures do not exceed, in seconds; NaN without departures.
    pub percentile_90_delay_s: f64,
    /// Mean delay of the departures of each line, in seconds; empty if the table has no lines.
    pub mean_delay_of_lines_s: BTreeMap<String, f64>,
}

/// Maximum number of lines that are listed.
const LINES: usize = 5;

/// Compares the stop calls of two runs, plain or compressed.
///
/// # Errors
/// If a file cannot be read or is not a table of stop calls.
pub fn compare_calls(a: &Path, b: &Path) -> Result<CallComparison, InputError> {
    Ok(CallComparison { runs: [read(a)?, read(b)?] })
}

fn read(path: &Path) -> Result<CallStatistics, InputError> {
    let mut rows = Rows::open(path, ["departure_delay_s", "boarded", "denied", "line"], 3)?;
    let (mut calls, mut delays_s) = (CallStatistics::default(), Vec::new());
    let mut of_lines: BTreeMap<String, (f64, u64)> = BTreeMap::new();
    while let Some([delay, boarded, denied, line]) = rows.next_row()? {
        let count = |column: usize, value: &str| value.parse::<u32>().map_err(|_| rows.wrong(column, value));
        calls.planned += 1;
        calls.boarded += u64::from(count(1, &boarded)?);
        if !denied.is_empty() {
            *calls.denied.get_or_insert(0) += u64::from(count(2, &denied)?);
        }
        // The vehicle did not depart.
        if delay.is_empty() {
            continue;
        }
        let delay_s = number(&delay).filter(|delay_s| delay_s.is_finite()).ok_or_else(|| rows.wrong(0, &delay))?;
        delays_s.push(delay_s);
        if rows.has(3) {
            let (sum_s, departures) = of_lines.entry(line).or_default();
            *sum_s += delay_s;
            *departures += 1;
        }
    }
    let line_mean = |(line, (sum_s, departures)): (String, (f64, u64))| (line, sum_s / departures as f64);
    calls.mean_delay_of_lines_s = of_lines.into_iter().map(line_mean).collect();
    calls.departures = delays_s.len() as u64;
    calls.mean_delay_s = mean(&delays_s);
    calls.percentile_90_delay_s = percentile(&mut delays_s, 90);
    Ok(calls)
}

impl CallComparison {
    pub(super) fn table(&self) -> Vec<[String; 2]> {
        let row = |title: &str, value: fn(&CallStatistics) -> f64, digits| {
            [title.to_owned(), change(self.runs.each_ref().map(value), digits)]
        };
        let mut rows = vec![
            row("planned departures from stops", |calls| calls.planned as f64, 0),
            row("departures from stops", |calls| calls.departures as f64, 0),
            row("boardings", |calls| calls.boarded as f64, 0),
        ];
        rows.extend(self.denied().map(|denied| ["denied boardings".to_owned(), denied]));
        rows.extend([
            row("mean delay of departures, s", |calls| calls.mean_delay_s, 1),
            row("90 % of departures within, s", |calls| calls.percentile_90_delay_s, 1),
        ]);
        for (line, delays_s) in self.changed_lines() {
            rows.push([format!("mean delay of line {line}, s"), change(delays_s, 1)]);
        }
        rows
    }

    /// Returns the denied boardings in A and B; `None` if neither run counted them.
    fn denied(&self) -> Option<String> {
        match self.runs.each_ref().map(|run| run.denied) {
            [None, None] => None,
            [Some(a), Some(b)] => Some(change([a as f64, b as f64], 0)),
            other => Some(
                other.map(|denied| denied.map_or("not counted".to_owned(), |denied| denied.to_string())).join(" -> "),
            ),
        }
    }

    /// Returns the lines whose mean delays differ most, with the delays in A and B.
    fn changed_lines(&self) -> Vec<(&str, [f64; 2])> {
        let [a, b] = self.runs.each_ref().map(|run| &run.mean_delay_of_lines_s);
        let in_both = a.iter().filter_map(|(line, &in_a)| b.get(line).map(|&in_b| (line.as_str(), [in_a, in_b])));
        let mut changed: Vec<_> = in_both.filter(|(_, [in_a, in_b])| in_a != in_b).collect();
        // A stable sort: lines that differ equally are in order of their ids.
        changed.sort_by(|(_, one), (_, other)| (other[1] - other[0]).abs().total_cmp(&(one[1] - one[0]).abs()));
        changed.truncate(LINES);
        changed
    }
}

impl fmt::Display for CallComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = vec![["public transport".to_owned(), String::new()]];
        rows.extend(self.table().into_iter().map(|[title, change]| [format!("  {title}"), change]));
        f.write_str(&text_table(&rows, &[Left]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(a: &str, b: &str) -> Result<CallComparison, String> {
        let folder = tempfile::tempdir().unwrap();
        let paths = [folder.path().join("a.csv"), folder.path().join("b.csv")];
        for (path, rows) in paths.iter().zip([a, b]) {
            std::fs::write(path, "line;departure_delay_s;boarded;alighted;denied\n".to_owned() + rows).unwrap();
        }
        compare_calls(&paths[0], &paths[1]).map_err(|error| error.to_string())
    }

    #[test]
    fn delays_and_boardings_are_those_of_the_tables() {
        let compared = compare("a;-10;3;0;0\na;20.5;4;1;0\na;;0;0;2\n", "a;60;1;0;5\n").unwrap();
        let a = CallStatistics {
            planned: 3,
            departures: 2,
            boarded: 7,
            denied: Some(2),
            mean_delay_s: 5.25,
            percentile_90_delay_s: 20.5,
            mean_delay_of_lines_s: BTreeMap::from([("a".to_owned(), 5.25)]),
        };
        assert_eq!(compared.runs[0], a);
        let text = compared.to_string();
        assert!(text.contains("  denied boardings               2 -> 5 (+3)\n"), "{text}");
        let in_one = compare("a;60;1;0;\n", "a;60;1;0;5\n").unwrap().to_string();
        assert!(in_one.contains("  denied boardings               not counted -> 5\n"), "{in_one}");
        let in_none = compare("a;60;1;0;\n", "a;60;1;0;\n").unwrap().to_string();
        assert!(!in_none.contains("denied") && in_none.contains("boardings"), "{in_none}");
        let same = compare("a;60;1;0;5\n", "a;60;1;0;5\n").unwrap().to_string();
        assert!(!same.contains("(+") && !same.contains("(-"), "{same}");
    }

    #[test]
    fn lines_whose_delays_change_most_are_listed() {
        let of_lines = |lines: &[(&str, f64)]| {
            lines.iter().map(|(line, delay_s)| format!("{line};{delay_s};0;0;0\n")).collect::<Vec<_>>().concat()
        };
        let a = of_lines(&[("2", 10.0), ("1", 5.0), ("3", 0.0), ("3", 60.0), ("4", 7.0), ("only a", 9.0)]);
        let compared = compare(&a, &of_lines(&[("1", 8.0), ("2", 7.0), ("3", 20.0), ("4", 7.0)])).unwrap();
        let expected = [("3", [30.0, 20.0]), ("1", [5.0, 8.0]), ("2", [10.0, 7.0])];
        assert_eq!(compared.changed_lines(), expected);
        assert!(
            compared.to_string().contains("  mean delay of line 3, s        30.0 -> 20.0 (-10.00)\n"),
            "{compared}"
        );
        let many: Vec<String> = (0..9).map(|line| line.to_string()).collect();
        let all = |delay_s: f64| of_lines(&many.iter().map(|line| (line.as_str(), delay_s)).collect::<Vec<_>>());
        assert_eq!(compare(&all(1.0), &all(2.0)).unwrap().changed_lines().len(), LINES);
    }

    #[test]
    fn wrong_cells_are_reported_with_their_line() {
        for (row, expected) in [
            ("a;late;1;0;0", "departure_delay_s is \"late\""),
            ("a;NaN;1;0;0", "departure_delay_s is \"NaN\""),
            ("a;1;-1;0;0", "boarded is \"-1\""),
            ("a;1;1;0;x", "denied is \"x\""),
        ] {
            let error = compare(&format!("{row}\n"), "").unwrap_err();
            assert!(error.contains(&format!("a.csv:2: {expected}")), "{row}: {error}");
        }
    }
}
