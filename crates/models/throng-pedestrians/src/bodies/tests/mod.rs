mod sizes;

use throng_device::neighbours::Boundary;

use super::super::rules::directional::Reading;
use super::super::rules::fixed::ONE;
use super::super::rules::grid::Grid;
use super::super::{FieldParameters, FieldTables, Flow, Pedestrians, Reference, Start, Strength, World};
use super::views::BodiesOnFloor;
use super::*;

/// Creates a crowd of bodies of several sizes, as many as fit, in a world with some walls.
fn crowd(boundary: Boundary, seed: u64, bodies: &[[u8; 2]]) -> (World, Pedestrians) {
    let grid = Grid { width: 47, height: 41, boundary };
    let is_wall = |unit: u32| unit.wrapping_mul(2_654_435_761) >> 26 == 3;
    let world = World::new(grid, (0..47 * 41).map(is_wall).collect()).unwrap();
    let start = Start { density: 0.4, flow: Flow::Eight, periods: &[1, 3], seed }.pedestrians(&world).unwrap();
    let mut is_taken = world.is_wall.clone();
    let mut placed = Pedestrians::default();
    for (number, &at) in start.at.iter().enumerate() {
        let body = bodies[number % bodies.len()];
        let units: Vec<u32> = grid.rectangle(at, body).collect();
        if units.iter().all(|&unit| is_taken.get(unit as usize) == Some(&false)) {
            for unit in units {
                is_taken[unit as usize] = true;
            }
            placed.at.push(at);
            placed.bodies.push(body);
            placed.heading.push(start.heading[number]);
            placed.period.push(start.period[number]);
            placed.due.push(start.due[number]);
        }
    }
    (world, placed)
}

#[test]
fn executors_agree_with_the_reference() {
    let mixed: &[[u8; 2]] = &[[1, 1], [2, 2], [3, 1], [1, 1], [2, 3]];
    for (boundary, reading, bodies, size) in [
        (Boundary::Periodic, Reading::Heading, mixed, 7),
        (Boundary::Closed, Reading::Heading, mixed, 5),
        (Boundary::Closed, Reading::Cone, &[[3, 3], [1, 2]], 7),
        (Boundary::Periodic, Reading::Cone, &[[1, 1]], 7),
    ] {
        let (world, pedestrians) = crowd(boundary, 5, bodies);
        let parameters = FieldParameters {
            size,
            reading,
            obstacle_weight: 0.1,
            equal_speeds: size == 5,
            ..FieldParameters::default()
        };
        let tables = FieldTables::new(&parameters).unwrap();
        let name = format!("{boundary:?}, {reading:?}, {bodies:?}");
        let mut on_devices = on_devices(&world, &tables, &pedestrians);
        let mut reference = Reference::new(world.clone(), tables.clone(), pedestrians.clone(), 9, 0).unwrap();
        let plan = Plan::new(&world, &tables, &pedestrians).unwrap();
        let mut cpu = CpuBodies::new(world.clone(), tables.clone(), pedestrians, 9, 0).unwrap();
        let mut moved = 0;
        for tick in 0..40 {
            // Compare sums at free space units as well as inside other bodies.
            let (grid, occupants, pedestrians) = (world.grid(), reference.occupants(), reference.pedestrians());
            let floor = BodiesOnFloor { grid, occupants, pedestrians, plan: &plan, tables: &tables };
            for unit in (0..grid.units() as u32).step_by(13) {
                let heading = (unit + tick) % 8;
                let expected = reference.sums(unit, heading);
                assert_eq!(floor.sums(unit, heading), expected, "{name}, tick {tick}, {unit}");
            }
            let steps = reference.step();
            moved += steps;
            assert_eq!(cpu.step(), steps, "{name}, tick {tick}");
            assert_eq!(&cpu.pedestrians(), reference.pedestrians(), "{name}, tick {tick}");
            // Bodies neither overlap nor stand in walls.
            let occupants = reference.pedestrians().occupants(&world).unwrap();
            assert_eq!(occupants, reference.occupants(), "{name}, tick {tick}");
            for on_device in &mut on_devices {
                assert_eq!(&on_device(), reference.pedestrians(), "{name}, tick {tick}");
            }
        }
        assert!(moved > 100, "{name}: {moved}");
    }
}

