//! Openings as defined: pedestrian by pedestrian.
//!
//! Executors share only the validation of the input, and the formulas of draws and of times to exits.

use throng_core::{InputError, Philox};

use super::super::rules::direction::{DIRECTIONS, STANDS};
use super::super::rules::entry::{FIRST_PLACE, first_place};
use super::super::rules::exit_choice::{CHOICE, NEVER, bin, chooses, expected_time, is_better};
use super::super::rules::openings::UNREACHABLE;
use super::super::scene::{EMPTY, LEFT, Pedestrians, WAITING, WALL, World};

/// The routes to an exit in a tick.
#[derive(Debug, Clone)]
struct Routes {
    distance: Vec<u32>,
    heading: Vec<u8>,
}

/// The openings of a world between two ticks.
#[derive(Debug, Clone)]
pub struct OpeningsByDefinition {
    draws: Philox,
    routes: Vec<Routes>,
}

impl Routes {
    /// Computes the shortest routes over space units that are neither walls nor closed doors: lengths are lowered until
    /// each is the minimum over all neighbours.
    fn to(world: &World, tick: u32, targets: &[u32]) -> Self {
        let closed = world.openings.doors.iter().filter(|door| !door.is_open(tick));
        let closed: Vec<u32> = closed.flat_map(|door| door.units.iter().copied()).collect();
        let units = 0..world.grid.units() as u32;
        let is_passable: Vec<bool> =
            units.clone().map(|unit| !world.is_wall(unit) && !closed.contains(&unit)).collect();
        let passes = |unit: u32| is_passable.get(unit as usize) == Some(&true);
        // Returns the steps from a space unit: direction, neighbour and cost.
        let steps = |unit: u32| {
            let [x, y] = world.grid.place(unit);
            let neighbour = |direction: u32| world.grid.neighbour(x, y, direction % DIRECTIONS);
            let mut steps = Vec::new();
            for direction in 0..DIRECTIONS {
                let is_diagonal = direction % 2 == 1;
                let is_shut = !passes(neighbour(direction + 1)) && !passes(neighbour(direction + 7));
                if passes(neighbour(direction)) && !(is_diagonal && is_shut) {
                    steps.push((direction, neighbour(direction), if is_diagonal { 14 } else { 10 }));
                }
            }
            steps
        };
        let mut distance = vec![UNREACHABLE; is_passable.len()];
        for &target in targets.iter().filter(|&&target| passes(target)) {
            distance[target as usize] = 0;
        }
        let min_length = |distance: &[u32], unit: u32| {
            steps(unit).into_iter().map(|(_, next, cost)| distance[next as usize].saturating_add(cost)).min()
        };
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for unit in units.clone().filter(|&unit| passes(unit)) {
                let length = min_length(&distance, unit).unwrap_or(UNREACHABLE);
                if length < distance[unit as usize] {
                    distance[unit as usize] = length;
                    has_changed = true;
                }
            }
        }
        let draws = Philox::new(0);
        let heading = |unit: u32| {
            if distance[unit as usize] == 0 {
                return STANDS;
            }
            let shortest = min_length(&distance, unit).filter(|&length| length < UNREACHABLE && !world.is_wall(unit));
            let Some(shortest) = shortest else { return STANDS };
            let mut best = steps(unit);
            best.retain(|&(_, next, cost)| distance[next as usize].saturating_add(cost) == shortest);
            best[draws.below(best.len() as u32, unit, 0, 0, 0) as usize].0 as u8
        };
        Self { heading: units.map(heading).collect(), distance }
    }
}

impl OpeningsByDefinition {
    /// Creates the openings of a state before `tick`; `None` for a world without openings.
    ///
    /// # Errors
    /// As for [`Openings::check_pedestrians`](super::super::openings::Openings).
    pub fn before(
        world: &World,
        seed: u64,
        tick: u32,
        occupants: &mut [u32],
        pedestrians: &mut Pedestrians,
    ) -> Result<Option<Self>, InputError> {
        if world.openings.is_empty() {
            return Ok(None);
        }
        world.openings.check_pedestrians(occupants.len(), pedestrians)?;
        let mut openings = Self { draws: Philox::new(seed), routes: Vec::new() };
        openings.find_routes(world, tick);
        set_doors(world, tick, occupants);
        openings.enter(world, tick, occupants, pedestrians);
        openings.turn(pedestrians);
        Ok(Some(openings))
    }

    /// Applies the openings at the end of the tick before `tick`.
    pub fn end_tick(&mut self, world: &World, tick: u32, occupants: &mut [u32], pedestrians: &mut Pedestrians) {
        leave(world, tick, occupants, pedestrians);
        let is_open = |tick: u32| world.openings.doors.iter().map(|door| door.is_open(tick)).collect::<Vec<_>>();
        let changes = is_open(tick) != is_open(tick - 1);
        if changes {
            self.find_routes(world, tick);
        }
        set_doors(world, tick, occupants);
        self.enter(world, tick, occupants, pedestrians);
        let every = world.openings.choice.every;
        if changes || (every > 0 && tick.is_multiple_of(every)) {
            self.choose(world, tick, pedestrians, changes);
        }
        self.turn(pedestrians);
    }

    fn find_routes(&mut self, world: &World, tick: u32) {
        self.routes = world.openings.exits.iter().map(|targets| Routes::to(world, tick, targets)).collect();
    }

