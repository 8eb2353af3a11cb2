//! Comparison of trip tables, `output_trips.csv` of Throng or MATSim: mode shares, trip times and distances.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use throng_core::Alignment::Left;
use throng_core::{InputError, clock, text_table};

use super::change::{change, mean, percentile};
use super::rows::Rows;
use crate::formats::value::number;

/// The result of comparing the trip tables of two runs, A and B. Its `Display` text is the report for users.
#[derive(Debug, Clone, PartialEq)]
pub struct TripComparison {
    /// All trips in A and B.
    pub all: [TripStatistics; 2],
    /// Trips by main mode in A and B, sorted by mode.
    pub modes: Vec<(String, [TripStatistics; 2])>,
}

/// Statistics of trips. Without trips of known duration, all but their number and share are NaN.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TripStatistics {
    /// Number of trips.
    pub trips: u64,
    /// Fraction of all trips; NaN if there are none.
    pub share: f64,
    /// Mean trip time, in seconds.
    pub mean_s: f64,
    /// Shortest time that at least half of the trips do not exceed, in seconds.
    pub median_s: f64,
    /// Shortest time that at least 90 % of the trips do not exceed, in seconds.
    pub percentile_90_s: f64,
    /// Mean distance, in metres.
    pub mean_distance_m: f64,
    /// Number of trips by time: one class per [`TIME_CLASS_S`]; the last class is open.
    pub times: Vec<u64>,
}

/// Width of the classes of [`TripStatistics::times`], seconds.
pub const TIME_CLASS_S: f64 = 300.0;
/// Number of classes of [`TripStatistics::times`].
const TIME_CLASSES: usize = 37;

/// Compares the trip tables of two runs, plain or compressed.
///
/// The mode of a trip is its main mode or, where the table has none, the most important of its modes. Trips without a
/// duration count, but not in times and distances.
///
/// # Errors
/// If a file cannot be read or is not a trip table.
pub fn compare_trips(a: &Path, b: &Path) -> Result<TripComparison, InputError> {
    let tables = [read(a)?, read(b)?];
    let total = tables.each_ref().map(|modes| modes.values().map(|trips| trips.number).sum::<u64>());
    let mut all: [Trips; 2] = Default::default();
    let mut modes: BTreeMap<String, [Trips; 2]> = BTreeMap::new();
    for (side, table) in tables.into_iter().enumerate() {
        for (mode, trips) in table {
            all[side].number += trips.number;
            all[side].times_s.extend(&trips.times_s);
            all[side].distances_m.extend(&trips.distances_m);
            modes.entry(mode).or_default()[side] = trips;
        }
    }
    let finish = |trips: [Trips; 2]| {
        let mut total = total.iter();
        trips.map(|trips| trips.finish(total.next().copied().unwrap_or(0)))
    };
    Ok(TripComparison {
        all: finish(all),
        modes: modes.into_iter().map(|(mode, trips)| (mode, finish(trips))).collect(),
    })
}

/// Times and distances of the trips of a mode.
#[derive(Debug, Default)]
struct Trips {
    /// Number of trips, including those of unknown duration.
    number: u64,
    times_s: Vec<f64>,
    distances_m: Vec<f64>,
}

impl Trips {
    fn finish(mut self, total: u64) -> TripStatistics {
        let mut times = vec![0; TIME_CLASSES];
        for time_s in &self.times_s {
            times[((time_s / TIME_CLASS_S) as usize).min(TIME_CLASSES - 1)] += 1;
        }
        TripStatistics {
            trips: self.number,
            share: self.number as f64 / total as f64,
            mean_s: mean(&self.times_s),
            median_s: percentile(&mut self.times_s, 50),
            percentile_90_s: percentile(&mut self.times_s, 90),
            mean_distance_m: mean(&self.distances_m),
            times,
        }
    }
}

fn read(path: &Path) -> Result<BTreeMap<String, Trips>, InputError> {
    let mut rows = Rows::open(path, ["trav_time", "traveled_distance", "modes", "main_mode"], 3)?;
    let mut modes: BTreeMap<String, Trips> = BTreeMap::new();
    while let Some([time, distance, legs, main_mode]) = rows.next_row()? {
        // MATSim's times that are not known.
        let is_known = !matches!(time.trim(), "" | "-" | "undefined" | "null");
        let time_s = clock::parse(&time).ok().flatten().filter(|&time_s| time_s >= 0.0);
        let mode =
            if main_mode.is_empty() { throng_traffic_scenario::main_mode(legs.split('-')) } else { Some(&*main_mode) };
        let mode = mode.filter(|mode| !mode.is_empty()).ok_or_else(|| rows.wrong(2, &legs))?;
        if !modes.contains_key(mode) {
            modes.insert(mode.to_owned(), Trips::default());
        }
        let Some(trips) = modes.get_mut(mode) else { continue };
        trips.number += 1;
        if is_known {
            let distance_m = number(&distance).filter(|distance_m| distance_m.is_finite());
            trips.times_s.push(time_s.ok_or_else(|| rows.wrong(0, &time))?);
            trips.distances_m.push(distance_m.ok_or_else(|| rows.wrong(1, &distance))?);
        }
    }
    Ok(modes)
}

