use throng_device::neighbours::Boundary;

use super::rules::direction::{DIRECTIONS, angle};
use super::rules::grid::Grid;
use super::*;

fn tables(size: u32) -> FieldTables {
    FieldTables::new(&FieldParameters { size, ..FieldParameters::default() }).unwrap()
}

fn world(width: u32, height: u32, boundary: Boundary) -> World {
    let grid = Grid { width, height, boundary };
    // Walls, also in pairs that close diagonals.
    let is_wall = |unit: u32| unit.wrapping_mul(2_654_435_761) >> 27 == 3 && width > 20;
    World::new(grid, (0..width * height).map(is_wall).collect()).unwrap()
}

/// Every executor has the states of the reference, tick by tick, and the sums of its fields.
#[test]
fn executors_have_the_states_of_the_reference() {
    for (size, summing) in [
        (1, Summing::Windows),
        (3, Summing::Windows),
        (7, Summing::Windows),
        (9, Summing::Windows),
        (11, Summing::Windows),
        (7, Summing::Sides),
        (13, Summing::Sides),
        (21, Summing::Sides),
    ] {
        for boundary in [Boundary::Periodic, Boundary::Closed] {
            for (flow, density) in [(Flow::Eight, 0.3), (Flow::Bi, 0.6)] {
                let world = world(43, 29, boundary);
                let start = Start { density, flow, periods: &[1, 3], seed: 9 };
                let pedestrians = start.pedestrians(&world).unwrap();
                let tables = tables(size);
                let mut reference = Reference::new(world.clone(), tables.clone(), pedestrians.clone(), 9, 0).unwrap();
                let mut on_devices = on_devices(&world, &tables, &pedestrians, summing);
                let mut cpu = SocialField::new(world.clone(), tables, pedestrians, 9, 0, summing).unwrap();
                for tick in 0..40 {
                    for unit in (0..43 * 29).step_by(17) {
                        let (heading, [x, y]) = (unit % DIRECTIONS, world.grid().place(unit));
                        let mut expected = reference.sums(unit, heading);
                        for sector in 0..DIRECTIONS {
                            let apart = angle(sector, heading);
                            expected.same[sector as usize] *= i32::from(apart <= 1);
                            expected.oncoming[sector as usize] *= i32::from(apart <= 2);
                        }
                        assert_eq!(cpu.sums(x as u32, y as u32, heading), expected, "{size} {summing:?} {tick}");
                    }
                    let moved = reference.step();
                    assert_eq!(cpu.step(), moved, "{size} {summing:?} {boundary:?} {tick}");
                    assert_eq!(&cpu.pedestrians(), reference.pedestrians(), "{size} {summing:?} {boundary:?} {tick}");
                    assert!(moved > 0, "{size} {flow:?} {boundary:?} {tick}");
                    for on_device in &mut on_devices {
                        assert_eq!(&on_device(), reference.pedestrians(), "{size} {summing:?} {boundary:?} {tick}");
                    }
                }
            }
        }
    }
}

/// For each device a function that makes a tick and returns the pedestrians.
#[cfg(feature = "gpu")]
fn on_devices(
    world: &World,
    tables: &FieldTables,
    pedestrians: &Pedestrians,
    summing: Summing,
) -> Vec<Box<dyn FnMut() -> Pedestrians>> {
    use throng_device::with_device;

    let start = |device: &'static throng_device::AnyDevice| {
        with_device!(device, |device| {
            let mut field = DeviceSocialField::new(device, world, tables, pedestrians, 9, 0, summing).unwrap();
            Box::new(move || {
                field.step(device).unwrap();
                field.pedestrians(device).unwrap()
            }) as Box<dyn FnMut() -> Pedestrians>
        })
    };
    throng_testing::devices().into_iter().map(start).collect()
}

#[cfg(not(feature = "gpu"))]
fn on_devices(_: &World, _: &FieldTables, _: &Pedestrians, _: Summing) -> Vec<Box<dyn FnMut() -> Pedestrians>> {
    Vec::new()
}
