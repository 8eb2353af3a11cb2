//! `columns.csv`: describes the columns of the other tables.

use throng_output::csv::{Row, push_header};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::layout::Layout;
use crate::{Failure, Quantity, QuantityKind};

/// Writes the columns of figures and series, with their units.
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
