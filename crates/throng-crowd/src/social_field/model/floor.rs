//! The floor plan: rooms, walls and openings on the grid.

use std::collections::BTreeMap;

use throng_core::{InputError, Problems};

use super::super::openings::{Door, Entry, ExitChoice, MOST_EXITS, Openings, UNREACHABLE, Ways};
use super::super::rules::grid::Grid;
use super::super::scene::{LONGEST_SIDE, World};
use super::rectangle::Rectangle;
use super::scenario::Scenario;
use crate::Border;

/// The longest simulation, ticks.
pub const LONGEST_S: f64 = 1e8;

/// What a space unit is while the plan is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Outside of all rooms.
    Solid,
    /// A wall on the floor.
    Wall,
    /// Floor: of the room with this number, or of the world without rooms.
    Floor(usize),
    Opening,
}

/// A floor plan.
#[derive(Debug, Clone)]
pub struct Floor {
    /// The world, with openings whose entries have no pedestrians yet.
    pub world: World,
    /// The space units of each room.
    pub rooms: BTreeMap<String, Vec<u32>>,
}

/// Draws the plan of a scenario.
struct Plan<'s> {
    grid: Grid,
    units: Vec<Unit>,
    problems: &'s mut Problems,
}

impl Floor {
    /// The floor plan of a scenario.
    ///
    /// # Errors
    /// All places that are not in the world, overlap, have the same name or are in a wrong part of it; rooms from which
    /// no exit can be reached, even when all doors are open.
    pub fn of(scenario: &Scenario) -> Result<Self, InputError> {
        let mut problems = Problems::new();
        for (key, side) in [("width_su", scenario.width_su), ("height_su", scenario.height_su)] {
            if side == 0 || side > LONGEST_SIDE {
                problems.push(key, side.to_string(), format!("give 1 to {LONGEST_SIDE} space units"));
            }
        }
        for (key, value, most) in [("space_unit_m", scenario.space_unit_m, 1e3), ("tick_s", scenario.tick_s, 1e3)] {
            if !(1e-3..=most).contains(&value) {
                problems.push(key, value.to_string(), format!("give a number from 0.001 to {most}"));
            }
        }
        if scenario.border == Border::Periodic && !scenario.exits.is_empty() {
            problems.push("border", "periodic, in a world with exits", "give \"closed\", or no exits");
        }
        if scenario.exits.is_empty() && !(scenario.doors.is_empty() && scenario.entries.is_empty()) {
            problems.push("exits", "none, with doors or entries", "add [[exits]]: pedestrians have to go somewhere");
        }
        if scenario.exits.len() > MOST_EXITS {
            problems.push("exits", scenario.exits.len().to_string(), format!("give at most {MOST_EXITS}"));
        }
        if !(0.0..=LONGEST_S).contains(&scenario.choose_every_s) {
            problems.push("choose_every_s", scenario.choose_every_s.to_string(), "give 0 or more seconds");
        }
        refuse_equal_names(scenario, &mut problems);
        problems.into_result()?;

        let (width, height) = (scenario.width_su, scenario.height_su);
        let grid = Grid { width, height, boundary: scenario.border.into() };
        let ground = if scenario.rooms.is_empty() { Unit::Floor(usize::MAX) } else { Unit::Solid };
        let mut problems = Problems::new();
        let mut plan = Plan { grid, units: vec![ground; grid.units()], problems: &mut problems };
        let mut rooms = BTreeMap::new();
        for (number, room) in scenario.rooms.iter().enumerate() {
            let key = format!("rooms \"{}\"", room.name);
            let units = plan.draw(&key, room.at_su, room.size_su, Unit::Floor(number), |unit| match unit {
                Unit::Floor(other) => Err(format!("overlaps with room \"{}\"", scenario.rooms[other].name)),
                _ => Ok(()),
            });
            rooms.insert(room.name.clone(), units);
        }
        for (number, wall) in scenario.walls.iter().enumerate() {
            plan.draw(&format!("walls {}", number + 1), wall.at_su, wall.size_su, Unit::Wall, |_| Ok(()));
        }
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
            .map(|exit| plan.opening(&format!("exits \"{}\"", exit.name), exit.at_su, exit.size_su, is_free))
            .collect();
        let doors = scenario.doors.iter().map(|door| {
            let key = format!("doors \"{}\"", door.name);
            let units = plan.opening(&key, door.at_su, door.size_su, is_in_wall);
            let open = match &door.open_s {
                None => std::iter::once(0..u32::MAX).collect(),
                Some(open) => {
                    open.iter().filter_map(|&[from, to]| plan.interval(&key, from, to, scenario.tick_s)).collect()
                }
            };
            Door { units, open }
        });
        let doors: Vec<Door> = doors.collect();
        let entries = scenario.entries.iter();
        let entries: Vec<Entry> = entries
            .map(|entry| {
                let key = format!("entries \"{}\"", entry.name);
                Entry { units: plan.opening(&key, entry.at_su, entry.size_su, is_free), pedestrians: 0..0 }
            })
            .collect();
        for (door, _) in scenario.doors.iter().zip(&doors).filter(|(_, drawn)| !drawn.units.is_empty()) {
            plan.check_door(&format!("doors \"{}\"", door.name), Rectangle::new(door.at_su, door.size_su));
        }
        let is_wall: Vec<bool> = plan.units.iter().map(|unit| matches!(unit, Unit::Solid | Unit::Wall)).collect();
        problems.into_result()?;

        let choice = ExitChoice {
            every: (scenario.choose_every_s / scenario.tick_s).ceil() as u32,
            crowding: scenario.crowding_weight,
            flow: scenario.exit_flow,
        };
        let world = World::new(grid, is_wall)?.with_openings(Openings { exits, doors, entries, choice })?;
        refuse_unreachable(scenario, &world, &mut rooms)?;
        Ok(Self { world, rooms })
    }
}

