//! Compares the neighbour search on the CPU with all pairs, in plain 64-bit arithmetic.

use crate::world::{AxisOf, World, worlds};
use proptest::prelude::*;
use throng_core::thread_pool;
use throng_device::neighbours::{Boundary, CellLists, UniformGrid};

/// Distance in units from the origin, inside the axis.
fn inside(axis: AxisOf, position: i32, boundary: Boundary) -> i64 {
    let offset = i64::from(position) - axis.origin;
    match boundary {
        Boundary::Closed => offset.clamp(0, axis.extent - 1),
        Boundary::Periodic => offset.rem_euclid(axis.extent),
    }
}

fn cell(axis: AxisOf, position: i32, boundary: Boundary) -> i64 {
    (inside(axis, position, boundary) / axis.cell_size).min(axis.cells - 1)
}

/// Returns the shortest of the offsets to all images.
fn offset(axis: AxisOf, from: i32, to: i32, boundary: Boundary) -> i64 {
    let plain = i64::from(to) - i64::from(from);
    match boundary {
        Boundary::Closed => plain.clamp(-i64::from(i32::MAX), i32::MAX.into()),
        Boundary::Periodic => {
            let ahead = plain.rem_euclid(axis.extent);
            if 2 * ahead > axis.extent { ahead - axis.extent } else { ahead }
        }
    }
}

/// Returns the cells around a cell along one axis, in order and each once.
fn cells_around(axis: AxisOf, cell: i64, boundary: Boundary) -> Vec<i64> {
    let mut cells = Vec::new();
    for near in cell - 1..=cell + 1 {
        let wrapped = match boundary {
            Boundary::Closed if !(0..axis.cells).contains(&near) => continue,
            Boundary::Closed => near,
            Boundary::Periodic => near.rem_euclid(axis.cells),
        };
        if !cells.contains(&wrapped) {
            cells.push(wrapped);
        }
    }
    cells
}

/// Returns all agents in the block around agent `i`, in the documented order.
fn expected_around(world: &World, i: usize) -> Vec<u32> {
    let boundary = world.grid.boundary();
    let cells = |axis: usize, agent: usize| {
        world.axes.get(axis).map_or(0, |&a| cell(a, world.positions[axis][agent], boundary))
    };
    let near = |axis: usize| world.axes.get(axis).map_or(vec![0], |&a| cells_around(a, cells(axis, i), boundary));
    let mut found = Vec::new();
    for layer in near(2) {
        for row in near(1) {
            for column in near(0) {
                let here = |&agent: &usize| [cells(0, agent), cells(1, agent), cells(2, agent)] == [column, row, layer];
                found.extend((0..world.len()).filter(here).map(|agent| agent as u32));
            }
        }
    }
    found
}

fn is_near(world: &World, i: usize, other: usize) -> bool {
    let square = |(axis, positions): (&AxisOf, &Vec<i32>)| {
        i128::from(offset(*axis, positions[i], positions[other], world.grid.boundary())).pow(2)
    };
    world.axes.iter().zip(&world.positions).map(square).sum::<i128>() <= i128::from(world.grid.reach()).pow(2)
}

fn check(world: &World) {
    let (grid, boundary) = (world.grid, world.grid.boundary());
    let mut lists = CellLists::new(grid, world.len()).unwrap();
    lists.build(&world.slices());
    assert_eq!(lists.starts().len(), grid.cells() + 1);
    assert_eq!(lists.agents().len(), world.len());
    for i in 0..world.len() {
        let [x, y, z] = world.at(i);
        let around: Vec<u32> = lists.around(x, y, z).collect();
        assert_eq!(around, expected_around(world, i), "agent {i}");
        assert!(lists.agents_in(grid.cell_of(x, y, z)).contains(&(i as u32)));
        // No agent within reach is missed: compares all pairs with those in the block.
        let near: Vec<usize> = (0..world.len()).filter(|&other| is_near(world, i, other)).collect();
        let mut found: Vec<usize> =
            around.into_iter().map(|other| other as usize).filter(|&other| is_near(world, i, other)).collect();
        found.sort_unstable();
        assert_eq!(found, near, "agent {i}");
        for other in 0..world.len() {
            let to = world.at(other);
            let found = [grid.offset_x(x, to[0]), grid.offset_y(y, to[1]), grid.offset_z(z, to[2])];
            let expected = [0, 1, 2]
                .map(|axis| world.axes.get(axis).map_or(0, |&a| offset(a, world.at(i)[axis], to[axis], boundary)));
            assert_eq!(found.map(i64::from), expected, "from {i} to {other}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(38), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn neighbours_match_the_search_over_all_pairs(world in worlds(60)) {
        check(&world);
    }
}

#[test]
fn an_empty_world_has_empty_cells() {
    let grid = UniformGrid::new([0, 0, 0], 3, [4, 5, 6], Boundary::Periodic).unwrap();
    let mut lists = CellLists::new(grid, 0).unwrap();
    lists.build(&[&[], &[], &[]]);
    assert_eq!((lists.starts(), lists.agents()), (&[0; 121][..], &[][..]));
    assert_eq!(lists.around(1, 2, 3).next(), None);
}

#[test]
fn small_periodic_grids_visit_each_agent_once() {
    for (cells, boundary) in [(1, Boundary::Periodic), (2, Boundary::Periodic), (1, Boundary::Closed)] {
        let grid = UniformGrid::new([0, 0], 10, [cells, 1], boundary).unwrap();
        let mut lists = CellLists::new(grid, 3).unwrap();
        lists.build(&[&[0, 10 * cells as i32 - 1, 4], &[0, 9, 5]]);
        let mut around: Vec<u32> = lists.around(0, 0, 0).collect();
        around.sort_unstable();
        assert_eq!(around, [0, 1, 2], "{cells} cells");
    }
}

/// Uses enough agents that several threads sort them.
#[test]
fn lists_do_not_depend_on_the_number_of_threads() {
    let world = |len: i64, spread: i64| -> Vec<i32> {
        (0..len).map(|i| ((i * 7_919 + i / 3 * 104_729) % spread) as i32 - 1_000).collect()
    };
    let worlds = [(1_000_000, 1_000), (1_000_000, 40_000), (5_000, 700), (10, 100)];
    for (spread, size) in worlds.into_iter().take(throng_testing::amount(3, 4) as usize) {
        let (xs, ys) = (world(50_000, spread), world(50_000, spread / 2 + 3));
        let grid = UniformGrid::covering([-1_000, -1_000], [1_000_000; 2], size, Boundary::Periodic).unwrap();
        let sorted = |threads: usize| {
            let mut lists = CellLists::new(grid, xs.len()).unwrap();
            thread_pool(threads).unwrap().install(|| lists.build(&[&xs, &ys]));
            (lists.starts().to_vec(), lists.agents().to_vec())
        };
        let single_threaded = sorted(1);
        assert!([2, 3, 5].into_iter().all(|threads| sorted(threads) == single_threaded), "{spread} units by {size}");
    }
}
