//! The ground on which agents walk.

use super::cost::uniform_costs;
use super::travel_times::TravelTimes;
use crate::error::FieldError;
use crate::grid::Grid;
use crate::query::Mask;

/// Open cells, which include goals, and the distances to the goals.
///
/// ```
/// use throng_fields::{Grid, Mask, routing::Ground};
///
/// let grid = Grid::new([0.0, 0.0], 0.5, 40, 20)?;
/// let open = Mask::new(&grid, |column, row| column != 20 || row == 19);
/// let goals = Mask::new(&grid, |column, _| column == 39);
/// let ground = Ground::new(&grid, open, goals)?;
/// // The straight line is 19.5 units long; the gap in the wall is at the far end.
/// assert!(ground.ways().at(0, 0) > Some(21.0));
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Ground {
    grid: Grid,
    open: Mask,
    goals: Mask,
    has_goals: bool,
    ways: TravelTimes,
}

impl Ground {
    /// Walls are the cells that `open` does not allow. This function also computes the ways to the goals, as
    /// [`TravelTimes`] with equal costs, which takes most of its time.
    ///
    /// # Errors
    /// When the size of a mask differs from that of the grid, a goal is in a wall, or a way is too long for [`TravelTimes`].
    /// It is not an error if there are no goals: then no agent arrives.
    pub fn new(grid: &Grid, open: Mask, goals: Mask) -> Result<Self, FieldError> {
        open.check(grid).map_err(|error| error.within("open cells"))?;
        goals.check(grid).map_err(|error| error.within("goals"))?;
        let cells: Vec<(u32, u32)> = goals.cells().collect();
        let ways = TravelTimes::to_goals(grid, &uniform_costs(&open, 1.0)?, &cells)?;
        Ok(Self { grid: *grid, open, goals, has_goals: !cells.is_empty(), ways })
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The cells that are not walls.
    pub fn open(&self) -> &Mask {
        &self.open
    }

    /// The goal cells.
    pub fn goals(&self) -> &Mask {
        &self.goals
    }

    /// Whether there is a goal.
    pub fn has_goals(&self) -> bool {
        self.has_goals
    }

    /// The length of the way from each cell to the nearest goal, world units.
    pub fn ways(&self) -> &TravelTimes {
        &self.ways
    }

    /// Whether an agent may go straight from a cell to the same one or a neighbour. Steps do not cut corners of walls:
    /// for a diagonal step both cells beside it must be open.
    pub(super) fn may_step(&self, from: (u32, u32), to: (u32, u32)) -> bool {
        let near = from.0.abs_diff(to.0) <= 1 && from.1.abs_diff(to.1) <= 1;
        near && self.open.allows(to.0, to.1) && self.open.allows(to.0, from.1) && self.open.allows(from.0, to.1)
    }

    /// The centre of a cell, wherever the grid samples it.
    pub(super) fn middle(&self, (column, row): (u32, u32)) -> [f32; 2] {
        self.grid.sampled_at(crate::Sample::Centre).point(column, row).map(|at| at as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_on_open_cells_and_cut_no_corner() {
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap();
        let open = Mask::new(&grid, |column, row| (column, row) != (1, 1));
        let ground = Ground::new(&grid, open, Mask::new(&grid, |column, row| (column, row) == (3, 3))).unwrap();
        assert!(ground.may_step((2, 2), (2, 2)) && ground.may_step((2, 2), (3, 3)) && ground.may_step((2, 1), (2, 2)));
        for (from, to) in [((0, 0), (1, 1)), ((0, 1), (1, 2)), ((2, 1), (1, 1)), ((3, 3), (4, 3)), ((2, 2), (2, 0))] {
            assert!(!ground.may_step(from, to), "{from:?} {to:?}");
        }
        assert_eq!(ground.ways().at(3, 0), Some(3.0));
    }

    #[test]
    fn goals_in_walls_and_masks_of_other_grids_are_refused() {
        let (grid, other) = (Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap(), Grid::new([0.0, 0.0], 1.0, 4, 5).unwrap());
        let mask = |grid: &Grid| Mask::new(grid, |column, _| column < 2);
        let place = |open, goals| Ground::new(&grid, open, goals).unwrap_err().place;
        assert_eq!(place(mask(&other), mask(&grid)), "open cells, mask, size");
        assert_eq!(place(mask(&grid), mask(&other)), "goals, mask, size");
        assert_eq!(place(mask(&grid), Mask::new(&grid, |column, row| (column, row) == (2, 1))), "goal at (2, 1)");
    }
}
