//! The pedestrians of a scenario: groups that are there at the start, and those that come to entries.

use std::collections::BTreeMap;

use throng_core::{InputError, Philox, Problems};

use super::super::bodies::LONGEST_BODY;
use super::super::openings::{Openings, ways};
use super::super::rules::direction::STANDS;
use super::super::rules::grid::Grid;
use super::super::scene::{MOST_PEDESTRIANS, Pedestrians, WAITING, World};
use super::floor::Floor;
use super::scenario::{Arrivals, Entry, Group, Scenario};

/// The purposes of random numbers of a group or an entry; those of the rules are smaller.
const PLACE: u32 = 20;
const PERIOD: u32 = 21;
const FIRST_DUE: u32 = 22;
const ARRIVAL: u32 = 23;

/// The longest walk period, ticks.
const LONGEST_PERIOD: u32 = 1000;

/// Pedestrians, and the exits by name.
struct People<'s> {
    scenario: &'s Scenario,
    grid: Grid,
    draws: Philox,
    exits: BTreeMap<&'s str, usize>,
    pedestrians: Pedestrians,
    problems: Problems,
}

/// The pedestrians of a scenario, and the world whose entries have them.
///
/// # Errors
/// Unknown rooms and exits, walk periods out of range, and more persons than space.
pub fn people(scenario: &Scenario, floor: Floor) -> Result<(World, Pedestrians), InputError> {
    let exits = scenario.exits.iter().enumerate().map(|(number, exit)| (exit.name.as_str(), number)).collect();
    let mut people = People {
        scenario,
        grid: floor.world.grid,
        draws: Philox::new(scenario.seed.into()),
        exits,
        pedestrians: Pedestrians::default(),
        problems: Problems::new(),
    };
    let Floor { world, rooms } = floor;
    let mut is_taken: Vec<bool> = world.is_wall.clone();
    world.openings().doors.iter().flat_map(|door| &door.units).for_each(|&unit| is_taken[unit as usize] = true);
    for (number, group) in scenario.groups().iter().enumerate() {
        people.add_group(number as u32, group, &rooms, &mut is_taken);
    }
    let mut openings = world.openings().clone();
    for (number, entry) in scenario.entries.iter().enumerate() {
        people.add_entry(number as u32, entry, &mut openings);
    }
    let count = people.pedestrians.len();
    if count > MOST_PEDESTRIANS {
        people.problems.push(
            "groups and entries",
            format!("{count} persons"),
            format!("give at most {MOST_PEDESTRIANS}"),
        );
    }
    people.problems.into_result()?;
    let mut pedestrians = people.pedestrians;
    let ways = ways(&world, 0);
    for i in (0..pedestrians.exit.len()).filter(|&i| pedestrians.at[i] != WAITING) {
        pedestrians.exit[i] = openings.nearest(&ways, pedestrians.exits[i], pedestrians.at[i]);
    }
    Ok((world.with_openings(openings)?, pedestrians))
}

