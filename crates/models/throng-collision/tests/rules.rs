//! The rules are shared by host and kernels: both compute the same, bit for bit, on every device.

use throng_collision::rules::contest::{contest, is_first};
use throng_collision::rules::overlap::{is_nearer, is_within};
use throng_collision::rules::wall::{Displacement, crosses_wall, touches_wall};
use throng_collision::rules::wish::{tested_displacement, wish};
use throng_collision::{MAX_RADIUS, MAX_STEP, MIN_RADIUS, Rule, World, WorldAxis};
use throng_device::neighbours::Boundary;
use throng_testing_devices::same_on_devices;

/// Lengths around the limits of the lattice.
fn lengths() -> impl Iterator<Item = i32> + Clone {
    [0, 1, 2895, 2896, 4095, 4096, 5791, 5792, 5793, 8191, 16_384, 23_168, 46_340, 1_000_000, 1 << 30]
        .into_iter()
        .flat_map(|length| [length, -length])
}

/// Pseudorandom numbers.
fn numbers(below: i32) -> impl Iterator<Item = i32> + Clone {
    (0..2000u64).map(move |i| ((i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) % u64::from(below.unsigned_abs())) as i32)
}

same_on_devices! {
    fn overlaps(dx: i32, dy: i32, distance: i32) {
        let nearer = select(is_nearer(dx, dy, distance), 1u32, 0u32);
        let within = select(is_within(dx, dy, distance), 1u32, 0u32);
    } -> { is_nearer: u32 = nearer, is_within: u32 = within }
    for lengths().flat_map(|dx| lengths().map(move |dy| (dx, dy))).flat_map(|(dx, dy)| [(dx, dy, 5792), (dx, dy, 46_340)])
}

same_on_devices! {
    fn first_of_two(other: u32, other_id: u32, own: u32, own_id: u32) -> u32 {
        select(is_first(other, other_id, own, own_id), 1u32, 0u32)
    }
    for (0..81u32).map(|i| (i % 3, i / 3 % 3, i / 9 % 3, i / 27))
}

/// All combinations of inputs from two other agents.
fn contest_inputs() -> impl Iterator<Item = (u32, u32, u32, u32, u32, u32, u32, u32)> {
    (0..1u32 << 10).map(|bits| {
        let bit = |i: u32| bits >> i & 1;
        (bit(0), bit(1), bit(2), bits >> 3 & 3, bit(5), bit(6), bit(7), bits >> 8 & 3)
    })
}

macro_rules! contests {
    ($name:ident, $rule:expr) => {
        same_on_devices! {
            fn $name(
                stayer: u32, target: u32, first: u32, state: u32,
                stayer_2: u32, target_2: u32, first_2: u32, state_2: u32,
            ) {
                let mut found = contest();
                found.consider(stayer != 0u32, target != 0u32, first != 0u32, state, $rule);
                found.consider(stayer_2 != 0u32, target_2 != 0u32, first_2 != 0u32, state_2, $rule);
                let mut second = contest();
                second.meet_competitor(target != 0u32, first != 0u32, state);
                second.meet_competitor(target_2 != 0u32, first_2 != 0u32, state_2);
            } -> { verdict: u32 = found.verdict(), second: u32 = second.verdict() } for contest_inputs()
        }
    };
}

contests!(sequential_contests, Rule::Sequential);
contests!(following_contests, Rule::Following);
contests!(conservative_contests, Rule::Conservative);

