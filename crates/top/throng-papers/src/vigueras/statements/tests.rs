use super::*;
use crate::experiment::statements::found;
use crate::experiment::{Row, Rows, Times};
use crate::vigueras::cases::{Case, Options};
use crate::vigueras::defects::{CheckVariant, Defects};
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
        let checks = [(20_000, Method::AtomicGrid, 4.0), (20_000, Method::FastSortBaseline, fast)];
        let rows = [&[(20_000, Method::NoCheck, 1.0)][..], &checks].concat();
        verdict(&measured(&rows), "Atomic operations slow").unwrap()
    };
    let expected = "confirmed: 20,000 agents: \"baseline, fast sort\" is 2.00 times (1.64 to 2.44; 3 runs) as fast as \
                    \"static grid, atomic\"; without drawing and moving it takes 33.3 % of the time";
    assert_eq!(text(2.0), expected);
    assert!(text(4.1).starts_with("cannot be known: "));
    assert!(text(8.0).starts_with("not confirmed: "));
}

#[test]
fn the_gain_of_the_fast_sort_is_shown_but_decides_nothing_about_the_sorts_of_the_paper() {
    let rows = [(20_000, Method::Baseline, 4.0), (20_000, Method::FastSortBaseline, 2.0)];
    let text = verdict(&measured(&rows), "A faster radix sort").unwrap();
    let expected = "cannot be known: the bits per pass of the paper's two radix sorts are unknown; here 8 bits per pass \
                    in place of 1: 20,000 agents: \"baseline, fast sort\" is 2.00 times (1.64 to 2.44; 3 runs) as fast as \
                    \"baseline\"";
    assert_eq!(text, expected);
}

#[test]
fn findings_on_the_baseline_are_those_with_the_fast_sort() {
    let text = |four_steps: f64| {
        let baselines = [(20_000, Method::Baseline, 4.0), (20_000, Method::FastSortBaseline, 2.0)];
        let rows = [&baselines[..], &[(20_000, FOUR_STEPS, four_steps)]].concat();
        verdict(&measured(&rows), "The four steps take less time than the baseline").unwrap()
    };
    assert!(text(1.0).starts_with("confirmed: 20,000 agents: \"four steps\" is 2.00 times"), "{}", text(1.0));
    assert!(
        text(1.0).contains("; with one bit per pass: 20,000 agents: \"four steps\" is 4.00 times"),
        "{}",
        text(1.0)
    );
    assert!(text(3.0).starts_with("not confirmed: ") && text(9.0).starts_with("not confirmed: "));
    assert!(text(2.0).starts_with("cannot be known: "));
}

#[test]
fn the_range_over_other_numbers_of_agents_is_part_of_the_evidence() {
    let rows = |agents, atomic| [(agents, FOUR_STEPS, 1.0), (agents, Method::FourStepsAtomic, atomic)];
    let text = |rows: &[(u32, Method, f64)]| verdict(&measured(rows), "Saving a kernel").unwrap();
    let all = [rows(10_000, 0.75), rows(50_000, 0.5), rows(100_000, 1.25), rows(1_000_000, 2.0)].concat();
    let end = "; with 10,000 to 100,000 agents 0.500 to 1.25 times, below 1 with 10,000, 50,000";
    assert!(text(&all).starts_with("confirmed: 1,000,000 agents: ") && text(&all).ends_with(end), "{}", text(&all));
    assert!(text(&all[..6]).ends_with("; with 10,000 to 50,000 agents 0.500 to 0.750 times"), "{}", text(&all[..6]));
    assert!(text(&all[..4]).ends_with("; with 10,000 agents 0.750 times"), "{}", text(&all[..4]));
}

#[test]
fn the_difference_has_to_be_the_greatest_for_the_greatest_number_of_agents() {
    let text = |differences: [f64; 3]| {
        let rows = [10_000, 50_000, 1_000_000].into_iter().zip(differences);
        let of_agents = |(n, more)| [(n, Method::FastSortBaseline, 1.0 + more), (n, FOUR_STEPS, 1.0)];
        let rows: Vec<_> = rows.flat_map(of_agents).collect();
        verdict(&measured(&rows), "The difference between the four steps").unwrap()
    };
    let expected = "confirmed: \"baseline, fast sort\" minus \"four steps\", ms per move: 0.0000 with 10,000, 20.0 \
                    with 50,000, 40.0 with 1,000,000 agents";
    assert_eq!(text([0.0, 2.0, 4.0]), expected);
    // Ratios would be decided otherwise: 9 times with 50,000 agents.
    assert!(text([0.0, 8.0, 4.0]).starts_with("not confirmed: "));
    assert!(text([0.0, 3.9, 4.0]).starts_with("cannot be known: "));
}

#[test]
fn clearing_has_to_take_longer_with_each_larger_grid() {
    let text = |cleared: [f64; 3]| {
        let rows = [10_000, 50_000, 1_000_000].into_iter().zip(cleared);
        let rows: Vec<_> = rows.flat_map(|(n, s)| [(n, Method::ClearedFourSteps, s), (n, FOUR_STEPS, 0.1)]).collect();
        let all = measured(&rows);
        (verdict(&all, "Clearing the grid").unwrap(), verdict(&all, "The larger the grid").unwrap())
    };
    let (significant, grows) = text([1.0, 2.0, 4.0]);
    assert!(significant.starts_with("confirmed: 1,000,000 agents: \"four steps\" is 40.0 times"), "{significant}");
    assert!(
        grows.starts_with("confirmed: \"four steps, cleared\" minus \"four steps\", ms per move: 9.00 "),
        "{grows}"
    );
    assert!(text([1.0, 4.0, 2.0]).1.starts_with("not confirmed: "));
    assert!(text([1.0, 2.0, 2.1]).1.starts_with("cannot be known: "));
    // Less than 1.1 times as long is not significant.
    assert!(text([0.05, 0.05, 0.08]).0.starts_with("not confirmed: "));
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
                    fast as \"optimised baseline, 8 x 8\" with 500,000 agents";
    assert_eq!(text(1.5), expected);
    assert!(text(0.5).starts_with("not confirmed: "));
}

