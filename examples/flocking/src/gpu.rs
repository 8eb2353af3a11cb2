//! The executor on a device.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use std::error::Error;

use throng_device::cubecl::{self, prelude::*};
use throng_device::neighbours::{DeviceCellLists, UniformGrid};
use throng_device::{Buffer, Device};

use crate::rules::{QUARTER, Rules, RulesLaunch, moved, nothing_seen, sine};
use crate::scenario::{Scenario, State};

/// The state of all birds in a kernel.
#[derive(CubeType, CubeLaunch)]
pub struct Birds {
    xs: Array<i32>,
    ys: Array<i32>,
    headings: Array<i32>,
}

#[cube(launch)]
fn tick(
    rules: &Rules,
    grid: &UniformGrid,
    starts: &Array<u32>,
    agents: &Array<u32>,
    before: &Birds,
    after: &mut Birds,
    population: u32,
) {
    let bird = ABSOLUTE_POS;
    if bird < population as usize {
        let x = before.xs[bird];
        let y = before.ys[bird];
        let block = grid.block(x, y, 0i32);
        let mut seen = nothing_seen();
        for k in 0..block.cells() {
            let cell = grid.block_cell(block, k) as usize;
            for slot in starts[cell]..starts[cell + 1] {
                let other = agents[slot as usize];
                let at = other as usize;
                if at != bird {
                    let dx = grid.offset_x(x, before.xs[at]);
                    let dy = grid.offset_y(y, before.ys[at]);
                    seen.look(rules, dx, dy, other, before.headings[at]);
                }
            }
        }
        let heading = seen.turned(rules, before.headings[bird]);
        after.xs[bird] = moved(rules, x, sine(heading + QUARTER));
        after.ys[bird] = moved(rules, y, sine(heading));
        after.headings[bird] = heading;
    }
}

/// Runs `ticks` ticks from `state` on, and shows each state, the first one too.
pub fn run<R: Runtime>(
    device: &Device<R>,
    scenario: &Scenario,
    state: &State,
    ticks: u32,
    mut see: impl FnMut(u32, &State),
) -> Result<(), Box<dyn Error>> {
    let (rules, grid) = scenario.prepare()?;
    let upload = || -> Result<[Buffer<i32>; 3], Box<dyn Error>> {
        Ok([
            device.upload("xs", &state.xs)?,
            device.upload("ys", &state.ys)?,
            device.upload("headings", &state.headings)?,
        ])
    };
    let (mut before, mut after, birds) = (upload()?, upload()?, state.xs.len());
    let mut lists = DeviceCellLists::new(device, grid, birds)?;
    see(0, state);
    for number in 1..=ticks {
        lists.build(device, &[&before[0], &before[1]], birds)?;
        device.launch("tick", birds, |client, cubes, dim| {
            let arg = |[x, y, heading]: &[Buffer<i32>; 3]| BirdsLaunch::<R>::new(x.arg(), y.arg(), heading.arg());
            let Rules { size, vision, separation, align, cohere, separate, speed } = rules;
            let rules = RulesLaunch::new(size, vision, separation, align, cohere, separate, speed);
            let (starts, agents) = (lists.starts().arg(), lists.agents().arg());
            tick::launch::<R>(
                client,
                cubes,
                dim,
                rules,
                grid.arg(),
                starts,
                agents,
                arg(&before),
                arg(&after),
                birds as u32,
            );
        })?;
        std::mem::swap(&mut before, &mut after);
        let [xs, ys, headings] = [device.read(&before[0])?, device.read(&before[1])?, device.read(&before[2])?];
        see(number, &State { xs, ys, headings });
    }
    Ok(())
}
