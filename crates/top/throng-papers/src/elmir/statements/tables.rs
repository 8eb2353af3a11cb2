//! Evidence on the statements in the thesis' own tables A.1 to A.3, from means.

use std::fmt::Write as _;
use std::ops::RangeBounds;

use super::Pair;
use super::findings::name;
use crate::elmir::cases::{Case, Options};
use crate::elmir::program::Program;
use crate::elmir::published;
use crate::elmir::three_sigma::Range;
use crate::experiment::{Judgement, Verdict};

/// More exceptions are counted, but not listed.
const MAX_LISTED: usize = 3;

/// The speed-up of the program with shared memory over the copy.
pub(super) fn speed_up(case: Case) -> Option<Range> {
    let [copy, shared] = [Program::CpuCopy, Program::GpuShared].map(|program| published::times(case, program));
    Some(Range::of(copy?, shared?))
}

/// Number of cases in which this speed-up is greater.
pub(super) fn exceeding(factor: f64) -> usize {
    Options::default().cases().into_iter().filter_map(speed_up).filter(|range| range.mean > factor).count()
}

fn ratio(case: Case, [slow, fast]: Pair) -> Option<f64> {
    Some(published::seconds(case, slow)? / published::seconds(case, fast)?)
}

/// In how many comparisons of the tables a speed-up is within a range, with the exceptions if they are few.
pub(super) fn in_tables(pairs: &[Pair], range: impl RangeBounds<f64>, wanted: fn(&Case) -> bool) -> String {
    let cases = Options::default().cases().into_iter().filter(wanted);
    let compared: Vec<(Case, Pair)> = cases.flat_map(|case| pairs.iter().map(move |&pair| (case, pair))).collect();
    let is_outside = |&(case, pair): &(Case, Pair)| ratio(case, pair).is_some_and(|ratio| !range.contains(&ratio));
    let outside: Vec<(Case, Pair)> = compared.iter().copied().filter(is_outside).collect();
    let mut text =
        format!("in {} of {} comparisons of the thesis' own tables", compared.len() - outside.len(), compared.len());
    if (1..=MAX_LISTED).contains(&outside.len()) && outside.len() < compared.len() {
        let exceptions = outside.iter().map(|(case, [_, fast])| format!("{} {}", name(*fast), case.text()));
        let _ = write!(text, ", not {}", exceptions.collect::<Vec<_>>().join(", "));
    }
    text
}

/// Whether, in a table, a program becomes faster than the copy beyond these numbers of circles, by resolution: at the
/// next number of the table.
pub(super) fn becomes_faster_beyond(radius: f32, program: Program, thresholds: &[(u32, u32)]) -> Judgement {
    let counts = Options::default().counts;
    let is_faster = |resolution, count| {
        ratio(Case { radius, resolution, count }, [Program::CpuCopy, program]).is_some_and(|ratio| ratio > 1.0)
    };
    // The number from which on it is faster with each larger one.
    let first = |resolution| {
        let slower = counts.iter().rposition(|&count| !is_faster(resolution, count));
        counts.get(slower.map_or(0, |last| last + 1)).copied()
    };
    let found: Vec<_> =
        thresholds.iter().map(|&(resolution, beyond)| (resolution, beyond, first(resolution))).collect();
    let next = |beyond| counts.iter().copied().find(|&count| count > beyond);
    let holds = found.iter().all(|&(_, beyond, first)| first.is_some() && first == next(beyond));
    let texts = found
        .iter()
        .filter_map(|(resolution, _, first)| Some(format!("from {} circles on with {resolution}² cells", (*first)?)));
    let list = texts.collect::<Vec<_>>().join(", ");
    Verdict::of(holds).with_evidence(format!("in the thesis' own table it is faster {list}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_becomes_faster_at_the_next_number_after_a_threshold() {
        let verdict = |beyond| becomes_faster_beyond(4.0, Program::GpuShared, &[(256, beyond)]).verdict;
        // The table has 64, 128, 256 and 512 circles; the program is faster from 256 on.
        assert_eq!(verdict(64), Verdict::NotConfirmed);
        assert_eq!(verdict(128), Verdict::Confirmed);
        assert_eq!(verdict(256), Verdict::NotConfirmed);
    }
}
