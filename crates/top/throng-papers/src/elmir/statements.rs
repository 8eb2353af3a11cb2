//! The statements of the thesis, each with a verdict.

mod findings;
mod tables;

use super::cases::Case;
use super::program::Program;
use super::reproduce::ElmirMeasurements;
use crate::experiment::{Judgement, MeasuredOn, Statements, Verdict};
use findings::{
    above_threshold, constant_over_numbers, doubles, faster_with_small_circles, for_the_order, in_cases,
    largest_speed_up, of_other_machine, pays_off, place_of_largest, size_matters_most, small_for_few_circles,
    transfers_may_decide, without_transfers,
};

/// A program, and one that is compared with it.
type Pair = [Program; 2];

/// The radii that the thesis calls small, medium and large.
const SMALL: f32 = 4.0;
const MEDIUM: f32 = 8.0;
const LARGE: f32 = 15.0;
/// The case of the thesis with the maximum resolution, number and radius.
const LARGEST: Case = Case { radius: LARGE, resolution: 2048, count: 2048 };
/// Maximum speed-up according to the thesis.
const GREATEST: f64 = 19.3;

const COPY_TO_SHARED: Pair = [Program::CpuCopy, Program::GpuShared];
const COPY_TO_NAIVE: Pair = [Program::CpuCopy, Program::GpuNaive];
const COPY_TO_COALESCED: Pair = [Program::CpuCopy, Program::GpuCoalesced];

/// The statements of the thesis, each with its verdict.
pub(crate) fn statements(measurements: &ElmirMeasurements, on: MeasuredOn) -> Statements {
    let mut all = Statements::on(on);
    of_speed_up(measurements, &mut all);
    of_small_circles(measurements, &mut all);
    of_other_circles(measurements, &mut all);
    of_optimisations(measurements, &mut all);
    without_figures(&mut all);
    all
}

fn of_speed_up(measurements: &ElmirMeasurements, all: &mut Statements) {
    all.push(
        "abstract",
        "An optimised GPU program gives up to 18.5 times the speed of the CPU.",
        [Verdict::Undecided.with_evidence(
            "other processors; chapter 6 gives 18.1 to 19.3 times; 18.5 is the lower end of the three-sigma range from \
             table A.1",
        )],
    );
    all.push_of_gpu(
        "chapter 6, section 6.1",
        "The GPU program with shared memory is at most 18.1 to 19.3 times as fast as the memory copy on the CPU.",
        largest_speed_up(measurements),
    );
    all.push(
        "chapter 6, section 6.1",
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
        "The speed-up more than doubles from each radius to the next: 4, 8, 15 (read as: in each of the 80 pairs of \
         resolution and number).",
        doubles(measurements),
    );
    all.push_of_gpu(
        "chapter 6",
        "The size of the circles matters more for the speed-up than the resolution or their number.",
        size_matters_most(measurements),
    );
    all.push_of_gpu(
        "section 5.5",
        "The speed-up is relatively constant over the number of circles (read as a factor below 1.5 in the median).",
        constant_over_numbers(measurements),
    );
    all.push_of_gpu(
        "section 5.5",
        "With 256 x 256 cells and radius 8 or 15 the speed-up is small for few circles, and increases and stabilises \
         beyond 128.",
        small_for_few_circles(measurements),
    );
}