same_on_devices! {
    fn walls(piece_x: i32, piece_y: i32, x: i32, y: i32, step_x: i32, step_y: i32, radius: i32) {
        let piece = Displacement { x: piece_x, y: piece_y };
        let at = Displacement { x, y };
        let touches = select(touches_wall(piece, at, radius), 1u32, 0u32);
        let crosses = select(crosses_wall(piece, at, tested_displacement(Displacement { x: step_x, y: step_y })), 1u32, 0u32);
    } -> { touched: u32 = touches, crossed: u32 = crosses }
    for numbers(16_384).zip(numbers(16_385).skip(1)).zip(numbers(60_000).skip(2).zip(numbers(60_001).skip(3)))
        .zip(numbers(40_000).skip(4).zip(numbers(40_001).skip(5)))
        .map(|(((ux, uy), (x, y)), (sx, sy))| {
            let radius = if ux % 2 == 0 { MIN_RADIUS } else { MAX_RADIUS };
            (ux - 8192, uy - 8192, x / 2 - 15_000, y / 2 - 15_000, sx - 20_000, sy - 20_000, radius)
        })
        // Routes along the piece, and past pieces of length 0.
        .chain((0..9i32).flat_map(|i| (-3..=3i32).flat_map(move |at| [-5, 5].map(|step| (i, at, step))))
        .map(|(i, at, step)| {
            let (x, y) = (i % 3 - 1, i / 3 - 1);
            let length = if at % 2 == 0 { 1000 } else { 0 };
            (x * length, y * length, x * at * 900, y * at * 900, x * step * 900, y * step * 900, MIN_RADIUS)
        }))
}

macro_rules! worlds {
    ($name:ident, $wishes:ident, $boundary:expr) => {
        same_on_devices! {
            fn $name(size: i32, from: i32, to: i32, reach: i32) {
                let axis = WorldAxis { size, cells: (size - 1) / 4096 + 1, boundary: $boundary };
                let near = axis.cells_within(from, reach);
                let last = axis.cell_at(near, near.count - 1);
                let contains = select(axis.contains(to, 2896), 1u32, 0u32);
            } -> {
                offset: i32 = axis.offset(from, to), inside: i32 = axis.inside(to), contains: u32 = contains,
                first: i32 = near.first, count: i32 = near.count, last: i32 = last,
            } for [23_168, 24_576, 30_001, 1 << 30].into_iter().flat_map(|size| {
                let positions = numbers(size).zip(numbers(size).skip(7)).take(60).chain([(0, 0), (size - 1, size)]);
                positions.flat_map(move |(a, b)| [0, 5792, 9000, 22_176].map(|reach| (size, a, b, reach)))
            })
        }

        same_on_devices! {
            fn $wishes(size: i32, x: i32, y: i32, to_x: i32, to_y: i32, longest: i32) {
                let long = WorldAxis { size, cells: (size - 1) / 4096 + 1, boundary: $boundary };
                let short = WorldAxis { size: 30_001, cells: 8, boundary: $boundary };
                let world = World { x: long, y: short };
                let asked = wish(&world, x, y % 30_001, to_x, to_y, 2896, longest);
            } -> {
                kind: u32 = asked.kind, wished_x: i32 = asked.x, wished_y: i32 = asked.y,
                step_x: i32 = asked.step.x, step_y: i32 = asked.step.y, cell: u32 = world.cell_of(x, y % 30_001),
            } for [30_001, 1 << 30].into_iter().flat_map(|size| {
                let at = numbers(size).zip(numbers(size).skip(7));
                let steps = numbers(40_000).skip(1).zip(numbers(40_001).skip(3));
                at.zip(steps).take(200).flat_map(move |((x, y), (dx, dy))| {
                    let near = (size, x, y, x + (dx - 20_000) / 4, y % 30_001 + (dy - 20_000) / 4);
                    let far = (size, x, y, i32::MAX, i32::MIN);
                    [near, far].into_iter().flat_map(|(size, x, y, to_x, to_y)| {
                        [0, 1024, MAX_STEP, i32::MAX].map(|longest| (size, x, y, to_x, to_y, longest))
                    })
                })
            })
        }
    };
}

worlds!(closed_worlds, closed_wishes, Boundary::Closed);
worlds!(periodic_worlds, periodic_wishes, Boundary::Periodic);
