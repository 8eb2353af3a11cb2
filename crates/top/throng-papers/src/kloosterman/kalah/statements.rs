//! The paper's statements about its player, each with a verdict.

use std::fmt::Write as _;

use throng_core::{counted, three_figures};

use super::layers::{MAX_BATCH, Split};
use super::method::Method;
use super::published::{SECONDS, SPLITS};
use super::reproduce::KalahMeasurements;
use super::tree_array::{PLIES, level_width};
use crate::experiment::{Judgement, MeasuredOn, SpeedUp, Statements, Verdict};

/// The statements of section 5, each with its verdict.
pub(crate) fn statements(measurements: &KalahMeasurements, on: MeasuredOn) -> Statements {
    let mut all = Statements::on(on);
    all.push(
        "section 5.1",
        "The overwhelming majority of the work is in the four levels of tiles (read as more than 95 % of the boards).",
        in_tiles(measurements),
    );
    all.push_of_gpu(
        "section 5.3.2",
        "A GPU gives about a 10 times speed-up over the sequential program once the problem is large enough (read as \
         at least 9 times, at each depth of 9 and more).",
        device_speed_up(measurements),
    );
    all.push_of_gpu(
        "section 5.3.2",
        "Below a depth of 6 the GPU is slower than the sequential program.",
        crossover(measurements),
    );
    all.push(
        "section 5.3.2",
        "A 10 times speed-up means that the player looks another move ahead.",
        another_move(measurements),
    );
    all.push("section 5.3.2", "The OpenCL program on the CPU is slower than the sequential one.", [opencl_on_cpu()]);
    all.push(
        "section 5.3.2",
        "This shows that algorithms tuned for GPUs differ from those tuned for CPUs.",
        cpu_tiles(measurements),
    );
    all.push(
        "section 5.3.2",
        "A parallel program on the CPU would take the sequential time divided by the number of cores (read as within \
         25 %, with a core for each thread).",
        cores(measurements),
    );
    all.push_of_gpu(
        "section 5.2",
        "8 levels of sequential minimax above the tiles are optimal.",
        eight_levels(measurements),
    );
    all.push_of_gpu(
        "section 5.3.1",
        "The fastest split has only the two traversals above the tiles.",
        fastest_split(measurements),
    );
    all.push(
        "section 5.2",
        "The recursion above the two traversals needs a single traversal.",
        [Verdict::Confirmed
            .with_evidence("here it runs once, and all splits find the value and the move of the other programs")],
    );
    all.push(
        "section 5.1.2",
        "Evaluating all boards of a tile is not slower than evaluating its leaves.",
        [Verdict::Undecided
            .with_evidence("here a move updates the score, so that there is no step of evaluation to compare")],
    );
    all.push("section 5.1.4", "A tile is limited to four levels by the size of a work-group.", [four_levels()]);
    all.push(
        "section 5.3.1",
        "Depth 14 is the better test of splits, because (0, 11, 4) is too large for the GPU at once.",
        [Verdict::Undecided.with_evidence(format!(
            "here tiles are launched in batches of at most {MAX_BATCH}, so that (0, 11, 4) runs; the paper's GPU is not \
             available"
        ))],
    );
    all.push(
        "section 5.1.2, and footnote 1",
        "All threads of a work-group share an instruction pointer.",
        [Verdict::NotConfirmed.with_evidence(format!(
            "only those of a wavefront or warp do; a group of {} has {} wavefronts of {WAVEFRONT}",
            leaves(),
            leaves().div_ceil(WAVEFRONT)
        ))],
    );
    all
}

/// Pits of a player, the children of a board.
const PITS: u32 = 6;
/// Threads of a wavefront of the paper's GPU.
const WAVEFRONT: u32 = 64;
/// Maximum number of threads of a block in CUDA.
const MAX_UNITS: u32 = 1024;

/// Boards in the last level of a tile, and threads of its work-group.
fn leaves() -> u32 {
    level_width(PITS, PLIES)
}

fn four_levels() -> Judgement {
    let fifth = level_width(PITS, PLIES + 1);
    let found = format!(
        "a fifth level needs {fifth} threads, and CUDA allows {MAX_UNITS}; Throng's own search has no tiles, and so no \
         such limit"
    );
    Verdict::of(leaves() <= MAX_UNITS && fifth > MAX_UNITS).with_evidence(found)
}

