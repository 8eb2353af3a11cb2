//! Counts the pairs of discs that overlap.

use throng_collision::rules::overlap::is_nearer;
use throng_collision::{MIN_RADIUS, World};
use throng_core::InputError;
use throng_device::neighbours::{Boundary, CellLists, UniformGrid};

/// Diameter of a disc, units.
pub const DIAMETER: i32 = 2 * MIN_RADIUS;

/// Whether discs of [`DIAMETER`] at these two positions overlap, in a world without a periodic border.
pub(super) fn overlap(a: [i32; 2], b: [i32; 2]) -> bool {
    is_nearer(b[0] - a[0], b[1] - a[1], DIAMETER)
}

/// Counts the overlapping pairs of discs of [`DIAMETER`], with its own grid.
///
/// # Errors
/// If there is not enough memory for the grid.
pub fn overlapping_pairs(world: &World, at: [&[i32]; 2]) -> Result<usize, InputError> {
    let size = world.size().map(|side| side as u32);
    let grid = UniformGrid::covering([0, 0], size, DIAMETER as u32, Boundary::Closed)?;
    let mut lists = CellLists::new(grid, at[0].len())?;
    lists.build(&at);
    let mut pairs = 0;
    for disc in 0..at[0].len() {
        let position = |disc: usize| [at[0][disc], at[1][disc]];
        let [x, y] = position(disc);
        let others = lists.around(x, y, 0).map(|other| other as usize);
        pairs += others.filter(|&other| other > disc && overlap(position(disc), position(other))).count();
    }
    Ok(pairs)
}

/// Moves the accepted discs to their wishes.
pub(super) fn apply_moves(at: &mut [Vec<i32>; 2], to: &[Vec<i32>; 2], accepted: &[bool]) {
    for (at, to) in at.iter_mut().zip(to) {
        for ((at, &to), &moves) in at.iter_mut().zip(to).zip(accepted) {
            *at = if moves { to } else { *at };
        }
    }
}

/// Rejects arrays whose length is not the number of discs, positions and wishes outside the world, and worlds with a
/// periodic border, which the paper does not have.
pub(super) fn check_places(world: &World, discs: usize, at: [&[i32]; 2], to: [&[i32]; 2]) -> Result<(), InputError> {
    let mut problems = throng_core::Problems::new();
    if world.boundary() != Boundary::Closed {
        problems.push("world", "periodic", "give a closed world: the checks of the paper have a border");
    }
    for (what, points) in [("positions", at), ("wishes", to)] {
        if points.iter().any(|axis| axis.len() != discs) {
            let found = points.map(<[i32]>::len);
            problems.push(what, format!("{found:?} for {discs} discs"), "give x and y of every disc");
            continue;
        }
        let [width, height] = world.size();
        for (disc, (&x, &y)) in points[0].iter().zip(points[1]).enumerate() {
            if !(0..width).contains(&x) || !(0..height).contains(&y) {
                let remedy = format!("give x from 0 to {}, and y from 0 to {}, units", width - 1, height - 1);
                problems.push(format!("{what}, disc {disc}"), format!("{x}, {y}"), remedy);
            }
        }
    }
    problems.into_result()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_discs_do_not_overlap() {
        let world = World::new([50_000, 30_000], Boundary::Closed).unwrap();
        let pairs = |xs: &[i32]| overlapping_pairs(&world, [xs, &vec![9_000; xs.len()]]).unwrap();
        assert_eq!((pairs(&[4_000, 4_000 + DIAMETER]), pairs(&[4_000, 3_999 + DIAMETER])), (0, 1));
        assert_eq!((pairs(&[]), pairs(&[9_000, 9_000, 9_000]), pairs(&[1_000, 45_000, 4_000, 48_000])), (0, 3, 2));
    }

    #[test]
    fn positions_outside_the_world_are_refused() {
        let world = World::new([50_000, 30_000], Boundary::Closed).unwrap();
        let refused = |discs, to: [&[i32]; 2]| check_places(&world, discs, [&[1], &[1]], to).unwrap_err().to_string();
        let expected = "wishes, disc 0: 50000, 0\n    give x from 0 to 49999, and y from 0 to 29999, units";
        assert_eq!(refused(1, [&[50_000], &[0]]), expected);
        assert!(refused(2, [&[1], &[1]]).starts_with("positions: [1, 1] for 2 discs\n"));
        let periodic = World::new([50_000, 30_000], Boundary::Periodic).unwrap();
        let error = check_places(&periodic, 0, [&[], &[]], [&[], &[]]).unwrap_err().to_string();
        assert!(error.starts_with("world: periodic\n    give a closed world"), "{error}");
    }
}
