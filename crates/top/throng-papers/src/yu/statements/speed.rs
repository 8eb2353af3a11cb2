//! Statements about speed, decided by ratios of times in the scenarios.

use std::fmt::Write as _;

use std::ops::RangeInclusive;

use throng_core::three_figures;

use crate::experiment::{Judgement, SpeedUp, Verdict};
use crate::yu::cases::Case;
use crate::yu::fan_out::TABLE_II;
use crate::yu::memory::DENSITY;
use crate::yu::method::Method;
use crate::yu::ratios::Ratios;
use crate::yu::reproduce::YuMeasurements;

/// Why the paper's machine cannot be compared.
const MACHINE: &str = "the paper names neither its CPU nor its GPU";

/// Columns and rows of the largest fields of table II.
const MAX_PUBLISHED_FIELD: u32 = TABLE_II[TABLE_II.len() - 1].0;

/// The ratios of two programs in all scenarios in which both were measured.
fn ratios(measurements: &YuMeasurements, slower: Method, faster: Method) -> Vec<(Case, SpeedUp)> {
    let cases = measurements.options.cases().into_iter();
    cases.filter_map(|case| Some((case, measurements.compare(case, slower, faster)?))).collect()
}

/// The verdict on a statement about most scenarios, and the number of scenarios in which it holds.
fn most(parts: &[Verdict]) -> (Verdict, usize) {
    let count = |verdict| parts.iter().filter(|&&part| part == verdict).count();
    let (hold, fail) = (count(Verdict::Confirmed), count(Verdict::NotConfirmed));
    let verdict = if 2 * hold > parts.len() {
        Verdict::Confirmed
    } else if 2 * fail >= parts.len() {
        Verdict::NotConfirmed
    } else {
        Verdict::Undecided
    };
    (verdict, hold)
}

/// In how many scenarios the speed-up over the CPU program is within a range of the paper, whose machine is unknown.
pub(super) fn mostly(measurements: &YuMeasurements, method: Method, range: RangeInclusive<f64>) -> Option<Judgement> {
    let all = Ratios::of(measurements, Method::Naive, method, |_| true)?;
    let parts = ratios(measurements, Method::Naive, method);
    let hold = parts.iter().filter(|(_, ratio)| ratio.within(range.clone()) == Verdict::Confirmed).count();
    let [least, mean, largest] = [all.least, all.mean, all.largest].map(three_figures);
    let found = format!(
        "in {hold} of {} scenarios; {least} to {largest} times, {mean} on average, over one thread; {MACHINE}",
        all.cases
    );
    Some(Verdict::Undecided.with_evidence(found))
}

/// The largest speed-up over the CPU program. That of the paper is of an unknown machine.
pub(super) fn at_most(measurements: &YuMeasurements, method: Method) -> Option<Judgement> {
    let ratios = ratios(measurements, Method::Naive, method);
    let (case, largest) = ratios.iter().max_by(|a, b| a.1.median.total_cmp(&b.1.median))?;
    Some(Verdict::Undecided.with_evidence(format!("at most {} in {case}; {MACHINE}", largest.text())))
}

/// Whether the ratio of two programs has its extreme in a scenario: undecided if its range overlaps with that of
/// another one.
pub(super) fn extreme(
    measurements: &YuMeasurements,
    [slower, faster]: [Method; 2],
    case: Case,
    is_largest: bool,
) -> Option<Judgement> {
    let ratios = ratios(measurements, slower, faster);
    let (_, of_paper) = ratios.iter().find(|(other, _)| *other == case)?;
    let others: Vec<&(Case, SpeedUp)> = ratios.iter().filter(|(other, _)| *other != case).collect();
    let order = |a: &SpeedUp, b: &SpeedUp| if is_largest { a.exceeds(b) } else { b.exceeds(a) };
    let verdict = Verdict::all(others.iter().map(|(_, other)| order(of_paper, other)));
    let sign = if is_largest { 1.0 } else { -1.0 };
    let (at, best) = others.iter().max_by(|a, b| (sign * a.1.median).total_cmp(&(sign * b.1.median)))?;
    Some(verdict.with_evidence(format!("{}; {} in {at}", of_paper.text(), best.text())))
}

