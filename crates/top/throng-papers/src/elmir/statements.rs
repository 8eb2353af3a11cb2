//! The statements of the thesis, each with a verdict.

use std::fmt::Write as _;

use throng_core::three_figures;

use super::cases::{Case, Options};
use super::program::Program;
use super::published;
use super::reproduce::ElmirMeasurements;
use super::three_sigma::Range;
use crate::experiment::{Judgement, MeasuredOn, SpeedUp, Statements, Verdict};

/// The radii that the thesis calls small, medium and large.
const SMALL: f32 = 4.0;
const MEDIUM: f32 = 8.0;
const LARGE: f32 = 15.0;
/// The case of the thesis with the maximum resolution, number and radius.
const LARGEST: Case = Case { radius: LARGE, resolution: 2048, count: 2048 };

/// The statements of the thesis, each with its verdict.
pub(crate) fn statements(measurements: &ElmirMeasurements, on: MeasuredOn) -> Statements {
    let mut all = Statements::on(on);
    let shared = Program::GpuShared;
    all.push_of_gpu(
        "abstract, chapters 6 and 7",
        "The GPU program with shared memory is at most 18.1 to 19.3 times as fast as the memory copy on the CPU.",
        largest_speed_up(measurements),
    );
    all.push_of_gpu(
        "chapters 6 and 7",
        "This largest speed-up is that of 2048 large circles with 2048 x 2048 cells.",
        place_of_largest(measurements),
    );
    all.push_of_gpu(
        "chapter 6",
        "Even with circles of radius 8 the speed-up is 4.5 to 5.5.",
        of_other_machine(measurements, |case| case.radius == MEDIUM),
    );
    all.push_of_gpu(
        "chapter 6",
        "The speed-up more than doubles from each radius to the next (4, 8, 15).",
        doubles(measurements),
    );
    all.push_of_gpu(
        "chapter 6",
        "The size of the circles matters more for the speed-up than the resolution or their number.",
        size_matters_most(measurements),
    );
    all.push_of_gpu(
        "chapters 6 and 7",
        "With 256 x 256 cells and 128 small circles, the copy is faster than the GPU program with shared memory.",
        in_cases(measurements, &[shared], ..1.0, |case| {
            case.radius == SMALL && case.resolution == 256 && case.count == 128
        }),
    );
    all.push_of_gpu(
        "section 5.3.1",
        "With 64 small circles the program with shared memory is faster than the copy above 1792 x 1792 cells.",
        in_cases(measurements, &[shared], 1.0.., |case| {
            case.radius == SMALL && case.count == 64 && case.resolution > 1792
        }),
    );
    all.push_of_gpu(
        "section 5.3.1",
        "With 1024 and 2048 small circles it is faster than the copy above 1024 x 1024 cells.",
        in_cases(measurements, &[shared], 1.0.., |case| {
            case.radius == SMALL && [1024, 2048].contains(&case.count) && case.resolution > 1024
        }),
    );
    all.push_of_gpu(
        "section 5.3.1",
        "With 1024 and 2048 small circles the copy is faster than the naive and the coalesced GPU program.",
        in_cases(measurements, &[Program::GpuNaive, Program::GpuCoalesced], ..1.0, |case| {
            case.radius == SMALL && [1024, 2048].contains(&case.count)
        }),
    );
    all.push_of_gpu(
        "section 5.3.2",
        "With circles of radius 8 the copy is slower than all GPU programs.",
        in_cases(measurements, &Program::GPU_OF_THESIS, 1.0.., |case| case.radius == MEDIUM),
    );
    all.push_of_gpu(
        "sections 5.3.3 and 5.4.3",
        "With circles of radius 15 the copy is slower than all GPU programs.",
        in_cases(measurements, &Program::GPU_OF_THESIS, 1.0.., |case| case.radius == LARGE),
    );
    for (section, what, slow, fast) in [
        ("section 4.2.2", "Reading a circle in one access pays off", Program::GpuNaive, Program::GpuCoalesced),
        ("section 4.2.3", "Shared memory pays off as well", Program::GpuCoalesced, shared),
    ] {
        all.push_of_gpu(section, format!("{what}, with a million cells and more."), pays_off(measurements, slow, fast));
    }
    all
}

/// The largest speed-up of a machine that differs in both processors.
fn largest_speed_up(measurements: &ElmirMeasurements) -> Option<Judgement> {
    let (case, range) = largest(&measurements.options, |case| measurements.speed_up(case))?;
    let then = Range::of(published::times(LARGEST, Program::CpuCopy)?, published::times(LARGEST, Program::GpuShared)?);
    Some(Verdict::Undecided.with_evidence(format!(
        "other processors; here at most {}, {}. (The range from the thesis' own table A.1 is {})",
        range.text(),
        case.text(),
        then.text()
    )))
}

