use super::*;
use crate::experiment::statements::found;
use crate::experiment::{Row, Rows, Times};
use crate::vigueras::cases::{Case, Options};
use crate::vigueras::kernel_times::KernelTimes;
use crate::vigueras::method::Tile;
use crate::vigueras::report::tests::measurements;
use crate::vigueras::reproduce::{CheckResults, Measured};

/// Rows of three runs: agents, program, and the middle one of their seconds.
fn measured(rows: &[(u32, Method, f64)]) -> ViguerasMeasurements {
    let row = |&(agents, program, seconds): &(u32, Method, f64)| -> Measured {
        let figures = CheckResults {
            moves: 100,
            with_copies: None,
            sort: None,
            tests: Some(u64::from(agents)),
            moved: 1.0,
            pairs: None,
            positions: 0,
        };
        let times = Times::of(vec![0.9 * seconds, seconds, 1.1 * seconds]);
        Row { case: Case { agents, area: 0.2, step: 0.25 }, program, times, figures }
    };
    let mut agents: Vec<u32> = rows.iter().map(|row| row.0).collect();
    agents.dedup();
    let options = Options { agents, ..Options::default() };
    ViguerasMeasurements { options, rows: Rows(rows.iter().map(row).collect()), kernels: vec![], ..measurements() }
}

fn verdict(measurements: &ViguerasMeasurements, statement: &str) -> Option<String> {
    found(&statements(measurements, MeasuredOn::Gpu), statement)
}

#[test]
fn a_program_is_faster_if_its_slowest_run_is() {
    let text = |fast: f64| {
        let baselines = [(20_000, Method::Baseline, 4.0), (20_000, Method::FastSortBaseline, fast)];
        let rows = [&[(20_000, Method::NoCheck, 1.0)][..], &baselines].concat();
        verdict(&measured(&rows), "A faster radix sort").unwrap()
    };
    let expected = "confirmed: 20000 agents: \"baseline, fast sort\" is 2.00 times (1.64 to 2.44; 3 runs) as fast as \
                    \"baseline\"; without drawing and moving it takes 33.3 % of the time";
    assert_eq!(text(2.0), expected);
    assert!(text(4.1).starts_with("cannot be known: "));
    assert!(text(8.0).starts_with("not confirmed: "));
}

#[test]
fn findings_on_the_baseline_have_to_hold_with_both_sorts() {
    let text = |four_steps: f64| {
        let baselines = [(20_000, Method::Baseline, 4.0), (20_000, Method::FastSortBaseline, 2.0)];
        let rows = [&baselines[..], &[(20_000, FOUR_STEPS, four_steps)]].concat();
        verdict(&measured(&rows), "The four steps take less time than the baseline").unwrap()
    };
    assert!(text(1.0).starts_with("confirmed: 20000 agents: \"four steps\" is 4.00 times"), "{}", text(1.0));
    assert!(text(1.0).contains("; with the fast sort: 20000 agents: \"four steps\" is 2.00 times"), "{}", text(1.0));
    assert!(text(9.0).starts_with("not confirmed: "));
    assert!(text(3.0).starts_with("cannot be known: ") && text(3.0).ends_with("which the paper does not name"));
}

#[test]
fn the_gain_has_to_be_the_greatest_for_the_greatest_number_of_agents() {
    let text = |gains: [f64; 3]| {
        let agents = [10_000, 50_000, 1_000_000];
        let rows = agents.into_iter().zip(gains);
        let of_agents =
            |(n, gain)| [(n, Method::Baseline, gain), (n, Method::FastSortBaseline, gain), (n, FOUR_STEPS, 1.0)];
        let rows: Vec<_> = rows.flat_map(of_agents).collect();
        verdict(&measured(&rows), "The gain of the four steps").unwrap()
    };
    assert!(text([1.0, 2.0, 4.0]).starts_with("confirmed: \"four steps\" is 4.00 times"), "{}", text([1.0, 2.0, 4.0]));
    assert!(
        text([1.0, 9.0, 4.0]).starts_with("not confirmed: ") && text([1.0, 9.0, 4.0]).contains("at most 9.00 times")
    );
    assert!(text([1.0, 3.9, 4.0]).starts_with("cannot be known: "));
}

#[test]
fn tiles_are_compared_with_each_number_of_agents_of_the_paper() {
    let [small, medium, large] = Tile::ALL.map(Method::OptimisedBaseline);
    let text = |small_seconds: f64| {
        let first = [(10_000, small, 2.0), (10_000, medium, 1.0), (10_000, large, 3.0)];
        let last = [(500_000, small, small_seconds), (500_000, medium, 1.0)];
        // More agents than in the paper.
        let more = [(5_000_000, small, 0.1), (5_000_000, medium, 1.0)];
        verdict(&measured(&[&first[..], &last, &more].concat()), "Tiles of 16 x 16").unwrap()
    };
    let expected = "confirmed: the least of 3 ratios: tiles of 16 x 16 cells are 1.50 times (1.23 to 1.83; 3 runs) as \
                    fast as \"optimised baseline, 8 x 8\" with 500000 agents";
    assert_eq!(text(1.5), expected);
    assert!(text(0.5).starts_with("not confirmed: "));
}

