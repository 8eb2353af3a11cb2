//! The measurements as files: tables and pictures.

use throng_output::csv as tables;
use throng_render::Style;

use super::super::median::median;
use super::program::Program;
use super::published::SPEEDS;
use super::reproduce::Measurements;
use super::statements::statements;
use super::table::table;

const CSV: &str = "ray_tracer.csv";
const TEXT: &str = "ray_tracer.md";

/// The file of the largest scene in a style.
fn picture_name(style: Style) -> &'static str {
    match style {
        Style::Paper => "ray_tracer_paper.png",
        Style::Full => "ray_tracer_full.png",
    }
}

/// All names that files may have.
pub fn names() -> Vec<String> {
    [CSV, TEXT, picture_name(Style::Paper), picture_name(Style::Full)].map(str::to_owned).to_vec()
}

/// The table, the document and the pictures.
pub fn files(measurements: &Measurements) -> Vec<(String, Vec<u8>)> {
    let pictures = measurements.pictures.iter().map(|(style, png)| (picture_name(*style).to_owned(), png.clone()));
    let tables = [(CSV.to_owned(), csv(measurements)), (TEXT.to_owned(), text(measurements).into_bytes())];
    tables.into_iter().chain(pictures).collect()
}

/// The tables and the statements.
pub fn text(measurements: &Measurements) -> String {
    table(measurements) + &statements(measurements)
}

/// A row per measurement, and one per published figure.
pub fn csv(measurements: &Measurements) -> Vec<u8> {
    let mut out = Vec::new();
    let columns = [
        "spheres",
        "pixels",
        "program",
        "on",
        "frames",
        "drawn_median_s",
        "median_s",
        "fastest_s",
        "slowest_s",
        "frames_per_second",
        "differing_bytes",
        "greatest_difference",
    ];
    tables::push_header(&mut out, &columns);
    let pixels = |size: u32| i64::from(size) * i64::from(size);
    for speed in SPEEDS {
        let mut line = tables::Row::new(&mut out);
        line.integer(speed.spheres.into()).integer(pixels(super::published::SIZE));
        line.text(&format!("the paper: {}", Program::PAPER.name())).text(speed.processor).empty().empty();
        if let Some(seconds) = speed.seconds {
            line.number(seconds)
        } else {
            line.empty()
        };
        line.empty().empty().number(speed.frames_per_second).empty().empty().end();
    }
    for row in &measurements.rows {
        let whole_s = &row.whole_s;
        let mut line = tables::Row::new(&mut out);
        line.integer(row.spheres.into()).integer(pixels(measurements.options.size)).text(row.program.name());
        line.text(&row.place.name(measurements.options.threads)).integer(whole_s.len() as i64);
        line.number(median(&row.drawn_s)).number(median(whole_s));
        line.number(whole_s[0]).number(whole_s[whole_s.len() - 1]).number(1.0 / median(whole_s));
        line.integer(row.agreement.differing as i64).integer(row.agreement.greatest.into()).end();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::program::Place;
    use super::super::reproduce::reproduce;
    use super::super::testing::{measurements, small};
    use super::*;

    #[test]
    fn published_and_measured_rows_have_the_same_columns() {
        let out = csv(&measurements(&[(1000, Program::FULL, Place::Device, 2e-4)]));
        let lines: Vec<Vec<&str>> =
            str::from_utf8(&out).unwrap().lines().map(|line| line.split(';').collect()).collect();
        assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{lines:?}");
        assert_eq!(
            lines[2][..7],
            ["1000", "490000", "the paper: paper style, brute force", "Intel Core i7-3770K", "", "", "1.28"]
        );
        assert_eq!(lines[4][2..7], ["full style, tree", "device", "1", "0.0002", "0.0004"]);
    }

    #[test]
    fn all_files_have_names_that_are_announced() {
        let measurements = reproduce(None, &small(), &throng_core::NoProgress).unwrap();
        let files = files(&measurements);
        assert_eq!(files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), names());
        assert!(files.iter().all(|(_, bytes)| !bytes.is_empty()));
        assert!(files[2].1.starts_with(b"\x89PNG") && files[3].1.starts_with(b"\x89PNG"));
    }
}
