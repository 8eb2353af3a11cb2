//! Comparison of link tables, `link_stats.csv` or `link_volumes.csv`: finds the links on which the traffic of two runs
//! differs, and measures how well the volumes agree.
//!
//! The rows of these tables are sorted by time bin. Both tables are read bin by bin, side by side; only totals per link
//! are kept.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use throng_core::Alignment::Left;
use throng_core::{InputError, clock, counted, text_table};

use super::rows::Rows;
use super::volumes::{Hours, VolumeComparison};

/// The result of comparing the link tables of two runs, A and B. Its `Display` text is the report for users.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkComparison {
    /// Number of links with traffic in A or B.
    pub links: u64,
    /// Number of these links whose traffic differs in some time bin.
    pub different: u64,
    /// The links with the largest changes. The change of a link is the sum, over the time bins with traversals in both
    /// runs, of the change in mean travel time times the mean number of traversals. For a link with traversals in only
    /// one run it is the total travel time there. Ties go to the larger change in vehicles, and then by name.
    pub most_changed: Vec<LinkChange>,
    /// Agreement of the volumes.
    pub volumes: VolumeComparison,
}

/// The traffic of a link in two runs. Times are NaN if no vehicle traversed the whole link.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkChange {
    /// Id of the link.
    pub link: String,
    /// Number of vehicles that left the link for the next one, in A and B.
    pub vehicles: [u64; 2],
    /// Mean travel time over the day, in seconds.
    pub mean_s: [f64; 2],
    /// Start of the time bin in which the mean travel time changed most, in seconds of the day.
    pub bin_s: f64,
    /// Mean travel time in that bin, in seconds.
    pub bin_mean_s: [f64; 2],
}

/// Traffic of a link in one time bin.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Cell {
    vehicles: u32,
    /// Number of vehicles that traversed the whole link, and their mean travel time in seconds; `None` without any.
    timed: Option<(u32, f64)>,
}

/// Traffic of a link in all time bins so far, in A and B.
#[derive(Debug, Clone, Default)]
struct Totals {
    vehicles: [u64; 2],
    traversals: [u64; 2],
    /// Sum of travel times, in seconds.
    time_s: [f64; 2],
    /// Sum over all bins of the time that vehicles lost or gained from A to B, in seconds.
    change_s: f64,
    largest: Option<LargestChange>,
    /// Smallest mean travel time of any time bin in A or B, in seconds.
    fastest_s: Option<f64>,
    hours: Hours,
}

/// The time bin in which the mean travel time changed most.
#[derive(Debug, Clone, Copy)]
struct LargestChange {
    change_s: f64,
    bin_s: f64,
    cells: [Cell; 2],
}

impl Totals {
    fn add(&mut self, bin_s: f64, cells: [Cell; 2]) {
        for (side, cell) in cells.into_iter().enumerate() {
            self.vehicles[side] += u64::from(cell.vehicles);
            if let Some((traversals, mean_s)) = cell.timed {
                self.traversals[side] += u64::from(traversals);
                self.time_s[side] += f64::from(traversals) * mean_s;
                self.fastest_s = Some(self.fastest_s.map_or(mean_s, |fastest_s| fastest_s.min(mean_s)));
            }
            self.hours.entry((bin_s / HOUR_S).floor() as i64).or_default()[side] += u64::from(cell.vehicles);
        }
        if cells[0] == cells[1] {
            return;
        }
        let (change_s, traversals) = match cells.map(|cell| cell.timed) {
            [Some((of_a, a)), Some((of_b, b))] => ((b - a).abs(), f64::midpoint(of_a.into(), of_b.into())),
            // In the other run, the vehicles may have crossed the link in the next bin.
            _ => (0.0, 0.0),
        };
        self.change_s += change_s * traversals;
        // Ties go to the first bin.
        if self.largest.is_none_or(|largest| change_s > largest.change_s) {
            self.largest = Some(LargestChange { change_s, bin_s, cells });
        }
    }
}

const HOUR_S: f64 = 3600.0;

