//! The programs of a device.
use throng_device::Device;

use super::{ElmirError, LONG_S, Row, Task};
use crate::elmir::device::DeviceCircles;
use crate::elmir::program::Program;

/// Measures all programs of a device.
pub(super) fn on_device(task: &Task<'_>, device: &Device) -> Result<Vec<Row>, ElmirError> {
    task.on_device(device)
}

impl Task<'_> {
    fn on_device(&self, device: &Device) -> Result<Vec<Row>, ElmirError> {
        let there = DeviceCircles::new(device, self.circles)?;
        let mut rows = Vec::new();
        for program in Program::ALL.into_iter().filter(|program| program.is_on_device()) {
            // Also compiles what has to be compiled.
            self.check(program, &there.create(program)?)?;
            let first = there.time(program)?;
            let mut seconds = vec![first];
            while seconds.len() < self.options.repeat && first < LONG_S {
                seconds.push(there.time(program)?);
            }
            rows.push(self.row(program, seconds));
        }
        Ok(rows)
    }
}
