//! The paper's statements, each with a verdict.

use std::fmt::Write as _;

use throng_core::three_figures;

use super::program::Program;
use super::published::{GTX_280, TABLE_2};
use super::reproduce::StrippgenMeasurements;
use super::technique::Technique;
use super::variant::{Layout, Variant};
use crate::experiment::{Judgement, MeasuredOn, SpeedUp, Statements, Verdict};

const AOS: Variant = Variant::ALL[0];
const SOA: Variant = Variant::ALL[2];
const RING: Variant = Variant::ALL[4];
const RING2: Variant = Variant::ALL[6];

/// The statements of sections 4 to 6, each with its verdict. Times of the paper's Java program and of its hardware are
/// not available, so statements about their sizes cannot be decided.
pub(crate) fn statements(measurements: &StrippgenMeasurements, on: MeasuredOn) -> Statements {
    let mut all = Statements::on(on);
    all.push_of_gpu(
        "sections 4.1 and 6",
        "The step from an unsuitable data structure (AOS) to ring buffers gains a factor of about 6.",
        in_samples(measurements, [AOS, RING].map(Program::Device), 5.0..7.0),
    );
    all.push_of_gpu(
        "section 4.1",
        "Ring buffers are faster than AOS in all runs.",
        in_samples(measurements, [AOS, RING].map(Program::Device), 1.0..),
    );
    all.push_of_gpu(
        "section 4.1",
        "The advantage of ring buffers over AOS grows with the load of the network.",
        grows(measurements),
    );
    all.push_of_gpu(
        "section 4.2.1",
        "The additional speed without control at the nodes is minor (read as less than 1.25 times).",
        without_nodes(measurements),
    );
    all.push_of_gpu(
        "section 4.2.2",
        "On the GTX 280, moving vehicles in a separate kernel (RING2) gains nothing.",
        in_samples(measurements, [RING, RING2].map(Program::Device), ..1.0),
    );
    all.push(
        "section 5",
        "On a CPU, SOA is a little slower than AOS.",
        in_samples(measurements, [SOA, AOS].map(Program::Cpu), 1.0..1.5),
    );
    all.push_of_gpu(
        "section 5",
        "On a GPU (the 8600 GT), SOA is significantly faster than AOS in all runs (read as 1.1 times and more).",
        in_samples(measurements, [AOS, SOA].map(Program::Device), 1.1..),
    );
    all.push_of_gpu(
        "section 5",
        "The implementation will automatically profit from coming hardware.",
        newer_hardware(measurements),
    );
    all.push_of_gpu(
        "section 6",
        "The scan over all agents becomes the dominant part with increasing numbers of agents.",
        scan_dominates(measurements),
    );
    for (technique, text) in [
        (Technique::Calendar, "Buckets of agents by departure time, double-buffered, speed up the program."),
        (Technique::ActiveNodes, "Prefix scans speed up the program (here: a scan for nodes with vehicles)."),
    ] {
        let programs = [Program::Device(Variant::RING_NODES), Program::Improved(technique)];
        all.push_of_gpu("section 6", text, in_samples(measurements, programs, 1.0..));
    }
    all.push_of_gpu(
        "section 6",
        "The GTX 280 is up to 67 times as fast as the optimised Java program.",
        over_java(measurements, GTX_280.name),
    );
    all.push_of_gpu(
        "section 5",
        "The 8600 GT is up to 6 times as fast as the Java program.",
        over_java(measurements, TABLE_2[1].name),
    );
    all.push(
        "section 5",
        "The same code on a CPU is slower than the Java program with simple data structures, and a little faster with \
         ring buffers.",
        [Verdict::Undecided.with_evidence("the Java program of 2009 is not available")],
    );
    all
}

/// Speed-ups of the second program over the first in all samples.
fn speed_ups(measurements: &StrippgenMeasurements, [slow, fast]: [Program; 2]) -> Vec<(f64, SpeedUp)> {
    let mut percents = measurements.options.percents.clone();
    percents.sort_by(f64::total_cmp);
    let ratio = |percent| Some((percent, measurements.rows.compare(percent, slow, fast)?));
    percents.into_iter().filter_map(ratio).collect()
}