/// Small circles in sections 5.3.1, 5.4.1 and 5.5 and in chapter 6.
fn of_small_circles(measurements: &ElmirMeasurements, all: &mut Statements) {
    let few = |case: &Case| case.radius == SMALL && case.resolution == 256 && [64, 128].contains(&case.count);
    all.push_of_gpu(
        "section 5.5",
        "With 256 x 256 cells and 64 or 128 small circles there is no speed-up.",
        without_transfers(in_cases(measurements, &[COPY_TO_SHARED], ..1.0, few)),
    );
    all.push_of_gpu(
        "chapter 6",
        "With 256 x 256 cells and 128 small circles, the copy is faster than the GPU program with shared memory.",
        without_transfers(in_cases(measurements, &[COPY_TO_SHARED], ..1.0, |case| {
            case.radius == SMALL && case.resolution == 256 && case.count == 128
        })),
    );
    all.push_of_gpu(
        "section 5.3.1",
        "With 64 small circles the program with shared memory is slightly faster than the copy above 1792 x 1792 \
         cells (judged: faster).",
        for_the_order(above_threshold(
            measurements,
            COPY_TO_SHARED,
            |case| case.radius == SMALL && case.count == 64 && case.resolution > 1792,
            |case| case.radius == SMALL && case.count == 64 && case.resolution <= 1792,
        )),
    );
    all.push_of_gpu(
        "section 5.3.1",
        "With 1024 and 2048 small circles it is slightly faster than the copy above 1024 x 1024 cells (judged: faster).",
        for_the_order(above_threshold(
            measurements,
            COPY_TO_SHARED,
            |case| case.radius == SMALL && [1024, 2048].contains(&case.count) && case.resolution > 1024,
            |case| case.radius == SMALL && [1024, 2048].contains(&case.count) && case.resolution <= 1024,
        )),
    );
    all.push(
        "section 5.4.1",
        "With small circles it becomes faster than the copy beyond 768 (256 x 256 cells) and 512 circles (1024 x 1024 \
         and 2048 x 2048).",
        [tables::becomes_faster_beyond(SMALL, Program::GpuShared, &[(256, 768), (1024, 512), (2048, 512)])],
    );
    all.push_of_gpu(
        "section 5.3.1",
        "With 1024 and 2048 small circles the copy is faster than the naive and the coalesced GPU program.",
        without_transfers(in_cases(measurements, &[COPY_TO_NAIVE, COPY_TO_COALESCED], ..1.0, |case| {
            case.radius == SMALL && [1024, 2048].contains(&case.count)
        })),
    );
    all.push_of_gpu(
        "section 5.4.1, chapter 6",
        "With small circles the copy is faster than the naive and the coalesced GPU program.",
        without_transfers(in_cases(measurements, &[COPY_TO_NAIVE, COPY_TO_COALESCED], ..1.0, |case| {
            case.radius == SMALL
        })),
    );
    all.push_of_gpu(
        "chapter 6",
        "The program with shared memory is slightly faster than the copy with small circles.",
        faster_with_small_circles(measurements),
    );
}

/// Sections 5.3.2, 5.3.3, 5.4.2 and 5.4.3.
fn of_other_circles(measurements: &ElmirMeasurements, all: &mut Statements) {
    let gpu = [COPY_TO_NAIVE, COPY_TO_COALESCED, COPY_TO_SHARED];
    let to_shared = [Program::CpuCopy, Program::GpuNaive, Program::GpuCoalesced].map(|slow| [slow, Program::GpuShared]);
    all.push_of_gpu(
        "sections 5.3.2 and 5.4.2",
        "With circles of radius 8 the copy is slower than all GPU programs.",
        transfers_may_decide(in_cases(measurements, &gpu, 1.0.., |case| case.radius == MEDIUM)),
    );
    all.push_of_gpu(
        "sections 5.3.2 and 5.4.2",
        "With circles of radius 8 the program with shared memory is the fastest.",
        in_cases(measurements, &to_shared, 1.0.., |case| case.radius == MEDIUM),
    );
    all.push_of_gpu(
        "section 5.4.2",
        "With 256 x 256 cells and more than 256 circles of radius 8, the naive GPU program is faster than the copy.",
        above_threshold(
            measurements,
            COPY_TO_NAIVE,
            |case| case.radius == MEDIUM && case.resolution == 256 && case.count > 256,
            |case| case.radius == MEDIUM && case.resolution == 256 && case.count <= 256,
        ),
    );
    all.push_of_gpu(
        "sections 5.3.3 and 5.4.3",
        "With circles of radius 15 the copy is slower than all GPU programs.",
        transfers_may_decide(in_cases(measurements, &gpu, 1.0.., |case| case.radius == LARGE)),
    );
}

/// Section 4.2.
fn of_optimisations(measurements: &ElmirMeasurements, all: &mut Statements) {
    let text = |what| format!("{what} (read as: faster in each case with a million cells and more).");
    all.push_of_gpu(
        "section 4.2.2",
        text("Reading a circle in one access pays off"),
        pays_off(measurements, Program::GpuNaive, Program::GpuCoalesced),
    );
    let shared = pays_off(measurements, Program::GpuCoalesced, Program::GpuShared)
        .map(|found| Judgement { evidence: found.evidence + "; with fewer barriers than in algorithm 4", ..found });
    all.push_of_gpu("section 4.2.3", text("Shared memory pays off as well"), shared);
}

/// Statements of chapter 6 without figures.
fn without_figures(all: &mut Statements) {
    for (source, text, found) in [
        (
            "chapter 6",
            "The GPU programs are fairly simple to implement, and new types of entities are easy to add.",
            "no measure is given",
        ),
        (
            "section 6.2",
            "With several small fields the overhead of sending data may make the GPU program slower than the CPU.",
            "separate launches with transfers for each field are not measured",
        ),
    ] {
        all.push(source, text, [Verdict::Undecided.with_evidence(found)]);
    }
}

impl Case {
    /// Text for sentences.
    pub(super) fn text(self) -> String {
        let Self { radius, resolution, count } = self;
        format!("with {count} circles of radius {radius} and {resolution}² cells")
    }
}

#[cfg(test)]
mod tests;
