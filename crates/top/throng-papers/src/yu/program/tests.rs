use throng_device::neighbours::Boundary;
use throng_pedestrians::openings::Openings;
use throng_pedestrians::rules::direction::angle;
use throng_pedestrians::rules::directional::Reading;
use throng_pedestrians::rules::grid::Grid;
use throng_pedestrians::{FieldParameters, Flow, Reference, SectorMap, Start};

use super::*;

fn tables(size: u32, map: SectorMap) -> FieldTables {
    FieldTables::new(&FieldParameters { size, map, ..FieldParameters::default() }).unwrap()
}

/// The part of freshly computed sums that a heading reads.
fn read(mut sums: Sums, heading: u32, occurs: bool) -> Sums {
    for direction in 0..DIRECTIONS {
        let apart = angle(direction, heading);
        sums.same[direction as usize] *= i32::from(occurs && apart <= 1);
        sums.oncoming[direction as usize] *= i32::from(occurs && apart <= 2);
    }
    sums
}

/// The states after every tick, and all stored numbers, equal the results of the definition.
#[test]
fn every_cache_matches_the_states_and_fields_of_the_definition() {
    let ticks = throng_testing::amount(5, 12) as usize;
    let mut compared = 0;
    for (size, map) in [(3, SectorMap::Exact45), (5, SectorMap::Skew), (7, SectorMap::Seed7), (7, SectorMap::Exact45)] {
        for boundary in [Boundary::Periodic, Boundary::Closed] {
            for (flow, density) in [(Flow::Bi, 0.3), (Flow::Eight, 0.3), (Flow::Bi, 0.7), (Flow::Eight, 0.7)] {
                let grid = Grid { width: 23, height: 17, boundary };
                let is_wall = |unit: u32| boundary == Boundary::Closed && unit.wrapping_mul(2_654_435_761) >> 28 == 3;
                let world = World::new(grid, (0..23 * 17).map(is_wall).collect()).unwrap();
                let start = Start { density, flow, periods: &[1], seed: 5 };
                let pedestrians = start.pedestrians(&world).unwrap();
                let tables = tables(size, map);
                let mut reference = Reference::new(world.clone(), tables.clone(), pedestrians.clone(), 5, 0).unwrap();
                let mut programs = Caching::ALL.map(|caching| {
                    StoredFields::new(world.clone(), &tables, pedestrians.clone(), 5, 0, caching).unwrap()
                });
                for tick in 0..ticks {
                    let moved = reference.step();
                    for (program, caching) in programs.iter_mut().zip(Caching::ALL) {
                        let context = format!("{caching}, {size}, {flow:?}, {density}, tick {tick}");
                        assert_eq!(program.step(), moved, "{context}");
                        assert_eq!(program.pedestrians(), reference.pedestrians(), "{context}");
                        for unit in (0..23 * 17).skip(tick).step_by(5) {
                            for heading in 0..DIRECTIONS {
                                let occurs = flow.headings().contains(&(heading as u8));
                                let expected = read(reference.sums(unit, heading), heading, occurs);
                                assert_eq!(program.sums(unit, heading), expected, "{context}, {unit}, {heading}");
                            }
                        }
                        compared += moved;
                    }
                }
            }
        }
    }
    assert!(compared > 4_000 * ticks, "{compared}");
}

#[test]
fn invalid_parameters_are_refused() {
    let world = World::without_walls(Grid { width: 6, height: 9, boundary: Boundary::Periodic }).unwrap();
    let refused = |size, caching| {
        let tables = tables(size, SectorMap::Exact45);
        StoredFields::new(world.clone(), &tables, Pedestrians::default(), 1, 0, caching).unwrap_err().to_string()
    };
    assert!(refused(5, Caching::MultiStep(3)).starts_with("partial sums: 3\n"));
    assert!(refused(7, Caching::None).starts_with("field_size: 7 space units, in a world of 6 x 9"));
    let parameters = FieldParameters {
        size: 5,
        reading: Reading::Cone,
        trace_decay: 3,
        exchange_ticks: 2,
        equal_speeds: true,
        obstacle_weight: 0.5,
        ..FieldParameters::default()
    };
    let of = |world: World, parameters: &FieldParameters, bodies: Vec<[u8; 2]>| {
        let pedestrians = Pedestrians {
            at: vec![0],
            heading: vec![0],
            period: vec![1],
            due: vec![0],
            bodies,
            ..Pedestrians::default()
        };
        let tables = FieldTables::new(parameters).unwrap();
        StoredFields::new(world, &tables, pedestrians, 1, 0, Caching::OneStep).unwrap_err().to_string()
    };
    let refused = of(world.clone(), &parameters, Vec::new());
    for option in ["reading: cone", "trace_decay: 3", "exchange_ticks: 2", "equal_speeds: true", "obstacle_weight: 0.5"]
    {
        assert!(refused.contains(&format!("{option}\n")), "{refused}");
    }
    let plain = FieldParameters { size: 5, ..FieldParameters::default() };
    let openings = Openings { exits: vec![vec![3]], ..Openings::default() };
    let with_exit = world.clone().with_openings(openings).unwrap();
    assert!(of(with_exit, &plain, Vec::new()).starts_with("exits: a world with openings\n"));
    assert!(of(world.clone(), &plain, vec![[2, 1]]).starts_with("body_su: bodies of several space units\n"));
    let empty =
        StoredFields::new(world, &tables(5, SectorMap::Exact45), Pedestrians::default(), 1, 0, Caching::OneStep);
    assert_eq!(empty.unwrap().step(), 0);
}
