//! What stays the same from step to step: the world, its walls, and the radii of the discs.

use throng_core::{InputError, Problems};

use super::lattice::{MAX_RADIUS, MIN_RADIUS};
use super::walls::Wall;
use super::world::World;

/// The radii of the discs, units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Radii {
    /// One for all, or one for each disc.
    values: Vec<i32>,
    discs: usize,
    largest: i32,
}

impl Radii {
    /// So many discs of [`MIN_RADIUS`].
    pub fn equal(discs: usize) -> Self {
        Self { values: vec![MIN_RADIUS], discs, largest: MIN_RADIUS }
    }

    /// A radius for each disc, from [`MIN_RADIUS`] to [`MAX_RADIUS`].
    ///
    /// # Errors
    /// Radii out of range.
    pub fn of_each(radii: Vec<i32>) -> Result<Self, InputError> {
        let mut problems = Problems::new();
        for (disc, radius) in radii.iter().enumerate() {
            if !(MIN_RADIUS..=MAX_RADIUS).contains(radius) {
                let remedy =
                    format!("give a radius from {MIN_RADIUS} to {MAX_RADIUS} units, of one size to four times that");
                problems.push(format!("disc {disc}, radius"), format!("{radius} units"), remedy);
            }
        }
        problems.into_result()?;
        let (discs, largest) = (radii.len(), radii.iter().copied().max().unwrap_or(MIN_RADIUS));
        if radii.iter().all(|&radius| radius == MIN_RADIUS) {
            return Ok(Self::equal(discs));
        }
        Ok(Self { values: radii, discs, largest })
    }

    /// The radii of some of the discs of a crowd, of which all radii are valid.
    pub(super) fn of_some(values: Vec<i32>) -> Self {
        let (discs, largest) = (values.len(), values.iter().copied().max().unwrap_or(MIN_RADIUS));
        Self { values, discs, largest }
    }

    /// The radius of a disc.
    #[inline]
    pub fn of(&self, disc: usize) -> i32 {
        self.values[if self.are_equal() { 0 } else { disc }]
    }

    /// Whether one value is stored for all discs.
    #[inline]
    pub fn are_equal(&self) -> bool {
        self.values.len() == 1
    }

    /// The largest radius.
    pub fn largest(&self) -> i32 {
        self.largest
    }

    /// The number of discs.
    pub fn discs(&self) -> usize {
        self.discs
    }

    /// One radius for all, or one for each disc.
    #[cfg(feature = "gpu")]
    pub(crate) fn as_slice(&self) -> &[i32] {
        &self.values
    }
}

/// What stays the same from step to step.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The world.
    pub world: World,
    /// Its walls.
    pub walls: Vec<Wall>,
    /// The radii of the discs.
    pub radii: Radii,
}
