//! The paper's baseline check on the CPU, in five steps, one of which sorts.

use throng_collision::World;
use throng_core::InputError;

use super::overlaps::{DIAMETER, check_places, overlap};

/// Side length of a cell of the sorted grid, units. Overlapping discs are in the same cell or in neighbouring ones.
pub(super) const SORTED_CELL: i32 = DIAMETER;

/// The paper's baseline: discs are sorted by the cell of their wish, and each is compared with all others in its cell
/// and the eight cells around it.
///
/// It only detects overlaps among wishes. It refuses both discs of an overlapping pair but ignores the positions where
/// refused discs stay, so an accepted disc may move onto one that stays:
///
/// ```
/// use throng_collision::{CELL, World};
/// use throng_device::neighbours::Boundary;
/// use throng_papers::vigueras::{Baseline, overlapping_pairs};
///
/// let world = World::new([12 * CELL, 8 * CELL], Boundary::Closed)?;
/// let baseline = Baseline::new(world, 3)?;
/// // Discs 1 and 2 wish for the same position, disc 0 for the current position of disc 1.
/// let (xs, ys, wishes) = ([5_000, 12_000, 26_000], [9_000; 3], [12_000, 19_000, 19_000]);
/// assert_eq!(baseline.accepted([&xs, &ys], [&wishes, &ys])?, [true, false, false]);
/// assert_eq!(overlapping_pairs(&world, [&[12_000, 12_000, 26_000], &ys])?, 1);
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Baseline {
    world: World,
    discs: usize,
}

impl Baseline {
    /// Creates a check of `discs` discs.
    ///
    /// # Errors
    /// If there are 2^32 discs or more.
    pub fn new(world: World, discs: usize) -> Result<Self, InputError> {
        if u32::try_from(discs).is_err() {
            return Err(InputError::one("discs", discs.to_string(), format!("give at most {}", u32::MAX)));
        }
        Ok(Self { world, discs })
    }

    /// Returns for each disc whether its wish overlaps with no other wish.
    ///
    /// # Errors
    /// If the number of positions or wishes differs from that of the discs, one is outside the world, or the border is
    /// periodic.
    pub fn accepted(&self, at: [&[i32]; 2], to: [&[i32]; 2]) -> Result<Vec<bool>, InputError> {
        check_places(&self.world, self.discs, at, to)?;
        let [columns, rows] = self.world.size().map(|size| (size - 1) / SORTED_CELL + 1);
        let wish = |disc: u32| to.map(|axis| axis[disc as usize]);
        let cell = |column: i32, row: i32| row as usize * columns as usize + column as usize;
        // Step 1: the cell of each disc.
        let cells: Vec<usize> = (0..self.discs as u32)
            .map(|disc| wish(disc).map(|axis| axis / SORTED_CELL))
            .map(|[x, y]| cell(x, y))
            .collect();
        // Step 2: the discs, sorted by cell.
        let mut sorted: Vec<u32> = (0..self.discs as u32).collect();
        sorted.sort_by_key(|&disc| cells[disc as usize]);
        // Step 3: their wishes in that order.
        let wishes: Vec<[i32; 2]> = sorted.iter().map(|&disc| wish(disc)).collect();
        // Step 4: the first index of each cell.
        let mut begins = vec![0; columns as usize * rows as usize + 1];
        for cell in &cells {
            begins[cell + 1] += 1;
        }
        for cell in 1..begins.len() {
            begins[cell] += begins[cell - 1];
        }
        // Step 5: compare each disc with those in its cell and the eight cells around it.
        let mut accepted = vec![false; self.discs];
        for (index, (&disc, &[x, y])) in sorted.iter().zip(&wishes).enumerate() {
            let (column, row) = (x / SORTED_CELL, y / SORTED_CELL);
            let mut around = ((row - 1).max(0)..=(row + 1).min(rows - 1)).flat_map(|row| {
                let [first, last] =
                    [(column - 1).max(0), (column + 1).min(columns - 1)].map(|column| cell(column, row));
                begins[first]..begins[last + 1]
            });
            accepted[disc as usize] = !around.any(|other| other != index && overlap([x, y], wishes[other]));
        }
        Ok(accepted)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use throng_collision::CELL;
    use throng_device::neighbours::Boundary;

    use super::*;
    use crate::vigueras::overlapping_pairs;

    #[test]
    fn refused_discs_stay_and_can_be_overlapped_by_others() {
        let world = World::new([20 * CELL, 8 * CELL], Boundary::Closed).unwrap();
        let ys: &[i32] = &[9_000; 4];
        // The first three discs wish for overlapping positions; the last wishes for the position of the third.
        let (at, to) = ([5_000, 20_000, 40_000, 55_000], [14_000, 14_100, 19_000, 40_001]);
        let accepted = Baseline::new(world, 4).unwrap().accepted([&at, ys], [&to, ys]).unwrap();
        assert_eq!(accepted, [false, false, false, true]);
        let after: Vec<i32> = (0..4).map(|disc| if accepted[disc] { to[disc] } else { at[disc] }).collect();
        assert_eq!((overlapping_pairs(&world, [&at, ys]), overlapping_pairs(&world, [&after, ys])), (Ok(0), Ok(1)));
    }

    proptest! {
        #[test]
        fn exactly_the_wishes_without_overlaps_are_accepted(
            wishes in prop::collection::vec([0..90_000i32, 0..41_000i32], 0..80)
        ) {
            let world = World::new([90_000, 41_000], Boundary::Closed).unwrap();
            let to = [0, 1].map(|axis| wishes.iter().map(|wish| wish[axis]).collect::<Vec<i32>>());
            let to = to.each_ref().map(Vec::as_slice);
            let accepted = Baseline::new(world, wishes.len()).unwrap().accepted(to, to).unwrap();
            for (disc, &wish) in wishes.iter().enumerate() {
                let meets = |(other, &to): (usize, &[i32; 2])| other != disc && overlap(wish, to);
                prop_assert_eq!(accepted[disc], !wishes.iter().enumerate().any(meets));
            }
        }
    }
}
