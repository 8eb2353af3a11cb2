//! The findings about times that decide the paper's statements.

use throng_core::{counted, three_figures};

use crate::experiment::{Judgement, MIN_RUNS, SpeedUp, Verdict, count, percent};
use crate::vigueras::cases::Case;
use crate::vigueras::method::{FOUR_STEPS, Method, OPTIMISED, Tile};
use crate::vigueras::published_figures::AGENTS;
use crate::vigueras::reproduce::ViguerasMeasurements;

/// Minimum speed-up that counts as "significantly faster".
const SIGNIFICANT: f64 = 1.1;

/// A reading of "collisions checked".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rate {
    Wishes,
    Comparisons,
}

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
        self.at_least(1.0, slow, fast)
    }

    /// The same for "significantly" less time.
    pub(super) fn significantly_faster(&self, slow: Method, fast: Method) -> Option<Judgement> {
        self.at_least(SIGNIFICANT, slow, fast)
    }

    fn at_least(&self, factor: f64, slow: Method, fast: Method) -> Option<Judgement> {
        let case = self.0.options.published_case()?;
        let ratio = self.compare(case, slow, fast)?;
        let alone = self
            .0
            .relative_time(case, fast, slow)
            .map(|ratio| format!("; without drawing and moving it takes {} of the time", percent(ratio)));
        let found = format!(
            "{} agents: \"{}\" is {} as fast as \"{}\"{}{}",
            count(case.agents),
            fast.name(),
            ratio.text(),
            slow.name(),
            alone.unwrap_or_default(),
            self.with_other_numbers(case, slow, fast)
        );
        Some(ratio.within(factor..).with_evidence(found))
    }

    /// The range of a speed-up over the other numbers of agents, as a part of a sentence.
    fn with_other_numbers(&self, case: Case, slow: Method, fast: Method) -> String {
        let ratio = |other: &Case| Some((other.agents, self.compare(*other, slow, fast)?.median));
        let cases = self.cases_of_paper().into_iter().filter(|other| *other != case);
        let ratios: Vec<(u32, f64)> = cases.filter_map(|other| ratio(&other)).collect();
        let [(first, _), .., (last, _)] = ratios.as_slice() else {
            return ratios.first().map_or_else(String::new, |(agents, ratio)| {
                format!("; with {} agents {} times", count(*agents), three_figures(*ratio))
            });
        };
        let least = ratios.iter().map(|(_, ratio)| *ratio).fold(f64::INFINITY, f64::min);
        let greatest = ratios.iter().map(|(_, ratio)| *ratio).fold(0.0, f64::max);
        let slower = ratios.iter().filter(|(_, ratio)| *ratio < 1.0).map(|(agents, _)| count(*agents));
        let slower = slower.collect::<Vec<_>>();
        let but = if slower.is_empty() || slower.len() == ratios.len() {
            String::new()
        } else {
            format!(", below 1 with {}", slower.join(", "))
        };
        format!(
            "; with {} to {} agents {} to {} times{but}",
            count(*first),
            count(*last),
            three_figures(least),
            three_figures(greatest)
        )
    }

    /// By how much longer a move of all agents takes with `slow` than with `fast`, by number of agents.
    fn differences(&self, slow: Method, fast: Method) -> Vec<(u32, Difference)> {
        let moves = f64::from(self.0.options.moves.max(1));
        let difference = |case: Case| {
            let [slow, fast] = [slow, fast].map(|method| self.0.rows.row(case, method));
            let [slow, fast] = [&slow?.times, &fast?.times].map(|times| times.per(moves));
            let found = Difference {
                least: slow.fastest() - fast.slowest(),
                median: slow.median() - fast.median(),
                greatest: slow.slowest() - fast.fastest(),
                runs: slow.runs().min(fast.runs()),
            };
            Some((case.agents, found))
        };
        self.cases_of_paper().into_iter().filter_map(difference).collect()
    }

    /// Whether the difference is greater with the greatest number of agents of the paper than with each smaller one.
    pub(super) fn greatest_difference(&self, slow: Method, fast: Method) -> Option<Judgement> {
        let all = self.differences(slow, fast);
        let ((_, last), smaller) = all.split_last()?;
        let verdict = Verdict::all(smaller.iter().map(|(_, other)| last.exceeds(other)));
        (!smaller.is_empty()).then(|| verdict.with_evidence(listed(slow, fast, &all)))
    }

    /// Whether the difference grows from each number of agents of the paper to the next.
    pub(super) fn growing_difference(&self, slow: Method, fast: Method) -> Option<Judgement> {
        let all = self.differences(slow, fast);
        let verdict = Verdict::all(all.windows(2).map(|pair| pair[1].1.exceeds(&pair[0].1)));
        (all.len() > 1).then(|| verdict.with_evidence(listed(slow, fast, &all)))
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

    /// Whether the optimised baseline takes less time than a baseline.
    pub(super) fn optimised_is_faster(&self, baseline: Method) -> Option<Judgement> {
        let Judgement { verdict, mut evidence } = self.faster(baseline, OPTIMISED)?;
        if baseline == Method::FastSortBaseline {
            evidence += &self.check_kernels().unwrap_or_default();
            evidence += "; both have the same sort, so that the gain of the paper's faster sort is not included";
        }
        Some(verdict.with_evidence(evidence))
    }

    /// The gain of one fast sort over a slow one, which need not be those of the paper.
    pub(super) fn faster_sort(&self) -> Option<Judgement> {
        let found = self.faster(Method::Baseline, Method::FastSortBaseline)?.evidence;
        Some(Verdict::Undecided.with_evidence(format!(
            "the bits per pass of the paper's two radix sorts are unknown; here 8 bits per pass in place of 1: {found}"
        )))
    }

    /// How the cost of the check alone grows, which decides nothing about complete simulations.
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
        let polynomial = match ratio.within(agents * agents..) {
            Verdict::NotConfirmed => "; the check alone does not grow exponentially",
            Verdict::Confirmed | Verdict::Undecided => "",
        };
        let found = format!(
            "complete simulations are not measured{polynomial}: with {} times as many agents, Throng's rule on the CPU \
             takes {} as long; comparing all pairs would take {} times as long",
            three_figures(agents),
            ratio.text(),
            count(agents * agents)
        );
        Some(Verdict::Undecided.with_evidence(found))
    }

    /// The time of the check alone.
    pub(super) fn interactive_rates(&self) -> Option<Judgement> {
        let case = *self.cases_of_paper().iter().rfind(|case| case.agents <= 100_000)?;
        let seconds = self.0.rows.median(case, Method::SequentialOnCpu)? / f64::from(self.0.options.moves);
        let found = format!(
            "agents with a cognitive model, clients and network are not part of the experiment; Throng's rule checks \
             {} moves in {} ms on {} of the CPU",
            count(case.agents),
            three_figures(seconds * 1e3),
            counted(self.0.options.threads as u64, "thread")
        );
        Some(Verdict::Undecided.with_evidence(found))
    }

    /// Whether the four steps have the highest rate with each number of agents of the paper.
    pub(super) fn highest_rates(&self, rate: Rate) -> Option<Judgement> {
        let others = [Method::FastSortBaseline, OPTIMISED, Method::FourStepsAtomic];
        let weight = |case, method| match rate {
            Rate::Wishes => Some(1.0),
            Rate::Comparisons => self.0.rows.row(case, method)?.figures.tests.map(|tests| tests as f64),
        };
        let ratios = self.cases_of_paper().into_iter().flat_map(|case| {
            others.map(|other| {
                let weight = weight(case, FOUR_STEPS)? / weight(case, other)?;
                Some((case.agents, other, self.compare(case, other, FOUR_STEPS)?.times(weight)))
            })
        });
        let what = match rate {
            Rate::Wishes => "wishes checked per second are",
            Rate::Comparisons => "comparisons of two discs per second are",
        };
        least_ratio(&ratios.flatten().collect::<Vec<_>>(), what, "those of")
    }
}

