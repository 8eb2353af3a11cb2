//! The programs of a device.
use throng_device::Device;
use throng_model::Failure;

use super::{Row, Task};
use crate::vigueras::device::DeviceCrowd;
use crate::vigueras::first_step::differing;
use crate::vigueras::method::Method;
use crate::vigueras::sequential::DeviceSequential;

/// Measures all programs of a device.
pub(super) fn on_device(task: &Task<'_>, device: &Device) -> Result<Vec<Row>, Failure> {
    task.on_device(device)
}

impl Task<'_> {
    fn on_device(&self, device: &Device) -> Result<Vec<Row>, Failure> {
        self.options
            .methods()
            .into_iter()
            .filter(|method| method.is_on_device())
            .map(|method| match method {
                Method::SequentialOnDevice => self.measure_sequential(device),
                _ => self.measure(device, method),
            })
            .collect()
    }

    fn measure_sequential(&self, device: &Device) -> Result<Row, Failure> {
        let (moves, repeat) = (self.options.moves, self.options.repeat.max(1));
        let begin = || DeviceSequential::new(device, self.crowd, self.moves, self.options.seed);
        // Compiles what has to be compiled.
        let mut there = begin()?;
        there.run(1)?;
        let mut seconds = vec![];
        for _ in 0..repeat {
            there = begin()?;
            seconds.push(there.run(moves)?);
        }
        let mut row = self.row(Method::SequentialOnDevice, seconds, there.moved()?, &there.positions()?)?;
        drop(there);
        row.with_copies = Some(begin()?.run_with_copies(moves)?);
        Ok(row)
    }

    fn measure(&self, device: &Device, method: Method) -> Result<Row, Failure> {
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
    fn compare_first_step(&self, device: &Device, method: Method) -> Result<(), Failure> {
        match differing(device, self.crowd, self.moves, self.options.seed, method)? {
            0 => Ok(()),
            differ => {
                let name = method.name();
                let message = format!("{name} decides differently from the CPU about {differ} discs: {:?}", self.case);
                Err(Failure::resource(message, "this is a defect of the program or of the device"))
            }
        }
    }
}
