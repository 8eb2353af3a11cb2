//! Influence and travel times on devices.

use proptest::prelude::*;
use throng_device::Error;
use throng_fields::gpu::{self, DeviceInfluenceMap, DeviceTravelTimes};
use throng_fields::influence::{InfluenceMap, Propagation};
use throng_fields::routing::{Order, Scheme, TravelTimes, maps};
use throng_fields::{Grid, Mask};

use super::{bits, devices};

/// A grid, and for each cell whether it is open.
fn maps() -> impl Strategy<Value = (Grid, Vec<bool>)> {
    (1u32..150, 1u32..150, 0.2f32..2.0, 0u32..5).prop_flat_map(|(columns, rows, cell, walls)| {
        let grid = Grid::new([0.0, 0.0], cell, columns, rows).unwrap();
        let open = prop::collection::vec(prop::bool::weighted(1.0 - f64::from(walls) * 0.08), grid.cells());
        open.prop_map(move |open| (grid, open))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(4), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn influence_matches_the_cpu_bit_for_bit(
        (grid, open) in maps(),
        sources in prop::collection::vec((0u32..150, 0u32..150, prop_oneof![Just(0.0f32), 0.1f32..9.0]), 0..12),
        (decay, momentum, sweeps) in (0.0f32..0.5, 0.0f32..0.9, 1u32..9),
    ) {
        let mask = Mask::new(&grid, |column, row| open[grid.index(column, row)]);
        let mut map = InfluenceMap::new(grid, Propagation { decay, momentum }, Some(mask.clone())).unwrap();
        let sources: Vec<_> = sources.into_iter().filter(|&(column, row, _)| mask.allows(column, row)).collect();
        let (now, later) = sources.split_at(sources.len() / 2);
        for &(column, row, strength) in now {
            map.set_source(column, row, strength).unwrap();
        }
        for device in devices() {
            let mut on_cpu = map.clone();
            let found = {
                let mut on_device = DeviceInfluenceMap::new(device, &map).unwrap();
                on_device.sweep(device, sweeps).unwrap();
                for &source in later {
                    on_device.set_sources(device, &[source]).unwrap();
                }
                on_device.sweep(device, sweeps).unwrap();
                on_device.read(device).unwrap()
            };
            on_cpu.sweep(sweeps);
            for &(column, row, strength) in later {
                on_cpu.set_source(column, row, strength).unwrap();
            }
            on_cpu.sweep(sweeps);
            prop_assert_eq!(bits(&found), bits(&on_cpu.field()));
        }
    }

    #[test]
    fn travel_times_match_the_cpu((grid, open) in maps(), goals in prop::collection::vec((0u32..150, 0u32..150), 0..4), seed in 0u32..1000) {
        let mask = Mask::new(&grid, |column, row| open[grid.index(column, row)]);
        let goals: Vec<_> = goals.into_iter().filter(|&(column, row)| mask.allows(column, row)).collect();
        let cost = |cell: usize| 0.1 + ((cell as u32).wrapping_mul(2_654_435_761).wrapping_add(seed) >> 24) as f32 / 20.0;
        let costs: Vec<f32> = (0..grid.cells()).map(|cell| if open[cell] { cost(cell) } else { f32::INFINITY }).collect();
        for scheme in [Order::First.into(), Order::Second.into(), Scheme::Manhattan, Scheme::Chebyshev] {
            let on_cpu = TravelTimes::by_scheme(scheme, &grid, &costs, &goals).unwrap();
            for device in devices() {
                let on_device = {
                    let on_device = DeviceTravelTimes::new(device, scheme, &grid, &costs, &goals).unwrap();
                    // Computes again, from the start.
                    on_device.compute(device).unwrap();
                    on_device.compute(device).unwrap();
                    on_device.read(device).unwrap()
                };
                prop_assert_eq!(bits(&on_device.field()), bits(&on_cpu.field()));
            }
        }
    }
}

#[test]
fn travel_times_of_a_maze_and_of_open_ground_match_the_cpu() {
    let maze = maps::maze(150, 2).unwrap();
    let open = maps::empty(150).unwrap();
    for map in [maze, open] {
        let (grid, goals): (_, Vec<_>) = (*map.ground.grid(), map.ground.goals().cells().collect());
        let cost = |cell: u32| if map.ground.open().allows(cell % 150, cell / 150) { 1.5 } else { f32::INFINITY };
        let costs: Vec<f32> = (0..150 * 150).map(cost).collect();
        for scheme in [Scheme::default(), Scheme::Manhattan, Scheme::Chebyshev] {
            let on_cpu = TravelTimes::by_scheme(scheme, &grid, &costs, &goals).unwrap();
            for device in devices() {
                let on_device = gpu::travel_times_by_scheme(device, scheme, &grid, &costs, &goals).unwrap();
                assert_eq!(bits(&on_device.field()), bits(&on_cpu.field()));
            }
        }
    }
}

#[test]
fn the_last_strength_of_a_cell_is_used() {
    let grid = Grid::new([0.0, 0.0], 1.0, 9, 5).unwrap();
    let map = InfluenceMap::new(grid, Propagation { decay: 0.1, momentum: 0.4 }, None).unwrap();
    let sources = [(3, 3, 7.0), (3, 3, 2.0), (5, 1, 4.0), (5, 1, 0.0), (0, 0, 0.0), (0, 0, 1.0), (8, 4, 0.0)];
    let mut on_cpu = map.clone();
    for (column, row, strength) in sources {
        on_cpu.set_source(column, row, strength).unwrap();
    }
    on_cpu.sweep(3);
    for device in devices() {
        let found = {
            let mut on_device = DeviceInfluenceMap::new(device, &map).unwrap();
            on_device.set_sources(device, &sources).unwrap();
            on_device.sweep(device, 3).unwrap();
            on_device.read(device).unwrap()
        };
        assert_eq!(bits(&found), bits(&on_cpu.field()));
    }
}

#[test]
fn influence_below_the_smallest_value_is_zero() {
    let grid = Grid::new([0.0, 0.0], 1.0, 260, 3).unwrap();
    let mut map = InfluenceMap::new(grid, Propagation { decay: 0.5, momentum: 0.0 }, None).unwrap();
    map.set_source(0, 1, 1.0).unwrap();
    let mut on_cpu = map.clone();
    on_cpu.sweep(300);
    // exp(-0.5 * 138) is 1.1e-30.
    assert!(on_cpu.at(138, 1) > Some(1e-30) && on_cpu.at(140, 1) == Some(0.0) && on_cpu.at(259, 1) == Some(0.0));
    for device in devices() {
        let found = {
            let mut on_device = DeviceInfluenceMap::new(device, &map).unwrap();
            on_device.sweep(device, 300).unwrap();
            on_device.read(device).unwrap()
        };
        assert_eq!(bits(&found), bits(&on_cpu.field()));
    }
}

#[test]
fn refused_sources_change_nothing() {
    let grid = Grid::new([0.0, 0.0], 1.0, 9, 5).unwrap();
    let open = Mask::new(&grid, |column, _| column > 0);
    let mut map = InfluenceMap::new(grid, Propagation { decay: 0.1, momentum: 0.0 }, Some(open)).unwrap();
    map.set_source(4, 2, 1.0).unwrap();
    for device in devices() {
        let mut on_device = DeviceInfluenceMap::new(device, &map).unwrap();
        for (bad, place) in [
            ((0, 1, 1.0), "source at (0, 1)"),
            ((9, 1, 1.0), "source at (9, 1)"),
            ((3, 1, f32::NAN), "source, strength"),
            ((3, 1, -1.0), "source, strength"),
        ] {
            let Err(Error::Input(error)) = on_device.set_sources(device, &[(3, 3, 7.0), bad]) else { panic!() };
            assert_eq!(error.place(), place);
        }
        assert_eq!(bits(&on_device.read(device).unwrap()), bits(&map.field()));
    }
}

#[test]
fn grids_of_one_or_two_columns_or_rows_have_fewer_neighbours() {
    for (columns, rows) in [(1, 1), (1, 2), (2, 1), (1, 70), (70, 1), (2, 2), (2, 70), (70, 2)] {
        let grid = Grid::new([0.0, 0.0], 1.0, columns, rows).unwrap();
        let mut map = InfluenceMap::new(grid, Propagation { decay: 0.1, momentum: 0.3 }, None).unwrap();
        map.set_source(columns / 2, rows - 1, 3.0).unwrap();
        for device in devices() {
            let mut on_cpu = map.clone();
            let found = {
                let mut on_device = DeviceInfluenceMap::new(device, &map).unwrap();
                // After its removal, the source fades like any other cell, and must not feed itself.
                on_device.sweep(device, 3).unwrap();
                on_device.set_sources(device, &[(columns / 2, rows - 1, 0.0)]).unwrap();
                on_device.sweep(device, 3).unwrap();
                on_device.read(device).unwrap()
            };
            on_cpu.sweep(3);
            on_cpu.set_source(columns / 2, rows - 1, 0.0).unwrap();
            on_cpu.sweep(3);
            assert_eq!(bits(&found), bits(&on_cpu.field()), "{columns} x {rows}");
        }
    }
}

#[test]
fn too_many_pending_sweeps_are_refused() {
    let grid = Grid::new([0.0, 0.0], 1.0, 8, 8).unwrap();
    let map = InfluenceMap::new(grid, Propagation { decay: 0.1, momentum: 0.0 }, None).unwrap();
    for device in devices() {
        let mut on_device = DeviceInfluenceMap::new(device, &map).unwrap();
        let refused = on_device.sweep(device, u32::MAX).unwrap_err();
        assert!(matches!(&refused, Error::Input(error) if error.place() == "sweeps"), "{refused}");
    }
}
