//! Agreement of the link volumes of two runs, per hour and over the day.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use throng_core::Alignment::{Left, Right};
use throng_core::{clock, text_table};

use super::change::change;

/// The volumes of two runs, A and B. Its `Display` text is the report for users.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VolumeComparison {
    /// Volumes per hour; `None` if a time bin is not part of one hour.
    pub hours: Option<Agreement>,
    /// Volumes of the day.
    pub day: Agreement,
    /// The links with the largest GEH in any hour, largest first; of the day if there are no volumes per hour.
    pub largest: Vec<LargestGeh>,
    /// Travel time on all links beyond that in the fastest time bin of the link in A or B, in seconds; `None` if a run
    /// has no travel times.
    pub lost_s: Option<[f64; 2]>,
    /// The distinct pairs of volumes, per hour or of the day as above.
    pub pairs: BTreeSet<[u64; 2]>,
}

/// How well two sets of volumes agree. A volume belongs to a link, or to a link and an hour; it counts if vehicles left
/// the link in A or B.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Agreement {
    /// Number of volumes.
    pub volumes: u64,
    /// Sums of the volumes in A and B.
    pub vehicles: [u64; 2],
    /// Fraction of volumes with a [GEH](geh) below 5; NaN without volumes.
    pub below_5: f64,
    /// Square of the correlation coefficient; NaN if all volumes of a run are the same.
    pub r2: f64,
    /// Mean of |B - A| / A over the volumes with vehicles in A; NaN without any.
    pub mean_relative_error: f64,
}

/// A link with a large GEH.
#[derive(Debug, Clone, PartialEq)]
pub struct LargestGeh {
    /// Id of the link.
    pub link: String,
    /// Start of the hour, in seconds of the day; `None` for the day.
    pub hour_s: Option<f64>,
    /// Number of vehicles in A and B.
    pub vehicles: [u64; 2],
    /// The GEH of these volumes.
    pub geh: f64,
}

/// Number of [`VolumeComparison::largest`] links.
const LARGEST: usize = 10;

/// Returns the GEH statistic of two volumes: sqrt(2 (b - a)^2 / (a + b)), 0 if both are 0. It is meant for volumes per
/// hour.
///
/// ```
/// assert_eq!(throng_matsim::compare::geh([100.0, 150.0]), 20.0_f64.sqrt());
/// ```
pub fn geh([a, b]: [f64; 2]) -> f64 {
    let difference = a - b;
    if difference == 0.0 { 0.0 } else { (2.0 * difference * difference / (a + b)).sqrt() }
}

/// Limit of the GEH of volumes that agree.
pub const CLOSE_GEH: f64 = 5.0;

fn geh_of(vehicles: [u64; 2]) -> f64 {
    geh(vehicles.map(|vehicles| vehicles as f64))
}

/// The volumes of a link by hour, A and B.
pub(super) type Hours = BTreeMap<i64, [u64; 2]>;

impl VolumeComparison {
    /// Compares the volumes of all links, sorted by name.
    pub(super) fn of(links: &[(&str, &Hours)], has_hours: bool, lost_s: Option<[f64; 2]>) -> Self {
        let day = |hours: &Hours| hours.values().fold([0; 2], |[a, b], of_hour| [a + of_hour[0], b + of_hour[1]]);
        let days: Vec<[u64; 2]> = links.iter().map(|(_, hours)| day(hours)).collect();
        let hours: Vec<[u64; 2]> = links.iter().flat_map(|(_, hours)| hours.values().copied()).collect();
        let mut largest: Vec<LargestGeh> = Vec::new();
        for ((link, hours), day) in links.iter().zip(&days) {
            let of_hours = hours.iter().map(|(&hour, &vehicles)| (Some(hour as f64 * 3600.0), vehicles));
            // Ties go to the first hour.
            let of_link = if has_hours {
                of_hours.rev().max_by(|(_, a), (_, b)| geh_of(*a).total_cmp(&geh_of(*b)))
            } else {
                Some((None, *day))
            };
            if let Some((hour_s, vehicles)) = of_link.filter(|(_, vehicles)| vehicles[0] != vehicles[1]) {
                largest.push(LargestGeh { link: (*link).to_owned(), hour_s, vehicles, geh: geh_of(vehicles) });
            }
        }
        largest.sort_by(|a, b| b.geh.total_cmp(&a.geh));
        largest.truncate(LARGEST);
        Self {
            day: Agreement::of(&days),
            hours: has_hours.then(|| Agreement::of(&hours)),
            largest,
            lost_s,
            pairs: if has_hours { hours } else { days }.into_iter().collect(),
        }
    }

