//! What the user describes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_model::step_scenario;

use super::super::fields::{FieldParameters, Strength};
use super::super::openings::{ExitChoice, MAX_EXITS};
use super::super::rules::directional::Reading;
use super::super::sector_map::SectorMap;
use super::super::start::Flow;
use throng_model::Border;

/// A rectangle of space units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wall {
    /// Column and row of the lower left space unit.
    pub at_su: [u32; 2],
    /// Columns and rows.
    pub size_su: [u32; 2],
}

/// A room or an exit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The name.
    pub name: String,
    /// Column and row of the lower left space unit.
    pub at_su: [u32; 2],
    /// Columns and rows.
    pub size_su: [u32; 2],
}

/// A door in a wall.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Door {
    /// The name.
    pub name: String,
    /// Column and row of the lower left space unit.
    pub at_su: [u32; 2],
    /// Columns and rows.
    pub size_su: [u32; 2],
    /// When it is open, from and to, s: `[[0, 60], [90, 600]]`. Without it the door is always open.
    pub open_s: Option<Vec<[f64; 2]>>,
}

/// Pedestrians that are there at the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Group {
    /// The room in which they are, at random places; without it, they are anywhere.
    pub room: Option<String>,
    /// How many there are.
    pub persons: Option<u32>,
    /// The share of the free space units that bodies cover, 0 to 1, instead of `persons`.
    pub density: Option<f64>,
    /// In a world without exits, the headings: `uni`, to the east; `bi`, to the east and west; `four`; or `eight`.
    pub headings: Flow,
    /// In a world with exits, the names of those through which they may leave; without it, all.
    pub exits: Option<Vec<String>>,
    /// Ticks from step to step; each pedestrian draws one of these walk periods.
    pub walk_periods: Vec<u32>,
    /// Columns and rows of each body, 1 to 11; bodies of several space units are for worlds without exits.
    pub body_su: [u8; 2],
}

impl Default for Group {
    fn default() -> Self {
        let headings = Flow::default();
        Self { room: None, persons: None, density: None, headings, exits: None, walk_periods: vec![1], body_su: [1; 2] }
    }
}

/// When pedestrians come to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Arrivals {
    /// At equal intervals, each in the middle of its own: as many as the rate times the duration, rounded.
    Even,
    /// At random, independently of each other (a Poisson process).
    #[default]
    Random,
}

/// When a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Until {
    /// After the last tick.
    #[default]
    Ticks,
    /// When the last person has left, or else after the last tick.
    Empty,
}

/// An entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name.
    pub name: String,
    /// Column and row of the lower left space unit.
    pub at_su: [u32; 2],
    /// Columns and rows.
    pub size_su: [u32; 2],
    /// How many come in a second. Those that find no free space unit wait outside.
    pub persons_per_s: f64,
    /// When the first of them may come, s.
    #[serde(default)]
    pub from_s: f64,
    /// When no more come, s; without it, they come to the end.
    pub to_s: Option<f64>,
    /// When they come.
    #[serde(default)]
    pub arrivals: Arrivals,
    /// The names of the exits through which they may leave; without it, all.
    pub exits: Option<Vec<String>>,
    /// Ticks from step to step; each pedestrian draws one of these walk periods.
    #[serde(default = "every_tick")]
    pub walk_periods: Vec<u32>,
}

impl Entry {
    /// From when to when people come, s.
    pub(super) fn interval(&self, scenario: &Scenario) -> [f64; 2] {
        [self.from_s, self.to_s.unwrap_or(scenario.end_s().max(self.from_s))]
    }
}

fn every_tick() -> Vec<u32> {
    vec![1]
}