/// Compares the link tables of two runs, plain or compressed, and returns the `shown` links that changed most.
///
/// # Errors
/// If a file cannot be read or is not a link table, or if the tables have time bins of different lengths.
pub fn compare_links(a: &Path, b: &Path, shown: usize) -> Result<LinkComparison, InputError> {
    let mut tables = [LinkTable::open(a)?, LinkTable::open(b)?];
    if let [Some(of_a), Some(of_b)] = tables.each_ref().map(|table| table.next.as_ref().map(|row| row.length_s))
        && (of_a - of_b).abs() > 1e-6
    {
        let message = format!("time bins are {of_b:.0} s long, but in {} they are {of_a:.0} s", a.display());
        let remedy = "Repeat one of the runs with the travelTimeCalculator.travelTimeBinSize of the other.";
        return Err(InputError::one(b.display().to_string(), message, remedy));
    }
    let mut links: HashMap<String, Totals> = HashMap::new();
    while let Some(bin_s) = tables.iter().filter_map(LinkTable::next_bin).min_by(f64::total_cmp) {
        let mut bin: HashMap<String, [Option<Cell>; 2]> = HashMap::new();
        for (side, table) in tables.iter_mut().enumerate() {
            while let Some(Row { line, link, cell, .. }) = table.take_of_bin(bin_s)? {
                let cells = bin.entry(link).or_default();
                if cells[side].replace(cell).is_some() {
                    return Err(table.rows.damaged(line, "the link has another row for this time bin"));
                }
            }
        }
        for (link, cells) in bin {
            links.entry(link).or_default().add(bin_s, cells.map(Option::unwrap_or_default));
        }
    }
    let count = links.len() as u64;
    let has_hours = tables.iter().all(|table| !table.has_bin_across_hours);
    let volumes = volumes_of(&links, has_hours, tables.iter().all(LinkTable::has_times));
    let mut changed: Vec<(String, Totals, LargestChange)> =
        links.into_iter().filter_map(|(link, totals)| totals.largest.map(|largest| (link, totals, largest))).collect();
    for (_, totals, _) in &mut changed {
        // The link was closed or opened.
        if totals.traversals.contains(&0) {
            totals.change_s = totals.time_s[0] + totals.time_s[1];
        }
    }
    let vehicles = |totals: &Totals| totals.vehicles[0].abs_diff(totals.vehicles[1]);
    changed.sort_by(|(link_a, a, _), (link_b, b, _)| {
        let by_time = b.change_s.total_cmp(&a.change_s);
        by_time.then_with(|| vehicles(b).cmp(&vehicles(a))).then_with(|| link_a.cmp(link_b))
    });
    let different = changed.len() as u64;
    let most_changed = changed.into_iter().take(shown).map(|(link, totals, largest)| LinkChange {
        link,
        vehicles: totals.vehicles,
        mean_s: [0, 1].map(|side| totals.time_s[side] / totals.traversals[side] as f64),
        bin_s: largest.bin_s,
        bin_mean_s: largest.cells.map(|cell| cell.timed.map_or(f64::NAN, |(_, mean_s)| mean_s)),
    });
    Ok(LinkComparison { links: count, different, most_changed: most_changed.collect(), volumes })
}

fn volumes_of(links: &HashMap<String, Totals>, has_hours: bool, has_times: bool) -> VolumeComparison {
    let mut sorted: Vec<(&str, &Totals)> = links.iter().map(|(link, totals)| (link.as_str(), totals)).collect();
    sorted.sort_unstable_by_key(|(link, _)| *link);
    let lost_s = |side: usize| -> f64 {
        let of_link = |(_, totals): &(&str, &Totals)| {
            totals.time_s[side] - totals.traversals[side] as f64 * totals.fastest_s.unwrap_or(0.0)
        };
        // A sum of rounded terms may be just below 0.
        sorted.iter().map(|link| of_link(link).max(0.0)).sum()
    };
    let lost_s = has_times.then(|| [0, 1].map(lost_s));
    let hours: Vec<(&str, &Hours)> = sorted.iter().map(|(link, totals)| (*link, &totals.hours)).collect();
    VolumeComparison::of(&hours, has_hours, lost_s)
}

/// Columns of the link table that the comparison needs. `link_volumes.csv` lacks the last two.
const COLUMNS: [&str; 6] = ["time_start_s", "time_end_s", "link", "volume", "mean_travel_time_s", "traversals"];
const REQUIRED: usize = 4;

/// A row of a link table.
struct Row {
    line: u64,
    /// Start and length of the time bin, in seconds.
    bin_s: f64,
    length_s: f64,
    link: String,
    cell: Cell,
}

/// A link table that is read row by row.
struct LinkTable {
    rows: Rows<6>,
    /// The row that was read last and has not been taken yet.
    next: Option<Row>,
    /// Whether a time bin was not part of one hour.
    has_bin_across_hours: bool,
}

impl LinkTable {
    fn open(path: &Path) -> Result<Self, InputError> {
        let rows = Rows::open(path, COLUMNS, REQUIRED)?;
        let mut table = Self { rows, next: None, has_bin_across_hours: false };
        table.next = table.read_row()?;
        Ok(table)
    }

    /// Whether the table has travel times.
    fn has_times(&self) -> bool {
        self.rows.has(4) && self.rows.has(5)
    }

    /// Returns the time bin of the next row.
    fn next_bin(&self) -> Option<f64> {
        self.next.as_ref().map(|row| row.bin_s)
    }

