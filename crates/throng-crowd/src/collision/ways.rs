//! The ways of the discs in a step: where each one is, and where it will be if it moves.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;
use throng_core::{InputError, Problems};

use super::cpu::Options;
use super::rules::wish::{POSSIBLE, TOO_LONG, tested_way, wish};
use super::scene::Scene;
use super::walls::WallIndex;

/// Checks the wishes `to`, and writes the way of each disc. A wish that walls or the border refuse becomes a wish to
/// stay.
pub(super) fn fill_ways(
    scene: &Scene,
    index: &WallIndex,
    options: &Options,
    at: &[Vec<i32>; 2],
    to: [&[i32]; 2],
    ways: &mut [[i32; 4]],
) -> Result<(), InputError> {
    let Scene { world, radii, .. } = scene;
    let discs = radii.discs();
    if to.iter().any(|axis| axis.len() != discs) {
        let found = to.map(<[i32]>::len);
        return Err(InputError::one("wishes", format!("{found:?} for {discs} discs"), "give x and y for every disc"));
    }
    let too_long = AtomicBool::new(false);
    let longest = options.longest_step.unwrap_or(i32::MAX);
    let wish_of = |disc: usize| {
        let (from, to) = ([at[0][disc], at[1][disc]], [to[0][disc], to[1][disc]]);
        wish(world, from[0], from[1], to[0], to[1], radii.of(disc), longest)
    };
    ways.par_iter_mut().enumerate().for_each(|(disc, way)| {
        let (from, wish) = ([at[0][disc], at[1][disc]], wish_of(disc));
        let place = [wish.x, wish.y];
        let is_possible = wish.kind == POSSIBLE && !index.refuses(world, place, tested_way(wish.step), radii.of(disc));
        let [to_x, to_y] = if is_possible { place } else { from };
        *way = [from[0], from[1], to_x, to_y];
        if wish.kind == TOO_LONG {
            too_long.store(true, Relaxed);
        }
    });
    if !too_long.into_inner() {
        return Ok(());
    }
    let mut problems = Problems::new();
    let remedy = match options.longest_step {
        Some(longest) => format!("wish for steps of at most {longest} units, or allow steps of any length"),
        None => format!("a wish is beyond the border by at most the size of the world, {:?} units", world.size()),
    };
    for disc in (0..discs).filter(|&disc| wish_of(disc).kind == TOO_LONG) {
        let (from, to) = ([at[0][disc], at[1][disc]], [to[0][disc], to[1][disc]]);
        problems.push(format!("disc {disc} at {from:?}"), format!("wishes to be at {to:?}"), remedy.as_str());
    }
    problems.into_result()
}
