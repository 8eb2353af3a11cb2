//! The same programs on a device.

use throng_core::Progress;
use throng_device::Device;

use super::{DAY_S, Task, WARM_UP};
use crate::strippgen::error::StrippgenError;
use crate::strippgen::gpu::DeviceRuns;
use crate::strippgen::row::{Machine, Repeat, Row, timed};
use crate::strippgen::state::State;
use crate::strippgen::variant::Variant;

/// Measures all variants on a device.
pub(super) fn on_device(task: &Task<'_>, device: &Device, progress: &dyn Progress) -> Result<Vec<Row>, StrippgenError> {
    task.on_device(device, progress)
}

impl Task<'_> {
    fn on_device(&self, device: &Device, progress: &dyn Progress) -> Result<Vec<Row>, StrippgenError> {
        let runs = DeviceRuns::new(device, &self.model)?;
        let run = |state: &State, variant, steps| {
            let run = runs.run(state, variant, steps)?;
            Ok::<_, StrippgenError>((run.state, run.wall.as_secs_f64()))
        };
        let repeat = Repeat::Always(self.options.repeat);
        let mut rows = Vec::new();
        for variant in Variant::ALL {
            progress.at(rows.len() as u64, &variant.to_string());
            run(&self.begin, variant, WARM_UP)?;
            let timed = timed(repeat, || run(&self.begin, variant, self.options.steps))?;
            rows.push(self.row(Machine::Device, variant, variant.to_string(), &timed)?);
        }
        if self.options.whole_day {
            progress.at(rows.len() as u64, "the whole day");
            let midnight = State::at_home(&self.model.roads, &self.model.plans, 0);
            let timed = timed(repeat, || run(&midnight, Variant::RING_NODES, DAY_S))?;
            let variant = Variant::RING_NODES;
            rows.push(self.row(Machine::DeviceAllDay, variant, variant.to_string(), &timed)?);
        }
        Ok(rows)
    }
}
