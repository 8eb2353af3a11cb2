//! The sequential rule of `throng_collision` on a device, in the paper's experiment.

use std::time::Instant;

use std::sync::Arc;

use throng_device::{Buffer, Device, DeviceError, Error, Executor, KernelParameter};
use throng_model::Failure;

use super::crowd::{Crowd, Moves};
use super::device::FLUSH_EVERY;
use super::kernels::crowd::{Draws, PointsBuffers, count_moves, wish_columns};
use crate::experiment::steps_on;

/// A crowd on a device that moves under the sequential rule.
#[derive(Debug)]
pub(super) struct DeviceSequential<'d> {
    device: &'d Device,
    discs: usize,
    check: throng_collision::Crowd,
    moves: Moves,
    seed: u64,
    steps: u32,
    to: [Buffer<i32>; 2],
    moved: Buffer<u32>,
}

impl<'d> DeviceSequential<'d> {
    pub(super) fn new(device: &'d Arc<Device>, crowd: &Crowd, moves: Moves, seed: u64) -> Result<Self, Failure> {
        let discs = crowd.at[0].len();
        let (scene, options) = crowd.sequential_setup(&moves, seed);
        let on = Executor::from(device);
        let check = throng_collision::Crowd::in_units(scene, crowd.at.clone(), Vec::new(), options, on)?;
        let to = [device.empty("wishes", discs)?, device.empty("wishes", discs)?];
        let moved = device.upload("moves", &vec![0; discs])?;
        Ok(Self { device, discs, check, moves, seed, steps: 0, to, moved })
    }

    /// Like [`DeviceCrowd::run`](super::DeviceCrowd::run).
    pub(super) fn run(&mut self, steps: u32) -> Result<f64, Failure> {
        steps_on(self.device, steps, FLUSH_EVERY, |_| {
            self.draw_wishes()?;
            self.step()
        })
    }

    /// Like [`DeviceCrowd::run_with_copies`](super::DeviceCrowd::run_with_copies).
    pub(super) fn run_with_copies(&mut self, steps: u32) -> Result<f64, Failure> {
        let (at, moves, seed, first) = (self.positions()?, self.moves, self.seed, self.steps);
        moves.run_with_host_draws(at, seed, first..first + steps, |[xs, ys]| {
            let since = Instant::now();
            self.to = [self.device.upload("wishes", xs)?, self.device.upload("wishes", ys)?];
            self.step()?;
            let granted = self.check.granted()?;
            Ok((since.elapsed().as_secs_f64(), granted.into_owned()))
        })
    }

    pub(super) fn positions(&self) -> Result<[Vec<i32>; 2], Error> {
        Ok(self.check.positions()?.into_owned())
    }

    pub(super) fn moved(&self) -> Result<u64, DeviceError> {
        Ok(self.device.read(&self.moved)?.into_iter().take(self.discs).map(u64::from).sum())
    }

    /// Positions and flags in device memory.
    fn columns(&self) -> ([&Buffer<i32>; 2], &Buffer<u32>) {
        self.check.on_device().unwrap_or_else(|| unreachable!("the crowd is on the device"))
    }

    fn draw_wishes(&self) -> Result<(), DeviceError> {
        let (seed_low, seed_high) = (self.seed as u32, (self.seed >> 32) as u32);
        let draws = Draws { discs: self.discs as u32, seed_low, seed_high, step: self.steps };
        let ([xs, ys], [to_xs, to_ys]) = (self.columns().0, &self.to);
        let (at, to) = (PointsBuffers { xs, ys }, PointsBuffers { xs: to_xs, ys: to_ys });
        self.device.launch("vigueras: wish", self.discs, |client, cubes, dim| {
            wish_columns::launch(client, cubes, dim, at.arg(), to.arg(), self.moves.arg(), draws.arg());
        })
    }

    /// Carries out the wishes and counts the moves, as the other programs do.
    fn step(&mut self) -> Result<(), Failure> {
        self.check.step_on_device(self.to.each_ref())?;
        self.steps += 1;
        let discs = self.discs;
        self.device.launch("vigueras: count", discs, |client, cubes, dim| {
            let (accepted, moved) = (self.columns().1.arg(), self.moved.arg());
            count_moves::launch(client, cubes, dim, accepted, moved, discs as u32);
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use throng_core::Philox;
    use throng_testing_devices::devices;

    use super::*;

    #[test]
    fn the_sequential_crowd_moves_like_the_model_on_the_cpu() {
        for (discs, area, length) in [(700, 0.45, 1_024), (900, 0.2, 20_000)] {
            let (seed, steps) = (0x1_0000_0005, 5);
            let crowd = Crowd::new(discs, area, 3).unwrap();
            let moves = crowd.moves(length);
            let mut check = crowd.sequential(&moves, seed).unwrap();
            let mut moved = 0;
            for step in 0..steps {
                let at = check.positions().unwrap();
                let [xs, ys] = moves.wishes(Philox::new(seed), step, [&at[0], &at[1]]);
                moved += check.step([&xs, &ys]).unwrap() as u64;
            }
            for device in devices() {
                for with_copies in [false, true] {
                    let mut device_crowd = DeviceSequential::new(device, &crowd, moves, seed).unwrap();
                    let run = if with_copies { device_crowd.run_with_copies(steps) } else { device_crowd.run(steps) };
                    assert!(run.unwrap() > 0.0);
                    assert_eq!(device_crowd.positions().unwrap(), *check.positions().unwrap());
                    assert_eq!(device_crowd.moved().unwrap(), moved);
                }
            }
        }
    }
}
