//! Properties of larger crowds: no overlaps over many steps, the same decisions on any number of threads, dense
//! packings, and input errors.

use throng_collision::{CELL, Crowd, Lattice, MAX_STEP, MIN_RADIUS, Options, Radii, Rule, Scene, World};
use throng_core::{Philox, StateHash};
use throng_device::CPU;
use throng_device::neighbours::{Boundary, CellLists, UniformGrid};

/// Creates discs on a jittered lattice that cover a fraction of the world.
fn crowd(columns: i32, fraction: f64, boundary: Boundary) -> (Scene, [Vec<i32>; 2]) {
    let radius = f64::from(MIN_RADIUS);
    let spacing = (radius * (std::f64::consts::PI / fraction).sqrt()) as i32;
    let jitter = (spacing - 2 * MIN_RADIUS).max(1) as u32;
    let draws = Philox::new(9);
    let place = |axis: u32| {
        let at = |disc: i32| {
            let cell = if axis == 0 { disc % columns } else { disc / columns };
            MIN_RADIUS + cell * spacing + draws.below(jitter, disc as u32, 0, axis, 0) as i32
        };
        (0..columns * columns).map(at).collect::<Vec<i32>>()
    };
    let side = columns * spacing + MIN_RADIUS;
    let world = World::new([side, side], boundary).unwrap();
    (Scene { world, walls: vec![], radii: Radii::equal((columns * columns) as usize) }, [place(0), place(1)])
}

fn random_wishes(check: &Crowd, length: i32, step: u32) -> [Vec<i32>; 2] {
    let draws = Philox::new(5);
    let reach = length * 7 / 10;
    [0, 1].map(|axis| {
        let wish = |(disc, at): (usize, &i32)| {
            at + draws.below(2 * reach as u32 + 1, disc as u32, step, axis as u32, 0) as i32 - reach
        };
        check.positions().unwrap()[axis].iter().enumerate().map(wish).collect()
    })
}

fn slices(columns: &[Vec<i32>; 2]) -> [&[i32]; 2] {
    columns.each_ref().map(Vec::as_slice)
}

/// Returns the smallest distance between two centres, found with cell lists instead of the grid of the check.
fn smallest_distance(scene: &Scene, at: &[Vec<i32>; 2]) -> f64 {
    let reach = 2 * MIN_RADIUS as u32;
    let grid =
        UniformGrid::covering([0, 0], scene.world.size().map(|s| s as u32), reach, scene.world.boundary()).unwrap();
    let mut lists = CellLists::new(grid, at[0].len()).unwrap();
    lists.build(&slices(at));
    let mut smallest = f64::INFINITY;
    for disc in 0..at[0].len() {
        for other in lists.around(at[0][disc], at[1][disc], 0).filter(|&other| other as usize != disc) {
            let dx = f64::from(grid.offset_x(at[0][disc], at[0][other as usize]));
            let dy = f64::from(grid.offset_y(at[1][disc], at[1][other as usize]));
            smallest = smallest.min((dx * dx + dy * dy).sqrt());
        }
    }
    smallest
}

fn hash(check: &Crowd) -> u64 {
    let mut hash = StateHash::new();
    let at = check.positions().unwrap();
    for (disc, accepted) in check.granted().unwrap().iter().enumerate() {
        hash.add(disc as u64, &[at[0][disc] as u64, at[1][disc] as u64, u64::from(*accepted)]);
    }
    hash.finish()
}

#[test]
fn crowds_of_any_density_stay_clear_and_depend_on_no_threads() {
    for (fraction, length) in [(0.05, MAX_STEP), (0.2, 1024), (0.45, CELL), (0.7, 2048)] {
        for boundary in [Boundary::Closed, Boundary::Periodic] {
            let (scene, at) = crowd(70, fraction, boundary);
            for rule in Rule::ALL {
                let mut hashes = vec![];
                for (threads, bounded) in [(1, true), (2, true), (7, true), (3, false)] {
                    let options = Options { rule, seed: 2, longest_step: bounded.then_some(length), lattice: None };
                    let pool = throng_core::thread_pool(threads).unwrap();
                    hashes.push(pool.install(|| {
                        let mut check = Crowd::in_units(scene.clone(), at.clone(), Vec::new(), options, &CPU).unwrap();
                        let mut granted = 0;
                        for step in 0..12 {
                            let wishes = random_wishes(&check, length, step);
                            granted += check.step(slices(&wishes)).unwrap();
                            let distance = smallest_distance(&scene, &check.positions().unwrap());
                            let touching = f64::from(2 * MIN_RADIUS);
                            assert!(distance >= touching, "{rule:?} {fraction}, step {step}: {distance}");
                        }
                        assert!(granted > 0, "{rule:?} {fraction}");
                        hash(&check)
                    }));
                }
                assert!(hashes.iter().all(|&hash| hash == hashes[0]), "{rule:?} {fraction} {boundary:?}: {hashes:?}");
            }
        }
    }
}

