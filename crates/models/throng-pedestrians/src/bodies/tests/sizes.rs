//! Bodies whose size changes.

use throng_core::Philox;

use super::super::super::BodyLimits;
use super::super::super::rules::body::{Body, Shape};
use super::super::super::rules::body_size::{Limits, squeezed};
use super::super::super::rules::draws::Seed;
use super::super::super::scene::{EMPTY, WALL};
use super::super::views::Contest;
use super::*;

/// A draw for tests: a word of a counter.
fn drawn(seed: u64, counter: u32, below: u32) -> u32 {
    Philox::new(seed).below(below, counter, 0, 0, 0)
}

/// A crowd of bodies within random limits, each between its smallest and its largest size.
fn changing_crowd(boundary: Boundary, seed: u64) -> (World, Pedestrians) {
    let bodies: Vec<[u8; 2]> = (0..40).map(|i| [0, 1].map(|axis| 1 + drawn(seed, 2 * i + axis, 3) as u8)).collect();
    let (world, mut pedestrians) = crowd(boundary, seed, &bodies);
    let limits = (0u32..).zip(&pedestrians.bodies).map(|(i, &body)| {
        let of = |axis: u32| drawn(seed, 1000 + 2 * i + axis, 8);
        let smaller = |axis: u32| body[axis as usize] - (of(axis) as u8 % 3).min(body[axis as usize] - 1);
        let larger = |axis: u32| body[axis as usize] + of(axis) as u8 / 4;
        BodyLimits { smallest: [0, 1].map(smaller), largest: [0, 1].map(larger) }
    });
    pedestrians.limits = limits.collect();
    (world, pedestrians)
}

/// Whether a body is a rectangle within its limits, and has changed by at most one space unit of one side.
fn is_allowed_change(before: &Pedestrians, after: &Pedestrians, pedestrian: usize) -> bool {
    let (from, to) = (before.body(pedestrian), after.body(pedestrian));
    let BodyLimits { smallest, largest } = after.limits(pedestrian);
    let is_within = (0..2).all(|axis| (smallest[axis]..=largest[axis]).contains(&to[axis]));
    is_within && (0..2).map(|axis| from[axis].abs_diff(to[axis])).sum::<u8>() <= 1
}

/// No space unit is ever occupied twice, all bodies stay within their limits, and all executors agree with the
/// definition, with any number of threads.
#[test]
fn changing_bodies_never_overlap_and_executors_agree() {
    let pools = [1, 2, 3].map(|threads| throng_core::thread_pool(threads).unwrap());
    let (mut squeezes, mut growths) = (0, 0);
    for seed in 0..6 {
        let boundary = if seed % 2 == 0 { Boundary::Periodic } else { Boundary::Closed };
        let (world, pedestrians) = changing_crowd(boundary, seed);
        let parameters = FieldParameters {
            size: 5,
            squeeze_after_ticks: 1 + seed as u32 % 3,
            equal_speeds: seed % 3 == 1,
            obstacle_weight: 0.05,
            ..FieldParameters::default()
        };
        let tables = FieldTables::new(&parameters).unwrap();
        let mut on_devices = on_devices(&world, &tables, &pedestrians);
        let mut reference = Reference::new(world.clone(), tables.clone(), pedestrians.clone(), 9, 0).unwrap();
        let cpu = CpuBodies::new(world.clone(), tables, pedestrians, 9, 0).unwrap();
        let mut on_threads = pools.each_ref().map(|pool| (pool, cpu.clone()));
        for tick in 0..40 {
            let before = reference.pedestrians().clone();
            let moved = reference.step();
            let after = reference.pedestrians();
            assert_eq!(after.occupants(&world).unwrap(), reference.occupants(), "seed {seed}, tick {tick}");
            for i in 0..after.len() {
                assert!(is_allowed_change(&before, after, i), "seed {seed}, tick {tick}, pedestrian {i}");
                let area = |of: &Pedestrians| of.body(i).map(u32::from).iter().product::<u32>();
                squeezes += usize::from(area(after) < area(&before));
                growths += usize::from(area(after) > area(&before));
            }
            for (pool, cpu) in &mut on_threads {
                assert_eq!(pool.install(|| cpu.step()), moved, "seed {seed}, tick {tick}");
                assert_eq!(&cpu.pedestrians(), after, "seed {seed}, tick {tick}");
            }
            for on_device in &mut on_devices {
                assert_eq!(&on_device(), after, "seed {seed}, tick {tick}");
            }
        }
    }
    assert!(squeezes > 500 && growths > 500, "{squeezes} squeezes, {growths} growths");
}

