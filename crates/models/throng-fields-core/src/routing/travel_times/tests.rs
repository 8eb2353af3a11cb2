use super::task::{MIN_TICKS, ticks_of_the_highest};
use super::*;

/// Solves a task by sweeps in the four diagonal directions, until nothing decreases.
fn swept(task: &Task) -> Vec<u32> {
    let mut cells = Bordered::new(task).unwrap();
    let (width, count) = (cells.width(), cells.cells.len());
    loop {
        let mut lowered = false;
        for direction in 0..4 {
            for i in width + 1..count - width - 1 {
                let (row, column) = (i / width, i % width);
                let row = if direction & 2 == 0 { row } else { count / width - 1 - row };
                let column = if direction & 1 == 0 { column } else { width - 1 - column };
                let cell = row * width + column;
                let time = |cell: usize| cells.cells[cell].time;
                let (across, down) = (time(cell - 1).min(time(cell + 1)), time(cell - width).min(time(cell + width)));
                let new = first_order::godunov(across, down, u32::from(cells.cells[cell].step));
                if cells.cells[cell].step > 0 && new < time(cell) {
                    cells.cells[cell].time = new;
                    lowered = true;
                }
            }
        }
        if !lowered {
            return cells.inside(|cell| cell.time);
        }
    }
}

/// Random costs from 1 to 10, walls, and goals.
fn random(columns: u32, rows: u32, seed: u64) -> (Grid, Vec<f32>, Vec<(u32, u32)>) {
    let grid = Grid::new([0.0, 0.0], 1.0, columns, rows).unwrap();
    let draws = throng_core::Philox::new(seed);
    let cost = |cell: u32| match draws.below(5, cell, 0, 0, 0) {
        0 => f32::INFINITY,
        _ => 1.0 + 9.0 * draws.unit(cell, 1, 0, 0) as f32,
    };
    let costs: Vec<f32> = (0..grid.cells() as u32).map(cost).collect();
    let goals = [3, 3000, 5000, 5001].into_iter().filter(|&cell| costs[cell] < 20.0).map(|cell| grid.place(cell));
    let goals = goals.collect();
    (grid, costs, goals)
}

#[test]
fn the_scheme_is_monotonic() {
    let godunov = first_order::godunov;
    for step in [1, 7, 100, 32_767] {
        for low in [0, 50] {
            let mut last = 0;
            for apart in 0..2 * step.min(300) {
                let time = godunov(low, low + apart, step);
                assert!(time >= last && time <= low + step, "{step} {low} {apart}");
                assert!(godunov(low + 1, low + apart, step) >= time);
                last = time;
            }
            assert_eq!((godunov(low, NEVER, step), godunov(NEVER, NEVER, step)), (low + step, NEVER));
        }
    }
}

/// The relative error of all times around a point in the middle, and the largest error, in cells. The speed grows along
/// x by `growth` per unit of length from 1 in the middle, for which times are known in closed form.
fn errors(order: Order, cells: u32, growth: f64) -> [f64; 2] {
    let grid = Grid::new([0.0, 0.0], 1.0 / cells as f32, cells, cells).unwrap();
    let goal = (cells / 2, cells / 2);
    let [gx, gy] = grid.point(goal.0, goal.1);
    let speed = |x: f64| 1.0 + growth * (x - gx);
    let costs: Vec<f32> =
        (0..grid.cells() as u32).map(|cell| (1.0 / speed(grid.point(cell % cells, 0)[0])) as f32).collect();
    let times = TravelTimes::by_scheme(order, &grid, &costs, &[goal]).unwrap();
    let (mut error, mut sum, mut largest) = (0.0f64, 0.0f64, 0.0f64);
    for row in 0..cells {
        for column in 0..cells {
            let [x, y] = grid.point(column, row);
            let square = (x - gx) * (x - gx) + (y - gy) * (y - gy);
            let exact = if growth == 0.0 {
                square.sqrt()
            } else {
                libm::acosh(1.0 + growth * growth * square / (2.0 * speed(x))) / growth
            };
            let difference = (f64::from(times.at(column, row).unwrap()) - exact).abs();
            error += difference;
            sum += exact;
            largest = largest.max(difference * f64::from(cells));
        }
    }
    [error / sum, largest]
}

#[test]
fn travel_times_around_a_point_match_distances() {
    // The first-order error is at most half as large with cells of a quarter of the side.
    let (coarse, fine) = (errors(Order::First, 128, 0.0), errors(Order::First, 512, 0.0));
    assert!(fine[0] < 0.006 && fine[0] < 0.5 * coarse[0], "{coarse:?} {fine:?}");
    // The second-order error is slightly larger than the rounding to ticks.
    let second = errors(Order::Second, 512, 0.0);
    assert!(second[0] < 1e-4 && second[1] < 0.05, "{second:?}");
}

#[test]
fn the_second_order_is_more_accurate_for_variable_costs() {
    let (first, second) = (errors(Order::First, 512, 1.2), errors(Order::Second, 512, 1.2));
    assert!(second[0] < 0.1 * first[0] && second[1] < 0.25 * first[1], "{first:?} {second:?}");
}

#[test]
fn paths_avoid_walls_and_closed_rooms_are_unreachable() {
    let grid = Grid::new([0.0, 0.0], 1.0, 30, 20).unwrap();
    let cost = |column: u32, row: u32| match (column, row) {
        // A wall with a gap at its end, and a closed room.
        (10, 0..19) | (20..=24, 5 | 9) | (20 | 24, 5..=9) => f32::INFINITY,
        _ => 1.0,
    };
    let costs: Vec<f32> = (0..20).flat_map(|row| (0..30).map(move |column| cost(column, row))).collect();
    for order in [Order::First, Order::Second] {
        let times = TravelTimes::by_scheme(order, &grid, &costs, &[(2, 2)]).unwrap();
        // Down to the gap in the last row and up again; straight paths between centres of cells take 37.0.
        let behind = times.at(12, 2).unwrap();
        assert!((36.9..39.0).contains(&behind), "{behind}");
        assert_eq!((times.at(22, 7), times.at(10, 3)), (Some(f32::INFINITY), Some(f32::INFINITY)));
        assert_eq!((times.at(2, 2), times.at(30, 0)), (Some(0.0), None));
    }
}