/// Bodies of one space unit behave the same as with the other executors.
#[test]
fn small_bodies_are_ordinary_pedestrians() {
    let (world, pedestrians) = crowd(Boundary::Periodic, 3, &[[1, 1]]);
    let tables = FieldTables::new(&FieldParameters::default()).unwrap();
    let ordinary = Pedestrians { bodies: Vec::new(), ..pedestrians.clone() };
    let mut reference = Reference::new(world.clone(), tables.clone(), ordinary, 9, 0).unwrap();
    let mut bodies = CpuBodies::new(world, tables, pedestrians, 9, 0).unwrap();
    for tick in 0..40 {
        assert_eq!(bodies.step(), reference.step());
        let found = Pedestrians { bodies: Vec::new(), ..bodies.pedestrians() };
        assert_eq!(&found, reference.pedestrians(), "tick {tick}");
    }
}

fn without_walls(grid: Grid, at: &[u32], heading: &[u8], bodies: &[[u8; 2]]) -> (World, Pedestrians) {
    let count = at.len();
    let pedestrians = Pedestrians {
        at: at.to_vec(),
        heading: heading.to_vec(),
        period: vec![1; count],
        due: vec![0; count],
        bodies: bodies.to_vec(),
        ..Pedestrians::default()
    };
    (World::without_walls(grid).unwrap(), pedestrians)
}

/// The field of a body of 3 x 3, by hand: rings are three space units thick, so the field is 21 space units wide.
#[test]
fn fields_of_large_bodies_are_proportionally_larger() {
    let grid = Grid { width: 60, height: 40, boundary: Boundary::Closed };
    let tables = FieldTables::new(&FieldParameters::default()).unwrap();
    // The body covers columns 20 to 22 and rows 20 to 22.
    let (world, pedestrians) = without_walls(grid, &[20 * 60 + 20], &[0], &[[3, 3]]);
    let plan = Plan::new(&world, &tables, &pedestrians).unwrap();
    let occupants = pedestrians.occupants(&world).unwrap();
    let floor =
        BodiesOnFloor { grid: &grid, occupants: &occupants, pedestrians: &pedestrians, plan: &plan, tables: &tables };
    let read = |x: u32, y: u32| *floor.sums(y * 60 + x, 0).crowd;
    // East of the body, which is in the west (sector 4), at gaps of 1 to 3, 4 to 6, and 7 to 9.
    for (gaps, strength) in [(1..=3, ONE), (4..=6, 46_341), (7..=9, 37_837), (10..=12, 0)] {
        for gap in gaps {
            assert_eq!(read(22 + gap, 21), [0, 0, 0, 0, strength, 0, 0, 0], "{gap}");
            assert_eq!(read(21, 20 - gap), [0, 0, strength, 0, 0, 0, 0, 0], "{gap}");
        }
    }
    // At the corner of the second ring, the body is in the south-west.
    assert_eq!(read(27, 28), [0, 0, 0, 0, 0, 46_341, 0, 0]);
    // A pedestrian walking east attracts those behind it with the same heading.
    assert_eq!(floor.sums(21 * 60 + 17, 0).same[0], ONE);
}

