//! Pedestrians that are inside at the end of a run and have no route to any of their exits.

use throng_core::Warnings;

use super::super::openings::{Door, Routes, passable};
use super::super::rules::direction::STANDS;
use super::super::rules::exit_choice::allows;
use super::super::rules::openings::UNREACHABLE;
use super::super::scene::LEFT;
use super::crowd::Crowd;
use super::opening_flow::seconds;
use super::scenario::Scenario;

/// Maximum number of doors named in a warning.
const NAMED_DOORS: usize = 5;

/// One or more stranded pedestrians, and the doors that shut them in.
#[derive(Debug, PartialEq)]
pub struct Stranded {
    pub persons: usize,
    /// Doors next to the floor that they can reach, by index, and the tick in which each closed for good.
    doors: Vec<(usize, u32)>,
}

impl Stranded {
    /// Finds the stranded pedestrians of a state, given the doors that are open or will open later. `None` if there are
    /// none.
    pub fn in_state(crowd: &Crowd) -> Option<Self> {
        let (world, people) = (&crowd.prepared.world, &crowd.pedestrians);
        let opens = |door: &Door| door.open.iter().any(|open| open.end > crowd.tick);
        // While all doors are or will be open, every pedestrian has a route: other scenarios are rejected.
        if people.inside() == 0 || world.openings().doors.iter().all(opens) {
            return None;
        }
        let is_passable = passable(world, opens);
        let exits = world.openings().exits.iter();
        let routes: Vec<Routes> = exits.map(|units| Routes::to(world, &is_passable, units)).collect();
        let leads = |routes: &Routes, unit: u32| {
            let unit = unit as usize;
            // Inside a closed door there is a first step, but no distance.
            routes.distance[unit] != UNREACHABLE || routes.heading[unit] != STANDS
        };
        let has_route = |i: usize| {
            let of_person = (0..).zip(&routes).filter(|&(exit, _)| allows(people.exits[i], exit));
            { of_person }.any(|(_, routes)| leads(routes, people.at[i]))
        };
        let stranded = (0..people.len()).filter(|&i| people.at[i] < LEFT && !has_route(i));
        let mut units: Vec<u32> = stranded.map(|i| people.at[i]).collect();
        units.sort_unstable();
        if units.is_empty() {
            return None;
        }
        let from_there = Routes::to(world, &is_passable, &units);
        let doors = world.openings().doors.iter().enumerate();
        let shuts_in = |unit: &u32| leads(&from_there, *unit) || units.binary_search(unit).is_ok();
        let doors = doors.filter(|(_, door)| !opens(door) && door.units.iter().any(shuts_in));
        let shut_since = |door: &Door| door.open.iter().map(|open| open.end).max().unwrap_or_default();
        let doors = doors.map(|(number, door)| (number, shut_since(door))).collect();
        Some(Self { persons: units.len(), doors })
    }

    /// Warns of them, with the doors and a remedy.
    pub fn warn(&self, scenario: &Scenario, warnings: &mut Warnings) {
        let in_words = |&(number, tick): &(usize, u32)| {
            let name = scenario.doors.get(number).map_or("", |door| &door.name);
            format!("door \"{name}\" since {}", seconds(tick, scenario.tick_s))
        };
        let mut doors: Vec<String> = self.doors.iter().take(NAMED_DOORS).map(in_words).collect();
        if self.doors.len() > NAMED_DOORS {
            doors.push(format!("{} more", self.doors.len() - NAMED_DOORS));
        }
        let note = format!("shut for good around them: {}; extend open_s, or add an exit", doors.join(", "));
        warnings.add_noted(self.persons as u64, "a person inside has no route to an exit at the end", note);
    }
}

#[cfg(test)]
mod tests {
    use throng_model::StepModel as _;

    use super::super::SocialFieldModel;
    use super::super::scenario::{Group, Place};
    use super::*;
    use throng_model::scenario_file::Border;

    /// Three rooms of three columns in a row with an exit on the right, a pedestrian in each, and one in the door
    /// between the first two. The doors open at these seconds; a tick takes one second.
    fn found(west: &[[f64; 2]], east: &[[f64; 2]], tick: u32) -> Option<(usize, String)> {
        let place = |name: &str, at_su, size_su| Place { name: name.to_owned(), at_su, size_su };
        let door = |name: &str, at_su, open_s: &[[f64; 2]]| {
            let open_s = Some(open_s.to_vec());
            super::super::Door { name: name.to_owned(), at_su, size_su: [1, 1], open_s }
        };
        let scenario = Scenario {
            width_su: 13,
            height_su: 5,
            border: Border::Closed,
            tick_s: 1.0,
            field_size: 3,
            rooms: [("a", 1), ("b", 5), ("c", 9)].map(|(name, x)| place(name, [x, 1], [3, 3])).to_vec(),
            doors: vec![door("west", [4, 2], west), door("east", [8, 2], east)],
            exits: vec![place("exit", [12, 2], [1, 1])],
            groups: vec![Group { persons: Some(4), ..Group::default() }],
            ..Scenario::default()
        };
        let mut crowd = SocialFieldModel::start(&scenario).unwrap();
        crowd.pedestrians.at = [1, 4, 5, 9].map(|x| 2 * 13 + x).to_vec();
        crowd.tick = tick;
        let stranded = Stranded::in_state(&crowd)?;
        let mut warnings = Warnings::new();
        stranded.warn(&scenario, &mut warnings);
        let note = warnings.iter().next().map(|(_, warning)| warning.note.clone()).unwrap_or_default();
        let doors = note.split_once(": ").and_then(|(_, rest)| rest.split_once(';')).unwrap_or_default().0.to_owned();
        Some((stranded.persons, doors))
    }

    #[test]
    fn those_behind_doors_that_stay_shut_are_counted() {
        assert_eq!(found(&[[0.0, 9.0]], &[[0.0, 9.0]], 8), None);
        // Both have closed: only the pedestrian in the last room can leave.
        let both = "door \"west\" since 6.0 s, door \"east\" since 9.0 s";
        assert_eq!(found(&[[0.0, 6.0]], &[[0.0, 9.0]], 9), Some((3, both.to_owned())));
        // A door that opens later is no trap; a pedestrian in a closing door steps out of it on the other side.
        assert_eq!(
            found(&[[0.0, 6.0]], &[[0.0, 9.0], [20.0, 30.0]], 9),
            Some((1, "door \"west\" since 6.0 s".to_owned()))
        );
        assert_eq!(
            found(&[[0.0, 6.0], [20.0, 30.0]], &[[0.0, 9.0]], 9),
            Some((3, "door \"east\" since 9.0 s".to_owned()))
        );
    }
}
