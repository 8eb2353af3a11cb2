//! Data that is identical in all domains.

use throng_core::InputError;

use super::super::options::{Options, check_longest_step};
use super::super::rules::contest::Rule;
use super::super::rules::decision::reach;
use super::super::walls::{Wall, WallIndex};
use super::super::world::World;
use super::partition::Partition;

/// Data that is identical in all domains. Its size does not grow with the number of discs.
#[derive(Debug, Clone)]
pub struct Agreement {
    pub(super) world: World,
    pub(super) walls: WallIndex,
    pub(super) partition: Partition,
    pub(super) rule: Rule,
    pub(super) seed: u64,
    /// Largest radius of all discs.
    pub(super) largest: i32,
    pub(super) longest_step: i32,
}

impl Agreement {
    /// Creates the agreement for a world with walls and a partition, and discs of radii up to `largest`.
    ///
    /// # Errors
    /// When steps have no maximum length, or one above [`MAX_STEP`](super::super::MAX_STEP), when a wall ends
    /// outside the world, or when there is too little memory for the pieces of the
    /// walls.
    pub fn new(
        world: World,
        walls: &[Wall],
        largest: i32,
        options: &Options,
        partition: Partition,
    ) -> Result<Self, InputError> {
        let Some(longest_step) = options.longest_step else {
            // The ghost width must be finite.
            let remedy = "give a longest step: domains exchange discs within a finite distance";
            return Err(InputError::one("longest step", "steps of any length", remedy));
        };
        let reach = check_longest_step(options, false)?.max(largest);
        let walls = WallIndex::new(&world, walls, reach, options.lattice.as_ref())?;
        Ok(Self { world, walls, partition, rule: options.rule, seed: options.seed, largest, longest_step })
    }

    /// Returns the partition of the world.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Returns the distance from the rectangle of another domain within which a disc of this radius may affect
    /// decisions there: see [A step](super#a-step).
    pub(super) fn ghost_width(&self, radius: i32) -> i32 {
        reach(radius, self.largest, self.longest_step, true) + self.longest_step
    }
}
