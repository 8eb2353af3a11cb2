//! Manhattan and Chebyshev distances: fields against formulas in double precision, travel times against Dijkstra's
//! algorithm, and agents on the lines between the centres of cells.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use throng_core::Philox;
use throng_fields::creation::{self, FixedPoint};
use throng_fields::routing::{
    Body, Course, Crowd, FlowField, Ground, Scheme, Steering, TravelTimes, maps, walk_together,
};
use throng_fields::{DynamicField, Entity, Grid, Mask, Metric, Profile, Shape, Window};

const METRICS: [Metric; 2] = [Metric::Manhattan, Metric::Chebyshev];
const SCHEMES: [Scheme; 2] = [Scheme::Manhattan, Scheme::Chebyshev];

fn distance(metric: Metric, [x, y]: [f64; 2]) -> f64 {
    match metric {
        Metric::Manhattan => x.abs() + y.abs(),
        Metric::Chebyshev => x.abs().max(y.abs()),
        Metric::Euclidean => libm::hypot(x, y),
    }
}

#[test]
fn discs_and_rings_have_the_values_of_formulas_anywhere() {
    let draws = Philox::new(11);
    let (mut felt, mut corners) = (0, 0);
    for case in 0..throng_testing::amount(60, 400) {
        let draw = |index: u32, low: f64, high: f64| low + (high - low) * draws.unit(case, index, 0, 0);
        let metric = METRICS[case as usize % 2];
        let origin = [[0.0, 0.0], [500_000.0, 5_800_000.0]][case as usize / 2 % 2];
        let cell = [0.25, 1.0, 0.3f32][case as usize % 3];
        let grid = Grid::new(origin, cell, 70, 50).unwrap();
        let reach = draw(0, 0.5, 20.0) as f32 * cell;
        let radius = if case % 5 < 2 { 0.0 } else { draw(1, 0.0, 30.0) as f32 * cell };
        let at = [draw(2, -10.0, 80.0), draw(3, -10.0, 60.0)];
        let at = [0, 1].map(|axis| origin[axis] + at[axis] * f64::from(cell));
        let shape = if radius == 0.0 { Shape::Disc } else { Shape::Ring { radius } };
        let entity = Entity::new(at, Profile::linear(reach).unwrap()).with_shape(shape).with_metric(metric);
        let entity = entity.with_heading(draw(4, 0.0, 6.0) as f32);
        let entities = std::slice::from_ref(&entity);
        let fixed = FixedPoint::default();
        let found = [creation::by_tiles(&grid, entities).unwrap(), fixed.by_tiles(&grid, entities).unwrap()];
        assert_eq!(found[0], creation::every_pair(&grid, entities).unwrap(), "{entity:?}");
        assert_eq!(found[1], fixed.every_pair(&grid, entities).unwrap(), "{entity:?}");
        // A unit of distance, the rounding to steps, and the rounding of positions in single precision.
        let allowed = 1.0 / 16_384.0 + 1.0 / 65_536.0 + f64::from(radius / reach + 70.0 * cell / reach) * 1e-6;
        for (column, row) in (0..50).flat_map(|row| (0..70).map(move |column| (column, row))) {
            let point = grid.point(column, row);
            let offset = [0, 1].map(|axis| point[axis] - at[axis]);
            let away = (distance(metric, offset) - f64::from(radius)).abs();
            let expected = (1.0 - away / f64::from(reach)).max(0.0);
            for field in &found {
                let value = f64::from(field.at(column, row).unwrap());
                assert!((value - expected).abs() <= allowed, "{entity:?} {column} {row}: {value} {expected}");
            }
            felt += usize::from(expected > 0.0);
            corners += usize::from(expected > 0.0 && libm::hypot(offset[0], offset[1]) > f64::from(radius + reach));
        }
    }
    // The last are in the corners of squares, beyond the circle.
    assert!(felt > 10_000 && corners > 300, "{felt} {corners}");
}

#[test]
fn equal_discs_in_different_metrics_are_not_copies_of_each_other() {
    let grid = Grid::new([0.0, 0.0], 1.0, 300, 180).unwrap();
    let disc = |i: u8, metric: Metric| {
        let at = [f32::from(i) * 11.0 + 0.5, f32::from(i * 7 % 40) * 4.0 + 0.5];
        Entity::new(at, Profile::linear(20.0).unwrap()).with_metric(metric)
    };
    let all = [Metric::Euclidean, Metric::Manhattan, Metric::Chebyshev];
    let entities: Vec<Entity> = (0..25).flat_map(|i| all.map(|metric| disc(i, metric))).collect();
    assert_eq!(creation::by_tiles(&grid, &entities), creation::every_pair(&grid, &entities));
    let fixed = FixedPoint::default();
    assert_eq!(fixed.by_tiles(&grid, &entities), fixed.every_pair(&grid, &entities));
}

