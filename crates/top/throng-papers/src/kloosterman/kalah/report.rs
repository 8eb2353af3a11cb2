//! Output files of the measurements: tables and a chart.

use throng_output::svg::{Axis, Chart};

use super::method::Method;
use super::published;
use super::reproduce::KalahMeasurements;
use super::table::table;
use crate::experiment::chart::{chart, chart_file, line};
use crate::experiment::{Table, cells, file};

/// Names of all files that may be written.
pub const NAMES: &str = "kalah.csv kalah_splits.csv kalah.md kalah.svg";

/// Returns `kalah.csv`, `kalah_splits.csv`, `kalah.md`, and the chart if at least three depths were measured.
pub fn files(measurements: &KalahMeasurements) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![
        file("kalah.csv", csv(measurements).csv()),
        file("kalah_splits.csv", splits_csv(measurements).csv()),
        file("kalah.md", text(measurements)),
    ];
    files.extend(chart_file("kalah.svg", &speed_ups(measurements)));
    files
}

/// The tables.
pub fn text(measurements: &KalahMeasurements) -> String {
    table(measurements)
        + "\nNone of this is how a good player searches: alpha-beta visits about the square root of these boards, and a \
           table of positions fewer still, so one core with them looks further ahead than any of these programs.\n"
}

/// One row per measurement and one per published figure.
fn csv(measurements: &KalahMeasurements) -> Table {
    let mut table = Table::of(0, "depth, boards, program, runs, median_s, fastest_s, slowest_s, in_tiles_s");
    for &(depth, nodes) in &measurements.nodes {
        for method in Method::PUBLISHED {
            if let Some(seconds) = published::seconds(depth, method) {
                table.row(cells![depth, nodes, format!("the paper: {}", method.name()), "", seconds, "", "", ""]);
            }
        }
        for row in measurements.rows.iter().filter(|row| row.case == depth) {
            let what = cells![depth, nodes, row.program.name()];
            table.row([what, row.times.cells(1.0), cells![row.figures]].concat());
        }
    }
    table
}

fn splits_csv(measurements: &KalahMeasurements) -> Table {
    let mut table = Table::of(0, "depth, pre, seq, on_device, runs, median_s");
    for row in &*measurements.splits {
        let (depth, on_device) = (measurements.options.split_depth, u32::from(row.program));
        table.row(cells![depth, row.case.pre(), row.case.seq(), on_device, row.times.runs(), row.times.median()]);
    }
    table
}

/// Speed-up over the sequential program on the same machine, by depth.
fn speed_ups(measurements: &KalahMeasurements) -> Chart {
    let depths: Vec<u32> = measurements.nodes.iter().map(|(depth, _)| *depth).collect();
    let of = |name: String, method: Method, seconds: &dyn Fn(u32, Method) -> Option<f64>| {
        line(name, &depths, |depth| {
            Some((f64::from(depth), seconds(depth, Method::Sequential)? / seconds(depth, method)?))
        })
    };
    let measured = |depth, method| measurements.rows.median(depth, method);
    let of_paper = [Method::CpuTiles, Method::DeviceTiles]
        .map(|method| of(format!("the paper: {}", method.name()), method, &published::seconds));
    let of_here = [Method::CpuTiles, Method::DeviceTiles, Method::Cpu, Method::Device]
        .map(|method| of(method.name().to_owned(), method, &measured));
    let (x, y) = (Axis::new("depth of the search", "moves"), Axis::new("speed-up", ""));
    let lines = of_paper.into_iter().chain(of_here).collect();
    chart("Speed-up over the sequential program of the same machine", x, y, true, lines)
}
