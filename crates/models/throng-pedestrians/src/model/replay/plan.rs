//! The floor plan as boxes: walls, doors, exits and entries.

use std::ops::Range;

use throng_core::{InputError, Problems};
use throng_scene::{OrientedBox, Rgb, ground, rectangles_of_cells};

use super::super::floor::Floor;
use super::super::keys;
use super::super::people::place;
use super::super::scenario::Scenario;
use throng_model::scenario_file::Border;

const WALL_M: f64 = 2.5;
/// Height of the boxes of openings, m.
const FLAT_M: f64 = 0.02;

pub const WALL: Rgb = [0.55, 0.55, 0.58];
pub const DOOR: Rgb = [0.45, 0.25, 0.08];
pub const EXIT: Rgb = [0.05, 0.5, 0.12];
pub const ENTRY: Rgb = [0.1, 0.3, 0.65];

/// The floor plan of a scenario, and its groups of pedestrians.
#[derive(Debug)]
pub struct Plan {
    /// Width and height of the world, m.
    pub size_m: [f64; 2],
    /// Walls, exits and entries.
    boxes: Vec<OrientedBox>,
    doors: Vec<Door>,
    /// The groups, then the entries: the index range of their pedestrians, their name, and the body radius, m.
    pub groups: Vec<(Range<u32>, String, f64)>,
}

#[derive(Debug)]
struct Door {
    at: [f64; 4],
    /// Intervals in which it is open, s; `None` if always.
    open_s: Option<Vec<[f64; 2]>>,
}

impl Plan {
    /// Builds the plan of a scenario.
    ///
    /// # Errors
    /// Anything that a run would have rejected: the manifest was changed.
    pub fn of(scenario: &Scenario) -> Result<Self, InputError> {
        let mut problems = Problems::new();
        keys::check_world(scenario, &mut problems);
        keys::check_people(scenario, &mut problems);
        problems.into_result()?;
        let mut problems = Problems::new();
        let floor = Floor::of(scenario, &mut problems)?;
        problems.into_result()?;
        let mut problems = Problems::new();
        let placed = place(scenario, &floor, &mut problems);
        problems.into_result()?;

        let unit_m = scenario.space_unit_m;
        let is_wall = |column: u32, row: u32| floor.world.is_wall(row * scenario.width_su + column);
        let walls = rectangles_of_cells(scenario.width_su, scenario.height_su, is_wall);
        let wall = |[x, y, width, height]: [u32; 4]| upright(metres([x, y], [width, height], unit_m), WALL_M, WALL);
        let mut boxes: Vec<OrientedBox> = walls.into_iter().map(wall).collect();
        let exits = scenario.exits.iter().map(|exit| (exit.at_su, exit.size_su, EXIT));
        let entries = scenario.entries.iter().map(|entry| (entry.at_su, entry.size_su, ENTRY));
        let flat = exits.chain(entries);
        boxes.extend(flat.map(|(at, size, albedo)| upright(metres(at, size, unit_m), FLAT_M, albedo)));
        let door = |door: &super::super::scenario::Door| Door {
            at: metres(door.at_su, door.size_su, unit_m),
            open_s: door.open_s.clone(),
        };
        let radius_m = |body: [u8; 2]| (f64::from(body[0].min(body[1])) * unit_m / 2.0).min(0.25);
        let groups = scenario.groups();
        let groups = (1..).zip(&groups).zip(placed.groups).map(|((number, group), persons)| {
            let room = group.room.as_ref().map_or_else(String::new, |room| format!(", {room}"));
            (persons, format!("group {number}{room}"), radius_m(group.body_su))
        });
        let entries = scenario.entries.iter().zip(&placed.openings.entries);
        let entries = entries.map(|(entry, placed)| (placed.pedestrians.clone(), entry.name.clone(), radius_m([1; 2])));
        Ok(Self {
            size_m: [scenario.width_su, scenario.height_su].map(|side| f64::from(side) * unit_m),
            boxes,
            doors: scenario.doors.iter().map(door).collect(),
            groups: groups.chain(entries).filter(|(persons, ..)| !persons.is_empty()).collect(),
        })
    }

    /// Returns the side lengths of a periodic world, m; `None` for a closed one.
    pub fn periodic_m(&self, scenario: &Scenario) -> Option<[f64; 2]> {
        (scenario.border == Border::Periodic).then_some(self.size_m)
    }

    /// Returns the walls, exits, entries and doors at a time. Closed doors are as high as walls.
    pub fn boxes(&self, time_s: f64) -> Vec<OrientedBox> {
        let is_open = |door: &Door| {
            let open_s = door.open_s.as_ref();
            open_s.is_none_or(|open_s| open_s.iter().any(|&[from_s, to_s]| (from_s..to_s).contains(&time_s)))
        };
        let door = |door: &Door| upright(door.at, if is_open(door) { FLAT_M } else { WALL_M }, DOOR);
        self.boxes.iter().copied().chain(self.doors.iter().map(door)).collect()
    }

    /// Returns the colours of the boxes present, and their meaning.
    pub fn legend(&self) -> Vec<(Rgb, String)> {
        let has = |albedo: Rgb| self.boxes.iter().any(|shape| shape.albedo == albedo);
        let colours = [(WALL, "wall"), (EXIT, "exit"), (ENTRY, "entry")].into_iter().filter(|(albedo, _)| has(*albedo));
        let door = (DOOR, "door; upright while it is shut");
        let colours = colours.chain((!self.doors.is_empty()).then_some(door));
        colours.map(|(albedo, text)| (albedo, text.to_owned())).collect()
    }

    /// Returns the index of the group or entry of a pedestrian.
    pub fn group_of(&self, id: u64) -> Option<usize> {
        let id = u32::try_from(id).ok()?;
        self.groups.iter().position(|(persons, ..)| persons.contains(&id))
    }
}

/// Returns the left, lower, right and upper sides of a rectangle of space units, m.
fn metres([x, y]: [u32; 2], [width, height]: [u32; 2], unit_m: f64) -> [f64; 4] {
    let sides = [u64::from(x), u64::from(y), u64::from(x) + u64::from(width), u64::from(y) + u64::from(height)];
    sides.map(|side| side as f64 * unit_m)
}

/// Returns a box of a given height on a rectangle of the floor.
fn upright([left, lower, right, upper]: [f64; 4], height_m: f64, albedo: Rgb) -> OrientedBox {
    OrientedBox::between(ground(left, lower, 0.0), ground(right, upper, height_m), albedo)
}
