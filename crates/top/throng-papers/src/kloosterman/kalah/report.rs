//! The measurements as files: tables and a chart.

use throng_output::csv as tables;
use throng_output::svg::{Axis, Chart, Graphic, Series};

use super::method::Method;
use super::published;
use super::reproduce::Measurements;
use super::statements::statements;
use super::table::table;

/// All names that files may have.
pub fn names() -> Vec<String> {
    ["kalah.csv", "kalah_splits.csv", "kalah.md", "kalah.svg"].map(str::to_owned).to_vec()
}

/// `kalah.csv`, `kalah_splits.csv`, `kalah.md`, and the chart if at least three depths were measured.
pub fn files(measurements: &Measurements) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![
        ("kalah.csv".to_owned(), csv(measurements)),
        ("kalah_splits.csv".to_owned(), splits_csv(measurements)),
        ("kalah.md".to_owned(), text(measurements).into_bytes()),
    ];
    let chart = chart(measurements);
    if chart.is_worth_drawing() {
        files.push(("kalah.svg".to_owned(), chart.render().into_bytes()));
    }
    files
}

/// The tables and the statements.
pub fn text(measurements: &Measurements) -> String {
    table(measurements) + &statements(measurements)
}

/// A row per measurement, and one per published figure.
pub fn csv(measurements: &Measurements) -> Vec<u8> {
    let mut out = Vec::new();
    tables::push_header(
        &mut out,
        &["depth", "boards", "program", "runs", "median_s", "fastest_s", "slowest_s", "in_tiles_s"],
    );
    for &(depth, nodes) in &measurements.nodes {
        for method in [Method::Sequential, Method::CpuTiles, Method::DeviceTiles] {
            if let Some(seconds) = published::seconds(depth, method) {
                let mut line = tables::Row::new(&mut out);
                line.integer(depth.into()).integer(nodes as i64).text(&format!("the paper: {}", method.name()));
                line.empty().number(seconds).empty().empty().empty().end();
            }
        }
        for row in measurements.rows.iter().filter(|row| row.depth == depth) {
            let seconds = &row.seconds;
            let mut line = tables::Row::new(&mut out);
            line.integer(depth.into()).integer(nodes as i64).text(row.method.name()).integer(seconds.len() as i64);
            line.number(seconds[seconds.len() / 2]).number(seconds[0]);
            line.number(seconds[seconds.len() - 1]);
            if row.in_tiles_s > 0.0 { line.number(row.in_tiles_s) } else { line.empty() }.end();
        }
    }
    out
}

fn splits_csv(measurements: &Measurements) -> Vec<u8> {
    let mut out = Vec::new();
    tables::push_header(&mut out, &["depth", "pre", "seq", "on_device", "runs", "median_s"]);
    for row in &measurements.splits {
        let mut line = tables::Row::new(&mut out);
        line.integer(measurements.options.split_depth.into()).integer(row.pre.into()).integer(row.seq.into());
        line.integer(row.on_device.into()).integer(row.seconds.len() as i64);
        line.number(row.seconds[row.seconds.len() / 2]).end();
    }
    out
}

/// Speed-ups over the sequential program of the same machine, over the depth.
pub fn chart(measurements: &Measurements) -> Chart {
    let series = |name: String, seconds: &dyn Fn(u32, Method) -> Option<f64>, method: Method| {
        let point = |&(depth, _): &(u32, u64)| {
            let speed_up = seconds(depth, Method::Sequential)? / seconds(depth, method)?;
            Some((f64::from(depth), libm::log10(speed_up)))
        };
        Series { name, points: measurements.nodes.iter().filter_map(point).collect() }
    };
    let here = |depth, method| measurements.seconds(depth, method);
    let of_paper = [Method::CpuTiles, Method::DeviceTiles]
        .map(|method| series(format!("the paper: {}", method.name()), &published::seconds, method));
    let of_here = [Method::CpuTiles, Method::DeviceTiles, Method::Cpu, Method::Device]
        .map(|method| series(method.name().to_owned(), &here, method));
    Chart {
        label: "Speed-up over the sequential program of the same machine".into(),
        x: Axis::new("depth of the search", "moves"),
        y: Axis::new("speed-up", "").in_powers_of_ten(),
        series: of_paper.into_iter().chain(of_here).filter(|series| !series.points.is_empty()).collect(),
        ..Chart::default()
    }
}
