//! The measurements next to the published ones, as a Markdown document.

use std::fmt::Write as _;

use throng_core::{counted, three_figures};
use throng_render::Style;

use super::program::{ExecutionTarget, Program};
use super::published::{SIZE, SPEEDS, Speed};
use super::reproduce::RayTracerMeasurements;
use crate::experiment::{Cell, Table, cells};

/// Builds the document with all tables.
pub fn table(measurements: &RayTracerMeasurements) -> String {
    let mut text = String::new();
    describe_scenes(measurements, &mut text);
    agreement(measurements, &mut text);
    times(measurements, &mut text);
    ratios(measurements, &mut text);
    text
}

/// Describes the rendered scenes, and the limits of the comparison.
fn describe_scenes(measurements: &RayTracerMeasurements, text: &mut String) {
    let (size, threads) = (measurements.options.size, counted(measurements.options.threads as u64, "thread"));
    let device = measurements.device.as_ref().map_or_else(String::new, |device| format!("; {device}"));
    let packed =
        measurements.packed_s.iter().map(|(spheres, s)| format!("{} ms for {spheres} spheres", three_figures(s * 1e3)));
    let _ = writeln!(
        text,
        "{size} x {size} pixels with one sample each, {threads}{device}. Spheres on a cubic lattice, one layer of \
         them mirrors, above a plane, as in the author's program, and one light.

The positions of the author's camera and light are unknown, so frames per second can be compared with the paper's only \
         qualitatively. The comparison of brute force and tree on the same machine, below, is more meaningful.

* paper style: light of the lamp with shadows; a mirror shows the ambient colour of the next shape and nothing else
* full style: mirrors also show the light of the lamp, and other mirrors, up to 4 bounces
* brute force: every ray is tested against every shape, as in the paper; tree: against those near it. On the CPU both test sixteen rays at a time

Packing a scene and building its tree is not part of a frame and takes {}.
",
        packed.collect::<Vec<_>>().join(", "),
    );
}

/// Agreement of the images.
fn agreement(measurements: &RayTracerMeasurements, text: &mut String) {
    let of = |on_device: bool| {
        let rows = measurements.rows.iter().filter(move |row| (row.program.1 == ExecutionTarget::Device) == on_device);
        rows.map(|row| row.figures.agreement)
    };
    let differing = |on_device| of(on_device).map(|agreement| agreement.differing).sum::<usize>();
    let bytes = |on_device| of(on_device).map(|agreement| agreement.bytes).sum::<usize>();
    let _ = writeln!(
        text,
        "Bytes that differ from the image of the tree on all threads of the CPU, compared before any timing:\n\n\
         * CPU, brute force and tree, one thread and all: {} of {} bytes differ",
        differing(false),
        bytes(false)
    );
    if let Some(greatest) = of(true).map(|agreement| agreement.greatest).max() {
        let by = if greatest > 0 { format!(", by {greatest}") } else { String::new() };
        let (differing, bytes) = (differing(true), bytes(true));
        let _ = writeln!(text, "* device, brute force and tree: {differing} of {bytes} bytes differ{by}");
    }
    text.push('\n');
}

/// Milliseconds per frame, next to the published ones.
fn times(measurements: &RayTracerMeasurements, text: &mut String) {
    let RayTracerMeasurements { options, .. } = measurements;
    let _ = writeln!(
        text,
        "Milliseconds per frame, medians of up to {} after an untimed one: until it is drawn (on a device, until its \
         kernels have ended), and until its bytes are on the host. Frames per second are those with bytes on the host.\n",
        options.frames
    );
    let published: &[Speed] = if options.size == SIZE { &SPEEDS } else { &[] };
    let mut table = Table::new(3, ["spheres", "program", "on", "drawn, ms", "on the host, ms", "frames/s", "frames"]);
    for &(spheres, _) in &measurements.packed_s {
        for speed in published.iter().filter(|speed| speed.spheres == spheres) {
            let (milliseconds, fps) = (speed.seconds.map(|seconds| seconds * 1e3), speed.frames_per_second.to_string());
            table.row(cells![spheres, "the paper", speed.processor, "", milliseconds, fps, ""]);
        }
        for row in measurements.rows.iter().filter(|row| row.case == spheres) {
            let ((program, target), whole_s) = (row.program, row.times.median());
            let what = cells![spheres, program.name(), target.name(options.threads)];
            let milliseconds = cells![row.figures.drawn.median() * 1e3, whole_s * 1e3];
            table.row([what, milliseconds, cells![1.0 / whole_s, row.times.runs()]].concat());
        }
    }
    text.push_str(&table.markdown());
    if published.is_empty() {
        let _ = writeln!(text, "The paper's pictures have {SIZE} x {SIZE} pixels; its figures are left out.\n");
    } else {
        text.push_str("The 60 frames per second of the paper may be the limit of its display.\n\n");
    }
}

/// Speed-up due to the tree.
fn ratios(measurements: &RayTracerMeasurements, text: &mut String) {
    let ran = |target: &ExecutionTarget| measurements.rows.iter().any(|row| row.program.1 == *target);
    let targets: Vec<ExecutionTarget> = ExecutionTarget::ALL.into_iter().filter(ran).collect();
    text.push_str("Time by brute force / time with the tree, until the same image is drawn on the same machine.\n\n");
    let names = targets.iter().map(|target| target.name(measurements.options.threads));
    let mut table = Table::of(2, "spheres, style").and(names);
    for &(spheres, _) in &measurements.packed_s {
        for (style, name) in [(Style::Paper, "paper"), (Style::Full, "full")] {
            let seconds = |tree, target| measurements.drawn_s(spheres, Program { style, tree }, target);
            let ratio = |target| Some(seconds(false, target)? / seconds(true, target)?);
            let ratios: Vec<Cell> = targets.iter().map(|&target| Cell::from(ratio(target))).collect();
            if ratios.iter().any(|cell| *cell != Cell::Empty) {
                table.row([cells![spheres, name], ratios].concat());
            }
        }
    }
    text.push_str(&table.markdown());
}

#[cfg(test)]
mod tests {
    use super::super::testing::measurements;
    use super::*;

    #[test]
    fn published_and_measured_speeds_are_side_by_side() {
        let tree = Program { tree: true, ..Program::PAPER };
        let rows = [
            (216, Program::PAPER, ExecutionTarget::Threads, 0.2),
            (1000, Program::PAPER, ExecutionTarget::Device, 1e-3),
            (1000, tree, ExecutionTarget::Device, 2e-4),
        ];
        let text = table(&measurements(&rows));
        for line in [
            "| 216 | the paper | AMD Radeon 7970 |  |  | 60 |  |",
            "| 216 | paper style, brute force | CPU, 4 threads | 200 | 400 | 2.50 | 3 |",
            "| 1000 | the paper | Intel Core i7-3770K |  | 1280 | 0.78 |  |",
            "| 1000 | paper style, tree | device | 0.200 | 0.400 | 2500 | 3 |",
            "| 1000 | paper |  | 5.00 |",
        ] {
            assert!(text.contains(&format!("{line}\n")), "{line}: {text}");
        }
        assert!(text.contains("compared with the paper's only qualitatively"), "{text}");
        let mut small = measurements(&rows);
        small.options.size = 100;
        let text = table(&small);
        assert!(text.contains("its figures are left out") && !text.contains("| the paper |"), "{text}");
    }
}
