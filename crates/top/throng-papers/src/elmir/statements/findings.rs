//! The findings that decide the statements of the thesis.

use std::fmt::Write as _;
use std::ops::RangeBounds;

use throng_core::three_figures;

use super::tables;
use super::{COPY_TO_SHARED, GREATEST, LARGE, LARGEST, MEDIUM, Pair, SMALL};
use crate::elmir::cases::{Case, Options};
use crate::elmir::program::Program;
use crate::elmir::published;
use crate::elmir::reproduce::ElmirMeasurements;
use crate::elmir::three_sigma::Range;
use crate::experiment::{Judgement, MIN_RUNS, SpeedUp, Verdict};

/// The largest speed-up of a machine that differs in both processors.
pub(super) fn largest_speed_up(measurements: &ElmirMeasurements) -> Option<Judgement> {
    Some(Verdict::Undecided.with_evidence(format!(
        "other processors; here at most {}. (The range from the thesis' own table A.1 is {}; {} cases of its tables \
         exceed {GREATEST})",
        largest_here(measurements)?,
        tables::speed_up(LARGEST)?.text(),
        tables::exceeding(GREATEST)
    )))
}

/// The thesis' own table decides where its largest speed-up is.
pub(super) fn place_of_largest(measurements: &ElmirMeasurements) -> Option<Judgement> {
    let (case, range) = largest(&Options::default(), tables::speed_up)?;
    let at_largest = tables::speed_up(LARGEST)?;
    let mut found = format!(
        "in the thesis' own table the largest is {}, {}, and {} in this case",
        range.text(),
        case.text(),
        at_largest.text()
    );
    if let (Some(here), Some(at_largest)) = (largest_here(measurements), measurements.speed_up(LARGEST)) {
        let _ = write!(found, "; here the largest is {here}, and {} in this case", at_largest.text());
    }
    let verdict = match (case == LARGEST, at_largest.greatest >= range.least) {
        (true, _) => Verdict::Confirmed,
        (false, true) => Verdict::Undecided,
        (false, false) => Verdict::NotConfirmed,
    };
    Some(verdict.with_evidence(found))
}

/// The case with the largest mean.
fn largest(options: &Options, speed_up: impl Fn(Case) -> Option<Range>) -> Option<(Case, Range)> {
    let all = options.cases().into_iter().filter_map(|case| Some((case, speed_up(case)?)));
    all.max_by(|a, b| a.1.mean.total_cmp(&b.1.mean))
}

/// The largest mean, with the median of its case.
fn largest_here(measurements: &ElmirMeasurements) -> Option<String> {
    let (case, range) = largest(&measurements.options, |case| measurements.speed_up(case))?;
    let median = measurements.rows.ratio(case, Program::CpuCopy, Program::GpuShared)?;
    Some(format!("{}, {} in the median, {}", range.text(), three_figures(median), case.text()))
}

/// Speed-ups of another machine, which decide nothing.
pub(super) fn of_other_machine(measurements: &ElmirMeasurements, wanted: fn(&Case) -> bool) -> Option<Judgement> {
    let of = |speed_up: &dyn Fn(Case) -> Option<f64>| {
        let mut all: Vec<f64> = measurements.options.cases().into_iter().filter(wanted).filter_map(speed_up).collect();
        all.sort_unstable_by(f64::total_cmp);
        Some([*all.first()?, all[all.len() / 2], *all.last()?].map(three_figures))
    };
    let [least, median, greatest] = of(&|case| Some(measurements.speed_up(case)?.mean))?;
    let mut found = format!("other processors; here {least} to {greatest}, {median} in the median of all cases");
    if let Some([least, median, greatest]) = of(&|case| Some(tables::speed_up(case)?.mean)) {
        let _ = write!(found, " (in the thesis' table {least} to {greatest}, {median} in the median)");
    }
    Some(Verdict::Undecided.with_evidence(found))
}