    /// Returns the rows of the agreement: title, per hour, over the day.
    pub(super) fn table(&self) -> Vec<[String; 3]> {
        let row = |title: &str, text: &dyn Fn(&Agreement) -> String| {
            [title.to_owned(), self.hours.as_ref().map_or_else(|| "-".to_owned(), text), text(&self.day)]
        };
        let number =
            |value: f64, digits: usize| if value.is_nan() { "-".to_owned() } else { format!("{value:.digits$}") };
        vec![
            row("volumes in A or B", &|of| of.volumes.to_string()),
            row("GEH below 5, %", &|of| number(100.0 * of.below_5, 1)),
            row("R2", &|of| number(of.r2, 4)),
            row("mean relative error, %", &|of| number(100.0 * of.mean_relative_error, 1)),
        ]
    }

    /// Returns the rows of the links with the largest GEH: link, hour, vehicles and GEH.
    pub(super) fn largest_rows(&self) -> Vec<[String; 4]> {
        let row = |largest: &LargestGeh| {
            let hour = largest.hour_s.map_or_else(|| "day".to_owned(), clock::minutes);
            let [a, b] = largest.vehicles;
            [largest.link.clone(), hour, format!("{a} -> {b}"), format!("{:.1}", largest.geh)]
        };
        self.largest.iter().map(row).collect()
    }

    /// Returns the number of vehicles and the lost time in A and B.
    pub(super) fn totals(&self) -> Vec<[String; 2]> {
        let vehicles = change(self.day.vehicles.map(|vehicles| vehicles as f64), 0);
        let mut rows = vec![["vehicles, sum over links".to_owned(), vehicles]];
        if let Some(lost_s) = self.lost_s {
            rows.push(["time lost on links, h".to_owned(), change(lost_s.map(|lost_s| lost_s / 3600.0), 1)]);
        }
        rows
    }
}

impl Agreement {
    fn of(pairs: &[[u64; 2]]) -> Self {
        let number = pairs.len() as f64;
        let vehicles = pairs.iter().fold([0; 2], |[a, b], pair| [a + pair[0], b + pair[1]]);
        let mean = vehicles.map(|sum| sum as f64 / number);
        let (mut squares, mut products) = ([0.0; 2], 0.0);
        let (mut relative, mut with_a) = (0.0, 0.0);
        for &pair in pairs {
            let [a, b] = [0, 1].map(|side| pair[side] as f64 - mean[side]);
            squares = [squares[0] + a * a, squares[1] + b * b];
            products += a * b;
            if pair[0] > 0 {
                relative += pair[0].abs_diff(pair[1]) as f64 / pair[0] as f64;
                with_a += 1.0;
            }
        }
        Self {
            volumes: pairs.len() as u64,
            vehicles,
            below_5: pairs.iter().filter(|pair| geh_of(**pair) < CLOSE_GEH).count() as f64 / number,
            r2: products * products / (squares[0] * squares[1]),
            mean_relative_error: relative / with_a,
        }
    }
}