impl TripComparison {
    /// Returns the table of numbers, shares and distances, and the table of times, each with its titles.
    pub(super) fn tables(&self) -> (Vec<[String; 4]>, Vec<[String; 4]>) {
        let mut numbers = vec![["main mode", "trips", "share, %", "mean distance, km"].map(str::to_owned)];
        let mut times = vec![["main mode", "mean trip time, min", "median", "90 % within"].map(str::to_owned)];
        let all = std::iter::once(("all", &self.all));
        for (mode, sides) in all.chain(self.modes.iter().map(|(mode, sides)| (mode.as_str(), sides))) {
            let both = |value: fn(&TripStatistics) -> f64, digits| change(sides.each_ref().map(value), digits);
            numbers.push([
                mode.to_owned(),
                both(|trips| trips.trips as f64, 0),
                both(|trips| 100.0 * trips.share, 1),
                both(|trips| trips.mean_distance_m / 1000.0, 2),
            ]);
            times.push([
                mode.to_owned(),
                both(|trips| trips.mean_s / 60.0, 1),
                both(|trips| trips.median_s / 60.0, 1),
                both(|trips| trips.percentile_90_s / 60.0, 1),
            ]);
        }
        (numbers, times)
    }
}

impl fmt::Display for TripComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (numbers, times) = self.tables();
        writeln!(f, "{}\n{}", text_table(&numbers, &[Left]), text_table(&times, &[Left]).trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "person;trip_id;trav_time;traveled_distance;main_mode;modes\n";

    fn compare(a: &str, b: &str) -> Result<TripComparison, String> {
        let folder = tempfile::tempdir().unwrap();
        let paths = [folder.path().join("a.csv"), folder.path().join("b.csv")];
        for (path, rows) in paths.iter().zip([a, b]) {
            std::fs::write(path, HEAD.to_owned() + rows).unwrap();
        }
        compare_trips(&paths[0], &paths[1]).map_err(|error| error.to_string())
    }

    #[test]
    fn shares_times_and_distances_are_those_of_the_tables() {
        let a = "1;1_1;00:10:00;5000;car;car\n1;1_2;00:20:00;7000;car;car\n2;2_1;00:30:00;1000;;walk\n\
                 3;3_1;01:00:00;9000;;walk-pt-walk\n";
        let b = "1;1_1;00:05:00;5000;car;car\n1;1_2;00:20:00;7000;bike;bike\n2;2_1;25:00:30;1000;;access_walk\n";
        let compared = compare(a, b).unwrap();
        let modes: Vec<_> =
            compared.modes.iter().map(|(mode, sides)| (mode.as_str(), sides.each_ref().map(|of| of.trips))).collect();
        let expected = [("access_walk", [0, 1]), ("bike", [0, 1]), ("car", [2, 1]), ("pt", [1, 0]), ("walk", [1, 0])];
        assert_eq!(modes, expected);
        let car = &compared.modes[2].1;
        assert_eq!(car.each_ref().map(|of| of.share), [0.5, 1.0 / 3.0]);
        assert_eq!((car[0].mean_s, car[0].median_s, car[0].percentile_90_s), (900.0, 600.0, 1200.0));
        assert_eq!((car[0].mean_distance_m, car[1].mean_distance_m), (6000.0, 5000.0));
        assert_eq!(compared.all[0].mean_s, (600.0 + 1200.0 + 1800.0 + 3600.0) / 4.0);
        assert_eq!((compared.all[0].times[2], compared.all[1].times[36]), (1, 1));
        let text = compared.to_string();
        assert!(text.contains("  50.0 -> 33.3 (-16.67)  6.00 -> 5.00 (-1.000)\n"), "{text}");
        assert!(text.contains("\npt           60.0 -> -                60.0 -> - "), "{text}");
    }

    #[test]
    fn identical_tables_have_no_change() {
        let rows = "1;1_1;00:10:00;5000;car;car\n2;2_1;00:31:00;1500;walk;walk\n";
        let compared = compare(rows, rows).unwrap();
        assert!(compared.modes.iter().map(|(_, sides)| sides).chain([&compared.all]).all(|[a, b]| a == b));
        let text = compared.to_string();
        assert!(!text.contains("(+") && !text.contains("(-") && text.contains("2 -> 2 (0)"), "{text}");
        assert_eq!(compare("", "").unwrap().modes.len(), 0);
    }

    #[test]
    fn trips_without_a_duration_count_only_as_trips() {
        let rows = "1;1_1;00:10:00;5000;car;car\n1;1_2;undefined;NaN;car;car\n2;2_1;;0;;walk-car\n3;3_1;-;;;walk\n";
        let compared = compare(rows, "").unwrap();
        let [car, walk] = [0, 1].map(|mode| &compared.modes[mode].1[0]);
        assert_eq!((car.trips, car.share, car.mean_s, car.mean_distance_m), (3, 0.75, 600.0, 5000.0));
        assert_eq!((walk.trips, walk.share, walk.times.iter().sum::<u64>()), (1, 0.25, 0));
        assert!(walk.mean_s.is_nan() && walk.median_s.is_nan());
        assert_eq!(compared.all[0].trips, 4);
    }

    #[test]
    fn wrong_cells_are_reported_with_their_line() {
        for (row, expected) in [
            ("1;1_1;soon;5;car;car", "trav_time is \"soon\""),
            ("1;1_1;-00:00:01;5;car;car", "trav_time is \"-00:00:01\""),
            ("1;1_1;00:00:01;NaN;car;car", "traveled_distance is \"NaN\""),
            ("1;1_1;00:00:01;x;car;car", "traveled_distance is \"x\""),
            ("1;1_1;00:00:01;5", "modes is \"\""),
        ] {
            let error = compare("", &format!("1;1_1;00:10:00;5000;car;car\n\n{row}\n")).unwrap_err();
            assert!(error.contains(&format!("b.csv:4: {expected}")) && error.contains('\n'), "{row}: {error}");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.csv");
        std::fs::write(&path, "person;trav_time;modes\n").unwrap();
        let error = compare_trips(&path, &path).unwrap_err().to_string();
        assert!(error.contains("c.csv:1: there is no column traveled_distance\n"), "{error}");
    }
}
