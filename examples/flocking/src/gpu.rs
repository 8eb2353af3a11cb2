//! The executor on a device.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng::device::angles::{cosine, sine};
use throng::device::prelude::*;
use throng::model::prelude::*;

use crate::rules::{Rules, moved, nothing_seen};
use crate::scenario::Birds;

#[derive(CubeType, CubeLaunch, KernelColumns)]
struct Flock {
    xs: Array<i32>,
    ys: Array<i32>,
    headings: Array<i32>,
}

#[cube(launch)]
fn tick(rules: &Rules, near: &Neighbours, before: &Flock, after: &mut Flock) {
    if ABSOLUTE_POS < after.xs.len() {
        // In the order of the cells: threads next to each other look at the same neighbours.
        let bird = near.agent(ABSOLUTE_POS as u32) as usize;
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

pub fn executor<'d>(
    device: &'d Device,
    rules: Rules,
    grid: UniformGrid,
    birds: &Birds,
) -> Result<Box<dyn Steps<State = Birds> + 'd>, Failure> {
    let launch = move |device: &Device, near: &DeviceCellLists, birds: &Columns<i32, 3>, _: u64| {
        device.launch("tick", birds.len(), |client, cubes, dim| {
            let (before, after) = (Flock::of(birds.before()), Flock::of(birds.after()));
            tick::launch(client, cubes, dim, rules.arg(), near.arg(), before, after);
        })
    };
    Ok(Box::new(NeighboursOnDevice::new(device, grid, birds, launch)?))
}
