//! The ground on which agents walk: open cells, goals, and distances to the goals.

use throng_core::InputError;
use throng_pictures::{Grid, Mask};

use super::clearance;
use super::cost::uniform_costs;
use super::travel_times::TravelTimes;

/// Open cells, which include goals, and the distances to the goals.
///
/// ```
/// use throng_fields_core::{Grid, Mask, routing::Ground};
///
/// let grid = Grid::new([0.0, 0.0], 0.5, 40, 20)?;
/// let open = Mask::new(&grid, |column, row| column != 20 || row == 19);
/// let goals = Mask::new(&grid, |column, _| column == 39);
/// let ground = Ground::new(&grid, open, goals)?;
/// // The straight line is 19.5 units long; the gap in the wall is at the far end.
/// assert!(ground.distances().at(0, 0) > Some(21.0));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Ground {
    grid: Grid,
    open: Mask,
    /// The open cells on which agents walk; `None` if these are all open cells.
    walkable: Option<Mask>,
    goals: Mask,
    has_goals: bool,
    has_walls: bool,
    distances: TravelTimes,
}

impl Ground {
    /// Creates a ground whose walls are the cells that `open` does not allow. Most of the time is spent on the
    /// distances to the goals, which are [`TravelTimes`] with uniform costs.
    ///
    /// # Errors
    /// When the size of a mask differs from that of the grid, a goal is in a wall, a path is too long for
    /// [`TravelTimes`], or the system has too little memory. A ground without goals is not an error; no agent arrives
    /// on it.
    pub fn new(grid: &Grid, open: Mask, goals: Mask) -> Result<Self, InputError> {
        Self::on(grid, open, None, goals)
    }

    /// Like [`Ground::new`], for agents with bodies of this radius, in world units: they walk only on cells in which
    /// their bodies fit between the walls, and distances are measured along paths over such cells. Goal cells in which
    /// they do not fit do not count as goals.
    ///
    /// ```
    /// use throng_fields_core::{Grid, Mask, routing::Ground};
    ///
    /// let grid = Grid::new([0.0, 0.0], 0.5, 40, 20)?;
    /// // A gap of 1 unit, and one of 3.
    /// let open = Mask::new(&grid, |column, row| column != 20 || (4..6).contains(&row) || (13..19).contains(&row));
    /// let goals = Mask::new(&grid, |column, _| column == 39);
    /// let length = |radius| {
    ///     let ground = Ground::for_bodies(&grid, open.clone(), goals.clone(), radius)?;
    ///     Ok::<_, throng_fields_core::InputError>(ground.distances().at(0, 5))
    /// };
    /// assert!(length(0.5)? < Some(20.0) && length(0.6)? > Some(20.5));
    /// assert_eq!(length(1.6)?, Some(f32::INFINITY));
    /// # Ok::<(), throng_fields_core::InputError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Ground::new`], and when the radius is negative or not finite.
    pub fn for_bodies(grid: &Grid, open: Mask, goals: Mask, radius: f32) -> Result<Self, InputError> {
        open.check(grid).map_err(|error| error.within("open cells"))?;
        let walkable = clearance::walkable(grid, &open, radius)?;
        Self::on(grid, open, walkable, goals)
    }

    /// The ground of agents that walk on a subset of the open cells.
    pub fn on(grid: &Grid, open: Mask, walkable: Option<Mask>, goals: Mask) -> Result<Self, InputError> {
        open.check(grid).map_err(|error| error.within("open cells"))?;
        goals.check(grid).map_err(|error| error.within("goals"))?;
        let has_goals = goals.flags().contains(&true);
        let goals = match &walkable {
            Some(walkable) => Mask::new(grid, |column, row| {
                // Goals in walls are rejected below.
                let is_walkable = walkable.allows(column, row) || !open.allows(column, row);
                goals.allows(column, row) && is_walkable
            }),
            None => goals,
        };
        let cells: Vec<(u32, u32)> = goals.cells().collect();
        let costs = uniform_costs(walkable.as_ref().unwrap_or(&open), 1.0)?;
        let distances = TravelTimes::to_goals(grid, &costs, &cells)?;
        let has_walls = open.flags().contains(&false);
        Ok(Self { grid: *grid, open, walkable, goals, has_goals, has_walls, distances })
    }

