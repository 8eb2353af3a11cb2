//! Tables of links, `link_stats.csv`: where the traffic of two runs differs.
//!
//! The rows of such a table are in the order of time bins. Both tables are read bin by bin, side by side; only totals of
//! links are kept.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use throng_core::Alignment::Left;
use throng_core::{InputError, clock, csv_fields, text_table};

use super::lines::Lines;

/// The result of comparing the link tables of two runs, A and B. Its display text is the report for a user.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkComparison {
    /// Links with traffic in A or B.
    pub links: u64,
    /// Those of them whose traffic differs in some time bin.
    pub different: u64,
    /// The links that changed most: by the sum over time bins of the change in the time that vehicles spent on them; ties by
    /// name.
    pub first: Vec<LinkChange>,
}

/// The traffic of a link in two runs. Times are NaN where no vehicle traversed the whole link.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkChange {
    /// Link.
    pub link: String,
    /// Vehicles that left the link for the next one.
    pub vehicles: [u64; 2],
    /// Mean travel time over the day, seconds.
    pub mean_s: [f64; 2],
    /// Start of the time bin in which the time spent by vehicles changed most, seconds of the day.
    pub bin_s: f64,
    /// Mean travel time in that bin, seconds.
    pub bin_mean_s: [f64; 2],
}

/// Traffic of a link in a time bin.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Cell {
    vehicles: u32,
    /// Mean travel time, seconds; `None` where no vehicle traversed the whole link.
    mean_s: Option<f64>,
}

impl Cell {
    /// Time that its vehicles spent on the link, seconds.
    fn time_s(self) -> f64 {
        self.mean_s.map_or(0.0, |mean| mean * f64::from(self.vehicles))
    }
}

/// The traffic of a link in all time bins so far, in A and B.
#[derive(Debug, Clone, Default)]
struct Totals {
    vehicles: [u64; 2],
    /// Vehicles in bins with a travel time.
    timed: [u64; 2],
    /// Time spent on the link, seconds.
    time_s: [f64; 2],
    /// Sum of the changes of that, regardless of their sign.
    changes_s: f64,
    largest: Option<LargestChange>,
}

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
            if cell.mean_s.is_some() {
                self.timed[side] += u64::from(cell.vehicles);
            }
            self.time_s[side] += cell.time_s();
        }
        if cells[0] == cells[1] {
            return;
        }
        let change_s = (cells[1].time_s() - cells[0].time_s()).abs();
        self.changes_s += change_s;
        // Of equal changes the first.
        if self.largest.is_none_or(|largest| change_s > largest.change_s) {
            self.largest = Some(LargestChange { change_s, bin_s, cells });
        }
    }
}

/// Compares the link tables of two runs, plain or compressed, and returns the `shown` links that changed most.
///
/// # Errors
/// When a file cannot be read, or is not a table of links.
pub fn compare_links(a: &Path, b: &Path, shown: usize) -> Result<LinkComparison, InputError> {
    let mut tables = [LinkTable::open(a)?, LinkTable::open(b)?];
    let mut links: HashMap<String, Totals> = HashMap::new();
    while let Some(bin_s) = tables.iter().filter_map(LinkTable::next_bin).min_by(f64::total_cmp) {
        let mut bin: HashMap<String, [Cell; 2]> = HashMap::new();
        for (side, table) in tables.iter_mut().enumerate() {
            while let Some(Row { link, cell, .. }) = table.take_of_bin(bin_s)? {
                let cells = bin.entry(link).or_default();
                if std::mem::replace(&mut cells[side], cell) != Cell::default() {
                    return Err(table.damaged("the link has another row of this time"));
                }
            }
        }
        for (link, cells) in bin {
            links.entry(link).or_default().add(bin_s, cells);
        }
    }
    let count = links.len() as u64;
    let mut changed: Vec<(String, Totals, LargestChange)> =
        links.into_iter().filter_map(|(link, totals)| totals.largest.map(|largest| (link, totals, largest))).collect();
    changed
        .sort_by(|(link_a, a, _), (link_b, b, _)| b.changes_s.total_cmp(&a.changes_s).then_with(|| link_a.cmp(link_b)));
    let different = changed.len() as u64;
    let first = changed.into_iter().take(shown).map(|(link, totals, largest)| LinkChange {
        link,
        vehicles: totals.vehicles,
        mean_s: [0, 1].map(|side| totals.time_s[side] / totals.timed[side] as f64),
        bin_s: largest.bin_s,
        bin_mean_s: largest.cells.map(|cell| cell.mean_s.unwrap_or(f64::NAN)),
    });
    Ok(LinkComparison { links: count, different, first: first.collect() })
}

