//! Openings: exits through which pedestrians leave, doors that are open at times, and entries.
//!
//! Each pedestrian goes to one of its exits. Its heading is the first step of a shortest way there, which depends on the
//! doors that are open. Whenever doors open or close, and every so many ticks, pedestrians may choose another exit (see
//! [`rules::exit_choice`](super::rules::exit_choice)).
//!
//! A tick ends with four phases: pedestrians that stepped into an exit a step ago leave; doors open and close; pedestrians enter; they choose their
//! exits. A door closes a space unit as soon as it is empty.
//!
//! That openings change between ticks is the paper's (Yu et al.); how, and which exits are chosen, is Throng's own.

mod choice;
mod phases;
mod ways;

use std::ops::Range;

use throng_core::{InputError, Problems};

pub use choice::ExitChoice;
#[cfg(feature = "gpu")]
pub(super) use phases::next;
pub(super) use phases::{Phases, passable, ways};
pub(super) use ways::{UNREACHABLE, Ways};

/// The most exits: pedestrians have a bit for each.
pub const MOST_EXITS: usize = 32;

/// The openings of a world.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Openings {
    /// The space units of each exit.
    pub exits: Vec<Vec<u32>>,
    /// The doors.
    pub doors: Vec<Door>,
    /// The entries.
    pub entries: Vec<Entry>,
    /// How pedestrians choose among their exits.
    pub choice: ExitChoice,
}

/// A door.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Door {
    /// Its space units.
    pub units: Vec<u32>,
    /// The ticks in which it is open.
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
    /// Its space units. Pedestrians enter where one is empty.
    pub units: Vec<u32>,
    /// The numbers of the pedestrians that enter here, in this order.
    pub pedestrians: Range<u32>,
}

impl Openings {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.exits.is_empty() && self.doors.is_empty() && self.entries.is_empty()
    }

    /// Whether doors open or close before a tick.
    pub(super) fn changes(&self, tick: u32) -> bool {
        self.doors.iter().any(|door| tick == 0 || door.is_open(tick) != door.is_open(tick - 1))
    }

    /// Refuses openings that cannot be used in a world with these walls.
    ///
    /// # Errors
    /// Doors or entries without exits, too many exits, space units outside the world, in walls or in two openings, and
    /// parameters of the choice out of range.
    pub fn check(&self, is_wall: &[bool]) -> Result<(), InputError> {
        let mut problems = Problems::new();
        if self.exits.is_empty() && !self.is_empty() {
            problems.push("exits", "none", "give an exit: pedestrians that enter or wait for doors need one");
        }
        if self.exits.len() > MOST_EXITS {
            problems.push("exits", self.exits.len().to_string(), format!("give at most {MOST_EXITS}"));
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
