//! Reachability of exits when all doors are open.

use throng_core::Problems;

use super::super::openings::Routes;
use super::super::rules::openings::UNREACHABLE;
use super::super::scene::World;
use super::floor::Floor;
use super::scenario::Scenario;

/// Returns for each space unit the exits that can be reached from it, a bit for each.
fn reachable(world: &World) -> Vec<u32> {
    let is_passable: Vec<bool> = world.is_wall.iter().map(|is_wall| !is_wall).collect();
    let mut reachable = vec![0; world.is_wall.len()];
    for (exit, units) in world.openings().exits.iter().enumerate() {
        let routes = Routes::to(world, &is_passable, units);
        for (reachable, _) in reachable.iter_mut().zip(&routes.distance).filter(|&(_, &far)| far != UNREACHABLE) {
            *reachable |= 1 << exit;
        }
    }
    reachable
}

/// Reports rooms, groups and entries from which none of their exits can be reached even when all doors are open: their
/// pedestrians would stand still forever.
pub fn check(scenario: &Scenario, floor: &Floor, problems: &mut Problems) {
    let world = &floor.world;
    if world.openings().exits.is_empty() {
        return;
    }
    let reachable = reachable(world);
    let cut_off =
        |units: &[u32], exits: u32| units.iter().filter(|&&unit| reachable[unit as usize] & exits == 0).count();
    for room in &scenario.rooms {
        let units = &floor.rooms[&room.name];
        let count = cut_off(units, u32::MAX);
        if count > 0 {
            let found = format!("no route leads to an exit from {count} of its {} space units", units.len());
            let remedy = "add a door in the wall between the room and another one, or an exit";
            problems.push(format!("rooms \"{}\"", room.name), found, remedy);
        }
    }
    for (number, group) in scenario.groups().iter().enumerate() {
        let units = floor.free_units(group.room.as_deref());
        let is_of_rooms = !scenario.rooms.is_empty();
        // Rooms that are cut off from all exits are already reported.
        let counts = |&unit: &u32| !is_of_rooms || reachable[unit as usize] != 0;
        let units: Vec<u32> = units.into_iter().filter(counts).collect();
        // Unknown names are reported elsewhere.
        let exits = scenario.exit_bits(group.exits.as_deref());
        let count = cut_off(&units, exits);
        if count > 0 && exits != 0 {
            let place = match (scenario.groups.is_empty(), &group.exits) {
                (true, _) => "exits".to_owned(),
                (false, None) => format!("groups {}", number + 1),
                (false, Some(_)) => format!("groups {}, exits", number + 1),
            };
            let found = format!(
                "no route leads to {} from {count} of the {} space units in which its persons may be",
                named(group.exits.as_deref()),
                units.len()
            );
            problems.push(place, found, "add a door or a further exit, or place the persons elsewhere");
        }
    }
    for (entry, drawn) in scenario.entries.iter().zip(&world.openings().entries) {
        let exits = scenario.exit_bits(entry.exits.as_deref());
        if cut_off(&drawn.units, exits) > 0 && exits != 0 {
            let place = format!("entries \"{}\"", entry.name);
            let place = if entry.exits.is_some() { format!("{place}, exits") } else { place };
            let found = format!("no route leads to {}", named(entry.exits.as_deref()));
            problems.push(place, found, "place it next to the floor of a room with a route to one of its exits");
        }
    }
}

/// Formats the names of exits.
fn named(exits: Option<&[String]>) -> String {
    match exits {
        None => "an exit".to_owned(),
        Some(names) => names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(" or "),
    }
}
