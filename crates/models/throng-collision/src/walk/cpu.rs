//! The executor on CPU threads.

use std::sync::Arc;

use rayon::prelude::*;
use throng_core::InputError;
use throng_model::Failure;
use throng_model::step_model::Steps;

use super::super::cpu::CpuCrowd;
use super::prepared::{COLUMNS, Prepared};
use super::walkers::{Walkers, wishes};

/// Walking discs, on CPU threads.
pub struct WalkOnCpu {
    prepared: Arc<Prepared>,
    check: CpuCrowd,
    directions: Vec<i32>,
    refused: Vec<i32>,
    steps: u32,
}

impl WalkOnCpu {
    pub fn new(walkers: Walkers) -> Result<Self, InputError> {
        let Walkers { columns: [xs, ys, directions, refused], prepared } = walkers;
        let check = CpuCrowd::new(prepared.scene.clone(), [xs, ys], prepared.options)?;
        Ok(Self { prepared, check, directions, refused, steps: 0 })
    }
}

impl Steps for WalkOnCpu {
    type State = Walkers;

    fn step(&mut self) -> Result<(), Failure> {
        let Self { prepared, check, directions, refused, steps } = self;
        let [xs, ys] = check.at();
        let ([to_xs, to_ys], after) = wishes(prepared, [xs, ys], directions, refused, *steps);
        *directions = after;
        check.step([&to_xs, &to_ys])?;
        refused.par_iter_mut().zip(check.accepted()).for_each(|(refused, &yes)| *refused = i32::from(!yes));
        *steps += 1;
        Ok(())
    }

    fn state(&self) -> Result<Walkers, Failure> {
        let [xs, ys] = self.check.at().clone();
        let columns: [Vec<i32>; COLUMNS] = [xs, ys, self.directions.clone(), self.refused.clone()];
        Ok(Walkers { columns, prepared: Arc::clone(&self.prepared) })
    }
}
