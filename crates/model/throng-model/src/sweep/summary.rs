//! `summary.csv`: means and quantiles over the replicates of each parameter set.

use throng_output::{RunFolder, WrittenFile};

use super::bands::Spread;
use super::design::DesignTable;
use super::layout::Layout;
use super::table::{Column, Kind, Table};
use super::tables::of_set;
use crate::Failure;

/// The columns of the summary, in addition to the parameters.
pub(super) const OF_SUMMARY: [&str; 14] = [
    "set",
    "figure",
    "unit",
    "runs",
    "mean",
    "standard_deviation",
    "standard_error",
    "low_95",
    "high_95",
    "p10",
    "p25",
    "p50",
    "p75",
    "p90",
];

/// `summary.csv`: a row for each figure of each parameter set.
pub(super) struct Summary(Table);

impl Summary {
    /// Creates the table.
    ///
    /// # Errors
    /// When a file cannot be created.
    pub fn create(folder: &RunFolder, layout: &Layout) -> Result<Self, Failure> {
        let parameters = layout.parameters.iter().map(|(name, kind)| (name.as_str(), *kind));
        let mut columns: Vec<(&str, Kind)> = std::iter::once(("set", Kind::Whole)).chain(parameters).collect();
        columns.extend(OF_SUMMARY[1..3].iter().map(|&name| (name, Kind::Text)));
        columns.push((OF_SUMMARY[3], Kind::Whole));
        columns.extend(OF_SUMMARY[4..].iter().map(|&name| (name, Kind::Real)));
        Table::create(folder, "summary", &columns).map(Self)
    }

    /// Adds a parameter set.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn add(
        &mut self,
        layout: &Layout,
        table: &DesignTable<'_>,
        set: u32,
        spreads: &[Spread],
    ) -> Result<(), Failure> {
        let figures = &layout.figures.0;
        let real = |value: &dyn Fn(&Spread) -> f64| Column::real(spreads.iter().map(value));
        let mut columns: Vec<Column> = of_set(layout, table, set, figures.len()).collect();
        columns.push(Column::Text(figures.iter().map(|(_, name)| Some(name.clone())).collect()));
        columns.push(Column::Text(figures.iter().map(|(quantity, _)| Some(quantity.unit.to_string())).collect()));
        columns.push(Column::whole(spreads.iter().map(|spread| spread.moments.count().into())));
        columns.push(real(&|spread| spread.moments.mean()));
        columns.push(real(&|spread| spread.moments.standard_deviation()));
        columns.push(real(&|spread| spread.moments.standard_error()));
        columns.push(real(&|spread| spread.moments.interval()[0]));
        columns.push(real(&|spread| spread.moments.interval()[2]));
        columns.extend((0..5).map(|quantile| real(&|spread| spread.quantiles[quantile])));
        self.0.write(&columns)
    }

    /// Completes the table.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn finish(self) -> Result<[WrittenFile; 2], Failure> {
        self.0.finish()
    }
}