impl fmt::Display for VolumeComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = vec![["link volumes", "per hour", "per day"].map(str::to_owned)];
        rows.extend(self.table().into_iter().map(|[title, hours, day]| [format!("  {title}"), hours, day]));
        f.write_str(&text_table(&rows, &[Left, Right, Right]))?;
        let totals: Vec<_> = self.totals().into_iter().map(|[title, change]| [format!("  {title}"), change]).collect();
        f.write_str(&text_table(&totals, &[Left]))?;
        if self.largest.is_empty() {
            return Ok(());
        }
        let mut rows = vec![["  largest GEH on link", "hour", "vehicles", "GEH"].map(str::to_owned)];
        rows.extend(
            self.largest_rows()
                .into_iter()
                .map(|[link, hour, vehicles, geh]| [format!("  {link}"), hour, vehicles, geh]),
        );
        f.write_str(&text_table(&rows, &[Left, Left, Left, Right]))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fmt::Write as _;

    use crate::compare::compare_links;

    use super::*;

    /// Bin, link, volume, traversals and mean travel time.
    type Row = (u32, u32, u32, u32, u32);

    /// Writes two tables and compares them.
    fn compare(tables: [&[Row]; 2], bin_s: u32, has_times: bool) -> VolumeComparison {
        let folder = tempfile::tempdir().unwrap();
        let paths = tables.map(|rows| {
            let path = folder.path().join(format!("{}.csv", folder.path().read_dir().unwrap().count()));
            let mut text = "time_start_s;time_end_s;link;volume".to_owned();
            text += if has_times { ";traversals;mean_travel_time_s\n" } else { "\n" };
            for &(bin, link, volume, traversals, mean_s) in rows {
                write!(text, "{};{};l{link};{volume}", bin * bin_s, (bin + 1) * bin_s).unwrap();
                if has_times {
                    write!(text, ";{traversals};{mean_s}").unwrap();
                }
                text.push('\n');
            }
            std::fs::write(&path, text).unwrap();
            path
        });
        compare_links(&paths[0], &paths[1], 3).unwrap().volumes
    }

    /// Returns the same random table as before for the same number.
    fn random_table(number: u64) -> Vec<(u32, u32, u32, u32, u32)> {
        let mut state = number;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % limit) as u32
        };
        let mut rows = Vec::new();
        for bin in 24..40 {
            for link in 0..30 {
                if below(4) > 0 {
                    let volume = 1 + below(60) + 3 * link;
                    rows.push((bin, link, volume, below(2) * volume, 10 + below(50)));
                }
            }
        }
        rows
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
    }

    /// Recomputes the agreement of a list of pairs, with other formulas: moments instead of deviations from the mean.
    fn assert_agrees(agreement: &Agreement, pairs: &[[f64; 2]]) {
        let n = pairs.len() as f64;
        let sum = |of: fn(&[f64; 2]) -> f64| pairs.iter().map(of).sum::<f64>();
        let covariance = n * sum(|[a, b]| a * b) - sum(|[a, _]| *a) * sum(|[_, b]| *b);
        let variances = [
            n * sum(|[a, _]| a * a) - sum(|[a, _]| *a) * sum(|[a, _]| *a),
            n * sum(|[_, b]| b * b) - sum(|[_, b]| *b) * sum(|[_, b]| *b),
        ];
        let correlation = covariance / (variances[0].sqrt() * variances[1].sqrt());
        assert!(close(agreement.r2, correlation * correlation), "{agreement:?}");
        // GEH < 5 is the same as (a - b)^2 < 12.5 (a + b).
        let below_5 = pairs.iter().filter(|[a, b]| (a - b) * (a - b) < 12.5 * (a + b)).count() as f64;
        assert!(close(agreement.below_5, below_5 / n) && below_5 > 0.0 && below_5 < n, "{agreement:?}");
        let relative: Vec<f64> = pairs.iter().filter(|[a, _]| *a > 0.0).map(|[a, b]| (b / a - 1.0).abs()).collect();
        assert!(close(agreement.mean_relative_error, relative.iter().sum::<f64>() / relative.len() as f64));
        assert_eq!(agreement.volumes, pairs.len() as u64);
    }

    #[test]
    fn the_agreement_is_that_of_the_two_tables() {
        let tables = [random_table(1), random_table(2)];
        let compared = compare([&tables[0], &tables[1]], 900, true);
        let (mut hours, mut days) = (BTreeMap::<(u32, u32), [f64; 2]>::new(), BTreeMap::<u32, [f64; 2]>::new());
        for (side, table) in tables.iter().enumerate() {
            for &(bin, link, volume, ..) in table {
                hours.entry((link, bin / 4)).or_default()[side] += f64::from(volume);
                days.entry(link).or_default()[side] += f64::from(volume);
            }
        }
        let pairs: Vec<[f64; 2]> = hours.values().copied().collect();
        assert_agrees(&compared.hours.unwrap(), &pairs);
        let of_days: Vec<[f64; 2]> = days.values().copied().collect();
        assert_agrees(&compared.day, &of_days);
        assert_eq!(compared.largest.len(), LARGEST);
        let mut largest = 0.0_f64;
        for [a, b] in pairs {
            largest = largest.max((a - b).abs() / (0.5 * (a + b)).sqrt());
        }
        assert!(close(compared.largest[0].geh, largest), "{:?}", compared.largest);
        assert!(compared.largest.is_sorted_by(|a, b| a.geh >= b.geh));
        // The lost time, link by link.
        let all = || tables.iter().flatten().filter(|row| row.3 > 0);
        let lost_s = tables.each_ref().map(|table| {
            let of_row = |&(_, link, _, traversals, mean_s): &(u32, u32, u32, u32, u32)| {
                let fastest_s = all().filter(|row| row.1 == link).map(|row| row.4).min().unwrap();
                u64::from(traversals) * u64::from(mean_s - fastest_s)
            };
            table.iter().filter(|row| row.3 > 0).map(of_row).sum::<u64>() as f64
        });
        assert!(compared.lost_s.unwrap().iter().zip(lost_s).all(|(a, b)| close(*a, b)), "{lost_s:?}");
    }

    #[test]
    fn identical_volumes_agree_entirely() {
        let table = random_table(3);
        let compared = compare([&table, &table], 900, true);
        for agreement in [compared.hours.unwrap(), compared.day] {
            assert_eq!((agreement.below_5, agreement.mean_relative_error), (1.0, 0.0));
            assert!(close(agreement.r2, 1.0) && agreement.vehicles[0] == agreement.vehicles[1]);
        }
        assert!(compared.largest.is_empty() && compared.pairs.iter().all(|[a, b]| a == b));
        let text = compared.to_string();
        assert!(!text.contains("(+") && !text.contains("(-") && text.contains("100.0"), "{text}");
    }

    #[test]
    fn links_with_traffic_in_one_run_only_count() {
        let compared = compare([&[(0, 1, 8, 0, 0)], &[(0, 2, 50, 0, 0), (1, 1, 8, 0, 0)]], 3600, false);
        let hours = compared.hours.unwrap();
        assert_eq!((hours.volumes, hours.vehicles, hours.mean_relative_error), (3, [8, 58], 1.0));
        assert_eq!((compared.day.volumes, compared.day.mean_relative_error, compared.lost_s), (2, 0.0, None));
        let largest: Vec<_> = compared.largest.iter().map(|of| (of.link.as_str(), of.hour_s, of.geh)).collect();
        // sqrt(2 50^2 / 50) = 10; the link l1 has the same GEH in both hours.
        assert_eq!(largest, [("l2", Some(0.0), 10.0), ("l1", Some(0.0), 4.0)]);
    }

    #[test]
    fn bins_across_hours_have_volumes_of_the_day_only() {
        let compared = compare([&[(5, 1, 8, 8, 9)], &[(5, 1, 2, 2, 9)]], 700, true);
        assert!(compared.hours.is_none() && compared.day.vehicles == [8, 2]);
        assert_eq!(compared.largest[0].hour_s, None);
        assert!(compared.to_string().contains("  volumes in A or B              -        1\n"), "{compared}");
    }
}