#[test]
fn times_of_kernels_decide_nothing_but_are_shown() {
    let of = |method, kernels| KernelTimes { method, kernels };
    let baseline = vec![("check", vec![6e-6; 3]), ("reorder", vec![1e-6; 3]), ("find cells", vec![3e-6; 3])];
    let optimised = vec![("check", vec![9e-6; 3]), ("sort", vec![3e-6; 3]), ("reorder and find cells", vec![8e-6; 3])];
    let rows =
        [(1_000_000, Method::NoCheck, 1.0), (1_000_000, Method::FastSortBaseline, 9.0), (1_000_000, OPTIMISED, 5.0)];
    let mut all = measured(&rows);
    all.kernels = vec![of(Method::FastSortBaseline, baseline), of(OPTIMISED, optimised)];
    all.rows.0[2].figures.sort = Some(3.0);
    for (statement, expected) in [
        (
            "The most time-consuming kernel of the baseline",
            "cannot be known: check 60.0 %, reorder 10.0 %, find cells 30.0 % (3 runs; kernels are timed on the host",
        ),
        ("The sort is the second", "cannot be known: check 60.0 %"),
        ("Merging the third", "cannot be known: the merged kernel is 0.500 times (0.500 to 0.500; 3 runs) as fast"),
        (
            "The most time-consuming kernel of the optimised",
            "cannot be known: 15.0 % of the summed kernel times, 75.0 % when sorts run alone",
        ),
        ("The optimised baseline takes less", "confirmed: 1,000,000 agents: \"optimised baseline\" is 1.80 times"),
    ] {
        let text = verdict(&all, statement).unwrap();
        assert!(text.starts_with(expected), "{text}");
    }
    let optimised = verdict(&all, "The optimised baseline takes less").unwrap();
    let end = "; its check kernel takes 9.00 µs, that of \"baseline, fast sort\" 6.00 µs; both have the same sort, so that \
               the gain of the paper's faster sort is not included";
    assert!(optimised.ends_with(end), "{optimised}");
    assert_eq!(verdict(&measurements(), "Merging the third"), None, "neither program ran");
}

#[test]
fn rates_are_judged_for_wishes_and_for_comparisons() {
    let rows = |n| [(n, Method::FastSortBaseline, 4.0), (n, FOUR_STEPS, 1.0)];
    let mut measurements = measured(&[rows(10_000), rows(100_000)].concat());
    let rates = |measurements: &ViguerasMeasurements| {
        ["wishes checked", "comparisons of two discs"].map(|reading| {
            let text =
                format!("The four steps check the most collisions per second for all numbers of agents ({reading}");
            verdict(measurements, &text).unwrap()
        })
    };
    let [_, comparisons] = rates(&measurements);
    let expected = "confirmed: the least of 2 ratios: comparisons of two discs per second are 4.00 times";
    assert!(comparisons.starts_with(expected), "{comparisons}");
    measurements.rows.0[1].figures.tests = Some(1_000);
    let [wishes, comparisons] = rates(&measurements);
    let expected = "confirmed: the least of 2 ratios: wishes checked per second are 4.00 times";
    assert!(wishes.starts_with(expected), "{wishes}");
    let expected = "not confirmed: the least of 2 ratios: comparisons of two discs per second are 0.400 times";
    assert!(comparisons.starts_with(expected), "{comparisons}");
}

#[test]
fn statements_that_need_no_gpu_are_decided_on_the_cpu() {
    let rows = [(1_000, Method::SequentialOnCpu, 1.0), (10_000, Method::SequentialOnCpu, 12.0)];
    let measurements = measured(&rows);
    let verdict = |statement| found(&statements(&measurements, MeasuredOn::Cpu), statement);
    for (statement, expected) in [
        (
            "The cost of multi-agent",
            "cannot be known: complete simulations are not measured; the check alone does not grow exponentially: with \
             10.0 times as many agents, Throng's rule on the CPU takes 12.0 times",
        ),
        ("The distributed system", "cannot be known: "),
        ("All agents in one cell", "confirmed: the farthest centres in a cell are 4095 units apart on each axis"),
        ("Agents in cells more than", "confirmed: discs with two cells between theirs are at least 8193 units apart"),
        ("Restoring the previous", "not confirmed: three discs in a row, one of which is refused: one pair overlaps"),
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
    let expected = "not confirmed: in a step that begins without overlaps, 3.50 to 3.50 pairs of 9 agents overlap \
                    under the reading with the fewest, depending on area and step; in 0 of 1 cases fewer than under the \
                    baseline";
    assert_eq!(text(&measurements), expected);
    let fewest = measurements.defects[0];
    let of_baseline = Defects { check: CheckVariant::Baseline, pairs: 4.0, ..fewest };
    let other = Case { area: 0.3, ..fewest.case };
    let more = [Defects { pairs: 2.0, case: other, ..fewest }, Defects { pairs: 9.0, ..fewest }];
    measurements.defects.splice(0..0, [of_baseline, more[1]]);
    measurements.defects.push(more[0]);
    let found = text(&measurements);
    assert!(found.contains(" 2.00 to 3.50 pairs ") && found.contains("in 1 of 2 cases fewer"), "{found}");
    measurements.defects.iter_mut().for_each(|found| found.pairs = 0.0);
    assert!(text(&measurements).starts_with("cannot be known: "));
}
