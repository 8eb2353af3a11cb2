//! The measurements next to the published ones, as a Markdown document.

use std::fmt::Write as _;

use throng_core::{counted, three_figures};

use super::method::Method;
use super::published::{self, SPLITS};
use super::reproduce::{InTiles, KalahMeasurements};
use crate::experiment::{Cell, Row, Table, cells};

/// Builds the document with all tables.
pub fn table(measurements: &KalahMeasurements) -> String {
    let mut text = String::new();
    times(measurements, &mut text);
    rates(measurements, &mut text);
    layers(measurements, &mut text);
    splits(measurements, &mut text);
    text
}

/// The programs that ran.
fn methods(measurements: &KalahMeasurements) -> Vec<Method> {
    Method::ALL.into_iter().filter(|&method| measurements.rows.ran(method)).collect()
}

/// Milliseconds per move, next to the published ones.
fn times(measurements: &KalahMeasurements, text: &mut String) {
    let methods = methods(measurements);
    let _ = writeln!(
        text,
        "Milliseconds per move from the start, medians of up to {}, {}{}. All programs find the same value and \
         move.\n",
        counted(measurements.options.repeat as u64, "run"),
        counted(measurements.options.threads as u64, "thread"),
        measurements.device.as_ref().map_or_else(String::new, |device| format!(", {device}")),
    );
    let mut table =
        Table::new(0, ["depth", "boards", "the paper: sequential", "the paper: OpenCL, CPU", "the paper: OpenCL, GPU"])
            .and(methods.iter().map(|method| method.name()));
    let milliseconds = |seconds: Option<f64>| Cell::from(seconds.map(|seconds| seconds * 1e3));
    for &(depth, nodes) in &measurements.nodes {
        let mut row = cells![depth, nodes];
        row.extend(Method::PUBLISHED.map(|method| milliseconds(published::seconds(depth, method))));
        row.extend(methods.iter().map(|&method| milliseconds(measurements.rows.median(depth, method))));
        table.row(row);
    }
    text.push_str(&table.markdown());
}

/// Millions of boards per second, and speed-ups over the sequential program.
fn rates(measurements: &KalahMeasurements, text: &mut String) {
    text.push_str("Millions of boards per second, with the speed-up over the sequential program in brackets.\n\n");
    let methods = methods(measurements);
    let mut table = Table::of(0, "depth").and(["the paper: sequential", "the paper: OpenCL, GPU"]);
    table = table.and(methods.iter().map(|method| method.name()));
    for &(depth, nodes) in &measurements.nodes {
        let cell = |method: Method, seconds: &dyn Fn(u32, Method) -> Option<f64>| {
            let of_method = seconds(depth, method);
            let sequential = seconds(depth, Method::Sequential).filter(|_| method != Method::Sequential);
            Cell::from(of_method.map(|seconds| {
                let times = sequential.map(|sequential| format!(" ({})", three_figures(sequential / seconds)));
                three_figures(nodes as f64 / seconds * 1e-6) + &times.unwrap_or_default()
            }))
        };
        let mut row = cells![depth];
        row.extend([Method::Sequential, Method::DeviceTiles].map(|method| cell(method, &published::seconds)));
        row.extend(
            methods.iter().map(|&method| cell(method, &|depth, method| measurements.rows.median(depth, method))),
        );
        table.row(row);
    }
    text.push_str(&table.markdown());
}

/// The time that the layered search spends in each layer.
fn layers(measurements: &KalahMeasurements, text: &mut String) {
    let has_tiles = |&method: &Method| measurements.rows.ran(method);
    let methods: Vec<Method> = [Method::CpuTiles, Method::DeviceTiles].into_iter().filter(has_tiles).collect();
    if methods.is_empty() {
        return;
    }
    text.push_str(
        "Milliseconds of the layered search in tiles, transfers included; the rest is the two traversals, on one thread.\n\n",
    );
    let mut table = Table::of(0, "depth").and(methods.iter().map(|method| method.name()));
    for &(depth, _) in &measurements.nodes {
        let cell = |row: &Row<u32, Method, InTiles>| {
            let [in_tiles, whole] = [row.figures?, row.times.median()].map(|seconds| three_figures(seconds * 1e3));
            Some(format!("{in_tiles} of {whole}"))
        };
        let cells = methods.iter().map(|&method| measurements.rows.row(depth, method).and_then(cell).into());
        table.row([cells![depth], cells.collect()].concat());
    }
    text.push_str(&table.markdown());
}

/// The table of splits.
fn splits(measurements: &KalahMeasurements, text: &mut String) {
    let Some(first) = measurements.splits.first() else { return };
    let hardware = if first.program { "device" } else { "CPU" };
    let depth = measurements.options.split_depth;
    let _ = writeln!(
        text,
        "Seconds per move at a depth of {depth}, by split: moves by recursion, moves by the two traversals, and \
         the four levels of tiles ({hardware}).\n"
    );
    let mut table = Table::new(0, ["split", "the paper, depth 13", "here"]);
    for row in &*measurements.splits {
        let published = SPLITS.into_iter().find(|(pre, seq, _)| (*pre, *seq) == (row.case.pre(), row.case.seq()));
        table.row(cells![row.case.text(), published.map(|(.., seconds)| seconds), row.times.median()]);
    }
    text.push_str(&table.markdown());
}