/// The verdict from medians of the copy and the program with shared memory: undecided if any of them is of fewer than
/// [`MIN_RUNS`] runs.
fn of_medians(measurements: &ElmirMeasurements, holds: bool) -> Verdict {
    let mut used = measurements.rows.iter().filter(|row| COPY_TO_SHARED.contains(&row.program));
    if used.any(|row| row.times.runs() < MIN_RUNS) { Verdict::Undecided } else { Verdict::of(holds) }
}

/// The resolutions of figures 5.20 to 5.22.
const OF_FIGURES: [u32; 3] = [256, 1024, 2048];

/// Whether the speed-up doubles from radius to radius in every pair of cases.
pub(super) fn doubles(measurements: &ElmirMeasurements) -> Option<Judgement> {
    let radii = [SMALL, MEDIUM, LARGE];
    let cases = measurements.options.cases().into_iter().filter(|case| case.radius == SMALL);
    let pairs = cases.flat_map(|case| [0, 1].map(|i| [radii[i], radii[i + 1]].map(|radius| Case { radius, ..case })));
    let pairs: Vec<[Case; 2]> = pairs.collect();
    let growth = |speed_up: &dyn Fn(Case) -> Option<f64>, wanted: &dyn Fn(u32) -> bool| -> Vec<f64> {
        let pairs = pairs.iter().filter(|[from, _]| wanted(from.resolution));
        pairs.filter_map(|[from, to]| Some(speed_up(*to)? / speed_up(*from)?)).collect()
    };
    let doubled = |all: &[f64]| all.iter().filter(|&&growth| growth > 2.0).count();
    let in_all = |all: &[f64]| format!("in {} of {}", doubled(all), all.len());
    let median = |case| measurements.rows.ratio(case, Program::CpuCopy, Program::GpuShared);
    let published = |case| Some(tables::speed_up(case)?.mean);
    let here = growth(&median, &|_| true);
    let found = format!(
        "{} pairs of medians here, {} of the thesis' own tables, {} of those in the resolutions of figures 5.20 to 5.22",
        in_all(&here),
        in_all(&growth(&published, &|_| true)),
        in_all(&growth(&published, &|resolution| OF_FIGURES.contains(&resolution)))
    );
    (!here.is_empty()).then(|| of_medians(measurements, doubled(&here) == here.len()).with_evidence(found))
}

/// By which factor the speed-up changes over some variants of a case, in the median of all cases.
fn effect(
    options: &Options,
    speed_up: impl Fn(Case) -> Option<f64>,
    variants: impl Fn(Case) -> Vec<Case>,
) -> Option<f64> {
    let change = |case| {
        let all: Vec<f64> = variants(case).into_iter().filter_map(&speed_up).collect();
        let (low, high) =
            all.iter().fold((f64::INFINITY, 0.0f64), |(low, high), &ratio| (low.min(ratio), high.max(ratio)));
        (all.len() > 1).then_some(high / low)
    };
    let mut all: Vec<f64> = options.cases().into_iter().filter_map(change).collect();
    all.sort_unstable_by(f64::total_cmp);
    all.get(all.len() / 2).copied()
}

fn of_numbers(options: &Options, speed_up: impl Fn(Case) -> Option<f64>) -> Option<f64> {
    effect(options, speed_up, |case| options.counts.iter().map(|&count| Case { count, ..case }).collect())
}

/// Compares by how much each parameter changes the speed-up while the others stay the same.
pub(super) fn size_matters_most(measurements: &ElmirMeasurements) -> Option<Judgement> {
    let options = &measurements.options;
    let speed_up = |case| measurements.rows.ratio(case, Program::CpuCopy, Program::GpuShared);
    let radius =
        effect(options, speed_up, |case| options.radii.iter().map(|&radius| Case { radius, ..case }).collect())?;
    let resolution = effect(options, speed_up, |case| {
        options.resolutions.iter().map(|&resolution| Case { resolution, ..case }).collect()
    })?;
    let count = of_numbers(options, speed_up)?;
    let [of_radius, of_resolution, of_count] = [radius, resolution, count].map(three_figures);
    let found = format!(
        "the radius changes it by a factor of {of_radius}, the resolution by {of_resolution}, the number by {of_count}"
    );
    Some(of_medians(measurements, radius > resolution && radius > count).with_evidence(found))
}

