//! Crowds without overlaps in which the published check lets discs overlap or blocks discs without reason.

use throng_collision::{CELL, World};
use throng_core::InputError;
use throng_device::neighbours::Boundary;

/// A crowd without overlaps, and the wishes of each disc for one or more steps. The disc with the highest id writes
/// last.
#[derive(Debug, Clone, PartialEq)]
pub struct Counterexample {
    /// A world with a closed border.
    pub world: World,
    /// x and y of all discs.
    pub at: [Vec<i32>; 2],
    /// x and y of all wishes, per step.
    pub wishes: Vec<[Vec<i32>; 2]>,
}

/// Places discs in a row. `discs` holds the initial x of each and its wishes, in cells. The first three cells stay free
/// to keep the border far away.
fn row(columns: i32, discs: &[&[f64]]) -> Result<Counterexample, InputError> {
    let world = World::new([columns * CELL, 8 * CELL], Boundary::Closed)?;
    let steps = discs.first().map_or(0, |positions| positions.len());
    let mut positions = (0..steps).map(|step| {
        let xs = discs.iter().map(|positions| units(positions[step])).collect();
        [xs, vec![units(3.5); discs.len()]]
    });
    let at = positions.next().unwrap_or_default();
    Ok(Counterexample { world, at, wishes: positions.collect() })
}

fn units(cells: f64) -> i32 {
    (cells * f64::from(CELL)).round() as i32
}

/// The winner of a cell is refused because of a third disc, but has already left its old cell, which another disc
/// enters: the two overlap. No order of writers and no way of restoring helps, because the fourth step of a disc does
/// not wait for the fourth step of the others.
///
/// # Errors
/// Never; the world is valid.
pub fn refused_winner() -> Result<Counterexample, InputError> {
    row(12, &[&[3.5, 4.05], &[4.95, 5.9], &[7.2, 7.2]])
}

/// A queue of discs, each of which wishes to move to the position of the disc in front of it. The first disc loses its
/// target cell to the last one, which writes last, so all the others have to stay.
///
/// With [`Restore::Immediate`](super::Restore::Immediate), the third disc of a queue moves to the position of the
/// second; with [`Restore::OneHop`](super::Restore::OneHop), the fourth disc to the position of the third.
/// [`Restore::FullWalk`](super::Restore::FullWalk) keeps all of them in place. If the first disc wrote last, it and the
/// second would refuse each other after leaving their cells, and the third would overlap with the second under every
/// reading.
///
/// # Errors
/// If the queue is too long for a world.
pub fn queue(length: u32) -> Result<Counterexample, InputError> {
    // The first disc is at the start of a cell.
    let before = (1.5 * f64::from(length)).ceil() + 3.0;
    let positions: Vec<[f64; 2]> = (0..length)
        .map(|i| {
            let at = before - 1.5 * f64::from(i);
            [at, if i == 0 { at + 1.2 } else { at + 1.5 }]
        })
        .chain([[before + 2.9, before + 1.5]])
        .collect();
    let positions: Vec<&[f64]> = positions.iter().map(<[f64; 2]>::as_slice).collect();
    row(before as i32 + 8, &positions)
}

/// Two winners of different cells are too close to each other. Both are refused, although one of them could move.
///
/// # Errors
/// Never; the world is valid.
pub fn mutual_refusal() -> Result<Counterexample, InputError> {
    row(12, &[&[3.5, 5.0], &[8.2, 6.3]])
}

/// A counterexample in two steps. In the first, a disc enters a cell. In the second, it is overwritten in its next
/// target cell, but the target slot of its current cell still holds its id from the first step. With
/// [`Stamps::PerCell`](super::Stamps::PerCell), that slot counts as current, because the disc has also written its id
/// into the source slot of the cell. So its flag is cleared, and it moves although another disc enters the same cell.
///
/// # Errors
/// Never; the world is valid.
pub fn stale_target() -> Result<Counterexample, InputError> {
    row(18, &[&[5.5, 8.5, 11.4], &[13.5, 13.5, 11.6]])
}
