//! The file `replay.json`: everything that images show except the values of fields and the positions of agents.

use std::fmt::Display;
use std::path::Path;

use serde::{Deserialize, Serialize};
use throng_core::{InputError, read_input_text};
use throng_fields_core::Metric;
use throng_fields_scenario::patrol::StoredPatrol;
use throng_fields_scenario::value_checks;
use throng_fields_scenario::value_checks::MAX_COORDINATE;
use throng_pictures::{Colour, ColourMap, Grid};
use throng_scene::rectangles_of_cells;

use super::damaged;

/// The content of the file. Points are relative to the origin of the grid, in length units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Description {
    pub title: String,
    /// The unit of lengths, such as `m`; may be empty.
    pub unit: String,
    /// The lowest coordinates of the map. Coordinates of agents are absolute, unlike points.
    pub origin: [f64; 2],
    /// Side length of a cell; columns and rows of the grid follow.
    pub cell: f64,
    pub columns: u32,
    pub rows: u32,
    pub samples: Samples,
    /// Length of a step, in time units; steps per frame; steps of the run.
    pub time_step: f64,
    pub frame_every: u32,
    pub steps: u32,
    /// The field that is drawn.
    pub field: Quantity,
    /// The influence of teams.
    pub influence: Option<Quantity>,
    /// Cells that are walls throughout.
    pub walls: Vec<Rectangle>,
    /// Cells that are walls at times: the first frame with these cells, in ascending order. Empty if walls never
    /// change.
    #[serde(default)]
    pub changing_walls: Vec<(u64, Vec<Rectangle>)>,
    pub goals: Vec<StoredGoal>,
    /// Names and colours of teams.
    pub teams: Vec<(String, Colour)>,
    /// The entities that are marked in images.
    pub entities: Vec<Marked>,
    /// The groups of agents.
    pub groups: Vec<GroupOfAgents>,
    /// The legend of agents and entities: names and colours.
    pub legend: Vec<(String, Colour)>,
    /// The colour map of values.
    pub colours: ColourMap,
}

/// The resolution of a frame: the side length of a block in cells, and columns and rows of blocks. A sample is the mean
/// of a block.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Samples {
    pub cells: u32,
    pub columns: u32,
    pub rows: u32,
}

/// The content of a file of frames.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Quantity {
    pub name: String,
    /// The lowest and the highest value, between which the colour map distinguishes values.
    pub range: [f32; 2],
    /// Number of stored frames: one if the values never change.
    pub frames: u64,
    /// Whether the values are the influence of the strongest team of each block, drawn in the colour of that team.
    pub is_of_teams: bool,
}

/// A block of cells: its first column and row, and its numbers of columns and rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Rectangle(pub [u32; 4]);

impl Rectangle {
    /// Covers exactly the `covered` cells with a small number of blocks.
    pub(super) fn covering(columns: u32, rows: u32, covered: impl Fn(u32, u32) -> bool) -> Vec<Self> {
        rectangles_of_cells(columns, rows, covered).into_iter().map(Self).collect()
    }

    /// Whether the block is not empty and lies within a grid.
    fn is_within(self, columns: u32, rows: u32) -> bool {
        let Self([column, row, wide, high]) = self;
        let ends = |first: u32, count: u32, most| count > 0 && first.checked_add(count).is_some_and(|end| end <= most);
        ends(column, wide, columns) && ends(row, high, rows)
    }
}

/// The cells of a goal, and its owners over time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredGoal {
    pub cells: Vec<Rectangle>,
    /// Whether teams may own the goal.
    pub may_be_owned: bool,
    /// Changes of the owner in ascending order of frames: the first frame with the new owner, and the index of the
    /// team, or `None` for no owner.
    pub owners: Vec<(u64, Option<usize>)>,
}

impl StoredGoal {
    /// The team that owns the goal in a frame.
    pub(super) fn owner(&self, frame: u64) -> Option<usize> {
        self.owners.iter().rev().find(|(from, _)| *from <= frame).and_then(|(_, owner)| *owner)
    }
}

/// An entity that images mark, with its colour and path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Marked {
    pub colour: Colour,
    /// The radius if it is a ring.
    pub ring: Option<f32>,
    #[serde(default)]
    pub metric: Metric,
    pub path: StoredPatrol,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct GroupOfAgents {
    pub agents: usize,
    pub colour: Colour,
}

/// Maximum size of the file, in bytes.
const MAX_BYTES: u64 = 1 << 30;
/// Maximum number of samples along a side that are accepted.
const MAX_SAMPLES: u32 = 1 << 12;

/// The error for a value in a part of the file.
fn wrong(part: &str, value: impl Display, expected: impl Display) -> String {
    format!("{part}: found {value}; a run writes {expected}")
}

