//! What openings do at the end of a tick, for executors with their state in the memory of the host.

use throng_core::{InputError, Philox};

use super::super::rules::direction::STANDS;
use super::super::rules::entry::{FIRST_PLACE, first_place};
use super::super::rules::exit_choice::{after_leaving, allows};
use super::super::scene::{EMPTY, LEFT, Pedestrians, WAITING, WALL, World};
use super::{Door, Ways};

/// The openings of a world between two ticks.
#[derive(Debug, Clone)]
pub struct Phases {
    draws: Philox,
    ways: Vec<Ways>,
    /// The next pedestrian of each entry.
    next: Vec<u32>,
}

/// Whether each space unit is floor, or an opening other than a door that is not open.
pub fn passable(world: &World, is_open: impl Fn(&Door) -> bool) -> Vec<bool> {
    let mut is_passable: Vec<bool> = world.is_wall.iter().map(|is_wall| !is_wall).collect();
    for door in world.openings.doors.iter().filter(|door| !is_open(door)) {
        door.units.iter().for_each(|&unit| is_passable[unit as usize] = false);
    }
    is_passable
}

/// The ways to all exits in a tick, by the doors that are open.
pub fn ways(world: &World, tick: u32) -> Vec<Ways> {
    let is_passable = passable(world, |door| door.is_open(tick));
    world.openings.exits.iter().map(|units| Ways::to(world, &is_passable, units)).collect()
}

/// The next pedestrian that each entry lets in, or the end of its pedestrians.
pub fn next(world: &World, pedestrians: &Pedestrians) -> Vec<u32> {
    let is_waiting = |&pedestrian: &u32| pedestrians.at.get(pedestrian as usize) == Some(&WAITING);
    let entries = world.openings.entries.iter().map(|entry| entry.pedestrians.clone());
    entries.map(|range| range.clone().find(is_waiting).unwrap_or(range.end)).collect()
}

impl Phases {
    /// The openings of a state before a tick; none for a world without any. Opens and closes doors, lets pedestrians
    /// enter, and turns all of them towards their exits.
    ///
    /// # Errors
    /// As for [`Openings::check_pedestrians`](super::Openings).
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
        let mut phases = Self { draws: Philox::new(seed), ways: ways(world, tick), next: next(world, pedestrians) };
        let outside = pedestrians.heading.iter_mut().zip(&pedestrians.at).filter(|&(_, &at)| at >= LEFT);
        outside.for_each(|(heading, _)| *heading = STANDS);
        Self::set_doors(world, tick, occupants);
        phases.enter(world, tick, occupants, pedestrians);
        phases.turn(pedestrians);
        Ok(Some(phases))
    }

    /// The end of the tick before `tick`.
    pub fn end_tick(&mut self, world: &World, tick: u32, occupants: &mut [u32], pedestrians: &mut Pedestrians) {
        Self::leave(world, tick, occupants, pedestrians);
        let changes = world.openings.changes(tick);
        if changes {
            self.ways = ways(world, tick);
        }
        Self::set_doors(world, tick, occupants);
        self.enter(world, tick, occupants, pedestrians);
        let every = world.openings.choice.every;
        if changes || (every > 0 && tick.is_multiple_of(every)) {
            world.openings.choose(&self.ways, pedestrians, self.draws, tick, changes);
        }
        self.turn(pedestrians);
    }

    /// Pedestrians that stand in an exit through which they may leave go to it, and step out of the world as soon as they
    /// may make a step.
    fn leave(world: &World, tick: u32, occupants: &mut [u32], pedestrians: &mut Pedestrians) {
        for (exit, units) in world.openings.exits.iter().enumerate() {
            for &unit in units {
                let occupant = occupants[unit as usize];
                let number = occupant as usize;
                if !(occupant < WALL && allows(pedestrians.exits[number], exit as u32)) {
                    continue;
                }
                pedestrians.exit[number] = exit as u8;
                if pedestrians.due[number] < tick {
                    occupants[unit as usize] = EMPTY;
                    pedestrians.at[number] = LEFT;
                    pedestrians.heading[number] = STANDS;
                    pedestrians.due[number] = tick;
                    if let Some(free_from) = pedestrians.free_from.get_mut(unit as usize) {
                        *free_from = after_leaving(tick, pedestrians.period[number]);
                    }
                }
            }
        }
    }

    /// Closed doors are walls where they are empty, open ones are not.
    fn set_doors(world: &World, tick: u32, occupants: &mut [u32]) {
        for door in &world.openings.doors {
            let (from, to) = if door.is_open(tick) { (WALL, EMPTY) } else { (EMPTY, WALL) };
            for &unit in &door.units {
                let occupant = &mut occupants[unit as usize];
                if *occupant == from {
                    *occupant = to;
                }
            }
        }
    }

    /// Pedestrians that are due enter, one for each empty space unit of their entry. The first of these is drawn, the
    /// others follow in turn.
    fn enter(&mut self, world: &World, tick: u32, occupants: &mut [u32], pedestrians: &mut Pedestrians) {
        for (number, (entry, next)) in world.openings.entries.iter().zip(&mut self.next).enumerate() {
            let units = entry.units.len();
            let drawn = self.draws.block([number as u32, tick, FIRST_PLACE, 0])[0];
            let first = first_place(drawn, units as u32) as usize;
            for place in 0..units {
                let unit = entry.units[(first + place) % units];
                let pedestrian = *next as usize;
                if *next >= entry.pedestrians.end || pedestrians.due[pedestrian] > tick {
                    break;
                }
                if occupants[unit as usize] == EMPTY && pedestrians.lets_in(unit, tick) {
                    occupants[unit as usize] = *next;
                    pedestrians.at[pedestrian] = unit;
                    pedestrians.due[pedestrian] = tick;
                    pedestrians.exit[pedestrian] =
                        world.openings.nearest(&self.ways, pedestrians.exits[pedestrian], unit);
                    *next += 1;
                }
            }
        }
    }

    /// Turns all pedestrians towards their exits.
    fn turn(&self, pedestrians: &mut Pedestrians) {
        let Pedestrians { at, heading, exit, .. } = pedestrians;
        for ((&at, heading), &exit) in at.iter().zip(heading).zip(exit.iter()).filter(|((at, _), _)| **at < LEFT) {
            *heading = self.ways[usize::from(exit)].heading[at as usize];
        }
    }
}