/// The densest packing: each disc touches six others, and no disc can move unless all move together.
#[test]
fn the_densest_crowd_moves_only_as_a_whole() {
    let (columns, rows) = (20, 20);
    // Rounded up, so that no two overlap; 2896 * sqrt(3) = 5016.02.
    let height = 5017;
    let world = World::new([columns * 2 * MIN_RADIUS, rows * height], Boundary::Periodic).unwrap();
    let x = |disc: i32| (disc % columns) * 2 * MIN_RADIUS + (disc / columns % 2) * MIN_RADIUS;
    let discs = columns * rows;
    let at = [(0..discs).map(x).collect::<Vec<_>>(), (0..discs).map(|disc| disc / columns * height).collect()];
    let scene = Scene { world, walls: vec![], radii: Radii::equal(discs as usize) };
    assert!(smallest_distance(&scene, &at) >= f64::from(2 * MIN_RADIUS));
    for (rule, expected) in [(Rule::Following, discs), (Rule::Sequential, 0), (Rule::Conservative, 0)] {
        let options = Options { rule, longest_step: Some(3000), ..Options::default() };
        let mut check = Crowd::in_units(scene.clone(), at.clone(), Vec::new(), options, &CPU).unwrap();
        let wishes = [at[0].iter().map(|x| x + 3000).collect::<Vec<_>>(), at[1].clone()];
        assert_eq!(check.step(slices(&wishes)).unwrap() as i32, expected, "{rule:?}");
        // A wish to stay is always granted.
        let stay = check.positions().unwrap().into_owned();
        assert_eq!(check.step(slices(&stay)).unwrap() as i32, discs, "{rule:?}");
    }
}

#[test]
fn exactly_one_disc_moves_to_a_contested_position() {
    let (scene, at) = crowd(30, 0.1, Boundary::Closed);
    let middle = scene.world.size().map(|side| side / 2);
    for rule in Rule::ALL {
        for seed in 0..5 {
            // Removes the discs that block the move of all.
            let is_away = |disc: &usize| (0..2).any(|axis| (at[axis][*disc] - middle[axis]).abs() > 2 * MIN_RADIUS);
            let kept: Vec<usize> = (0..at[0].len()).filter(is_away).collect();
            let at = at.each_ref().map(|axis| kept.iter().map(|&disc| axis[disc]).collect::<Vec<_>>());
            let scene = Scene { radii: Radii::equal(kept.len()), ..scene.clone() };
            let mut check =
                Crowd::in_units(scene, at, Vec::new(), Options { rule, seed, ..Options::default() }, &CPU).unwrap();
            let to = middle.map(|at| vec![at; kept.len()]);
            assert_eq!(check.step(slices(&to)).unwrap(), 1, "{rule:?}");
        }
    }
}

#[test]
fn empty_crowds_and_single_discs_are_supported() {
    let world = World::new([30_000, 30_000], Boundary::Periodic).unwrap();
    let none = Scene { world, walls: vec![], radii: Radii::equal(0) };
    let mut check = Crowd::in_units(none, [vec![], vec![]], Vec::new(), Options::default(), &CPU).unwrap();
    assert_eq!(check.step([&[], &[]]).unwrap(), 0);
    let one = Scene { world, walls: vec![], radii: Radii::equal(1) };
    let mut check = Crowd::in_units(one, [vec![5], vec![29_999]], Vec::new(), Options::default(), &CPU).unwrap();
    assert_eq!(check.step([&[-5], &[30_004]]).unwrap(), 1);
    assert_eq!(*check.positions().unwrap(), [vec![29_995], vec![4]]);
}