    /// The same ground for agents that have goals even if walls cover all of them, so that they can get stuck.
    pub fn with_covered_goals(self) -> Self {
        Self { has_goals: true, ..self }
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The cells that are not walls.
    pub fn open(&self) -> &Mask {
        &self.open
    }

    /// The open cells on which agents walk: those in which their bodies fit.
    pub fn walkable(&self) -> &Mask {
        self.walkable.as_ref().unwrap_or(&self.open)
    }

    /// The goal cells.
    pub fn goals(&self) -> &Mask {
        &self.goals
    }

    /// Whether agents have goals, even if bodies fit in none of them or walls cover them.
    pub fn has_goals(&self) -> bool {
        self.has_goals
    }

    /// The length of the shortest path from each cell to a goal, world units.
    pub fn distances(&self) -> &TravelTimes {
        &self.distances
    }

    /// Whether an agent may go straight from a cell to the same or a neighbouring cell. Steps do not cut corners of
    /// walls: for a diagonal step, both cells next to it must be open.
    pub(super) fn may_step(&self, from: (u32, u32), to: (u32, u32)) -> bool {
        is_step(self.walkable(), from, to)
    }

    /// The walkable cell that is nearest to a cell, by the distance between centres; ties go to the lower row, then to
    /// the lower column. `None` if the cell itself is walkable, or no cell is. The cost is proportional to the square
    /// of the distance.
    pub(super) fn refuge(&self, (column, row): (u32, u32)) -> Option<(u32, u32)> {
        let walkable = self.walkable();
        if walkable.allows(column, row) {
            return None;
        }
        let mut best: Option<(u64, u32, u32)> = None;
        // Squares around the cell: those beyond the best distance contain nothing nearer.
        for reach in 1..self.grid.columns().max(self.grid.rows()) as i32 {
            if best.is_some_and(|(distance, ..)| distance < u64::from(reach.unsigned_abs()).pow(2)) {
                break;
            }
            for dy in -reach..=reach {
                let along = if dy.abs() == reach { 1 } else { 2 * reach as usize };
                for dx in (-reach..=reach).step_by(along) {
                    let (x, y) = (column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
                    if walkable.allows(x, y) {
                        let [dx, dy] = [dx, dy].map(|along| u64::from(along.unsigned_abs()));
                        let distance = dx * dx + dy * dy;
                        best = Some(best.map_or((distance, y, x), |best| best.min((distance, y, x))));
                    }
                }
            }
        }
        best.map(|(_, row, column)| (column, row))
    }

    /// Whether the straight line between two points in open cells crosses only open cells and touches no corner of a
    /// wall. Independent of the order of the points. The cost is proportional to the number of cells that the line
    /// crosses.
    pub(super) fn is_free(&self, from: [f32; 2], to: [f32; 2]) -> bool {
        !self.has_walls || self.is_line_in(&self.open, from, to)
    }

    /// Whether the straight line between two points crosses only walkable cells, as [`Ground::is_free`] does for open
    /// cells, and ends in one.
    pub(super) fn is_free_to_walk(&self, from: [f32; 2], to: [f32; 2]) -> bool {
        let ends_well = self.grid.cell_at(to).is_some_and(|(column, row)| self.walkable().allows(column, row));
        let has_obstacles = self.has_walls || self.walkable.is_some();
        ends_well && (!has_obstacles || self.is_line_in(self.walkable(), from, to))
    }

    fn is_line_in(&self, allowed: &Mask, from: [f32; 2], to: [f32; 2]) -> bool {
        // Sorted, so that rounding does not depend on the order of the points.
        let [from, to] = if from <= to { [from, to] } else { [to, from] };
        let (Some(mut cell), Some(end)) = (self.grid.cell_at(from), self.grid.cell_at(to)) else { return false };
        // Two adjacent cells form a rectangle, which the line does not leave.
        if cell.0.abs_diff(end.0) + cell.1.abs_diff(end.1) <= 1 {
            return is_step(allowed, cell, end);
        }
        let [from, to] = [from, to].map(|point| self.grid.in_cells(point.map(f64::from)));
        let along = [to[0] - from[0], to[1] - from[1]];
        while cell != end {
            let [columns, rows] = [end.0.abs_diff(cell.0), end.1.abs_diff(cell.1)];
            // The fraction of the line up to the next border between columns, and between rows.
            let border = |from: f64, to: f64, cell: u32| f64::from(if to > from { cell + 1 } else { cell }) - from;
            let next_column = border(from[0], to[0], cell.0) / along[0];
            let next_row = border(from[1], to[1], cell.1) / along[1];
            let crosses_column = columns > 0 && (rows == 0 || next_column <= next_row);
            let crosses_row = rows > 0 && (columns == 0 || next_row <= next_column);
            let towards = |at: u32, end: u32, crosses: bool| match crosses {
                true if end > at => at + 1,
                true => at - 1,
                false => at,
            };
            let next = (towards(cell.0, end.0, crosses_column), towards(cell.1, end.1, crosses_row));
            // A comparison with NaN crosses nothing.
            if next == cell || !is_step(allowed, cell, next) {
                return false;
            }
            cell = next;
        }
        true
    }

    /// The centre of a cell, regardless of where the grid samples it.
    pub(super) fn middle(&self, (column, row): (u32, u32)) -> [f32; 2] {
        self.grid.sampled_at(throng_pictures::Sample::Centre).point(column, row).map(|at| at as f32)
    }
}

/// Whether two cells are equal or neighbours, and a mask allows the second one and, for a diagonal step, both cells
/// next to it.
fn is_step(allowed: &Mask, from: (u32, u32), to: (u32, u32)) -> bool {
    let near = from.0.abs_diff(to.0) <= 1 && from.1.abs_diff(to.1) <= 1;
    near && allowed.allows(to.0, to.1) && allowed.allows(to.0, from.1) && allowed.allows(from.0, to.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_on_open_cells_and_do_not_cut_corners() {
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap();
        let open = Mask::new(&grid, |column, row| (column, row) != (1, 1));
        let ground = Ground::new(&grid, open, Mask::new(&grid, |column, row| (column, row) == (3, 3))).unwrap();
        assert!(ground.may_step((2, 2), (2, 2)) && ground.may_step((2, 2), (3, 3)) && ground.may_step((2, 1), (2, 2)));
        for (from, to) in [((0, 0), (1, 1)), ((0, 1), (1, 2)), ((2, 1), (1, 1)), ((3, 3), (4, 3)), ((2, 2), (2, 0))] {
            assert!(!ground.may_step(from, to), "{from:?} {to:?}");
        }
        assert_eq!(ground.distances().at(3, 0), Some(3.0));
    }

    #[test]
    fn no_line_to_walk_ends_in_a_wall() {
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap();
        let open = Mask::new(&grid, |column, row| (column, row) != (1, 1));
        let ground = Ground::new(&grid, open, Mask::new(&grid, |_, _| false)).unwrap();
        for from in [[2.5, 2.5], [0.5, 0.5], [0.5, 1.5], [2.5, 0.5]] {
            assert!(!ground.is_free_to_walk(from, [1.5, 1.5]), "{from:?}");
        }
        assert!(ground.is_free_to_walk([0.5, 2.5], [2.5, 2.5]) && !ground.is_free_to_walk([0.5, 2.5], [-0.5, 2.5]));
    }

    #[test]
    fn the_refuge_of_a_wall_is_its_nearest_walkable_cell() {
        let draws = throng_core::Philox::new(8);
        let grid = Grid::new([0.0, 0.0], 1.0, 23, 17).unwrap();
        for share in [0.001, 0.02, 0.2, 0.9] {
            let open = Mask::new(&grid, |column, row| draws.unit(column, row, 0, 0) < share);
            let ground = Ground::new(&grid, open.clone(), Mask::new(&grid, |_, _| false)).unwrap();
            for (column, row) in Mask::new(&grid, |_, _| true).cells() {
                // The definition: every open cell, in the order in which ties are decided.
                let distance = |(x, y): &(u32, u32)| x.abs_diff(column).pow(2) + y.abs_diff(row).pow(2);
                let expected = open.cells().min_by_key(distance).filter(|nearest| *nearest != (column, row));
                assert_eq!(ground.refuge((column, row)), expected, "{share} {column} {row}");
            }
        }
    }

    #[test]
    fn lines_are_free_if_all_crossed_cells_are_open() {
        let draws = throng_core::Philox::new(5);
        let grid = Grid::new([-3.0, 40.0], 0.5, 12, 9).unwrap();
        let open = Mask::new(&grid, |column, row| draws.unit(column, row, 0, 0) > 0.2);
        let ground = Ground::new(&grid, open.clone(), Mask::new(&grid, |_, _| false)).unwrap();
        let (mut free, mut blocked, mut cut) = (0, 0, 0);
        for number in 0..2000 {
            let point = |end: u32| {
                let at = |axis: u32, low: f64, length: f64| (low + length * draws.unit(number, 1, end, axis)) as f32;
                [at(0, -3.0, 6.0), at(1, 40.0, 4.5)]
            };
            let (from, to) = (point(0), point(1));
            // The definition: many points on the line, each in an open cell.
            let is_open = |part: u32| {
                let share = f64::from(part) / 4000.0;
                let at = [0, 1].map(|axis: usize| f64::from(from[axis]) * (1.0 - share) + f64::from(to[axis]) * share);
                grid.cell_at(at).is_some_and(|(column, row)| open.allows(column, row))
            };
            let expected = (0..=4000).all(is_open);
            // Both ends are in open cells, as agents are.
            if is_open(0) && is_open(4000) {
                let found = ground.is_free(from, to);
                assert_eq!(found, ground.is_free(to, from), "{from:?} {to:?}");
                assert!(expected || !found, "{from:?} {to:?}");
                // The definition misses corners that are cut by less than the distance of the points.
                cut += u32::from(expected && !found);
                if found { free += 1 } else { blocked += 1 }
            }
        }
        assert!(free > 100 && blocked > 100 && cut < 10, "{free} {blocked} {cut}");
        // Through the corner of four cells: both cells next to it must be open.
        let corner = |walls: [(u32, u32); 1]| {
            let open = Mask::new(&grid, |column, row| !walls.contains(&(column, row)));
            let ground = Ground::new(&grid, open, Mask::new(&grid, |_, _| false)).unwrap();
            ground.is_free([-2.75, 40.25], [-2.25, 40.75])
        };
        assert!(corner([(5, 5)]) && !corner([(0, 1)]) && !corner([(1, 0)]));
    }

    #[test]
    fn goals_in_walls_and_masks_of_other_grids_are_refused() {
        let (grid, other) = (Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap(), Grid::new([0.0, 0.0], 1.0, 4, 5).unwrap());
        let mask = |grid: &Grid| Mask::new(grid, |column, _| column < 2);
        let place = |open, goals| Ground::new(&grid, open, goals).unwrap_err().place().to_owned();
        assert_eq!(place(mask(&other), mask(&grid)), "open cells, mask, size");
        assert_eq!(place(mask(&grid), mask(&other)), "goals, mask, size");
        assert_eq!(place(mask(&grid), Mask::new(&grid, |column, row| (column, row) == (2, 1))), "goal at (2, 1)");
    }
}
