use std::ops::Range;

use throng_device::neighbours::Boundary;

use super::cpu::CpuField;
#[cfg(feature = "gpu")]
use super::gpu::DeviceField;
use super::openings::{Door, Entry, ExitChoice, Openings};
use super::rules::direction::{DIRECTIONS, angle};
use super::rules::directional::Reading;
use super::rules::grid::Grid;
use super::*;

fn tables(size: u32) -> FieldTables {
    FieldTables::new(&FieldParameters { size, ..FieldParameters::default() }).unwrap()
}

fn world(width: u32, height: u32, boundary: Boundary) -> World {
    let grid = Grid { width, height, boundary };
    // Walls, including pairs that close diagonals.
    let is_wall = |unit: u32| unit.wrapping_mul(2_654_435_761) >> 27 == 3 && width > 20;
    World::new(grid, (0..width * height).map(is_wall).collect()).unwrap()
}

/// A scene simulated by all executors.
#[derive(Clone)]
struct Case {
    name: String,
    world: World,
    tables: FieldTables,
    pedestrians: Pedestrians,
    summing: Summing,
    ticks: u32,
}

impl Case {
    /// Checks, tick by tick, that every executor has the states of the reference, and the CPU the sums of its fields.
    fn executors_agree(self) {
        let Self { name, world, tables, pedestrians, summing, ticks } = self;
        let mut reference = Reference::new(world.clone(), tables.clone(), pedestrians.clone(), 9, 0).unwrap();
        let mut on_devices = on_devices(&world, &tables, &pedestrians, summing);
        let grid = *world.grid();
        let mut cpu = CpuField::new(world, tables, pedestrians, 9, 0, summing).unwrap();
        assert_eq!(&cpu.pedestrians(), reference.pedestrians(), "{name}, before the first tick");
        for tick in 0..ticks {
            for unit in (0..grid.units() as u32).step_by(17) {
                let (mut heading, [x, y]) = (unit % DIRECTIONS, grid.place(unit));
                if summing == Summing::Transforms {
                    // Transforms compute sums only at pedestrians.
                    let Some(reader) = reference.pedestrians().at.iter().position(|&at| at == unit) else { continue };
                    heading = reference.pedestrians().heading[reader].into();
                }
                if heading == DIRECTIONS {
                    continue;
                }
                let needed = |mut sums: Sums| {
                    for sector in 0..DIRECTIONS {
                        let apart = angle(sector, heading);
                        sums.same[sector as usize] *= i32::from(apart <= 1);
                        sums.oncoming[sector as usize] *= i32::from(apart <= 2);
                    }
                    sums
                };
                let found = needed(cpu.sums(x as u32, y as u32, heading));
                assert_eq!(found, needed(reference.sums(unit, heading)), "{name}, tick {tick}");
            }
            let moved = reference.step();
            assert_eq!(cpu.step(), moved, "{name}, tick {tick}");
            assert_eq!(&cpu.pedestrians(), reference.pedestrians(), "{name}, tick {tick}");
            for on_device in &mut on_devices {
                assert_eq!(&on_device(), reference.pedestrians(), "{name}, tick {tick}");
            }
        }
    }
}

#[test]
fn executors_agree_with_the_reference() {
    for (size, summing) in [
        (1, Summing::Windows),
        (3, Summing::Windows),
        (7, Summing::Windows),
        (9, Summing::Windows),
        (11, Summing::Windows),
        (7, Summing::Sides),
        (13, Summing::Sides),
        (21, Summing::Sides),
        (1, Summing::Units),
        (7, Summing::Units),
        (1, Summing::Transforms),
        (7, Summing::Transforms),
        (21, Summing::Transforms),
    ] {
        for boundary in [Boundary::Periodic, Boundary::Closed] {
            for (flow, density) in [(Flow::Eight, 0.3), (Flow::Bi, 0.6)] {
                let world = world(43, 29, boundary);
                let pedestrians = Start { density, flow, periods: &[1, 3], seed: 9 }.pedestrians(&world).unwrap();
                let name = format!("{size}, {summing:?}, {boundary:?}, {flow:?}");
                let ticks = throng_testing::amount(4, 15);
                Case { name, world, tables: tables(size), pedestrians, summing, ticks }.executors_agree();
            }
        }
    }
}

