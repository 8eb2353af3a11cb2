//! The findings that decide the paper's statements.

use throng_collision::CELL;
use throng_core::three_figures;

use crate::experiment::{Judgement, SpeedUp, Verdict, percent};
use crate::vigueras::cases::Case;
use crate::vigueras::counterexamples::refused_winner;
use crate::vigueras::defects::{CheckVariant, Defects};
use crate::vigueras::grid::Stamps;
use crate::vigueras::kernel_times::KernelTimes;
use crate::vigueras::method::{FOUR_STEPS, Method, OPTIMISED, Tile};
use crate::vigueras::overlaps::DIAMETER;
use crate::vigueras::published::{Restore, Variant};
use crate::vigueras::published_figures::AGENTS;
use crate::vigueras::reproduce::ViguerasMeasurements;
use crate::vigueras::verification::published;

/// Findings about measurements.
pub(super) struct Findings<'a>(pub &'a ViguerasMeasurements);

impl Findings<'_> {
    /// The measured cases with numbers of agents of the paper, ascending.
    fn cases_of_paper(&self) -> Vec<Case> {
        let cases = self.0.options.cases_of_agents();
        let mut cases: Vec<Case> = cases.into_iter().filter(|case| AGENTS.contains(&case.agents)).collect();
        cases.sort_by_key(|case| case.agents);
        cases
    }

    fn compare(&self, case: Case, slow: Method, fast: Method) -> Option<SpeedUp> {
        self.0.rows.compare(case, slow, fast)
    }

    /// Whether `fast` takes less time than `slow` in the case of the paper's ratios.
    pub(super) fn faster(&self, slow: Method, fast: Method) -> Option<Judgement> {
        let case = self.0.options.published_case()?;
        let ratio = self.compare(case, slow, fast)?;
        let alone = self
            .0
            .relative_time(case, fast, slow)
            .map(|ratio| format!("; without drawing and moving it takes {} of the time", percent(ratio)));
        let found = format!(
            "{} agents: \"{}\" is {} as fast as \"{}\"{}",
            case.agents,
            fast.name(),
            ratio.text(),
            slow.name(),
            alone.unwrap_or_default()
        );
        Some(ratio.within(1.0..).with_evidence(found))
    }

    /// Whether the gain of `fast` over `slow` is greater with the greatest number of agents of the paper than with each
    /// smaller one.
    pub(super) fn increases_with_agents(&self, slow: Method, fast: Method) -> Option<Judgement> {
        let ratio = |case: &Case| Some((case.agents, self.compare(*case, slow, fast)?));
        let mut ratios: Vec<(u32, SpeedUp)> = self.cases_of_paper().iter().filter_map(ratio).collect();
        let (agents, last) = ratios.pop()?;
        let (of_best, best) = *ratios.iter().max_by(|(_, a), (_, b)| a.median.total_cmp(&b.median))?;
        let found = format!(
            "\"{}\" is {} as fast as \"{}\" with {agents} agents; with fewer agents at most {} with {of_best}",
            fast.name(),
            last.text(),
            slow.name(),
            best.text()
        );
        let verdict = Verdict::all(ratios.iter().map(|(_, ratio)| last.over(ratio).within(1.0..)));
        Some(verdict.with_evidence(found))
    }

    fn kernels(&self, method: Method) -> Option<&KernelTimes> {
        self.0.kernels.iter().find(|found| found.method == method)
    }

    /// Whether a kernel takes more time than all others of a program, except for those `above` it, which have to take
    /// more.
    pub(super) fn leads(&self, method: Method, kernel: &str, above: &[&str]) -> Option<Judgement> {
        let found = self.kernels(method)?;
        let own = found.times(&[kernel])?;
        let ratios = found.kernels.iter().filter(|(name, _)| *name != kernel).filter_map(|(name, _)| {
            let other = found.times(&[*name])?;
            Some(if above.contains(name) { SpeedUp::of(&other, &own) } else { SpeedUp::of(&own, &other) })
        });
        let ratios: Vec<SpeedUp> = ratios.collect();
        let shares =
            found.kernels.iter().filter_map(|(name, _)| Some(format!("{name} {}", percent(found.share(name)?))));
        let list = shares.collect::<Vec<_>>().join(", ");
        Some(
            Verdict::all(ratios.iter().map(|ratio| ratio.within(1.0..)))
                .with_evidence(format!("{list} ({} runs)", own.runs())),
        )
    }

    /// Whether tiles of 16 x 16 cells are faster than the others with each number of agents of the paper.
    pub(super) fn best_tile(&self) -> Option<Judgement> {
        let others = [Tile::Small, Tile::Large].map(Method::OptimisedBaseline);
        let ratios = self
            .cases_of_paper()
            .into_iter()
            .flat_map(|case| others.map(|other| Some((case.agents, other, self.compare(case, other, OPTIMISED)?))));
        least_ratio(&ratios.flatten().collect::<Vec<_>>(), "tiles of 16 x 16 cells are", "as fast as")
    }

    /// Whether the merged kernel takes less time than two kernels. The time between launches, which merging also saves,
    /// is not included, so that a slower kernel decides nothing.
    pub(super) fn merged_kernels(&self) -> Option<Judgement> {
        let two = self.kernels(Method::FastSortBaseline)?.times(&["reorder", "find cells"])?;
        let merged = self.kernels(OPTIMISED)?.times(&["reorder and find cells"])?;
        let ratio = SpeedUp::of(&two, &merged);
        let verdict = match ratio.within(1.0..) {
            Verdict::Confirmed => Verdict::Confirmed,
            Verdict::NotConfirmed | Verdict::Undecided => Verdict::Undecided,
        };
        let found = format!("the merged kernel is {} as fast, without the time between launches", ratio.text());
        Some(verdict.with_evidence(found))
    }

    /// Whether the cost grows faster than that of comparing all pairs, which would not make it exponential yet.
    pub(super) fn growth(&self) -> Option<Judgement> {
        let mut cases = self.0.options.cases_of_agents();
        cases.sort_by_key(|case| case.agents);
        let times = |case: &Case| Some(&self.0.rows.row(*case, Method::SequentialOnCpu)?.times);
        let (first, last) = (cases.first()?, cases.last()?);
        let (ratio, agents) =
            (SpeedUp::of(times(last)?, times(first)?), f64::from(last.agents) / f64::from(first.agents));
        if agents <= 1.0 {
            return None;
        }
        let verdict = match ratio.within(agents * agents..) {
            Verdict::NotConfirmed => Verdict::NotConfirmed,
            Verdict::Confirmed | Verdict::Undecided => Verdict::Undecided,
        };
        let found = format!(
            "{} times as many agents take Throng's rule on the CPU {} as long; \
             comparing all pairs would take {} times as long",
            three_figures(agents),
            ratio.text(),
            three_figures(agents * agents)
        );
        Some(verdict.with_evidence(found))
    }

    /// The time of the check alone.
    pub(super) fn interactive_rates(&self) -> Option<Judgement> {
        let case = *self.cases_of_paper().iter().rfind(|case| case.agents <= 100_000)?;
        let seconds = self.0.rows.median(case, Method::SequentialOnCpu)? / f64::from(self.0.options.moves);
        let found = format!(
            "agents with a cognitive model, clients and network are not part of the experiment; the check of {} moves \
             takes Throng's rule {} ms on {} threads of the CPU",
            case.agents,
            three_figures(seconds * 1e3),
            self.0.options.threads
        );
        Some(Verdict::Undecided.with_evidence(found))
    }

    /// Whether there is a reading of the four steps without overlaps.
    pub(super) fn overlaps(&self) -> Option<Judgement> {
        let is_reading = |check: CheckVariant| matches!(check, CheckVariant::FourSteps(_, Stamps::PerSlot));
        let of_case = self.0.defects.chunk_by(|a, b| a.case == b.case);
        let best = of_case.filter_map(|of_case| {
            of_case.iter().filter(|found| is_reading(found.check)).min_by(|a, b| a.pairs.total_cmp(&b.pairs))
        });
        let worst: &Defects = best.max_by(|a, b| a.pairs.total_cmp(&b.pairs))?;
        let Case { agents, area, step } = worst.case;
        let found = format!(
            "in a step that begins without overlaps, {} pairs of {agents} agents overlap under the reading with the \
             fewest, \"{}\" (area fraction {area}, steps of {step} cells, mean of {} steps)",
            three_figures(worst.pairs),
            worst.check.name(),
            self.0.options.counted_steps
        );
        // A crowd without overlaps does not show that there are none in all crowds.
        let verdict = if worst.pairs > 0.0 { Verdict::NotConfirmed } else { Verdict::Undecided };
        Some(verdict.with_evidence(found))
    }

    /// Whether the four steps have the highest rate with each number of agents of the paper, for two readings of
    /// "collisions checked": wishes, and comparisons of two discs.
    pub(super) fn highest_rates(&self) -> Vec<Judgement> {
        let others = [Method::Baseline, OPTIMISED, Method::FourStepsAtomic];
        let rates = |weight: &dyn Fn(Case, Method) -> Option<f64>| -> Vec<(u32, Method, SpeedUp)> {
            let ratios = self.cases_of_paper().into_iter().flat_map(|case| {
                others.map(|other| {
                    let weight = weight(case, FOUR_STEPS)? / weight(case, other)?;
                    Some((case.agents, other, self.compare(case, other, FOUR_STEPS)?.times(weight)))
                })
            });
            ratios.flatten().collect()
        };
        let tests = |case, method| self.0.rows.row(case, method)?.figures.tests.map(|tests| tests as f64);
        [
            least_ratio(&rates(&|_, _| Some(1.0)), "wishes checked per second are", "those of"),
            least_ratio(&rates(&tests), "comparisons of two discs per second are", "those of"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// A finding about the paper's baseline, whose sort the paper does not name: undecided if the verdicts on the
/// baselines with a slow and with a fast sort differ.
pub(super) fn of_baseline(judge: impl Fn(Method) -> Option<Judgement>) -> Option<Judgement> {
    let (slow, fast) = (judge(Method::Baseline)?, judge(Method::FastSortBaseline)?);
    let found = format!("{}; with the fast sort: {}", slow.evidence, fast.evidence);
    if slow.verdict == fast.verdict {
        return Some(slow.verdict.with_evidence(found));
    }
    let found = format!("{found}; this depends on the sort of the baseline, which the paper does not name");
    Some(Verdict::Undecided.with_evidence(found))
}

/// The verdict that all ratios to other programs are above 1, with the least of them.
fn least_ratio(ratios: &[(u32, Method, SpeedUp)], what: &str, other_is: &str) -> Option<Judgement> {
    let (agents, other, least) = ratios.iter().min_by(|(.., a), (.., b)| a.median.total_cmp(&b.median))?;
    let found = format!(
        "the least of {} ratios: {what} {} {other_is} \"{}\" with {agents} agents",
        ratios.len(),
        least.text(),
        other.name()
    );
    Some(Verdict::all(ratios.iter().map(|(.., ratio)| ratio.within(1.0..))).with_evidence(found))
}

/// Whether the diagonal between the outermost centres in a cell is shorter than a diameter.
pub(super) fn discs_in_one_cell() -> Judgement {
    let (side, diameter) = (i64::from(CELL) - 1, i64::from(DIAMETER));
    let found =
        format!("the farthest centres in a cell are {side} units apart on each axis, the diameter is {diameter}");
    Verdict::of(2 * side * side < diameter * diameter).with_evidence(found)
}

/// Whether discs that have two cells between theirs cannot overlap.
pub(super) fn discs_in_distant_cells() -> Judgement {
    let (distance, diameter) = (2 * i64::from(CELL) + 1, i64::from(DIAMETER));
    let found = format!(
        "discs with two cells between theirs are at least {distance} units apart, the diameter is {diameter}; with one \
         cell between, they may overlap"
    );
    Verdict::of(distance >= diameter).with_evidence(found)
}

/// Whether a refused disc that stays in its position can be overlapped by another one.
pub(super) fn refused_winners() -> Option<Judgement> {
    let example = refused_winner().ok()?;
    let pairs =
        |restore| published(&example, Variant { restore, stamps: Stamps::PerSlot }).ok().map(|found| found.pairs);
    let fewest = Restore::ALL.into_iter().map(pairs).collect::<Option<Vec<_>>>()?.into_iter().min()?;
    let found = format!("three discs in a row, one of which is refused: {fewest} pair overlaps under every reading");
    Some(Verdict::of(fewest == 0).with_evidence(found))
}