#[test]
fn kernels_are_ranked_by_their_times() {
    let text = |check: f64, sort: f64, statement: &str| {
        let kernels = vec![("check", vec![check; 3]), ("sort", vec![sort; 3]), ("hash", vec![1.0; 3])];
        let of = |method| KernelTimes { method, kernels: kernels.clone() };
        let kernels = vec![of(Method::Baseline), of(Method::FastSortBaseline)];
        verdict(&ViguerasMeasurements { kernels, ..measurements() }, statement).unwrap()
    };
    let (first, second) = ("The most time-consuming kernel of the baseline", "The sort is the second");
    let list = "check 60.0 %, sort 30.0 %, hash 10.0 % (3 runs)";
    assert_eq!(text(6.0, 3.0, first), format!("confirmed: {list}; with the fast sort: {list}"));
    assert!(text(6.0, 3.0, second).starts_with("confirmed: "));
    assert!(
        text(3.0, 6.0, first).starts_with("not confirmed: ") && text(3.0, 6.0, second).starts_with("not confirmed: ")
    );
    assert!(text(6.0, 0.5, second).starts_with("not confirmed: "));
    assert_eq!(verdict(&measurements(), "Merging the third"), None, "neither program ran");
}

#[test]
fn a_slower_merged_kernel_decides_nothing() {
    let text = |merged: f64| {
        let of = |method, kernels| KernelTimes { method, kernels };
        let two = vec![("reorder", vec![1.0; 3]), ("find cells", vec![2.0; 3])];
        let kernels =
            vec![of(Method::FastSortBaseline, two), of(OPTIMISED, vec![("reorder and find cells", vec![merged; 3])])];
        verdict(&ViguerasMeasurements { kernels, ..measurements() }, "Merging the third").unwrap()
    };
    assert!(text(2.0).starts_with("confirmed: the merged kernel is 1.50 times"));
    assert!(text(4.0).starts_with("cannot be known: the merged kernel is 0.7500 times"));
}

#[test]
fn rates_are_judged_for_wishes_and_for_comparisons() {
    let rows = |n| [(n, Method::Baseline, 4.0), (n, FOUR_STEPS, 1.0)];
    let mut measurements = measured(&[rows(10_000), rows(100_000)].concat());
    let all = |measurements: &ViguerasMeasurements| statements(measurements, MeasuredOn::Gpu).text();
    let of_tests = "comparisons of two discs per second are 4.00 times";
    assert!(all(&measurements).contains(&format!("  confirmed: the least of 2 ratios: {of_tests}")));
    measurements.rows.0[1].figures.tests = Some(1_000);
    let text = all(&measurements);
    assert!(text.contains("  confirmed: the least of 2 ratios: wishes checked per second are 4.00 times"), "{text}");
    assert!(
        text.contains("  not confirmed: the least of 2 ratios: comparisons of two discs per second are 0.4000 times")
    );
}

#[test]
fn statements_that_need_no_gpu_are_decided_on_the_cpu() {
    let rows = [(1_000, Method::SequentialOnCpu, 1.0), (10_000, Method::SequentialOnCpu, 12.0)];
    let measurements = measured(&rows);
    let verdict = |statement| found(&statements(&measurements, MeasuredOn::Cpu), statement);
    for (statement, expected) in [
        (
            "The cost of multi-agent",
            "not confirmed: 10.0 times as many agents take Throng's rule on the CPU 12.0 times",
        ),
        ("The distributed system", "cannot be known: "),
        ("All agents in one cell", "confirmed: the farthest centres in a cell are 4095 units apart on each axis"),
        ("Agents in cells more than", "confirmed: discs with two cells between theirs are at least 8193 units apart"),
        ("Restoring the previous", "not confirmed: three discs in a row, one of which is refused: 1 pair overlaps"),
        ("Texture memory", "cannot be known: not repeated: CubeCL 0.10 has no texture fetches"),
    ] {
        let text = verdict(statement).unwrap();
        assert!(text.starts_with(expected), "{text}");
    }
    assert_eq!(verdict("A faster radix sort"), None);
}

#[test]
fn overlaps_refute_consistency() {
    let mut measurements = measured(&[]);
    let text = |measurements: &ViguerasMeasurements| verdict(measurements, "The four steps keep").unwrap();
    let expected = "not confirmed: in a step that begins without overlaps, 3.50 pairs of 9 agents overlap under the \
                    reading with the fewest, \"four steps, full walk\"";
    assert!(text(&measurements).starts_with(expected), "{}", text(&measurements));
    measurements.defects.iter_mut().for_each(|found| found.pairs = 0.0);
    assert!(text(&measurements).starts_with("cannot be known: "));
}
