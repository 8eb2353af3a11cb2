//! Distributions of values over the replicates of each parameter set, for tables and the report.

use std::collections::BTreeMap;

use throng_output::svg::Band;

use super::effect::Extremes;
use super::layout::Layout;
use super::moments::Moments;
use super::quantiles::{MIN_FOR_QUARTILES, quantiles};
use super::tables::places;
use crate::{Measured, Quantity};

/// Maximum number of parameter sets whose figures are shown.
pub(super) const MAX_SETS: usize = 1000;
/// Maximum number of parameter sets whose series are shown.
pub(super) const MAX_SERIES: usize = 24;
/// Approximate maximum number of rows shown of a series.
const MAX_ROWS: usize = 200;

/// The distribution of a figure over the runs of a parameter set.
#[derive(Debug, Clone, Default)]
pub(super) struct Spread {
    pub moments: Moments,
    pub quantiles: [f64; 5],
    /// The values themselves, if there are too few for quartiles; else empty.
    pub values: Vec<f64>,
}

impl Spread {
    /// Computes the distribution; values that are not finite are ignored.
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let (moments, quantiles) = (Moments::of(values.iter().copied()), quantiles(values.iter().copied()));
        if values.len() >= MIN_FOR_QUARTILES {
            values = Vec::new();
        }
        Self { moments, quantiles, values }
    }

    /// Returns the distribution as a band of a chart.
    pub fn band(&self, x: f64) -> Band {
        Band { x, quantiles: self.quantiles, mean: self.moments.interval() }
    }
}

/// Returns the distribution of each figure in a parameter set.
pub(super) fn spreads(layout: &Layout, runs: &[&Measured]) -> Vec<Spread> {
    let of_figure =
        |(quantity, _): &(Quantity, String)| Spread::of(runs.iter().filter_map(|measured| measured.figure(quantity)));
    layout.figures.0.iter().map(of_figure).collect()
}

/// The distributions of a column of the series of a parameter set.
#[derive(Debug, Clone, Default)]
pub(super) struct SeriesBands {
    /// Distribution of the values in each row.
    pub bands: Vec<Band>,
    /// The runs themselves, if there are too few for quartiles; else empty.
    pub runs: Vec<Vec<(f64, f64)>>,
    /// Moments of the last value of each run.
    pub at_end: Moments,
}

/// The distributions, in the order of the parameter sets.
#[derive(Debug, Clone, Default)]
pub(super) struct Bands {
    /// Number of successful runs per set.
    pub runs: Vec<usize>,
    /// Distribution of each figure, per set.
    pub figures: Vec<Vec<Spread>>,
    /// Distributions of each series column, per set.
    pub series: Vec<Vec<SeriesBands>>,
    /// Whether runs of the same set have series of different lengths.
    pub lengths_differ: bool,
    /// Extremes of each figure over all sets, including those that are not shown.
    pub extremes: Vec<Extremes>,
    /// Total number of sets.
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

/// Returns the distributions of each column of the series.
fn series_bands(layout: &Layout, runs: &[&Measured]) -> Vec<SeriesBands> {
    // Keyed by the bits of the row number: non-negative floats are ordered like their bits, and negative ones do not
    // occur.
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
    // The first and the last row are always shown.
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
