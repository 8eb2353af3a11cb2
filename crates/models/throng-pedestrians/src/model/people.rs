//! The pedestrians of a scenario: groups present at the start, and those that arrive at entries.

use std::ops::Range;

use throng_core::{InputError, Philox, Problems};

use super::super::openings::{Openings, RoutesOnHost, routes};
use super::super::rules::direction::STANDS;
use super::super::rules::grid::Grid;
use super::super::rules::openings::nearest_exit;
use super::super::scene::{BodyLimits, MAX_PEDESTRIANS, Pedestrians, WAITING, World};
use super::floor::Floor;
use super::scenario::{Arrivals, Entry, Group, Scenario};

/// Purposes of the random draws of a group or an entry; those of the rules are smaller.
const PLACE: u32 = 20;
const PERIOD: u32 = 21;
const FIRST_DUE: u32 = 22;
const ARRIVAL: u32 = 23;

/// All pedestrians of a scenario.
#[derive(Debug)]
pub struct Placed {
    /// The openings, whose entries refer to their pedestrians.
    pub openings: Openings,
    pub pedestrians: Pedestrians,
    /// Indices of the pedestrians of each group.
    pub groups: Vec<Range<u32>>,
}

/// The pedestrians placed so far.
struct People<'s> {
    scenario: &'s Scenario,
    grid: Grid,
    draws: Philox,
    pedestrians: Pedestrians,
}

/// Places the pedestrians of a scenario whose groups and entries have valid keys. Reports more pedestrians than space,
/// or than a world may have, and walk periods that are too long for the world.
pub fn place(scenario: &Scenario, floor: &Floor, problems: &mut Problems) -> Placed {
    let world = &floor.world;
    let mut people = People {
        scenario,
        grid: world.grid,
        draws: Philox::new(scenario.seed.into()),
        pedestrians: Pedestrians::default(),
    };
    let mut is_taken = vec![true; world.is_wall.len()];
    floor.free_units(None).iter().for_each(|&unit| is_taken[unit as usize] = false);
    let mut groups = Vec::new();
    for (number, group) in scenario.groups().iter().enumerate() {
        let first = people.pedestrians.len() as u32;
        people.add_group(number as u32, group, floor, &mut is_taken, problems);
        groups.push(first..people.pedestrians.len() as u32);
    }
    let mut openings = Openings { choice: scenario.choice(), ..world.openings().clone() };
    for (number, entry) in scenario.entries.iter().enumerate() {
        people.add_entry(number as u32, entry, &mut openings);
    }
    let pedestrians = people.pedestrians;
    let count = pedestrians.len();
    if count > MAX_PEDESTRIANS {
        problems.push("groups and entries", format!("{count} persons"), format!("give at most {MAX_PEDESTRIANS}"));
    }
    if let Err(error) = openings.check_pedestrians(world.grid.units(), &pedestrians) {
        problems.append(error.0);
    }
    Placed { openings, pedestrians, groups }
}

/// Returns the world with its openings and its pedestrians, those present each assigned to the nearest of their exits.
///
/// # Errors
/// As for [`World::with_openings`].
pub fn lead_to_exits(
    world: World,
    openings: Openings,
    mut pedestrians: Pedestrians,
) -> Result<(World, Pedestrians), InputError> {
    let world = world.with_openings(openings)?;
    let routes = routes(&world, 0);
    for i in (0..pedestrians.exit.len()).filter(|&i| pedestrians.at[i] != WAITING) {
        let (allowed, at, exits) = (pedestrians.exits[i], pedestrians.at[i], routes.len() as u32);
        pedestrians.exit[i] = nearest_exit(&RoutesOnHost(&routes), allowed, at, exits) as u8;
    }
    Ok((world, pedestrians))
}