/// A world of 40 x 25 with a wall in column 15, which has a gap, and a body of 2 x 3 in columns 2 and 3 and rows 11 to
/// 13 that walks to the east without fields. Returns its position and size after a number of ticks.
fn through_a_gap(gap: std::ops::Range<u32>, smallest: [u8; 2], ticks: u32) -> ([i32; 2], [u8; 2]) {
    let grid = Grid { width: 40, height: 25, boundary: Boundary::Closed };
    let (_, mut pedestrians) = without_walls(grid, &[11 * 40 + 2], &[0], &[[2, 3]]);
    pedestrians.limits = vec![BodyLimits { smallest, largest: [2, 3] }];
    let is_wall = (0..40 * 25).map(|unit| unit % 40 == 15 && !gap.contains(&(unit / 40))).collect();
    let world = World::new(grid, is_wall).unwrap();
    let parameters = FieldParameters { size: 1, threshold: 0.9, ..FieldParameters::default() };
    let mut bodies = CpuBodies::new(world, FieldTables::new(&parameters).unwrap(), pedestrians, 1, 0).unwrap();
    for _ in 0..ticks {
        bodies.step();
    }
    let pedestrians = bodies.pedestrians();
    (grid.place(pedestrians.at[0]), pedestrians.body(0))
}

/// The body reaches the wall in 11 steps, from column 2 to 13. A stiff one stays there. The other squeezes in its third
/// tick at the wall, on the side of the wall. Three steps later, in column 16, it has passed the wall, and grows back.
#[test]
fn a_body_squeezes_through_a_gap_that_a_stiff_one_cannot_pass() {
    assert_eq!(through_a_gap(11..13, [2, 3], 30), ([13, 11], [2, 3]));
    assert_eq!(through_a_gap(11..13, [2, 2], 13), ([13, 11], [2, 3]));
    assert_eq!(through_a_gap(11..13, [2, 2], 14), ([13, 11], [2, 2]));
    assert_eq!(through_a_gap(12..14, [2, 2], 14), ([13, 12], [2, 2]));
    assert_eq!(through_a_gap(11..13, [2, 2], 17), ([16, 11], [2, 2]));
    let prefers_right = Seed::new(1).of_tick(0, 17).prefers_right as i32;
    // To the south if it prefers the right.
    assert_eq!(through_a_gap(11..13, [2, 2], 18), ([16, 11 - prefers_right], [2, 3]));
    assert_eq!(through_a_gap(11..13, [2, 2], 30), ([28, 11 - prefers_right], [2, 3]));
    // A gap of one row in front of the middle takes two squeezes, three ticks each, and two ticks to grow back.
    assert_eq!(through_a_gap(12..13, [2, 1], 17), ([13, 12], [2, 1]));
    assert_eq!(through_a_gap(12..13, [2, 1], 20), ([16, 12], [2, 1]));
    let ([x, _], size) = through_a_gap(12..13, [2, 1], 30);
    assert_eq!((x, size), (24, [2, 3]));
    // Its limit does not let it through; it does not give up columns that are no obstacle first.
    assert_eq!(through_a_gap(12..13, [2, 2], 60).0[0], 13);
}

/// Two bodies of one space unit in the outer rows of three may each grow into the middle row: the one with the higher
/// priority does, and the other makes its next step a tick later.
#[test]
fn one_of_two_bodies_grows_into_a_space_unit() {
    let grid = Grid { width: 20, height: 3, boundary: Boundary::Closed };
    for seed in 0..8 {
        let (world, mut pedestrians) = without_walls(grid, &[5, 45], &[0, 0], &[[1, 1], [1, 1]]);
        pedestrians.limits = vec![BodyLimits { smallest: [1, 1], largest: [1, 2] }; 2];
        let parameters = FieldParameters { size: 1, ..FieldParameters::default() };
        let tables = FieldTables::new(&parameters).unwrap();
        let mut bodies = CpuBodies::new(world, tables, pedestrians, seed, 0).unwrap();
        assert_eq!(bodies.step(), 0);
        let [lower, upper] = [0, 1].map(|pedestrian| Seed::new(seed).of_tick(pedestrian, 0).priority);
        let after = bodies.pedestrians();
        let expected = if lower > upper { ([5, 45], [[1, 2], [1, 1]]) } else { ([5, 25], [[1, 1], [1, 2]]) };
        assert_eq!((&after.at[..], &after.bodies[..]), (&expected.0[..], &expected.1[..]), "seed {seed}");
        assert_eq!(after.blocked, if lower > upper { [0, 1] } else { [1, 0] });
        assert_eq!(bodies.step(), 2);
        assert_eq!(bodies.pedestrians().at, expected.0.map(|at| at + 1));
    }
}

