use proptest::prelude::*;
use throng_core::{InputError, Philox, StateHash};
use throng_device::neighbours::Boundary;

use super::*;
use crate::cpu::CpuCrowd;
use crate::{CELL, MIN_RADIUS, Options, Radii, Rule, Scene, Wall, World, oracle};

/// Creates discs at random points of a lattice, or clustered in a corner of the world.
fn crowd(side: i32, discs: usize, ratio: i32, boundary: Boundary, clustered: bool) -> (Scene, [Vec<i32>; 2]) {
    let draws = Philox::new(4);
    let radii: Vec<i32> = (0..discs as u32)
        .map(|i| MIN_RADIUS + draws.below(((ratio - 1) * MIN_RADIUS + 1) as u32, i, 0, 0, 0) as i32)
        .collect();
    let spacing = 2 * ratio * MIN_RADIUS + 300;
    let columns = (side - ratio * MIN_RADIUS) / spacing;
    let mut order: Vec<u32> = (0..(columns * columns) as u32).collect();
    if clustered {
        order.sort_by_key(|place| (place % columns as u32).max(place / columns as u32));
    } else {
        order.sort_by_key(|&place| draws.block([place, 0, 1, 0]));
    }
    let place = |axis: usize, disc: usize| {
        let cell = order[disc] as i32;
        ratio * MIN_RADIUS + (if axis == 0 { cell % columns } else { cell / columns }) * spacing
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
        for rule in Rule::ALL {
            let options = Options { rule, seed: 3, longest_step: Some(longest), lattice: None };
            let mut whole = CpuCrowd::new(scene.clone(), at.clone(), options).unwrap();
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
                    // The merged hashes of the domains equal the hash of the whole crowd.
                    let mut all = StateHash::new();
                    check.snapshots().iter().for_each(|snapshot| all.merge(snapshot.hash()));
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

/// A ring of discs around the corner where four domains meet: each disc requests the position of the next.
#[test]
fn rings_and_queues_cross_the_borders_of_domains() {
    let (side, discs) = (200_000, 24);
    let world = World::new([side, side], Boundary::Closed).unwrap();
    let scene = Scene { world, walls: vec![], radii: Radii::equal(discs) };
    let (middle, steps) = (side / 2, 6);
    // A square with six steps along each side.
    let length = 2 * MIN_RADIUS + 10;
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
fn checks_resume_from_snapshots() {
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
    let unbounded = Options::default();
    let error = DomainCheck::new(scene, check.at().clone(), unbounded, 2).unwrap_err().to_string();
    assert!(error.starts_with("longest step: steps of any length\n"), "{error}");
}

#[test]
fn domains_refuse_discs_outside_the_world() {
    for boundary in [Boundary::Closed, Boundary::Periodic] {
        let world = World::new([400_000, 400_000], boundary).unwrap();
        for at in [[-5, 5_000], [400_000, 5_000], [5_000, i32::MIN], [i32::MAX, i32::MAX]] {
            let scene = Scene { world, walls: vec![], radii: Radii::equal(1) };
            let (at, bounded) = (at.map(|place| vec![place]), Options { longest_step: Some(10), ..Options::default() });
            let error = DomainCheck::new(scene.clone(), at.clone(), bounded, 4).unwrap_err().to_string();
            assert!(error.contains("is not within the world"), "{error}");
            assert_eq!(error, CpuCrowd::new(scene, at, bounded).unwrap_err().to_string());
        }
    }
}

/// Creates the check in domains with these rectangles.
fn restored(
    scene: &Scene,
    options: Options,
    at: &[Vec<i32>; 2],
    rectangles: &[Rectangle],
) -> Result<DomainCheck, InputError> {
    let discs = |rectangle: &Rectangle| {
        let all = (0..at[0].len()).map(|id| SnapshotDisc {
            id: id as u32,
            at: [at[0][id], at[1][id]],
            radius: scene.radii.of(id),
        });
        all.filter(|disc| rectangle.owns(disc.at)).collect()
    };
    let snapshot = |&rectangle: &Rectangle| Snapshot { rectangle, discs: discs(&rectangle), steps: 0 };
    DomainCheck::restore(scene.clone(), options, rectangles.iter().map(snapshot).collect())
}

/// A change that makes snapshots invalid.
type Change<'c> = &'c dyn Fn(&mut Vec<Snapshot>);

#[test]
fn inconsistent_snapshots_are_refused() {
    let (scene, at) = crowd(300_000, 400, 2, Boundary::Closed, false);
    let options = Options { longest_step: Some(4000), ..Options::default() };
    let check = DomainCheck::new(scene.clone(), at, options, 4).unwrap();
    let refused = |change: &dyn Fn(&mut Vec<Snapshot>)| {
        let mut snapshots = check.snapshots();
        change(&mut snapshots);
        DomainCheck::restore(scene.clone(), options, snapshots).unwrap_err().to_string()
    };
    let cases: [(&str, Change<'_>); 11] = [
        ("they cover ", &|all| drop(all.pop())),
        ("they cover 0 of 5476 cells", &|all| all.clear()),
        ("overlaps with the rectangle of domain 0", &|all| all.extend(all.clone())),
        ("overlaps with the rectangle of domain 0", &|all| all[1].rectangle = all[0].rectangle),
        ("is not within [74, 74] cells", &|all| all[1].rectangle.to = [-100, i32::MIN]),
        ("is not within [74, 74] cells", &|all| all[1].rectangle.to[1] = i32::MAX),
        ("domain 1, steps: 1 steps, domain 0 has made 0", &|all| all[1].steps = 1),
        ("is outside its domain", &|all| {
            let disc = all[1].discs.swap_remove(0);
            all[0].discs.push(disc);
        }),
        ("is in two domains", &|all| {
            let disc = all[1].discs[0];
            all[1].discs.push(disc);
        }),
        ("1 of 400 are missing", &|all| {
            all[2].discs.pop();
        }),
        ("in the scene", &|all| all[3].discs[0].radius = 1),
    ];
    for (expected, change) in cases {
        let error = refused(change);
        assert!(error.contains(expected), "{expected}: {error}");
    }
    assert!(refused(&|all| all[0].discs[0].id = 400).contains("there are 400 discs"));
    assert!(refused(&|all| all[0].discs[0].at = [i32::MIN, i32::MAX]).contains("is outside its domain"));
}

/// Two discs, one on each side of a border, at the maximum distance of a conflict: both move by the longest step, and
/// would overlap by one unit.
#[test]
fn ghost_regions_contain_the_farthest_conflict() {
    let (side, border) = (400_000, 40);
    let longest = 5000;
    let world = World::new([side, side], Boundary::Closed).unwrap();
    let cells = (side - 1) / CELL + 1;
    let rectangles =
        [Rectangle { from: [0, 0], to: [border, cells] }, Rectangle { from: [border, 0], to: [cells, cells] }];
    let (mut lost, mut cases) = ([0, 0], 0);
    for radii in [[1, 1], [1, 4], [4, 1], [4, 4]].map(|radii| radii.map(|radius| radius * MIN_RADIUS)) {
        // The disc at the border is the left or the right one.
        for left_is_at_border in [true, false] {
            let apart = 2 * longest + radii[0] + radii[1] - 1;
            let left = if left_is_at_border { border * CELL - 1 } else { border * CELL - apart };
            let at = [vec![left, left + apart], vec![side / 2, side / 2]];
            let to = [vec![left + longest, left + apart - longest], at[1].clone()];
            let scene = Scene { world, walls: vec![], radii: Radii::of_each(radii.to_vec()).unwrap() };
            for rule in Rule::ALL {
                for seed in 0..8 {
                    let options = Options { rule, seed, longest_step: Some(longest), lattice: None };
                    let mut check = restored(&scene, options, &at, &rectangles).unwrap();
                    assert!(check.snapshots().iter().all(|snapshot| snapshot.discs.len() == 1));
                    assert_eq!(check.step(slices(&to)).unwrap(), 1, "{radii:?} {left_is_at_border} {rule:?} {seed}");
                    assert_eq!(oracle::overlaps(&scene, slices(check.at())), Vec::<[usize; 2]>::new());
                    lost[usize::from(check.accepted()[0])] += 1;
                    cases += 1;
                }
            }
        }
    }
    assert!(lost[0] > cases / 4 && lost[1] > cases / 4, "each of the two wins at times: {lost:?}");
}

/// A row of discs that follow each other through three domains, behind a free position or behind a disc that stays.
#[test]
fn queues_through_three_domains_match_the_whole_crowd() {
    let (side, discs, cells) = (400_000, 60, 98);
    let world = World::new([side, side], Boundary::Closed).unwrap();
    let rectangle = |from: i32, to: i32| Rectangle { from: [from, 0], to: [to, cells] };
    let rectangles = [rectangle(0, 30), rectangle(30, 60), rectangle(60, cells)];
    let length = 2 * MIN_RADIUS;
    for is_blocked in [false, true] {
        for rule in Rule::ALL {
            let options = Options { rule, longest_step: Some(length), ..Options::default() };
            let scene = Scene { world, walls: vec![], radii: Radii::equal(discs) };
            let at = [(0..discs as i32).map(|i| 10_000 + i * length).collect(), vec![side / 2; discs]];
            let step = |disc: usize| if is_blocked && disc == discs - 1 { 0 } else { length };
            let to = [at[0].iter().enumerate().map(|(disc, at)| at + step(disc)).collect(), at[1].clone()];
            let mut check = restored(&scene, options, &at, &rectangles).unwrap();
            assert!(check.snapshots().iter().all(|snapshot| snapshot.discs.len() > 10));
            let mut whole = CpuCrowd::new(scene, at, options).unwrap();
            let moved = check.step(slices(&to)).unwrap();
            assert_eq!((moved, check.accepted()), (whole.step(slices(&to)).unwrap(), whole.accepted()));
            match (rule, is_blocked) {
                (Rule::Following, false) => assert_eq!(moved, discs),
                // Only the first disc's wish is granted; if the row is blocked, it is a wish to stay.
                (Rule::Following, true) | (Rule::Conservative, _) => assert_eq!(moved, 1),
                (Rule::Sequential, _) => assert!(moved < discs),
            }
        }
    }
}

/// Wishes to stay are granted, even to discs that lose a target conflict.
#[test]
fn wishes_to_stay_are_granted_to_losers_of_a_conflict() {
    let world = World::new([100_000; 2], Boundary::Closed).unwrap();
    let at = [vec![20_000, 30_000], vec![50_000; 2]];
    let mut staying_loser_was_blocked = false;
    for rule in Rule::ALL {
        for seed in 0..8 {
            let options = Options { rule, seed, longest_step: Some(10_000), lattice: None };
            let scene = Scene { world, walls: vec![], radii: Radii::equal(2) };
            let mut whole = CpuCrowd::new(scene.clone(), at.clone(), options).unwrap();
            let moved = whole.step([&[30_000, 30_000], &[50_000; 2]]).unwrap();
            assert_eq!((moved, whole.accepted()), (1, &[false, true][..]), "{rule:?} {seed}");
            for domains in [1, 2, 4] {
                let mut check = DomainCheck::new(scene.clone(), at.clone(), options, domains).unwrap();
                assert_eq!(check.step([&[30_000, 30_000], &[50_000; 2]]).unwrap(), 1, "{rule:?} {seed} {domains}");
                assert_eq!(check.accepted(), whole.accepted());
            }
            let draw = |disc| throng_core::Philox::new(seed).block([disc, 0, 1, 0])[0];
            staying_loser_was_blocked |= rule == Rule::Following && draw(0) < draw(1);
        }
    }
    assert!(staying_loser_was_blocked);
}

/// Decisions depend on the id of a disc, not on its index in memory.
#[test]
fn the_order_of_discs_in_memory_does_not_matter() {
    let (scene, at, to) = super::super::tests::crowd(4, 300, 150_000, 2, 3000, Boundary::Periodic);
    for rule in Rule::ALL {
        let options = Options { rule, seed: 5, longest_step: Some(3000), lattice: None };
        let mut whole = CpuCrowd::new(scene.clone(), at.clone(), options).unwrap();
        whole.step(slices(&to)).unwrap();
        let mut snapshots = DomainCheck::new(scene.clone(), at.clone(), options, 2).unwrap().snapshots();
        for snapshot in &mut snapshots {
            snapshot.discs.reverse();
        }
        snapshots.reverse();
        let mut check = DomainCheck::restore(scene.clone(), options, snapshots).unwrap();
        check.step(slices(&to)).unwrap();
        assert_eq!((check.accepted(), check.at()), (whole.accepted(), whole.at()), "{rule:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(throng_testing::cases(8)))]

    #[test]
    fn partitions_cover_the_world_with_even_loads(
        width in 60i32..300, height in 60i32..300, narrow in 0i32..CELL, seed in 0u64..1000, discs in 1u32..3000,
        clusters in 0u32..4, domains in 1usize..20
    ) {
        let world = World::new([width, height].map(|cells| cells * CELL - narrow), Boundary::Periodic).unwrap();
        let draws = Philox::new(seed);
        let place = |disc: u32, axis: usize| {
            let draw = |purpose: u32, below: i32| draws.below(below as u32, disc, 0, purpose + axis as u32, 0) as i32;
            let size = world.size()[axis];
            if clusters == 0 {
                return draw(0, size);
            }
            // Within a tenth of the world around the centre of a cluster.
            let centre = draws.below(size as u32, disc % clusters, 1, axis as u32, 0) as i32;
            (centre + draw(2, size / 10) - size / 20).clamp(0, size - 1)
        };
        let discs: Vec<([i32; 2], f64)> =
            (0..discs).map(|disc| ([place(disc, 0), place(disc, 1)], f64::from(disc % 3 + 1))).collect();
        let partition = Partition::bisect(&world, domains, &discs).unwrap();
        prop_assert_eq!(partition.rectangles().len(), domains);
        // `of` rejects rectangles that do not cover every cell of the world exactly once.
        prop_assert_eq!(Partition::of(&world, partition.rectangles().to_vec()).unwrap(), partition.clone());
        let reversed: Vec<_> = discs.iter().rev().copied().collect();
        prop_assert_eq!(Partition::bisect(&world, domains, &reversed).unwrap(), partition.clone());
        // A cut misses its proportion by at most a line of cells, and a domain results from at most log2(`domains`)
        // cuts, rounded up.
        let mut lines = [vec![0.0; width as usize], vec![0.0; height as usize]];
        let mut loads = vec![0.0; domains];
        for (at, load) in &discs {
            loads[partition.domain_of(*at)] += load;
            (0..2).for_each(|axis| lines[axis][(at[axis] / CELL) as usize] += load);
        }
        let heaviest = lines.iter().flatten().fold(0.0, |heaviest: f64, line| heaviest.max(*line));
        let cuts = f64::from(domains.next_power_of_two().ilog2());
        let mean = loads.iter().sum::<f64>() / domains as f64;
        for load in &loads {
            prop_assert!((load - mean).abs() <= cuts * heaviest + 1e-9, "{:?}, line {}", loads, heaviest);
        }
    }

    #[test]
    fn neighbours_are_the_domains_within_reach_of_a_position(
        width in 6i32..60, height in 6i32..60, narrow in 0i32..CELL, distance in 0i32..56_000, domains in 2usize..20,
        seed in 0u64..1000, periodic: bool
    ) {
        let boundary = if periodic { Boundary::Periodic } else { Boundary::Closed };
        let world = World::new([width, height].map(|cells| cells * CELL - narrow / 4), boundary).unwrap();
        let draws = Philox::new(seed);
        let place = |i: u32| [0, 1].map(|axis| draws.below(world.size()[axis] as u32, i, 0, axis as u32, 0) as i32);
        let discs: Vec<_> = (0..40).map(|i| (place(i), 1.0)).collect();
        let partition = Partition::bisect(&world, domains, &discs).unwrap();
        let neighbours: Vec<Vec<usize>> = (0..partition.rectangles().len())
            .map(|domain| partition.neighbours(&world, domain, distance))
            .collect();
        for (domain, near) in neighbours.iter().enumerate() {
            prop_assert!(near.iter().all(|&other| other != domain && neighbours[other].contains(&domain)));
        }
        for at in (40..400).map(place) {
            let owner = partition.domain_of(at);
            for (other, rectangle) in partition.rectangles().iter().enumerate().filter(|(other, _)| *other != owner) {
                // By definition: the distance to the nearest position of the rectangle.
                let is_near = [world.x, world.y].into_iter().zip(0..).all(|(axis, number)| {
                    let positions = rectangle.from[number] * CELL..(rectangle.to[number] * CELL).min(axis.size);
                    let nearest = positions.step_by(64).map(|position| axis.offset(at[number], position).abs()).min();
                    nearest.unwrap() + 64 <= distance
                });
                prop_assert!(!is_near || rectangle.is_within(&world, at, distance));
                prop_assert!(!rectangle.is_within(&world, at, distance) || neighbours[owner].contains(&other));
            }
        }
    }
}

#[test]
fn the_number_of_domains_is_limited_by_the_cells() {
    let world = World::new([23_168, 23_168], Boundary::Closed).unwrap();
    let discs = [([3000, 3000], 1.0), ([20_000, 4000], 5.0)];
    for domains in 0..40 {
        let partition = Partition::bisect(&world, domains, &discs).unwrap();
        assert_eq!(partition.rectangles().len(), domains.clamp(1, 36));
        assert_eq!(Partition::of(&world, partition.rectangles().to_vec()).unwrap(), partition);
    }
    let error = Partition::bisect(&world, MAX_DOMAINS + 1, &discs).unwrap_err().to_string();
    assert!(error.starts_with("domains: 1025\n"), "{error}");
    // One domain per cell of a world in which all domains are neighbours of each other.
    let scene = Scene { world, walls: vec![], radii: Radii::equal(2) };
    let at = [vec![5000, 15_000], vec![5000, 5000]];
    let options = Options { longest_step: Some(4000), ..Options::default() };
    let mut check = DomainCheck::new(scene, at, options, 36).unwrap();
    assert_eq!(check.step([&[9000, 11_000], &[5000, 5000]]).unwrap(), 1);
    assert_eq!(check.loads().iter().map(|load| load.discs).sum::<u64>(), 2);
}

#[test]
fn the_world_is_divided_again_if_the_savings_exceed_the_cost() {
    let load = |discs| Load { discs, ..Load::default() };
    let uneven = [load(1000), load(100), load(100), load(100)];
    let (good, useless) = (Prediction { largest: 325.0, migrants: 675 }, Prediction { largest: 1000.0, migrants: 1 });
    let expensive = Prediction { largest: 325.0, migrants: 17_000 };
    assert!((Balance::imbalance(&uneven) - 1000.0 / 325.0).abs() < 1e-12);
    let divided = |prediction: Prediction| {
        let mut balance = Balance::default();
        (1..=25).filter(|_| balance.should_divide(&uneven, || prediction)).collect::<Vec<usize>>()
    };
    assert_eq!(divided(good), [10, 20]);
    // The expensive partition saves 675 in each of 100 steps, at a cost of 4 times 17,000.
    assert_eq!((divided(useless), divided(expensive)), (vec![], vec![]));
    let even = [load(1000), load(960), load(1000), load(1000)];
    assert!((0..50).all(|_| !Balance::default().should_divide(&even, || good)) && Balance::imbalance(&[]) == 1.0);
    let mut balance = Balance::default();
    let mut divides = |loads: &[Load]| balance.should_divide(loads, || good);
    assert!((0..9).all(|_| !divides(&uneven)) && !divides(&even));
    assert!((0..9).all(|_| !divides(&uneven)) && divides(&uneven));
    let ghosts = [Load { discs: 30, ghosts: 5, ..Load::default() }, Load { discs: 10, ghosts: 5, ..Load::default() }];
    assert_eq!((Balance::ghost_share(&ghosts), Balance::ghost_share(&[])), (0.25, 0.0));
}

#[test]
fn steps_beyond_the_longest_step_move_no_disc() {
    let (scene, at) = crowd(300_000, 200, 1, Boundary::Closed, false);
    let options = Options { longest_step: Some(4000), ..Options::default() };
    let mut check = DomainCheck::new(scene.clone(), at.clone(), options, 4).unwrap();
    let mut whole = CpuCrowd::new(scene, at.clone(), options).unwrap();
    let mut to = wishes(&at, 4000, 0);
    to[0][7] = if at[0][7] > 150_000 { at[0][7] - 4001 } else { at[0][7] + 4001 };
    let error = check.step(slices(&to)).unwrap_err().to_string();
    assert!(error.starts_with("disc 7 at ") && error.ends_with("wish for steps of at most 4000 units"), "{error}");
    // Steps of any length are possible only without domains.
    let without = whole.step(slices(&to)).unwrap_err().to_string();
    assert_eq!(without, format!("{error}, or allow steps of any length"));
    let options = Options { longest_step: Some(20_000), ..options };
    let refused = DomainCheck::new(check.scene().clone(), at.clone(), options, 4).unwrap_err().to_string();
    assert_eq!(refused, "longest step: 20000 units\n    give 0 to 16384 units");
    assert_eq!(check.at(), &at);
    let error = check.step([&[], &[]]).unwrap_err().to_string();
    assert!(error.starts_with("wishes: [0, 0] for 200 discs"), "{error}");
    // The failed step did not count, so the priorities are those of the first step.
    let to = wishes(&at, 4000, 0);
    assert_eq!(check.step(slices(&to)).unwrap(), whole.step(slices(&to)).unwrap());
    assert_eq!(check.accepted(), whole.accepted());
}
