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
/// assert_eq!(throng_matsim::compare::geh([100, 150]), 20.0_f64.sqrt());
/// ```
pub fn geh([a, b]: [u64; 2]) -> f64 {
    let difference = a.abs_diff(b) as f64;
    if difference == 0.0 { 0.0 } else { (2.0 * difference * difference / (a as f64 + b as f64)).sqrt() }
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
                of_hours.rev().max_by(|(_, a), (_, b)| geh(*a).total_cmp(&geh(*b)))
            } else {
                Some((None, *day))
            };
            if let Some((hour_s, vehicles)) = of_link.filter(|(_, vehicles)| vehicles[0] != vehicles[1]) {
                largest.push(LargestGeh { link: (*link).to_owned(), hour_s, vehicles, geh: geh(vehicles) });
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
            below_5: pairs.iter().filter(|pair| geh(**pair) < 5.0).count() as f64 / number,
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
