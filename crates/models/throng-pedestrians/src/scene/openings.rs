//! Openings: the exits, doors and entries of a world.

use std::ops::Range;

use throng_core::{InputError, Problems};

use super::super::rules::fixed::ONE;

/// Maximum number of exits: pedestrians have a bit for each.
pub const MAX_EXITS: usize = 32;

/// The openings of a world.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Openings {
    /// Space units of each exit.
    pub exits: Vec<Vec<u32>>,
    /// Doors, with their opening times.
    pub doors: Vec<Door>,
    /// Entries, with their pedestrians.
    pub entries: Vec<Entry>,
    /// Parameters of the pedestrians' choice among their exits.
    pub choice: ExitChoice,
}

/// A door.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Door {
    /// Space units of the door.
    pub units: Vec<u32>,
    /// Intervals of ticks in which it is open.
    pub open: Vec<Range<u32>>,
}

impl Door {
    /// Whether it is open in a tick.
    pub fn is_open(&self, tick: u32) -> bool {
        self.open.iter().any(|open| open.contains(&tick))
    }
}

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    /// Space units of the entry. Pedestrians enter where one is empty.
    pub units: Vec<u32>,
    /// Indices of the pedestrians that enter here, in this order.
    pub pedestrians: Range<u32>,
}

impl Openings {
    /// Whether there are no openings.
    pub fn is_empty(&self) -> bool {
        self.exits.is_empty() && self.doors.is_empty() && self.entries.is_empty()
    }

    /// Whether doors open or close before a tick.
    pub(in super::super) fn changes(&self, tick: u32) -> bool {
        self.doors.iter().any(|door| tick == 0 || door.is_open(tick) != door.is_open(tick - 1))
    }

    /// Whether pedestrians choose their exits before a tick: all when doors open or close, some at regular intervals.
    pub(in super::super) fn has_choice(&self, tick: u32) -> bool {
        let every = self.choice.every;
        self.changes(tick) || (every > 0 && tick.is_multiple_of(every))
    }

    /// Rejects openings that cannot be used in a world with these walls.
    ///
    /// # Errors
    /// Doors or entries without exits, too many exits, space units outside the world, in walls or in two openings, and
    /// parameters of the choice out of range. Also openings without space units.
    pub fn check(&self, is_wall: &[bool]) -> Result<(), InputError> {
        let mut problems = Problems::new();
        if self.exits.is_empty() && !self.is_empty() {
            problems.push("exits", "none", "give an exit: pedestrians that enter or wait for doors need one");
        }
        if self.exits.len() > MAX_EXITS {
            problems.push("exits", self.exits.len().to_string(), format!("give at most {MAX_EXITS}"));
        }
        self.choice.check(&mut problems);
        let exits = self.exits.iter().map(|units| ("an exit", units));
        let doors = self.doors.iter().map(|door| ("a door", &door.units));
        let entries = self.entries.iter().map(|entry| ("an entry", &entry.units));
        let mut owners: Vec<Option<String>> = vec![None; is_wall.len()];
        for (number, (kind, units)) in exits.chain(doors).chain(entries).enumerate() {
            let place = format!("opening {number}, {kind}");
            if units.is_empty() {
                problems.push(&place, "no space units", "give at least one");
            }
            for &unit in units {
                match owners.get_mut(unit as usize) {
                    None => {
                        let remedy = format!("give a number below {}", is_wall.len());
                        problems.push(&place, format!("space unit {unit}"), remedy);
                    }
                    Some(Some(other)) => {
                        let found = format!("space unit {unit} also belongs to {other}");
                        problems.push(&place, found, "give each opening space units of its own");
                    }
                    Some(_) if is_wall[unit as usize] => {
                        problems.push(&place, format!("space unit {unit} is a wall"), "give free space units");
                    }
                    Some(owner) => *owner = Some(place.clone()),
                }
            }
        }
        problems.into_result()
    }
}

/// The parameters of the choice among exits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExitChoice {
    /// Ticks between choices, in each of which a random quarter of the pedestrians takes part. With 0, pedestrians walk
    /// to the nearest exit, and choose again only when doors open or close.
    pub every: u32,
    /// Weight of crowding relative to the distance; 0 to ignore crowding.
    pub crowding: f64,
    /// Pedestrians that each space unit of an exit is expected to let out per tick.
    pub flow: f64,
}

impl Default for ExitChoice {
    fn default() -> Self {
        Self { every: 0, crowding: 1.0, flow: 0.5 }
    }
}

impl ExitChoice {
    fn check(&self, problems: &mut Problems) {
        if !(0.0..=100.0).contains(&self.crowding) {
            problems.push("crowding_weight", self.crowding.to_string(), "give a number from 0 to 100");
        }
        if !(0.01..=1.0).contains(&self.flow) {
            let remedy = "give a number from 0.01 to 1; a space unit lets out at most 0.5 persons in a tick";
            problems.push("exit_flow", self.flow.to_string(), remedy);
        }
    }

    /// Returns the ticks per pedestrian ahead at an exit of `units` space units, a fixed-point number.
    pub fn queue(&self, units: usize) -> i32 {
        let ticks = self.crowding / (self.flow * units.max(1) as f64);
        // The limit keeps times in 32 bits even with the maximum number of pedestrians.
        libm::round(f64::from(ONE) * ticks.min(100.0)) as i32
    }
}
