//! The scenario, as described by the user.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_model::step_scenario;

use super::super::fields::{FieldParameters, MAX_SQUEEZE, Strength};
use super::super::openings::{ExitChoice, MAX_EXITS};
use super::super::rules::directional::Reading;
use super::super::scene::BodyLimits;
use super::super::sector_map::SectorMap;
use super::super::start::Flow;
use throng_model::scenario_file::Border;

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
    /// Name, unique among rooms, doors, exits and entries.
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
    /// Name, unique among rooms, doors, exits and entries.
    pub name: String,
    /// Column and row of the lower left space unit.
    pub at_su: [u32; 2],
    /// Columns and rows.
    pub size_su: [u32; 2],
    /// Intervals in which it is open, from and to, s: `[[0, 60], [90, 600]]`. Without them the door is always open.
    pub open_s: Option<Vec<[f64; 2]>>,
}

/// Pedestrians present at the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Group {
    /// The room in which they start, at random positions; without it, anywhere.
    pub room: Option<String>,
    /// Number of pedestrians.
    pub persons: Option<u32>,
    /// Fraction of the free space units that bodies cover, 0 to 1, instead of `persons`.
    pub density: Option<f64>,
    /// In a world without exits, the headings: `uni`, to the east; `bi`, to the east and west; `four`; or `eight`.
    pub headings: Flow,
    /// In a world with exits, the names of the exits through which they may leave; without it, all exits.
    pub exits: Option<Vec<String>>,
    /// Walk periods, ticks per step; each pedestrian draws one of these.
    pub walk_periods: Vec<u32>,
    /// Columns and rows of each body, 1 to 11. Bodies of several space units require a world without
    /// doors, entries or exits.
    pub body_su: [u8; 2],
    /// Columns and rows to which a body shrinks, one by one, while it cannot move; it grows back to `body_su` where
    /// there is space. Without it, bodies keep their size.
    pub smallest_body_su: Option<[u8; 2]>,
}

impl Default for Group {
    fn default() -> Self {
        let headings = Flow::default();
        let (walk_periods, body_su, smallest_body_su) = (vec![1], [1; 2], None);
        Self {
            room: None,
            persons: None,
            density: None,
            headings,
            exits: None,
            walk_periods,
            body_su,
            smallest_body_su,
        }
    }
}

impl Group {
    /// Returns the limits of the size of each body.
    pub(super) fn limits(&self) -> BodyLimits {
        BodyLimits { smallest: self.smallest_body_su.unwrap_or(self.body_su), largest: self.body_su }
    }
}

/// The arrival times of pedestrians at an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Arrivals {
    /// At equal intervals, each in the middle of its interval; the total is the rate times the duration, rounded.
    Even,
    /// At random, independently of each other (a Poisson process).
    #[default]
    Random,
}

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Until {
    /// After the last tick.
    #[default]
    Ticks,
    /// When the last pedestrian has left, but no later than after the last tick.
    Empty,
}

/// An entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Name, unique among rooms, doors, exits and entries.
    pub name: String,
    /// Column and row of the lower left space unit.
    pub at_su: [u32; 2],
    /// Columns and rows.
    pub size_su: [u32; 2],
    /// Arrivals per second. Pedestrians that find no free space unit wait outside.
    pub persons_per_s: f64,
    /// Start of the arrivals, s.
    #[serde(default)]
    pub from_s: f64,
    /// End of the arrivals, s; without it, the end of the run.
    pub to_s: Option<f64>,
    /// Distribution of the arrival times.
    #[serde(default)]
    pub arrivals: Arrivals,
    /// The names of the exits through which they may leave; without it, all exits.
    pub exits: Option<Vec<String>>,
    /// Walk periods, ticks per step; each pedestrian draws one of these.
    #[serde(default = "every_tick")]
    pub walk_periods: Vec<u32>,
}

