//! What the thesis left for later, measured on a device: many small fields, large ones, influence maps, travel times.

#[cfg(feature = "gpu")]
mod on_device;

use std::fmt::Write as _;

use throng_core::{Progress, three_figures};
use throng_device::Device;
use throng_device::GpuError;

#[cfg(feature = "gpu")]
use on_device::measure;

/// A measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// What was done.
    pub what: String,
    /// The median of the runs, seconds.
    pub median_s: f64,
    /// The fastest and the slowest run, seconds.
    pub spread_s: (f64, f64),
    /// Cells that circles cover, each counted for every circle; 0 where there are none.
    pub covered: f64,
}

/// Sizes of what is measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beyond {
    /// Cells along a side of the field that everything is compared with.
    pub resolution: u32,
    /// Circles, in the field and for the windows.
    pub count: u32,
    /// Windows of 64 x 64 cells.
    pub windows: u32,
    /// Cells along a side of large fields, and circles of eight cells radius in each.
    pub large: Vec<(u32, u32)>,
    /// Runs of each measurement; the result is the median.
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
    pub fn measure(&self, device: &Device, progress: &dyn Progress) -> Result<Vec<Measured>, GpuError> {
        progress.begin("beyond the thesis", None, "measurements");
        let measured = measure(self, device, progress);
        progress.end();
        measured
    }
}

/// Measures nothing: this build has no kernels.
#[cfg(not(feature = "gpu"))]
fn measure(_beyond: &Beyond, device: &Device, _progress: &dyn Progress) -> Result<Vec<Measured>, GpuError> {
    Err(device.no_kernels("throng-papers").into())
}

/// The measurements as text.
pub fn beyond_table(all: &[Measured]) -> String {
    let mut text = String::from("beyond the thesis, on the device; median (fastest to slowest)\n");
    for Measured { what, median_s, spread_s, covered } in all {
        let millis = |seconds: f64| three_figures(seconds * 1e3);
        let _ =
            write!(text, "  {what}\n    {} ms ({} to {})", millis(*median_s), millis(spread_s.0), millis(spread_s.1));
        if *covered > 0.0 {
            let _ = write!(text, "; {} ps for each covered cell", three_figures(median_s * 1e12 / covered));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_what_was_measured() {
        let field = Measured { what: "a field".into(), median_s: 2e-5, spread_s: (1e-5, 3e-5), covered: 1e6 };
        let sweep = Measured { what: "a sweep".into(), covered: 0.0, ..field.clone() };
        let text = beyond_table(&[field, sweep]);
        assert!(text.contains("a field\n    0.0200 ms (0.0100 to 0.0300); 20.0 ps for each covered cell\n"), "{text}");
        assert!(text.ends_with("a sweep\n    0.0200 ms (0.0100 to 0.0300)\n"), "{text}");
    }
}
