//! The answers to the queries of a scenario: the table `queries.csv`.

use throng_fields_core::Field;
use throng_fields_core::best_cells::best_of;
use throng_fields_core::entities::Cells;
use throng_fields_scenario::Scenario;
use throng_fields_scenario::file_names::QUERIES;
use throng_fields_scenario::queries::{Query, QueryKind};
use throng_model::Failure;
use throng_output::csv::{Row, push_header};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};
use throng_pictures::Mask;

use crate::results::number_format;
use crate::results::quantities::Quantities;

const COLUMNS: [&str; 12] =
    ["step", "time", "query", "kind", "number", "column", "row", "x", "y", "value", "slope_x", "slope_y"];

/// The file `queries.csv`, which is written step by step.
pub(crate) struct QueryTable<'s> {
    file: TextFile,
    queries: &'s [Query],
    steps: u32,
    /// Number of decimals in the coordinates of cells.
    decimals: u32,
}

impl<'s> QueryTable<'s> {
    /// Creates the table, if there are queries.
    pub(crate) fn new(scenario: &'s Scenario, folder: &RunFolder, steps: u32) -> Result<Option<Self>, Failure> {
        let queries = &scenario.extracts.queries;
        if queries.is_empty() {
            return Ok(None);
        }
        let mut file = TextFile::create(folder, QUERIES, Codec::None)?;
        push_header(file.text(), &COLUMNS);
        let decimals = number_format::decimals(scenario.grid());
        Ok(Some(Self { file, queries, steps, decimals }))
    }

    /// Adds the answers that are due at the current step.
    pub(crate) fn record(&mut self, quantities: &Quantities<'_, '_>, at: (u32, f64)) -> Result<(), Failure> {
        let (queries, steps) = (self.queries, self.steps);
        for query in queries.iter().filter(|query| query.schedule.is_due(at.0, steps)) {
            let field = quantities.field(query.quantity)?;
            match &query.kind {
                QueryKind::Best(wanted, cells) => {
                    self.list_best(query, &field, quantities.open(), (*cells, *wanted), at);
                }
                QueryKind::At(points) => self.list_points(query, &field, points, at),
            }
            self.file.flush_full()?;
        }
        Ok(())
    }

    fn list_best(
        &mut self,
        query: &Query,
        field: &Field,
        open: &Mask,
        (cells, wanted): (Cells, usize),
        at: (u32, f64),
    ) {
        let (grid, decimals) = (field.grid(), self.decimals);
        for (number, best) in (1..).zip(best_open(field, open, cells, wanted)) {
            let [x, y] = grid.point(best.column, best.row);
            let mut row = self.begin(query, "best", number, at);
            row.integer(best.column.into()).integer(best.row.into());
            number_format::coordinate(&mut row, x, decimals);
            number_format::coordinate(&mut row, y, decimals);
            row.single(best.value).empty().empty().end();
        }
    }

    fn list_points(&mut self, query: &Query, field: &Field, points: &[[f64; 2]], at: (u32, f64)) {
        for (number, &[x, y]) in (1..).zip(points) {
            let cell = field.grid().cell_at([x, y]);
            let mut row = self.begin(query, "point", number, at);
            match cell {
                Some((column, line)) => row.integer(column.into()).integer(line.into()),
                None => row.empty().empty(),
            };
            row.number(x).number(y);
            for value in answer(field, [x, y]) {
                row.single(value.unwrap_or(f32::NAN));
            }
            row.end();
        }
    }

    fn begin(&mut self, query: &Query, kind: &str, number: i64, (step, time): (u32, f64)) -> Row<'_> {
        let mut row = Row::new(self.file.text());
        row.integer(step.into()).number(time).text(&query.name).text(kind).integer(number);
        row
    }

    pub(crate) fn finish(self) -> Result<WrittenFile, Failure> {
        Ok(self.file.finish()?)
    }
}

/// Value and slopes at a point. Next to cells without a travel time, interpolation is impossible: the value is then
/// that of the cell, if it has one, and there are no slopes.
fn answer(field: &Field, point: [f64; 2]) -> [Option<f32>; 3] {
    let finite = |value: f32| value.is_finite().then_some(value);
    let own = || field.grid().cell_at(point).and_then(|(column, row)| field.at(column, row)).and_then(finite);
    let value = field.sample(point).and_then(finite).or_else(own);
    let slopes = field.gradient(point).filter(|slopes| slopes.iter().all(|slope| slope.is_finite()));
    let [slope_x, slope_y] = slopes.map_or([None; 2], |slopes| slopes.map(Some));
    [value, slope_x, slope_y]
}

/// The best cells that are open and have a finite value.
fn best_open(field: &Field, open: &Mask, cells: Cells, wanted: usize) -> Vec<throng_fields_core::Best> {
    let grid = field.grid();
    let ((left, right), (low, high)) = (cells.columns, cells.rows);
    let values = (low..high).flat_map(|row| (left..right).map(move |column| (column, row))).map(|(column, row)| {
        let value = field.values()[grid.index(column, row)];
        if open.allows(column, row) && value.is_finite() { value } else { f32::NEG_INFINITY }
    });
    let mut best = best_of(cells, values, wanted);
    best.retain(|best| best.value.is_finite());
    best
}