/// The paper's own table decides.
fn opencl_on_cpu() -> Judgement {
    let ratios = SECONDS.map(|(_, sequential, opencl, _)| opencl / sequential);
    let [least, greatest] =
        [f64::min as fn(f64, f64) -> f64, f64::max].map(|of| ratios.into_iter().reduce(of).unwrap_or(f64::NAN));
    let found = format!(
        "by the paper's own table, {} to {} times as long; it is not repeated here",
        three_figures(least),
        three_figures(greatest)
    );
    Verdict::of(least > 1.0).with_evidence(found)
}

fn deepest(measurements: &KalahMeasurements) -> Option<(u32, u64)> {
    measurements.nodes.iter().copied().max()
}

/// The factor by which the last move of the deepest search multiplies the number of boards.
fn another_move(measurements: &KalahMeasurements) -> Option<Judgement> {
    let (depth, nodes) = deepest(measurements)?;
    let factor = nodes as f64 / measurements.nodes(depth - 1)? as f64;
    let found = format!("the last of {depth} moves multiplies the boards by {}", three_figures(factor));
    Some(Verdict::of(factor <= 10.0).with_evidence(found))
}

/// The fraction of boards that are in tiles, below their roots.
fn in_tiles(measurements: &KalahMeasurements) -> Option<Judgement> {
    let (depth, nodes) = deepest(measurements)?;
    let above = measurements.nodes(depth.checked_sub(3)?)?;
    let fraction = 1.0 - above as f64 / nodes as f64;
    let mut found = format!("{} % of the boards of depth {depth}", three_figures(fraction * 100.0));
    if let Some(time) = measurements.share_in_tiles(depth, Method::DeviceTiles) {
        let _ = write!(found, "; on this device they take {} % of the time", three_figures(time * 100.0));
    }
    Some(Verdict::of(fraction > 0.95).with_evidence(found))
}

/// Whether the device is at least 9 times as fast at each depth of 9 and more.
fn device_speed_up(measurements: &KalahMeasurements) -> Option<Judgement> {
    let ratio = |depth: u32| Some((depth, measurements.rows.compare(depth, Method::Sequential, Method::DeviceTiles)?));
    let ratios: Vec<(u32, SpeedUp)> =
        measurements.nodes.iter().filter(|(depth, _)| *depth >= 9).filter_map(|(depth, _)| ratio(*depth)).collect();
    let list = ratios.iter().map(|(depth, ratio)| format!("{} at depth {depth}", ratio.text()));
    let list = list.collect::<Vec<_>>().join(", ");
    let verdict = Verdict::all(ratios.iter().map(|(_, ratio)| ratio.within(9.0..)));
    (!ratios.is_empty()).then(|| verdict.with_evidence(list))
}

/// Whether the device is slower at every measured depth below the paper's limit.
fn crossover(measurements: &KalahMeasurements) -> Option<Judgement> {
    let ratio = |depth: u32| Some((depth, measurements.rows.compare(depth, Method::Sequential, Method::DeviceTiles)?));
    let below: Vec<(u32, SpeedUp)> = (SECONDS[0].0..6).filter_map(ratio).collect();
    let verdict = Verdict::all(below.iter().map(|(_, ratio)| ratio.within(..1.0)));
    let list = below.iter().map(|(depth, ratio)| format!("it is {} as fast at depth {depth}", ratio.text()));
    let found = list.collect::<Vec<_>>().join(", ");
    (!below.is_empty()).then(|| verdict.with_evidence(found))
}

/// The maximum depth at which the sequential program was measured.
fn deepest_sequential(measurements: &KalahMeasurements) -> Option<u32> {
    measurements.rows.iter().filter(|row| row.program == Method::Sequential).map(|row| row.case).max()
}

fn cpu_tiles(measurements: &KalahMeasurements) -> Option<Judgement> {
    let depth = deepest_sequential(measurements)?;
    let ratio = measurements.rows.ratio(depth, Method::CpuTiles, Method::Sequential)?;
    let found = format!(
        "tiles in Rust on {} take {} times as long as the sequential program at depth {depth}",
        counted(measurements.options.threads as u64, "thread"),
        three_figures(ratio)
    );
    Some(Verdict::Undecided.with_evidence(found))
}

