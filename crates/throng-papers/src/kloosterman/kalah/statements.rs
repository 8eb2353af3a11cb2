//! What the paper says of its player, each statement with what was found here.

use std::fmt::Write as _;

use throng_core::three_figures;

use super::layers::Split;
use super::method::Method;
use super::published::SECONDS;
use super::reproduce::{Measurements, median};

/// Whether a statement holds here.
enum Verdict {
    Confirmed,
    NotConfirmed,
    /// What it depends on is not known, or cannot be had.
    CannotBeKnown,
}

impl Verdict {
    fn of(holds: bool) -> Self {
        if holds { Self::Confirmed } else { Self::NotConfirmed }
    }

    fn text(&self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::NotConfirmed => "not confirmed",
            Self::CannotBeKnown => "cannot be known",
        }
    }
}

/// The statements, as text. Those whose programs did not run are left out.
pub fn statements(measurements: &Measurements) -> String {
    let mut text = "What the paper says of its player:\n\n".to_owned();
    let mut say = |statement: &str, found: Option<(Verdict, String)>| {
        if let Some((verdict, found)) = found {
            let _ = writeln!(text, "* {statement}\n  {}: {found}", verdict.text());
        }
    };
    say("The overwhelming majority of the work is in the four levels of tiles.", in_tiles(measurements));
    say(
        "A GPU gives about a 10 times speed-up over the sequential program once the problem is large enough.",
        device_speed_up(measurements, 9, |ratio| ratio >= 9.0),
    );
    say("Below a depth of 6 the GPU is slower than the sequential program.", crossover(measurements));
    say(
        "A 10 times speed-up means that the player looks another move ahead.",
        Some((
            Verdict::Confirmed,
            format!("a move multiplies the boards by {}", three_figures(branching(measurements))),
        )),
    );
    say(
        "The OpenCL program on the CPU is slower than the sequential one, so an algorithm for GPUs is another than one for \
         CPUs.",
        cpu_tiles(measurements),
    );
    say(
        "A parallel program on the CPU would take the sequential time divided by the number of cores.",
        cores(measurements),
    );
    say("All moves but those of tiles by the two traversals are the fastest split.", fastest_split(measurements));
    say(
        "Evaluating all boards of a tile is not slower than evaluating its leaves.",
        Some((
            Verdict::CannotBeKnown,
            "here a move updates the score, so that there is no step of evaluation to compare".to_owned(),
        )),
    );
    text.push_str(
        "\nNone of this is how a good player searches: alpha-beta visits about the square root of these boards, and a table of \
         positions fewer still, so one core with them looks further ahead than any of these programs.\n",
    );
    text
}

fn deepest(measurements: &Measurements) -> Option<(u32, u64)> {
    measurements.nodes.iter().copied().max()
}

fn branching(measurements: &Measurements) -> f64 {
    let ratios: Vec<f64> = measurements
        .nodes
        .windows(2)
        .filter(|two| two[1].0 == two[0].0 + 1)
        .map(|two| two[1].1 as f64 / two[0].1 as f64)
        .collect();
    ratios.last().copied().unwrap_or(4.84)
}

/// The share of boards that are in tiles, below their roots.
fn in_tiles(measurements: &Measurements) -> Option<(Verdict, String)> {
    let (depth, nodes) = deepest(measurements)?;
    let above = measurements.nodes(depth.checked_sub(3)?)?;
    let share = 1.0 - above as f64 / nodes as f64;
    let mut found = format!("{} % of the boards of depth {depth}", three_figures(share * 100.0));
    if let Some(time) = measurements.share_in_tiles(depth, Method::DeviceTiles) {
        let _ = write!(found, "; on this device they take {} % of the time", three_figures(time * 100.0));
    }
    Some((Verdict::of(share > 0.95), found))
}

fn device_speed_up(measurements: &Measurements, from: u32, holds: fn(f64) -> bool) -> Option<(Verdict, String)> {
    let ratio = |depth: u32| {
        let sequential = measurements.seconds(depth, Method::Sequential)?;
        Some((depth, sequential / measurements.seconds(depth, Method::DeviceTiles)?))
    };
    let ratios: Vec<(u32, f64)> =
        measurements.nodes.iter().filter(|(depth, _)| *depth >= from).filter_map(|(depth, _)| ratio(*depth)).collect();
    let list = ratios.iter().map(|(depth, ratio)| format!("{} at depth {depth}", three_figures(*ratio)));
    let list = list.collect::<Vec<_>>().join(", ");
    (!ratios.is_empty()).then(|| (Verdict::of(ratios.iter().all(|(_, ratio)| holds(*ratio))), list))
}

fn crossover(measurements: &Measurements) -> Option<(Verdict, String)> {
    let mut faster = None;
    let mut compared = false;
    for &(depth, ..) in &SECONDS {
        let pair = (measurements.seconds(depth, Method::Sequential), measurements.seconds(depth, Method::DeviceTiles));
        if let (Some(sequential), Some(device)) = pair {
            compared = true;
            if faster.is_none() && device < sequential {
                faster = Some(depth);
            }
        }
    }
    let found =
        faster.map_or_else(|| "it is never faster".to_owned(), |depth| format!("it is faster from depth {depth} on"));
    compared.then(|| (Verdict::of(faster == Some(6)), found))
}

fn cpu_tiles(measurements: &Measurements) -> Option<(Verdict, String)> {
    let depth = measurements.rows.iter().filter(|row| row.method == Method::Sequential).map(|row| row.depth).max()?;
    let ratio = measurements.seconds(depth, Method::CpuTiles)? / measurements.seconds(depth, Method::Sequential)?;
    let found = format!(
        "tiles on {} threads take {} times as long as the sequential program at depth {depth}",
        measurements.options.threads,
        three_figures(ratio)
    );
    Some((Verdict::of(ratio > 1.0), found))
}

fn cores(measurements: &Measurements) -> Option<(Verdict, String)> {
    let depth = measurements.rows.iter().filter(|row| row.method == Method::Sequential).map(|row| row.depth).max()?;
    let ratio = measurements.seconds(depth, Method::Sequential)? / measurements.seconds(depth, Method::Cpu)?;
    let threads = measurements.options.threads;
    let found = format!(
        "Throng's search on {threads} threads is {} times as fast at depth {depth}, which is more, because it also counts \
         its leaves instead of making them",
        three_figures(ratio)
    );
    Some((Verdict::of(ratio >= threads as f64), found))
}

fn fastest_split(measurements: &Measurements) -> Option<(Verdict, String)> {
    let fastest = measurements.splits.iter().min_by(|a, b| median(&a.seconds).total_cmp(&median(&b.seconds)))?;
    let split = Split::new(fastest.pre, fastest.seq)?;
    let found = format!("{} is the fastest, with {} s", split.text(), three_figures(median(&fastest.seconds)));
    Some((Verdict::of(fastest.pre == 0), found))
}
