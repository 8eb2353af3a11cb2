use throng_core::Philox;
use throng_testing_devices::devices;

use super::*;
use crate::vigueras::cases::Options;
use crate::vigueras::counterexamples::{queue, refused_winner};
use crate::vigueras::grid::Stamps;
use crate::vigueras::overlaps::apply_moves;
use crate::vigueras::{Baseline, FourSteps, Variant, overlapping_pairs};

fn slices(columns: &[Vec<i32>; 2]) -> [&[i32]; 2] {
    columns.each_ref().map(Vec::as_slice)
}

fn four_steps(crowd: &Crowd, restore: Restore) -> FourSteps {
    let variant = Variant { restore, stamps: Stamps::PerSlot };
    FourSteps::new(crowd.world, crowd.at[0].len(), variant).unwrap()
}

/// The decisions of a deterministic device method for a crowd, computed on the CPU.
fn on_cpu(crowd: &Crowd, moves: &Moves, seed: u64, method: Method, steps: u32) -> Vec<Vec<bool>> {
    let mut at = crowd.at.clone();
    let mut four_steps = four_steps(crowd, Restore::Immediate);
    let baseline = Baseline::new(crowd.world, at[0].len()).unwrap();
    (0..steps)
        .map(|step| {
            let to = moves.wishes(Philox::new(seed), step, slices(&at));
            let accepted = match method {
                Method::NoCheck => vec![true; at[0].len()],
                method if method.compares_wishes() => baseline.accepted(slices(&at), slices(&to)).unwrap(),
                _ => four_steps.accepted(slices(&at), slices(&to)).unwrap(),
            };
            apply_moves(&mut at, &to, &accepted);
            accepted
        })
        .collect()
}

/// Device programs without races.
fn deterministic() -> impl Iterator<Item = Method> {
    let has_no_race = |method: &Method| method.compares_wishes() || *method == Method::FourStepsAtomic;
    std::iter::once(Method::NoCheck).chain(Options::default().methods().into_iter().filter(has_no_race))
}

#[test]
fn deterministic_methods_equal_the_cpu_step_by_step() {
    for (discs, area, length) in [(1, 0.1, 4_096), (700, 0.45, 1_024), (1_500, 0.2, 12_288), (333, 0.05, 4_096)] {
        let crowd = Crowd::new(discs, area, 3).unwrap();
        let (moves, seed, steps) = (crowd.moves(length), 0x1_0000_0005, 8);
        for method in deterministic() {
            let expected = on_cpu(&crowd, &moves, seed, method, steps);
            for device in devices() {
                for with_copies in [false, true] {
                    let mut on_device = DeviceCrowd::new(device, &crowd, moves, seed, method).unwrap();
                    for expected in &expected {
                        if with_copies {
                            on_device.run_with_copies(1).unwrap()
                        } else {
                            on_device.run(1).unwrap()
                        };
                        assert_eq!(on_device.accepted().unwrap(), *expected, "{discs} {} {with_copies}", method.name());
                    }
                    let moved = expected.iter().flatten().filter(|&&moves| moves).count() as u64;
                    assert_eq!(on_device.moved().unwrap(), moved);
                }
            }
        }
    }
}

#[test]
fn only_methods_of_the_paper_are_accepted() {
    let crowd = Crowd::new(9, 0.2, 1).unwrap();
    for device in devices() {
        for method in [Method::SequentialOnDevice, Method::SequentialOnCpu] {
            assert!(DeviceCrowd::new(device, &crowd, crowd.moves(100), 1, method).is_err(), "{method:?}");
        }
    }
}

