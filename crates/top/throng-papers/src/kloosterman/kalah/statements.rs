//! What the paper says of its player, each statement with what was found here.

use std::fmt::Write as _;

use throng_core::three_figures;

use super::super::median::median;
use super::layers::Split;
use super::method::Method;
use super::published::SECONDS;
use super::reproduce::{Measurements, SplitRow};
use crate::verdict::Verdict;

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
    say("A 10 times speed-up means that the player looks another move ahead.", another_move(measurements));
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

/// By how much the last move of the deepest search multiplies the boards.
fn another_move(measurements: &Measurements) -> Option<(Verdict, String)> {
    let (depth, nodes) = deepest(measurements)?;
    let factor = nodes as f64 / measurements.nodes(depth - 1)? as f64;
    let found = format!("the last of {depth} moves multiplies the boards by {}", three_figures(factor));
    Some((Verdict::of(factor <= 10.0), found))
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

/// From which depth on the device is faster. Both sides of the paper's limit have to be measured.
fn crossover(measurements: &Measurements) -> Option<(Verdict, String)> {
    let is_faster = |depth: u32| {
        let sequential = measurements.seconds(depth, Method::Sequential)?;
        Some(measurements.seconds(depth, Method::DeviceTiles)? < sequential)
    };
    let (below, from) = (is_faster(5)?, is_faster(6)?);
    let first = SECONDS.into_iter().map(|(depth, ..)| depth).find(|&depth| is_faster(depth) == Some(true));
    let found =
        first.map_or_else(|| "it is never faster".to_owned(), |depth| format!("it is faster from depth {depth} on"));
    Some((Verdict::of(!below && from), found))
}

/// The greatest depth at which the sequential program was measured.
fn deepest_sequential(measurements: &Measurements) -> Option<u32> {
    measurements.rows.iter().filter(|row| row.method == Method::Sequential).map(|row| row.depth).max()
}

fn cpu_tiles(measurements: &Measurements) -> Option<(Verdict, String)> {
    let depth = deepest_sequential(measurements)?;
    let ratio = measurements.seconds(depth, Method::CpuTiles)? / measurements.seconds(depth, Method::Sequential)?;
    let found = format!(
        "the OpenCL program is not repeated; tiles in Rust on {} threads take {} times as long as the sequential program \
         at depth {depth}",
        measurements.options.threads,
        three_figures(ratio)
    );
    Some((Verdict::CannotBeKnown, found))
}

fn cores(measurements: &Measurements) -> Option<(Verdict, String)> {
    let depth = deepest_sequential(measurements)?;
    let ratio = measurements.seconds(depth, Method::Sequential)? / measurements.seconds(depth, Method::Cpu)?;
    let found = format!(
        "the sequential program has no parallel form here; Throng's search, another algorithm, is {} times as fast on {} \
         threads at depth {depth}",
        three_figures(ratio),
        measurements.options.threads
    );
    Some((Verdict::CannotBeKnown, found))
}

/// Whether the split without recursion is the fastest one. Splits whose runs overlap in time cannot be told apart.
fn fastest_split(measurements: &Measurements) -> Option<(Verdict, String)> {
    let range = |row: &SplitRow| (row.seconds[0], row.seconds[row.seconds.len() - 1]);
    let of_paper = measurements.splits.iter().find(|row| row.pre == 0)?;
    let (fastest, slowest) = range(of_paper);
    let mut others = measurements.splits.iter().filter(|row| row.pre > 0).peekable();
    others.peek()?;
    let (mut any_is_faster, mut all_are_slower) = (false, true);
    for other in others {
        let (fastest_of_other, slowest_of_other) = range(other);
        any_is_faster |= slowest_of_other < fastest;
        all_are_slower &= fastest_of_other > slowest;
    }
    let best = measurements.splits.iter().min_by(|a, b| median(&a.seconds).total_cmp(&median(&b.seconds)))?;
    let of_best = format!(
        "{} has the least median, {} s",
        Split::new(best.pre, best.seq)?.text(),
        three_figures(median(&best.seconds))
    );
    Some(match (any_is_faster, all_are_slower) {
        (true, _) => (Verdict::NotConfirmed, of_best),
        (false, true) => (Verdict::Confirmed, of_best),
        (false, false) => (Verdict::CannotBeKnown, format!("{of_best}, but runs of different splits overlap")),
    })
}

#[cfg(test)]
mod tests {
    use super::super::reproduce::{Options, Row};
    use super::*;

    fn measurements(rows: &[(u32, Method, f64)], splits: &[(u32, [f64; 2])]) -> Measurements {
        let row = |&(depth, method, seconds): &(u32, Method, f64)| Row {
            depth,
            method,
            seconds: vec![seconds],
            in_tiles_s: 0.0,
        };
        let split = |&(pre, seconds): &(u32, [f64; 2])| SplitRow {
            pre,
            seq: 10 - pre,
            on_device: true,
            seconds: seconds.to_vec(),
        };
        let mut nodes: Vec<(u32, u64)> = rows.iter().map(|(depth, ..)| (*depth, 5u64.pow(*depth))).collect();
        nodes.dedup();
        Measurements {
            options: Options::default(),
            device: None,
            nodes,
            rows: rows.iter().map(row).collect(),
            splits: splits.iter().map(split).collect(),
        }
    }

    /// The line after a statement that begins so.
    fn verdict(measurements: &Measurements, statement: &str) -> Option<String> {
        let text = statements(measurements);
        let mut lines = text.lines().skip_while(|line| !line.starts_with(&format!("* {statement}")));
        lines.nth(1).map(|line| line.trim().to_owned())
    }

    #[test]
    fn a_crossover_needs_both_sides_of_the_limit() {
        let [slow, fast] = [(5, 2.0), (6, 1.0)]
            .map(|(depth, tiles)| [(depth, Method::Sequential, 1.5), (depth, Method::DeviceTiles, tiles)]);
        let below = "Below a depth of 6";
        assert_eq!(verdict(&measurements(&fast, &[]), below), None);
        let both = [slow, fast].concat();
        assert_eq!(verdict(&measurements(&both, &[]), below).unwrap(), "confirmed: it is faster from depth 6 on");
        let early = [(5, Method::Sequential, 1.5), (5, Method::DeviceTiles, 1.0)];
        let text = verdict(&measurements(&[early, fast].concat(), &[]), below).unwrap();
        assert_eq!(text, "not confirmed: it is faster from depth 5 on");
    }

    #[test]
    fn another_move_needs_two_depths() {
        let statement = "A 10 times speed-up";
        assert_eq!(verdict(&measurements(&[(13, Method::Sequential, 1.0)], &[]), statement), None);
        let two = [(12, Method::Sequential, 1.0), (13, Method::Sequential, 5.0)];
        let text = verdict(&measurements(&two, &[]), statement).unwrap();
        assert_eq!(text, "confirmed: the last of 13 moves multiplies the boards by 5.00");
    }

    #[test]
    fn splits_whose_runs_overlap_cannot_be_told_apart() {
        let text = |others: &[(u32, [f64; 2])]| {
            verdict(&measurements(&[], &[&[(0, [2.0, 2.2])], others].concat()), "All moves but those").unwrap()
        };
        assert!(text(&[(1, [2.1, 2.3])]).starts_with("cannot be known: "));
        assert!(text(&[(1, [2.3, 2.4]), (2, [2.5, 2.6])]).starts_with("confirmed: (0, 10, 4) has the least median"));
        assert!(text(&[(1, [1.3, 1.4]), (2, [2.5, 2.6])]).starts_with("not confirmed: (1, 9, 4)"));
        assert_eq!(verdict(&measurements(&[], &[(0, [2.0, 2.2])]), "All moves but those"), None);
    }
}