    /// Lets the due pedestrians of each entry enter in order, while there are empty space units.
    fn enter(&self, world: &World, tick: u32, occupants: &mut [u32], pedestrians: &mut Pedestrians) {
        for (number, entry) in world.openings.entries.iter().enumerate() {
            let drawn = self.draws.block([number as u32, tick, FIRST_PLACE, 0])[0];
            let mut units = entry.units.clone();
            units.rotate_left(first_place(drawn, entry.units.len() as u32) as usize);
            units.retain(|&unit| occupants[unit as usize] == EMPTY && pedestrians.lets_in(unit, tick));
            let waiting =
                entry.pedestrians.clone().filter(|&pedestrian| pedestrians.at[pedestrian as usize] == WAITING);
            let is_due = |pedestrian: &u32| pedestrians.due[*pedestrian as usize] <= tick;
            let enter: Vec<u32> = waiting.take_while(is_due).collect();
            for (pedestrian, unit) in enter.into_iter().zip(units) {
                occupants[unit as usize] = pedestrian;
                let pedestrian = pedestrian as usize;
                pedestrians.at[pedestrian] = unit;
                pedestrians.due[pedestrian] = tick;
                // The nearest exit; ties go to the lower index.
                let allowed = allowed(pedestrians, pedestrian);
                let mut nearest = allowed[0];
                for exit in allowed {
                    if self.routes[exit].distance[unit as usize] < self.routes[nearest].distance[unit as usize] {
                        nearest = exit;
                    }
                }
                pedestrians.exit[pedestrian] = nearest as u8;
            }
        }
    }

    /// Lets all pedestrians, or a quarter of them, choose their exits.
    fn choose(&self, world: &World, tick: u32, pedestrians: &mut Pedestrians, all: bool) {
        let before = pedestrians.clone();
        let inside: Vec<usize> = (0..before.len()).filter(|&pedestrian| before.at[pedestrian] < LEFT).collect();
        let length = |pedestrian: usize, exit: usize| self.routes[exit].distance[before.at[pedestrian] as usize];
        for &pedestrian in &inside {
            if !all && !chooses(self.draws.block([pedestrian as u32, tick, CHOICE, 0])[0]) {
                continue;
            }
            let time = |exit: usize| {
                let own = length(pedestrian, exit);
                if own == UNREACHABLE {
                    return NEVER;
                }
                let is_ahead = |&&other: &&usize| {
                    let others = length(other, exit);
                    usize::from(before.exit[other]) == exit && others != UNREACHABLE && bin(others) < bin(own)
                };
                let ahead = inside.iter().filter(is_ahead).count() as u32;
                let queue = world.openings.choice.queue(world.openings.exits[exit].len());
                expected_time(own, before.period[pedestrian], ahead, queue)
            };
            let mut best = usize::from(before.exit[pedestrian]);
            for exit in allowed(&before, pedestrian) {
                if exit != usize::from(before.exit[pedestrian]) && is_better(time(exit), time(best)) {
                    best = exit;
                }
            }
            pedestrians.exit[pedestrian] = best as u8;
        }
    }

    /// Updates all headings; absent pedestrians get [`STANDS`].
    fn turn(&self, pedestrians: &mut Pedestrians) {
        for pedestrian in 0..pedestrians.len() {
            let (at, exit) = (pedestrians.at[pedestrian], usize::from(pedestrians.exit[pedestrian]));
            pedestrians.heading[pedestrian] = if at < LEFT { self.routes[exit].heading[at as usize] } else { STANDS };
        }
    }
}

/// Returns the indices of the exits of a pedestrian.
fn allowed(pedestrians: &Pedestrians, pedestrian: usize) -> Vec<usize> {
    (0..32).filter(|exit| pedestrians.exits[pedestrian] >> exit & 1 == 1).collect()
}

/// Lets pedestrians that stand in one of their exits leave the world as soon as they may make a step.
fn leave(world: &World, tick: u32, occupants: &mut [u32], pedestrians: &mut Pedestrians) {
    for pedestrian in 0..pedestrians.len() {
        let at = pedestrians.at[pedestrian];
        let stands_in = |&exit: &usize| world.openings.exits[exit].contains(&at);
        if at < LEFT
            && let Some(exit) = allowed(pedestrians, pedestrian).into_iter().find(stands_in)
        {
            pedestrians.exit[pedestrian] = exit as u8;
            if pedestrians.due[pedestrian] < tick {
                occupants[at as usize] = EMPTY;
                pedestrians.at[pedestrian] = LEFT;
                pedestrians.due[pedestrian] = tick;
                if let Some(free_from) = pedestrians.free_from.get_mut(at as usize) {
                    *free_from = tick - 1 + pedestrians.period[pedestrian];
                }
            }
        }
    }
}

/// Turns each space unit of a closed door into a wall once it is empty, and frees those of open doors.
fn set_doors(world: &World, tick: u32, occupants: &mut [u32]) {
    for door in &world.openings.doors {
        for &unit in &door.units {
            let occupant = &mut occupants[unit as usize];
            let is_pedestrian = *occupant < WALL;
            if !is_pedestrian {
                *occupant = if door.is_open(tick) { EMPTY } else { WALL };
            }
        }
    }
}
