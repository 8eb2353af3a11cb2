//! Worlds and the pedestrians in them.

use throng_core::{InputError, Problems, StateHash};

use super::fields::FieldTables;
use super::openings::Openings;
use super::rules::direction::{DIRECTIONS, STANDS};
use super::rules::grid::{Grid, NOWHERE};

/// No pedestrian is in this space unit.
pub const EMPTY: u32 = u32::MAX;
/// The space unit is a wall.
pub const WALL: u32 = u32::MAX - 1;
/// The place of a pedestrian that has not entered the world yet.
pub const WAITING: u32 = u32::MAX;
/// The place of a pedestrian that has left the world.
pub const LEFT: u32 = u32::MAX - 1;
/// The most pedestrians of a world: their numbers share a word with their headings.
pub const MOST_PEDESTRIANS: usize = 1 << 24;
/// The most space units of a world with traces, of which each has eight.
const MOST_UNITS_WITH_TRACES: usize = 1 << 28;
/// The longest side of a world, space units: numbers of pedestrians in a row have 16 bits.
pub const LONGEST_SIDE: u32 = 1 << 15;

/// A world: space units that pedestrians can enter, walls, and openings through which pedestrians come and go.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    pub(super) grid: Grid,
    /// Whether each space unit is a wall.
    pub(super) is_wall: Vec<bool>,
    pub(super) openings: Openings,
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
        // Sides of fields are odd.
        let largest = (shortest - 1) / 2 * 2 + 1;
        Err(InputError::one("field_size", found, format!("give at most {largest}, or use a larger world")))
    }
}

