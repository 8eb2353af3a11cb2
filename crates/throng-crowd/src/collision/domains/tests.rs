use throng_core::{Philox, StateHash};
use throng_device::neighbours::Boundary;

use super::*;
use crate::collision::{CollisionCheck, Options, Radii, Rule, SMALLEST_RADIUS, Scene, Wall, World, oracle};

const RULES: [Rule; 3] = [Rule::Sequential, Rule::Following, Rule::Conservative];

/// Discs at random places of a lattice; clustered ones are in a corner of the world only.
fn crowd(side: i32, discs: usize, ratio: i32, boundary: Boundary, clustered: bool) -> (Scene, [Vec<i32>; 2]) {
    let draws = Philox::new(4);
    let radii: Vec<i32> = (0..discs as u32)
        .map(|i| SMALLEST_RADIUS + draws.below(((ratio - 1) * SMALLEST_RADIUS + 1) as u32, i, 0, 0, 0) as i32)
        .collect();
    let spacing = 2 * ratio * SMALLEST_RADIUS + 300;
    let columns = (side - ratio * SMALLEST_RADIUS) / spacing;
    let mut order: Vec<u32> = (0..(columns * columns) as u32).collect();
    if clustered {
        order.sort_by_key(|place| (place % columns as u32).max(place / columns as u32));
    } else {
        order.sort_by_key(|&place| draws.block([place, 0, 1, 0]));
    }
    let place = |axis: usize, disc: usize| {
        let cell = order[disc] as i32;
        ratio * SMALLEST_RADIUS + (if axis == 0 { cell % columns } else { cell / columns }) * spacing
    };
    let at = [0, 1].map(|axis| (0..discs).map(|disc| place(axis, disc)).collect());
    let world = World::new([side, side], boundary).unwrap();
    (Scene { world, walls: vec![], radii: Radii::of_each(radii).unwrap() }, at)
}

fn wishes(at: &[Vec<i32>; 2], longest: i32, step: u32) -> [Vec<i32>; 2] {
    let draws = Philox::new(8);
    let reach = longest * 7 / 10;
    [0, 1].map(|axis| {
        let wish = |(disc, at): (usize, &i32)| {
            at + draws.below(2 * reach as u32 + 1, disc as u32, step, axis as u32, 0) as i32 - reach
        };
        at[axis].iter().enumerate().map(wish).collect()
    })
}

fn slices(columns: &[Vec<i32>; 2]) -> [&[i32]; 2] {
    columns.each_ref().map(Vec::as_slice)
}

fn hash_of(snapshot: &Snapshot) -> StateHash {
    let mut hash = StateHash::new();
    snapshot.discs.iter().for_each(|disc| hash.add(u64::from(disc.id), &disc.at.map(|at| at as u64)));
    hash
}

#[test]
fn the_partition_changes_no_decision() {
    for (case, boundary) in
        [Boundary::Closed, Boundary::Periodic, Boundary::Closed, Boundary::Periodic].into_iter().enumerate()
    {
        let (ratio, longest) = ([1, 1, 4, 2][case], [1000, 9000, 3000, 5000][case]);
        let (mut scene, at) = crowd(400_000, [500, 500, 220, 400][case], ratio, boundary, case % 2 == 1);
        if case == 0 {
            let wall: Wall = [[150, 399_000], [399_000, 399_900]];
            scene.walls = vec![wall];
        }
        for rule in RULES {
            let options = Options { rule, seed: 3, longest_step: Some(longest), lattice: None };
            let mut whole = CollisionCheck::new(scene.clone(), at.clone(), options).unwrap();
            let mut parts: Vec<DomainCheck> = [1, 2, 3, 4, 7, 9]
                .map(|domains| DomainCheck::new(scene.clone(), at.clone(), options, domains).unwrap())
                .into();
            let mut refused = 0;
            for step in 0..12 {
                let to = wishes(whole.at(), longest, step);
                let moved = whole.step(slices(&to)).unwrap();
                refused += at[0].len() - moved;
                for check in &mut parts {
                    let domains = check.partition().rectangles().len();
                    if step == 6 {
                        check.rebalance();
                    }
                    assert_eq!(check.step(slices(&to)).unwrap(), moved, "{rule:?}, {domains} domains, step {step}");
                    assert_eq!(check.accepted(), whole.accepted(), "{rule:?}, {domains} domains, step {step}");
                    assert_eq!(check.at(), whole.at());
                    // The hashes of the domains are that of the whole.
                    let mut all = StateHash::new();
                    check.snapshots().iter().for_each(|snapshot| all.merge(hash_of(snapshot)));
                    let mut expected = StateHash::new();
                    (0..at[0].len())
                        .for_each(|id| expected.add(id as u64, &[whole.at()[0][id] as u64, whole.at()[1][id] as u64]));
                    assert_eq!(all.finish(), expected.finish());
                }
            }
            assert!(refused > 20, "{refused} wishes were refused");
            assert_eq!(oracle::overlaps(&scene, slices(whole.at())), Vec::<[usize; 2]>::new());
        }
    }
}