fn listed(ratios: &[(f64, SpeedUp)]) -> String {
    let texts = ratios.iter().map(|(percent, ratio)| format!("{} with {percent} %", ratio.text()));
    texts.collect::<Vec<_>>().join(", ")
}

/// Whether the second program is faster than the first by a factor within a range, in all samples.
fn in_samples(
    measurements: &StrippgenMeasurements,
    programs: [Program; 2],
    range: impl std::ops::RangeBounds<f64>,
) -> Option<Judgement> {
    let ratios = speed_ups(measurements, programs);
    let bounds = (range.start_bound(), range.end_bound());
    let verdict = Verdict::all(ratios.iter().map(|(_, ratio)| ratio.within(bounds)));
    (!ratios.is_empty()).then(|| verdict.with_evidence(listed(&ratios)))
}

/// Whether the advantage of ring buffers is larger in each larger sample.
fn grows(measurements: &StrippgenMeasurements) -> Option<Judgement> {
    let ratios = speed_ups(measurements, [AOS, RING].map(Program::Device));
    let steps = ratios.windows(2).map(|pair| match (pair[0].1, pair[1].1) {
        (smaller, larger) if larger.least > smaller.greatest => Verdict::Confirmed,
        (smaller, larger) if larger.greatest < smaller.least => Verdict::NotConfirmed,
        _ => Verdict::Undecided,
    });
    (ratios.len() > 1).then(|| Verdict::all(steps).with_evidence(listed(&ratios)))
}