/// The pedestrians of a world, a value for each, and the traces of their steps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pedestrians {
    /// The space unit; [`WAITING`] or [`LEFT`].
    pub at: Vec<u32>,
    /// The wanted heading, a direction; [`STANDS`] where no way leads to the exit. In worlds with exits it follows from
    /// the place.
    pub heading: Vec<u8>,
    /// The walk period: ticks from one step to the next, at least 1.
    pub period: Vec<u32>,
    /// The first tick in which the pedestrian tries to move again. Of one that is waiting: the tick in which it comes to
    /// its entry; of one that has left: the tick in which it left.
    pub due: Vec<u32>,
    /// The exits through which the pedestrian may leave, a bit for each. Empty in worlds without exits.
    pub exits: Vec<u32>,
    /// The number of the exit to which the pedestrian goes. Empty in worlds without exits.
    pub exit: Vec<u8>,
    /// Columns and rows of each body, whose place is that of its lower left space unit. Empty where all bodies are of one
    /// space unit.
    pub bodies: Vec<[u8; 2]>,
    /// How strong the traces of steps are, fixed-point numbers: `[space unit][heading]`. Empty where fields follow
    /// pedestrians at once; empty also for no traces yet.
    pub traces: Vec<u32>,
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

    /// Columns and rows of the body of a pedestrian.
    pub fn body(&self, pedestrian: usize) -> [u8; 2] {
        self.bodies.get(pedestrian).copied().unwrap_or([1; 2])
    }

    /// Whether some bodies have several space units.
    pub fn has_large_bodies(&self) -> bool {
        self.bodies.iter().any(|&body| body != [1; 2])
    }

    /// Refuses bodies of several space units.
    ///
    /// # Errors
    /// The first of them.
    pub(super) fn check_one_unit_each(&self) -> Result<(), InputError> {
        match self.bodies.iter().position(|&body| body != [1; 2]) {
            None => Ok(()),
            Some(pedestrian) => {
                let [columns, rows] = self.bodies[pedestrian];
                let found = format!("a body of {columns} x {rows} space units");
                Err(InputError::one(format!("pedestrian {pedestrian}"), found, "use an executor of bodies"))
            }
        }
    }

    /// How many are in the world.
    pub fn inside(&self) -> usize {
        self.at.iter().filter(|&&at| at < LEFT).count()
    }

    /// The pedestrian in each space unit, or [`EMPTY`] or [`WALL`].
    ///
    /// # Errors
    /// Pedestrians outside the world, in walls, or two in one space unit; headings, periods and exits out of range.
    pub fn occupants(&self, world: &World) -> Result<Vec<u32>, InputError> {
        let mut problems = Problems::new();
        let (count, exits) = (self.len(), world.openings.exits.len());
        let of_exits = if exits == 0 { 0 } else { count };
        let of_bodies = if self.bodies.is_empty() { 0 } else { count };
        for (name, found, expected) in [
            ("heading", self.heading.len(), count),
            ("period", self.period.len(), count),
            ("due", self.due.len(), count),
            ("exits", self.exits.len(), of_exits),
            ("exit", self.exit.len(), of_exits),
            ("bodies", self.bodies.len(), of_bodies),
        ] {
            if found != expected {
                problems.push(name, format!("{found} values"), format!("give {expected}, for {count} pedestrians"));
            }
        }
        if count > MOST_PEDESTRIANS {
            problems.push("pedestrians", count.to_string(), format!("give at most {MOST_PEDESTRIANS}"));
        }
        problems.into_result()?;

        let mut problems = Problems::new();
        let mut occupants: Vec<u32> = world.is_wall.iter().map(|&is_wall| if is_wall { WALL } else { EMPTY }).collect();
        for (pedestrian, &unit) in self.at.iter().enumerate() {
            let name = || format!("pedestrian {pedestrian}");
            let body = self.body(pedestrian);
            let units = world.grid.units() as u32;
            let is_outside = exits > 0 && unit >= LEFT;
            let [width, height] = [world.grid.width, world.grid.height];
            if body.contains(&0) || u32::from(body[0]) > width || u32::from(body[1]) > height {
                let found = format!("a body of {} x {} space units", body[0], body[1]);
                problems.push(name(), found, format!("give 1 to {width} columns and 1 to {height} rows"));
            } else if unit >= units && !is_outside {
                problems.push(name(), format!("space unit {unit}"), format!("give a number below {units}"));
            } else if !is_outside {
                for unit in world.grid.rectangle(unit, body) {
                    match occupants.get_mut(unit as usize) {
                        None => problems.push(name(), "a body beyond the border", "give it a place within the world"),
                        Some(&mut WALL) => {
                            problems.push(name(), format!("space unit {unit} is a wall"), "give a free one");
                        }
                        Some(occupant) if *occupant != EMPTY => {
                            let found = format!("space unit {unit} has pedestrian {occupant} in it");
                            problems.push(name(), found, "give each pedestrian a space unit of its own");
                        }
                        Some(occupant) => *occupant = pedestrian as u32,
                    }
                }
            }
            if self.heading[pedestrian] >= STANDS + u8::from(exits > 0) {
                problems.push(name(), format!("heading {}", self.heading[pedestrian]), "give a direction, 0 to 7");
            }
            if self.period[pedestrian] == 0 {
                problems.push(name(), "a walk period of 0 ticks", "give at least 1");
            }
            let allowed = self.exits.get(pedestrian).copied().unwrap_or(1);
            if allowed == 0 || u64::from(allowed) >> exits.max(1) != 0 {
                problems.push(name(), format!("exits {allowed:#b}"), format!("give bits of the {exits} exits"));
            }
            if self.exit.get(pedestrian).is_some_and(|&exit| allowed >> exit & 1 == 0) {
                let remedy = "give one of its exits";
                problems.push(name(), format!("exit {}", self.exit[pedestrian]), remedy);
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
            let exit = self.exit.get(pedestrian).copied().unwrap_or_default();
            hash.add(pedestrian as u64, &[at, due, u64::from(self.heading[pedestrian]) | u64::from(exit) << 8]);
        }
        for (place, &trace) in self.traces.iter().enumerate().filter(|&(_, &trace)| trace > 0) {
            hash.add((self.len() + place) as u64, &[trace.into()]);
        }
        hash.finish()
    }

    /// Traces for all space units of a world, if its fields have any.
    ///
    /// # Errors
    /// When there are traces for a world of another size, or the world is too large for traces.
    pub(super) fn begin_traces(&mut self, world: &World, tables: &FieldTables) -> Result<(), InputError> {
        let units = world.grid.units();
        // Kernels index them with 32 bits.
        if tables.has_traces() && units > MOST_UNITS_WITH_TRACES {
            let remedy = format!("use a world of at most {MOST_UNITS_WITH_TRACES}, or 0 for no traces");
            return Err(InputError::one("trace_decay", format!("traces in a world of {units} space units"), remedy));
        }
        let count = if tables.has_traces() { units * DIRECTIONS as usize } else { 0 };
        if self.traces.is_empty() || count == 0 {
            self.traces = vec![0; count];
        }
        if self.traces.len() != count {
            let found = format!("{} values", self.traces.len());
            return Err(InputError::one("traces", found, format!("give {count}, eight for each space unit, or none")));
        }
        Ok(())
    }

    /// In a state before `tick`, those in the world that were refused try again in this tick.
    pub(super) fn try_again(&mut self, tick: u32) {
        for (due, _) in self.due.iter_mut().zip(&self.at).filter(|&(_, &at)| at < LEFT) {
            *due = (*due).max(tick);
        }
    }
}