/// A difference of two times, with its range over single runs, seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Difference {
    least: f64,
    median: f64,
    greatest: f64,
    /// Runs of the program with fewer runs.
    runs: usize,
}

impl Difference {
    fn exceeds(&self, other: &Self) -> Verdict {
        match self {
            _ if self.runs.min(other.runs) < MIN_RUNS => Verdict::Undecided,
            _ if self.least > other.greatest => Verdict::Confirmed,
            _ if self.greatest < other.least => Verdict::NotConfirmed,
            _ => Verdict::Undecided,
        }
    }
}

fn listed(slow: Method, fast: Method, all: &[(u32, Difference)]) -> String {
    let texts =
        all.iter().map(|(agents, found)| format!("{} with {}", three_figures(found.median * 1e3), count(*agents)));
    let list = texts.collect::<Vec<_>>().join(", ");
    format!("\"{}\" minus \"{}\", ms per move: {list} agents", slow.name(), fast.name())
}

/// A finding about the paper's baseline. The baseline with the fast sort, which is closer to the example on which the
/// paper's is based, decides; the one that sorts one bit per pass is shown beside it.
pub(super) fn of_baseline(judge: impl Fn(Method) -> Option<Judgement>) -> Option<Judgement> {
    let fast = judge(Method::FastSortBaseline)?;
    let slow = judge(Method::Baseline).map(|slow| format!("; with one bit per pass: {}", slow.evidence));
    Some(fast.verdict.with_evidence(fast.evidence + &slow.unwrap_or_default()))
}

/// The verdict that all ratios to other programs are above 1, with the least of them.
fn least_ratio(ratios: &[(u32, Method, SpeedUp)], what: &str, other_is: &str) -> Option<Judgement> {
    let (agents, other, least) = ratios.iter().min_by(|(.., a), (.., b)| a.median.total_cmp(&b.median))?;
    let found = format!(
        "the least of {} ratios: {what} {} {other_is} \"{}\" with {} agents",
        ratios.len(),
        least.text(),
        other.name(),
        count(*agents)
    );
    Some(Verdict::all(ratios.iter().map(|(.., ratio)| ratio.within(1.0..))).with_evidence(found))
}