/// The gain of free competition, for the three layouts.
fn without_nodes(measurements: &StrippgenMeasurements) -> Option<Judgement> {
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
fn newer_hardware(measurements: &StrippgenMeasurements) -> Option<Judgement> {
    let program = [Program::DeviceAllDay, Program::Device(Variant::RING_NODES)];
    let program = program.into_iter().find(|program| measurements.rows.ran(*program))?;
    let factors = measurements
        .options
        .percents
        .iter()
        .filter_map(|&percent| Some((percent, measurements.rows.factor(percent, program)? / GTX_280.at(percent)?)));
    let factors: Vec<(f64, f64)> = factors.collect();
    let texts = factors.iter().map(|(percent, factor)| format!("{} times with {percent} %", three_figures(*factor)));
    let found = format!("{} over the GTX 280: {}", program.name(), texts.collect::<Vec<_>>().join(", "));
    let verdict = Verdict::of(factors.iter().all(|(_, factor)| *factor > 1.0));
    (!factors.is_empty()).then(|| verdict.with_evidence(found))
}

/// The time that the calendar saves, as a fraction of the time with the scan: more than half with the largest sample,
/// and growing.
fn scan_dominates(measurements: &StrippgenMeasurements) -> Option<Judgement> {
    let programs = [Program::Device(Variant::RING_NODES), Program::Improved(Technique::Calendar)];
    let ratios = speed_ups(measurements, programs);
    let (_, largest) = ratios.last()?;
    let texts = ratios.iter().map(|(percent, ratio)| {
        format!("{} % of the time with {percent} %", three_figures(100.0 * (1.0 - 1.0 / ratio.median)))
    });
    let found = format!("without it, a program saves {}", texts.collect::<Vec<_>>().join(", "));
    Some(largest.within(2.0..).with_evidence(found))
}

/// A speed-up over Java, from the paper's own table; its programs and machines are not available.
fn over_java(measurements: &StrippgenMeasurements, name: &str) -> Option<Judgement> {
    let published = TABLE_2.iter().find(|published| published.name == name)?;
    let java = &TABLE_2[0];
    let ratio = |percent, factor: f64| Some(factor / java.at(percent)?);
    let in_table = published.real_time_factors.iter().filter_map(|&(percent, factor)| ratio(percent, factor));
    let mut found = format!(
        "the Java program and its processor of 2009 are not available; table 2 gives at most {} times",
        three_figures(in_table.fold(0.0, f64::max))
    );
    let here = |percent| ratio(percent, measurements.rows.factor(percent, Program::Device(RING))?);
    let here = measurements.options.percents.iter().filter_map(|&percent| here(percent)).reduce(f64::max);
    if let Some(here) = here {
        let _ =
            write!(found, ", and RING on this device is at most {} times as fast as Java then", three_figures(here));
    }
    Some(Verdict::Undecided.with_evidence(found))
}

#[cfg(test)]
mod tests {
    use super::super::program::tests::minute;
    use super::super::report::tests::measurements;
    use super::*;
    use crate::experiment::Rows;
    use crate::experiment::statements::found;

    /// Programs with three equal runs in the samples of 1 and 100 %.
    fn of(runs: &[(Program, [f64; 2])]) -> StrippgenMeasurements {
        let rows = runs.iter().flat_map(|(program, seconds)| {
            [(1.0, seconds[0]), (100.0, seconds[1])].map(|(percent, s)| minute(*program, percent, &[s; 3]))
        });
        StrippgenMeasurements { rows: Rows(rows.collect()), ..measurements() }
    }

    fn verdict(runs: &[(Program, [f64; 2])], beginning: &str) -> Option<String> {
        found(&statements(&of(runs), MeasuredOn::Gpu), beginning)
    }

    #[test]
    fn ring_buffers_are_compared_with_aos_in_every_sample() {
        let runs = |aos| [(Program::Device(AOS), aos), (Program::Device(RING), [1.0, 1.0])];
        let text = verdict(&runs([5.5, 6.0]), "The step from an unsuitable").unwrap();
        let expected =
            "confirmed: 5.50 times (5.50 to 5.50; 3 runs) with 1 %, 6.00 times (6.00 to 6.00; 3 runs) with 100 %";
        assert_eq!(text, expected);
        assert!(verdict(&runs([5.5, 1.4]), "The step from an unsuitable").unwrap().starts_with("not confirmed: "));
        assert!(verdict(&runs([1.2, 1.4]), "Ring buffers are faster").unwrap().starts_with("confirmed: "));
        assert!(verdict(&runs([1.2, 1.4]), "The advantage of ring").unwrap().starts_with("confirmed: "));
        assert!(verdict(&runs([1.4, 1.2]), "The advantage of ring").unwrap().starts_with("not confirmed: "));
        assert_eq!(verdict(&[], "Ring buffers are faster"), None);
    }

    #[test]
    fn the_scan_is_judged_by_the_time_that_the_calendar_saves() {
        let runs = |scan| {
            [(Program::Device(Variant::RING_NODES), [1.0, scan]), (Program::Improved(Technique::Calendar), [1.0, 1.0])]
        };
        let text = verdict(&runs(4.0), "The scan over all agents").unwrap();
        assert_eq!(
            text,
            "confirmed: without it, a program saves 0.0000 % of the time with 1 %, 75.0 % of the time with 100 %"
        );
        assert!(verdict(&runs(1.5), "The scan over all agents").unwrap().starts_with("not confirmed: "));
        assert!(verdict(&runs(4.0), "Buckets of agents").unwrap().starts_with("confirmed: 1.00 times"));
        assert!(verdict(&runs(0.5), "Buckets of agents").unwrap().starts_with("not confirmed: 1.00 times"));
    }

    #[test]
    fn speed_ups_over_java_are_those_of_table_2() {
        let text = verdict(&[(Program::Device(RING), [1.0, 0.1])], "The GTX 280 is up to 67").unwrap();
        // 6,699 / 108; here 60 s in 0.1 s are a factor of 600.
        assert!(text.contains("table 2 gives at most 62.0 times") && text.contains("at most 5.56 times"), "{text}");
        assert!(text.starts_with("cannot be known: "), "{text}");
    }
}
