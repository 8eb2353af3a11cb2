//! Worlds: a grid with walls and openings.

use throng_core::{InputError, Problems};

use super::super::rules::grid::{Grid, NOWHERE};
use super::Openings;

/// The longest side of a world, space units: numbers of pedestrians in a row have 16 bits.
pub const MAX_SIDE: u32 = 1 << 15;

/// A world: space units that pedestrians can enter, walls, and openings through which pedestrians come and go.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    pub(in super::super) grid: Grid,
    /// Whether each space unit is a wall.
    pub(in super::super) is_wall: Vec<bool>,
    pub(in super::super) openings: Openings,
}

impl World {
    /// A world with these walls: a flag for each space unit, row by row from the lower left.
    ///
    /// # Errors
    /// When a side is 0 or above [`MAX_SIDE`], or the number of flags is another one.
    pub fn new(grid: Grid, is_wall: Vec<bool>) -> Result<Self, InputError> {
        let mut problems = Problems::new();
        for (name, side) in [("width", grid.width), ("height", grid.height)] {
            if side == 0 || side > MAX_SIDE {
                problems.push(name, format!("{side} space units"), format!("give 1 to {MAX_SIDE}"));
            }
        }
        if is_wall.len() != grid.units() {
            let remedy = format!("give one for each of the {} space units", grid.units());
            problems.push("walls", format!("{} flags", is_wall.len()), remedy);
        }
        problems.into_result()?;
        Ok(Self { grid, is_wall, openings: Openings::default() })
    }

    /// A world without walls.
    ///
    /// # Errors
    /// As for [`World::new`].
    pub fn open(grid: Grid) -> Result<Self, InputError> {
        Self::new(grid, vec![false; grid.units()])
    }

    /// The same world with exits, doors and entries in space units that are not walls.
    ///
    /// # Errors
    /// As for [`Openings::check`].
    pub fn with_openings(self, openings: Openings) -> Result<Self, InputError> {
        openings.check(&self.is_wall)?;
        Ok(Self { openings, ..self })
    }

    /// Its openings.
    pub fn openings(&self) -> &Openings {
        &self.openings
    }

    /// Its grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Whether a space unit is a wall, or beyond a closed border.
    pub(in super::super) fn is_wall(&self, unit: u32) -> bool {
        unit == NOWHERE || self.is_wall[unit as usize]
    }

    /// Refuses fields of this radius if they do not fit: an offset would wrap around onto the centre.
    ///
    /// # Errors
    /// The sides of the field and of the world.
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

    /// Refuses a world with so many space units that kernels, whose indices have 32 bits, could not count the `numbers`
    /// that each of them has. `what`: these numbers, and `key`: where they are asked for.
    ///
    /// # Errors
    /// How many space units there are, and how many there may be.
    pub(in super::super) fn check_indices(&self, key: &str, what: &str, numbers: usize) -> Result<(), InputError> {
        let (units, most) = (self.grid.units(), u32::MAX as usize / numbers);
        if units <= most {
            return Ok(());
        }
        let found = format!("{what} in a world of {units} space units");
        Err(InputError::one(key, found, format!("use a world of at most {most}, or do without")))
    }
}
