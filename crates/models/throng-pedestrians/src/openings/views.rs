//! Views of a state in host memory, for the rules of openings.

use super::super::rules::direction::STANDS;
use super::super::rules::exit_choice::BINS;
use super::super::rules::floor::{EMPTY, FreeFromView};
use super::super::rules::openings::{CrowdView, QueuesView, RoutesView, UNREACHABLE, counter};
use super::super::scene::{LEFT, Openings, Pedestrians};
use super::Routes;

/// The routes to all exits.
#[derive(Debug, Clone, Copy)]
pub struct RoutesOnHost<'s>(pub &'s [Routes]);

impl RoutesView for RoutesOnHost<'_> {
    fn length(&self, exit: u32, unit: u32) -> u32 {
        self.0[exit as usize].distance[unit as usize]
    }
}

/// The pedestrians and the space units that they occupy.
#[derive(Debug)]
pub struct CrowdOnHost<'s> {
    pub routes: &'s [Routes],
    pub occupants: &'s mut [u32],
    pub pedestrians: &'s mut Pedestrians,
}

impl RoutesView for CrowdOnHost<'_> {
    fn length(&self, exit: u32, unit: u32) -> u32 {
        RoutesOnHost(self.routes).length(exit, unit)
    }
}

impl FreeFromView for CrowdOnHost<'_> {
    fn free_from(&self, unit: u32) -> u32 {
        self.pedestrians.free_from[unit as usize]
    }
}

impl CrowdView for CrowdOnHost<'_> {
    fn pedestrian(&self, unit: u32) -> u32 {
        self.occupants[unit as usize]
    }

    fn exits(&self, pedestrian: u32) -> u32 {
        self.pedestrians.exits[pedestrian as usize]
    }

    fn set_exit(&mut self, pedestrian: u32, exit: u32) {
        self.pedestrians.exit[pedestrian as usize] = exit as u8;
    }

    fn due(&self, pedestrian: u32) -> u32 {
        self.pedestrians.due[pedestrian as usize]
    }

    fn period(&self, pedestrian: u32) -> u32 {
        self.pedestrians.period[pedestrian as usize]
    }

    fn let_in(&mut self, pedestrian: u32, unit: u32, tick: u32) {
        self.occupants[unit as usize] = pedestrian;
        self.pedestrians.at[pedestrian as usize] = unit;
        self.pedestrians.due[pedestrian as usize] = tick;
    }

    fn let_out(&mut self, pedestrian: u32, unit: u32, tick: u32) {
        self.occupants[unit as usize] = EMPTY;
        self.pedestrians.at[pedestrian as usize] = LEFT;
        self.pedestrians.heading[pedestrian as usize] = STANDS;
        self.pedestrians.due[pedestrian as usize] = tick;
    }

    fn set_free_from(&mut self, unit: u32, tick: u32) {
        self.pedestrians.free_from[unit as usize] = tick;
    }
}

/// View of the crowds in front of all exits.
pub struct QueuesOnHost<'s> {
    routes: &'s [Routes],
    openings: &'s Openings,
    /// Number of pedestrians in nearer bins that walk to each exit: `[exit][bin]`.
    ahead: Vec<u32>,
}

impl<'s> QueuesOnHost<'s> {
    pub fn new(openings: &'s Openings, routes: &'s [Routes], pedestrians: &Pedestrians) -> Self {
        let mut ahead = vec![0; routes.len() * BINS as usize];
        for (&at, &exit) in pedestrians.at.iter().zip(&pedestrians.exit).filter(|&(&at, _)| at < LEFT) {
            let length = RoutesOnHost(routes).length(exit.into(), at);
            if length != UNREACHABLE {
                ahead[counter(exit.into(), length) as usize] += 1;
            }
        }
        for of_exit in ahead.chunks_exact_mut(BINS as usize) {
            let mut before = 0;
            for count in of_exit {
                (*count, before) = (before, before + *count);
            }
        }
        Self { routes, openings, ahead }
    }
}

impl RoutesView for QueuesOnHost<'_> {
    fn length(&self, exit: u32, unit: u32) -> u32 {
        RoutesOnHost(self.routes).length(exit, unit)
    }
}

impl QueuesView for QueuesOnHost<'_> {
    fn ahead(&self, counter: u32) -> u32 {
        self.ahead[counter as usize]
    }

    fn ticks_for_each(&self, exit: u32) -> i32 {
        self.openings.choice.queue(self.openings.exits[exit as usize].len())
    }
}