impl Marked {
    fn check(&self) -> Result<(), String> {
        let StoredPatrol { points, speed, .. } = &self.path;
        // Points of scenarios are absolute, so points relative to the origin may be twice as large.
        let is_place = |point: &[f64; 2]| value_checks::is_place(&point.map(|at| at / 2.0));
        if points.is_empty() {
            return Err(wrong("entities", "a path without points", "one point or more"));
        }
        if let Some(point) = points.iter().find(|point| !is_place(point)) {
            let expected = format!("finite numbers, at most {:e}", 2.0 * MAX_COORDINATE);
            return Err(wrong("entities", format!("the point {point:?}"), expected));
        }
        if !(0.0..=MAX_COORDINATE).contains(speed) {
            let expected = format!("a number from 0 to {MAX_COORDINATE:e}");
            return Err(wrong("entities", format!("the speed {speed:?}"), expected));
        }
        match self.ring.filter(|radius| !(radius.is_finite() && *radius >= 0.0)) {
            Some(radius) => Err(wrong("entities", format!("the radius {radius}"), "a finite number, 0 or more")),
            None => Ok(()),
        }
    }
}

impl Description {
    /// Reads the file.
    ///
    /// # Errors
    /// When the file cannot be read, or contains values that no run writes.
    pub(super) fn read(path: &Path) -> Result<Self, InputError> {
        let text = read_input_text(path, MAX_BYTES).map_err(|error| damaged(path, error))?;
        let found: Self = serde_json::from_str(&text).map_err(|error| damaged(path, error))?;
        found.check().map_err(|wrong| damaged(path, wrong))?;
        Ok(found)
    }

    /// Returns an error for values that cannot be used. The limits are the same as for scenarios.
    fn check(&self) -> Result<(), String> {
        Grid::new(self.origin, self.cell as f32, self.columns, self.rows)
            .map_err(|error| format!("{}: {}, {}", error.place(), error.message(), error.remedy()))?;
        let Samples { cells, columns, rows } = self.samples;
        if cells == 0 || columns < 2 || rows < 2 || columns > MAX_SAMPLES || rows > MAX_SAMPLES {
            let expected = format!("1 or more cells, and 2 to {MAX_SAMPLES} columns and rows");
            return Err(wrong("samples", format!("{cells} cells, {columns} columns, {rows} rows"), expected));
        }
        if !value_checks::is_time(self.time_step) {
            return Err(wrong("time_step", format!("{:?}", self.time_step), "a finite number above 0"));
        }
        if self.frame_every == 0 {
            return Err(wrong("frame_every", 0, "1 or more"));
        }
        for Quantity { range: [low, high], frames, .. } in std::iter::once(&self.field).chain(&self.influence) {
            if !(low.is_finite() && high.is_finite() && low <= high) {
                return Err(wrong("range", format!("{low} to {high}"), "finite numbers, the lower one first"));
            }
            if *frames == 0 {
                return Err(wrong("frames", 0, "1 or more"));
            }
        }
        let agents = self.groups.iter().try_fold(0u32, |sum, group| sum.checked_add(u32::try_from(group.agents).ok()?));
        if agents.is_none() {
            return Err(wrong("groups", "more than 4,294,967,295 agents", "at most that many"));
        }
        let of_goals = self.goals.iter().flat_map(|goal| &goal.cells).map(|cells| ("goals", cells));
        let walls = self.walls.iter().chain(self.changing_walls.iter().flat_map(|(_, cells)| cells));
        let mut cells = walls.map(|cells| ("walls", cells)).chain(of_goals);
        if let Some((part, outside)) = cells.find(|(_, one)| !one.is_within(self.columns, self.rows)) {
            let expected = format!("cells of a map of {} x {}", self.columns, self.rows);
            return Err(wrong(part, format!("{:?}", outside.0), expected));
        }
        let mut owners = self.goals.iter().flat_map(|goal| &goal.owners).filter_map(|(_, owner)| *owner);
        if let Some(owner) = owners.find(|owner| *owner >= self.teams.len()) {
            return Err(wrong("goals", format!("the owner {owner}"), format!("one of {} teams", self.teams.len())));
        }
        self.entities.iter().try_for_each(Marked::check)
    }

    /// The cells that are walls in a frame, but not throughout.
    pub(super) fn changing_walls(&self, frame: u64) -> &[Rectangle] {
        let last = self.changing_walls.iter().rev().find(|(from, _)| *from <= frame);
        last.map_or(&[], |(_, cells)| cells)
    }