/// Whether the number of circles changes the speed-up by less than a factor of 1.5 in the median.
pub(super) fn constant_over_numbers(measurements: &ElmirMeasurements) -> Option<Judgement> {
    let here =
        of_numbers(&measurements.options, |case| measurements.rows.ratio(case, Program::CpuCopy, Program::GpuShared))?;
    let then = of_numbers(&Options::default(), |case| Some(tables::speed_up(case)?.mean))?;
    let found = format!(
        "the number changes it by a factor of {}, in the thesis' own tables {}",
        three_figures(here),
        three_figures(then)
    );
    Some(of_medians(measurements, here < 1.5).with_evidence(found))
}

/// The speed-ups with 256 x 256 cells: with 64 circles, with 128, and the range with more. The thesis gives no figures
/// that decide.
pub(super) fn small_for_few_circles(measurements: &ElmirMeasurements) -> Option<Judgement> {
    let list = |speed_up: &dyn Fn(Case) -> Option<f64>| {
        let of_radius = |radius| {
            let of = |count| speed_up(Case { radius, resolution: 256, count });
            let more: Vec<f64> = Options::default().counts.into_iter().filter(|&n| n > 128).filter_map(of).collect();
            let (least, greatest) = (more.iter().copied().reduce(f64::min)?, more.into_iter().reduce(f64::max)?);
            let [few, some, least, greatest] = [of(64)?, of(128)?, least, greatest].map(three_figures);
            Some(format!("{few}, {some}, then {least} to {greatest} (radius {radius})"))
        };
        Some(format!("{} and {}", of_radius(MEDIUM)?, of_radius(LARGE)?))
    };
    let found = format!(
        "no figures are given for \"small\" and \"stabilises\"; with 64, with 128, and with more circles {}; in the thesis' \
         own tables {}",
        list(&|case| measurements.rows.ratio(case, Program::CpuCopy, Program::GpuShared))?,
        list(&|case| Some(tables::speed_up(case)?.mean))?
    );
    Some(Verdict::Undecided.with_evidence(found))
}

/// Speed-ups with small circles, which depend on both processors.
pub(super) fn faster_with_small_circles(measurements: &ElmirMeasurements) -> Option<Judgement> {
    let small = |case: &Case| case.radius == SMALL;
    let Judgement { verdict, evidence } = of_other_machine(measurements, small)?;
    Some(verdict.with_evidence(format!("{evidence}; faster {}", tables::in_tables(&[COPY_TO_SHARED], 1.0.., small))))
}

/// Whether the speed-ups of pairs of a slow and a fast program are within a range, in all wanted cases, here and in the
/// thesis' own tables.
pub(super) fn in_cases(
    measurements: &ElmirMeasurements,
    pairs: &[Pair],
    range: impl RangeBounds<f64>,
    wanted: fn(&Case) -> bool,
) -> Option<Judgement> {
    let bounds = (range.start_bound(), range.end_bound());
    let cases = measurements.options.cases().into_iter().filter(wanted);
    let compared = cases.flat_map(|case| pairs.iter().map(move |&pair| (case, pair)));
    let ratios = compared
        .filter_map(|(case, pair @ [slow, fast])| Some((measurements.rows.compare(case, slow, fast)?, case, pair)));
    let mut ratios: Vec<(SpeedUp, Case, Pair)> = ratios.collect();
    ratios.sort_by(|a, b| a.0.median.total_cmp(&b.0.median));
    let verdicts: Vec<Verdict> = ratios.iter().map(|(ratio, ..)| ratio.within(bounds)).collect();
    let holding = verdicts.iter().filter(|&&verdict| verdict == Verdict::Confirmed).count();
    let describe = |(ratio, case, pair): &(SpeedUp, Case, Pair)| {
        let [slow, fast] = pair.map(name);
        format!("{fast} {} as fast as {slow}, {}", ratio.text(), case.text())
    };
    let found = match ratios.as_slice() {
        [] => return None,
        [only] => describe(only),
        [least, .., greatest] => {
            format!("in {holding} of {} comparisons; from {} to {}", ratios.len(), describe(least), describe(greatest))
        }
    };
    Some(Verdict::all(verdicts).with_evidence(format!("{found}; {}", tables::in_tables(pairs, bounds, wanted))))
}