#[test]
fn fields_follow_moving_squares_to_their_corners() {
    let grid = Grid::new([0.0, 0.0], 1.0, 200, 200).unwrap();
    let square = |at: [f32; 2], metric| Entity::new(at, Profile::linear(30.0).unwrap()).with_metric(metric);
    let mut fields = DynamicField::builder(grid).build().unwrap();
    let ids = fields.spawn_many([square([50.5, 50.5], METRICS[0]), square([90.5, 60.5], METRICS[1])]).unwrap();
    for step in 0..20 {
        let along = 50.5 + 5.0 * step as f32;
        fields.move_to(ids[1], [along, along]).unwrap();
        // The shape of a disc changes in place.
        let metric = METRICS[step % 2];
        fields.replace(ids[0], square([150.5, 20.5], metric)).unwrap();
        fields.update().unwrap();
        let now = [square([150.5, 20.5], metric), square([along, along], METRICS[1])];
        let expected = FixedPoint::default().every_pair(&grid, &now).unwrap();
        assert_eq!(fields.field().unwrap(), &expected, "{step}");
    }
    // 29 cells from the last position along both axes.
    assert!(fields.sample(&[[145.5 - 29.0, 145.5 - 29.0]]).unwrap()[0] > 0.03);
    let window = Window::around(&grid, [116.5, 116.5], 4.0).unwrap();
    let best = fields.best_in(&[window], 1).unwrap();
    assert!((best[0][0].value - fields.field().unwrap().at(best[0][0].column, best[0][0].row).unwrap()).abs() < 1e-6);
}

/// Random costs from 1 to 20, walls and goals on 90 x 70 cells.
fn random(seed: u64) -> (Grid, Vec<f32>, Vec<(u32, u32)>) {
    let grid = Grid::new([-3.0, 7.0], 0.5, 90, 70).unwrap();
    let draws = Philox::new(seed);
    let cost = |cell: u32| match draws.below(10, cell, 0, 0, 0) {
        wall if u64::from(wall) < seed % 5 => f32::INFINITY,
        _ => 1.0 + 19.0 * draws.unit(cell, 1, 0, 0) as f32,
    };
    let costs: Vec<f32> = (0..90 * 70).map(cost).collect();
    // An area, and single cells.
    let goals = (20..24).flat_map(|row| (40..45).map(move |column| (column, row))).chain([(3, 3), (88, 60)]);
    let goals = goals.filter(|&(column, row)| costs[grid.index(column, row)].is_finite()).collect();
    (grid, costs, goals)
}

/// Times in ticks, by Dijkstra's algorithm on the graph of all steps between open cells.
fn dijkstra(times: &TravelTimes, goals: &[(u32, u32)]) -> Vec<u32> {
    let (grid, steps) = (times.grid(), times.steps());
    let is_open = |column: u32, row: u32| grid.find(column, row).is_some_and(|cell| steps[cell] > 0);
    let mut found = vec![u32::MAX; grid.cells()];
    let mut queue: BinaryHeap<_> = goals.iter().map(|&(column, row)| Reverse((0u32, column, row))).collect();
    while let Some(Reverse((time, column, row))) = queue.pop() {
        let cell = grid.index(column, row);
        if found[cell] != u32::MAX {
            continue;
        }
        found[cell] = time;
        for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
            let (x, y) = (column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
            let is_diagonal = dx != 0 && dy != 0;
            let is_free = match times.scheme() {
                Scheme::Manhattan => !is_diagonal,
                _ => !is_diagonal || (is_open(x, row) && is_open(column, y)),
            };
            if is_free && is_open(x, y) {
                queue.push(Reverse((time + u32::from(steps[grid.index(x, y)]), x, y)));
            }
        }
    }
    found
}

#[test]
fn travel_times_match_dijkstras_algorithm() {
    for seed in 0..throng_testing::amount(10, 50).into() {
        let (grid, costs, goals) = random(seed);
        for scheme in SCHEMES {
            let times = TravelTimes::by_scheme(scheme, &grid, &costs, &goals).unwrap();
            assert!(times.ticks() == dijkstra(&times, &goals), "{seed} {scheme:?}");
            let reached = times.ticks().iter().filter(|&&ticks| ticks != u32::MAX).count();
            // Where four of ten cells are walls, few may be reached: steps along the axes then hardly percolate.
            let least = if seed % 5 == 4 { goals.len() } else { 1000 };
            assert!(reached > least, "{seed} {scheme:?}: {reached}");
        }
    }
}

