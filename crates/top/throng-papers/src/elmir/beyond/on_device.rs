//! Runs the measurements on a device.

use throng_core::Progress;
use throng_device::Device;
use throng_fields::Grid;
use throng_fields::gpu::{self, DeviceEntities, DeviceField, DeviceInfluenceMap, Windows};
use throng_fields::influence::{InfluenceMap, Propagation};
use throng_model::Failure;

use super::{Beyond, Measured};
use crate::elmir::cases::Case;
use crate::elmir::circles::WORLD;
use crate::experiment::{never_enough, repeated, steps_on};

/// Number of fields, or sets of windows, that are computed back to back.
const IN_A_ROW: u32 = 16;

impl Beyond {
    pub(super) fn measure_on(&self, device: &Device, progress: &dyn Progress) -> Result<Vec<Measured>, Failure> {
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

    /// Measures one field in floating point and in fixed point, and about as many cells in windows.
    fn field_and_windows(&self, device: &Device, all: &mut Vec<Measured>) -> Result<(), Failure> {
        let case = Case { radius: 8.0, resolution: self.resolution, count: self.count };
        let circles = case.circles(1)?;
        let entities = circles.entities()?;
        let grid = circles.grid();
        let field = DeviceField::new(device, grid)?;
        for (fixed_point, name) in
            [(None, "floating point"), (Some(throng_fields::creation::FixedPoint::default()), "fixed point")]
        {
            let device_copy = DeviceEntities::new(device, grid, &entities, fixed_point)?;
            let label = format!("a field of {0} x {0}, {1} circles of radius 8, {name}", self.resolution, self.count);
            all.push(self.timed(device, label, case.covered(), IN_A_ROW, || field.create(device, &device_copy))?);
        }
        let device_copy = DeviceEntities::in_world(device, &entities)?;
        let side = 64.0 * grid.cell();
        let window = |i: u32| {
            let at = |k: u32| (i * k % 1009) as f32 / 1009.0 * (WORLD - side);
            Grid::new([at(367), at(593)], grid.cell(), 64, 64)
        };
        let windows = (0..self.windows).map(window).collect::<Result<Vec<_>, _>>()?;
        let windows = Windows::new(device, &windows)?;
        let label = format!("{} windows of 64 x 64, the best cell of each read back", self.windows);
        let best = || windows.best(device, &device_copy, 1).map(drop);
        all.push(self.timed(device, label, 0.0, 1, best)?);
        let label = format!("{} windows of 64 x 64, the best cell of each left on the device", self.windows);
        let find = || windows.find(device, &device_copy, 1).map(drop);
        all.push(self.timed(device, label, 0.0, IN_A_ROW, find)?);
        Ok(())
    }

    fn influence(&self, device: &Device, all: &mut Vec<Measured>) -> Result<(), Failure> {
        let grid = Grid::new([0.0, 0.0], 1.0, self.resolution, self.resolution)?;
        let mut map = InfluenceMap::new(grid, Propagation { decay: 0.02, momentum: 0.2 }, None)?;
        for i in 0..100u32 {
            map.set_source(i * 367 % self.resolution, i * 593 % self.resolution, 1.0 + i as f32)?;
        }
        let mut device_copy = DeviceInfluenceMap::new(device, &map)?;
        let label = format!("a sweep of influence over {0} x {0}", self.resolution);
        all.push(self.timed(device, label, 0.0, 100, || device_copy.sweep(device, 1))?);
        Ok(())
    }

    fn travel_times(&self, device: &Device, all: &mut Vec<Measured>) -> Result<(), Failure> {
        let grid = Grid::new([0.0, 0.0], 1.0, self.resolution, self.resolution)?;
        let wall = |cell: usize| {
            let (column, row) = (cell as u32 % self.resolution, cell as u32 / self.resolution);
            column % 128 == 64 && row % 256 > 20
        };
        let costs: Vec<f32> = (0..grid.cells()).map(|cell| if wall(cell) { f32::INFINITY } else { 1.0 }).collect();
        let label =
            format!("travel times over {0} x {0} with walls, including transfers of costs and times", self.resolution);
        let times = || gpu::travel_times(device, &grid, &costs, &[(3, 3)]).map(drop);
        all.push(self.timed(device, label, 0.0, 1, times)?);
        Ok(())
    }

    fn large(&self, device: &Device, resolution: u32, count: u32, all: &mut Vec<Measured>) -> Result<(), Failure> {
        let case = Case { radius: 8.0 * WORLD / resolution as f32, resolution, count };
        let circles = case.circles(1)?;
        let device_copy = DeviceEntities::new(device, circles.grid(), &circles.entities()?, None)?;
        let field = DeviceField::new(device, circles.grid())?;
        let label = format!("a field of {resolution} x {resolution}, {count} circles with a radius of eight cells");
        all.push(self.timed(device, label, case.covered(), 4, || field.create(device, &device_copy))?);
        Ok(())
    }

    /// Times an operation that is repeated `batch` times in a row.
    fn timed<E: Into<Failure>>(
        &self,
        device: &Device,
        label: String,
        covered: f64,
        batch: u32,
        mut once: impl FnMut() -> Result<(), E>,
    ) -> Result<Measured, Failure> {
        // The first call compiles the kernels.
        once().map_err(Into::into)?;
        let times = repeated(self.repeat, never_enough, || {
            let seconds = steps_on(device, batch, u32::MAX, |_| once().map_err(Into::<Failure>::into))?;
            Ok::<_, Failure>(seconds / f64::from(batch))
        })?;
        Ok(Measured { label, times, covered })
    }
}
