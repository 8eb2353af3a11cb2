//! Quantiles over the replicates of each parameter set, for the report.

use std::collections::BTreeMap;

use throng_output::svg::Band;

use super::layout::Layout;
use super::quantiles::quantiles;
use super::tables::places;
use crate::{Measured, Quantity};

/// Parameter sets whose figures are shown.
pub(super) const MOST_SETS: usize = 1000;
/// Parameter sets whose series are shown.
pub(super) const MOST_SERIES: usize = 24;
/// Rows of a series that are shown.
const MOST_ROWS: usize = 200;

/// The quantiles of the parameter sets, in their order.
#[derive(Debug, Clone, Default)]
pub(super) struct Bands {
    /// The runs of each set that did not fail.
    pub runs: Vec<usize>,
    /// Of each set, the quantiles of each figure.
    pub figures: Vec<Vec<[f64; 5]>>,
    /// Of each set, the bands of each series.
    pub series: Vec<Vec<Vec<Band>>>,
}

impl Bands {
    /// Adds the next parameter set.
    pub fn add<'m>(&mut self, layout: &Layout, runs: impl Iterator<Item = &'m Measured>) {
        if self.figures.len() == MOST_SETS {
            return;
        }
        let runs: Vec<&Measured> = runs.collect();
        let of_figure = |(quantity, _): &(Quantity, String)| {
            let value = |measured: &&Measured| measured.figure(quantity);
            quantiles(runs.iter().filter_map(value))
        };
        self.figures.push(layout.figures.0.iter().map(of_figure).collect());
        self.runs.push(runs.len());
        if self.series.len() < MOST_SERIES && layout.over.is_some() {
            self.series.push(series_bands(layout, &runs));
        }
    }
}

/// The bands of each column of the series.
fn series_bands(layout: &Layout, runs: &[&Measured]) -> Vec<Vec<Band>> {
    // By the bits of the row's number: numbers below zero do not occur, and others are ordered like their bits.
    let mut rows: BTreeMap<u64, Vec<Vec<f64>>> = BTreeMap::new();
    let columns = layout.series.0.len();
    for measured in runs {
        let places = places(&layout.series, measured);
        for (at, values) in &measured.series.rows {
            let row = rows.entry(at.max(0.0).to_bits()).or_insert_with(|| vec![Vec::new(); columns]);
            for (column, place) in row.iter_mut().zip(&places) {
                column.extend(place.and_then(|place| values.get(place)));
            }
        }
    }
    // The first and the last row are among those shown.
    let last = rows.len().saturating_sub(1);
    let step = last.div_ceil(MOST_ROWS).max(1);
    let shown: Vec<(f64, Vec<Vec<f64>>)> = rows
        .into_iter()
        .enumerate()
        .filter(|(number, _)| number % step == 0 || *number == last)
        .map(|(_, (bits, row))| (f64::from_bits(bits), row))
        .collect();
    let band = |column: usize| {
        let of_row =
            |(x, row): &(f64, Vec<Vec<f64>>)| Band { x: *x, quantiles: quantiles(row[column].iter().copied()) };
        shown.iter().map(of_row).collect()
    };
    (0..columns).map(band).collect()
}