#[test]
fn times_are_as_long_as_costs_and_steps_of_closed_corners() {
    // Two walls that touch at a corner, between the goal and the cell beyond.
    let grid = Grid::new([0.0, 0.0], 2.0, 3, 3).unwrap();
    let (wall, dear) = (f32::INFINITY, 7.0);
    let costs = [1.0, wall, 1.0, wall, 1.0, 1.0, 1.0, 1.0, dear];
    let time = |scheme, column, row| {
        TravelTimes::by_scheme(scheme, &grid, &costs, &[(1, 1)]).unwrap().at(column, row).unwrap()
    };
    // No step leads between the walls to the first cell.
    assert_eq!(SCHEMES.map(|scheme| time(scheme, 0, 0)), [f32::INFINITY; 2]);
    // A step of 2 units that leaves a cell of cost 7 takes 14; along the axes, another one of 2.
    assert_eq!(SCHEMES.map(|scheme| time(scheme, 2, 2)), [16.0, 14.0]);
    // The wall beside it closes the diagonal step.
    assert_eq!(SCHEMES.map(|scheme| time(scheme, 2, 0)), [4.0, 4.0]);
}

#[test]
fn agents_walk_along_axes_and_arrive() {
    let map = maps::city(64).unwrap();
    let grid = *map.ground.grid();
    let goals: Vec<(u32, u32)> = map.ground.goals().cells().collect();
    let is_open = |cell: u32| map.ground.open().allows(cell % 64, cell / 64);
    let cost = |cell: u32| if is_open(cell) { 1.0 + (cell % 3) as f32 } else { f32::INFINITY };
    let costs: Vec<f32> = (0..64 * 64).map(cost).collect();
    for scheme in SCHEMES {
        let flow = FlowField::new(&TravelTimes::by_scheme(scheme, &grid, &costs, &goals).unwrap());
        let steering = Steering::Follow(&flow);
        let starts = map.scatter(60, 3);
        let mut crowd = Crowd::new(&map.ground, &starts, &[1.3; 60]).unwrap();
        // A diagonal step is longer than a cell, and an agent first walks to the lines between the centres.
        for step in 0..400 {
            crowd.step(&steering, 0.37).unwrap();
            for [x, y] in crowd.positions() {
                let [x, y] = [x.fract() - 0.5, y.fract() - 0.5];
                let is_on_line = x.abs() < 1e-4 || y.abs() < 1e-4;
                let is_on_diagonal = scheme == Scheme::Chebyshev && (x.abs() - y.abs()).abs() < 1e-4;
                assert!(step < 3 || is_on_line || is_on_diagonal, "{scheme:?} {step}: {x} {y}");
            }
        }
        assert!(crowd.arrivals().all(|arrival| arrival.is_some()), "{scheme:?}");
        // The same with bodies, which push each other off the lines.
        let body = Body::new(0.2).unwrap().with_spacing(0.6).unwrap();
        let mut crowds = [Crowd::new(&map.ground, &starts, &[1.3; 60]).unwrap().with_body(body)];
        for _ in 0..500 {
            walk_together(&mut crowds, &[&[Course::new(&map.ground, steering)]], 0.37).unwrap();
        }
        let arrived = crowds[0].arrivals().flatten().count();
        assert_eq!(arrived, 60, "{scheme:?} with bodies");
    }
}

#[test]
fn agents_far_from_zero_walk_although_positions_are_coarse() {
    // Single precision has 16 positions in a cell here.
    let grid = Grid::new([1_048_000.0, 1_048_000.0], 1.0, 40, 30).unwrap();
    let ground =
        Ground::new(&grid, Mask::new(&grid, |_, _| true), Mask::new(&grid, |column, row| (column, row) == (30, 3)));
    let ground = ground.unwrap();
    for scheme in SCHEMES {
        let times = TravelTimes::by_scheme(scheme, &grid, &vec![1.0; grid.cells()], &[(30, 3)]).unwrap();
        let starts: Vec<[f32; 2]> =
            (0..20).map(|i| [1_048_000.0 + 0.31 * i as f32, 1_048_022.2 - 0.17 * i as f32]).collect();
        let mut crowd = Crowd::new(&ground, &starts, &[1.0; 20]).unwrap();
        crowd.run(&Steering::Follow(&FlowField::new(&times)), 0.7, 150).unwrap();
        assert!(crowd.arrivals().all(|arrival| arrival.is_some()), "{scheme:?}");
    }
}
