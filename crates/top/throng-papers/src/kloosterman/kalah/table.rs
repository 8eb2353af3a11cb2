//! The measurements beside the published ones, as a document in Markdown.

use std::fmt::Write as _;

use throng_core::three_figures;

use super::super::median::median;
use super::layers::Split;
use super::method::Method;
use super::published::{self, SPLITS};
use super::reproduce::{Measurements, Row};

/// All tables.
pub fn table(measurements: &Measurements) -> String {
    let mut text = String::new();
    times(measurements, &mut text);
    rates(measurements, &mut text);
    layers(measurements, &mut text);
    splits(measurements, &mut text);
    text
}

/// The programs that ran.
fn methods(measurements: &Measurements) -> Vec<Method> {
    let ran = |method: &Method| measurements.rows.iter().any(|row| row.method == *method);
    Method::ALL.into_iter().filter(ran).collect()
}

fn head(text: &mut String, columns: &[&str]) {
    let _ = writeln!(text, "| {} |\n|{}", columns.join(" | "), "---:|".repeat(columns.len()));
}

fn milliseconds(seconds: f64) -> String {
    three_figures(seconds * 1e3)
}

/// Times of a move, beside those of the paper.
fn times(measurements: &Measurements, text: &mut String) {
    let methods = methods(measurements);
    let _ = writeln!(
        text,
        "Milliseconds of a move from the start, medians of up to {} runs, {} threads{}. All programs find the same value and \
         move.\n",
        measurements.options.repeat,
        measurements.options.threads,
        measurements.device.as_ref().map_or_else(String::new, |device| format!(", {device}")),
    );
    let names = methods.iter().map(|method| method.name());
    let columns: Vec<&str> =
        ["depth", "boards", "the paper: sequential", "the paper: OpenCL, CPU", "the paper: OpenCL, GPU"]
            .into_iter()
            .chain(names)
            .collect();
    head(text, &columns);
    for &(depth, nodes) in &measurements.nodes {
        let published = [Method::Sequential, Method::CpuTiles, Method::DeviceTiles]
            .map(|method| published::seconds(depth, method).map_or_else(String::new, milliseconds));
        let _ = write!(text, "| {depth} | {nodes} | {} |", published.join(" | "));
        for &method in &methods {
            let cell = measurements.seconds(depth, method).map_or_else(String::new, milliseconds);
            let _ = write!(text, " {cell} |");
        }
        text.push('\n');
    }
    text.push('\n');
}

/// Millions of boards in a second, and speed-ups over the sequential program.
fn rates(measurements: &Measurements, text: &mut String) {
    text.push_str(
        "Millions of boards in a second; in brackets, times as fast as the sequential program beside it.\n\n",
    );
    let methods = methods(measurements);
    let names = methods.iter().map(|method| method.name());
    let columns: Vec<&str> =
        ["depth", "the paper: sequential", "the paper: OpenCL, GPU"].into_iter().chain(names).collect();
    head(text, &columns);
    let rate = |nodes: u64, seconds: f64| three_figures(nodes as f64 / seconds * 1e-6);
    for &(depth, nodes) in &measurements.nodes {
        let of_paper = |method| published::seconds(depth, method);
        let sequential = of_paper(Method::Sequential);
        let cell = |seconds: Option<f64>, sequential: Option<f64>| match (seconds, sequential) {
            (Some(seconds), Some(sequential)) => {
                format!("{} ({})", rate(nodes, seconds), three_figures(sequential / seconds))
            }
            (Some(seconds), None) => rate(nodes, seconds),
            (None, _) => String::new(),
        };
        let first = sequential.map_or_else(String::new, |seconds| rate(nodes, seconds));
        let _ = write!(text, "| {depth} | {first} | {} |", cell(of_paper(Method::DeviceTiles), sequential));
        for &method in &methods {
            let base = measurements.seconds(depth, Method::Sequential).filter(|_| method != Method::Sequential);
            let _ = write!(text, " {} |", cell(measurements.seconds(depth, method), base));
        }
        text.push('\n');
    }
    text.push('\n');
}

/// Where the layered search spends its time.
fn layers(measurements: &Measurements, text: &mut String) {
    let has_tiles = |method: &Method| measurements.rows.iter().any(|row| row.method == *method && row.in_tiles_s > 0.0);
    let methods: Vec<Method> = [Method::CpuTiles, Method::DeviceTiles].into_iter().filter(has_tiles).collect();
    if methods.is_empty() {
        return;
    }
    text.push_str(
        "Milliseconds of the layered search in tiles, transfers included; the rest is the two traversals, on one thread.\n\n",
    );
    let columns: Vec<&str> = ["depth"].into_iter().chain(methods.iter().map(|method| method.name())).collect();
    head(text, &columns);
    for &(depth, _) in &measurements.nodes {
        let cells = methods.iter().map(|&method| {
            let cell =
                |row: &Row| format!("{} of {}", milliseconds(row.in_tiles_s), milliseconds(median(&row.seconds)));
            measurements.row(depth, method).map_or_else(String::new, cell)
        });
        let _ = writeln!(text, "| {depth} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    text.push('\n');
}

/// The table of splits.
fn splits(measurements: &Measurements, text: &mut String) {
    let Some(first) = measurements.splits.first() else { return };
    let place = if first.on_device { "device" } else { "CPU" };
    let depth = measurements.options.split_depth;
    let _ = writeln!(
        text,
        "Seconds of a move to a depth of {depth} by how its moves are divided: by recursion, by the two traversals, and \
         the four levels of tiles ({place}).\n"
    );
    head(text, &["split", "the paper, depth 13", "here"]);
    for row in &measurements.splits {
        let published = SPLITS.into_iter().find(|(pre, seq, _)| (*pre, *seq) == (row.pre, row.seq));
        let published = published.map_or_else(String::new, |(.., seconds)| three_figures(seconds));
        let split = Split::new(row.pre, row.seq).map_or_else(String::new, Split::text);
        let _ = writeln!(text, "| {split} | {published} | {} |", three_figures(median(&row.seconds)));
    }
    text.push('\n');
}
