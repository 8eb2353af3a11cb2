//! The tables of a sweep, created from its journal. Their bytes depend neither on the order of runs nor on
//! interruptions.

use throng_output::csv::{Row, push_header};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::bands::{Bands, spreads};
use super::collect;
use super::columns::write_columns;
use super::design::{Design, DesignTable};
use super::differences::Differences;
use super::journal::{Journal, Record, RunId};
use super::layout::{Columns, Layout};
use super::summary::Summary;
use super::table::{Column, Kind, Table};
use crate::{Failure, Measured};

/// Names of all files created from the journal, except collected tables.
pub(super) const FILE_NAMES: [&str; 10] = [
    "report.html",
    "columns.csv",
    "differences.csv",
    "runs.csv",
    "runs.parquet",
    "series.csv",
    "series.parquet",
    "summary.csv",
    "summary.parquet",
    WALL_TIMES,
];
const WALL_TIMES: &str = "wall_times.csv";

/// A sweep whose runs are all finished.
pub(super) struct Finished<'s> {
    pub design: &'s Design,
    pub journal: &'s Journal,
    /// Seed of the first replicate.
    pub seed: i64,
    /// Number of runs before each parameter set, followed by the total.
    pub runs_before: Vec<u64>,
    /// Collected tables.
    pub collect: &'s [String],
}

/// The results of writing the tables, for the report.
pub(super) struct Tabulated {
    pub files: Vec<WrittenFile>,
    pub layout: Layout,
    pub bands: Bands,
    /// Number and message of the first failed runs, and the total number of failed runs.
    pub failed: (Vec<(u64, String)>, u64),
}

/// Maximum number of failed runs listed in the report.
const MAX_FAILED: usize = 100;