#[test]
fn the_race_ends_like_the_cpu_for_some_order_of_writers() {
    for restore in Restore::ALL {
        for (area, length) in [(0.45, 4_096), (0.2, 12_288), (0.2, 1_024)] {
            let crowd = Crowd::new(1_200, area, 9).unwrap();
            let (moves, seed) = (crowd.moves(length), 1);
            let to = moves.wishes(Philox::new(seed), 0, slices(&crowd.at));
            for device in devices() {
                let method = Method::FourSteps(restore);
                let mut on_device = DeviceCrowd::new(device, &crowd, moves, seed, method).unwrap();
                on_device.run(1).unwrap();
                let mut cpu = four_steps(&crowd, restore);
                let order = on_device.order_of_writers().unwrap();
                let expected = cpu.accepted_in_order(slices(&crowd.at), slices(&to), &order).unwrap();
                assert_eq!(on_device.accepted().unwrap(), expected, "{restore:?} {area} {length}");
                // Accepted discs are at their wish, the others where they were.
                let after = on_device.positions().unwrap();
                for axis in 0..2 {
                    for disc in 0..expected.len() {
                        let positions = if expected[disc] { &to } else { &crowd.at };
                        assert_eq!(after[axis][disc], positions[axis][disc]);
                    }
                }
            }
        }
    }
}

/// The number of overlapping pairs after the wishes of a counterexample.
fn pairs(device: &Device, example: &crate::vigueras::counterexamples::Counterexample, method: Method) -> usize {
    let crowd = Crowd { world: example.world, at: example.at.clone() };
    let mut on_device = DeviceCrowd::new(device, &crowd, crowd.moves(0), 1, method).unwrap();
    let [xs, ys] = &example.wishes[0];
    let to: Vec<i32> = xs.iter().zip(ys).flat_map(|(&x, &y)| [x, y]).collect();
    on_device.to = device.upload("wishes", &to).unwrap();
    on_device.check().unwrap();
    on_device.move_discs().unwrap();
    if let Method::FourSteps(restore) = method {
        let order = on_device.order_of_writers().unwrap();
        let mut cpu = four_steps(&crowd, restore);
        let expected = cpu.accepted_in_order(slices(&crowd.at), slices(&example.wishes[0]), &order).unwrap();
        assert_eq!(on_device.accepted().unwrap(), expected, "{restore:?}");
    }
    overlapping_pairs(&example.world, slices(&on_device.positions().unwrap())).unwrap()
}

#[test]
fn device_programs_fail_on_the_published_counterexamples() {
    for device in devices() {
        let readings = Restore::ALL.map(Method::FourSteps);
        for method in readings.into_iter().chain([Method::FourStepsAtomic]) {
            assert_eq!(pairs(device, &refused_winner().unwrap(), method), 1, "{method:?}");
        }
        // In these crowds, the last disc has the highest id, and wins.
        assert_eq!(pairs(device, &queue(3).unwrap(), Method::FourStepsAtomic), 1);
        assert_eq!(pairs(device, &queue(1000).unwrap(), Method::FourStepsAtomic), 1);
        // Without atomic operations, a race decides which disc wins, and thus whether discs overlap.
        let found = pairs(device, &queue(1000).unwrap(), Method::FourSteps(Restore::FullWalk));
        assert!(found <= 1, "{found} pairs on {}", device.info().label());
    }
}

#[test]
fn a_tile_with_more_wishes_than_fit_into_shared_memory_is_checked_too() {
    // All 1,444 discs wish to move into a few cells, except for some that stay apart.
    let crowd = Crowd::new(1_444, 0.45, 2).unwrap();
    let middle = crowd.world.size()[0] / 2;
    let to = crowd.at.each_ref().map(|axis| {
        let wish = |(disc, &from): (usize, &i32)| if disc % 50 == 0 { from } else { middle + (from - middle) / 6 };
        axis.iter().enumerate().map(wish).collect::<Vec<i32>>()
    });
    let expected = Baseline::new(crowd.world, 1_444).unwrap().accepted(slices(&crowd.at), slices(&to)).unwrap();
    assert!(expected.iter().any(|&moves| moves) && expected.iter().any(|&moves| !moves));
    for device in devices() {
        for method in deterministic().filter(|method| method.compares_wishes()) {
            let mut on_device = DeviceCrowd::new(device, &crowd, crowd.moves(0), 1, method).unwrap();
            let pairs: Vec<i32> = to[0].iter().zip(&to[1]).flat_map(|(&x, &y)| [x, y]).collect();
            on_device.to = device.upload("wishes", &pairs).unwrap();
            on_device.check().unwrap();
            assert_eq!(on_device.accepted().unwrap(), expected, "{method:?}");
        }
    }
}