fn refuse_equal_names(scenario: &Scenario, problems: &mut Problems) {
    let rooms = scenario.rooms.iter().map(|room| ("rooms", &room.name));
    let doors = scenario.doors.iter().map(|door| ("doors", &door.name));
    let exits = scenario.exits.iter().map(|exit| ("exits", &exit.name));
    let entries = scenario.entries.iter().map(|entry| ("entries", &entry.name));
    let mut known: BTreeMap<&str, &str> = BTreeMap::new();
    for (key, name) in rooms.chain(doors).chain(exits).chain(entries) {
        if let Some(other) = known.insert(name, key) {
            let found = format!("the name also belongs to one of the {other}");
            problems.push(format!("{key} \"{name}\""), found, "give each its own name");
        }
        if name.is_empty() || name.len() > 100 {
            problems.push(
                format!("{key} \"{name}\""),
                "a name without letters, or a long one",
                "give 1 to 100 letters",
            );
        }
    }
}

/// Refuses rooms from which no exit can be reached when all doors are open. Walls are taken out of the rooms.
fn refuse_unreachable(
    scenario: &Scenario,
    world: &World,
    rooms: &mut BTreeMap<String, Vec<u32>>,
) -> Result<(), InputError> {
    for units in rooms.values_mut() {
        units.retain(|&unit| !world.is_wall[unit as usize]);
    }
    let exits: Vec<u32> = world.openings().exits.concat();
    if exits.is_empty() {
        return Ok(());
    }
    let is_passable: Vec<bool> = world.is_wall.iter().map(|is_wall| !is_wall).collect();
    let ways = Ways::to(world, &is_passable, &exits);
    let mut problems = Problems::new();
    for room in &scenario.rooms {
        let units = &rooms[&room.name];
        let cut_off = units.iter().filter(|&&unit| ways.distance[unit as usize] == UNREACHABLE).count();
        if cut_off > 0 {
            let found = format!("no way leads to an exit from {cut_off} of its {} space units", units.len());
            let remedy = "add a door in the wall between the room and another one, or an exit";
            problems.push(format!("rooms \"{}\"", room.name), found, remedy);
        }
    }
    for (entry, drawn) in scenario.entries.iter().zip(&world.openings().entries) {
        if drawn.units.iter().any(|&unit| ways.distance[unit as usize] == UNREACHABLE) {
            let remedy = "place it next to the floor of a room with a way to an exit";
            problems.push(format!("entries \"{}\"", entry.name), "no way leads to an exit", remedy);
        }
    }
    problems.into_result()
}

impl Plan<'_> {
    /// Draws a rectangle, if it is in the world and all its space units may become a part of it. Returns its space units.
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
            let remedy = format!("give a rectangle within the world, {columns} x {rows} space units");
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

    /// The ticks of a time in which a door is open.
    fn interval(&mut self, key: &str, from_s: f64, to_s: f64, tick_s: f64) -> Option<std::ops::Range<u32>> {
        if !(from_s >= 0.0 && from_s < to_s && to_s <= LONGEST_S) {
            let remedy = "give two times from 0 on, the earlier first, such as [[0, 60]]";
            self.problems.push(format!("{key}, open_s"), format!("[{from_s}, {to_s}]"), remedy);
            return None;
        }
        let tick = |seconds: f64| (seconds / tick_s).round().min(f64::from(u32::MAX)) as u32;
        Some(tick(from_s)..tick(to_s))
    }

    /// A door is next to the floor, or to another opening, on at least two sides of it.
    fn check_door(&mut self, key: &str, door: Rectangle) {
        let is_passable = |unit: u32| matches!(self.units.get(unit as usize), Some(Unit::Floor(_) | Unit::Opening));
        let widths = door.widths(&self.grid, is_passable);
        if widths.iter().filter(|&&width| width > 0).count() < 2 {
            let remedy = "place it in a wall between two rooms, or between a room and an exit";
            self.problems.push(key, "does not join two parts of the floor", remedy);
        }
    }
}
