//! The pedestrians of a world.

use throng_core::{InputError, Problems, StateHash};

use super::super::fields::FieldTables;
use super::super::rules::direction::{DIRECTIONS, STANDS};
use super::{BodyLimits, EMPTY, WALL, World};

/// Position of a pedestrian that has not entered the world yet.
pub const WAITING: u32 = u32::MAX;
/// Position of a pedestrian that has left the world.
pub const LEFT: u32 = u32::MAX - 1;
/// Maximum number of pedestrians in a world: their indices share a word with their headings.
pub const MAX_PEDESTRIANS: usize = 1 << 24;
/// Maximum walk period, ticks. Even with the longest diagonal steps and exchanges of places, the due tick fits in 32
/// bits.
pub const MAX_PERIOD: u32 = 1 << 16;

/// The pedestrians of a world, as columns with one value each, and the traces of their steps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pedestrians {
    /// Space unit of each pedestrian; [`WAITING`] or [`LEFT`] outside the world.
    pub at: Vec<u32>,
    /// Desired heading, a direction; [`STANDS`] if no route leads to the exit. In worlds with exits it is derived from
    /// the position.
    pub heading: Vec<u8>,
    /// Walk period, ticks per step, 1 to [`MAX_PERIOD`].
    pub period: Vec<u32>,
    /// The first tick in which the pedestrian tries to move again. For a waiting pedestrian: the tick in which it
    /// arrives at its entry. For one that has left: the tick in which it left.
    pub due: Vec<u32>,
    /// The exits through which the pedestrian may leave, a bit for each. Empty in worlds without exits.
    pub exits: Vec<u32>,
    /// Index of the exit that the pedestrian walks to. Empty in worlds without exits.
    pub exit: Vec<u8>,
    /// Columns and rows of each body; the position is the lower left space unit of the body. Empty if all bodies are of
    /// one space unit.
    pub bodies: Vec<[u8; 2]>,
    /// The limits of the size of each body. Empty if no body changes its size.
    pub limits: Vec<BodyLimits>,
    /// The number of ticks, of those in which it was due, for which each pedestrian has not been able to move; after
    /// each squeeze it starts again from 1. Empty if no body changes its size, or if all pedestrians could move so far.
    pub blocked: Vec<u32>,
    /// Strengths of the traces of steps, fixed-point numbers: `[space unit][heading]`. Empty if fields follow
    /// pedestrians immediately, or if there are no traces yet.
    pub traces: Vec<u32>,
    /// The first tick in which each space unit can be entered after a pedestrian has left it, when the step of that
    /// pedestrian is over. Empty if all walk periods are 1, or if no space unit has been left yet.
    pub free_from: Vec<u32>,
}

impl Pedestrians {
    /// Returns the number of pedestrians.
    pub fn len(&self) -> usize {
        self.at.len()
    }

    /// Whether there are no pedestrians.
    pub fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// Whether a space unit without a pedestrian can be entered in a tick: the step of the last one that left it is
    /// over.
    pub(in super::super) fn lets_in(&self, unit: u32, tick: u32) -> bool {
        self.free_from.get(unit as usize).is_none_or(|&free_from| free_from <= tick)
    }

    /// Lets all pedestrians leave through any exit of the world, if it has exits.
    pub(in super::super) fn towards_exits(self, world: &World) -> Self {
        let exits = world.openings.exits.len();
        if exits == 0 {
            return self;
        }
        let count = self.len();
        Self { exits: vec![u32::MAX >> (32 - exits.min(32)); count], exit: vec![0; count], ..self }
    }

    /// Returns the number of pedestrians in the world.
    pub fn inside(&self) -> usize {
        self.at.iter().filter(|&&at| at < LEFT).count()
    }