/// Whether a program is faster than another one in all scenarios.
pub(super) fn faster_in_all(measurements: &YuMeasurements, slower: Method, faster: Method) -> Option<Judgement> {
    let all = Ratios::of(measurements, slower, faster, |_| true)?;
    let parts = ratios(measurements, slower, faster);
    let verdict = Verdict::all(parts.iter().map(|(_, ratio)| ratio.within(1.0..)));
    let [least, largest] = [all.least, all.largest].map(three_figures);
    Some(verdict.with_evidence(format!("{least} to {largest} times in {} scenarios", all.cases)))
}

/// The mean gain of the second GPU program. The figure of an unknown GPU decides nothing.
pub(super) fn mean_gain(measurements: &YuMeasurements, second: Method) -> Option<Judgement> {
    let all = Ratios::of(measurements, Method::First, second, |_| true)?;
    let mut found = format!(
        "{} times here; {MACHINE}, and it does not say how its first program differs in detail",
        three_figures(all.mean)
    );
    let Method::Second(sums) = second else { return None };
    if let Some(caches) = Ratios::of(measurements, Method::OneStep, Method::MultiStep(sums), |_| true) {
        let mean = three_figures(caches.mean);
        let _ = write!(found, "; the cache alone, for which the paper claims no gain of speed, gives {mean} times");
    }
    Some(Verdict::Undecided.with_evidence(found))
}

/// Whether atomic additions are slower than the one-step cache in most scenarios.
pub(super) fn atomics(measurements: &YuMeasurements) -> Option<Judgement> {
    let all = Ratios::of(measurements, Method::Atomic, Method::OneStep, |_| true)?;
    let parts = ratios(measurements, Method::Atomic, Method::OneStep);
    let parts: Vec<Verdict> = parts.iter().map(|(_, ratio)| ratio.within(1.0..)).collect();
    let (verdict, hold) = most(&parts);
    let [least, mean, largest] = [all.least, all.mean, all.largest].map(three_figures);
    let found = format!(
        "in {hold} of {} scenarios atomic additions to the stored fields are slower than the one-step cache; their \
         time is {least} to {largest} times that of the cache, {mean} on average",
        all.cases
    );
    Some(verdict.with_evidence(found))
}

/// The command compares the final states of all programs, so that measurements exist only if they are right.
pub(super) fn no_atomics(measurements: &YuMeasurements) -> Option<Judgement> {
    let runs = measurements.rows.iter().filter(|row| matches!(row.program, Method::OneStep | Method::MultiStep(_)));
    let count = runs.count();
    let found = format!(
        "with both caches, and without atomic operations, all states equal those of Throng's executor ({count} \
         measurements)"
    );
    (count > 0).then(|| Verdict::Confirmed.with_evidence(found))
}

/// Whether the multi-step cache ran with 2 million pedestrians and all field sizes, up to the largest one of table II.
pub(super) fn two_million(measurements: &YuMeasurements) -> Option<Judgement> {
    let side = measurements.options.memory_side;
    let largest = measurements.memory.iter().filter(|row| row.multi_step_ms.is_some()).max_by_key(|row| row.field)?;
    let all_ran = measurements.memory.iter().all(|row| row.multi_step_ms.is_some());
    let pedestrians = (f64::from(side) * f64::from(side) * DENSITY) as u64;
    let verdict = if pedestrians < 2_000_000 {
        Verdict::Undecided
    } else if !all_ran {
        Verdict::NotConfirmed
    } else if largest.field >= MAX_PUBLISHED_FIELD {
        Verdict::Confirmed
    } else {
        Verdict::Undecided
    };
    let found = format!(
        "{pedestrians} pedestrians in {side} x {side}: with fields of {0} x {0} a tick takes {1} ms, and the fields \
         with their cache {2} GiB",
        largest.field,
        largest.multi_step_ms.map_or_else(String::new, three_figures),
        three_figures(largest.multi_step as f64 / f64::from(1 << 30))
    );
    Some(verdict.with_evidence(found))
}
