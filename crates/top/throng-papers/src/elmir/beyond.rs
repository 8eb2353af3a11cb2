//! Measurements of the thesis's future work on a device: many small fields, large fields, influence maps and travel
//! times.

#[cfg(feature = "gpu")]
mod on_device;

use std::fmt::Write as _;

use throng_core::{Progress, three_figures};
use throng_device::{Device, with_kernels};
use throng_model::Failure;

use crate::experiment::{Table, Times, cells};

/// A measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Description of the measured operation.
    pub label: String,
    /// Run times.
    pub times: Times,
    /// Number of cells covered by circles, with a cell counted once per circle; 0 if they are not counted.
    pub covered: f64,
}

/// Sizes of the measured fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beyond {
    /// Side length in cells of the field that serves as the reference.
    pub resolution: u32,
    /// Number of circles, in the field and for the windows.
    pub count: u32,
    /// Number of windows of 64 x 64 cells.
    pub windows: u32,
    /// Side length in cells of each large field, and its number of circles with a radius of eight cells.
    pub large: Vec<(u32, u32)>,
    /// Number of runs of each measurement; the result is the median.
    pub repeat: usize,
}

impl Default for Beyond {
    /// 2,048 x 2,048 cells, 1,000 windows, and fields up to 16,384 x 16,384 cells with a million circles.
    fn default() -> Self {
        let large = [(1024, 3_906), (2048, 15_625), (4096, 62_500), (8192, 250_000), (16_384, 1_000_000)];
        Self { resolution: 2048, count: 2048, windows: 1000, large: large.into(), repeat: 10 }
    }
}

impl Beyond {
    /// Measures everything on a device.
    ///
    /// # Errors
    /// When the device fails or has too little memory.
    pub fn measure(&self, device: &Device, progress: &dyn Progress) -> Result<Vec<Measured>, Failure> {
        progress.begin("beyond the thesis", None, "measurements");
        let measured = with_kernels!("throng-papers", device, |device| self.measure_on(device, progress));
        progress.end();
        measured
    }
}

/// The measurements as CSV, one row each, with 0 covered cells where they are not counted.
pub fn beyond_csv(all: &[Measured]) -> Vec<u8> {
    let mut table = Table::of(0, "measured, median_ms, fastest_ms, slowest_ms, covered_cells");
    for Measured { label, times, covered } in all {
        let [median, fastest, slowest] =
            [times.median(), times.fastest(), times.slowest()].map(|seconds| seconds * 1e3);
        table.row(cells![&**label, median, fastest, slowest, covered.round() as u64]);
    }
    table.csv()
}

/// The measurements as text.
pub fn beyond_table(all: &[Measured]) -> String {
    let mut text = String::from("beyond the thesis, on the device; median (fastest to slowest)\n");
    for Measured { label, times, covered } in all {
        let [median, fastest, slowest] =
            [times.median(), times.fastest(), times.slowest()].map(|seconds| three_figures(seconds * 1e3));
        let _ = write!(text, "  {label}\n    {median} ms ({fastest} to {slowest})");
        if *covered > 0.0 {
            let _ = write!(text, "; {} ps for each covered cell", three_figures(times.median() * 1e12 / covered));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_measurement_has_a_row() {
        let field = Measured { label: "a field".into(), times: Times::of(vec![1e-5, 2e-5, 4e-5]), covered: 1e6 };
        let sweep = Measured { label: "a sweep".into(), covered: 0.0, ..field.clone() };
        let text = beyond_table(&[field.clone(), sweep.clone()]);
        assert!(text.contains("a field\n    0.0200 ms (0.0100 to 0.0400); 20.0 ps for each covered cell\n"), "{text}");
        assert!(text.ends_with("a sweep\n    0.0200 ms (0.0100 to 0.0400)\n"), "{text}");
        let text = String::from_utf8(beyond_csv(&[field, sweep])).unwrap();
        let expected = [
            "measured;median_ms;fastest_ms;slowest_ms;covered_cells",
            "a field;0.02;0.01;0.04;1000000",
            "a sweep;0.02;0.01;0.04;0",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }
}