/// Which space units a body gives up, with space units occupied ahead of it.
#[test]
fn bodies_squeeze_beside_their_heading_and_where_they_are_blocked() {
    let grid = Grid { width: 20, height: 20, boundary: Boundary::Periodic };
    let limits = Limits { smallest_columns: 1, smallest_rows: 1, largest_columns: 5, largest_rows: 5 };
    let smaller = |heading: u32, [columns, rows]: [i32; 2], blocked: &[u32], prefers_right: u32| {
        let mut occupants = vec![EMPTY; 400];
        for &unit in blocked {
            occupants[unit as usize] = WALL;
        }
        let contest = Contest { occupants: &occupants, winners: &[], headings: &[], outcomes: &[] };
        let body = Body { pedestrian: 0, shape: Shape { heading, columns, rows }, x: 0, y: 10 };
        let Body { shape, x, y, .. } = squeezed(&contest, &grid, body, limits, prefers_right);
        ([x, y], [shape.columns, shape.rows])
    };
    // East: rows first, the upper or the lower end, as blocked or else as preferred; then the column behind.
    let [lower, middle, upper] = [10, 11, 12].map(|row| row * 20 + 2);
    assert_eq!(smaller(0, [2, 3], &[lower], 1), ([0, 11], [2, 2]));
    assert_eq!(smaller(0, [2, 3], &[upper, middle], 0), ([0, 10], [2, 2]));
    for blocked in [&[][..], &[middle], &[lower, upper]] {
        assert_eq!(smaller(0, [2, 3], blocked, 1), ([0, 10], [2, 2]), "keeps the lower end, at the right");
        assert_eq!(smaller(0, [2, 3], blocked, 0), ([0, 11], [2, 2]));
    }
    assert_eq!(smaller(0, [2, 1], &[], 0), ([1, 10], [1, 1]));
    assert_eq!(smaller(0, [1, 1], &[], 0), ([0, 10], [1, 1]), "it has its smallest size");
    // West, over the border.
    assert_eq!(smaller(4, [2, 2], &[10 * 20 + 19], 1), ([0, 11], [2, 1]));
    assert_eq!(smaller(4, [2, 2], &[], 1), ([0, 11], [2, 1]), "the right of west is in the north");
    assert_eq!(smaller(4, [2, 1], &[], 1), ([0, 10], [1, 1]));
    // North and south: columns first.
    assert_eq!(smaller(2, [3, 2], &[12 * 20], 1), ([1, 10], [2, 2]));
    assert_eq!(smaller(2, [3, 2], &[], 1), ([1, 10], [2, 2]));
    assert_eq!(smaller(6, [3, 2], &[9 * 20 + 2], 0), ([0, 10], [2, 2]));
    assert_eq!(smaller(2, [1, 2], &[], 1), ([0, 11], [1, 1]));
    assert_eq!(smaller(6, [1, 2], &[], 1), ([0, 10], [1, 1]));
    // Diagonals: the longer side, at the end behind.
    assert_eq!(smaller(1, [2, 3], &[], 0), ([0, 11], [2, 2]));
    assert_eq!(smaller(1, [2, 2], &[], 1), ([1, 10], [1, 2]));
    assert_eq!(smaller(5, [3, 2], &[], 1), ([0, 10], [2, 2]));
}

