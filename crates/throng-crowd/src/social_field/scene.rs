//! Worlds and the pedestrians in them.

use throng_core::{InputError, Problems, StateHash};

use super::rules::direction::DIRECTIONS;
use super::rules::grid::{Grid, NOWHERE};

/// No pedestrian is in this space unit.
pub const EMPTY: u32 = u32::MAX;
/// The space unit is a wall.
pub const WALL: u32 = u32::MAX - 1;
/// The most pedestrians of a world: their numbers share a word with their headings.
pub const MOST_PEDESTRIANS: usize = 1 << 24;
/// The longest side of a world, space units: numbers of pedestrians in a row have 16 bits.
pub const LONGEST_SIDE: u32 = 1 << 15;

/// A world: space units that pedestrians can enter, and walls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    pub(super) grid: Grid,
    /// Whether each space unit is a wall.
    pub(super) is_wall: Vec<bool>,
}

impl World {
    /// A world with these walls: a flag for each space unit, row by row from the lower left.
    ///
    /// # Errors
    /// When a side is 0 or above [`LONGEST_SIDE`], or the number of flags is another one.
    pub fn new(grid: Grid, is_wall: Vec<bool>) -> Result<Self, InputError> {
        let mut problems = Problems::new();
        for (name, side) in [("width", grid.width), ("height", grid.height)] {
            if side == 0 || side > LONGEST_SIDE {
                problems.push(name, format!("{side} space units"), format!("give 1 to {LONGEST_SIDE}"));
            }
        }
        if is_wall.len() != grid.units() {
            let remedy = format!("give one for each of the {} space units", grid.units());
            problems.push("walls", format!("{} flags", is_wall.len()), remedy);
        }
        problems.into_result()?;
        Ok(Self { grid, is_wall })
    }

    /// A world without walls.
    ///
    /// # Errors
    /// As for [`World::new`].
    pub fn open(grid: Grid) -> Result<Self, InputError> {
        Self::new(grid, vec![false; grid.units()])
    }

    /// Its grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Whether a space unit is a wall, or beyond a closed border.
    pub(super) fn is_wall(&self, unit: u32) -> bool {
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
        Err(InputError::one("field_size", found, format!("give at most {shortest}, or use a larger world")))
    }
}

/// The pedestrians of a world: a value for each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pedestrians {
    /// The space unit.
    pub at: Vec<u32>,
    /// The wanted heading, a direction.
    pub heading: Vec<u8>,
    /// The walk period: ticks from one step to the next, at least 1.
    pub period: Vec<u32>,
    /// The first tick in which the pedestrian tries to move again.
    pub due: Vec<u32>,
}

impl Pedestrians {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.at.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// The pedestrian in each space unit, or [`EMPTY`] or [`WALL`].
    ///
    /// # Errors
    /// Pedestrians outside the world, in walls, or two in one space unit; headings and periods out of range.
    pub fn occupants(&self, world: &World) -> Result<Vec<u32>, InputError> {
        let mut problems = Problems::new();
        let count = self.len();
        for (name, found) in [("heading", self.heading.len()), ("period", self.period.len()), ("due", self.due.len())] {
            if found != count {
                problems.push(name, format!("{found} values"), format!("give one for each of {count} pedestrians"));
            }
        }
        if count > MOST_PEDESTRIANS {
            problems.push("pedestrians", count.to_string(), format!("at most {MOST_PEDESTRIANS}"));
        }
        problems.into_result()?;

        let mut problems = Problems::new();
        let mut occupants: Vec<u32> = world.is_wall.iter().map(|&is_wall| if is_wall { WALL } else { EMPTY }).collect();
        for (pedestrian, &unit) in self.at.iter().enumerate() {
            let name = || format!("pedestrian {pedestrian}");
            match occupants.get_mut(unit as usize) {
                None => problems.push(name(), format!("space unit {unit}"), format!("below {}", world.grid.units())),
                Some(&mut WALL) => problems.push(name(), format!("space unit {unit} is a wall"), "give a free one"),
                Some(occupant) if *occupant != EMPTY => {
                    let found = format!("space unit {unit} has pedestrian {occupant} in it");
                    problems.push(name(), found, "give each pedestrian a space unit of its own");
                }
                Some(occupant) => *occupant = pedestrian as u32,
            }
            if u32::from(self.heading[pedestrian]) >= DIRECTIONS {
                problems.push(name(), format!("heading {}", self.heading[pedestrian]), "give a direction, 0 to 7");
            }
            if self.period[pedestrian] == 0 {
                problems.push(name(), "a walk period of 0 ticks", "give at least 1");
            }
        }
        problems.into_result()?;
        Ok(occupants)
    }

    /// The state hash.
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        for pedestrian in 0..self.len() {
            let [at, due] = [self.at[pedestrian], self.due[pedestrian]].map(u64::from);
            hash.add(pedestrian as u64, &[at, due, u64::from(self.heading[pedestrian])]);
        }
        hash.finish()
    }
}
