//! Measurements for tests.

use super::agreement::Agreement;
use super::program::{ExecutionTarget, Program};
use super::reproduce::{Options, RayTracerMeasurements, RenderMeasurement};
use crate::experiment::{MIN_RUNS, Row, Rows, Times};

/// Options with small images of few spheres.
pub fn small() -> Options {
    Options { edges: vec![2, 3], size: 20, frames: 2, longest_s: 60.0, threads: 2 }
}

/// Measurements with these rows: spheres, program, target, and seconds until a frame is rendered. The time until its
/// bytes are on the host is twice as long.
pub fn measurements(rows: &[(u32, Program, ExecutionTarget, f64)]) -> RayTracerMeasurements {
    let row = |&(case, program, target, seconds): &(u32, Program, ExecutionTarget, f64)| Row {
        case,
        program: (program, target),
        times: Times::of(vec![2.0 * seconds; MIN_RUNS]),
        figures: RenderMeasurement { drawn: Times::of(vec![seconds; MIN_RUNS]), agreement: Agreement::default() },
    };
    RayTracerMeasurements {
        options: Options { threads: 4, ..Options::default() },
        device: None,
        packed_s: vec![(216, 1e-4), (1000, 2e-3)],
        rows: Rows(rows.iter().map(row).collect()),
        pictures: Vec::new(),
    }
}