/// Bodies whose smallest size equals the largest are constant, in all columns and in the hash.
#[test]
fn equal_limits_mean_constant_bodies() {
    let (world, constant) = crowd(Boundary::Periodic, 3, &[[2, 2], [1, 3]]);
    let limits = constant.bodies.iter().copied().map(BodyLimits::of_constant).collect();
    let limited = Pedestrians { limits, ..constant.clone() };
    assert_eq!(constant.hash(), limited.hash());
    let tables = FieldTables::new(&FieldParameters::default()).unwrap();
    let [mut constant, mut limited] =
        [constant, limited].map(|people| CpuBodies::new(world.clone(), tables.clone(), people, 9, 0).unwrap());
    for _ in 0..20 {
        assert!(constant.step() == limited.step() && constant.pedestrians() == limited.pedestrians());
    }
    assert_eq!(constant.pedestrians().hash(), limited.pedestrians().hash());
}

/// A state contains everything that later states depend on, and its hash covers the sizes.
#[test]
fn a_state_of_changing_bodies_can_be_continued() {
    let (world, pedestrians) = changing_crowd(Boundary::Closed, 8);
    let tables = FieldTables::new(&FieldParameters { size: 5, ..FieldParameters::default() }).unwrap();
    let mut whole = CpuBodies::new(world.clone(), tables.clone(), pedestrians, 9, 0).unwrap();
    for _ in 0..15 {
        whole.step();
    }
    let state = whole.pedestrians();
    assert!(state.blocked.contains(&0) && state.blocked.contains(&1) && state.blocked.contains(&3));
    let mut continued = CpuBodies::new(world.clone(), tables.clone(), state.clone(), 9, 15).unwrap();
    let mut defined = Reference::new(world, tables, state.clone(), 9, 15).unwrap();
    for _ in 0..15 {
        whole.step();
        continued.step();
        defined.step();
    }
    assert_eq!(whole.pedestrians(), continued.pedestrians());
    assert_eq!(&whole.pedestrians(), defined.pedestrians());
    let number = state.limits.iter().position(|limits| !limits.are_constant()).unwrap();
    let mut changed = state.clone();
    changed.bodies[number][0] += 1;
    let mut blocked = state.clone();
    blocked.blocked[number] += 1;
    assert!(state.hash() != changed.hash() && state.hash() != blocked.hash() && changed.hash() != blocked.hash());
}

#[test]
fn invalid_limits_are_refused() {
    let grid = Grid { width: 40, height: 30, boundary: Boundary::Periodic };
    let refused = |body: [u8; 2], smallest: [u8; 2], largest: [u8; 2]| {
        let (world, mut pedestrians) = without_walls(grid, &[0], &[0], &[body]);
        pedestrians.limits = vec![BodyLimits { smallest, largest }];
        let tables = FieldTables::new(&FieldParameters::default()).unwrap();
        let error = CpuBodies::new(world, tables, pedestrians, 1, 0).err();
        error.map(|error| error.to_string()).unwrap_or_default()
    };
    for (message, expected) in [
        (
            refused([1, 2], [2, 1], [3, 3]),
            "pedestrian 0: a body of 1 x 2 space units\n    give 2 to 3 columns and 1 to 3 rows, its limits",
        ),
        (refused([3, 3], [1, 1], [3, 2]), "give 1 to 3 columns and 1 to 2 rows, its limits"),
        (refused([1, 1], [1, 0], [2, 2]), "pedestrian 0: a body of 1 x 0 space units\n    give 1 to 40 columns"),
        (refused([1, 1], [1, 1], [2, 12]), "body_su: 2 x 12\n    give sides of at most 11 space units"),
        (refused([1, 1], [1, 1], [1, 5]), "field_size: a field of 35 space units about a body of 5"),
    ] {
        assert!(message.contains(expected), "{message}");
    }
    let error = |squeeze_after_ticks: u32| {
        FieldTables::new(&FieldParameters { squeeze_after_ticks, ..FieldParameters::default() }).err()
    };
    for ticks in [0, 1001, u32::MAX] {
        let expected = format!("squeeze_after_ticks: {ticks}\n    give 1 to 1000 ticks");
        assert!(error(ticks).unwrap().to_string().contains(&expected));
    }
    assert!(error(1000).is_none());
    // Columns of wrong length.
    let (world, mut pedestrians) = without_walls(grid, &[0, 50], &[0, 0], &[[1, 1], [1, 1]]);
    pedestrians.limits = vec![BodyLimits { smallest: [1, 1], largest: [2, 2] }];
    pedestrians.blocked = vec![0; 3];
    let error = pedestrians.occupants(&world).unwrap_err().to_string();
    for name in ["limits: 1 values", "blocked: 3 values"] {
        assert!(error.contains(name), "{error}");
    }
}
