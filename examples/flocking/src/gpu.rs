//! The executor on a device.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng::device::angles::{cosine, sine};
use throng::device::cubecl::{self, prelude::*};
use throng::device::neighbours::{DeviceCellLists, Neighbours};
use throng::device::{Buffer, Device};
use throng::model::Failure;

use crate::model::Observer;
use crate::rules::{Rules, RulesLaunch, moved, nothing_seen};
use crate::scenario::{Scenario, State};

#[derive(CubeType, CubeLaunch)]
struct Birds {
    xs: Array<i32>,
    ys: Array<i32>,
    headings: Array<i32>,
}

#[cube(launch)]
fn tick(rules: &Rules, near: &Neighbours, before: &Birds, after: &mut Birds) {
    let bird = ABSOLUTE_POS;
    if bird < after.xs.len() {
        let (x, y) = (before.xs[bird], before.ys[bird]);
        let mut seen = nothing_seen();
        let block = near.grid.block(x, y, 0i32);
        for k in 0..block.cells() {
            let cell = near.grid.block_cell(block, k);
            for place in near.start(cell)..near.end(cell) {
                let other = near.agent(place);
                let at = other as usize;
                if at != bird {
                    let (dx, dy) = (near.grid.offset_x(x, before.xs[at]), near.grid.offset_y(y, before.ys[at]));
                    seen.look(rules, dx, dy, other, before.headings[at]);
                }
            }
        }
        let heading = seen.turned(rules, before.headings[bird]);
        after.xs[bird] = moved(rules, x, cosine(heading));
        after.ys[bird] = moved(rules, y, sine(heading));
        after.headings[bird] = heading;
    }
}

/// Runs the scenario from `state` on.
pub fn run<R: Runtime>(
    device: &Device<R>,
    scenario: &Scenario,
    state: &State,
    observer: &mut dyn Observer,
) -> Result<(), Failure> {
    let (Rules { size, vision, separation, align, cohere, separate, speed }, grid) = scenario.prepare()?;
    let birds = state.xs.len();
    let upload = || [&state.xs, &state.ys, &state.headings].map(|part| device.upload("birds", part));
    let ([x, y, h], [to_x, to_y, to_h]) = (upload(), upload());
    let (mut before, mut after) = ([x?, y?, h?], [to_x?, to_y?, to_h?]);
    let mut lists = DeviceCellLists::new(device, grid, birds)?;
    for number in 0..=scenario.ticks {
        if number > 0 {
            lists.build(device, &[&before[0], &before[1]], birds)?;
            device.launch("tick", birds, |client, cubes, dim| {
                let rules = RulesLaunch::new(size, vision, separation, align, cohere, separate, speed);
                let arg = |[x, y, h]: &[Buffer<i32>; 3]| BirdsLaunch::<R>::new(x.arg(), y.arg(), h.arg());
                tick::launch::<R>(client, cubes, dim, rules, lists.arg(), arg(&before), arg(&after));
            })?;
            std::mem::swap(&mut before, &mut after);
        }
        if observer.wants(number) {
            let [x, y, h] = before.each_ref().map(|part| device.read(part));
            observer.see(number, &State { xs: x?, ys: y?, headings: h? })?;
        }
    }
    Ok(())
}