fn refusal<T, E: std::fmt::Display>(result: Result<T, E>) -> String {
    result.err().expect("refused").to_string()
}

#[test]
fn invalid_starts_are_refused_with_all_pairs_and_a_remedy() {
    let lattice = Lattice::of_smallest_radius(0.5).unwrap();
    let world = World::new([lattice.units(10.0), lattice.units(10.0)], Boundary::Closed).unwrap();
    let start = |at: [&[f64]; 2], walls: &[[[f64; 2]; 2]]| {
        let units = |value: &f64| lattice.units(*value);
        let at = at.map(|axis| axis.iter().map(units).collect::<Vec<_>>());
        let walls = walls.iter().map(|ends| ends.map(|end| end.map(|value| lattice.units(value)))).collect();
        let scene = Scene { world, walls, radii: Radii::equal(at[0].len()) };
        Crowd::in_units(scene, at, Vec::new(), Options { lattice: Some(lattice), ..Options::default() }, &CPU)
    };
    let error = refusal(start([&[2.0, 2.9, 8.0, 8.0], &[5.0, 5.0, 1.0, 1.5]], &[]));
    assert!(error.contains("disc 0 at 2.0000 m, 5.0000 m: overlaps with disc 1 at 2.9000 m, 5.0000 m"), "{error}");
    assert!(error.contains("move one of them 0.1002 m away") && error.contains("0.5002 m away"), "{error}");
    assert!(start([&[2.0, 3.0], &[5.0, 5.0]], &[]).is_ok(), "discs may touch");
    let error = refusal(start([&[0.4, 5.0], &[5.0, 9.6]], &[]));
    assert!(error.contains("disc 0 at 0.4000 m, 5.0000 m: is not within the world"), "{error}");
    assert!(error.contains("with x from 0.5000 m to 9.5000 m, and y from 0.5000 m to 9.5000 m"), "{error}");
    let error = refusal(start([&[5.0], &[5.0]], &[[[4.0, 5.4], [6.0, 5.4]]]));
    assert!(error.contains("move it until its centre is at least 0.5000 m from every wall"), "{error}");
    let error = refusal(start([&[5.0], &[5.0, 7.0]], &[]));
    assert!(error.starts_with("positions: [1, 2] for 1 discs"), "{error}");
}

#[test]
fn invalid_wishes_are_refused_and_nothing_moves() {
    let (scene, at) = crowd(5, 0.1, Boundary::Periodic);
    let discs = at[0].len();
    let options = Options { longest_step: Some(1000), ..Options::default() };
    let mut check = Crowd::in_units(scene.clone(), at.clone(), Vec::new(), options, &CPU).unwrap();
    let mut far = at.clone();
    far[0][3] += 1001;
    let error = refusal(check.step(slices(&far)));
    assert!(
        error.starts_with(&format!("disc 3 at {} units, {} units: wishes to be at", at[0][3], at[1][3])),
        "{error}"
    );
    assert!(error.contains("at most 1000 units") && *check.positions().unwrap() == at, "{error}");
    far[0][3] -= 1;
    assert_eq!(check.step(slices(&far)).unwrap(), discs);
    assert!(refusal(check.step([&at[0][1..], &at[1]])).starts_with("wishes: [24, 25] for 25 discs"));
    let mut check = Crowd::in_units(scene.clone(), at.clone(), Vec::new(), Options::default(), &CPU).unwrap();
    far[1][7] = i32::MAX;
    let error = refusal(check.step(slices(&far)));
    assert!(error.starts_with("disc 7 at") && error.contains("wish for a position at most"), "{error}");
    for longest in [-1, MAX_STEP + 1] {
        let options = Options { longest_step: Some(longest), ..Options::default() };
        let error = refusal(Crowd::in_units(scene.clone(), at.clone(), Vec::new(), options, &CPU));
        assert!(error.starts_with(&format!("longest step: {longest} units\n")), "{error}");
    }
    let error = refusal(Radii::of_each(vec![MIN_RADIUS, 0, 4 * MIN_RADIUS + 1]));
    assert!(error.contains("disc 1, radius: 0 units\n    give a radius from 2896 units to 11584 units"), "{error}");
    assert!(error.contains("disc 1, radius: 0 units") && error.contains("disc 2, radius: 11585 units"), "{error}");
}
