//! The sequential rule of `throng_collision` on a device, in the paper's experiment.

use std::time::Instant;

use throng_collision::DeviceCollisionCheck;
use throng_device::{Buffer, Device, DeviceError, KernelParameter};
use throng_model::Failure;

use super::crowd::{Crowd, Moves};
use super::device::FLUSH_EVERY;
use super::kernels::crowd::{count_moves, wish_columns};
use crate::experiment::steps_on;

/// A crowd on a device that moves under the sequential rule.
#[derive(Debug)]
pub(super) struct DeviceSequential<'d> {
    device: &'d Device,
    check: DeviceCollisionCheck,
    moves: Moves,
    seed: u64,
    steps: u32,
    to: [Buffer<i32>; 2],
    moved: Buffer<u32>,
}

impl<'d> DeviceSequential<'d> {
    pub(super) fn new(device: &'d Device, crowd: &Crowd, moves: Moves, seed: u64) -> Result<Self, Failure> {
        let discs = crowd.at[0].len();
        let (scene, options) = crowd.sequential_setup(&moves, seed);
        let check = DeviceCollisionCheck::new(device, &scene, [&crowd.at[0], &crowd.at[1]], options)?;
        let to = [device.empty("wishes", discs)?, device.empty("wishes", discs)?];
        let moved = device.upload("moves", &vec![0; discs])?;
        Ok(Self { device, check, moves, seed, steps: 0, to, moved })
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
        moves.drawn_by_the_host(at, seed, first..first + steps, |[xs, ys]| {
            let since = Instant::now();
            self.to = [self.device.upload("wishes", xs)?, self.device.upload("wishes", ys)?];
            self.step()?;
            let accepted = self.device.read(self.check.accepted())?;
            Ok((since.elapsed().as_secs_f64(), accepted.into_iter().map(|moves| moves != 0).collect()))
        })
    }

    pub(super) fn positions(&self) -> Result<[Vec<i32>; 2], DeviceError> {
        let [xs, ys] = self.check.at();
        let discs = self.check.discs();
        let read = |axis| Ok(self.device.read(axis)?.into_iter().take(discs).collect());
        Ok([read(xs)?, read(ys)?])
    }

    pub(super) fn moved(&self) -> Result<u64, DeviceError> {
        Ok(self.device.read(&self.moved)?.into_iter().take(self.check.discs()).map(u64::from).sum())
    }

    fn draw_wishes(&self) -> Result<(), DeviceError> {
        let (discs, low, high) = (self.check.discs(), self.seed as u32, (self.seed >> 32) as u32);
        self.device.launch("vigueras: wish", discs, |client, cubes, dim| {
            let ([xs, ys], [to_xs, to_ys]) = (self.check.at().map(Buffer::arg), self.to.each_ref().map(Buffer::arg));
            let (moves, discs) = (self.moves.arg(), discs as u32);
            wish_columns::launch(client, cubes, dim, xs, ys, to_xs, to_ys, moves, discs, low, high, self.steps);
        })
    }

    /// Carries out the wishes and counts the moves, as the other programs do.
    fn step(&mut self) -> Result<(), Failure> {
        self.check.step(self.device, self.to.each_ref())?;
        self.steps += 1;
        let discs = self.check.discs();
        self.device.launch("vigueras: count", discs, |client, cubes, dim| {
            let (accepted, moved) = (self.check.accepted().arg(), self.moved.arg());
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
    fn the_crowd_moves_as_on_the_cpu() {
        for (discs, area, length) in [(700, 0.45, 1_024), (900, 0.2, 20_000)] {
            let (seed, steps) = (0x1_0000_0005, 5);
            let crowd = Crowd::new(discs, area, 3).unwrap();
            let moves = crowd.moves(length);
            let mut check = crowd.sequential(&moves, seed).unwrap();
            let mut moved = 0;
            for step in 0..steps {
                let [xs, ys] = moves.wishes(Philox::new(seed), step, [&check.at()[0], &check.at()[1]]);
                moved += check.step([&xs, &ys]).unwrap() as u64;
            }
            for device in devices() {
                for with_copies in [false, true] {
                    let mut there = DeviceSequential::new(device, &crowd, moves, seed).unwrap();
                    let run = if with_copies { there.run_with_copies(steps) } else { there.run(steps) };
                    assert!(run.unwrap() > 0.0);
                    assert_eq!(there.positions().unwrap(), *check.at());
                    assert_eq!(there.moved().unwrap(), moved);
                }
            }
        }
    }
}
