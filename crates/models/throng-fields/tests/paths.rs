//! Flow fields: paths at any angle, around corners, and to a goal from every cell.

use throng_core::Philox;
use throng_fields::routing::{Crowd, FlowField, Order, Scheme, Steering, TravelTimes, maps};
use throng_fields::{Grid, Mask};

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    libm::hypot(a[0] - b[0], a[1] - b[1])
}

/// The length of a path, walked in moves of at most `stride`, to the centre of the goal cell that it reaches. Checks
/// that it does not cross walls or cut their corners, and that each cell it enters has a shorter time than the one
/// before.
fn walk(times: &TravelTimes, flow: &FlowField, start: [f64; 2], stride: f64) -> f64 {
    let (mut at, mut length) = (start, 0.0);
    let grid = times.grid();
    for _ in 0..1_000_000 {
        let Some(next) = flow.next(at) else { break };
        let far = distance(at, next);
        let part = (stride / far).min(1.0);
        let to = if part < 1.0 { [0, 1].map(|axis| at[axis] + part * (next[axis] - at[axis])) } else { next };
        let (from, cell) = (grid.cell_at(at).unwrap(), grid.cell_at(to).unwrap());
        if from != cell {
            for passed in [cell, (from.0, cell.1), (cell.0, from.1)] {
                assert!(times.at(passed.0, passed.1).unwrap().is_finite(), "{at:?} {to:?}");
            }
            assert!(from.0.abs_diff(cell.0) <= 1 && from.1.abs_diff(cell.1) <= 1, "{at:?} {to:?}");
            assert!(times.at(cell.0, cell.1) < times.at(from.0, from.1), "{at:?} {to:?}");
        }
        length += far * part;
        at = to;
    }
    let (column, row) = grid.cell_at(at).unwrap();
    assert_eq!(times.at(column, row), Some(0.0), "from {start:?} to {at:?}");
    length + distance(at, grid.point(column, row))
}

/// Random positions on a grid with cells of side length 1.
fn places(grid: &Grid, count: u32, seed: u64) -> impl Iterator<Item = [f64; 2]> + use<> {
    let (draws, sides) = (Philox::new(seed), [grid.columns(), grid.rows()].map(f64::from));
    (0..count).map(move |i| [0, 1].map(|axis| draws.unit(i, axis, 0, 0) * sides[axis as usize]))
}

#[test]
fn paths_over_open_ground_are_straight() {
    let grid = Grid::new([0.0, 0.0], 1.0, 512, 512).unwrap();
    for goal in [(256, 256), (3, 5), (500, 200)] {
        for (order, most, most_on_average) in [(Order::First, 0.02, 0.002), (Order::Second, 0.005, 0.0005)] {
            let times = TravelTimes::by_scheme(order, &grid, &vec![1.0; grid.cells()], &[goal]).unwrap();
            let flow = FlowField::new(&times);
            for stride in [0.3, 10.0] {
                let (mut sum, mut count) = (0.0, 0.0);
                for start in places(&grid, throng_testing::amount(500, 2000), 1) {
                    let straight = distance(start, grid.point(goal.0, goal.1));
                    if straight >= 20.0 {
                        let longer = walk(&times, &flow, start, stride) / straight - 1.0;
                        assert!((-1e-9..most).contains(&longer), "{goal:?} {order:?} {stride} {start:?}: {longer}");
                        (sum, count) = (sum + longer, count + 1.0);
                    }
                }
                assert!(sum / count < most_on_average, "{goal:?} {order:?} {stride}: {}", sum / count);
            }
        }
    }
}

#[test]
fn paths_around_corners_are_almost_shortest() {
    let grid = Grid::new([0.0, 0.0], 1.0, 256, 256).unwrap();
    // A wall from the lower edge, one or twenty cells wide, with a goal behind it.
    for width in [1, 20] {
        let (left, right, top, goal) = (128, 128 + width, 150, (220, 40));
        let open = Mask::new(&grid, |column, row| !(left..right).contains(&column) || row >= top);
        let cost = |cell: u32| if open.allows(cell % 256, cell / 256) { 1.0 } else { f32::INFINITY };
        let costs: Vec<f32> = (0..256 * 256).map(cost).collect();
        let times = TravelTimes::to_goals(&grid, &costs, &[goal]).unwrap();
        let flow = FlowField::new(&times);
        let corners = [[left, top], [right, top]].map(|corner| corner.map(f64::from));
        let behind = distance(corners[0], corners[1]) + distance(corners[1], grid.point(goal.0, goal.1));
        for start in places(&grid, 2000, 2).filter(|&[x, y]| x < 100.0 && y < 150.0) {
            let shortest = distance(start, corners[0]) + behind;
            for stride in [0.3, 10.0] {
                let longer = walk(&times, &flow, start, stride) - shortest;
                assert!((0.0..1.5).contains(&longer), "{width} {start:?} {stride}: {longer}");
            }
        }
    }
}

