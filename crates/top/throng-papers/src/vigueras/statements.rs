//! The paper's statements, each with a verdict.
//!
//! The paper's ratios between two programs are of GPUs without caches of global memory. On another GPU they are
//! comparable only qualitatively, so the verdicts are about which program is faster. The baseline with the fast sort
//! decides about the paper's baseline, whose radix sort probably sorts as many bits per pass.

mod consistency;
mod findings;
mod kernels;

use super::method::{FOUR_STEPS, Method, OPTIMISED};
use super::published_figures::NO_TEXTURE;
use super::reproduce::ViguerasMeasurements;
use crate::experiment::{MeasuredOn, Statements, Verdict};
use findings::{Findings, Rate, of_baseline};

const ONE_DEVICE: &str = "the experiment has one device; between two devices, clocks, caches and memory differ, too";

/// All checkable statements of the paper.
pub(super) fn statements(measurements: &ViguerasMeasurements, on: MeasuredOn) -> Statements {
    let mut all = Statements::on(on);
    of_introduction(measurements, &mut all);
    of_baselines(measurements, &mut all);
    of_four_steps(measurements, &mut all);
    of_evaluation(measurements, &mut all);
    all
}

fn of_introduction(measurements: &ViguerasMeasurements, all: &mut Statements) {
    let found = Findings(measurements);
    all.push(
        "section 1",
        "The cost of multi-agent crowd simulations grows exponentially with the number of agents.",
        found.growth(),
    );
    all.push(
        "section 1",
        "The checks of collisions are the most time-consuming task of the server of actions.",
        [Verdict::Undecided.with_evidence("the server and its other tasks are not part of the experiment")],
    );
    all.push(
        "abstract, sections 1, 7",
        "The absence of sorting and atomic operations significantly reduces the computing workload.",
        [Verdict::Undecided
            .with_evidence("the paper gives no measure of workload; comparisons per wish are in the command's table")],
    );
    all.push(
        "sections 1, 2",
        "The distributed system simulates tens of thousands of complex agents at interactive rates.",
        found.interactive_rates(),
    );
}

fn of_baselines(measurements: &ViguerasMeasurements, all: &mut Statements) {
    let found = Findings(measurements);
    all.push_of_gpu(
        "section 5",
        "Atomic operations slow the static grid down, so that checks based on sorting are faster.",
        found.faster(Method::AtomicGrid, Method::FastSortBaseline),
    );
    all.push_of_gpu(
        "figure 3",
        "The most time-consuming kernel of the baseline is the check, with 63 % of the time.",
        of_baseline(|baseline| found.kernel_shares(baseline)),
    );
    all.push_of_gpu(
        "section 5.1",
        "The sort is the second most time-consuming kernel of the baseline; the others matter less.",
        of_baseline(|baseline| found.kernel_shares(baseline)),
    );
    all.push(
        "figures 8, 9",
        "Texture memory halves the time of the baseline on the C870, and has hardly any effect on the C1060.",
        [Verdict::Undecided.with_evidence(NO_TEXTURE)],
    );
    all.push(
        "section 5.1",
        "Ordering cells by tile gives coalesced access and no bank conflicts.",
        [Verdict::Undecided.with_evidence("neither is measured")],
    );
    all.push(
        "section 5.1",
        "For good performance, the threads per block must be an entire multiple of the warp size.",
        [Verdict::Undecided.with_evidence("all blocks here have 64 or 256 threads")],
    );
    all.push_of_gpu(
        "section 5.1",
        "Tiles of 16 x 16 cells are the fastest for 10,000 to 1,000,000 agents.",
        found.best_tile(),
    );
    all.push_of_gpu("section 5.1", "A faster radix sort shortens the baseline.", found.faster_sort());
    all.push_of_gpu(
        "section 5.1",
        "Merging the third and the fourth kernel, and shared memory in the fourth, save time.",
        found.merged_kernels(),
    );
    all.push_of_gpu(
        "figures 6, 8, 9",
        "The optimised baseline takes less time than the baseline: 30 % on the C870, 47 % on the C1060.",
        of_baseline(|baseline| found.optimised_is_faster(baseline)),
    );
    all.push_of_gpu(
        "figure 6",
        "The most time-consuming kernel of the optimised baseline is the sort, with 54 % of the time.",
        found.sort_of_optimised(),
    );
}

