//! Everything that pictures show besides values of fields and positions of agents: the file `replay.json`.

use std::path::Path;

use serde::{Deserialize, Serialize};
use throng_core::InputError;

use super::damaged;
use super::rectangles::Rectangle;
use crate::pictures::{Colour, ColourMap};
use crate::scenario::patrol::StoredPatrol;

/// The content of the file. Points are relative to the origin of the grid, in units of length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Description {
    pub title: String,
    /// The unit of lengths.
    pub unit: String,
    /// The lowest coordinates of the map: those of agents are not relative to it.
    pub origin: [f64; 2],
    /// Side of a cell, and cells of the grid.
    pub cell: f64,
    pub columns: u32,
    pub rows: u32,
    pub samples: Samples,
    /// Length of a step, units of time; steps from one frame to the next; steps of the run.
    pub time_step: f64,
    pub frame_every: u32,
    pub steps: u32,
    /// The field that is drawn.
    pub field: Quantity,
    /// The influence of teams.
    pub influence: Option<Quantity>,
    /// Cells that are walls, and cells that are goals.
    pub walls: Vec<Rectangle>,
    pub goals: Vec<Rectangle>,
    /// The entities that are marked in pictures.
    pub entities: Vec<Marked>,
    /// The groups of agents.
    pub groups: Vec<GroupOfAgents>,
    /// Names and colours of agents and entities.
    pub legend: Vec<(String, Colour)>,
    /// The colours of values.
    pub colours: ColourMap,
}

/// The numbers of a frame: the means of blocks of so many cells along each side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Samples {
    pub cells: u32,
    pub columns: u32,
    pub rows: u32,
}

/// What a file of frames holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Quantity {
    pub name: String,
    /// The lowest and the highest value that are distinguished.
    pub range: [f32; 2],
    /// Stored frames: one if the values never change.
    pub frames: u64,
    /// Colours of values below and above 0, instead of those of the colour map.
    #[serde(default)]
    pub sides: Option<[Colour; 2]>,
}

/// An entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Marked {
    pub colour: Colour,
    /// The radius, if it is a ring.
    pub ring: Option<f32>,
    pub path: StoredPatrol,
}

/// A group of agents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct GroupOfAgents {
    pub agents: usize,
    pub colour: Colour,
}

impl Description {
    /// Reads the file.
    ///
    /// # Errors
    /// A file that cannot be read, or numbers that no run writes.
    pub(super) fn read(path: &Path) -> Result<Self, InputError> {
        let text = std::fs::read_to_string(path).map_err(|error| damaged(path, error))?;
        let found: Self = serde_json::from_str(&text).map_err(|error| damaged(path, error))?;
        match found.fault() {
            Some(fault) => Err(damaged(path, format!("{fault} is none that a run writes"))),
            None => Ok(found),
        }
    }

    /// The part with a number that cannot be used.
    fn fault(&self) -> Option<&'static str> {
        let is_length = |length: f64| length > 0.0 && length < 1e9;
        let is_point = |point: &[f64; 2]| point.iter().all(|at| at.abs() < 1e12);
        let Samples { cells, columns, rows } = self.samples;
        let quantities = || std::iter::once(&self.field).chain(&self.influence);
        let faults = [
            ("cell", !is_length(self.cell)),
            ("origin", !is_point(&self.origin)),
            ("columns or rows", self.columns == 0 || self.rows == 0),
            ("samples", cells == 0 || columns < 2 || rows < 2 || columns > 1 << 12 || rows > 1 << 12),
            ("time_step", !is_length(self.time_step)),
            ("frame_every", self.frame_every == 0),
            ("range", !quantities().all(|quantity| quantity.range[0] <= quantity.range[1])),
            ("range", !quantities().all(|quantity| quantity.range.iter().all(|end| end.is_finite()))),
            ("frames", quantities().any(|quantity| quantity.frames == 0)),
            ("walls", !self.walls.iter().all(|wall| wall.is_within(self.columns, self.rows))),
            ("goals", !self.goals.iter().all(|goal| goal.is_within(self.columns, self.rows))),
            ("entities", self.entities.iter().any(|entity| entity.path.points.is_empty())),
            ("entities", !self.entities.iter().flat_map(|entity| &entity.path.points).all(is_point)),
            ("entities", !self.entities.iter().all(|entity| entity.path.speed.abs() < 1e12)),
            ("ring", !self.entities.iter().filter_map(|entity| entity.ring).all(|radius| radius.abs() < 1e9)),
        ];
        faults.into_iter().find(|fault| fault.1).map(|fault| fault.0)
    }

    /// Width and height of the map.
    pub(super) fn size(&self) -> [f64; 2] {
        [self.columns, self.rows].map(|cells| f64::from(cells) * self.cell)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A map of 6 x 4 units, cells of half a unit, and samples of two cells.
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
            field: Quantity { name: "potential".to_owned(), range: [-1.0, 2.0], frames: 4, sides: None },
            influence: None,
            walls: vec![Rectangle([0, 0, 2, 4])],
            goals: vec![Rectangle([10, 6, 2, 2])],
            entities: vec![Marked { colour: Colour::BLUE, ring: None, path: StoredPatrol::standing([3.0, 2.0]) }],
            groups: vec![GroupOfAgents { agents: 2, colour: Colour::GREEN }],
            legend: vec![("walkers".to_owned(), Colour::GREEN)],
            colours: ColourMap::default(),
        }
    }

    #[test]
    fn descriptions_come_back_and_impossible_ones_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("replay.json");
        let read = |description: &Description| {
            std::fs::write(&path, serde_json::to_string(description).unwrap()).unwrap();
            Description::read(&path)
        };
        assert_eq!(read(&small()).unwrap(), small());
        let broken = [
            ("cell", Description { cell: 0.0, ..small() }),
            ("samples", Description { samples: Samples { cells: 2, columns: 1, rows: 4 }, ..small() }),
            ("frame_every", Description { frame_every: 0, ..small() }),
            ("walls", Description { walls: vec![Rectangle([11, 0, 2, 1])], ..small() }),
            ("goals", Description { goals: vec![Rectangle([u32::MAX, 0, 2, 1])], ..small() }),
        ];
        for (part, description) in broken {
            let error = read(&description).unwrap_err().to_string();
            assert!(error.contains(&format!("replay.json: {part} is none that a run writes\n    repeat")), "{error}");
        }
        std::fs::write(&path, "{").unwrap();
        assert!(Description::read(&path).is_err());
    }
}