#[test]
fn paths_from_all_reachable_cells_end_at_goals() {
    let mut all = Vec::new();
    for map in [maps::u_trap(64).unwrap(), maps::maze(64, 3).unwrap(), maps::city(64).unwrap()] {
        let (grid, open) = (*map.ground.grid(), map.ground.open());
        let cost = |cell: u32| if open.allows(cell % 64, cell / 64) { 1.0 } else { f32::INFINITY };
        let (costs, goals): (Vec<f32>, Vec<_>) =
            ((0..64 * 64).map(cost).collect(), map.ground.goals().cells().collect());
        all.push((grid, costs, goals));
    }
    let grid = Grid::new([0.0, 0.0], 1.0, 90, 70).unwrap();
    for seed in 0..6 {
        let draws = Philox::new(seed);
        // Up to 5 of 12 cells are walls; costs are at most 2 or 200.
        let highest = if seed % 2 == 0 { 2.0 } else { 200.0 };
        let cost = |cell: u32| {
            let wall = draws.below(12, cell, 0, 0, 0) < seed as u32;
            if wall { f32::INFINITY } else { 1.0 + (highest - 1.0) * draws.unit(cell, 1, 0, 0) as f32 }
        };
        let costs: Vec<f32> = (0..90 * 70).map(cost).collect();
        let goals = [(10, 10), (70, 60), (71, 60), (40, 35)].into_iter();
        let goals = goals.filter(|&(column, row)| costs[grid.index(column, row)].is_finite()).collect();
        all.push((grid, costs, goals));
    }
    for (grid, costs, goals) in all {
        for scheme in [Order::First.into(), Order::Second.into(), Scheme::Manhattan, Scheme::Chebyshev] {
            let times = TravelTimes::by_scheme(scheme, &grid, &costs, &goals).unwrap();
            let flow = FlowField::new(&times);
            let mut paths = 0;
            for start in places(&grid, 1500, 3) {
                let (column, row) = grid.cell_at(start).unwrap();
                if times.at(column, row).unwrap().is_finite() {
                    walk(&times, &flow, start, 0.4);
                    walk(&times, &flow, start, 3.0);
                    paths += 1;
                } else {
                    assert_eq!(flow.next(start), None);
                }
            }
            // With many walls, goals may be reachable from only a part of the map.
            assert!(paths > 100, "{paths}");
        }
    }
}

#[test]
fn flow_fields_do_not_depend_on_the_origin_and_the_cell_size() {
    let costs = vec![1.0; 100 * 80];
    let flow = |origin: [f64; 2], cell| {
        let grid = Grid::new(origin, cell, 100, 80).unwrap();
        FlowField::new(&TravelTimes::to_goals(&grid, &costs, &[(10, 70)]).unwrap())
    };
    let (small, far) = (flow([0.0, 0.0], 1.0), flow([4096.0, -512.0], 2.0));
    for start in [[0.25, 0.5], [99.875, 3.0], [50.0, 70.5], [11.0, 70.0]] {
        let [x, y] = small.next(start).unwrap();
        let scaled = start.map(|at| 2.0 * at);
        let [far_x, far_y] = far.next([scaled[0] + 4096.0, scaled[1] - 512.0]).unwrap();
        assert!((far_x - 4096.0 - 2.0 * x).abs() < 1e-9 && (far_y + 512.0 - 2.0 * y).abs() < 1e-9);
    }
    assert_eq!((small.next([10.5, 70.5]), small.next([-1.0, 3.0]), small.next([f64::NAN, 3.0])), (None, None, None));
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let map = maps::city(60).unwrap();
    let (grid, open) = (map.ground.grid(), map.ground.open());
    let cost = |cell: u32| if open.allows(cell % 60, cell / 60) { 1.0 + (cell % 5) as f32 } else { f32::INFINITY };
    let costs: Vec<f32> = (0..60 * 60).map(cost).collect();
    let goals: Vec<(u32, u32)> = map.ground.goals().cells().collect();
    let on = |threads: usize| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            let times = TravelTimes::to_goals(grid, &costs, &goals).unwrap();
            let flow = FlowField::new(&times);
            let mut crowd = Crowd::new(&map.ground, &map.scatter(500, 3), &[1.1; 500]).unwrap();
            crowd.run(&Steering::Follow(&flow), 0.7, 60).unwrap();
            let positions: Vec<_> = crowd.positions().map(|at| at.map(f32::to_bits)).collect();
            (times.field().values().iter().map(|time| time.to_bits()).collect::<Vec<u32>>(), positions)
        })
    };
    let expected = on(1);
    assert!(on(2) == expected && on(3) == expected);
}
