use proptest::prelude::*;
use throng_collision::{Crowd, Options, Radii, Rule, Scene};
use throng_core::Philox;
use throng_device::CPU;
use throng_device::neighbours::Boundary;

use super::*;
use crate::vigueras::counterexamples::{Counterexample, mutual_refusal, queue, refused_winner, stale_target};
use crate::vigueras::overlaps::{DIAMETER, apply_moves, overlapping_pairs};

fn slices(columns: &[Vec<i32>; 2]) -> [&[i32]; 2] {
    columns.each_ref().map(Vec::as_slice)
}

fn variant(restore: Restore, stamps: Stamps) -> Variant {
    Variant { restore, stamps }
}

fn variants() -> impl Iterator<Item = Variant> {
    let stamps = [Stamps::PerCell, Stamps::PerSlot];
    Restore::ALL.into_iter().flat_map(move |restore| stamps.map(|stamps| variant(restore, stamps)))
}

/// Which discs move in the last step, and the number of overlapping pairs after it.
fn carried_out(example: &Counterexample, variant: Variant) -> (Vec<bool>, usize) {
    let mut at = example.at.clone();
    assert_eq!(overlapping_pairs(&example.world, slices(&at)), Ok(0), "a valid start");
    let mut check = FourSteps::new(example.world, at[0].len(), variant).unwrap();
    let mut accepted = vec![];
    for to in &example.wishes {
        accepted = check.accepted(slices(&at), slices(to)).unwrap();
        apply_moves(&mut at, to, &accepted);
    }
    (accepted, overlapping_pairs(&example.world, slices(&at)).unwrap())
}

#[test]
fn a_winner_that_is_refused_has_already_left_its_cell() {
    let example = refused_winner().unwrap();
    for variant in variants() {
        // The third disc wishes to stay where it is, so its refusal changes nothing.
        assert_eq!(carried_out(&example, variant), (vec![true, false, false], 1), "{variant:?}");
    }
}

#[test]
fn a_queue_whose_first_disc_stays_is_notified_by_the_full_walk_only() {
    for length in [2, 3, 4, 10, 1000] {
        let example = queue(length).unwrap();
        for stamps in [Stamps::PerCell, Stamps::PerSlot] {
            let pairs = |restore| carried_out(&example, variant(restore, stamps)).1;
            let expected = [usize::from(length > 2), usize::from(length > 3), 0];
            assert_eq!(Restore::ALL.map(pairs), expected, "{length} {stamps:?}");
        }
        let (accepted, _) = carried_out(&example, variant(Restore::FullWalk, Stamps::PerSlot));
        assert!(accepted.iter().enumerate().all(|(disc, &moves)| moves == (disc == length as usize)), "{length}");
    }
}

/// The same queue when its first disc writes last and gets its cell: the second disc is too close to it, so both are
/// refused. But both have left their cells, and the third disc enters the cell of the second.
#[test]
fn a_queue_whose_first_disc_wins_overlaps_even_with_the_full_walk() {
    let example = queue(10).unwrap();
    let discs = example.at[0].len() as u32;
    let first_is_last: Vec<u32> = (1..discs).chain([0]).collect();
    for restore in Restore::ALL {
        let mut check = FourSteps::new(example.world, discs as usize, variant(restore, Stamps::PerSlot)).unwrap();
        let (at, to) = (slices(&example.at), slices(&example.wishes[0]));
        let accepted = check.accepted_in_order(at, to, &first_is_last).unwrap();
        let mut after = example.at.clone();
        apply_moves(&mut after, &example.wishes[0], &accepted);
        assert_eq!(accepted[..3], [false, false, true], "{restore:?}");
        assert_eq!(overlapping_pairs(&example.world, slices(&after)), Ok(1), "{restore:?}");
    }
}

#[test]
fn a_stamp_of_a_cell_brings_back_a_target_of_the_step_before() {
    let example = stale_target().unwrap();
    for variant in variants() {
        let expected = match variant.stamps {
            Stamps::PerCell => (vec![true, true], 1),
            Stamps::PerSlot => (vec![false, true], 0),
        };
        assert_eq!(carried_out(&example, variant), expected, "{variant:?}");
    }
}