/// Fields with sides of more bits than a word has.
#[test]
fn executors_agree_about_large_fields() {
    let worlds = [
        (33, 40, Summing::Sides, Boundary::Periodic),
        (33, 40, Summing::Transforms, Boundary::Periodic),
        (77, 80, Summing::Sides, Boundary::Periodic),
        (77, 80, Summing::Transforms, Boundary::Periodic),
        (77, 90, Summing::Transforms, Boundary::Closed),
    ];
    for (size, side, summing, boundary) in worlds.into_iter().take(throng_testing::amount(2, 5) as usize) {
        let world = World::without_walls(Grid { width: side, height: side, boundary }).unwrap();
        let start = Start { density: 0.4, flow: Flow::Eight, periods: &[1], seed: 9 };
        let pedestrians = start.pedestrians(&world).unwrap();
        let (name, tables) = (format!("fields of {size}"), tables(size));
        Case { name, world, tables, pedestrians, summing, ticks: throng_testing::amount(1, 3) }.executors_agree();
    }
}

/// A case with given parameters and walk periods, in a crowd that jams.
fn jam(name: &str, parameters: &FieldParameters, periods: &[u32]) -> Case {
    let world = world(43, 29, Boundary::Periodic);
    let pedestrians = Start { density: 0.7, flow: Flow::Bi, periods, seed: 9 }.pedestrians(&world).unwrap();
    let tables = FieldTables::new(parameters).unwrap();
    let ticks = throng_testing::amount(8, 20);
    Case { name: name.to_owned(), world, tables, pedestrians, summing: Summing::Windows, ticks }
}

#[test]
fn executors_agree_about_exchanges_sides_speeds_and_walls() {
    let defaults = FieldParameters::default();
    let exchanges = FieldParameters { exchange_ticks: 1, ..defaults };
    jam("exchanges", &exchanges, &[1]).executors_agree();
    jam("slow exchanges", &FieldParameters { exchange_ticks: 3, ..defaults }, &[1]).executors_agree();
    let fast = FieldParameters { equal_speeds: true, exchange_ticks: 2, ..defaults };
    jam("exchanges and equal speeds", &fast, &[2, 5]).executors_agree();
    jam("sides", &FieldParameters { side_weight: 0.3, ..defaults }, &[1]).executors_agree();
    jam("walls", &FieldParameters { obstacle_weight: 0.2, ..defaults }, &[1]).executors_agree();
}

/// In a periodic world of one row or column, some directions lead back to the pedestrian's own position; these are not
/// steps.
#[test]
fn executors_agree_about_worlds_of_one_row() {
    let traces = FieldParameters { trace_decay: 2, ..FieldParameters::default() };
    for (parameters, summing) in [
        (FieldParameters::default(), Summing::Windows),
        (FieldParameters { exchange_ticks: 2, equal_speeds: true, ..FieldParameters::default() }, Summing::Sides),
        (traces, Summing::Units),
    ] {
        for (side_weight, threshold) in [(0.1, 0.0), (0.0, -2.0)] {
            for (width, height) in [(40, 1), (1, 40), (1, 1)] {
                for boundary in [Boundary::Periodic, Boundary::Closed] {
                    let world = World::without_walls(Grid { width, height, boundary }).unwrap();
                    let start = Start { density: 0.7, flow: Flow::Four, periods: &[2], seed: 9 };
                    let pedestrians = start.pedestrians(&world).unwrap();
                    let parameters = FieldParameters { size: 1, side_weight, threshold, ..parameters };
                    let name = format!("{width} x {height}, {boundary:?}, {summing:?}, {threshold}");
                    let tables = FieldTables::new(&parameters).unwrap();
                    Case { name, world, tables, pedestrians, summing, ticks: 20 }.executors_agree();
                }
            }
        }
    }
}

