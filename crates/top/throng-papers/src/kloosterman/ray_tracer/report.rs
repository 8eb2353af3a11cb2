//! Output files of the measurements: tables and images.

use throng_render::Style;

use super::program::Program;
use super::published::{SIZE, SPEEDS};
use super::reproduce::RayTracerMeasurements;
use super::table::table;
use crate::experiment::{Table, cells, file};

/// Names of all files that may be written.
pub const NAMES: &str = "ray_tracer.csv ray_tracer.md ray_tracer_paper.png ray_tracer_full.png";

/// Returns the table, the document, and the images of the largest scene.
pub fn files(measurements: &RayTracerMeasurements) -> Vec<(String, Vec<u8>)> {
    let name = |style| if style == Style::Paper { "ray_tracer_paper.png" } else { "ray_tracer_full.png" };
    let pictures = measurements.pictures.iter().map(|(style, png)| file(name(*style), png.clone()));
    let tables = [file("ray_tracer.csv", csv(measurements).csv()), file("ray_tracer.md", text(measurements))];
    tables.into_iter().chain(pictures).collect()
}

/// The tables and the statements.
pub fn text(measurements: &RayTracerMeasurements) -> String {
    table(measurements)
}

/// One row per measurement and one per published figure.
fn csv(measurements: &RayTracerMeasurements) -> Table {
    let columns = "spheres, pixels, program, on, frames, drawn_median_s, median_s, fastest_s, slowest_s, frames_per_second, \
                   differing_bytes, greatest_difference";
    let mut table = Table::of(0, columns);
    for speed in SPEEDS {
        let what = cells![speed.spheres, SIZE * SIZE, format!("the paper: {}", Program::PAPER.name()), speed.processor];
        table.row([what, cells!["", "", speed.seconds, "", "", speed.frames_per_second, "", ""]].concat());
    }
    for row in &*measurements.rows {
        let (options, (program, target), times) = (&measurements.options, row.program, &row.times);
        let what = cells![row.case, options.size * options.size, program.name(), target.name(options.threads)];
        let mut cells = times.cells(1.0);
        cells.insert(1, row.figures.drawn.median().into());
        let agreement = row.figures.agreement;
        table.row([what, cells, cells![1.0 / times.median(), agreement.differing, agreement.greatest]].concat());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::program::ExecutionTarget;
    use super::super::reproduce::reproduce;
    use super::super::testing::{measurements, small};
    use super::*;

    #[test]
    fn published_and_measured_rows_have_the_same_columns() {
        let out = csv(&measurements(&[(1000, Program::FULL, ExecutionTarget::Device, 2e-4)])).csv();
        let lines: Vec<Vec<&str>> =
            str::from_utf8(&out).unwrap().lines().map(|line| line.split(';').collect()).collect();
        assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{lines:?}");
        assert_eq!(
            lines[2][..7],
            ["1000", "490000", "the paper: paper style, brute force", "Intel Core i7-3770K", "", "", "1.28"]
        );
        assert_eq!(lines[4][2..7], ["full style, tree", "device", "3", "0.0002", "0.0004"]);
    }

    #[test]
    fn all_files_have_announced_names() {
        let measurements = reproduce(&throng_device::Executor::cpu(), &small(), &throng_core::NoProgress).unwrap();
        let files = files(&measurements);
        assert_eq!(files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>().join(" "), NAMES);
        assert!(files.iter().all(|(_, bytes)| !bytes.is_empty()));
        assert!(files[2].1.starts_with(b"\x89PNG") && files[3].1.starts_with(b"\x89PNG"));
    }
}
