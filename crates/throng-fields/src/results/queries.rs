//! The answers to the queries of a scenario: the table `queries.csv`.

use crate::Field;
use crate::best_cells::best_of;
use crate::entities::Cells;
use crate::query::Mask;
use crate::results::quantities::Quantities;
use crate::scenario::Scenario;
use crate::scenario::queries::{Asks, Query};
use throng_model::Failure;
use throng_output::csv::{Row, push_header};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

/// The table of answers.
pub(crate) const QUERIES: &str = "queries.csv";

const COLUMNS: [&str; 12] =
    ["step", "time", "query", "kind", "number", "column", "row", "x", "y", "value", "slope_x", "slope_y"];

/// The table while it is written.
pub(crate) struct QueryTable<'s> {
    file: TextFile,
    queries: &'s [Query],
    open: &'s Mask,
    steps: u32,
}

impl<'s> QueryTable<'s> {
    /// Begins the table, if there are queries.
    pub(crate) fn new(scenario: &'s Scenario, folder: &RunFolder, steps: u32) -> Result<Option<Self>, Failure> {
        let queries = &scenario.extracts.queries;
        if queries.is_empty() {
            return Ok(None);
        }
        let mut file = TextFile::create(folder, QUERIES, Codec::None)?;
        push_header(file.text(), &COLUMNS);
        Ok(Some(Self { file, queries, open: scenario.ground.open(), steps }))
    }

    /// Adds the answers that are due.
    pub(crate) fn record(&mut self, quantities: &Quantities<'_, '_>, at: (u32, f64)) -> Result<(), Failure> {
        let (queries, steps) = (self.queries, self.steps);
        for query in queries.iter().filter(|query| query.schedule.is_due(at.0, steps)) {
            let field = quantities.field(query.quantity)?;
            match &query.asks {
                Asks::Best(wanted, cells) => self.list_best(query, &field, (*cells, *wanted), at),
                Asks::At(points) => self.list_points(query, &field, points, at),
            }
            self.file.flush_full()?;
        }
        Ok(())
    }

    fn list_best(&mut self, query: &Query, field: &Field, (cells, wanted): (Cells, usize), at: (u32, f64)) {
        let grid = field.grid();
        for (number, best) in (1..).zip(best_open(field, self.open, cells, wanted)) {
            let [x, y] = grid.point(best.column, best.row);
            self.begin(query, "best", number, at)
                .integer(best.column.into())
                .integer(best.row.into())
                .decimal(x, 6)
                .decimal(y, 6)
                .text(&best.value.to_string())
                .text("")
                .text("")
                .end();
        }
    }

    fn list_points(&mut self, query: &Query, field: &Field, points: &[[f64; 2]], at: (u32, f64)) {
        for (number, &[x, y]) in (1..).zip(points) {
            let cell = field.grid().cell_at([x, y]);
            let mut row = self.begin(query, "point", number, at);
            match cell {
                Some((column, line)) => row.integer(column.into()).integer(line.into()),
                None => row.text("").text(""),
            };
            row.decimal(x, 6).decimal(y, 6);
            let [slope_x, slope_y] = field.gradient([x, y]).unwrap_or([f32::NAN; 2]);
            for value in [field.sample([x, y]).unwrap_or(f32::NAN), slope_x, slope_y] {
                // Beside cells without a travel time there is neither a value between cells nor a slope.
                row.text(&if value.is_finite() { value.to_string() } else { String::new() });
            }
            row.end();
        }
    }

    fn begin(&mut self, query: &Query, kind: &str, number: i64, (step, time): (u32, f64)) -> Row<'_> {
        let mut row = Row::new(self.file.text());
        row.integer(step.into()).decimal(time, 3).text(&query.name).text(kind).integer(number);
        row
    }

    pub(crate) fn finish(self) -> Result<WrittenFile, Failure> {
        Ok(self.file.finish()?)
    }
}

/// The best cells that are open and have a finite value.
fn best_open(field: &Field, open: &Mask, cells: Cells, wanted: usize) -> Vec<crate::Best> {
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