step_scenario! {
    /// A scenario file.
    pub struct Scenario(ticks = 600, frame_every = 5, folder = "output/social-field"; animation_frames = 80) {
        /// When the run ends: `ticks`, after all of them; or `empty`, at the first row of the table at which no person is
        /// inside or still to come.
        pub until: Until = Until::Ticks,
        /// Whether to write the places of all pedestrians, of each row of the table, to `trajectories.sqlite`, which PedPy
        /// and `JuPedSim` read, or to a file for each part of the floor that is not connected: `trajectories_1.sqlite`.
        pub trajectories: bool = false,
        /// Width of the world, space units.
        pub width_su: u32 = 120,
        /// Height of the world, space units.
        pub height_su: u32 = 40,
        /// The share of the free space units that bodies cover at the start, 0 to 1, at random places. Not used with `groups` or `entries`.
        pub density: f64 = 0.2,
        /// Their headings: `uni`, to the east; `bi`, to the east and west; `four`; or `eight`. With exits they go there.
        pub headings: Flow = Flow::Bi,
        /// Their walk periods, ticks from step to step; each pedestrian draws one of these. A space unit that a pedestrian
        /// leaves can be entered when its step is over.
        pub walk_periods: Vec<u32> = vec![1],
        /// Columns and rows of each body, 1 to 11; bodies of several space units are for worlds without exits.
        pub body_su: [u8; 2] = [1, 1],
        /// What is at the border of the world: `closed` or `periodic`. Worlds with exits are closed.
        pub border: Border = Border::Periodic,
        /// Side of a space unit, m.
        pub space_unit_m: f64 = 0.4,
        /// Duration of a tick, s. A pedestrian with a walk period of 1 makes at most one step in a tick.
        pub tick_s: f64 = 0.3,
        /// Columns and rows of the fields of pedestrians, odd: as far as others affect them. 1 for no fields.
        pub field_size: u32 = 7,
        /// Which of eight directions each offset counts for: `exact45`, the nearest; `seed7`, the map of figure 3 of Yu et
        /// al.; or `skew`, to study their table I.
        pub sector_map: SectorMap = SectorMap::Exact45,
        /// Strength of the repulsion by others (RR) at a distance of 1 space unit.
        pub crowd_strength: f64 = 1.0,
        /// Its exponent: the strength is multiplied by the distance to this power.
        pub crowd_exponent: f64 = -0.5,
        /// Strength of the attraction by others with the same heading (DA).
        pub same_strength: f64 = 1.0,
        /// Its exponent.
        pub same_exponent: f64 = -0.5,
        /// Strength of the repulsion by oncoming others (DR).
        pub oncoming_strength: f64 = 1.0,
        /// Its exponent.
        pub oncoming_exponent: f64 = -0.5,
        /// Which others the directional fields of a direction are of: `heading`, those with the pedestrian's own heading
        /// (DA) or opposite to it (DR); or `cone`, those that go into the direction, or come from there.
        pub reading: Reading = Reading::Heading,
        /// 1 to 5: directional fields are not of others but of their traces, which each step leaves, and which lose the
        /// `2^trace_decay`-th part in each tick. 0: no traces.
        pub trace_decay: u32 = 0,
        /// Strength of the attraction by exits (OA).
        pub opening_strength: f64 = 1.0,
        /// Its exponent.
        pub opening_exponent: f64 = -0.5,
        /// Strength of the repulsion by walls (OR).
        pub obstacle_strength: f64 = 1.0,
        /// Its exponent.
        pub obstacle_exponent: f64 = -0.5,
        /// Weight of the desired direction in the score of a direction.
        pub heading_weight: f64 = 1.0,
        /// Weight of RR.
        pub crowd_weight: f64 = 0.05,
        /// Weight of DA.
        pub same_weight: f64 = 0.02,
        /// Weight of DR.
        pub oncoming_weight: f64 = 0.1,
        /// Weight of OA.
        pub opening_weight: f64 = 0.0,
        /// Weight of OR. With the default fields above 0.1 people may stop in front of an opening, whose walls push them away.
        pub obstacle_weight: f64 = 0.0,
        /// Weight of the right of the desired direction, so that streams pass each other on one side.
        pub side_weight: f64 = 0.0,
        /// A direction is taken only if its score is above this.
        pub threshold: f64 = 0.0,
        /// Ticks that an exchange of places takes, for each tick of the walk period; 0 for no exchanges. Two pedestrians
        /// that cannot go anywhere, and each of which stands straight ahead of the other, exchange their places. Without,
        /// people who go through a door in both directions may block each other.
        pub exchange_ticks: u32 = 0,
        /// Whether diagonal steps take 1.41 times as long as steps along an axis, rounded to ticks: not with walk periods of 1
        /// tick, for which 1.41 is rounded to 1.
        pub equal_speeds: bool = false,
        /// Seconds from one choice among exits to the next, in which a quarter of the pedestrians takes part; 0: all go to
        /// the nearest exit, and choose again only when doors open or close.
        pub choose_every_s: f64 = 0.0,
        /// How much crowding counts in the choice, beside the distance.
        pub crowding_weight: f64 = 1.0,
        /// Persons that each space unit of an exit is expected to let out in a tick, for the choice.
        pub exit_flow: f64 = 0.5,
        /// Rooms. With any, everything else is wall, except doors, exits and entries; without, all the world is floor.
        pub rooms: Vec<Place> = Vec::new(),
        /// Walls and other obstacles on the floor.
        pub walls: Vec<Wall> = Vec::new(),
        /// Doors, in walls.
        pub doors: Vec<Door> = Vec::new(),
        /// Exits, in walls or on the floor: pedestrians that step on one of theirs leave with their next step.
        pub exits: Vec<Place> = Vec::new(),
        /// Entries, in walls or on the floor.
        pub entries: Vec<Entry> = Vec::new(),
        /// Pedestrians that are there at the start.
        pub groups: Vec<Group> = Vec::new(),
    }
}

