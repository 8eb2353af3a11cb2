//! The rectangle of a door or an exit, and its four sides.

use super::super::rules::grid::Grid;
use super::super::scene::World;

/// The names of the sides, counter-clockwise.
pub const SIDES: [&str; 4] = ["east", "north", "west", "south"];
const EAST: usize = 0;
const NORTH: usize = 1;
const WEST: usize = 2;
const SOUTH: usize = 3;

/// A rectangle of space units in a closed world.
#[derive(Debug, Clone, Copy)]
pub struct Rectangle {
    left: i32,
    bottom: i32,
    /// First column to the right of the rectangle.
    right: i32,
    /// First row above the rectangle.
    top: i32,
}

impl Rectangle {
    /// Creates a rectangle from its lower left corner and its size.
    pub fn new([x, y]: [u32; 2], [columns, rows]: [u32; 2]) -> Self {
        let [left, bottom, right, top] = [x, y, x + columns, y + rows].map(|at| at as i32);
        Self { left, bottom, right, top }
    }

    /// Returns the number of passable space units next to each side, without corners.
    pub fn widths(&self, grid: &Grid, is_passable: impl Fn(u32) -> bool) -> [u32; 4] {
        let passable = |x: i32, y: i32| u32::from(is_passable(grid.unit_at(x, y)));
        let column = |x: i32| (self.bottom..self.top).map(|y| passable(x, y)).sum();
        let row = |y: i32| (self.left..self.right).map(|x| passable(x, y)).sum();
        [column(self.right), row(self.top), column(self.left - 1), row(self.bottom - 1)]
    }

    /// Returns the widths in a world, where other openings always count as passable.
    pub fn widths_in(&self, world: &World) -> [u32; 4] {
        self.widths(world.grid(), |unit| !world.is_wall(unit))
    }

    /// Returns the side of the rectangle on which a position is; `None` inside. A position beyond a corner belongs to
    /// the side with a width; if both have one, to the eastern or western side.
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
    fn widths_and_sides_of_a_rectangle_match_values_computed_by_hand() {
        let grid = Grid { width: 9, height: 6, boundary: Boundary::Closed };
        // Two columns and three rows at the lower border; floor from column 5 on, and above row 2 up to column 3.
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