#[test]
fn executors_agree_about_cones() {
    for (size, summing) in [
        (7, Summing::Windows),
        (11, Summing::Windows),
        (13, Summing::Sides),
        (7, Summing::Units),
        (9, Summing::Transforms),
    ] {
        let parameters =
            FieldParameters { size, reading: Reading::Cone, same_weight: 0.2, ..FieldParameters::default() };
        let name = format!("cones of {size}, {summing:?}");
        Case { summing, ..jam(&name, &parameters, &[1, 2]) }.executors_agree();
    }
}

#[test]
fn executors_agree_about_traces() {
    for (trace_decay, reading) in [(1, Reading::Heading), (3, Reading::Heading), (5, Reading::Cone)] {
        let parameters = FieldParameters { trace_decay, reading, exchange_ticks: 2, ..FieldParameters::default() };
        let name = format!("traces, {trace_decay}, {reading:?}");
        Case { summing: Summing::Units, ..jam(&name, &parameters, &[1, 3]) }.executors_agree();
    }
    let (world, pedestrians) = rooms(4);
    let parameters = FieldParameters { trace_decay: 3, exchange_ticks: 2, ..FieldParameters::default() };
    let (name, tables) = ("traces in rooms".to_owned(), FieldTables::new(&parameters).unwrap());
    Case { name, world, tables, pedestrians, summing: Summing::Units, ticks: 120 }.executors_agree();
}

/// One pedestrian walks along a row: the sums of its traces, by hand.
#[test]
fn a_trace_fades_behind_a_pedestrian() {
    let world = World::without_walls(Grid { width: 20, height: 9, boundary: Boundary::Periodic }).unwrap();
    let parameters = FieldParameters { trace_decay: 1, crowd_weight: 0.0, ..FieldParameters::default() };
    let tables = FieldTables::new(&parameters).unwrap();
    let walker =
        Pedestrians { at: vec![80], heading: vec![0], period: vec![1], due: vec![0], ..Pedestrians::default() };
    let mut field = CpuField::new(world, tables, walker, 1, 0, Summing::Units).unwrap();
    // No traces yet; a pedestrian itself has no directional field.
    assert_eq!(*field.sums(2, 4, 0).same, [0; 8]);
    (0..3).for_each(|_| assert_eq!(field.step(), 1));
    // The pedestrian is in column 3 now. Its traces in columns 1 to 3 are a quarter, a half and 1; the strengths of
    // rings 1 to 3 are 65,536, 46,341 and 37,837.
    assert_eq!(*field.sums(1, 4, 0).same, [65_536 / 2 + 46_341, 0, 0, 0, 0, 0, 0, 0]);
    // For a pedestrian coming from the east the traces are oncoming, at distances 3, 2 and 1.
    let oncoming = field.sums(4, 4, 4).oncoming;
    assert_eq!(oncoming[4], 65_536 + 46_341 / 2 + 37_837 / 4);
}