/// A single body of 2 x 3 walks through a gap as high as itself, and stops in front of a lower or shifted one.
#[test]
fn bodies_enter_only_gaps_of_their_size() {
    let grid = Grid { width: 40, height: 25, boundary: Boundary::Closed };
    let walk = |gap: std::ops::Range<u32>| {
        let (_, pedestrians) = without_walls(grid, &[11 * 40 + 2], &[0], &[[2, 3]]);
        let is_wall = (0..40 * 25).map(|unit| unit % 40 == 15 && !gap.contains(&(unit / 40))).collect();
        let world = World::new(grid, is_wall).unwrap();
        let parameters = FieldParameters { size: 1, threshold: 0.9, ..FieldParameters::default() };
        let mut bodies = CpuBodies::new(world, FieldTables::new(&parameters).unwrap(), pedestrians, 1, 0).unwrap();
        for _ in 0..30 {
            bodies.step();
        }
        bodies.pedestrians().at[0]
    };
    // 30 steps; a body whose eastern column would enter the wall stops two columns before it.
    assert_eq!([walk(11..14), walk(11..13), walk(12..15)], [11 * 40 + 32, 11 * 40 + 13, 11 * 40 + 13]);
}

/// In a periodic world no larger than itself, a body that crosses the border returns to its own space units; in a world
/// of one row, its northern neighbours are its own space units.
#[test]
fn executors_agree_about_bodies_in_narrow_worlds() {
    for ([width, height], body, headings) in
        [([40, 2], [1, 2], [2, 0]), ([2, 40], [2, 1], [0, 1]), ([40, 1], [1, 1], [2, 3]), ([1, 40], [1, 1], [0, 5])]
    {
        let grid = Grid { width, height, boundary: Boundary::Periodic };
        let along = |place: u32| if height > width { place * width } else { place };
        let at: Vec<u32> = (0..40).filter(|place| place % 7 < 4).map(along).collect();
        let headings: Vec<u8> = (0..at.len()).map(|number| headings[number % 2]).collect();
        let (world, mut pedestrians) = without_walls(grid, &at, &headings, &vec![body; at.len()]);
        pedestrians.period = vec![2; at.len()];
        let parameters = FieldParameters { size: 1, side_weight: 0.1, threshold: -0.5, ..FieldParameters::default() };
        let tables = FieldTables::new(&parameters).unwrap();
        let mut on_devices = on_devices(&world, &tables, &pedestrians);
        let mut reference = Reference::new(world.clone(), tables.clone(), pedestrians.clone(), 9, 0).unwrap();
        let mut cpu = CpuBodies::new(world, tables, pedestrians, 9, 0).unwrap();
        for tick in 0..12 {
            let before = reference.pedestrians().at.clone();
            let steps = reference.step();
            assert_eq!(cpu.step(), steps, "{width} x {height}, tick {tick}");
            assert_eq!(&cpu.pedestrians(), reference.pedestrians(), "{width} x {height}, tick {tick}");
            // Pedestrians that moved are at another position afterwards.
            let elsewhere = before.iter().zip(&reference.pedestrians().at).filter(|(before, after)| before != after);
            assert_eq!(elsewhere.count(), steps, "{width} x {height}, tick {tick}");
            for on_device in &mut on_devices {
                assert_eq!(&on_device(), reference.pedestrians(), "{width} x {height}, tick {tick}");
            }
        }
    }
}

/// Long bodies side by side are far more numerous than an eighth of the space units of a ring: their fields sum up to
/// more than those of bodies of one space unit.
#[test]
fn fields_of_bodies_that_do_not_fit_in_32_bits_are_refused() {
    let grid = Grid { width: 120, height: 120, boundary: Boundary::Closed };
    let of = |factor: f64, crowd_weight: f64, body: [u8; 2]| {
        let crowd = Strength { factor, ..Strength::default() };
        let parameters = FieldParameters { crowd, crowd_weight, ..FieldParameters::default() };
        let tables = FieldTables::new(&parameters).unwrap();
        let (world, pedestrians) = without_walls(grid, &[0], &[0], &[body]);
        let refused = Plan::new(&world, &tables, &pedestrians).err().map(|error| error.to_string());
        let on_cpu = CpuBodies::new(world, tables, pedestrians, 1, 0).err().map(|error| error.to_string());
        assert_eq!(on_cpu, refused);
        refused.unwrap_or_default()
    };
    assert_eq!(of(200.0, 0.3, [1, 1]), "");
    let both = of(200.0, 0.3, [11, 1]);
    assert!(both.contains("crowd_strength: 200: strengths of a field sum up to "), "{both}");
    assert!(both.contains("\n    at most 8192: use a smaller factor"), "{both}");
    assert!(both.contains("weights: scores of up to ") && both.contains("at most 2048"), "{both}");
    // The sum fits, the score does not.
    let score = of(16.0, 1.0, [11, 1]);
    assert!(score.starts_with("weights: scores of up to "), "{score}");
    assert_eq!(of(3.0, 0.3, [11, 1]), "");
}

