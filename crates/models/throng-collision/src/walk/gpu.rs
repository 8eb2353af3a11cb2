//! The executor on a device.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use std::sync::Arc;

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact::copied;
use throng_device::{Buffer, Device, KernelParameter};
use throng_model::Failure;
use throng_model::step_model::Steps;

use super::super::gpu::DeviceCrowd;
use super::super::rules::decision::Position;
use super::super::rules::draws::word;
use super::prepared::Prepared;
use super::rules::{Walk, Walker, angle_draw, wish_of};
use super::scenario::Behaviour;
use super::walkers::Walkers;

/// Computes the wishes of a step from the positions and the refusals of the previous step, if any.
#[cube(launch)]
fn wishes(
    walk: &Walk,
    xs: &Array<i32>,
    ys: &Array<i32>,
    accepted: &Array<u32>,
    goal_xs: &Array<i32>,
    goal_ys: &Array<i32>,
    directions: &mut Array<i32>,
    to_xs: &mut Array<i32>,
    to_ys: &mut Array<i32>,
    discs: u32,
    seed_low: u32,
    seed_high: u32,
    step: u32,
    #[comptime] behaviour: Behaviour,
) {
    let i = ABSOLUTE_POS;
    if i < discs as usize {
        let (x, y) = (xs[i], ys[i]);
        let mut goal = Position { x: copied(x), y: copied(y) };
        if comptime!(behaviour == Behaviour::Goals) {
            goal.x = goal_xs[i];
            goal.y = goal_ys[i];
        }
        let mut refused = 0i32;
        if step > 0u32 {
            refused = 1i32 - accepted[i] as i32;
        }
        let walker = Walker { x, y, direction: directions[i], refused };
        let drawn = word(angle_draw(i as u32, step), seed_low, seed_high);
        let wish = wish_of(walk, &walker, drawn, goal, behaviour);
        directions[i] = wish.direction;
        to_xs[i] = wish.x;
        to_ys[i] = wish.y;
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
        device.launch("wishes", discs, |client, cubes, dim| {
            let (xs, ys, accepted) = (check.at()[0].arg(), check.at()[1].arg(), check.accepted().arg());
            wishes::launch(
                client,
                cubes,
                dim,
                prepared.walk.arg(),
                xs,
                ys,
                accepted,
                goals[0].arg(),
                goals[1].arg(),
                directions.arg(),
                to[0].arg(),
                to[1].arg(),
                discs as u32,
                prepared.options.seed as u32,
                (prepared.options.seed >> 32) as u32,
                *steps,
                prepared.behaviour,
            );
        })?;
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
