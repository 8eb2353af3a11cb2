//! The routes of the discs in a step: the position of each, and its new position if it moves.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;
use throng_core::{InputError, Problems};

use super::lattice::ShownLengths;
use super::options::Options;
use super::rules::wish::{POSSIBLE, TOO_LONG, after_walls, tested_displacement, wish};
use super::scene::Scene;
use super::walls::WallIndex;
use super::world::World;

/// Position of a disc, x and y, and its new position if it moves.
pub type Route = [i32; 4];

/// Returns the route of a disc from `from` to its wish `to`, or back to `from` if walls or the border refuse the wish.
/// [`None`] if the step is too long.
#[inline]
pub(super) fn route_of(
    world: &World,
    index: &WallIndex,
    longest_step: Option<i32>,
    radius: i32,
    from: [i32; 2],
    to: [i32; 2],
) -> Option<Route> {
    let asked = wish(world, from[0], from[1], to[0], to[1], radius, longest_step.unwrap_or(i32::MAX));
    let is_refused =
        asked.kind == POSSIBLE && index.refuses([asked.x, asked.y], tested_displacement(asked.step), radius);
    let remaining = after_walls(asked, is_refused, from[0], from[1]);
    (remaining.kind != TOO_LONG).then_some([from[0], from[1], remaining.x, remaining.y])
}

/// Rejects wishes unless there is one per disc.
pub(super) fn check_count(discs: usize, to: [&[i32]; 2]) -> Result<(), InputError> {
    if to.iter().all(|axis| axis.len() == discs) {
        return Ok(());
    }
    let found = to.map(<[i32]>::len);
    Err(InputError::one("wishes", format!("{found:?} for {discs} discs"), "give x and y for every disc"))
}

/// Lists the steps that are too long. `can_be_unbounded`: whether the check also supports steps of any length.
pub(super) fn too_long(
    scene: &Scene,
    options: &Options,
    at: &[Vec<i32>; 2],
    to: [&[i32]; 2],
    can_be_unbounded: bool,
) -> Problems {
    let Scene { world, radii, .. } = scene;
    let mut problems = Problems::new();
    let shown = ShownLengths(options.lattice.as_ref());
    let place = |at: [i32; 2]| format!("{}, {}", shown.length(at[0].into()), shown.length(at[1].into()));
    let remedy = too_long_remedy(world, options.longest_step, &shown, can_be_unbounded);
    let longest = options.longest_step.unwrap_or(i32::MAX);
    for disc in 0..radii.discs() {
        let (from, to) = ([at[0][disc], at[1][disc]], [to[0][disc], to[1][disc]]);
        if wish(world, from[0], from[1], to[0], to[1], radii.of(disc), longest).kind == TOO_LONG {
            let (from, to) = (place(from), place(to));
            problems.push(format!("disc {disc} at {from}"), format!("wishes to be at {to}"), remedy.as_str());
        }
    }
    problems
}

/// Returns the remedy for steps that are too long.
pub(super) fn too_long_remedy(
    world: &World,
    longest_step: Option<i32>,
    shown: &ShownLengths<'_>,
    can_be_unbounded: bool,
) -> String {
    if let Some(longest) = longest_step {
        let or = if can_be_unbounded { ", or allow steps of any length" } else { "" };
        format!("wish for steps of at most {}{or}", shown.length(longest.into()))
    } else {
        let [width, height] = world.size().map(|side| shown.length(side.into()));
        format!("wish for a position at most {width}, {height} beyond the border")
    }
}

/// Validates the wishes `to`, and writes the route of each disc. A wish that walls or the border refuse becomes a wish
/// to stay.
pub(super) fn fill_routes(
    scene: &Scene,
    index: &WallIndex,
    options: &Options,
    at: &[Vec<i32>; 2],
    to: [&[i32]; 2],
    routes: &mut [Route],
) -> Result<(), InputError> {
    let Scene { world, radii, .. } = scene;
    let discs = radii.discs();
    check_count(discs, to)?;
    let is_too_long = AtomicBool::new(false);
    routes.par_iter_mut().enumerate().for_each(|(disc, route)| {
        let (from, to) = ([at[0][disc], at[1][disc]], [to[0][disc], to[1][disc]]);
        match route_of(world, index, options.longest_step, radii.of(disc), from, to) {
            Some(found) => *route = found,
            None => is_too_long.store(true, Relaxed),
        }
    });
    if is_too_long.into_inner() { too_long(scene, options, at, to, true).into_result() } else { Ok(()) }
}
