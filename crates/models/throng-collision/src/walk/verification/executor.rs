//! Executors of the steps of the verification cases.

use throng_device::{Executor, with_kernels};
use throng_model::Failure;

use super::super::super::cpu::CpuCrowd;
use super::super::super::options::Options;
use super::super::super::scene::Scene;
use super::super::executors::executor;
use super::super::scenario::Scenario;
use super::super::walkers::Walkers;

/// Positions of all discs after a step, and whether each wish was granted.
pub type Stepped = ([Vec<i32>; 2], Vec<bool>);

/// An executor; in tests also a faulty one.
pub trait CaseExecutor {
    /// Returns the discs after all steps of a scenario.
    fn end_of(&self, scenario: &Scenario) -> Result<Walkers, Failure>;

    /// Performs one step of discs at `at` with the wishes `to`.
    fn step(&self, scene: &Scene, at: &[Vec<i32>; 2], to: &[Vec<i32>; 2], options: Options)
    -> Result<Stepped, Failure>;
}

impl CaseExecutor for Executor {
    fn end_of(&self, scenario: &Scenario) -> Result<Walkers, Failure> {
        let mut steps = executor(self, Walkers::start(scenario)?)?;
        for _ in 0..scenario.steps {
            steps.step()?;
        }
        steps.state()
    }

    fn step(
        &self,
        scene: &Scene,
        at: &[Vec<i32>; 2],
        to: &[Vec<i32>; 2],
        options: Options,
    ) -> Result<Stepped, Failure> {
        match self.device() {
            None => {
                let mut check = CpuCrowd::new(scene.clone(), at.clone(), options)?;
                check.step([&to[0], &to[1]])?;
                Ok((check.at().clone(), check.accepted().to_vec()))
            }
            Some(device) => with_kernels!("collision", device, |device| {
                let check = super::super::super::gpu::DeviceCrowd::new;
                let mut check = check(device, scene, [&at[0], &at[1]], options)?;
                let to = [device.upload("wishes", &to[0])?, device.upload("wishes", &to[1])?];
                check.step(device, to.each_ref())?;
                check.check_wishes(device)?;
                let [xs, ys] = check.at();
                let accepted = device.read(check.accepted())?.into_iter().map(|accepted| accepted == 1).collect();
                Ok(([device.read(xs)?, device.read(ys)?], accepted))
            }),
        }
    }
}
