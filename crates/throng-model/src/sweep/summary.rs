//! Tables over the replicates of each parameter set: means and quantiles, differences between sets, and what the columns of
//! the other tables are.

use throng_output::csv::{Row, push_header};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::bands::Spread;
use super::design::DesignTable;
use super::layout::Layout;
use super::moments::{Difference, Moments};
use super::table::{Column, Kind, Table};
use super::tables::of_set;
use crate::{Failure, Quantity, QuantityKind};

/// The columns of the summary, besides the parameters.
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
    /// Begins the table.
    ///
    /// # Errors
    /// When a file cannot be made.
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

/// Up to this number of parameter sets, each is compared with every other; more sets are compared with the first.
pub(super) const MAX_COMPARED: u32 = 50;

/// The number of comparisons between this number of parameter sets, each with every other.
pub(super) fn pairs(sets: u64) -> u64 {
    sets * sets.saturating_sub(1) / 2
}

/// `differences.csv`: a row for each figure of each two parameter sets that are compared.
pub(super) struct Differences {
    file: TextFile,
    /// Comparisons of each figure.
    comparisons: u64,
    /// The number of sets with which each later one is compared.
    references: usize,
    /// The sets with which later ones are compared: their numbers, from 0, and their figures.
    earlier: Vec<(u32, Vec<Moments>)>,
}

impl Differences {
    /// Begins the table of a sweep with this number of parameter sets; `None` if there are no two.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn create(folder: &RunFolder, sets: u32) -> Result<Option<Self>, Failure> {
        if sets < 2 {
            return Ok(None);
        }
        let mut file = TextFile::create(folder, "differences.csv", Codec::None)?;
        let columns = ["figure", "unit", "set_a", "set_b", "mean_a", "mean_b", "difference", "standard_error"];
        let of_intervals = ["degrees_of_freedom", "low_95", "high_95", "comparisons"];
        let simultaneous = ["low_95_simultaneous", "high_95_simultaneous"];
        push_header(file.text(), &[&columns[..], &of_intervals, &simultaneous].concat());
        let is_each_with_every = sets <= MAX_COMPARED;
        let comparisons = if is_each_with_every { pairs(sets.into()) } else { u64::from(sets) - 1 };
        let references = if is_each_with_every { sets as usize } else { 1 };
        Ok(Some(Self { file, comparisons, references, earlier: Vec::new() }))
    }

    /// Adds the next parameter set. Figures without a value in one of two sets are left out.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, layout: &Layout, set: u32, spreads: &[Spread]) -> Result<(), Failure> {
        for (other, figures) in &self.earlier {
            for (((quantity, name), a), b) in layout.figures.0.iter().zip(figures).zip(spreads) {
                let difference = a.difference(&b.moments);
                if !difference.value.is_finite() {
                    continue;
                }
                let Difference { value, standard_error, degrees_of_freedom } = difference;
                let mut row = Row::new(self.file.text());
                row.text(name).text(&quantity.unit).integer(i64::from(*other) + 1).integer(i64::from(set) + 1);
                row.number(a.mean()).number(b.moments.mean()).number(value).number(standard_error);
                row.number(degrees_of_freedom);
                let alone = difference.half_width(1);
                row.number(value - alone).number(value + alone).integer(self.comparisons as i64);
                let simultaneous = difference.half_width(self.comparisons);
                row.number(value - simultaneous).number(value + simultaneous).end();
                self.file.flush_full()?;
            }
        }
        if self.earlier.len() < self.references {
            self.earlier.push((set, spreads.iter().map(|spread| spread.moments).collect()));
        }
        Ok(())
    }

    /// Completes the table.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(self) -> Result<WrittenFile, Failure> {
        Ok(self.file.finish()?)
    }
}

/// `columns.csv`: what the columns of figures and series are, with their units.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn write_columns(folder: &RunFolder, layout: &Layout) -> Result<WrittenFile, Failure> {
    let mut file = TextFile::create(folder, "columns.csv", Codec::None)?;
    push_header(file.text(), &["table", "column", "name", "label", "unit", "kind", "meaning"]);
    let of_runs = layout.figures.0.iter().map(|column| ("runs", column));
    let of_series = layout.over.iter().chain(layout.series.0.iter().filter(|_| layout.over.is_some()));
    for (table, (quantity, column)) in of_runs.chain(of_series.map(|column| ("series", column))) {
        let Quantity { name, unit, kind, meaning, .. } = quantity;
        let kind = match kind {
            QuantityKind::Count => "count",
            QuantityKind::Fraction => "fraction",
            QuantityKind::Index => "index",
            QuantityKind::TimeOfDay => "time_of_day",
            QuantityKind::Real => "real",
        };
        let mut row = Row::new(file.text());
        row.text(table).text(column).text(name).text(quantity.label()).text(unit).text(kind).text(meaning).end();
    }
    Ok(file.finish()?)
}