/// The columns that are read.
const COLUMNS: [&str; 4] = ["time_start_s", "link", "volume", "mean_travel_time_s"];

/// A row of a table of links.
struct Row {
    bin_s: f64,
    link: String,
    cell: Cell,
}

/// A table of links that is read row by row.
struct LinkTable {
    lines: Lines,
    /// The indices of [`COLUMNS`].
    columns: [usize; 4],
    /// The row that was read last and not taken yet.
    next: Option<Row>,
}

impl LinkTable {
    fn open(path: &Path) -> Result<Self, InputError> {
        let mut lines = Lines::open(path)?;
        let header = csv_fields(&lines.next_line()?.unwrap_or_default(), ';');
        let [Some(time), Some(link), Some(volume), Some(mean)] =
            COLUMNS.map(|name| header.iter().position(|column| column == name))
        else {
            let message = format!("this is no table of links, which has the columns {}", COLUMNS.join(", "));
            return Err(InputError::one(lines.place(), message, "Repeat the run with this version."));
        };
        let mut table = Self { lines, columns: [time, link, volume, mean], next: None };
        table.next = table.read_row()?;
        Ok(table)
    }

    /// The time bin of the next row.
    fn next_bin(&self) -> Option<f64> {
        self.next.as_ref().map(|row| row.bin_s)
    }

    /// The next row, if it is one of this time bin.
    fn take_of_bin(&mut self, bin_s: f64) -> Result<Option<Row>, InputError> {
        if self.next_bin() != Some(bin_s) {
            return Ok(None);
        }
        let next = self.read_row()?;
        if next.as_ref().is_some_and(|row| row.bin_s < bin_s) {
            return Err(self.damaged("the time is before that of the previous row"));
        }
        Ok(std::mem::replace(&mut self.next, next))
    }

    fn read_row(&mut self) -> Result<Option<Row>, InputError> {
        let Some(line) = self.lines.next_line()? else { return Ok(None) };
        let fields = csv_fields(&line, ';');
        let [time, link, volume, mean] =
            self.columns.map(|column| fields.get(column).map(String::as_str).unwrap_or_default());
        let not_negative = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0);
        let time: Option<f64> = time.parse().ok().filter(|time: &f64| time.is_finite());
        let mean_s = if mean.is_empty() { Some(None) } else { not_negative(mean).map(Some) };
        match (time, volume.parse(), mean_s) {
            // Links without vehicles have no row.
            (Some(bin_s), Ok(vehicles @ 1..), Some(mean_s)) if !link.is_empty() => {
                Ok(Some(Row { bin_s, link: link.to_owned(), cell: Cell { vehicles, mean_s } }))
            }
            _ => Err(self.damaged("the row has no link, or a time, volume or travel time that is none")),
        }
    }

    fn damaged(&self, message: &str) -> InputError {
        InputError::one(self.lines.place(), message, "Repeat the run; the file is damaged.")
    }
}

