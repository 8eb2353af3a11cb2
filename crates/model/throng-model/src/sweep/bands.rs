//! How values spread over the replicates of each parameter set, for tables and the report.

use std::collections::BTreeMap;

use throng_output::svg::Band;

use super::effect::Extremes;
use super::layout::Layout;
use super::moments::Moments;
use super::quantiles::{MIN_FOR_QUARTILES, quantiles};
use super::tables::places;
use crate::{Measured, Quantity};

/// Parameter sets whose figures are shown.
pub(super) const MAX_SETS: usize = 1000;
/// Parameter sets whose series are shown.
pub(super) const MAX_SERIES: usize = 24;
/// Rows of a series that are shown.
const MAX_ROWS: usize = 200;

/// How the values of a figure spread over the runs of a parameter set.
#[derive(Debug, Clone, Default)]
pub(super) struct Spread {
    pub moments: Moments,
    pub quantiles: [f64; 5],
    /// The values themselves, where they are too few for quartiles.
    pub values: Vec<f64>,
}

impl Spread {
    /// Of these values; those that are not finite are left out.
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let (moments, quantiles) = (Moments::of(values.iter().copied()), quantiles(values.iter().copied()));
        if values.len() >= MIN_FOR_QUARTILES {
            values = Vec::new();
        }
        Self { moments, quantiles, values }
    }

    /// The spread as a band of a chart.
    pub fn band(&self, x: f64) -> Band {
        Band { x, quantiles: self.quantiles, mean: self.moments.interval() }
    }
}

/// Of a parameter set, the spread of each figure.
pub(super) fn spreads(layout: &Layout, runs: &[&Measured]) -> Vec<Spread> {
    let of_figure =
        |(quantity, _): &(Quantity, String)| Spread::of(runs.iter().filter_map(|measured| measured.figure(quantity)));
    layout.figures.0.iter().map(of_figure).collect()
}

/// A column of the series of a parameter set.
#[derive(Debug, Clone, Default)]
pub(super) struct SeriesBands {
    /// How the values spread at each row.
    pub bands: Vec<Band>,
    /// The runs themselves, where they are too few for quartiles.
    pub runs: Vec<Vec<(f64, f64)>>,
    /// The last value of each run.
    pub at_end: Moments,
}

/// How values spread in the parameter sets, in their order.
#[derive(Debug, Clone, Default)]
pub(super) struct Bands {
    /// The runs of each set that did not fail.
    pub runs: Vec<usize>,
    /// Of each set, the spread of each figure.
    pub figures: Vec<Vec<Spread>>,
    /// Of each set, each column of the series.
    pub series: Vec<Vec<SeriesBands>>,
    /// Whether runs of the same set have series of different lengths.
    pub lengths_differ: bool,
    /// The extremes of each figure in all sets, also those that are not shown.
    pub extremes: Vec<Extremes>,
    /// The number of all sets.
    pub sets: usize,
}

impl Bands {
    /// Adds the next parameter set.
    pub fn add(&mut self, layout: &Layout, runs: &[&Measured], spreads: Vec<Spread>) {
        self.extremes.resize_with(spreads.len(), Extremes::default);
        for (extremes, spread) in self.extremes.iter_mut().zip(&spreads) {
            extremes.add(self.sets, &spread.moments, runs.len());
        }
        self.sets += 1;
        if self.figures.len() == MAX_SETS {
            return;
        }
        self.figures.push(spreads);
        self.runs.push(runs.len());
        if self.series.len() < MAX_SERIES && layout.over.is_some() {
            self.series.push(series_bands(layout, runs));
            let mut lengths = runs.iter().map(|measured| measured.series.rows.len()).filter(|&rows| rows > 0);
            let first = lengths.next();
            self.lengths_differ |= lengths.any(|rows| Some(rows) != first);
        }
    }
}

/// Each column of the series.
fn series_bands(layout: &Layout, runs: &[&Measured]) -> Vec<SeriesBands> {
    // By the bits of the row's number: numbers below zero do not occur, and others are ordered like their bits.
    let mut rows: BTreeMap<u64, Vec<Vec<f64>>> = BTreeMap::new();
    let columns = layout.series.0.len();
    let places_of: Vec<Vec<Option<usize>>> = runs.iter().map(|measured| places(&layout.series, measured)).collect();
    for (measured, places) in runs.iter().zip(&places_of) {
        for (at, values) in &measured.series.rows {
            let row = rows.entry(at.max(0.0).to_bits()).or_insert_with(|| vec![Vec::new(); columns]);
            for (column, place) in row.iter_mut().zip(places) {
                column.extend(place.and_then(|place| values.get(place)));
            }
        }
    }
    // The first and the last row are among those shown.
    let last = rows.len().saturating_sub(1);
    let step = last.div_ceil(MAX_ROWS).max(1);
    let shown: Vec<(f64, Vec<Vec<f64>>)> = rows
        .into_iter()
        .enumerate()
        .filter(|(number, _)| number % step == 0 || *number == last)
        .map(|(_, (bits, row))| (f64::from_bits(bits), row))
        .collect();
    let of_column = |column: usize| {
        let of_row = |row: &Vec<Vec<f64>>| Spread::of(row[column].iter().copied());
        let bands = shown.iter().map(|(x, row)| of_row(row).band(*x)).collect();
        let is_shown = |at: f64| shown.binary_search_by(|(x, _)| x.total_cmp(&at.max(0.0))).is_ok();
        let values = |run: usize, rows: &[(f64, Vec<f64>)]| -> Vec<(f64, f64)> {
            let value = |values: &Vec<f64>| values.get(places_of[run][column]?).copied();
            rows.iter().map(|(at, row)| (*at, value(row).unwrap_or(f64::NAN))).collect()
        };
        let of_run = |(run, measured): (usize, &&Measured)| -> Vec<(f64, f64)> {
            values(run, &measured.series.rows).into_iter().filter(|(at, _)| is_shown(*at)).collect()
        };
        let last = |(run, measured): (usize, &&Measured)| {
            let rows = &measured.series.rows;
            values(run, &rows[rows.len().saturating_sub(1)..]).last().map(|(_, value)| *value)
        };
        let at_end = Moments::of(runs.iter().enumerate().filter_map(last));
        let is_few = runs.len() < MIN_FOR_QUARTILES;
        let shown_runs = runs.iter().enumerate().filter(|_| is_few);
        SeriesBands { bands, runs: shown_runs.map(of_run).collect(), at_end }
    };
    (0..columns).map(of_column).collect()
}
