//! The floor plan: rooms, walls and openings on the grid.

use std::collections::BTreeMap;
use std::ops::Range;

use throng_core::{InputError, Problems};

use super::super::openings::{Door, Entry, MAX_EXITS, Openings};
use super::super::rules::grid::Grid;
use super::super::scene::World;
use super::keys::MAX_DURATION_S;
use super::rectangle::Rectangle;
use super::scenario::Scenario;

/// State of a space unit while the plan is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Outside of all rooms.
    Solid,
    /// A wall on the floor.
    Wall,
    /// Floor of the room with this index, or of a world without rooms.
    Floor(u32),
    Opening,
}

/// A checked floor plan, as a world.
#[derive(Debug, Clone)]
pub struct Floor {
    /// The world; its entries have no pedestrians yet, and its openings no parameters of the exit choice.
    pub world: World,
    /// The space units of each room, without walls.
    pub rooms: BTreeMap<String, Vec<u32>>,
    /// Whether all rectangles and opening times are valid, with at least one exit if there are openings.
    pub is_whole: bool,
}

/// A floor plan being drawn.
struct Plan<'s> {
    grid: Grid,
    units: Vec<Unit>,
    problems: &'s mut Problems,
}

impl Floor {
    /// Draws the floor plan of a scenario. Reports all rectangles that are outside the world, overlap or are in an
    /// invalid part of it; with any of these, the floor is not whole, and its world has no openings.
    ///
    /// # Errors
    /// When a side of the world is out of range.
    pub fn of(scenario: &Scenario, problems: &mut Problems) -> Result<Self, InputError> {
        let (width, height) = (scenario.width_su, scenario.height_su);
        let grid = Grid { width, height, boundary: scenario.border.into() };
        let ground = if scenario.rooms.is_empty() { Unit::Floor(u32::MAX) } else { Unit::Solid };
        let mut found = Problems::new();
        let mut plan = Plan { grid, units: vec![ground; grid.units()], problems: &mut found };
        let mut rooms = BTreeMap::new();
        for (number, room) in scenario.rooms.iter().enumerate() {
            let key = format!("rooms \"{}\"", room.name);
            let units = plan.draw(&key, room.at_su, room.size_su, Unit::Floor(number as u32), |unit| match unit {
                Unit::Floor(other) => Err(format!("overlaps with room \"{}\"", scenario.rooms[other as usize].name)),
                _ => Ok(()),
            });
            rooms.insert(room.name.clone(), units);
        }
        let rooms_are_valid = plan.problems.is_empty();
        for (number, wall) in scenario.walls.iter().enumerate() {
            plan.draw(&format!("walls {}", number + 1), wall.at_su, wall.size_su, Unit::Wall, |_| Ok(()));
        }
        let openings = plan.openings(scenario, rooms_are_valid);
        let is_wall: Vec<bool> = plan.units.iter().map(|unit| matches!(unit, Unit::Solid | Unit::Wall)).collect();
        for units in rooms.values_mut() {
            units.retain(|&unit| !is_wall[unit as usize]);
        }
        let has_exits = (1..=MAX_EXITS).contains(&openings.exits.len());
        let is_whole = found.is_empty() && (has_exits || scenario.is_without_openings());
        problems.append(found);
        let world = World::new(grid, is_wall)?;
        let world = if is_whole { world.with_openings(openings)? } else { world };
        Ok(Self { world, rooms, is_whole })
    }

    /// Returns the space units of a room, or of the world, in which pedestrians may start.
    pub fn free_units(&self, room: Option<&str>) -> Vec<u32> {
        let mut is_taken = self.world.is_wall.clone();
        let doors = self.world.openings().doors.iter();
        doors.flat_map(|door| &door.units).for_each(|&unit| is_taken[unit as usize] = true);
        let all = match room {
            Some(room) => self.rooms.get(room).cloned().unwrap_or_default(),
            None => (0..is_taken.len() as u32).collect(),
        };
        all.into_iter().filter(|&unit| !is_taken[unit as usize]).collect()
    }
}