/// Rooms with two exits, a door that closes and opens again, entries, and pedestrians that stand behind the door.
fn rooms(every: u32) -> (World, Pedestrians) {
    let (width, height) = (41, 24);
    let grid = Grid { width, height, boundary: Boundary::Closed };
    let unit = |x: u32, y: u32| y * width + x;
    let is_wall = |at: u32| (at % width == 20 && at / width != 12 && at / width != 5) || at / width == 0;
    let world = World::new(grid, (0..width * height).map(is_wall).collect()).unwrap();
    let openings = Openings {
        exits: vec![(10..13).map(|y| unit(40, y)).collect(), (3..5).map(|x| unit(x, 23)).collect()],
        doors: vec![
            Door { units: vec![unit(20, 12)], open: vec![0..30, 60..u32::MAX] },
            Door { units: vec![unit(20, 5)], open: vec![45..47, 47..50] },
        ],
        entries: vec![
            Entry { units: (1..22).map(|y| unit(0, y)).collect(), pedestrians: 150..190 },
            Entry { units: vec![unit(30, 23), unit(31, 23)], pedestrians: 190..200 },
        ],
        choice: ExitChoice { every, ..ExitChoice::default() },
    };
    let world = world.with_openings(openings).unwrap();
    let start = Start { density: 0.18, flow: Flow::Uni, periods: &[1, 2], seed: 9 };
    let mut pedestrians = start.pedestrians(&world).unwrap();
    for values in [&mut pedestrians.at, &mut pedestrians.due, &mut pedestrians.period] {
        values.truncate(150);
        assert_eq!(values.len(), 150);
    }
    for number in 150..200 {
        pedestrians.at.push(WAITING);
        pedestrians.due.push(number % 40);
        pedestrians.period.push(1 + number % 2);
    }
    pedestrians.due[150..190].sort_unstable();
    pedestrians.due[190..].sort_unstable();
    pedestrians.heading = vec![0; 200];
    // Two thirds may leave through one exit only.
    pedestrians.exits = (0..200).map(|number| [1, 2, 3][number % 3]).collect();
    pedestrians.exit = (0..200).map(|number| [0, 1, 0][number % 3]).collect();
    (world, pedestrians)
}

#[test]
fn executors_agree_about_openings() {
    let choices =
        [(4, 13, Summing::Sides), (0, 7, Summing::Windows), (4, 7, Summing::Windows), (4, 7, Summing::Transforms)];
    for (every, size, summing) in choices.into_iter().take(throng_testing::amount(2, 4) as usize) {
        let (world, pedestrians) = rooms(every);
        let parameters = FieldParameters { size, opening_weight: 0.1, exchange_ticks: 2, ..FieldParameters::default() };
        let tables = FieldTables::new(&parameters).unwrap();
        let name = format!("rooms with a choice every {every} ticks, {size}");
        Case { name, world, tables, pedestrians, summing, ticks: 120 }.executors_agree();
    }
}

/// Without draws, fields and turns, a world with finer ticks has the states of the coarse one, one step per walk
/// period.
#[test]
fn finer_ticks_do_not_change_a_lane() {
    let states = |period: u32| {
        let world = World::without_walls(Grid { width: 40, height: 1, boundary: Boundary::Periodic }).unwrap();
        let mut people =
            Start { density: 0.6, flow: Flow::Uni, periods: &[period], seed: 9 }.pedestrians(&world).unwrap();
        people.due.fill(0);
        let mut field = CpuField::new(world, tables(1), people, 9, 0, Summing::Windows).unwrap();
        let step = |_| {
            (0..period).for_each(|_| assert!(field.step() <= 40));
            field.pedestrians().at
        };
        (0..30).map(step).collect::<Vec<_>>()
    };
    let expected = states(1);
    assert_ne!(expected[0], expected[29]);
    for period in [2, 5, 10] {
        assert_eq!(states(period), expected, "{period} ticks");
    }
}

/// A space unit is free when the step of the pedestrian that left it is over: by hand, with walk periods of 3 and 2.
#[test]
fn vacated_space_units_are_free_after_the_step() {
    let world = World::without_walls(Grid { width: 9, height: 1, boundary: Boundary::Closed }).unwrap();
    let people = Pedestrians {
        at: vec![3, 2],
        heading: vec![0, 0],
        period: vec![3, 2],
        due: vec![0, 0],
        ..Pedestrians::default()
    };
    let mut field = CpuField::new(world.clone(), tables(1), people, 9, 0, Summing::Windows).unwrap();
    let mut seen = Vec::new();
    for tick in 1..=6 {
        field.step();
        let state = field.pedestrians();
        let left = (0u32..).zip(&state.free_from).filter(|&(_, &from)| from > 0);
        seen.push((state.at.clone(), left.map(|(unit, &from)| (unit, from)).collect::<Vec<_>>()));
        // The future depends only on the state, so restarting from it changes nothing.
        field = CpuField::new(world.clone(), tables(1), state, 9, tick, Summing::Windows).unwrap();
    }
    let expected = [
        (vec![4, 2], vec![(3, 3)]),
        (vec![4, 2], vec![(3, 3)]),
        (vec![4, 2], vec![]),
        (vec![5, 3], vec![(2, 5), (4, 6)]),
        (vec![5, 3], vec![(4, 6)]),
        (vec![5, 3], vec![]),
    ];
    assert_eq!(seen, expected);
}