#[test]
fn paths_longer_than_32_bits_are_refused() {
    // 140,000 cells in a row, one of which is so cheap that ticks cannot be longer.
    let grid = Grid::new([0.0, 0.0], 1.0, 140_000, 1).unwrap();
    let mut costs = vec![256.0; grid.cells()];
    costs[1] = 1.0;
    for order in [Order::First, Order::Second] {
        let error = TravelTimes::by_scheme(order, &grid, &costs, &[(0, 0)]).unwrap_err();
        assert!(error.message() == "a path is too long" && error.remedy().contains("131076 times"), "{error}");
    }
}

#[test]
fn paths_of_a_million_cells_fit_for_similar_costs() {
    let grid = Grid::new([0.0, 0.0], 0.5, 1_000_000, 1).unwrap();
    let mut costs = vec![2.0; grid.cells()];
    for cheapest in [2.0, 1.5] {
        costs[1] = cheapest;
        let times = TravelTimes::to_goals(&grid, &costs, &[(0, 0)]).unwrap();
        assert!((times.at(999_999, 0).unwrap() / 999_999.0 - 1.0).abs() < 1e-6);
    }
    // Even for very long paths, ticks do not become arbitrarily long.
    assert_eq!(ticks_of_the_highest(&vec![3.0; 20_000_000], 3.0, 3.0), 256.0);
    assert_eq!(ticks_of_the_highest(&vec![3.0; 20_000], 3.0, 3.0), 32_767.0);
    assert_eq!(ticks_of_the_highest(&vec![3.0; 20_000_000], 1.0, 3.0), 768.0);
}

#[test]
fn travel_times_do_not_depend_on_the_order_of_updates() {
    let (grid, costs, goals) = random(90, 70, 7);
    let task = Task::new(&grid, &costs, &goals).unwrap();
    let expected = swept(&task);
    assert!(expected.iter().filter(|&&ticks| ticks != NEVER).count() > 4000);
    assert_eq!(TravelTimes::by_scheme(Order::First, &grid, &costs, &goals).unwrap().ticks, expected);
}

#[test]
fn every_reached_cell_has_a_neighbour_with_a_shorter_time() {
    for seed in 0..20 {
        let (grid, costs, goals) = random(90, 70, seed);
        for order in [Order::First, Order::Second] {
            let times = TravelTimes::by_scheme(order, &grid, &costs, &goals).unwrap();
            for row in 0..70 {
                for column in 0..90 {
                    let time = times.at(column, row).unwrap();
                    let beside = [(1, 0), (-1, 0), (0, 1), (0, -1)]
                        .into_iter()
                        .filter_map(|(dx, dy)| times.at(column.wrapping_add_signed(dx), row.wrapping_add_signed(dy)));
                    let lowest = beside.fold(f32::INFINITY, f32::min);
                    assert!(lowest < time || time == 0.0 || time == f32::INFINITY, "{seed} {order:?} {column} {row}");
                }
            }
        }
    }
}

#[test]
fn the_coarsest_ticks_shorten_travel_times_by_less_than_one_percent() {
    let grid = Grid::new([0.0, 0.0], 1.0, 400, 400).unwrap();
    let costs = vec![1.0; grid.cells()];
    let fine = TravelTimes::by_scheme(Order::First, &grid, &costs, &[(0, 0)]).unwrap();
    let mut task = Task::new(&grid, &costs, &[(0, 0)]).unwrap();
    task.steps.fill(MIN_TICKS as u16);
    task.tick = 1.0 / MIN_TICKS;
    let mut cells = Bordered::new(&task).unwrap();
    first_order::settle(&mut cells, first_order::Godunov, |_, _| {});
    let ticks = cells.inside(|cell| cell.time);
    let coarse = TravelTimes::new(task, Order::First.into(), ticks).unwrap();
    for (fine, coarse) in fine.field().values().iter().zip(coarse.field().values()) {
        assert!(coarse <= fine && *coarse >= 0.994 * fine, "{fine} {coarse}");
    }
}

#[test]
fn invalid_input_is_refused() {
    let grid = Grid::new([0.0, 0.0], 1.0, 4, 1).unwrap();
    let place = |costs: &[f32], goals: &[(u32, u32)]| {
        TravelTimes::to_goals(&grid, costs, goals).unwrap_err().place().to_owned()
    };
    assert_eq!(place(&[1.0; 3], &[]), "costs");
    assert_eq!(place(&[1.0, 0.0, 1.0, 1.0], &[]), "cost of cell 1");
    assert_eq!(place(&[1.0, 1.0, f32::NAN, 1.0], &[]), "cost of cell 2");
    assert_eq!(place(&[1.0, 1000.0, 1.0, 1.0], &[]), "costs, the lowest");
    assert_eq!(place(&[1.0; 4], &[(4, 0)]), "goal at (4, 0)");
    assert_eq!(place(&[1.0, f32::INFINITY, 1.0, 1.0], &[(1, 0)]), "goal at (1, 0)");
    let nowhere = TravelTimes::to_goals(&grid, &[f32::INFINITY; 4], &[]).unwrap();
    assert_eq!(nowhere.at(0, 0), Some(f32::INFINITY));
}