    /// Width and height of the map.
    pub(super) fn size(&self) -> [f64; 2] {
        [self.columns, self.rows].map(|cells| f64::from(cells) * self.cell)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A goal that no team may own.
    fn goal(cells: [u32; 4]) -> StoredGoal {
        StoredGoal { cells: vec![Rectangle(cells)], may_be_owned: false, owners: Vec::new() }
    }

    #[test]
    fn goals_have_their_latest_owner() {
        let goal = StoredGoal { owners: vec![(0, Some(1)), (3, None), (4, Some(0))], ..goal([0, 0, 1, 1]) };
        assert_eq!([0, 2, 3, 4, u64::MAX].map(|frame| goal.owner(frame)), [Some(1), Some(1), None, Some(0), Some(0)]);
    }

    /// A map of 6 x 4 units, with cells of half a unit and samples of two cells.
    pub(in crate::replay) fn small() -> Description {
        Description {
            title: "Small".to_owned(),
            unit: "m".to_owned(),
            origin: [0.0; 2],
            cell: 0.5,
            columns: 12,
            rows: 8,
            samples: Samples { cells: 2, columns: 6, rows: 4 },
            time_step: 0.5,
            frame_every: 4,
            steps: 10,
            field: Quantity { name: "potential".to_owned(), range: [-1.0, 2.0], frames: 4, is_of_teams: false },
            influence: None,
            walls: vec![Rectangle([0, 0, 2, 4])],
            changing_walls: vec![(1, vec![Rectangle([4, 0, 1, 1])]), (3, Vec::new())],
            goals: vec![goal([10, 6, 2, 2])],
            teams: vec![("us".to_owned(), Colour::RED), ("them".to_owned(), Colour::GREY)],
            entities: vec![Marked {
                colour: Colour::BLUE,
                ring: None,
                metric: Metric::Euclidean,
                path: StoredPatrol::standing([3.0, 2.0]),
            }],
            groups: vec![GroupOfAgents { agents: 2, colour: Colour::GREEN }],
            legend: vec![("walkers".to_owned(), Colour::GREEN)],
            colours: ColourMap::default(),
        }
    }

    #[test]
    fn changing_walls_are_those_of_the_latest_change() {
        let counts = [0, 1, 2, 3, u64::MAX].map(|frame| small().changing_walls(frame).len());
        assert_eq!(counts, [0, 1, 1, 0, 0]);
    }

    #[test]
    fn descriptions_are_read_back_and_invalid_ones_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("replay.json");
        let read = |description: &Description| {
            std::fs::write(&path, serde_json::to_string(description).unwrap()).unwrap();
            Description::read(&path)
        };
        assert_eq!(read(&small()).unwrap(), small());
        // Values that scenarios may have.
        let marked = |speed: f64, at: f64| {
            let path = StoredPatrol { points: vec![[at, 0.0], [2.0, 2.0]], speed, ends: true };
            vec![Marked { colour: Colour::BLUE, ring: Some(1e20), metric: Metric::Manhattan, path }]
        };
        let far = Description { entities: marked(1e13, -1e30), time_step: 2e9, ..small() };
        assert_eq!(read(&far).unwrap(), far);
        let far = Description { origin: [2e12, -2e12], ..small() };
        assert_eq!(read(&far).unwrap(), far);
        let broken = [
            ("grid, cell size: 0, expected a finite", Description { cell: 0.0, ..small() }),
            (
                "samples: found 2 cells, 1 columns, 4 rows; a run writes 1 or more",
                Description { samples: Samples { cells: 2, columns: 1, rows: 4 }, ..small() },
            ),
            ("time_step: found 1e300; a run writes a finite", Description { time_step: 1e300, ..small() }),
            ("frame_every: found 0; a run writes 1 or more", Description { frame_every: 0, ..small() }),
            (
                "walls: found [11, 0, 2, 1]; a run writes cells of a map of 12 x 8",
                Description { walls: vec![Rectangle([11, 0, 2, 1])], ..small() },
            ),
            (
                "walls: found [12, 0, 1, 1]",
                Description { changing_walls: vec![(0, vec![Rectangle([12, 0, 1, 1])])], ..small() },
            ),
            ("goals: found [4294967295, 0", Description { goals: vec![goal([u32::MAX, 0, 2, 1])], ..small() }),
            (
                "goals: found the owner 2; a run writes one of 2 teams",
                Description {
                    goals: vec![StoredGoal { owners: vec![(3, Some(2))], ..goal([10, 6, 2, 2]) }],
                    ..small()
                },
            ),
            (
                "entities: found the speed 2e30; a run writes a number from 0",
                Description { entities: marked(2e30, 0.0), ..small() },
            ),
            (
                "entities: found the point [4e30, 0.0]; a run writes",
                Description { entities: marked(1.0, 4e30), ..small() },
            ),
        ];
        for (expected, description) in broken {
            let error = read(&description).unwrap_err().to_string();
            assert!(error.contains(&format!("replay.json: {expected}")), "{error}");
        }
        std::fs::write(&path, "{").unwrap();
        assert!(Description::read(&path).is_err());
    }
}