#[test]
fn cleared_slots_have_the_same_effect_as_step_ids() {
    // Steps are so short that no two discs want the same cell, so that no race decides.
    let crowd = Crowd::new(600, 0.2, 4).unwrap();
    for device in devices() {
        let run = |method| {
            let mut on_device = DeviceCrowd::new(device, &crowd, crowd.moves(20), 1, method).unwrap();
            on_device.run(6).unwrap();
            (on_device.positions().unwrap(), on_device.moved().unwrap())
        };
        assert_eq!(run(Method::ClearedFourSteps), run(Method::FourSteps(Restore::Immediate)));
    }
}

/// The number of pairs of wishes in the same cell or in neighbouring ones, in both orders, by comparing all pairs.
fn pairs_in_nine_cells(to: [&[i32]; 2]) -> u64 {
    use crate::vigueras::baseline::SORTED_CELL;

    let cell = |disc: usize| to.map(|axis| axis[disc] / SORTED_CELL);
    let discs = to[0].len();
    let near = |a: usize, b: usize| (0..2).all(|axis| (cell(a)[axis] - cell(b)[axis]).abs() <= 1);
    (0..discs).map(|a| (0..discs).filter(|&b| a != b && near(a, b)).count() as u64).sum()
}

#[test]
fn all_tests_are_counted() {
    let crowd = Crowd::new(500, 0.45, 2).unwrap();
    let moves = crowd.moves(4_096);
    let wishes = moves.wishes(Philox::new(1), 0, slices(&crowd.at));
    let expected = pairs_in_nine_cells(slices(&wishes));
    for device in devices() {
        for method in deterministic().filter(|method| method.compares_wishes()) {
            let mut on_device = DeviceCrowd::new(device, &crowd, moves, 1, method).unwrap();
            assert_eq!(on_device.count_tests(1).unwrap(), expected, "{}", method.name());
        }
        // The first disc is compared with the second, which does not meet it. The second is compared with the first and
        // the third, and the third with the second, until they meet.
        let example = refused_winner().unwrap();
        let crowd = Crowd { world: example.world, at: example.at.clone() };
        let mut on_device = DeviceCrowd::new(device, &crowd, crowd.moves(0), 1, Method::FourStepsAtomic).unwrap();
        on_device.counts = true;
        let [xs, ys] = &example.wishes[0];
        let to: Vec<i32> = xs.iter().zip(ys).flat_map(|(&x, &y)| [x, y]).collect();
        on_device.to = device.upload("wishes", &to).unwrap();
        on_device.check().unwrap();
        assert_eq!(device.read(&on_device.answers.tests).unwrap()[..3], [1, 2, 1]);
    }
}

#[test]
fn stamps_wrap_around() {
    let crowd = Crowd::new(60, 0.3, 2).unwrap();
    let moves = crowd.moves(4_096);
    let expected = on_cpu(&crowd, &moves, 1, Method::FourStepsAtomic, 12);
    for device in devices() {
        let mut on_device = DeviceCrowd::new(device, &crowd, moves, 1, Method::FourStepsAtomic).unwrap();
        let Grid::Slots { stamp, last_stamp, .. } = &mut on_device.grid else { panic!("no slots") };
        (*stamp, *last_stamp) = (5, 5);
        for expected in &expected {
            on_device.run(1).unwrap();
            assert_eq!(on_device.accepted().unwrap(), *expected);
        }
        assert!(on_device.sort_seconds(1).unwrap().is_none());
    }
}
