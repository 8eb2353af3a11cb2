//! Openings for executors whose state is in host memory.

use std::convert::Infallible;

use throng_core::InputError;

use super::super::rules::direction::STANDS;
use super::super::rules::draws::Seed;
use super::super::rules::openings::{choose, enter, leave, occupant_of_door};
use super::super::scene::{Door, LEFT, Pedestrians, WAITING, World};
use super::Routes;
use super::phases::{self, Phases};
use super::views::{CrowdOnHost, QueuesOnHost};

/// The openings of a world between two ticks.
#[derive(Debug, Clone)]
pub struct HostOpenings {
    seed: Seed,
    routes: Vec<Routes>,
    /// Index of the next pedestrian of each entry.
    next: Vec<u32>,
}

/// Whether each space unit is passable: floor, or an opening other than a closed door.
pub fn passable(world: &World, is_open: impl Fn(&Door) -> bool) -> Vec<bool> {
    let mut is_passable: Vec<bool> = world.is_wall.iter().map(|is_wall| !is_wall).collect();
    for door in world.openings.doors.iter().filter(|door| !is_open(door)) {
        door.units.iter().for_each(|&unit| is_passable[unit as usize] = false);
    }
    is_passable
}

/// Returns the routes to all exits in a tick, given the open doors.
pub fn routes(world: &World, tick: u32) -> Vec<Routes> {
    let is_passable = passable(world, |door| door.is_open(tick));
    world.openings.exits.iter().map(|units| Routes::to(world, &is_passable, units)).collect()
}

/// Returns the next pedestrian that each entry lets in, or the end of its pedestrians.
pub fn next(world: &World, pedestrians: &Pedestrians) -> Vec<u32> {
    let is_waiting = |&pedestrian: &u32| pedestrians.at.get(pedestrian as usize) == Some(&WAITING);
    let entries = world.openings.entries.iter().map(|entry| entry.pedestrians.clone());
    entries.map(|range| range.clone().find(is_waiting).unwrap_or(range.end)).collect()
}

impl HostOpenings {
    /// Creates the openings of a state before `tick`; `None` for a world without openings. Opens and closes doors, lets
    /// pedestrians enter, and turns all of them towards their exits.
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
        let mut openings = Self { seed: Seed::new(seed), routes: routes(world, tick), next: next(world, pedestrians) };
        let outside = pedestrians.heading.iter_mut().zip(&pedestrians.at).filter(|&(_, &at)| at >= LEFT);
        outside.for_each(|(heading, _)| *heading = STANDS);
        let Ok(()) = phases::begin(&mut Between { openings: &mut openings, world, tick, occupants, pedestrians });
        Ok(Some(openings))
    }

    /// Applies the openings at the end of the tick before `tick`.
    pub fn end_tick(&mut self, world: &World, tick: u32, occupants: &mut [u32], pedestrians: &mut Pedestrians) {
        let mut between = Between { openings: self, world, tick, occupants, pedestrians };
        let Ok(()) = phases::end_tick(&mut between, world.openings.changes(tick), world.openings.has_choice(tick));
    }
}

/// The openings between two ticks, and the state that they change.
struct Between<'b> {
    openings: &'b mut HostOpenings,
    world: &'b World,
    /// Index of the next tick.
    tick: u32,
    occupants: &'b mut [u32],
    pedestrians: &'b mut Pedestrians,
}

impl Phases for Between<'_> {
    type Error = Infallible;

    fn leave(&mut self) -> Result<(), Infallible> {
        let has_long_steps = !self.pedestrians.free_from.is_empty();
        let Self { openings, world, tick, occupants, pedestrians } = self;
        let mut crowd = CrowdOnHost { routes: &openings.routes, occupants, pedestrians };
        for (exit, units) in (0..).zip(&world.openings.exits) {
            for &unit in units {
                leave(&mut crowd, unit, exit, *tick, has_long_steps);
            }
        }
        Ok(())
    }

    fn find_routes(&mut self) -> Result<(), Infallible> {
        self.openings.routes = routes(self.world, self.tick);
        Ok(())
    }

    fn set_doors(&mut self) -> Result<(), Infallible> {
        for door in &self.world.openings.doors {
            for &unit in &door.units {
                let occupant = &mut self.occupants[unit as usize];
                *occupant = occupant_of_door(*occupant, door.is_open(self.tick));
            }
        }
        Ok(())
    }

    /// Starts at a random space unit of the entry; the others follow in turn.
    fn enter(&mut self) -> Result<(), Infallible> {
        let Self { openings: HostOpenings { seed, routes, next }, world, tick, occupants, pedestrians } = self;
        let exits = world.openings.exits.len() as u32;
        let has_long_steps = !pedestrians.free_from.is_empty();
        let mut crowd = CrowdOnHost { routes, occupants, pedestrians };
        for (number, (entry, next)) in (0..).zip(world.openings.entries.iter().zip(next)) {
            let first = seed.first_place(number, *tick, entry.units.len() as u32) as usize;
            for &unit in entry.units.iter().cycle().skip(first).take(entry.units.len()) {
                if *next < entry.pedestrians.end {
                    *next = enter(&mut crowd, *next, unit, *tick, exits, has_long_steps);
                }
            }
        }
        Ok(())
    }

    fn choose(&mut self, all: bool) -> Result<(), Infallible> {
        let HostOpenings { seed, routes, .. } = &*self.openings;
        let queues = QueuesOnHost::new(&self.world.openings, routes, self.pedestrians);
        let Pedestrians { at, period, exits, exit, .. } = &mut *self.pedestrians;
        for (pedestrian, &at) in at.iter().enumerate().filter(|&(_, &at)| at < LEFT) {
            if all || seed.chooses(pedestrian as u32, self.tick) {
                let (present, allowed) = (u32::from(exit[pedestrian]), exits[pedestrian]);
                exit[pedestrian] = choose(&queues, at, period[pedestrian], present, allowed, routes.len() as u32) as u8;
            }
        }
        Ok(())
    }

    fn turn(&mut self) -> Result<(), Infallible> {
        let Pedestrians { at, heading, exit, .. } = &mut *self.pedestrians;
        for ((&at, heading), &exit) in at.iter().zip(heading).zip(exit.iter()).filter(|((at, _), _)| **at < LEFT) {
            *heading = self.openings.routes[usize::from(exit)].heading[at as usize];
        }
        Ok(())
    }
}
