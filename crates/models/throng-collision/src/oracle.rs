//! A literal implementation of the rules: slow, sequential, and the reference for all executors.

use throng_core::Philox;
use throng_device::neighbours::Boundary;

use super::rules::contest::Rule;
use super::rules::draws::priority_of;
use super::rules::overlap::is_nearer;
use super::scene::Scene;

/// Returns the decisions of a rule about wishes that neither walls nor the border refuse. Time and memory grow with the
/// square of the number of discs.
///
/// `at` and `to` are x and y of every disc within the world; the result is whether each disc moves.
pub fn decisions(scene: &Scene, rule: Rule, seed: u64, step: u64, at: [&[i32]; 2], to: [&[i32]; 2]) -> Vec<bool> {
    let discs = scene.radii.discs();
    let draws = Philox::new(seed);
    let mut order: Vec<(u32, u32)> = (0..discs as u32).map(|disc| (priority_of(draws, disc, step), disc)).collect();
    order.sort_unstable();
    let order: Vec<usize> = order.into_iter().map(|(_, disc)| disc as usize).collect();
    let place = |of: [&[i32]; 2], disc: usize| [of[0][disc], of[1][disc]];
    let overlap = |i: usize, a: [i32; 2], j: usize, b: [i32; 2]| {
        let (dx, dy) = (scene.world.x.offset(a[0], b[0]), scene.world.y.offset(a[1], b[1]));
        i != j && is_nearer(dx, dy, scene.radii.of(i) + scene.radii.of(j))
    };
    let is_stayer = |i: usize, j: usize| overlap(i, place(to, i), j, place(at, j));
    let is_target = |i: usize, j: usize| overlap(i, place(to, i), j, place(to, j));
    let mut moves = vec![false; discs];
    match rule {
        Rule::Sequential => {
            // One request after the other, granted if the target is free now.
            for &i in &order {
                let now = |j: usize| place(if moves[j] { to } else { at }, j);
                let is_free = (0..discs).all(|j| !overlap(i, place(to, i), j, now(j)));
                moves[i] = is_free;
            }
        }
        Rule::Following => {
            let mut rank = vec![0; discs];
            order.iter().enumerate().for_each(|(at, &disc)| rank[disc] = at);
            moves = (0..discs).map(|i| (0..discs).all(|j| !is_target(i, j) || rank[i] < rank[j])).collect();
            // A disc that stays blocks the discs that want its position, until nothing changes.
            while let Some(i) = (0..discs).find(|&i| moves[i] && (0..discs).any(|j| is_stayer(i, j) && !moves[j])) {
                moves[i] = false;
            }
        }
        Rule::Conservative => {
            let mut rank = vec![0; discs];
            order.iter().enumerate().for_each(|(at, &disc)| rank[disc] = at);
            let free: Vec<bool> = (0..discs).map(|i| (0..discs).all(|j| !is_stayer(i, j))).collect();
            moves = (0..discs)
                .map(|i| free[i] && (0..discs).all(|j| !(free[j] && is_target(i, j)) || rank[i] < rank[j]))
                .collect();
        }
    }
    moves
}

/// Returns the pairs of overlapping discs. The arithmetic is independent of the rules, which it verifies.
pub fn overlaps(scene: &Scene, at: [&[i32]; 2]) -> Vec<[usize; 2]> {
    let discs = scene.radii.discs();
    let is_periodic = scene.world.boundary() == Boundary::Periodic;
    let pairs = (0..discs).flat_map(|i| (i + 1..discs).map(move |j| [i, j]));
    let overlap = |&[i, j]: &[usize; 2]| {
        let square = |axis: usize| {
            let apart = i64::from(at[axis][i]).abs_diff(i64::from(at[axis][j]));
            let size = scene.world.size()[axis] as u64;
            let shortest = if is_periodic { apart.min(size - apart) } else { apart };
            shortest * shortest
        };
        let touching = scene.radii.of(i) as u64 + scene.radii.of(j) as u64;
        square(0) + square(1) < touching * touching
    };
    pairs.filter(overlap).collect()
}
