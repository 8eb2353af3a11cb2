//! The common parts of `report.html`.

use std::fmt;

use throng_output::html::{Page, Table, grouped, wall_time};

use crate::record::RunRecord;

/// File name of the report.
pub const REPORT_NAME: &str = "report.html";

/// A table row: name and value.
pub type Row = (String, String);

/// The model's part of the report: title, the sections before "Warnings", and rows of "Run details".
pub struct Report {
    /// Title of the page, shown as its heading.
    pub title: String,
    /// Subject of the simulation, in one line.
    pub subtitle: String,
    /// Writes the model's sections, once the device and all warnings are known.
    #[allow(clippy::type_complexity)]
    pub body: Box<dyn FnOnce(&mut Page, &RunRecord) + Send>,
    /// Model-specific rows of "Run details", such as the time step.
    pub rows: Vec<Row>,
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report").field("title", &self.title).finish_non_exhaustive()
    }
}

impl RunRecord {
    /// Renders the report as HTML.
    pub(crate) fn render(&self, report: Report) -> String {
        let Report { title, subtitle, body, rows } = report;
        let mut page = Page::new(&title, &format!("{subtitle} · {}", date(&self.finished)));
        body(&mut page, self);
        self.warnings(&mut page);
        self.run_details(&mut page, rows);
        page.finish(&format!(
            "{} · report.html works offline; the other files of the run are in the same folder",
            self.program
        ))
    }

    fn warnings(&self, page: &mut Page) {
        page.section("Warnings");
        if self.warnings.is_empty() {
            page.paragraph("None.");
            return;
        }
        let mut table = Table::new(&["#Count", "Warning", "Example or note"]);
        for (kind, warning) in self.warnings.iter() {
            table.rows.push(vec![grouped(warning.count as f64, 0), kind.to_owned(), warning.detail().to_owned()]);
        }
        page.table(&table);
    }

    fn run_details(&self, page: &mut Page, rows: Vec<Row>) {
        page.section("Run details");
        let pair = |name: &str, value: String| (name.to_owned(), value);
        let first = [
            pair("Scenario", self.scenario.clone()),
            pair("Device", self.device.clone()),
            pair("Seed", self.seed.to_string()),
        ];
        let command = self.command.iter().map(|(command, _)| pair("Command", command.clone()));
        let times = self.timings_s.iter().map(|(phase, seconds)| (format!("Time: {phase}"), wall_time(*seconds)));
        let rows = first.into_iter().chain(command).chain(rows).chain(self.options.iter().cloned()).chain(times);
        page.table(&table(["", ""], rows));
        let files = self.files.iter().map(|file| (file.name.clone(), size(file.bytes)));
        page.folded_table("Files of this run", &table(["File", "#Size"], files));
        if !self.settings.is_empty() {
            page.folded_table("Effective settings", &table(["Setting", "Value"], self.settings.iter().cloned()));
        }
    }
}

fn table(headings: [&str; 2], rows: impl Iterator<Item = Row>) -> Table {
    let mut table = Table::new(&headings);
    table.rows = rows.map(|(name, value)| vec![name, value]).collect();
    table
}

/// Formats `2026-11-20T17:03:00Z` as `2026-11-20, 17:03 UTC`.
fn date(finished: &str) -> String {
    match finished.split_once('T') {
        Some((day, time)) => format!("{day}, {} UTC", time.get(..5).unwrap_or(time)),
        None => finished.to_owned(),
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1000 => format!("{bytes} B"),
        1000..1_000_000 => format!("{} kB", grouped(bytes as f64 / 1e3, 1)),
        _ => format!("{} MB", grouped(bytes as f64 / 1e6, 1)),
    }
}

#[cfg(test)]
mod tests {
    use throng_core::Warnings;
    use throng_output::WrittenFile;

    use super::*;

    #[test]
    fn dates_and_sizes_are_formatted_for_readers() {
        assert_eq!(date("2026-11-20T17:03:59Z"), "2026-11-20, 17:03 UTC");
        assert_eq!([size(0), size(21_000_000)], ["0 B", "21.0 MB"]);
    }

    #[test]
    fn reports_contain_all_parts_of_the_record() {
        let mut warnings = Warnings::new();
        warnings.add("links without length", || "17_b".to_owned());
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let record = RunRecord {
            program: "throng 1".to_owned(),
            scenario: "city".to_owned(),
            device: "cpu, 1 thread".to_owned(),
            seed: 7,
            finished: "2026-11-20T17:03:59Z".to_owned(),
            options: vec![pair("steps", "3")],
            settings: vec![pair("run.steps", "9")],
            timings_s: vec![("loading".to_owned(), 1.25)],
            warnings,
            files: vec![WrittenFile { name: "a.csv".to_owned(), bytes: 2000 }],
            ..RunRecord::default()
        };
        let body = Box::new(|page: &mut Page, record: &RunRecord| {
            page.section(&format!("seed {}", record.seed)).paragraph("text");
        });
        let (title, subtitle) = ("T".to_owned(), "of this".to_owned());
        let text = record.render(Report { title, subtitle, body, rows: vec![pair("Time step", "2 s")] });
        for part in ["of this · 2026-11-20, 17:03 UTC", "seed 7", "17_b", "Time step", "1.25 s", "run.steps", "2.0 kB"]
        {
            assert!(text.contains(part), "{part}");
        }
    }
}