impl Entry {
    /// Returns the interval of arrivals, s.
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
        /// When the run ends: `ticks`, after the last tick; or `empty`, at the first row of the table at which no
        /// pedestrian is inside or still to arrive.
        pub until: Until = Until::Ticks,
        /// Whether to write the positions of all pedestrians at each row of the table to `trajectories.sqlite`, which
        /// PedPy and `JuPedSim` read, or to one file per connected part of the floor: `trajectories_1.sqlite` and so
        /// on.
        pub trajectories: bool = false,
        /// Width of the world, space units.
        pub width_su: u32 = 120,
        /// Height of the world, space units.
        pub height_su: u32 = 40,
        /// Fraction of the free space units that bodies cover at the start, 0 to 1, at random positions. Not used with
        /// `groups` or `entries`.
        pub density: f64 = 0.2,
        /// Headings of the pedestrians: `uni`, to the east; `bi`, to the east and west; `four`; or `eight`. In a world
        /// with exits, pedestrians walk to the exits instead.
        pub headings: Flow = Flow::Bi,
        /// Walk periods of the pedestrians, ticks per step; each pedestrian draws one of these. A space unit that a
        /// pedestrian leaves can be entered when its step is over.
        pub walk_periods: Vec<u32> = vec![1],
        /// Columns and rows of each body, 1 to 11. Bodies of several space units require a world without
        /// doors, entries or exits.
        pub body_su: [u8; 2] = [1, 1],
        /// Columns and rows to which a body shrinks, one by one, while it cannot move; it grows back to `body_su` where
        /// there is space. Without it, bodies keep their size.
        pub smallest_body_su: Option<[u8; 2]> = None,
        /// Number of ticks after which a pedestrian that is due and cannot move shrinks by a row or column.
        #[schemars(range(min = 1, max = MAX_SQUEEZE))]
        pub squeeze_after_ticks: u32 = 3,
        /// Border of the world: `closed` or `periodic`. Worlds with exits are closed.
        pub border: Border = Border::Periodic,
        /// Side length of a space unit, m.
        pub space_unit_m: f64 = 0.4,
        /// Duration of a tick, s. A pedestrian with a walk period of 1 makes at most one step per tick.
        pub tick_s: f64 = 0.3,
        /// Columns and rows of the fields of pedestrians, odd: the range within which others affect them. 1 for no
        /// fields.
        pub field_size: u32 = 7,
        /// Direction for which each offset counts: `exact45`, the nearest of the eight; `seed7`, the map of figure 3 of
        /// Yu et al.; or `skew`, to study their table I.
        pub sector_map: SectorMap = SectorMap::Exact45,
        /// Strength of the repulsion by others (RR) at a distance of 1 space unit.
        pub crowd_strength: f64 = 1.0,
        /// Exponent of the distance in the repulsion by others (RR): the strength is multiplied by the distance to this
        /// power.
        pub crowd_exponent: f64 = -0.5,
        /// Strength of the attraction by others with the same heading (DA).
        pub same_strength: f64 = 1.0,
        /// Exponent of the distance in the attraction by others with the same heading (DA).
        pub same_exponent: f64 = -0.5,
        /// Strength of the repulsion by oncoming others (DR).
        pub oncoming_strength: f64 = 1.0,
        /// Exponent of the distance in the repulsion by oncoming others (DR).
        pub oncoming_exponent: f64 = -0.5,
        /// Sources of the directional fields of a direction: `heading`, pedestrians with the reader's own heading (DA)
        /// or opposite to it (DR); or `cone`, pedestrians that walk in the direction, or come from it.
        pub reading: Reading = Reading::Heading,
        /// With 1 to 5, the sources of directional fields are traces instead of pedestrians: each step leaves a trace,
        /// and traces lose 1 / `2^trace_decay` of their strength per tick. 0 for no traces.
        pub trace_decay: u32 = 0,
        /// Strength of the attraction by exits (OA).
        pub opening_strength: f64 = 1.0,
        /// Exponent of the distance in the attraction by exits (OA).
        pub opening_exponent: f64 = -0.5,
        /// Strength of the repulsion by walls (OR).
        pub obstacle_strength: f64 = 1.0,
        /// Exponent of the distance in the repulsion by walls (OR).
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
        /// Weight of OR. With the default fields and a weight above 0.1, pedestrians may stop in front of an opening,
        /// whose walls push them away.
        pub obstacle_weight: f64 = 0.0,
        /// Weight of the direction to the right of the desired one, so that streams pass each other on one side.
        pub side_weight: f64 = 0.0,
        /// Threshold: a direction is taken only if its score is above this.
        pub threshold: f64 = 0.0,
        /// Duration of an exchange of places, ticks per tick of the walk period; 0 for no exchanges. Two pedestrians
        /// that cannot move and stand straight ahead of each other exchange their places. Without exchanges,
        /// pedestrians that pass a door in both directions may block each other.
        pub exchange_ticks: u32 = 0,
        /// Whether diagonal steps take 1.41 times as long as steps along an axis, rounded to whole ticks. This has no
        /// effect on walk periods of 1 tick, for which 1.41 is rounded to 1.
        pub equal_speeds: bool = false,
        /// Interval between choices among exits, s, in each of which a quarter of the pedestrians takes part. With 0,
        /// all walk to the nearest exit, and choose again only when doors open or close.
        pub choose_every_s: f64 = 0.0,
        /// Weight of crowding in the choice, relative to the distance.
        pub crowding_weight: f64 = 1.0,
        /// Pedestrians that each space unit of an exit is expected to let out per tick, for the choice.
        pub exit_flow: f64 = 0.5,
        /// Rooms. If there are any, everything else is wall except doors, exits and entries; without rooms, the whole
        /// world is floor.
        pub rooms: Vec<Place> = Vec::new(),
        /// Walls and other obstacles on the floor.
        pub walls: Vec<Wall> = Vec::new(),
        /// Doors, in walls.
        pub doors: Vec<Door> = Vec::new(),
        /// Exits, in walls or on the floor: a pedestrian that steps on one of its exits leaves with its next step.
        pub exits: Vec<Place> = Vec::new(),
        /// Entries, in walls or on the floor.
        pub entries: Vec<Entry> = Vec::new(),
        /// Pedestrians present at the start.
        pub groups: Vec<Group> = Vec::new(),
    }
}

