//! What the thesis left for later, measured on a device: many small fields, large ones, influence maps, travel times.

use std::fmt::Write as _;
use std::time::Instant;

use throng_core::{Progress, three_figures};
use throng_device::cubecl::prelude::Runtime;
use throng_device::{AnyDevice, Device, with_device};

use super::cases::Case;
use super::circles::WORLD;
use throng_fields::Grid;
use throng_fields::gpu::{self, DeviceEntities, DeviceField, DeviceInfluenceMap, GpuError, Windows};
use throng_fields::influence::{InfluenceMap, Propagation};

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

/// Fields, or sets of windows, that are made one after the other.
const IN_A_ROW: u32 = 16;

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
    /// Runs of each; the median counts.
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
    pub fn measure(&self, device: &AnyDevice, progress: &dyn Progress) -> Result<Vec<Measured>, GpuError> {
        progress.begin("beyond the thesis", None, "measurements");
        let measured = with_device!(device, |device| self.measure_on(device, progress));
        progress.end();
        measured
    }

    fn measure_on<R: Runtime>(&self, device: &Device<R>, progress: &dyn Progress) -> Result<Vec<Measured>, GpuError> {
        let mut all = Vec::new();
        self.field_and_windows(device, &mut all)?;
        progress.at(3, "influence");
        self.influence(device, &mut all)?;
        progress.at(4, "travel times");
        self.travel_times(device, &mut all)?;
        for (i, &(resolution, count)) in self.large.iter().enumerate() {
            progress.at(5 + i as u64, &format!("{resolution}² cells, {count} circles"));
            self.large(device, resolution, count, &mut all)?;
        }
        Ok(all)
    }

    /// One field, as many cells in windows, and the same field in fixed point.
    fn field_and_windows<R: Runtime>(&self, device: &Device<R>, all: &mut Vec<Measured>) -> Result<(), GpuError> {
        let case = Case { radius: 8.0, resolution: self.resolution, count: self.count };
        let circles = case.circles(1)?;
        let entities = circles.entities()?;
        let grid = circles.grid();
        let field = DeviceField::new(device, grid)?;
        for (fixed_point, name) in
            [(None, "floating point"), (Some(throng_fields::creation::FixedPoint::default()), "fixed point")]
        {
            let there = DeviceEntities::new(device, grid, &entities, fixed_point)?;
            let what = format!("a field of {0} x {0}, {1} circles of radius 8, {name}", self.resolution, self.count);
            all.push(self.median(device, what, case.covered(), IN_A_ROW, || field.create(device, &there))?);
        }
        let there = DeviceEntities::in_world(device, &entities)?;
        let side = 64.0 * grid.cell();
        let window = |i: u32| {
            let at = |k: u32| (i * k % 1009) as f32 / 1009.0 * (WORLD - side);
            Grid::new([at(367), at(593)], grid.cell(), 64, 64)
        };
        let windows = (0..self.windows).map(window).collect::<Result<Vec<_>, _>>()?;
        let windows = Windows::new(device, &windows)?;
        let what = format!("{} windows of 64 x 64, the best cell of each read back", self.windows);
        let best = || windows.best(device, &there, 1).map(drop);
        all.push(self.median(device, what, 0.0, 1, best)?);
        let what = format!("{} windows of 64 x 64, the best cell of each left on the device", self.windows);
        let find = || windows.find(device, &there, 1).map(drop);
        all.push(self.median(device, what, 0.0, IN_A_ROW, find)?);
        Ok(())
    }

    fn influence<R: Runtime>(&self, device: &Device<R>, all: &mut Vec<Measured>) -> Result<(), GpuError> {
        let grid = Grid::new([0.0, 0.0], 1.0, self.resolution, self.resolution)?;
        let mut map = InfluenceMap::new(grid, Propagation { decay: 0.02, momentum: 0.2 }, None)?;
        for i in 0..100u32 {
            map.set_source(i * 367 % self.resolution, i * 593 % self.resolution, 1.0 + i as f32)?;
        }
        let mut there = DeviceInfluenceMap::new(device, &map)?;
        let what = format!("a sweep of influence over {0} x {0}", self.resolution);
        all.push(self.median(device, what, 0.0, 100, || there.tick(device, 1))?);
        Ok(())
    }

    fn travel_times<R: Runtime>(&self, device: &Device<R>, all: &mut Vec<Measured>) -> Result<(), GpuError> {
        let grid = Grid::new([0.0, 0.0], 1.0, self.resolution, self.resolution)?;
        let wall = |cell: usize| {
            let (column, row) = (cell as u32 % self.resolution, cell as u32 / self.resolution);
            column % 128 == 64 && row % 256 > 20
        };
        let costs: Vec<f32> = (0..grid.cells()).map(|cell| if wall(cell) { f32::INFINITY } else { 1.0 }).collect();
        let what =
            format!("travel times over {0} x {0} with walls, costs copied there and times back", self.resolution);
        let times = || gpu::travel_times(device, &grid, &costs, &[(3, 3)]).map(drop);
        all.push(self.median(device, what, 0.0, 1, times)?);
        Ok(())
    }

    fn large<R: Runtime>(
        &self,
        device: &Device<R>,
        resolution: u32,
        count: u32,
        all: &mut Vec<Measured>,
    ) -> Result<(), GpuError> {
        let case = Case { radius: 8.0 * WORLD / resolution as f32, resolution, count };
        let circles = case.circles(1)?;
        let there = DeviceEntities::new(device, circles.grid(), &circles.entities()?, None)?;
        let field = DeviceField::new(device, circles.grid())?;
        let what = format!("a field of {resolution} x {resolution}, {count} circles of eight cells radius");
        all.push(self.median(device, what, case.covered(), 4, || field.create(device, &there))?);
        Ok(())
    }

    /// The median time of something that is done `batch` times in a row.
    fn median<R: Runtime>(
        &self,
        device: &Device<R>,
        what: String,
        covered: f64,
        batch: u32,
        mut once: impl FnMut() -> Result<(), GpuError>,
    ) -> Result<Measured, GpuError> {
        // Compiles what has to be compiled.
        once()?;
        let mut seconds = Vec::new();
        for _ in 0..self.repeat.max(1) {
            device.synchronize("timing")?;
            let since = Instant::now();
            for _ in 0..batch {
                once()?;
            }
            device.synchronize("timing")?;
            seconds.push(since.elapsed().as_secs_f64() / f64::from(batch));
        }
        seconds.sort_unstable_by(f64::total_cmp);
        let spread_s = (seconds[0], seconds[seconds.len() - 1]);
        Ok(Measured { what, median_s: seconds[seconds.len() / 2], spread_s, covered })
    }
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