impl Scenario {
    /// The groups at the start.
    pub(super) fn groups(&self) -> Vec<Group> {
        if !(self.groups.is_empty() && self.entries.is_empty()) {
            return self.groups.clone();
        }
        vec![self.of_the_world()]
    }

    /// The group that is there without `groups` and `entries`.
    pub(super) fn of_the_world(&self) -> Group {
        let (headings, walk_periods, body_su) = (self.headings, self.walk_periods.clone(), self.body_su);
        Group { density: Some(self.density), headings, walk_periods, body_su, ..Group::default() }
    }

    /// Whether there are no exits, doors and entries.
    pub(super) fn is_without_openings(&self) -> bool {
        self.exits.is_empty() && self.doors.is_empty() && self.entries.is_empty()
    }

    /// The parameters of the choice among exits.
    pub(super) fn choice(&self) -> ExitChoice {
        ExitChoice {
            every: (self.choose_every_s / self.tick_s).ceil() as u32,
            crowding: self.crowding_weight,
            flow: self.exit_flow,
        }
    }

    /// The exits with these names, a bit for each; all without names. Names of no exit do not count.
    pub(super) fn exit_bits(&self, names: Option<&[String]>) -> u32 {
        let is_named = |exit: &Place| names.is_none_or(|names| names.contains(&exit.name));
        let exits = self.exits.iter().take(MAX_EXITS).enumerate().filter(|(_, exit)| is_named(exit));
        exits.fold(0, |bits, (number, _)| bits | 1 << number)
    }

    /// The end of the run, s.
    pub(super) fn end_s(&self) -> f64 {
        f64::from(self.ticks) * self.tick_s
    }

    /// The parameters of fields and steps.
    pub fn field_parameters(&self) -> FieldParameters {
        let strength = |factor, exponent| Strength { factor, exponent };
        FieldParameters {
            size: self.field_size,
            map: self.sector_map,
            crowd: strength(self.crowd_strength, self.crowd_exponent),
            same: strength(self.same_strength, self.same_exponent),
            oncoming: strength(self.oncoming_strength, self.oncoming_exponent),
            reading: self.reading,
            trace_decay: self.trace_decay,
            opening: strength(self.opening_strength, self.opening_exponent),
            obstacle: strength(self.obstacle_strength, self.obstacle_exponent),
            heading_weight: self.heading_weight,
            crowd_weight: self.crowd_weight,
            same_weight: self.same_weight,
            oncoming_weight: self.oncoming_weight,
            opening_weight: self.opening_weight,
            obstacle_weight: self.obstacle_weight,
            side_weight: self.side_weight,
            exchange_ticks: self.exchange_ticks,
            equal_speeds: self.equal_speeds,
            threshold: self.threshold,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_of_the_file_are_those_of_the_library() {
        assert_eq!(Scenario::default().field_parameters(), FieldParameters::default());
    }
}