/// A program as a part of a sentence.
pub(super) fn name(program: Program) -> &'static str {
    if program == Program::CpuCopy { "the copy" } else { program.name() }
}

const NO_TRANSFERS: &str = "transfers, which the thesis may include, are not measured for its GPU programs";

/// A finding that the copy is faster than GPU programs without their transfers. If it is not, it may be with them.
pub(super) fn without_transfers(found: Option<Judgement>) -> Option<Judgement> {
    let Judgement { verdict, evidence } = found?;
    let verdict = if verdict == Verdict::Confirmed { Verdict::Confirmed } else { Verdict::Undecided };
    Some(verdict.with_evidence(format!("{evidence}; {NO_TRANSFERS}")))
}

/// A finding that GPU programs are faster than the copy, without their transfers.
pub(super) fn transfers_may_decide(found: Option<Judgement>) -> Option<Judgement> {
    found.map(|found| Judgement {
        evidence: format!("{}; {NO_TRANSFERS}, and may decide small cases", found.evidence),
        ..found
    })
}

/// The part of a statement on a crossing above its threshold, with the thesis' own table below.
pub(super) fn above_threshold(
    measurements: &ElmirMeasurements,
    pair: Pair,
    above: fn(&Case) -> bool,
    below: fn(&Case) -> bool,
) -> Option<Judgement> {
    let Judgement { verdict, evidence } = transfers_may_decide(in_cases(measurements, &[pair], 1.0.., above))?;
    let [_, fast] = pair.map(name);
    Some(verdict.with_evidence(format!(
        "{evidence}; only the part above the threshold: up to it {fast} is faster, too, {}",
        tables::in_tables(&[pair], 1.0.., below)
    )))
}

/// A finding on "slightly faster", without the word that the thesis does not define.
pub(super) fn for_the_order(found: Option<Judgement>) -> Option<Judgement> {
    found.map(|found| Judgement {
        evidence: format!("for the order, not for \"slightly\": {}", found.evidence),
        ..found
    })
}

/// Whether a program is faster than another one in all cases with at least a million cells, where launches take a
/// negligible part of the time.
pub(super) fn pays_off(measurements: &ElmirMeasurements, slow: Program, fast: Program) -> Option<Judgement> {
    let cases: Vec<Case> = measurements.options.cases().into_iter().filter(|case| case.resolution >= 1024).collect();
    let mut ratios: Vec<SpeedUp> =
        cases.iter().filter_map(|&case| measurements.rows.compare(case, slow, fast)).collect();
    ratios.sort_by(|a, b| a.median.total_cmp(&b.median));
    let (least, greatest) = (ratios.first()?.median, ratios.last()?.median);
    let [least, median, greatest] = [least, ratios[ratios.len() / 2].median, greatest].map(three_figures);
    let found = format!("{median} times as fast (median of {} cases; {least} to {greatest})", ratios.len());
    let verdicts = ratios.iter().map(|ratio| ratio.within(1.0..));
    let verdict = Verdict::all(verdicts);
    let mut then: Vec<f64> = cases
        .iter()
        .filter_map(|&case| Some(published::seconds(case, slow)? / published::seconds(case, fast)?))
        .collect();
    then.sort_unstable_by(f64::total_cmp);
    let published = then.get(then.len() / 2).map(|&ratio| format!("; in the thesis {} times", three_figures(ratio)));
    Some(verdict.with_evidence(found + &published.unwrap_or_default()))
}
