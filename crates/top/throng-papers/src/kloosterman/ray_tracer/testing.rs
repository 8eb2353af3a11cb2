//! Measurements for tests.

use super::agreement::Agreement;
use super::program::{Place, Program};
use super::reproduce::{Measurements, Options, Row};

/// Small pictures of few spheres.
pub fn small() -> Options {
    Options { edges: vec![2, 3], size: 20, frames: 2, longest_s: 60.0, threads: 2 }
}

/// Measurements with these rows: spheres, program, place, and seconds until a frame is drawn. With its bytes it takes twice as
/// long.
pub fn measurements(rows: &[(u32, Program, Place, f64)]) -> Measurements {
    let row = |&(spheres, program, place, seconds): &(u32, Program, Place, f64)| Row {
        spheres,
        program,
        place,
        drawn_s: vec![seconds],
        whole_s: vec![2.0 * seconds],
        agreement: Agreement::default(),
    };
    Measurements {
        options: Options { threads: 4, ..Options::default() },
        device: None,
        packed_s: vec![(216, 1e-4), (1000, 2e-3)],
        rows: rows.iter().map(row).collect(),
        pictures: Vec::new(),
    }
}