fn of_four_steps(measurements: &ViguerasMeasurements, all: &mut Statements) {
    let found = Findings(measurements);
    all.push("equation 1", "All agents in one cell collide.", [consistency::discs_in_one_cell()]);
    all.push(
        "section 5.2",
        "Agents in cells more than one cell apart need not be compared.",
        [consistency::discs_in_distant_cells()],
    );
    all.push(
        "section 5.2",
        "Loading the cells around a tile once into shared memory improves the performance of the four steps.",
        [Verdict::Undecided.with_evidence("the four steps have no variant without shared memory here")],
    );
    all.push_of_gpu(
        "section 5.2",
        "Clearing the grid in each step in place of step ids increases the time significantly (read as 1.1 times and \
         more).",
        found.significantly_faster(Method::ClearedFourSteps, FOUR_STEPS),
    );
    all.push_of_gpu(
        "section 5.2",
        "The larger the grid, the more time clearing adds.",
        found.growing_difference(Method::ClearedFourSteps, FOUR_STEPS),
    );
    all.push(
        "section 5.2",
        "Restoring the previous position of an agent cannot lead to an inconsistent situation.",
        consistency::refused_winners(),
    );
    all.push(
        "sections 1, 5.2, 7",
        "The four steps keep the simulation consistent: no agents overlap.",
        found.overlaps(),
    );
    all.push_of_gpu(
        "section 6",
        "Saving a kernel by atomic operations is slower: 35 % of the baseline in place of 25 % on the C1060.",
        found.faster(Method::FourStepsAtomic, FOUR_STEPS),
    );
}

fn of_evaluation(measurements: &ViguerasMeasurements, all: &mut Statements) {
    let found = Findings(measurements);
    all.push_of_gpu(
        "figures 8, 9",
        "The four steps take less time than the baseline: 15 % on the C870, 25 % on the C1060.",
        of_baseline(|baseline| found.faster(baseline, FOUR_STEPS)),
    );
    all.push_of_gpu(
        "figure 9",
        "The four steps with atomic operations take less time than the baseline: 35 % on the C1060.",
        of_baseline(|baseline| found.faster(baseline, Method::FourStepsAtomic)),
    );
    all.push_of_gpu(
        "sections 1, 6, 7",
        "Without sorting and atomic operations the check is significantly faster than the methods based on sorting \
         (read as 1.1 times and more).",
        found.significantly_faster(OPTIMISED, FOUR_STEPS),
    );
    all.push_of_gpu(
        "section 6",
        "The difference between the four steps and the baseline is the greatest for a million agents.",
        of_baseline(|baseline| found.greatest_difference(baseline, FOUR_STEPS)),
    );
    for (rate, reading) in [(Rate::Wishes, "wishes checked"), (Rate::Comparisons, "comparisons of two discs")] {
        let text =
            format!("The four steps check the most collisions per second for all numbers of agents ({reading}).");
        all.push_of_gpu("figures 10, 11", text, found.highest_rates(rate));
    }
    all.push(
        "section 6",
        "Execution times are directly related to the workload of each method.",
        [Verdict::Undecided.with_evidence("comparisons are counted; the paper gives no measure of workload")],
    );
    all.push(
        "section 6",
        "The baseline is much faster on the C1060 because its memory accesses coalesce better.",
        [Verdict::Undecided.with_evidence(ONE_DEVICE)],
    );
    all.push(
        "section 6",
        "Execution times are inversely related to the number of multiprocessors.",
        [Verdict::Undecided.with_evidence(ONE_DEVICE)],
    );
    all.push(
        "sections 6, 7",
        "The rate of checks of the four steps increases with the number of multiprocessors.",
        [Verdict::Undecided.with_evidence(ONE_DEVICE)],
    );
}

#[cfg(test)]
mod tests;