impl Scenario {
    /// Returns the groups at the start.
    pub(super) fn groups(&self) -> Vec<Group> {
        if !(self.groups.is_empty() && self.entries.is_empty()) {
            return self.groups.clone();
        }
        vec![self.of_the_world()]
    }

    /// Returns the group that is used without `groups` and `entries`.
    pub(super) fn of_the_world(&self) -> Group {
        let (headings, walk_periods) = (self.headings, self.walk_periods.clone());
        let (body_su, smallest_body_su) = (self.body_su, self.smallest_body_su);
        Group { density: Some(self.density), headings, walk_periods, body_su, smallest_body_su, ..Group::default() }
    }

    /// Whether there are no exits, doors or entries.
    pub(super) fn is_without_openings(&self) -> bool {
        self.exits.is_empty() && self.doors.is_empty() && self.entries.is_empty()
    }

    /// Returns the parameters of the choice among exits.
    pub(super) fn choice(&self) -> ExitChoice {
        ExitChoice {
            every: (self.choose_every_s / self.tick_s).ceil() as u32,
            crowding: self.crowding_weight,
            flow: self.exit_flow,
        }
    }

    /// Returns the exits with these names, a bit for each; all exits if `None`. Unknown names are ignored.
    pub(super) fn exit_bits(&self, names: Option<&[String]>) -> u32 {
        let is_named = |exit: &Place| names.is_none_or(|names| names.contains(&exit.name));
        let exits = self.exits.iter().take(MAX_EXITS).enumerate().filter(|(_, exit)| is_named(exit));
        exits.fold(0, |bits, (number, _)| bits | 1 << number)
    }

    /// Returns the end of the run, s.
    pub(super) fn end_s(&self) -> f64 {
        f64::from(self.ticks) * self.tick_s
    }

    /// Returns the parameters of fields and steps.
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
            squeeze_after_ticks: self.squeeze_after_ticks,
            equal_speeds: self.equal_speeds,
            threshold: self.threshold,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenario_and_library_have_equal_defaults() {
        assert_eq!(Scenario::default().field_parameters(), FieldParameters::default());
    }
}