/// One pedestrian leaves per two steps, as through one space unit of a door: 20 of them stand in a lane in front of an
/// exit.
#[test]
fn an_exit_lets_one_person_out_in_two_steps() {
    let left = |period: u32| {
        let world = World::without_walls(Grid { width: 24, height: 1, boundary: Boundary::Closed }).unwrap();
        let world = world.with_openings(Openings { exits: vec![vec![23]], ..Openings::default() }).unwrap();
        let people = Pedestrians {
            at: (0..20).collect(),
            heading: vec![0; 20],
            period: vec![period; 20],
            due: vec![0; 20],
            exits: vec![1; 20],
            exit: vec![0; 20],
            ..Pedestrians::default()
        };
        let mut field = CpuField::new(world, tables(1), people, 9, 0, Summing::Windows).unwrap();
        (0..60 * period).for_each(|_| assert!(field.step() <= 40));
        let mut left = field.pedestrians().due;
        left.sort_unstable();
        left
    };
    // The first makes four steps to the exit and one out of it, in ticks 0 to 4.
    assert_eq!(left(1), (0..20).map(|person| 5 + 2 * person).collect::<Vec<_>>());
    // With three ticks per step, these steps begin in ticks 0, 3, 6, 9 and 12.
    assert_eq!(left(3), (0..20).map(|person| 13 + 6 * person).collect::<Vec<_>>());
}

/// A pedestrian that waits behind one that has already entered would be skipped, and the latter would enter again.
#[test]
fn entries_with_pedestrians_out_of_order_are_refused() {
    let world = World::without_walls(Grid { width: 9, height: 5, boundary: Boundary::Closed }).unwrap();
    let refused = |at: &[u32], due: &[u32], pedestrians: Range<u32>| {
        let entries = vec![Entry { units: vec![0, 1, 2], pedestrians }];
        let openings = Openings { exits: vec![vec![44]], entries, ..Openings::default() };
        let world = world.clone().with_openings(openings).unwrap();
        let count = at.len();
        let pedestrians = Pedestrians {
            at: at.to_vec(),
            heading: vec![0; count],
            period: vec![1; count],
            due: due.to_vec(),
            exits: vec![1; count],
            exit: vec![0; count],
            ..Pedestrians::default()
        };
        let of = |summing| CpuField::new(world.clone(), tables(3), pedestrians.clone(), 1, 9, summing).map(drop);
        of(Summing::Windows).err().map(|error| error.to_string()).unwrap_or_default()
    };
    let found = refused(&[WAITING, 5, WAITING], &[0, 9, 0], 0..3);
    assert!(found.starts_with("entry 0: pedestrians 0..3: some have entered before an earlier one\n"), "{found}");
    let found = refused(&[WAITING, LEFT, WAITING], &[0, 3, 0], 0..3);
    assert!(found.starts_with("entry 0: pedestrians 0..3: some"), "{found}");
    #[allow(clippy::reversed_empty_ranges, reason = "the invalid range under test")]
    let found = refused(&[5, 6, 7], &[9; 3], 2..1);
    assert!(found.starts_with("entry 0: pedestrians 2..1\n    give the first number, and the last"), "{found}");
    let found = refused(&[5, WAITING, WAITING], &[9, 4, 3], 0..3);
    assert!(found.starts_with("entry 0: pedestrians out of order\n"), "{found}");
    // In the middle of a run: those in the world or departed have later due ticks than some that wait.
    assert_eq!(refused(&[LEFT, 5, WAITING, WAITING], &[8, 9, 3, 4], 0..4), "");
}