    /// Returns the pedestrian in each space unit, or [`EMPTY`] or [`WALL`].
    ///
    /// # Errors
    /// Columns of wrong length, too many pedestrians, some outside, in walls or overlapping; values out of range.
    pub fn occupants(&self, world: &World) -> Result<Vec<u32>, InputError> {
        let mut problems = Problems::new();
        let (count, exits) = (self.len(), world.openings.exits.len());
        let of_exits = if exits == 0 { 0 } else { count };
        let or_none = |length: usize| if length == 0 { 0 } else { count };
        let of_blocked = if self.limits.is_empty() { 0 } else { or_none(self.blocked.len()) };
        for (name, found, expected) in [
            ("heading", self.heading.len(), count),
            ("period", self.period.len(), count),
            ("due", self.due.len(), count),
            ("exits", self.exits.len(), of_exits),
            ("exit", self.exit.len(), of_exits),
            ("bodies", self.bodies.len(), or_none(self.bodies.len())),
            ("limits", self.limits.len(), or_none(self.limits.len())),
            ("blocked", self.blocked.len(), of_blocked),
        ] {
            if found != expected {
                problems.push(name, format!("{found} values"), format!("give {expected}, for {count} pedestrians"));
            }
        }
        if count > MAX_PEDESTRIANS {
            problems.push("pedestrians", count.to_string(), format!("give at most {MAX_PEDESTRIANS}"));
        }
        problems.into_result()?;

        let mut problems = Problems::new();
        let mut occupants: Vec<u32> = world.is_wall.iter().map(|&is_wall| if is_wall { WALL } else { EMPTY }).collect();
        for (pedestrian, &unit) in self.at.iter().enumerate() {
            let name = || format!("pedestrian {pedestrian}");
            let body = self.body(pedestrian);
            let BodyLimits { smallest, largest } = self.limits(pedestrian);
            let units = world.grid.units() as u32;
            let is_outside = exits > 0 && unit >= LEFT;
            let [width, height] = [world.grid.width, world.grid.height];
            let fits =
                |body: [u8; 2]| !body.contains(&0) && u32::from(body[0]) <= width && u32::from(body[1]) <= height;
            if let Some([columns, rows]) = [body, smallest, largest].into_iter().find(|&body| !fits(body)) {
                let found = format!("a body of {columns} x {rows} space units");
                problems.push(name(), found, format!("give 1 to {width} columns and 1 to {height} rows"));
            } else if (0..2).any(|axis| !(smallest[axis]..=largest[axis]).contains(&body[axis])) {
                let found = format!("a body of {} x {} space units", body[0], body[1]);
                let [[columns, rows], [most_columns, most_rows]] = [smallest, largest];
                let remedy =
                    format!("give {columns} to {most_columns} columns and {rows} to {most_rows} rows, its limits");
                problems.push(name(), found, remedy);
            } else if unit >= units && !is_outside {
                problems.push(name(), format!("space unit {unit}"), format!("give a number below {units}"));
            } else if !is_outside {
                for unit in world.grid.rectangle(unit, body) {
                    match occupants.get_mut(unit as usize) {
                        None => problems.push(name(), "a body beyond the border", "move the body into the world"),
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
            let period = self.period[pedestrian];
            if !(1..=MAX_PERIOD).contains(&period) {
                let remedy = format!("give 1 to {MAX_PERIOD}");
                problems.push(name(), format!("a walk period of {period} ticks"), remedy);
            }
            let allowed = self.exits.get(pedestrian).copied().unwrap_or(1);
            if allowed == 0 || u64::from(allowed) >> exits.max(1) != 0 {
                problems.push(name(), format!("exits {allowed:#b}"), format!("give a bit mask of the {exits} exits"));
            }
            if self.exit.get(pedestrian).is_some_and(|&exit| allowed >> exit & 1 == 0) {
                let remedy = "give one of its exits";
                problems.push(name(), format!("exit {}", self.exit[pedestrian]), remedy);
            }
        }
        problems.into_result()?;
        Ok(occupants)
    }

    /// Returns the state hash.
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        // Constant sizes are not part of the state.
        let changes = self.has_changing_bodies();
        for pedestrian in 0..self.len() {
            let [at, due] = [self.at[pedestrian], self.due[pedestrian]].map(u64::from);
            let exit = self.exit.get(pedestrian).copied().unwrap_or_default();
            let mut word = u64::from(self.heading[pedestrian]) | u64::from(exit) << 8;
            if changes {
                let [columns, rows] = self.body(pedestrian).map(u64::from);
                let blocked = self.blocked.get(pedestrian).copied().unwrap_or(0);
                word |= columns << 16 | rows << 24 | u64::from(blocked) << 32;
            }
            hash.add(pedestrian as u64, &[at, due, word]);
        }
        for (place, &trace) in self.traces.iter().enumerate().filter(|&(_, &trace)| trace > 0) {
            hash.add((self.len() + place) as u64, &[trace.into()]);
        }
        for (unit, &tick) in self.free_from.iter().enumerate().filter(|&(_, &tick)| tick > 0) {
            hash.add((self.len() + self.traces.len() + unit) as u64, &[tick.into()]);
        }
        hash.finish()
    }

    /// Initializes the traces of all space units of a world, if its fields have any.
    ///
    /// # Errors
    /// When there are traces for a world of another size, or the world is too large for traces.
    pub(in super::super) fn begin_traces(&mut self, world: &World, tables: &FieldTables) -> Result<(), InputError> {
        let units = world.grid.units();
        if tables.has_traces() {
            world.check_indices("trace_decay", "traces", DIRECTIONS as usize)?;
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

    /// Whether some steps take several ticks, so that space units just left stay closed for some ticks.
    pub(in super::super) fn has_long_steps(&self) -> bool {
        self.period.iter().any(|&period| period > 1)
    }

    /// Returns the tick from which each space unit can be entered again; empty without [long
    /// steps](Self::has_long_steps).
    ///
    /// # Errors
    /// When there are ticks for a world of another size.
    pub(in super::super) fn complete_free_from(&self, world: &World) -> Result<Vec<u32>, InputError> {
        let count = if self.has_long_steps() { world.grid.units() } else { 0 };
        if self.free_from.is_empty() || count == 0 {
            return Ok(vec![0; count]);
        }
        if self.free_from.len() != count {
            let found = format!("{} values", self.free_from.len());
            let remedy = format!("give {count}, one for each space unit, or none");
            return Err(InputError::one("free_from", found, remedy));
        }
        Ok(self.free_from.clone())
    }

    /// Brings a state before `tick` into canonical form: pedestrians in the world that could not move try again in this
    /// tick, and space units that can be entered have a `free_from` of 0.
    pub(in super::super) fn normalize(&mut self, tick: u32) {
        for free_from in self.free_from.iter_mut().filter(|free_from| **free_from <= tick) {
            *free_from = 0;
        }
        for (due, _) in self.due.iter_mut().zip(&self.at).filter(|&(_, &at)| at < LEFT) {
            *due = (*due).max(tick);
        }
    }
}