fn place_of_largest(measurements: &ElmirMeasurements) -> Option<Judgement> {
    let (case, range) = largest(&measurements.options, |case| measurements.speed_up(case))?;
    let at_largest = measurements.speed_up(LARGEST)?;
    let found = format!("the largest mean is {}, {}; in this case {}", range.text(), case.text(), at_largest.text());
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

/// Speed-ups of another machine, which decide nothing.
fn of_other_machine(measurements: &ElmirMeasurements, wanted: fn(&Case) -> bool) -> Option<Judgement> {
    let of = |speed_up: &dyn Fn(Case) -> Option<f64>| {
        let mut all: Vec<f64> = measurements.options.cases().into_iter().filter(wanted).filter_map(speed_up).collect();
        all.sort_unstable_by(f64::total_cmp);
        Some([*all.first()?, all[all.len() / 2], *all.last()?].map(three_figures))
    };
    let [least, median, greatest] = of(&|case| Some(measurements.speed_up(case)?.mean))?;
    let mut found = format!("other processors; here {least} to {greatest}, {median} in the median of all cases");
    if let Some([least, median, greatest]) = of(&published_speed_up) {
        let _ = write!(found, " (in the thesis' table {least} to {greatest}, {median} in the median)");
    }
    Some(Verdict::Undecided.with_evidence(found))
}

fn published_speed_up(case: Case) -> Option<f64> {
    Some(published::seconds(case, Program::CpuCopy)? / published::seconds(case, Program::GpuShared)?)
}

/// Whether the speed-up doubles from radius to radius in every pair of cases.
fn doubles(measurements: &ElmirMeasurements) -> Option<Judgement> {
    let radii = [SMALL, MEDIUM, LARGE];
    let cases = measurements.options.cases().into_iter().filter(|case| case.radius == SMALL);
    let pairs = cases.flat_map(|case| [0, 1].map(|i| [radii[i], radii[i + 1]].map(|radius| Case { radius, ..case })));
    let pairs: Vec<[Case; 2]> = pairs.collect();
    let growth = |speed_up: &dyn Fn(Case) -> Option<f64>| -> Vec<f64> {
        pairs.iter().filter_map(|[from, to]| Some(speed_up(*to)? / speed_up(*from)?)).collect()
    };
    let doubled = |all: &[f64]| all.iter().filter(|&&growth| growth > 2.0).count();
    let median = |case| measurements.rows.ratio(case, Program::CpuCopy, Program::GpuShared);
    let (here, then) = (growth(&median), growth(&published_speed_up));
    let found = format!(
        "in {} of {} pairs of medians here, in {} of {} of the thesis' own tables",
        doubled(&here),
        here.len(),
        doubled(&then),
        then.len()
    );
    (!here.is_empty()).then(|| Verdict::of(doubled(&here) == here.len()).with_evidence(found))
}

/// Compares by how much each parameter changes the speed-up while the others stay the same, in the median.
fn size_matters_most(measurements: &ElmirMeasurements) -> Option<Judgement> {
    let options = &measurements.options;
    let speed_up = |case| measurements.rows.ratio(case, Program::CpuCopy, Program::GpuShared);
    let effect = |variants: &dyn Fn(Case) -> Vec<Case>| {
        let change = |case| {
            let all: Vec<f64> = variants(case).into_iter().filter_map(speed_up).collect();
            let (low, high) =
                all.iter().fold((f64::INFINITY, 0.0f64), |(low, high), &ratio| (low.min(ratio), high.max(ratio)));
            (all.len() > 1).then_some(high / low)
        };
        let mut all: Vec<f64> = options.cases().into_iter().filter_map(change).collect();
        all.sort_unstable_by(f64::total_cmp);
        all.get(all.len() / 2).copied()
    };
    let radius = effect(&|case| options.radii.iter().map(|&radius| Case { radius, ..case }).collect())?;
    let resolution =
        effect(&|case| options.resolutions.iter().map(|&resolution| Case { resolution, ..case }).collect())?;
    let count = effect(&|case| options.counts.iter().map(|&count| Case { count, ..case }).collect())?;
    let [of_radius, of_resolution, of_count] = [radius, resolution, count].map(three_figures);
    let found = format!(
        "the radius changes it by a factor of {of_radius}, the resolution by {of_resolution}, the number by {of_count}"
    );
    Some(Verdict::of(radius > resolution && radius > count).with_evidence(found))
}

/// Whether the speed-ups of programs over the copy are within a range, in all wanted cases.
fn in_cases(
    measurements: &ElmirMeasurements,
    programs: &[Program],
    range: impl std::ops::RangeBounds<f64>,
    wanted: fn(&Case) -> bool,
) -> Option<Judgement> {
    let cases = measurements.options.cases().into_iter().filter(wanted);
    let pairs = cases.flat_map(|case| programs.iter().map(move |&program| (case, program)));
    let ratios = pairs.filter_map(|(case, program)| {
        Some((measurements.rows.compare(case, Program::CpuCopy, program)?, case, program))
    });
    let mut ratios: Vec<(SpeedUp, Case, Program)> = ratios.collect();
    ratios.sort_by(|a, b| a.0.median.total_cmp(&b.0.median));
    let verdicts: Vec<Verdict> =
        ratios.iter().map(|(ratio, ..)| ratio.within((range.start_bound(), range.end_bound()))).collect();
    let holding = verdicts.iter().filter(|&&verdict| verdict == Verdict::Confirmed).count();
    let describe = |(ratio, case, program): &(SpeedUp, Case, Program)| {
        format!("{} {} as fast as the copy, {}", program.name(), ratio.text(), case.text())
    };
    let found = match ratios.as_slice() {
        [] => return None,
        [only] => describe(only),
        [least, .., greatest] => {
            format!("in {holding} of {} comparisons; from {} to {}", ratios.len(), describe(least), describe(greatest))
        }
    };
    Some(Verdict::all(verdicts).with_evidence(found))
}

/// Whether a program is faster than another one in all cases with at least a million cells, where launches take a
/// negligible part of the time.
fn pays_off(measurements: &ElmirMeasurements, slow: Program, fast: Program) -> Option<Judgement> {
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

impl Case {
    /// Text for sentences.
    pub(super) fn text(self) -> String {
        let Self { radius, resolution, count } = self;
        format!("with {count} circles of radius {radius} and {resolution}² cells")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elmir::reproduce::measured;
    use crate::experiment::statements::found;
    use crate::experiment::{MIN_RUNS, Rows};

    /// All cases of the thesis, in which the copy takes as long as there are covered cells, and each GPU program as
    /// long as there are pairs of a cell and a circle.
    fn measurements(seconds_per_pair: [f64; 3]) -> ElmirMeasurements {
        let options = Options::default();
        let mut rows = Vec::new();
        for case in options.cases() {
            rows.push(measured(case, Program::CpuCopy, &[case.covered(); MIN_RUNS]));
            for (program, seconds) in Program::GPU_OF_THESIS.into_iter().zip(seconds_per_pair) {
                rows.push(measured(case, program, &[case.pairs() as f64 * seconds; MIN_RUNS]));
            }
        }
        ElmirMeasurements { options, rows: Rows(rows) }
    }

    /// The fraction of the world that a circle covers.
    fn fraction(radius: f64) -> f64 {
        std::f64::consts::PI * radius * radius / 65_536.0
    }

    fn verdict(measurements: &ElmirMeasurements, beginning: &str) -> String {
        found(&statements(measurements, MeasuredOn::Gpu), beginning).unwrap()
    }

    #[test]
    fn a_speed_up_in_proportion_to_the_area_doubles_and_depends_on_the_radius_alone() {
        let all = measurements([1e-3, 1e-3, 1e-3]);
        let doubles = verdict(&all, "The speed-up more than doubles");
        let expected = "confirmed: in 160 of 160 pairs of medians here, in 155 of 160 of the thesis' own tables";
        assert_eq!(doubles, expected);
        let size = verdict(&all, "The size of the circles matters more");
        // (15 / 4)² is 14.06.
        let expected =
            "confirmed: the radius changes it by a factor of 14.1, the resolution by 1.00, the number by 1.00";
        assert_eq!(size, expected);
    }

    #[test]
    fn cases_are_compared_with_the_copy() {
        // Slower than the copy with radius 4, equal with radius 8, faster with radius 15.
        let all = measurements([fraction(8.0); 3]);
        assert!(verdict(&all, "With circles of radius 15").starts_with("confirmed: in 240 of 240 comparisons"));
        assert!(verdict(&all, "With 256 x 256 cells and 128 small").starts_with("confirmed: GPU shared 0.2500 times"));
        assert!(verdict(&all, "With 64 small circles").starts_with("not confirmed: GPU shared 0.2500 times"));
        assert!(verdict(&all, "With 1024 and 2048 small circles the copy").starts_with("confirmed: in 32 of 32"));
        assert!(verdict(&all, "With 1024 and 2048 small circles it").starts_with("not confirmed: in 0 of 8"));
    }

    #[test]
    fn access_patterns_are_compared_in_large_fields() {
        let all = measurements([2e-3, 1e-3, 2e-3]);
        let one_access = verdict(&all, "Reading a circle in one access");
        assert!(
            one_access.starts_with("confirmed: 2.00 times as fast (median of 150 cases; 2.00 to 2.00)"),
            "{one_access}"
        );
        assert!(one_access.contains("; in the thesis 1.7"), "{one_access}");
        assert!(verdict(&all, "Shared memory pays off").starts_with("not confirmed: 0.5000 times"));
    }

    #[test]
    fn the_size_of_a_speed_up_on_other_processors_decides_nothing() {
        let all = measurements([fraction(4.0); 3]);
        let largest = verdict(&all, "The GPU program with shared memory is at most");
        assert!(largest.starts_with("cannot be known: other processors; here at most 14.1 times"), "{largest}");
        assert!(
            largest.ends_with("(The range from the thesis' own table A.1 is 18.8 times (18.5 to 19.0))"),
            "{largest}"
        );
        let medium = verdict(&all, "Even with circles of radius 8");
        assert!(medium.starts_with("cannot be known: other processors; here 4.00 to 4.00"), "{medium}");
    }
}