impl People<'_> {
    /// Places a group in free space units, in a random order of the units.
    fn add_group(&mut self, number: u32, group: &Group, floor: &Floor, is_taken: &mut [bool], problems: &mut Problems) {
        let is_free = |&unit: &u32| !is_taken[unit as usize];
        let mut free: Vec<u32> = floor.free_units(group.room.as_deref()).into_iter().filter(is_free).collect();
        let body = group.body_su;
        let covers = f64::from(body[0]) * f64::from(body[1]);
        let of_density = |density: f64| (density * free.len() as f64 / covers).round() as usize;
        let count = match (group.persons, group.density) {
            (Some(persons), _) => persons as usize,
            (None, density) => density.map_or(0, of_density),
        };
        let draws = self.draws;
        let space = free.len();
        free.sort_by_cached_key(|&unit| (draws.block([unit, number, PLACE, 0])[0], unit));
        let at = self.place_bodies(&free, body, count, is_taken);
        if at.len() < count {
            let found = format!("{count} persons, for {space} free space units");
            let found = if body == [1; 2] { found } else { format!("{found}, in which {} fit", at.len()) };
            let has_no_groups = self.scenario.groups.is_empty();
            let place = if has_no_groups { "density".to_owned() } else { format!("groups {}, persons", number + 1) };
            return problems.push(place, found, "give fewer persons, or more space");
        }
        let headings = group.headings.headings();
        let first = self.pedestrians.len() as u32;
        self.add(&group.walk_periods, at, group.exits.as_deref());
        if body != [1; 2] {
            self.pedestrians.bodies.resize(first as usize, [1; 2]);
        }
        if body != [1; 2] || !self.pedestrians.bodies.is_empty() {
            self.pedestrians.bodies.resize(self.pedestrians.len(), body);
        }
        let limits = group.limits();
        if !limits.are_constant() && self.pedestrians.limits.is_empty() {
            let before =
                (0..first as usize).map(|pedestrian| BodyLimits::of_constant(self.pedestrians.body(pedestrian)));
            self.pedestrians.limits = before.collect();
        }
        if !limits.are_constant() || !self.pedestrians.limits.is_empty() {
            self.pedestrians.limits.resize(self.pedestrians.len(), limits);
        }
        let Pedestrians { heading, period, due, .. } = &mut self.pedestrians;
        for pedestrian in first..first + count as u32 {
            let i = pedestrian as usize;
            heading[i] = headings[i % headings.len()];
            due[i] = draws.below(period[i], pedestrian, 0, FIRST_DUE, 0);
        }
    }

    /// Places bodies one after the other, each at the first of the free space units, in this order, where it fits.
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

    /// Adds the pedestrians that arrive at an entry.
    fn add_entry(&mut self, number: u32, entry: &Entry, openings: &mut Openings) {
        let Scenario { ticks, tick_s, .. } = *self.scenario;
        let [from_s, to_s] = entry.interval(self.scenario);
        let mut due = Vec::new();
        // In units of the mean interval between two arrivals.
        let mut waited = 0.0;
        loop {
            waited = match entry.arrivals {
                // In the middle of each interval, so that the total is the rate times the duration, rounded.
                Arrivals::Even => due.len() as f64 + 0.5,
                // Exponential intervals of a Poisson process.
                Arrivals::Random => waited - libm::log(1.0 - self.draws.unit(number, due.len() as u32, ARRIVAL, 0)),
            };
            let at_s = from_s + waited / entry.persons_per_s;
            let tick = (at_s / tick_s).ceil();
            if !(at_s < to_s && tick < f64::from(ticks)) {
                break;
            }
            due.push(tick as u32);
        }
        let first = self.pedestrians.len() as u32;
        self.add(&entry.walk_periods, vec![WAITING; due.len()], entry.exits.as_deref());
        self.pedestrians.due[first as usize..].copy_from_slice(&due);
        self.pedestrians.heading[first as usize..].fill(STANDS);
        openings.entries[number as usize].pedestrians = first..first + due.len() as u32;
    }

    /// Adds pedestrians at these positions, with walk periods drawn from a list, that may leave through the named
    /// exits.
    fn add(&mut self, periods: &[u32], at: Vec<u32>, exits: Option<&[String]>) {
        let (first, count) = (self.pedestrians.len(), at.len());
        let draws = self.draws;
        let period =
            |pedestrian: usize| periods[draws.below(periods.len() as u32, pedestrian as u32, 0, PERIOD, 0) as usize];
        let pedestrians = &mut self.pedestrians;
        pedestrians.at.extend(at);
        pedestrians.heading.resize(first + count, 0);
        pedestrians.due.resize(first + count, 0);
        pedestrians.period.extend((first..first + count).map(period));
        if !self.scenario.exits.is_empty() {
            let exits = self.scenario.exit_bits(exits);
            pedestrians.exits.resize(first + count, exits);
            // The first exit for now; the nearest is chosen once the routes are known.
            pedestrians.exit.resize(first + count, exits.trailing_zeros() as u8);
        }
    }
}
