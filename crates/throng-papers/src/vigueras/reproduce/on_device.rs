//! The programs of a device.

use throng_device::cubecl::prelude::Runtime;
use throng_device::{AnyDevice, Device, with_device};
use throng_model::Failure;

use super::{Row, Task};
use crate::vigueras::device::DeviceCrowd;
use crate::vigueras::first_step::differing;
use crate::vigueras::method::Method;

/// Measures all programs of a device.
pub(super) fn on_device(task: &Task<'_>, device: &AnyDevice) -> Result<Vec<Row>, Failure> {
    with_device!(device, |device| task.on_device(device))
}

impl Task<'_> {
    fn on_device<R: Runtime>(&self, device: &Device<R>) -> Result<Vec<Row>, Failure> {
        // The device program of the sequential rule is measured here as well, once there is one.
        Method::ALL
            .into_iter()
            .filter(|method| method.is_on_device())
            .map(|method| self.measure(device, method))
            .collect()
    }

    fn measure<R: Runtime>(&self, device: &Device<R>, method: Method) -> Result<Row, Failure> {
        let (moves, seed, repeat) = (self.options.moves, self.options.seed, self.options.repeat.max(1));
        let begin = || DeviceCrowd::new(device, self.crowd, self.moves, seed, method);
        // Also compiles what has to be compiled.
        self.compare_first_step(device, method)?;
        let mut seconds = vec![];
        let mut there = begin()?;
        for run in 0..repeat {
            if run > 0 {
                there = begin()?;
            }
            seconds.push(there.run(moves)?);
        }
        let mut row = self.row(method, seconds, there.moved()?, &there.positions()?)?;
        row.sort = there.sort_seconds(moves)?.map(|seconds| seconds * f64::from(moves));
        drop(there);
        row.with_copies = Some(begin()?.run_with_copies(moves)?);
        Ok(row)
    }

    /// Compares the first step with that of the CPU.
    fn compare_first_step<R: Runtime>(&self, device: &Device<R>, method: Method) -> Result<(), Failure> {
        match differing(device, self.crowd, self.moves, self.options.seed, method)? {
            0 => Ok(()),
            differ => {
                let name = method.name();
                let message = format!("{name} decides otherwise than on the CPU about {differ} discs: {:?}", self.case);
                Err(Failure::resource(message, "this is a defect of the program or of the device"))
            }
        }
    }
}