#[test]
fn all_pedestrians_leave_and_none_is_lost() {
    let (world, pedestrians) = rooms(4);
    // Without exchanges, pedestrians that meet in the door block it forever.
    let tables = FieldTables::new(&FieldParameters { exchange_ticks: 1, ..FieldParameters::default() }).unwrap();
    let mut field = CpuField::new(world.clone(), tables, pedestrians, 9, 0, Summing::Windows).unwrap();
    let mut left_before = 0;
    for tick in 0..400 {
        let state = field.pedestrians();
        let count = |at: u32| state.at.iter().filter(|&&found| found == at).count();
        let (waiting, left) = (count(WAITING), count(LEFT));
        assert_eq!(waiting + state.inside() + left, 200, "tick {tick}");
        // At most one per space unit of an exit and tick.
        assert!(left - left_before <= 5, "tick {tick}");
        let through = |exit: u32| {
            let of_exit = state.exit.iter().zip(&state.at).filter(|&(&to, &at)| at == LEFT && u32::from(to) == exit);
            of_exit.count()
        };
        assert_eq!(through(0) + through(1), left);
        for (number, _) in state.at.iter().enumerate().filter(|&(_, &at)| at == LEFT) {
            assert!(state.exits[number] >> state.exit[number] & 1 == 1 && state.due[number] <= tick, "{number}");
        }
        state.occupants(&world).unwrap();
        left_before = left;
        field.step();
    }
    assert_eq!(left_before, 200);
}

#[test]
fn pedestrians_avoid_crowded_exits() {
    let left_through_far = |crowding: f64| {
        let grid = Grid { width: 60, height: 21, boundary: Boundary::Closed };
        let world = World::without_walls(grid).unwrap();
        let exits = vec![vec![10 * 60], vec![10 * 60 + 59]];
        let choice = ExitChoice { every: 5, crowding, ..ExitChoice::default() };
        let world = world.with_openings(Openings { exits, choice, ..Openings::default() }).unwrap();
        // A crowd in the western third.
        let at: Vec<u32> = (0..300).map(|number| number / 15 + 3 + (number % 15 + 3) * 60).collect();
        let count = at.len();
        let pedestrians = Pedestrians {
            at,
            heading: vec![0; count],
            period: vec![1; count],
            due: vec![0; count],
            exits: vec![3; count],
            exit: vec![0; count],
            ..Pedestrians::default()
        };
        let mut field = CpuField::new(world, tables(7), pedestrians, 1, 0, Summing::Windows).unwrap();
        for _ in 0..1500 {
            field.step();
        }
        let state = field.pedestrians();
        let through_far = state.exit.iter().zip(&state.at).filter(|&(&exit, &at)| exit == 1 && at == LEFT).count();
        (through_far, state.due.iter().copied().max().unwrap())
    };
    let (far_by_distance, slow) = left_through_far(0.0);
    let (far_by_crowding, fast) = left_through_far(1.0);
    assert_eq!(far_by_distance, 0);
    assert!((60..200).contains(&far_by_crowding), "{far_by_crowding} of 300");
    assert!(fast * 4 < slow * 3, "{fast} instead of {slow} ticks");
}

/// Returns for each device a function that simulates a tick and returns the pedestrians.
#[cfg(feature = "gpu")]
fn on_devices(
    world: &World,
    tables: &FieldTables,
    pedestrians: &Pedestrians,
    summing: Summing,
) -> Vec<Box<dyn FnMut() -> Pedestrians>> {
    let start = |device: &'static std::sync::Arc<throng_device::Device>| {
        let mut field = DeviceField::new(device, world, tables, pedestrians, 9, 0, summing).unwrap();
        Box::new(move || {
            field.step(device).unwrap();
            field.pedestrians(device).unwrap()
        }) as Box<dyn FnMut() -> Pedestrians>
    };
    throng_testing_devices::devices().into_iter().map(start).collect()
}

#[cfg(not(feature = "gpu"))]
fn on_devices(_: &World, _: &FieldTables, _: &Pedestrians, _: Summing) -> Vec<Box<dyn FnMut() -> Pedestrians>> {
    Vec::new()
}