fn cores(measurements: &KalahMeasurements) -> Option<Judgement> {
    let depth = deepest_sequential(measurements)?;
    let ratio = measurements.rows.compare(depth, Method::Sequential, Method::Parallel)?;
    let threads = measurements.options.threads as f64;
    let verdict = if threads > 1.0 { ratio.within(threads * 0.75..threads * 1.25) } else { Verdict::Undecided };
    let found = format!(
        "the same recursion on {} is {} as fast at depth {depth}; Throng's search, another algorithm, {} \
         times",
        counted(measurements.options.threads as u64, "thread"),
        ratio.text(),
        three_figures(measurements.rows.ratio(depth, Method::Sequential, Method::Cpu)?)
    );
    Some(verdict.with_evidence(found))
}

/// Whether the split with eight levels is the fastest one. The paper's own table and its final report contradict it.
fn eight_levels(measurements: &KalahMeasurements) -> Option<Judgement> {
    let found = fastest(measurements, |split| split.seq() == 8)?;
    let seconds = |seq: u32| SPLITS.into_iter().find(|split| split.1 == seq).map_or(f64::NAN, |split| split.2);
    let table = format!(
        "in the paper's table 10 levels take {} s, 8 levels {} s, and its final report says 10",
        seconds(10),
        seconds(8)
    );
    Some(Judgement { evidence: format!("{}; {table}", found.evidence), ..found })
}

/// Whether the split without recursion is the fastest one.
fn fastest_split(measurements: &KalahMeasurements) -> Option<Judgement> {
    fastest(measurements, |split| split.pre() == 0)
}

/// Whether a split is the fastest one: undecided if its range of times overlaps with that of another split and none is
/// faster.
fn fastest(measurements: &KalahMeasurements, is_of_paper: fn(Split) -> bool) -> Option<Judgement> {
    let of_paper = &measurements.splits.iter().find(|row| is_of_paper(row.case))?.times;
    let others = measurements.splits.iter().filter(|row| !is_of_paper(row.case));
    let ratios: Vec<SpeedUp> = others.map(|row| SpeedUp::of(&row.times, of_paper)).collect();
    let best = measurements.splits.iter().min_by(|a, b| a.times.median().total_cmp(&b.times.median()))?;
    let times = &best.times;
    let [median, fastest, slowest] = [times.median(), times.fastest(), times.slowest()].map(three_figures);
    let runs = times.runs();
    let mut found =
        format!("{} has the lowest median, {median} s ({fastest} to {slowest}; {runs} runs)", best.case.text());
    let verdict = Verdict::all(ratios.iter().map(|ratio| ratio.within(1.0..)));
    if verdict == Verdict::Undecided {
        found += ", but runs of different splits overlap or are fewer than three";
    }
    (!ratios.is_empty()).then(|| verdict.with_evidence(found))
}

#[cfg(test)]
mod tests {
    use super::super::reproduce::Options;
    use super::*;
    use crate::experiment::statements::found;
    use crate::experiment::{MIN_RUNS, Row, Rows, Times};

    fn measurements(rows: &[(u32, Method, f64)], splits: &[(u32, [f64; 2])]) -> KalahMeasurements {
        let row = |&(case, program, seconds): &(u32, Method, f64)| Row {
            case,
            program,
            times: Times::of(vec![seconds; MIN_RUNS]),
            figures: None,
        };
        let split = |&(pre, seconds): &(u32, [f64; 2])| Row {
            case: Split::new(pre, 10 - pre).unwrap(),
            program: true,
            times: Times::of(vec![seconds[0], seconds[1], seconds[1]]),
            figures: (),
        };
        let mut nodes: Vec<(u32, u64)> = rows.iter().map(|(depth, ..)| (*depth, 5u64.pow(*depth))).collect();
        nodes.dedup();
        KalahMeasurements {
            options: Options::default(),
            device: None,
            nodes,
            rows: Rows(rows.iter().map(row).collect()),
            splits: Rows(splits.iter().map(split).collect()),
        }
    }