impl People<'_> {
    /// Places a group in free space units, in the order of a draw for each unit.
    fn add_group(&mut self, number: u32, group: &Group, rooms: &BTreeMap<String, Vec<u32>>, is_taken: &mut [bool]) {
        let is_alone = self.scenario.groups.is_empty();
        let key = |name: &str| if is_alone { name.to_owned() } else { format!("groups {}, {name}", number + 1) };
        let all: Vec<u32>;
        let units = match &group.room {
            None => {
                all = (0..is_taken.len() as u32).collect();
                &all
            }
            Some(room) => {
                let Some(units) = rooms.get(room) else {
                    let remedy = throng_core::did_you_mean(room, rooms.keys().map(String::as_str))
                        .unwrap_or_else(|| "give the name of one of the rooms".to_owned());
                    return self.problems.push(key("room"), format!("\"{room}\" is no room"), remedy);
                };
                units
            }
        };
        let mut free: Vec<u32> = units.iter().copied().filter(|&unit| !is_taken[unit as usize]).collect();
        let body = group.body_su;
        if body.iter().any(|side| !(1..=LONGEST_BODY).contains(side)) {
            let remedy = format!("give columns and rows from 1 to {LONGEST_BODY}");
            return self.problems.push(key("body_su"), format!("{body:?}"), remedy);
        }
        let covers = f64::from(body[0]) * f64::from(body[1]);
        let count = match (group.persons, group.density) {
            (Some(persons), None) => persons as usize,
            (None, Some(density)) if (0.0..=1.0).contains(&density) => {
                (density * free.len() as f64 / covers).round() as usize
            }
            (None, Some(density)) => {
                return self.problems.push(key("density"), density.to_string(), "give a number from 0 to 1");
            }
            (found, _) => {
                let found = if found.is_some() { "persons and density" } else { "neither persons nor density" };
                return self.problems.push(format!("groups {}", number + 1), found, "give one of the two");
            }
        };
        let draws = self.draws;
        let space = free.len();
        free.sort_by_cached_key(|&unit| (draws.block([unit, number, PLACE, 0])[0], unit));
        let at = self.place_bodies(&free, body, count, is_taken);
        if at.len() < count {
            let found = format!("{count} persons, for {space} free space units");
            let found = if body == [1; 2] { found } else { format!("{found}, in which {} found place", at.len()) };
            return self.problems.push(key("persons"), found, "give fewer persons, or more space");
        }
        let exits = self.exits_of(&key("exits"), group.exits.as_deref());
        let headings = group.headings.headings();
        let first = self.pedestrians.len() as u32;
        self.add(&key("walk_periods"), &group.walk_periods, at, exits);
        if body != [1; 2] {
            self.pedestrians.bodies.resize(first as usize, [1; 2]);
        }
        if body != [1; 2] || !self.pedestrians.bodies.is_empty() {
            self.pedestrians.bodies.resize(self.pedestrians.len(), body);
        }
        let Pedestrians { heading, period, due, .. } = &mut self.pedestrians;
        for pedestrian in first..first + count as u32 {
            let i = pedestrian as usize;
            heading[i] = headings[i % headings.len()];
            due[i] = draws.below(period[i], pedestrian, 0, FIRST_DUE, 0);
        }
    }

    /// Places bodies one after the other in the first of these space units, in this order, where each finds enough space.
    fn place_bodies(&self, free: &[u32], body: [u8; 2], count: usize, is_taken: &mut [bool]) -> Vec<u32> {
        let mut at = Vec::with_capacity(count.min(free.len()));
        for &unit in free {
            if at.len() == count {
                break;
            }
            let is_free = |unit: u32| is_taken.get(unit as usize) == Some(&false);
            if self.grid.rectangle(unit, body).all(is_free) {
                for covered in self.grid.rectangle(unit, body) {
                    is_taken[covered as usize] = true;
                }
                at.push(unit);
            }
        }
        at
    }

    /// Adds the pedestrians that come to an entry.
    fn add_entry(&mut self, number: u32, entry: &Entry, openings: &mut Openings) {
        let place = format!("entries \"{}\"", entry.name);
        let Scenario { ticks, tick_s, .. } = *self.scenario;
        let (end_s, rate) = (f64::from(ticks) * tick_s, entry.persons_per_s);
        if !(0.0..=1e4).contains(&rate) {
            let remedy = "give a number from 0 to 10000";
            return self.problems.push(format!("{place}, persons_per_s"), rate.to_string(), remedy);
        }
        let (from_s, to_s) = (entry.from_s, entry.to_s.unwrap_or(end_s.max(entry.from_s)));
        if !(from_s >= 0.0 && from_s <= to_s) {
            let remedy = "give 0 or more, and from_s before to_s";
            return self.problems.push(format!("{place}, from_s"), format!("{from_s} to {to_s}"), remedy);
        }
        let expected = (to_s.min(end_s) - from_s).max(0.0) * rate;
        if expected > MOST_PEDESTRIANS as f64 {
            let remedy = format!("at most {MOST_PEDESTRIANS}: give a lower rate");
            return self.problems.push(format!("{place}, persons_per_s"), format!("{expected:.0} persons"), remedy);
        }
        let mut due = Vec::new();
        let mut at_s = from_s;
        loop {
            at_s += match entry.arrivals {
                Arrivals::Even => 1.0,
                // Intervals of a Poisson process.
                Arrivals::Random => -libm::log(1.0 - self.draws.unit(number, due.len() as u32, ARRIVAL, 0)),
            } / rate;
            let tick = (at_s / tick_s).ceil();
            if !(at_s < to_s && tick < f64::from(ticks)) {
                break;
            }
            due.push(tick as u32);
        }
        let exits = self.exits_of(&format!("{place}, exits"), entry.exits.as_deref());
        let first = self.pedestrians.len() as u32;
        self.add(&format!("{place}, walk_periods"), &entry.walk_periods, vec![WAITING; due.len()], exits);
        self.pedestrians.due[first as usize..].copy_from_slice(&due);
        self.pedestrians.heading[first as usize..].fill(STANDS);
        openings.entries[number as usize].pedestrians = first..first + due.len() as u32;
    }

    /// Adds pedestrians at these places, with walk periods drawn from a list.
    fn add(&mut self, place: &str, walk_periods: &[u32], at: Vec<u32>, exits: u32) {
        let mut periods = walk_periods.to_vec();
        for period in walk_periods.iter().filter(|period| !(1..=LONGEST_PERIOD).contains(*period)) {
            let remedy = format!("give 1 to {LONGEST_PERIOD} ticks");
            self.problems.push(place, period.to_string(), remedy);
        }
        if periods.is_empty() {
            self.problems.push(place, "[]", "give at least one, such as [1]");
            periods = vec![1];
        }
        let (first, count) = (self.pedestrians.len(), at.len());
        let draws = self.draws;
        let period = |pedestrian: usize| {
            periods[draws.below(periods.len() as u32, pedestrian as u32, 0, PERIOD, 0) as usize].max(1)
        };
        let pedestrians = &mut self.pedestrians;
        pedestrians.at.extend(at);
        pedestrians.heading.resize(first + count, 0);
        pedestrians.due.resize(first + count, 0);
        pedestrians.period.extend((first..first + count).map(period));
        if !self.exits.is_empty() {
            pedestrians.exits.resize(first + count, exits);
            // The first; the nearest is chosen when the ways are known.
            pedestrians.exit.resize(first + count, exits.trailing_zeros().min(31) as u8);
        }
    }

    /// The exits with these names, a bit for each; all without names.
    fn exits_of(&mut self, place: &str, names: Option<&[String]>) -> u32 {
        let all = ((1u64 << self.exits.len()) - 1) as u32;
        let Some(names) = names else { return all };
        let mut exits = 0;
        for name in names {
            if let Some(exit) = self.exits.get(name.as_str()) {
                exits |= 1 << exit;
                continue;
            }
            let remedy = throng_core::did_you_mean(name, self.exits.keys().copied())
                .unwrap_or_else(|| "give names of exits".to_owned());
            self.problems.push(place, format!("\"{name}\" is no exit"), remedy);
        }
        if names.is_empty() {
            self.problems.push(place, "[]", "name at least one, or leave it out for all");
        }
        if exits == 0 { all } else { exits }
    }
}
