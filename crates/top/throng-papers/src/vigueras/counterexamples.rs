//! Crowds without overlaps in which the published check lets discs overlap, or keeps discs from moving for no reason.

use throng_collision::{CELL, World};
use throng_core::InputError;
use throng_device::neighbours::Boundary;

/// A crowd without overlaps, and one or more wishes for each disc. The disc with the highest id writes last.
#[derive(Debug, Clone, PartialEq)]
pub struct Counterexample {
    /// A world with a closed border.
    pub world: World,
    /// x and y of every disc.
    pub at: [Vec<i32>; 2],
    /// The wishes of every step.
    pub wishes: Vec<[Vec<i32>; 2]>,
}

/// Discs in a row, from their x before and after each step, cells. The first three cells are free, so that the border
/// is far.
fn row(columns: i32, discs: &[&[f64]]) -> Result<Counterexample, InputError> {
    let world = World::new([columns * CELL, 8 * CELL], Boundary::Closed)?;
    let steps = discs.first().map_or(0, |places| places.len());
    let mut places = (0..steps).map(|step| {
        let xs = discs.iter().map(|places| units(places[step])).collect();
        [xs, vec![units(3.5); discs.len()]]
    });
    let at = places.next().unwrap_or_default();
    Ok(Counterexample { world, at, wishes: places.collect() })
}

fn units(cells: f64) -> i32 {
    (cells * f64::from(CELL)).round() as i32
}

/// A winner of its cell is refused because of a third disc, and has already left the cell that another disc enters: the
/// two overlap. No order of writers and no way of restoring helps, because the fourth step of one disc does not wait
/// for that of another.
///
/// # Errors
/// Never; the world is valid.
pub fn refused_winner() -> Result<Counterexample, InputError> {
    row(12, &[&[3.5, 4.05], &[4.95, 5.9], &[7.2, 7.2]])
}

/// A queue of discs, each of which wishes to be where the one before it is. The first one is overwritten by the last
/// disc, which writes last, so all others have to stay.
///
/// With [`Restore::Immediate`](super::Restore::Immediate) the third disc of a queue enters the place of the second,
/// with [`Restore::OneHop`](super::Restore::OneHop) the fourth that of the third.
/// [`Restore::FullWalk`](super::Restore::FullWalk) keeps all in place. If the first disc wrote last, it and the second
/// would refuse each other after leaving their cells, and the third would overlap with the second under every reading.
///
/// # Errors
/// When the queue is too long for a world.
pub fn queue(length: u32) -> Result<Counterexample, InputError> {
    // The first disc is at the beginning of a cell.
    let before = (1.5 * f64::from(length)).ceil() + 3.0;
    let places: Vec<[f64; 2]> = (0..length)
        .map(|i| {
            let at = before - 1.5 * f64::from(i);
            [at, if i == 0 { at + 1.2 } else { at + 1.5 }]
        })
        .chain([[before + 2.9, before + 1.5]])
        .collect();
    let places: Vec<&[f64]> = places.iter().map(<[f64; 2]>::as_slice).collect();
    row(before as i32 + 8, &places)
}

/// Two winners of different cells are too near to each other. Both are refused, though one of them could move.
///
/// # Errors
/// Never; the world is valid.
pub fn mutual_refusal() -> Result<Counterexample, InputError> {
    row(12, &[&[3.5, 5.0], &[8.2, 6.3]])
}

/// Two steps. In the first one, a disc enters a cell. In the second one it is overwritten in its target cell, but the
/// cell where it is now has its id in the target slot, from the step before. With
/// [`Stamps::PerCell`](super::Stamps::PerCell) that slot counts as current, because the disc has also written itself
/// into the source slot of the cell. So its flag is cleared, and it moves although another disc enters the same cell.
///
/// # Errors
/// Never; the world is valid.
pub fn stale_target() -> Result<Counterexample, InputError> {
    row(18, &[&[5.5, 8.5, 11.4], &[13.5, 13.5, 11.6]])
}