/// The scores of the densest accepted crowd of long bodies are computed without overflow.
#[test]
fn the_densest_crowd_of_long_bodies_decides() {
    let (width, height) = (120, 100);
    let grid = Grid { width, height, boundary: Boundary::Closed };
    let crowd = Strength { factor: 16.0, ..Strength::default() };
    let parameters = FieldParameters { crowd, crowd_weight: 0.25, ..FieldParameters::default() };
    let tables = FieldTables::new(&parameters).unwrap();
    // The southern half is full of bodies of 11 x 1.
    let at: Vec<u32> = (0..10 * height / 2).map(|i| i % 10 * 11 + i / 10 * width).collect();
    let count = at.len();
    let (world, pedestrians) = without_walls(grid, &at, &vec![6; count], &vec![[11, 1]; count]);
    let mut reference = Reference::new(world.clone(), tables.clone(), pedestrians.clone(), 1, 0).unwrap();
    let mut bodies = CpuBodies::new(world, tables, pedestrians, 1, 0).unwrap();
    // They want to go south, and are pushed north, out of the crowd.
    assert!(reference.step() >= 10);
    bodies.step();
    assert_eq!(bodies.pedestrians().at, reference.pedestrians().at);
}

#[test]
fn unsupported_settings_of_bodies_are_refused() {
    let grid = Grid { width: 40, height: 30, boundary: Boundary::Periodic };
    let refused = |change: fn(&mut FieldParameters), body: [u8; 2]| {
        let mut parameters = FieldParameters::default();
        change(&mut parameters);
        let (world, pedestrians) = without_walls(grid, &[0], &[0], &[body]);
        let error = CpuBodies::new(world, FieldTables::new(&parameters).unwrap(), pedestrians, 1, 0).err();
        error.map(|error| error.to_string()).unwrap_or_default()
    };
    for (message, start) in [
        (refused(|_| {}, [12, 1]), "body_su: 12 x 1\n    give sides of at most 11 space units"),
        (refused(|_| {}, [0, 1]), "pedestrian 0: a body of 0 x 1 space units"),
        (refused(|_| {}, [5, 1]), "field_size: a field of 35 space units about a body of 5"),
        (refused(|p| p.exchange_ticks = 1, [2, 2]), "exchange_ticks: exchanges of places by bodies"),
        (refused(|p| p.trace_decay = 3, [2, 2]), "trace_decay: traces of bodies"),
    ] {
        assert!(message.starts_with(start), "{message}");
    }
    assert_eq!(refused(|_| {}, [4, 4]), "");
}

/// Returns for each device a function that simulates a tick and returns the pedestrians.
#[cfg(feature = "gpu")]
fn on_devices(world: &World, tables: &FieldTables, pedestrians: &Pedestrians) -> Vec<Box<dyn FnMut() -> Pedestrians>> {
    let start = |device: &'static std::sync::Arc<throng_device::Device>| {
        let mut bodies = super::super::gpu::DeviceBodies::new(device, world, tables, pedestrians, 9, 0).unwrap();
        Box::new(move || {
            bodies.step(device).unwrap();
            bodies.pedestrians(device).unwrap()
        }) as Box<dyn FnMut() -> Pedestrians>
    };
    throng_testing_devices::devices().into_iter().map(start).collect()
}

#[cfg(not(feature = "gpu"))]
fn on_devices(_: &World, _: &FieldTables, _: &Pedestrians) -> Vec<Box<dyn FnMut() -> Pedestrians>> {
    Vec::new()
}
