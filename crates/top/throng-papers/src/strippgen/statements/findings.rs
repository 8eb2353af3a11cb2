//! The findings that decide the paper's statements.

use std::fmt::Write as _;

use throng_core::three_figures;

use super::{AOS, NO_JAVA, RING};
use crate::experiment::{Judgement, MIN_RUNS, SpeedUp, Times, Verdict, count, percent};
use crate::strippgen::program::Program;
use crate::strippgen::published::{GTX_280, TABLE_2};
use crate::strippgen::reproduce::StrippgenMeasurements;
use crate::strippgen::technique::Technique;
use crate::strippgen::variant::{Layout, Variant};

/// Speed-ups of the second program over the first in all samples.
fn speed_ups(measurements: &StrippgenMeasurements, [slow, fast]: [Program; 2]) -> Vec<(f64, SpeedUp)> {
    let mut percents = measurements.options.percents.clone();
    percents.sort_by(f64::total_cmp);
    let ratio = |percent| Some((percent, measurements.rows.compare(percent, slow, fast)?));
    percents.into_iter().filter_map(ratio).collect()
}

fn listed(ratios: &[(f64, SpeedUp)]) -> String {
    let texts = ratios.iter().map(|(percent, ratio)| format!("{} with {percent} % of the agents", ratio.text()));
    texts.collect::<Vec<_>>().join(", ")
}

/// Whether the second program is faster than the first by a factor within a range, in all samples.
pub(super) fn in_samples(
    measurements: &StrippgenMeasurements,
    programs: [Program; 2],
    range: impl std::ops::RangeBounds<f64>,
) -> Option<Judgement> {
    let Judgement { verdict, evidence } = ratios_in_samples(measurements, programs, range)?;
    Some(verdict.with_evidence(over(programs, &evidence)))
}

fn ratios_in_samples(
    measurements: &StrippgenMeasurements,
    programs: [Program; 2],
    range: impl std::ops::RangeBounds<f64>,
) -> Option<Judgement> {
    let ratios = speed_ups(measurements, programs);
    let bounds = (range.start_bound(), range.end_bound());
    let verdict = Verdict::all(ratios.iter().map(|(_, ratio)| ratio.within(bounds)));
    (!ratios.is_empty()).then(|| verdict.with_evidence(listed(&ratios)))
}

/// Names the programs of the ratios.
fn over([slow, fast]: [Program; 2], ratios: &str) -> String {
    format!("{} over {} {ratios}", fast.name(), slow.name())
}

/// The paper's research question, for its fastest data structure.
pub(super) fn over_one_thread(measurements: &StrippgenMeasurements) -> Option<Judgement> {
    let programs = [Program::Cpu(RING), Program::Device(RING)];
    let Judgement { verdict, evidence } = ratios_in_samples(measurements, programs, 1.0..)?;
    Some(verdict.with_evidence(format!("RING on the device over the same code on one CPU thread: {evidence}")))
}

/// Larger samples have congestion.
const MAX_WITHOUT_CONGESTION: f64 = 10.0;

/// Whether the second program is slower than the first in the smallest sample. It "may" be, so a faster one does not
/// refute it.
pub(super) fn costs_without_congestion(
    measurements: &StrippgenMeasurements,
    programs: [Program; 2],
) -> Option<Judgement> {
    let ratios = speed_ups(measurements, programs);
    let (percent, ratio) = ratios.first().filter(|(percent, _)| *percent <= MAX_WITHOUT_CONGESTION)?;
    let [slow, fast] = programs.map(Program::name);
    let found = format!(
        "with {percent} % of the agents, {fast} is {} as fast as {slow}; the paper only says that it may",
        ratio.text()
    );
    Some(if_confirmed(ratio.within(..1.0)).with_evidence(found))
}

/// The verdict on a statement that measurements can confirm, but not refute.
fn if_confirmed(verdict: Verdict) -> Verdict {
    if verdict == Verdict::Confirmed { Verdict::Confirmed } else { Verdict::Undecided }
}

/// A ratio that the paper gives for one GPU only.
pub(super) fn another_gpu(
    measurements: &StrippgenMeasurements,
    programs: [Program; 2],
    gpu: &str,
) -> Option<Judgement> {
    let ratios = speed_ups(measurements, programs);
    let found = format!("{}; the paper says this of {gpu} only", over(programs, &listed(&ratios)));
    (!ratios.is_empty()).then(|| Verdict::Undecided.with_evidence(found))
}

/// A finding on a statement that also compares with the Java program.
pub(super) fn without_java(found: Option<Judgement>) -> Option<Judgement> {
    found.map(|found| Judgement { evidence: format!("{}; {NO_JAVA}", found.evidence), ..found })
}

/// Whether prefix scans speed up the program in the use that was tried; another use might.
pub(super) fn prefix_scans(measurements: &StrippgenMeasurements, programs: [Program; 2]) -> Option<Judgement> {
    let found = ratios_in_samples(measurements, programs, 1.0..)?;
    let evidence = format!("a scan for nodes with vehicles: {}; the paper names no use", found.evidence);
    Some(if_confirmed(found.verdict).with_evidence(evidence))
}

/// Ring buffers on one thread, beside the figures of the Java program on its own processor.
pub(super) fn on_one_thread(measurements: &StrippgenMeasurements) -> Judgement {
    let mut percents = measurements.options.percents.clone();
    percents.sort_by(f64::total_cmp);
    let factors = percents.into_iter().filter_map(|percent| {
        let [here, java] = [measurements.rows.factor(percent, Program::Cpu(RING))?, TABLE_2[0].at(percent)?];
        Some(format!("{} and {} with {percent} % of the agents", three_figures(here), three_figures(java)))
    });
    let factors = factors.collect::<Vec<_>>().join(", ");
    let beside = if factors.is_empty() {
        String::new()
    } else {
        format!("; real-time factors of RING on one thread here and of Java then: {factors}")
    };
    Verdict::Undecided.with_evidence(format!("{NO_JAVA}{beside}"))
}

