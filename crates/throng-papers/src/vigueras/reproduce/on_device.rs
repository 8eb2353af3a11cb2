//! The programs of a device.

use throng_core::Philox;
use throng_device::cubecl::prelude::Runtime;
use throng_device::{AnyDevice, Device, with_device};
use throng_model::Failure;

use super::{Row, Task};
use crate::vigueras::baseline::Baseline;
use crate::vigueras::device::DeviceCrowd;
use crate::vigueras::grid::Stamps;
use crate::vigueras::method::Method;
use crate::vigueras::published::{FourSteps, Restore, Variant};

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
        self.compare_first_step(begin()?)?;
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
    fn compare_first_step<R: Runtime>(&self, mut there: DeviceCrowd<'_, R>) -> Result<(), Failure> {
        let at = [&self.crowd.at[0][..], &self.crowd.at[1]];
        let to = self.moves.wishes(Philox::new(self.options.seed), 0, at);
        let to = [&to[0][..], &to[1]];
        there.run(1)?;
        let (world, discs, method) = (self.crowd.world, at[0].len(), there.method());
        let four_steps = |restore| FourSteps::new(world, discs, Variant { restore, stamps: Stamps::PerSlot });
        let expected = match method {
            Method::NoCheck | Method::SequentialOnCpu => vec![true; discs],
            Method::Baseline | Method::OptimisedBaseline => Baseline::new(world, discs)?.accepted(at, to)?,
            Method::FourStepsAtomic => four_steps(Restore::Immediate)?.accepted(at, to)?,
            Method::FourSteps(restore) => four_steps(restore)?.accepted_in_order(at, to, &there.order_of_writers()?)?,
        };
        let differ = there.accepted()?.iter().zip(&expected).filter(|(a, b)| a != b).count();
        if differ == 0 {
            return Ok(());
        }
        let name = method.name();
        let message =
            format!("{name} decides otherwise than on the CPU about {differ} of {discs} discs: {:?}", self.case);
        Err(Failure::resource(message, "this is a defect of the program or of the device"))
    }
}