#[test]
fn two_winners_that_are_too_near_refuse_each_other() {
    let example = mutual_refusal().unwrap();
    for variant in variants() {
        assert_eq!(carried_out(&example, variant), (vec![false, false], 0), "{variant:?}");
    }
    // Each of them could move alone.
    for disc in 0..2 {
        let mut single = example.clone();
        for axis in 0..2 {
            single.wishes[0][axis][1 - disc] = single.at[axis][1 - disc];
        }
        let (accepted, pairs) = carried_out(&single, variant(Restore::Immediate, Stamps::PerSlot));
        assert_eq!((accepted, pairs), (vec![true, true], 0));
    }
}

#[test]
fn a_refused_disc_with_a_wish_in_its_own_cell_keeps_its_position() {
    // The second disc is refused because of the third; the first disc wishes for a position that overlaps only with the
    // current position of the second.
    let world = World::new([12 * CELL, 8 * CELL], Boundary::Closed).unwrap();
    let (xs, wishes) = ([14_300, 20_500, 29_500], [15_000, 24_000, 29_500]);
    let ys = [9_000; 3];
    assert_eq!(xs[1] / CELL, wishes[1] / CELL);
    for variant in variants() {
        let mut check = FourSteps::new(world, 3, variant).unwrap();
        assert_eq!(check.accepted([&xs, &ys], [&wishes, &ys]), Ok(vec![false, false, false]), "{variant:?}");
    }
}

#[test]
fn the_consistent_rules_leave_no_overlaps_in_the_counterexamples() {
    let examples = [refused_winner(), queue(3), queue(1000), mutual_refusal(), stale_target()].map(Result::unwrap);
    for example in examples {
        for rule in Rule::ALL {
            let scene = Scene { world: example.world, walls: vec![], radii: Radii::equal(example.at[0].len()) };
            let options = Options { rule, ..Options::default() };
            let mut check = Crowd::in_units(scene, example.at.clone(), Vec::new(), options, &CPU).unwrap();
            for to in &example.wishes {
                check.step(slices(to)).unwrap();
            }
            assert_eq!(overlapping_pairs(&example.world, slices(&check.positions().unwrap())), Ok(0), "{rule:?}");
        }
    }
}

/// Where the published check refuses both discs, each rule lets one of them move.
#[test]
fn each_rule_moves_one_of_two_mutually_refusing_discs() {
    let example = mutual_refusal().unwrap();
    let mut winners = [0, 0];
    for rule in Rule::ALL {
        for seed in 0..8 {
            let scene = Scene { world: example.world, walls: vec![], radii: Radii::equal(2) };
            let options = Options { rule, seed, ..Options::default() };
            let mut check = Crowd::in_units(scene, example.at.clone(), Vec::new(), options, &CPU).unwrap();
            assert_eq!(check.step(slices(&example.wishes[0])).unwrap(), 1, "{rule:?} {seed}");
            let [xs, _] = check.positions().unwrap().into_owned();
            let moved = [0, 1].map(|disc| xs[disc] != example.at[0][disc]);
            assert_ne!(moved[0], moved[1], "{rule:?} {seed}");
            winners[usize::from(moved[1])] += 1;
        }
    }
    assert!(winners[0] > 0 && winners[1] > 0, "{winners:?}");
}

#[test]
fn the_last_writer_gets_the_cell() {
    let world = World::new([12 * CELL, 8 * CELL], Boundary::Closed).unwrap();
    let (at, to) = ([&[5_000, 25_000][..], &[9_000, 9_000]], [&[13_000, 13_100][..], &[9_000, 9_000]]);
    for variant in variants() {
        let mut check = FourSteps::new(world, 2, variant).unwrap();
        assert_eq!(check.accepted_in_order(at, to, &[0, 1]), Ok(vec![false, true]));
        assert_eq!(check.accepted_in_order(at, to, &[1, 0]), Ok(vec![true, false]));
        let error = check.accepted_in_order(at, to, &[1, 1]).unwrap_err().to_string();
        assert!(error.starts_with("order of writers: 2 ids for 2 discs\n"), "{error}");
    }
}

/// Minimum distance along an axis between positions in two cells that are `cells` apart.
fn least_offset(cells: i32) -> i32 {
    if cells == 0 { 0 } else { cells.signum() * ((cells.abs() - 1) * CELL + 1) }
}

