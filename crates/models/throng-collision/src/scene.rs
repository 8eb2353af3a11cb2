//! Data that is constant over all steps: the world, its walls, and the radii of the discs.

use throng_core::{InputError, Problems};

use super::lattice::{MAX_RADIUS, MIN_RADIUS, ShownLengths};
use super::walls::Wall;
use super::world::World;

/// The radii of the discs, units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Radii {
    /// One radius for all discs, or one per disc.
    values: Vec<i32>,
    discs: usize,
    largest: i32,
}

impl Radii {
    /// Returns radii of [`MIN_RADIUS`] for `discs` discs.
    pub fn equal(discs: usize) -> Self {
        Self { values: vec![MIN_RADIUS], discs, largest: MIN_RADIUS }
    }

    /// Creates one radius per disc, from [`MIN_RADIUS`] to [`MAX_RADIUS`].
    ///
    /// # Errors
    /// Radii out of range.
    pub fn of_each(radii: Vec<i32>) -> Result<Self, InputError> {
        Self::shown_in(radii, &ShownLengths(None))
    }

    /// Like [`Radii::of_each`], with lengths in messages as `shown` formats them.
    pub(super) fn shown_in(radii: Vec<i32>, shown: &ShownLengths<'_>) -> Result<Self, InputError> {
        let mut problems = Problems::new();
        for (disc, &radius) in radii.iter().enumerate() {
            if !(MIN_RADIUS..=MAX_RADIUS).contains(&radius) {
                let [min, max] = [MIN_RADIUS, MAX_RADIUS].map(|limit| shown.length(limit.into()));
                let remedy = format!("give a radius from {min} to {max}, four times as much");
                problems.push(format!("disc {disc}, radius"), shown.length(radius.into()), remedy);
            }
        }
        problems.into_result()?;
        let (discs, largest) = (radii.len(), radii.iter().copied().max().unwrap_or(MIN_RADIUS));
        if radii.iter().all(|&radius| radius == MIN_RADIUS) {
            return Ok(Self::equal(discs));
        }
        Ok(Self { values: radii, discs, largest })
    }

    /// Creates the radii of some of the discs of a crowd whose radii are all valid.
    pub(super) fn of_some(values: Vec<i32>) -> Self {
        let (discs, largest) = (values.len(), values.iter().copied().max().unwrap_or(MIN_RADIUS));
        Self { values, discs, largest }
    }

    /// Returns the radius of a disc.
    #[inline]
    pub fn of(&self, disc: usize) -> i32 {
        self.values[if self.are_equal() { 0 } else { disc }]
    }

    /// Whether one value is stored for all discs.
    #[inline]
    pub fn are_equal(&self) -> bool {
        self.values.len() == 1
    }

    /// Returns the largest radius.
    pub fn largest(&self) -> i32 {
        self.largest
    }

    /// Returns the number of discs.
    pub fn discs(&self) -> usize {
        self.discs
    }

    /// Returns one radius for all discs, or one per disc.
    #[cfg(feature = "gpu")]
    pub(crate) fn as_slice(&self) -> &[i32] {
        &self.values
    }
}

/// Data that is constant over all steps.
#[derive(Debug, Clone)]
pub struct Scene {
    /// World of the discs.
    pub world: World,
    /// Walls in the world.
    pub walls: Vec<Wall>,
    /// Radii of the discs.
    pub radii: Radii,
}
