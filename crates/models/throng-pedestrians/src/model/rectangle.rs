//! The rectangle of a door or an exit, and its four sides.

use super::super::rules::grid::Grid;
use super::super::scene::World;

/// The names of the sides, counter-clockwise.
pub const SIDES: [&str; 4] = ["east", "north", "west", "south"];
const EAST: usize = 0;
const NORTH: usize = 1;
const WEST: usize = 2;
const SOUTH: usize = 3;

/// Space units of a closed world.
#[derive(Debug, Clone, Copy)]
pub struct Rectangle {
    left: i32,
    bottom: i32,
    /// The first column to the right of it.
    right: i32,
    /// The first row above it.
    top: i32,
}

impl Rectangle {
    /// From its lower left corner, with so many columns and rows.
    pub fn new([x, y]: [u32; 2], [columns, rows]: [u32; 2]) -> Self {
        let [left, bottom, right, top] = [x, y, x + columns, y + rows].map(|at| at as i32);
        Self { left, bottom, right, top }
    }

    /// How many passable space units are next to each side, without corners.
    pub fn widths(&self, grid: &Grid, is_passable: impl Fn(u32) -> bool) -> [u32; 4] {
        let passable = |x: i32, y: i32| u32::from(is_passable(grid.unit_at(x, y)));
        let column = |x: i32| (self.bottom..self.top).map(|y| passable(x, y)).sum();
        let row = |y: i32| (self.left..self.right).map(|x| passable(x, y)).sum();
        [column(self.right), row(self.top), column(self.left - 1), row(self.bottom - 1)]
    }

    /// The same in a world, in which other openings count as passable at all times.
    pub fn widths_in(&self, world: &World) -> [u32; 4] {
        self.widths(world.grid(), |unit| !world.is_wall(unit))
    }

    /// On which side of it a place is; `None` within. A place beyond a corner is on the side with a width; if both have
    /// one, on the eastern or western side.
    pub fn side(&self, [x, y]: [i32; 2], widths: [u32; 4]) -> Option<usize> {
        let beyond = |at: i32, first: i32, end: i32, sides: [usize; 2]| match at {
            at if at < first => Some(sides[0]),
            at if at >= end => Some(sides[1]),
            _ => None,
        };
        let column = beyond(x, self.left, self.right, [WEST, EAST]);
        let row = beyond(y, self.bottom, self.top, [SOUTH, NORTH]);
        match (column, row) {
            (Some(column), Some(row)) => Some(if widths[column] == 0 { row } else { column }),
            (one, other) => one.or(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_device::neighbours::Boundary;

    use super::*;

    #[test]
    fn sides_and_their_widths() {
        let grid = Grid { width: 9, height: 6, boundary: Boundary::Closed };
        // Two columns and three rows at the lower border; floor to the right of column 5, and above row 2 up to column 3.
        let rectangle = Rectangle::new([3, 0], [2, 3]);
        let is_passable = |unit: u32| unit < 54 && (unit % 9 >= 5 || (unit / 9 > 2 && unit % 9 <= 3));
        let widths = rectangle.widths(&grid, is_passable);
        assert_eq!(widths, [3, 1, 0, 0]);
        let side = |place| rectangle.side(place, widths).map(|side| SIDES[side]);
        assert_eq!(
            [[5, 0], [8, 2], [3, 3], [2, 1], [4, -1]].map(side),
            ["east", "east", "north", "west", "south"].map(Some)
        );
        assert_eq!([[3, 0], [4, 2]].map(side), [None; 2]);
        // Beyond corners: both sides have a width, or only the upper one.
        assert_eq!([[5, 3], [2, 3]].map(side), ["east", "north"].map(Some));
    }
}