impl Plan<'_> {
    /// Draws exits, doors and entries, in this order. Doors can be checked only if all rooms were drawn.
    fn openings(&mut self, scenario: &Scenario, rooms_are_valid: bool) -> Openings {
        let is_free = |unit| match unit {
            Unit::Opening => Err("overlaps with another opening".to_owned()),
            _ => Ok(()),
        };
        let is_in_wall = |unit| match unit {
            Unit::Solid | Unit::Wall => Ok(()),
            Unit::Floor(_) => Err("is not in a wall: some of its space units are floor".to_owned()),
            Unit::Opening => Err("overlaps with another opening".to_owned()),
        };
        let exits = scenario.exits.iter();
        let exits = exits
            .map(|exit| self.opening(&format!("exits \"{}\"", exit.name), exit.at_su, exit.size_su, is_free))
            .collect();
        let mut doors = Vec::new();
        for door in &scenario.doors {
            let key = format!("doors \"{}\"", door.name);
            let units = self.opening(&key, door.at_su, door.size_su, is_in_wall);
            let open = match &door.open_s {
                None => std::iter::once(0..u32::MAX).collect(),
                Some(open) => self.open(&key, open, scenario.tick_s),
            };
            doors.push(Door { units, open });
        }
        let mut entries = Vec::new();
        for entry in &scenario.entries {
            let key = format!("entries \"{}\"", entry.name);
            let units = self.opening(&key, entry.at_su, entry.size_su, is_free);
            entries.push(Entry { units, pedestrians: 0..0 });
        }
        for (door, _) in
            scenario.doors.iter().zip(&doors).filter(|(_, drawn)| rooms_are_valid && !drawn.units.is_empty())
        {
            self.check_door(&format!("doors \"{}\"", door.name), Rectangle::new(door.at_su, door.size_su));
        }
        Openings { exits, doors, entries, ..Openings::default() }
    }

    /// Draws a rectangle if it is in the world and all its space units may become part of it. Returns its space units.
    fn draw(
        &mut self,
        key: &str,
        [x, y]: [u32; 2],
        [width, height]: [u32; 2],
        into: Unit,
        may_become: impl Fn(Unit) -> Result<(), String>,
    ) -> Vec<u32> {
        let Grid { width: columns, height: rows, .. } = self.grid;
        let is_inside = |from: u32, size: u32, side: u32| size > 0 && u64::from(from) + u64::from(size) <= side.into();
        if !is_inside(x, width, columns) || !is_inside(y, height, rows) {
            let found = format!("at_su = [{x}, {y}], size_su = [{width}, {height}]");
            let remedy = match [width, height] {
                [0, _] | [_, 0] => "give at least one column and one row".to_owned(),
                _ => format!("give a rectangle within the world, {columns} x {rows} space units"),
            };
            self.problems.push(key, found, remedy);
            return Vec::new();
        }
        let units: Vec<u32> = (y..y + height).flat_map(|row| (x..x + width).map(move |x| row * columns + x)).collect();
        for &unit in &units {
            if let Err(found) = may_become(self.units[unit as usize]) {
                let place = self.grid.place(unit);
                self.problems.push(key, format!("{found}, at {place:?}"), "move it, or change its size");
                return units;
            }
        }
        for &unit in &units {
            self.units[unit as usize] = into;
        }
        units
    }

    fn opening(
        &mut self,
        key: &str,
        at: [u32; 2],
        size: [u32; 2],
        may_become: impl Fn(Unit) -> Result<(), String>,
    ) -> Vec<u32> {
        self.draw(key, at, size, Unit::Opening, may_become)
    }

    /// Returns the ticks in which a door is open.
    fn open(&mut self, key: &str, open_s: &[[f64; 2]], tick_s: f64) -> Vec<Range<u32>> {
        let place = format!("{key}, open_s");
        if open_s.is_empty() {
            let remedy = "give times, such as [[0, 60]], or a wall in place of the door";
            self.problems.push(&place, "[], so that it never opens", remedy);
        }
        let mut open = Vec::new();
        for &[from_s, to_s] in open_s {
            let tick = |seconds: f64| (seconds / tick_s).round().min(f64::from(u32::MAX)) as u32;
            let ticks = tick(from_s)..tick(to_s);
            if !(from_s >= 0.0 && from_s < to_s && to_s <= MAX_DURATION_S) {
                let remedy = format!("give two times from 0 to {MAX_DURATION_S}, the earlier first, such as [[0, 60]]");
                self.problems.push(&place, format!("[{from_s}, {to_s}]"), remedy);
            } else if tick_s > 0.0 && ticks.is_empty() {
                let found =
                    format!("[{from_s}, {to_s}] is from tick {} to tick {0}, so that it does not open", ticks.start);
                let remedy = format!("give a time of at least a tick, {tick_s} s, or a smaller tick_s");
                self.problems.push(&place, found, remedy);
            }
            open.push(ticks);
        }
        open
    }

    /// Checks that a door borders on the floor, or on another opening, on at least two sides.
    fn check_door(&mut self, key: &str, door: Rectangle) {
        let is_passable = |unit: u32| matches!(self.units.get(unit as usize), Some(Unit::Floor(_) | Unit::Opening));
        let widths = door.widths(&self.grid, is_passable);
        if widths.iter().filter(|&&width| width > 0).count() < 2 {
            let remedy = "place it in a wall between two rooms, or between a room and an exit";
            self.problems.push(key, "does not join two parts of the floor", remedy);
        }
    }
}
