//! `--collect`: tables that each run writes, such as one of agents, concatenated to one table of all runs.

use std::path::{Path, PathBuf};

use throng_core::{Problems, did_you_mean};
use throng_output::csv::{Row, push_header};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use super::csv_records::{BadCsv, CsvRecords};
use super::journal::Record;
use super::layout::{Layout, OF_RUNS, free};
use super::table::Column;
use super::table_store::Piece;
use super::tables::{Finished, of_set, replicate_of};
use crate::Failure;
use crate::names::shown;

/// The flag, for messages.
pub(super) const COLLECT: &str = "--collect";

/// Returns the name of the table of all runs.
pub(super) fn collected_name(table: &str) -> String {
    format!("collected_{table}")
}

/// Rejects unknown table names. `names` are the names of all files that a run may write.
pub(super) fn check_names(wanted: &[String], names: &[String], problems: &mut Problems) {
    let tables: Vec<&str> = names.iter().map(|name| unpacked(name)).filter(|name| is_table(name)).collect();
    for (number, table) in wanted.iter().enumerate() {
        let place = format!("{COLLECT} {}", shown(table));
        if wanted[..number].contains(table) {
            problems.push(place, "is given twice", "give each table once");
        } else if !tables.contains(&table.as_str()) {
            let nearest = did_you_mean(table, tables.iter().copied());
            let all = if tables.is_empty() { "none".to_owned() } else { tables.join(", ") };
            let nearest = nearest.map_or_else(String::new, |nearest| format!("{nearest} "));
            problems.push(place, "no run writes a table of this name", format!("{nearest}the model has these: {all}"));
        }
    }
}

fn is_table(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end == "csv")
}

/// Returns a name without the suffix of its compression.
fn unpacked(name: &str) -> &str {
    [Codec::Gzip, Codec::Zstd].iter().find_map(|codec| name.strip_suffix(codec.suffix())).unwrap_or(name)
}

/// Returns the collected tables of a run, in the order of `wanted`. File names may start with a prefix.
///
/// # Errors
/// When tables are missing or malformed; the error lists them, and the tables that the run has written.
pub(super) fn of_run(
    wanted: &[String],
    folder: &Path,
    prefix: &str,
    files: &[WrittenFile],
) -> Result<Vec<PathBuf>, Failure> {
    let mut problems = Problems::new();
    let begin = if prefix.is_empty() { String::new() } else { format!("{prefix}.") };
    let name = |file: &WrittenFile| unpacked(file.name.strip_prefix(&begin).unwrap_or(&file.name)).to_owned();
    let mut paths = Vec::new();
    for table in wanted {
        let place = format!("{COLLECT} {table}");
        let Some(file) = files.iter().find(|file| name(file) == *table) else {
            let written_tables: Vec<String> = files.iter().map(name).filter(|name| is_table(name)).collect();
            let all = if written_tables.is_empty() { "none".to_owned() } else { written_tables.join(", ") };
            let remedy = format!("change the settings so that each run writes it; with these it writes: {all}");
            problems.push(place, "a run has not written this table", remedy);
            continue;
        };
        let path = folder.join(&file.name);
        if let Err(BadCsv { line, message }) = check_table(&path) {
            problems.push(
                format!("{place}:{line}"),
                message,
                "leave it out: it is not a table whose rows have the same columns",
            );
        }
        paths.push(path);
    }
    problems.into_result()?;
    Ok(paths)
}

/// Rejects a table with rows whose number of fields differs from the header.
fn check_table(path: &Path) -> Result<(), BadCsv> {
    let opened = Codec::open(path).map_err(|error| BadCsv { line: 1, message: format!("cannot be read: {error}") })?;
    let mut records = CsvRecords::new(opened, ';');
    let mut columns = None;
    while let Some((line, fields)) = records.next_record()? {
        let expected = *columns.get_or_insert(fields.len());
        if fields.len() != expected {
            return Err(BadCsv { line, message: format!("{} values in a table of {expected} columns", fields.len()) });
        }
    }
    Ok(())
}

/// Writes the concatenated tables of all runs: the columns that identify the run, then all columns of the tables.
///
/// # Errors
/// When a file cannot be read or written.
pub(super) fn write(
    wanted: &[String],
    folder: &RunFolder,
    finished: &Finished<'_>,
    layout: &Layout,
) -> Result<Vec<WrittenFile>, Failure> {
    let table = finished.design.table();
    let mut written = Vec::new();
    for (number, name) in wanted.iter().enumerate() {
        let columns = columns(finished, number, name)?;
        let parameters = layout.parameters.iter().map(|(name, _)| name.as_str());
        let mut header: Vec<String> =
            ["run", "set"].into_iter().chain(parameters).chain(["replicate", "seed"]).map(str::to_owned).collect();
        let mut taken = header.iter().cloned().chain(OF_RUNS.map(str::to_owned)).collect();
        header.extend(columns.iter().map(|column| free(column, "result", &mut taken)));
        let mut file = TextFile::create(folder, &collected_name(name), Codec::None)?;
        push_header(file.text(), &header.iter().map(String::as_str).collect::<Vec<_>>());
        for set in 0..finished.design.sets() {
            let of_set: Vec<Column> = of_set(layout, &table, set, 1).collect();
            for (run, record) in finished.records(set)? {
                let Some(piece) = record.tables.get(number) else { continue };
                let mut records = CsvRecords::new(finished.journal.table(piece)?, ';');
                let of_run = records.next_record().map_err(|bad| damaged(name, &bad))?.map(|(_, fields)| fields);
                let places: Vec<Option<usize>> =
                    columns.iter().map(|column| of_run.iter().flatten().position(|other| other == column)).collect();
                while let Some((_, fields)) = records.next_record().map_err(|bad| damaged(name, &bad))? {
                    let mut row = Row::new(file.text());
                    row.integer(run as i64);
                    for column in &of_set {
                        column.write(0, &mut row);
                    }
                    row.integer(replicate_of(record.id)).integer(finished.seed_of(record.id));
                    for place in &places {
                        row.text(place.and_then(|place| fields.get(place)).map_or("", String::as_str));
                    }
                    row.end();
                    file.flush_full()?;
                }
            }
        }
        written.push(file.finish()?);
    }
    Ok(written)
}

/// Returns all columns of a table, in the order of runs.
fn columns(finished: &Finished<'_>, number: usize, name: &str) -> Result<Vec<String>, Failure> {
    let mut columns: Vec<String> = Vec::new();
    for set in 0..finished.design.sets() {
        for (_, Record { tables, .. }) in finished.records(set)? {
            let Some(piece): Option<&Piece> = tables.get(number) else { continue };
            let header = CsvRecords::new(finished.journal.table(piece)?, ';').next_record();
            for column in header.map_err(|bad| damaged(name, &bad))?.into_iter().flat_map(|(_, fields)| fields) {
                if !columns.contains(&column) {
                    columns.push(column);
                }
            }
        }
    }
    Ok(columns)
}

fn damaged(table: &str, BadCsv { line, message }: &BadCsv) -> Failure {
    // The table was valid when the run ended.
    Failure::resource(format!("the stored table {table} of a run, line {line}: {message}"), "run the command again")
}
