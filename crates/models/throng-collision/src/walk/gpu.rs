//! The executor on a device.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use std::sync::Arc;

use throng_device::exact::copied;
use throng_device::prelude::*;
use throng_model::Failure;
use throng_model::step_model::Steps;

use super::super::gpu::{DeviceCrowd, Points, PointsBuffers};
use super::super::rules::decision::Position;
use super::super::rules::draws::word;
use super::prepared::Prepared;
use super::rules::{Walk, Walker, angle_draw, wish_of};
use super::scenario::Behaviour;
use super::walkers::Walkers;

#[derive(CubeType, CubeLaunch, KernelParameter, Clone, Copy)]
struct WalkStep {
    walk: Walk,
    discs: u32,
    seed_low: u32,
    seed_high: u32,
    step: u32,
}

/// The walkers after the last step.
#[derive(CubeType, CubeLaunch, KernelArrays)]
struct Before {
    at: Points,
    accepted: Array<u32>,
    goals: Points,
}

#[derive(CubeType, CubeLaunch, KernelArrays)]
struct WalkWishes {
    directions: Array<i32>,
    to: Points,
}

/// Computes the wishes of a step from the positions and the refusals of the previous step, if any.
#[kernel("wishes")]
fn wishes(params: &WalkStep, before: &Before, wishes: &mut WalkWishes, #[comptime] behaviour: Behaviour) {
    let i = ABSOLUTE_POS;
    if i < params.discs as usize {
        let (x, y) = (before.at.xs[i], before.at.ys[i]);
        let mut goal = Position { x: copied(x), y: copied(y) };
        if comptime!(behaviour == Behaviour::Goals) {
            goal.x = before.goals.xs[i];
            goal.y = before.goals.ys[i];
        }
        let mut refused = 0i32;
        if params.step > 0u32 {
            refused = 1i32 - before.accepted[i] as i32;
        }
        let walker = Walker { x, y, direction: wishes.directions[i], refused };
        let drawn = word(angle_draw(i as u32, params.step), params.seed_low, params.seed_high);
        let wish = wish_of(&params.walk, &walker, drawn, goal, behaviour);
        wishes.directions[i] = wish.direction;
        wishes.to.xs[i] = wish.x;
        wishes.to.ys[i] = wish.y;
    }
}

/// Walking discs, on a device.
pub struct WalkOnDevice {
    device: Arc<Device>,
    prepared: Arc<Prepared>,
    check: DeviceCrowd,
    directions: Buffer<i32>,
    goals: [Buffer<i32>; 2],
    to: [Buffer<i32>; 2],
    steps: u32,
}

impl WalkOnDevice {
    pub fn new(device: &Arc<Device>, walkers: &Walkers) -> Result<Self, Failure> {
        let Walkers { columns: [xs, ys, directions, _], prepared } = walkers;
        Ok(Self {
            device: Arc::clone(device),
            prepared: Arc::clone(prepared),
            check: DeviceCrowd::new(device, &prepared.scene, [xs, ys], prepared.options)?,
            directions: device.upload("directions", directions)?,
            goals: [device.upload("goals", &prepared.goals[0])?, device.upload("goals", &prepared.goals[1])?],
            to: [device.empty("wishes", xs.len())?, device.empty("wishes", xs.len())?],
            steps: 0,
        })
    }
}

impl Steps for WalkOnDevice {
    type State = Walkers;

    fn step(&mut self) -> Result<(), Failure> {
        let Self { device, prepared, check, directions, goals, to, steps } = self;
        let discs = check.discs();
        let seed = prepared.options.seed;
        let params = WalkStep {
            walk: prepared.walk,
            discs: discs as u32,
            seed_low: seed as u32,
            seed_high: (seed >> 32) as u32,
            step: *steps,
        };
        let before = BeforeBuffers {
            at: PointsBuffers::of(check.at()),
            accepted: check.accepted(),
            goals: PointsBuffers::of(goals.each_ref()),
        };
        let outputs = WalkWishesBuffers { directions, to: PointsBuffers::of(to.each_ref()) };
        launch_wishes(device, discs, params, before, outputs, prepared.behaviour)?;
        check.step(device, to.each_ref())?;
        *steps += 1;
        Ok(())
    }

    fn state(&self) -> Result<Walkers, Failure> {
        self.check.check_wishes(&self.device)?;
        let read = |buffer| self.device.read(buffer);
        let [xs, ys] = self.check.at();
        let refused = if self.steps == 0 {
            vec![0; self.check.discs()]
        } else {
            self.device.read(self.check.accepted())?.into_iter().map(|yes| i32::from(yes == 0)).collect()
        };
        let columns = [read(xs)?, read(ys)?, read(&self.directions)?, refused];
        Ok(Walkers { columns, prepared: Arc::clone(&self.prepared) })
    }
}