    /// Returns the next row if it belongs to this time bin.
    fn take_of_bin(&mut self, bin_s: f64) -> Result<Option<Row>, InputError> {
        if self.next_bin() != Some(bin_s) {
            return Ok(None);
        }
        let next = self.read_row()?;
        if next.as_ref().is_some_and(|row| row.bin_s < bin_s) {
            return Err(self.rows.damaged(self.rows.line(), "the time is before that of the previous row"));
        }
        Ok(std::mem::replace(&mut self.next, next))
    }

    fn read_row(&mut self) -> Result<Option<Row>, InputError> {
        let Some(fields) = self.rows.next_row()? else { return Ok(None) };
        let wrong = |column: usize| self.rows.wrong(column, &fields[column]);
        let seconds = |column: usize| -> Result<f64, InputError> {
            let value = fields[column].parse().ok().filter(|value: &f64| value.abs() <= clock::MAX_SECONDS);
            value.ok_or_else(|| wrong(column))
        };
        let count = |column: usize| fields[column].parse::<u32>().map_err(|_| wrong(column));
        let [start_s, end_s] = [seconds(0)?, seconds(1)?];
        let (vehicles, traversals) = (count(3)?, if self.has_times() { count(5)? } else { 0 });
        let timed = if traversals == 0 { None } else { Some((traversals, seconds(4)?)) };
        match timed {
            Some((_, mean_s)) if mean_s < 0.0 => return Err(wrong(4)),
            _ if end_s <= start_s => return Err(wrong(1)),
            _ if fields[2].is_empty() => return Err(wrong(2)),
            // Links without vehicles must not have a row.
            _ if vehicles == 0 => return Err(wrong(3)),
            _ if traversals > vehicles => return Err(wrong(5)),
            _ => {}
        }
        self.has_bin_across_hours |= end_s > ((start_s / HOUR_S).floor() + 1.0) * HOUR_S;
        let [_, _, link, ..] = fields;
        let cell = Cell { vehicles, timed };
        Ok(Some(Row { bin_s: start_s, length_s: end_s - start_s, link, cell, line: self.rows.line() }))
    }
}