impl fmt::Display for LinkComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "links whose traffic differs: {} of {}", self.different, self.links)?;
        if self.first.is_empty() {
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
            ["  link", "vehicles", "mean travel time", "most changed at", "mean travel time then"].map(str::to_owned),
        ];
        rows.extend(self.first.iter().map(row));
        f.write_str(&text_table(&rows, &[Left]))?;
        let rest = self.different - self.first.len() as u64;
        if rest > 0 {
            writeln!(f, "  ... and {rest} more links")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "time_start;time_start_s;time_end;time_end_s;link;volume;mean_travel_time_s;mean_speed_kmh\n";

    /// Compares tables of rows `time;link;volume;mean`.
    fn compare(a: &str, b: &str, shown: usize) -> Result<LinkComparison, String> {
        let folder = tempfile::tempdir().unwrap();
        let paths = [folder.path().join("a.csv"), folder.path().join("b.csv")];
        for (path, rows) in paths.iter().zip([a, b]) {
            let row = |row: &str| {
                let (time, rest) = row.split_once(';').unwrap();
                format!("-;{time};-;-;{rest};-\r\n")
            };
            std::fs::write(path, HEAD.to_owned() + &rows.lines().map(row).collect::<String>()).unwrap();
        }
        compare_links(&paths[0], &paths[1], shown).map_err(|error| error.to_string())
    }

    #[test]
    fn the_links_that_changed_most_come_first() {
        let a = "25200;bridge;10;30.0\n25200;same;3;9.0\n25200;\"a;b\";5;10.0\n26100;bridge;30;300.0\n";
        let b = "25200;bridge;10;30.0\n25200;same;3;9.0\n25200;new;4;\n25200;\"a;b\";5;14.0\n26100;bridge;20;45.0\n";
        let compared = compare(a, b, 2).unwrap();
        assert_eq!((compared.links, compared.different), (4, 3));
        let bridge = &compared.first[0];
        // 10 of 30 s and 30 of 300 s; then 10 of 30 s and 20 of 45 s.
        assert_eq!((bridge.link.as_str(), bridge.vehicles, bridge.mean_s), ("bridge", [40, 30], [232.5, 40.0]));
        assert_eq!((bridge.bin_s, bridge.bin_mean_s), (26_100.0, [300.0, 45.0]));
        let expected = "\
links whose traffic differs: 3 of 4
  link    vehicles  mean travel time   most changed at  mean travel time then
  bridge  40 -> 30  232.5 s -> 40.0 s  07:15            300.0 s -> 45.0 s
  a;b     5 -> 5    10.0 s -> 14.0 s   07:00            10.0 s -> 14.0 s
  ... and 1 more links
";
        assert_eq!(compared.to_string(), expected);
        let new = &compare(a, b, 3).unwrap().first[2];
        assert!(new.link == "new" && new.mean_s.iter().all(|mean| mean.is_nan()), "{new:?}");
        assert_eq!(compare(a, b, 0).unwrap().to_string(), "links whose traffic differs: 3 of 4\n");
        assert_eq!(compare(a, a, 5).unwrap().different, 0);
        assert_eq!(compare(a, "", 5).unwrap().different, 3, "a run without traffic");
    }

    #[test]
    fn changes_that_cancel_out_over_the_day_count() {
        let a = "0;x;10;30\n900;x;10;60\n900;y;1;8\n";
        let b = "0;x;10;30\n900;x;20;30\n1800;x;10;90\n900;y;1;9\n".replace("900;y;1;9\n", "") + "1800;y;1;9\n";
        // The bin of x at 900 s spends the same time in both, and that at 0 s is the same.
        let compared = compare(a, &b, 2).unwrap();
        assert_eq!((compared.first[0].link.as_str(), compared.first[0].bin_s), ("x", 1800.0));
        let only_volume = compare("0;x;1;5\n900;x;10;30\n", "0;x;1;5\n900;x;20;15\n", 1).unwrap();
        assert_eq!(only_volume.first[0].bin_s, 900.0);
        let back_and_forth = compare("0;x;1;9\n0;y;1;9\n900;x;1;9\n", "0;x;1;5\n0;y;1;8\n900;x;1;13\n", 1).unwrap();
        assert_eq!(back_and_forth.first[0].link, "x");
    }

    #[test]
    fn damaged_tables_are_placed() {
        for bad in
            ["x;a;1;2", "0;;1;2", "0;a;-3;2", "0;a;1e30;2", "0;a;4294967296;2", "0;a;1;x", "0;a;1;-2", "0;a;1;NaN"]
        {
            let error = compare(&format!("0;z;1;2\n{bad}\n"), "", 1).unwrap_err();
            assert!(error.contains("a.csv:3: the row has no link, or a time, volume"), "{bad}: {error}");
        }
        let twice = compare("", "0;a;1;2\n0;a;2;2\n", 1).unwrap_err();
        assert!(twice.contains("the link has another row of this time"), "{twice}");
        let unsorted = compare("900;a;1;2\n0;a;2;2\n", "", 1).unwrap_err();
        assert!(unsorted.contains("a.csv:3: the time is before that of the previous row"), "{unsorted}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.csv");
        for (text, expected) in [
            ("", "c.csv: the file is empty"),
            ("link;volume\n", "c.csv:1: this is no table of links, which has the columns time_start_s"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = compare_links(&path, &path, 1).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