    fn verdict(measurements: &KalahMeasurements, statement: &str) -> Option<String> {
        found(&statements(measurements, MeasuredOn::Gpu), statement)
    }

    #[test]
    fn only_depths_below_the_limit_decide_that_the_device_is_slower() {
        let at = |depth: u32, tiles: f64| [(depth, Method::Sequential, 1.5), (depth, Method::DeviceTiles, tiles)];
        let text = |rows: &[[(u32, Method, f64); 2]]| verdict(&measurements(&rows.concat(), &[]), "Below a depth of 6");
        assert_eq!(text(&[at(6, 1.0)]), None);
        let five = "0.750 times (0.750 to 0.750; 3 runs) as fast at depth 5";
        assert_eq!(text(&[at(5, 2.0), at(6, 1.0)]).unwrap(), format!("confirmed: it is {five}"));
        assert!(text(&[at(4, 2.0), at(5, 1.0), at(6, 1.0)]).unwrap().starts_with("not confirmed: it is 0.750 times"));
    }

    #[test]
    fn eight_levels_are_compared_with_all_other_splits() {
        let text = |splits: &[(u32, [f64; 2])]| verdict(&measurements(&[], splits), "8 levels").unwrap();
        let table = "in the paper's table 10 levels take 9.4 s, 8 levels 10.62 s, and its final report says 10";
        let best = text(&[(0, [2.0, 2.1]), (2, [1.0, 1.1]), (3, [3.0, 3.1])]);
        assert_eq!(best, format!("confirmed: (2, 8, 4) has the lowest median, 1.10 s (1.00 to 1.10; 3 runs); {table}"));
        assert!(text(&[(0, [1.0, 1.1]), (2, [2.0, 2.1])]).starts_with("not confirmed: (0, 10, 4)"));
        assert!(text(&[(0, [1.0, 1.1]), (2, [1.05, 2.1])]).starts_with("cannot be known: "));
    }

    #[test]
    fn the_papers_own_figures_and_the_sizes_of_groups_decide_without_measurements() {
        let text = |statement: &str| verdict(&measurements(&[], &[]), statement);
        let slower = text("The OpenCL program on the CPU is slower").unwrap();
        assert!(slower.starts_with("confirmed: by the paper's own table, 2.04 to 26.1 times as long"), "{slower}");
        let levels = text("A tile is limited to four levels").unwrap();
        assert!(levels.starts_with("confirmed: a fifth level needs 1296 threads, and CUDA allows 1024"), "{levels}");
        let pointer = text("All threads of a work-group").unwrap();
        assert!(pointer.starts_with("not confirmed: ") && pointer.contains("216 has 4 wavefronts of 64"), "{pointer}");
        let deep = text("Depth 14").unwrap();
        assert!(deep.starts_with("cannot be known: here tiles are launched in batches of at most 500000"), "{deep}");
    }

    #[test]
    fn the_factor_per_move_needs_two_depths() {
        let statement = "A 10 times speed-up";
        assert_eq!(verdict(&measurements(&[(13, Method::Sequential, 1.0)], &[]), statement), None);
        let two = [(12, Method::Sequential, 1.0), (13, Method::Sequential, 5.0)];
        let text = verdict(&measurements(&two, &[]), statement).unwrap();
        assert_eq!(text, "confirmed: the last of 13 moves multiplies the boards by 5.00");
    }

    #[test]
    fn splits_with_overlapping_times_are_undecided() {
        let text = |others: &[(u32, [f64; 2])]| {
            verdict(&measurements(&[], &[&[(0, [2.0, 2.2])], others].concat()), "The fastest split").unwrap()
        };
        assert!(text(&[(1, [2.1, 2.3])]).starts_with("cannot be known: "));
        assert!(text(&[(1, [2.3, 2.4]), (2, [2.5, 2.6])]).starts_with("confirmed: (0, 10, 4) has the lowest median"));
        assert!(text(&[(1, [1.3, 1.4]), (2, [2.5, 2.6])]).starts_with("not confirmed: (1, 9, 4)"));
        assert_eq!(verdict(&measurements(&[], &[(0, [2.0, 2.2])]), "The fastest split"), None);
    }
}