/// A ring of discs about the corner at which four domains meet, each of which wishes for the place of the next.
#[test]
fn rings_and_queues_cross_the_borders_of_domains() {
    let (side, discs) = (200_000, 24);
    let world = World::new([side, side], Boundary::Closed).unwrap();
    let scene = Scene { world, walls: vec![], radii: Radii::equal(discs) };
    let (middle, steps) = (side / 2, 6);
    // The corners of a square with six steps along each side.
    let length = 2 * SMALLEST_RADIUS + 10;
    let at = |i: i32| {
        let (edge, along) = (i / steps, i % steps * length);
        let half = steps * length / 2;
        match edge {
            0 => [middle - half + along, middle - half],
            1 => [middle + half, middle - half + along],
            2 => [middle + half - along, middle + half],
            _ => [middle - half, middle + half - along],
        }
    };
    let start = [0, 1].map(|axis| (0..discs as i32).map(|i| at(i)[axis]).collect::<Vec<_>>());
    let next = [0, 1].map(|axis| (0..discs as i32).map(|i| at((i + 1) % discs as i32)[axis]).collect::<Vec<_>>());
    for (rule, expected) in [(Rule::Following, discs), (Rule::Conservative, 0), (Rule::Sequential, 0)] {
        let options = Options { rule, longest_step: Some(length), ..Options::default() };
        let mut check = DomainCheck::new(scene.clone(), start.clone(), options, 4).unwrap();
        let owners: std::collections::BTreeSet<usize> =
            (0..discs).map(|i| check.partition().domain_of([start[0][i], start[1][i]])).collect();
        assert_eq!(owners.len(), 4);
        assert_eq!(check.step(slices(&next)).unwrap(), expected, "{rule:?}");
    }
}

#[test]
fn a_check_goes_on_from_snapshots() {
    let (scene, at) = crowd(300_000, 400, 2, Boundary::Periodic, false);
    let options = Options { longest_step: Some(4000), ..Options::default() };
    let mut check = DomainCheck::new(scene.clone(), at, options, 5).unwrap();
    for step in 0..5 {
        let to = wishes(check.at(), 4000, step);
        check.step(slices(&to)).unwrap();
    }
    let mut restored = DomainCheck::restore(scene.clone(), options, check.snapshots()).unwrap();
    for step in 5..9 {
        let to = wishes(check.at(), 4000, step);
        assert_eq!(check.step(slices(&to)).unwrap(), restored.step(slices(&to)).unwrap());
        assert_eq!(check.at(), restored.at());
    }
    let mut lost = check.snapshots();
    lost.pop();
    let error = DomainCheck::restore(scene.clone(), options, lost).unwrap_err().to_string();
    assert!(error.starts_with("snapshots: ") && error.contains("of 400 discs"), "{error}");
    let twice = [check.snapshots(), check.snapshots()].concat();
    assert!(DomainCheck::restore(scene.clone(), options, twice).unwrap_err().to_string().contains("is in two domains"));
    let unbounded = Options::default();
    let error = DomainCheck::new(scene, check.at().clone(), unbounded, 2).unwrap_err().to_string();
    assert!(error.starts_with("longest step: steps of any length\n"), "{error}");
}

#[test]
fn each_cell_is_in_one_rectangle_and_loads_are_even() {
    for clustered in [false, true] {
        let (scene, at) = crowd(900_000, 4000, 1, Boundary::Closed, clustered);
        let weighed: Vec<([i32; 2], f64)> = at[0].iter().zip(&at[1]).map(|(&x, &y)| ([x, y], 1.0)).collect();
        for domains in 1..10 {
            let partition = Partition::bisect(&scene.world, domains, &weighed);
            assert_eq!(partition.rectangles().len(), domains);
            let mut owners = vec![0; scene.world.cells()];
            for rectangle in partition.rectangles() {
                for row in rectangle.from[1]..rectangle.to[1] {
                    for column in rectangle.from[0]..rectangle.to[0] {
                        owners[scene.world.cell(column, row) as usize] += 1;
                    }
                }
            }
            assert!(owners.iter().all(|&owners| owners == 1));
            let mut discs = vec![0; domains];
            for (at, _) in &weighed {
                discs[partition.domain_of(*at)] += 1;
            }
            let mean = 4000.0 / domains as f64;
            assert!(discs.iter().all(|&discs| (f64::from(discs) / mean - 1.0).abs() < 0.12), "{discs:?}");
        }
    }
}

#[test]
fn the_world_is_divided_again_when_that_pays() {
    let load = |discs| Load { discs, ..Load::default() };
    let uneven = [load(1000), load(100), load(100), load(100)];
    let mut balance = Balance::default();
    assert!((Balance::imbalance(&uneven) - 1000.0 / 325.0).abs() < 1e-12);
    let divided: Vec<usize> = (1..=25).filter(|_| balance.should_divide(&uneven)).collect();
    assert_eq!(divided, [10, 20]);
    let even = [load(1000), load(960), load(1000), load(1000)];
    assert!((0..50).all(|_| !Balance::default().should_divide(&even)) && Balance::imbalance(&[]) == 1.0);
    let mut balance = Balance::default();
    assert!((0..9).all(|_| !balance.should_divide(&uneven)) && !balance.should_divide(&even));
    assert!((0..9).all(|_| !balance.should_divide(&uneven)) && balance.should_divide(&uneven));
}