#[test]
fn discs_can_overlap_with_each_of_the_21_extended_neighbours() {
    let all = || (-4..=4).flat_map(|rows| (-4..=4).map(move |columns| (columns, rows)));
    assert_eq!(all().filter(|&(columns, rows)| is_extended_neighbour(columns, rows)).count(), 21);
    for (columns, rows) in all() {
        let nearest = overlap([0, 0], [least_offset(columns), least_offset(rows)]);
        assert_eq!(nearest, is_extended_neighbour(columns, rows), "{columns} {rows}");
    }
}

proptest! {
    #[test]
    fn no_discs_overlap_beyond_the_extended_neighbours(
        places in [0..CELL, 0..CELL, 0..CELL, 0..CELL], columns in -6..=6, rows in -6..=6
    ) {
        let [x, y, other_x, other_y] = places;
        let overlaps = overlap([x, y], [other_x + columns * CELL, other_y + rows * CELL]);
        prop_assert!(!overlaps || is_extended_neighbour(columns, rows));
        prop_assert!(overlap([x, y], [other_x, other_y]), "discs in one cell");
    }

    /// The check finds a standing disc anywhere; it would not if any of the 21 cells were missing.
    #[test]
    fn exactly_the_standing_discs_that_are_too_near_are_found(
        place in [0..CELL, 0..CELL], other in [-3 * CELL..4 * CELL, -3 * CELL..4 * CELL]
    ) {
        let world = World::new([20 * CELL, 20 * CELL], Boundary::Closed).unwrap();
        let wish = place.map(|axis| axis + 10 * CELL);
        let other = other.map(|axis| axis + 10 * CELL);
        // The first disc moves from far away to a position near a disc that stays.
        let (at, to) = ([[1_000, other[0]], [1_000, other[1]]], [[wish[0], other[0]], [wish[1], other[1]]]);
        for variant in variants() {
            let mut check = FourSteps::new(world, 2, variant).unwrap();
            let accepted = check.accepted([&at[0], &at[1]], [&to[0], &to[1]]).unwrap();
            // Within one cell, the disc that stays has the higher id and overwrites the other.
            let expected = !overlap(wish, other);
            prop_assert_eq!(accepted[0], expected);
        }
    }
}

/// Runs random moves of a small crowd, calling `before` before each step, and returns the decisions.
fn history(steps: u32, variant: Variant, before: impl Fn(&mut FourSteps)) -> Vec<u64> {
    let (discs, side) = (24, 12 * CELL);
    let world = World::new([side, side], Boundary::Closed).unwrap();
    let mut at = [0, 1].map(|axis| {
        let place = move |disc: i32| [disc % 5, disc / 5][axis] * (DIAMETER + 3_000) + 5_000;
        (0..discs).map(place).collect::<Vec<i32>>()
    });
    let mut check = FourSteps::new(world, discs as usize, variant).unwrap();
    let draws = Philox::new(5);
    (0..steps)
        .map(|step| {
            let to = [0, 1].map(|axis| {
                let wish = |disc: usize| {
                    let offset = draws.below(2 * 3_000 + 1, disc as u32, step, axis as u32, 0) as i32 - 3_000;
                    (at[axis][disc] + offset).clamp(0, side - 1)
                };
                (0..discs as usize).map(wish).collect::<Vec<i32>>()
            });
            before(&mut check);
            let accepted = check.accepted(slices(&at), slices(&to)).unwrap();
            for axis in 0..2 {
                (0..accepted.len()).filter(|&disc| accepted[disc]).for_each(|disc| at[axis][disc] = to[axis][disc]);
            }
            accepted.iter().fold(0, |word, &moves| word << 1 | u64::from(moves))
        })
        .collect()
}

#[test]
fn stamps_per_slot_make_clearing_unnecessary() {
    let steps = throng_testing::amount(20_000, 100_000);
    let variant = variant(Restore::Immediate, Stamps::PerSlot);
    assert_eq!(history(steps, variant, |_| ()), history(steps, variant, |check| check.grid.clear()));
}

#[test]
fn stamps_per_cell_leave_stale_slots_visible() {
    let variant = variant(Restore::Immediate, Stamps::PerCell);
    assert_ne!(history(1_000, variant, |_| ()), history(1_000, variant, |check| check.grid.clear()));
}
