//! Worlds: a grid with walls and openings.

use std::collections::BTreeMap;

use throng_core::{InputError, Problems};
use throng_device::neighbours::Boundary;

use super::super::rules::grid::{Grid, NOWHERE};
use super::Openings;

/// Maximum side length of a world, space units: counts of pedestrians in a row have 16 bits.
pub const MAX_SIDE: u32 = 1 << 15;

/// A world: a grid with walls, and with openings through which pedestrians enter and leave.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    pub(in super::super) grid: Grid,
    /// Whether each space unit is a wall.
    pub(in super::super) is_wall: Vec<bool>,
    pub(in super::super) openings: Openings,
}

fn check_sides(grid: &Grid) -> Problems {
    let mut problems = Problems::new();
    for (name, side) in [("width", grid.width), ("height", grid.height)] {
        if side == 0 || side > MAX_SIDE {
            problems.push(name, format!("{side} space units"), format!("give 1 to {MAX_SIDE}"));
        }
    }
    problems
}

impl World {
    /// Creates a world with walls: a flag for each space unit, row by row from the lower left.
    ///
    /// # Errors
    /// When a side is 0 or above [`MAX_SIDE`], or the number of flags does not match.
    pub fn new(grid: Grid, is_wall: Vec<bool>) -> Result<Self, InputError> {
        let mut problems = check_sides(&grid);
        if is_wall.len() != grid.units() {
            let remedy = format!("give one for each of the {} space units", grid.units());
            problems.push("walls", format!("{} flags", is_wall.len()), remedy);
        }
        problems.into_result()?;
        Ok(Self { grid, is_wall, openings: Openings::default() })
    }

    /// Creates a world without walls.
    ///
    /// # Errors
    /// As for [`World::new`].
    pub fn without_walls(grid: Grid) -> Result<Self, InputError> {
        check_sides(&grid).into_result()?;
        Self::new(grid, vec![false; grid.units()])
    }

    /// Creates a closed world from a plan, its upper row first: `#` is a wall, `.` a free space unit, and each capital
    /// letter an exit, which consists of the space units with that letter.
    ///
    /// ```
    /// use throng_pedestrians::World;
    ///
    /// let corridor = World::from_plan(&["#####", "A...B", "#####"])?;
    /// assert_eq!(corridor.openings().exits, [[5], [9]]);
    /// assert!(World::from_plan(&["#?"]).is_err());
    /// # Ok::<(), throng_core::InputError>(())
    /// ```
    ///
    /// # Errors
    /// If rows differ in length, a character has no meaning, or as for [`World::new`].
    pub fn from_plan(rows: &[&str]) -> Result<Self, InputError> {
        let width = rows.first().map_or(0, |row| row.chars().count());
        let grid = Grid { width: width as u32, height: rows.len() as u32, boundary: Boundary::Closed };
        let (mut problems, mut is_wall, mut exits) = (Problems::new(), Vec::new(), BTreeMap::<char, Vec<u32>>::new());
        for (y, row) in rows.iter().enumerate().rev() {
            if row.chars().count() != width {
                let found = format!("{} characters", row.chars().count());
                problems.push(format!("row {y}"), found, format!("give {width}, as in row 0"));
            }
            for (x, place) in row.chars().enumerate() {
                match place {
                    '#' | '.' => {}
                    'A'..='Z' => exits.entry(place).or_default().push(is_wall.len() as u32),
                    _ => problems.push(format!("row {y}, column {x}"), format!("{place:?}"), "give #, . or A to Z"),
                }
                is_wall.push(place == '#');
            }
        }
        problems.into_result()?;
        let world = Self::new(grid, is_wall)?;
        if exits.is_empty() {
            return Ok(world);
        }
        world.with_openings(Openings { exits: exits.into_values().collect(), ..Openings::default() })
    }

    /// Returns the same world with exits, doors and entries in space units that are not walls.
    ///
    /// # Errors
    /// As for [`Openings::check`].
    pub fn with_openings(self, openings: Openings) -> Result<Self, InputError> {
        openings.check(&self.is_wall)?;
        Ok(Self { openings, ..self })
    }

    /// Returns the openings.
    pub fn openings(&self) -> &Openings {
        &self.openings
    }

    /// Returns the grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Whether a space unit is a wall, or beyond a closed border.
    pub(in super::super) fn is_wall(&self, unit: u32) -> bool {
        unit == NOWHERE || self.is_wall[unit as usize]
    }

    /// Rejects fields of this radius if they do not fit: two offsets could lead to the same space unit.
    ///
    /// # Errors
    /// When the field does not fit: its side length, and the size of the world.
    pub fn check_field(&self, radius: i32) -> Result<(), InputError> {
        let (side, shortest) = (2 * radius as u32 + 1, self.grid.width.min(self.grid.height));
        if side == 1 || side <= shortest {
            return Ok(());
        }
        let found = format!("{side} space units, in a world of {} x {}", self.grid.width, self.grid.height);
        // Sides of fields are odd.
        let largest = (shortest - 1) / 2 * 2 + 1;
        Err(InputError::one("field_size", found, format!("give at most {largest}, or use a larger world")))
    }

    /// Rejects a world with so many space units that kernels, whose indices have 32 bits, could not index `numbers`
    /// values per space unit. `what`: name of these values; `key`: the key that requires them.
    ///
    /// # Errors
    /// When there are too many: the number of space units, and its maximum.
    pub(in super::super) fn check_indices(&self, key: &str, what: &str, numbers: usize) -> Result<(), InputError> {
        let (units, limit) = (self.grid.units(), u32::MAX as usize / numbers);
        if units <= limit {
            return Ok(());
        }
        let found = format!("{what} in a world of {units} space units");
        Err(InputError::one(key, found, format!("use a world of at most {limit}, or do without")))
    }
}