impl Finished<'_> {
    /// Writes all tables.
    ///
    /// # Errors
    /// When a file cannot be written, or the journal cannot be read.
    pub fn write(&self, folder: &RunFolder) -> Result<Tabulated, Failure> {
        let table = self.design.table();
        let layout = self.layout(&table)?;
        let parameters = layout.parameters.iter().map(|(name, kind)| (name.as_str(), *kind));
        let mut columns = vec![("run", Kind::Whole), ("set", Kind::Whole)];
        columns.extend(parameters);
        columns.extend([("replicate", Kind::Whole), ("seed", Kind::Whole)]);
        let of_series = || {
            let (_, over) = layout.over.as_ref()?;
            let real = layout.series.0.iter().map(|(_, name)| (name.as_str(), Kind::Real));
            Some(columns.iter().copied().chain([(over.as_str(), Kind::Real)]).chain(real).collect::<Vec<_>>())
        };
        let mut series = of_series().map(|columns| Table::create(folder, "series", &columns)).transpose()?;
        columns.extend([("status", Kind::Text), ("state_hash", Kind::Text)]);
        columns.extend(layout.figures.0.iter().map(|(_, name)| (name.as_str(), Kind::Real)));
        columns.push(("error", Kind::Text));
        let mut runs = Table::create(folder, "runs", &columns)?;
        let mut summary = Summary::create(folder, &layout)?;
        let mut differences = Differences::create(folder, self.design.sets())?;
        let mut times = TextFile::create(folder, WALL_TIMES, Codec::None)?;
        push_header(times.text(), &["run", "wall_s"]);
        let (mut bands, mut failed) = (Bands::default(), (Vec::new(), 0));
        for set in 0..self.design.sets() {
            let records = self.records(set)?;
            runs.write(&self.rows(&layout, &table, &records))?;
            for (run, record) in &records {
                if let (Some(series), Ok(measured)) = (&mut series, &record.result) {
                    series.write(&self.series_rows(&layout, &table, *run, record.id, measured))?;
                }
                if let Err(error) = &record.result {
                    failed.1 += 1;
                    if failed.0.len() < MAX_FAILED {
                        failed.0.push((*run, error.clone()));
                    }
                }
                Row::new(times.text()).integer(*run as i64).decimal(record.wall_s, 6).end();
                times.flush_full()?;
            }
            let measured: Vec<&Measured> =
                records.iter().filter_map(|(_, record)| record.result.as_ref().ok()).collect();
            let spreads = spreads(&layout, &measured);
            summary.add(&layout, &table, set, &spreads)?;
            differences.as_mut().map_or(Ok(()), |differences| differences.add(&layout, set, &spreads))?;
            bands.add(&layout, &measured, spreads);
        }
        let mut files = vec![times.finish()?, write_columns(folder, &layout)?];
        files.extend(summary.finish()?);
        files.extend(differences.map(Differences::finish).transpose()?);
        files.extend(collect::write(self.collect, folder, self, &layout)?);
        files.extend(runs.finish()?);
        files.extend(series.map(Table::finish).transpose()?.into_iter().flatten());
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Tabulated { files, layout, bands, failed })
    }

    /// Returns the columns of all runs.
    fn layout(&self, table: &DesignTable<'_>) -> Result<Layout, Failure> {
        let mut layout = Layout::new(self.design, table);
        for set in 0..self.design.sets() {
            for (_, record) in self.records(set)? {
                if let Ok(measured) = &record.result {
                    layout.add(measured);
                }
            }
        }
        Ok(layout.finish())
    }

    /// Returns the runs of a parameter set with their numbers, from 1.
    pub fn records(&self, set: u32) -> Result<Vec<(u64, Record)>, Failure> {
        let [before, end] = [set as usize, set as usize + 1].map(|set| self.runs_before[set]);
        let mut records = Vec::new();
        for (replicate, number) in (0..).zip(before + 1..=end) {
            if let Some(record) = self.journal.record(RunId { set, replicate })? {
                records.push((number, record));
            }
        }
        Ok(records)
    }

    /// Returns the rows of a parameter set in the table of runs.
    fn rows(&self, layout: &Layout, table: &DesignTable<'_>, records: &[(u64, Record)]) -> Vec<Column> {
        let Some((_, Record { id: RunId { set, .. }, .. })) = records.first() else { return Vec::new() };
        let all = || records.iter().map(|(_, record)| record);
        let done = |record: &Record| if record.result.is_ok() { "done" } else { "failed" };
        let hash = |record: &Record| Some(format!("{:016x}", record.result.as_ref().ok()?.hash?));
        let mut columns = vec![Column::whole(records.iter().map(|(run, _)| *run as i64))];
        columns.extend(of_set(layout, table, *set, records.len()));
        columns.push(Column::whole(all().map(|record| replicate_of(record.id))));
        columns.push(Column::whole(all().map(|record| self.seed_of(record.id))));
        columns.push(Column::Text(all().map(|record| Some(done(record).to_owned())).collect()));
        columns.push(Column::Text(all().map(hash).collect()));
        for (quantity, _) in &layout.figures.0 {
            let value = |record: &Record| record.result.as_ref().ok()?.figure(quantity);
            columns.push(Column::real(all().map(|record| value(record).unwrap_or(f64::NAN))));
        }
        columns.push(Column::Text(all().map(|record| record.result.as_ref().err().cloned()).collect()));
        columns
    }

    /// Returns the rows of a run in the table of series.
    fn series_rows(
        &self,
        layout: &Layout,
        table: &DesignTable<'_>,
        run: u64,
        id: RunId,
        measured: &Measured,
    ) -> Vec<Column> {
        let rows = &measured.series.rows;
        let mut columns = vec![Column::whole(std::iter::repeat_n(run as i64, rows.len()))];
        columns.extend(of_set(layout, table, id.set, rows.len()));
        for value in [replicate_of(id), self.seed_of(id)] {
            columns.push(Column::whole(std::iter::repeat_n(value, rows.len())));
        }
        columns.push(Column::real(rows.iter().map(|(at, _)| *at)));
        for place in places(&layout.series, measured) {
            let value = |values: &Vec<f64>| place.and_then(|place| values.get(place)).copied().unwrap_or(f64::NAN);
            columns.push(Column::real(rows.iter().map(|(_, values)| value(values))));
        }
        columns
    }

    /// Returns the seed of a run.
    pub fn seed_of(&self, id: RunId) -> i64 {
        self.seed.saturating_add(id.replicate.into())
    }
}

/// Returns the number of a replicate in tables, from 1.
pub(super) fn replicate_of(id: RunId) -> i64 {
    i64::from(id.replicate) + 1
}

/// Returns the columns with the number and the values of a parameter set, repeated in `rows` rows.
pub(super) fn of_set<'a>(
    layout: &'a Layout,
    table: &'a DesignTable<'_>,
    set: u32,
    rows: usize,
) -> impl Iterator<Item = Column> + 'a {
    let number = Column::whole(std::iter::repeat_n(i64::from(set) + 1, rows));
    let values = table.values(set).into_iter();
    let parameters =
        layout.parameters.iter().zip(values).map(move |((_, kind), value)| Column::repeated(*kind, &value, rows));
    std::iter::once(number).chain(parameters)
}

/// Returns, for each column, the index of its quantity in the series of a run; `None` if it is missing.
pub(super) fn places(columns: &Columns, measured: &Measured) -> Vec<Option<usize>> {
    let of_run = &measured.series.quantities;
    columns.0.iter().map(|(wanted, _)| of_run.iter().position(|quantity| quantity.is(wanted))).collect()
}