impl fmt::Display for LinkComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "links whose traffic differs: {} of {}", self.different, self.links)?;
        if self.most_changed.is_empty() {
            return Ok(());
        }
        let both = |[a, b]: [String; 2]| format!("{a} -> {b}");
        let time = |time: f64| if time.is_nan() { "-".to_owned() } else { format!("{time:.1} s") };
        let row = |change: &LinkChange| {
            let vehicles = both(change.vehicles.map(|count| count.to_string()));
            let [mean, then] = [change.mean_s, change.bin_mean_s].map(|times| both(times.map(time)));
            [format!("  {}", change.link), vehicles, mean, clock::minutes(change.bin_s), then]
        };
        let mut rows = vec![
            ["  link", "vehicles", "mean travel time", "changed most at", "mean travel time then"].map(str::to_owned),
        ];
        rows.extend(self.most_changed.iter().map(row));
        f.write_str(&text_table(&rows, &[Left]))?;
        let rest = self.different - self.most_changed.len() as u64;
        if rest > 0 {
            writeln!(f, "  ... and {}", counted(rest, "more link"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "time_start_s;time_end_s;link;volume;traversals;mean_travel_time_s\n";

    /// Compares tables of rows `time;link;volume;traversals;mean`.
    fn compare(a: &str, b: &str, shown: usize) -> Result<LinkComparison, String> {
        compare_bins([900.0; 2], a, b, shown)
    }

    fn compare_bins(lengths_s: [f64; 2], a: &str, b: &str, shown: usize) -> Result<LinkComparison, String> {
        let folder = tempfile::tempdir().unwrap();
        let paths = [folder.path().join("a.csv"), folder.path().join("b.csv")];
        for ((path, length_s), rows) in paths.iter().zip(lengths_s).zip([a, b]) {
            let row = |row: &str| {
                let (time, rest) = row.split_once(';').unwrap();
                let end = time.parse::<f64>().unwrap_or(0.0) + length_s;
                format!("{time};{end};{rest}\r\n")
            };
            std::fs::write(path, HEAD.to_owned() + &rows.lines().map(row).collect::<String>()).unwrap();
        }
        compare_links(&paths[0], &paths[1], shown).map_err(|error| error.to_string())
    }

    #[test]
    fn the_most_changed_links_come_first() {
        let a = "25200;bridge;10;10;30.0\n25200;same;3;3;9.0\n25200;\"a;b\";5;5;10.0\n26100;bridge;40;30;300.0\n";
        let b = "25200;bridge;10;10;30.0\n25200;same;3;3;9.0\n25200;new;4;0;\n25200;\"a;b\";5;5;14.0\n26100;bridge;20;20;45.0\n";
        let compared = compare(a, b, 2).unwrap();
        assert_eq!((compared.links, compared.different), (4, 3));
        let bridge = &compared.most_changed[0];
        // A: 10 vehicles with 30 s and 30 with 300 s (not 40: ten of them departed on the link). B: 10 with 30 s and 20
        // with 45 s.
        assert_eq!((bridge.link.as_str(), bridge.vehicles, bridge.mean_s), ("bridge", [50, 30], [232.5, 40.0]));
        assert_eq!((bridge.bin_s, bridge.bin_mean_s), (26_100.0, [300.0, 45.0]));
        let expected = "\
links whose traffic differs: 3 of 4
  link    vehicles  mean travel time   changed most at  mean travel time then
  bridge  50 -> 30  232.5 s -> 40.0 s  07:15            300.0 s -> 45.0 s
  a;b     5 -> 5    10.0 s -> 14.0 s   07:00            10.0 s -> 14.0 s
  ... and 1 more link
";
        assert_eq!(compared.to_string(), expected);
        let new = &compare(a, b, 3).unwrap().most_changed[2];
        assert!(new.link == "new" && new.mean_s.iter().all(|mean| mean.is_nan()), "{new:?}");
        assert_eq!(compare(a, b, 0).unwrap().to_string(), "links whose traffic differs: 3 of 4\n");
        assert_eq!(compare(a, a, 5).unwrap().different, 0);
        assert_eq!(compare(a, "", 5).unwrap().different, 3, "a run without traffic");
    }

    #[test]
    fn later_vehicles_do_not_count_and_changes_do_not_cancel_out() {
        // A vehicle on x crosses in the next bin; the mean of y falls, and then rises by the same amount.
        let a = "0;x;3;3;39\n0;y;1;1;9\n0;z;1;1;9\n900;y;1;1;9\n";
        let b = "0;x;2;2;39\n0;y;1;1;6\n0;z;1;1;8\n900;x;1;1;39\n900;y;1;1;12\n";
        let first = compare(a, b, 9).unwrap().most_changed;
        assert_eq!(first.iter().map(|change| change.link.as_str()).collect::<Vec<_>>(), ["y", "z", "x"]);
        assert_eq!(first[2].mean_s, [39.0, 39.0]);
        assert_eq!(first[0].bin_s, 0.0, "ties go to the first bin");
    }

    #[test]
    fn a_closed_link_counts_with_its_travel_time() {
        let a = "0;bridge;9;9;50\n0;detour;9;9;30\n900;bridge;9;9;50\n";
        let closed = compare(a, "0;detour;9;9;90\n", 9).unwrap();
        assert_eq!(
            closed.most_changed.iter().map(|change| change.link.as_str()).collect::<Vec<_>>(),
            ["bridge", "detour"]
        );
        assert_eq!(closed.most_changed[0].vehicles, [18, 0]);
    }

    #[test]
    fn bins_of_two_lengths_are_refused() {
        let error = compare_bins([900.0, 300.0], "0;a;1;1;2\n", "0;a;1;1;2\n", 1).unwrap_err();
        assert!(error.contains("b.csv: time bins are 300 s long, but in ") && error.contains(" 900 s\n"), "{error}");
    }

    #[test]
    fn damaged_tables_are_reported_with_their_line() {
        for (bad, expected) in [
            ("x;a;1;1;2", "time_start_s is \"x\""),
            ("1e99;a;1;1;2", "time_start_s is \"1e99\""),
            ("0;;1;1;2", "link is \"\""),
            ("0;a;-3;1;2", "volume is \"-3\""),
            ("0;a;4294967296;1;2", "volume is \"4294967296\""),
            ("0;a;1;1;x", "mean_travel_time_s is \"x\""),
            ("0;a;1;1;-2", "mean_travel_time_s is \"-2\""),
            ("0;a;1;1;NaN", "mean_travel_time_s is \"NaN\""),
            ("0;a;1", "traversals is \"\""),
            ("0;a;1;2;5", "traversals is \"2\""),
            ("0;a;0;0;", "volume is \"0\""),
            ("0;z;1;1;2", "the link has another row for this time bin"),
        ] {
            let error = compare(&format!("0;z;1;1;2\n{bad}\n0;y;1;1;2\n"), "", 1).unwrap_err();
            assert!(error.contains(&format!("a.csv:3: {expected}")), "{bad}: {error}");
        }
        let unsorted = compare("900;a;1;1;2\n0;a;2;2;2\n", "", 1).unwrap_err();
        assert!(unsorted.contains("a.csv:3: the time is before that of the previous row"), "{unsorted}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.csv");
        for (text, expected) in [
            ("", "c.csv: the file is empty"),
            ("link;volume\n", "c.csv:1: there is no column time_start_s"),
            (&format!("{HEAD}{}", "x".repeat(17 << 20)), "c.csv:2: the line is longer than 16 MiB"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = compare_links(&path, &path, 1).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