/// Whether the advantage of ring buffers is larger in each larger sample.
pub(super) fn grows(measurements: &StrippgenMeasurements) -> Option<Judgement> {
    let programs = [AOS, RING].map(Program::Device);
    let ratios = speed_ups(measurements, programs);
    (ratios.len() > 1).then(|| growth(&ratios).with_evidence(over(programs, &listed(&ratios))))
}

/// Whether each ratio is larger than the one before; undecided for a single one.
fn growth(ratios: &[(f64, SpeedUp)]) -> Verdict {
    Verdict::all(ratios.windows(2).map(|pair| pair[1].1.exceeds(&pair[0].1)))
}

/// The gain of free competition, for the three layouts.
pub(super) fn without_nodes(measurements: &StrippgenMeasurements) -> Option<Judgement> {
    let mut ratios = Vec::new();
    for layout in [Layout::Aos, Layout::Soa, Layout::Ring] {
        let [free, nodes] = [false, true].map(|nodes| Variant { layout, nodes, indices_first: false });
        ratios.extend(speed_ups(measurements, [nodes, free].map(Program::Device)));
    }
    ratios.sort_by(|a, b| a.1.median.total_cmp(&b.1.median));
    let (least, greatest) = (ratios.first()?, ratios.last()?);
    let found = format!("in {} comparisons, {}", ratios.len(), listed(&[*least, *greatest]).replace(", ", " to "));
    Some(Verdict::all(ratios.iter().map(|(_, ratio)| ratio.within(..1.25))).with_evidence(found))
}

/// The paper's recommended program over the whole day, beside its figure for the GTX 280.
pub(super) fn newer_hardware(measurements: &StrippgenMeasurements) -> Option<Judgement> {
    let program = [Program::DeviceAllDay, Program::Device(Variant::RING_NODES)];
    let program = program.into_iter().find(|program| measurements.rows.ran(*program))?;
    let ratio = |percent| {
        let row = measurements.rows.row(percent, program)?;
        let published = Times::of(vec![row.figures.simulated_s / GTX_280.at(percent)?; MIN_RUNS]);
        Some((percent, SpeedUp::of(&published, &row.times)))
    };
    let ratios: Vec<(f64, SpeedUp)> =
        measurements.options.percents.iter().filter_map(|&percent| ratio(percent)).collect();
    let found = format!(
        "roughly, with another program, network and period: {} over the GTX 280: {}",
        program.name(),
        listed(&ratios)
    );
    let verdict = Verdict::all(ratios.iter().map(|(_, ratio)| ratio.within(1.0..)));
    (!ratios.is_empty()).then(|| verdict.with_evidence(found))
}

/// The time that the calendar saves, as a fraction of the time with the scan: more than half with the largest sample,
/// and larger in each larger sample. A single sample decides nothing.
pub(super) fn scan_dominates(measurements: &StrippgenMeasurements) -> Option<Judgement> {
    let programs = [Program::Device(Variant::RING_NODES), Program::Improved(Technique::Calendar)];
    let ratios = speed_ups(measurements, programs);
    let (_, largest) = ratios.last()?;
    let saved = |ratio: f64| percent(1.0 - 1.0 / ratio);
    let texts = ratios.iter().map(|(of, ratio)| {
        let time = if ratio.median < 1.0 { percent(1.0 / ratio.median - 1.0) } else { saved(ratio.median) };
        let more = if ratio.median < 1.0 { "more" } else { "less" };
        format!("{time} {more} time with {of} % of the agents")
    });
    let found = format!(
        "without it, a program takes {}, there {} to {} less over the runs; more than half is read as dominant",
        texts.collect::<Vec<_>>().join(", "),
        saved(largest.least),
        saved(largest.greatest)
    );
    let parts = [growth(&ratios), largest.within(2.0..)];
    let verdict = if ratios.len() > 1 { Verdict::all(parts) } else { Verdict::Undecided };
    Some(verdict.with_evidence(found))
}

/// The paper's peak of simulated seconds per second, in its own table 2.
pub(super) fn peak_of_gtx_280() -> Option<Judgement> {
    let factor = GTX_280.at(10.0)?;
    Some(Verdict::of(factor >= 16_000.0).with_evidence(format!("{} in the paper's own table 2", count(factor))))
}

/// A speed-up over Java, from the paper's own table; its programs and machines are not available.
pub(super) fn over_java(measurements: &StrippgenMeasurements, name: &str) -> Option<Judgement> {
    let published = TABLE_2.iter().find(|published| published.name == name)?;
    let java = &TABLE_2[0];
    let ratio = |percent, factor: f64| Some(factor / java.at(percent)?);
    let in_table = published.real_time_factors.iter().filter_map(|&(percent, factor)| ratio(percent, factor));
    let mut found = format!("{NO_JAVA}; table 2 gives at most {} times", three_figures(in_table.fold(0.0, f64::max)));
    let here = |percent| ratio(percent, measurements.rows.factor(percent, Program::Device(RING))?);
    let here = measurements.options.percents.iter().filter_map(|&percent| here(percent)).reduce(f64::max);
    if let Some(here) = here {
        let _ =
            write!(found, ", and RING on this device is at most {} times as fast as Java then", three_figures(here));
    }
    Some(Verdict::Undecided.with_evidence(found))
}
