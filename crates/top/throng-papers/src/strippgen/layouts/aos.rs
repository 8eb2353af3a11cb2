//! Array of structs.

use super::{Agents, Fifo, starts};
use crate::strippgen::state::Vehicle;

/// Indices into the block of vehicles.
#[derive(Debug, Clone, Copy)]
struct Admin {
    start: u32,
    /// Slot of the next vehicle to be added.
    pos: u32,
    end: u32,
}

/// Lists whose first vehicle is always at the start: removing it shifts all others.
#[derive(Debug)]
pub struct Aos {
    admin: Vec<Admin>,
    vehicles: Vec<Vehicle>,
}

impl Fifo for Aos {
    fn with_room(rooms: &[u32]) -> Self {
        let (starts, total) = starts(rooms);
        let admin = starts.iter().zip(rooms).map(|(&start, room)| Admin { start, pos: start, end: start + room });
        Self { admin: admin.collect(), vehicles: vec![Vehicle::default(); total as usize] }
    }

    fn len(&self, link: usize) -> u32 {
        self.admin[link].pos - self.admin[link].start
    }

    fn has_space(&self, link: usize) -> bool {
        self.admin[link].pos < self.admin[link].end
    }

    fn get(&self, link: usize, k: u32) -> Vehicle {
        self.vehicles[(self.admin[link].start + k) as usize]
    }

    fn pop(&mut self, link: usize) {
        let admin = &mut self.admin[link];
        self.vehicles.copy_within(admin.start as usize + 1..admin.pos as usize, admin.start as usize);
        admin.pos -= 1;
    }

    fn push(&mut self, link: usize, vehicle: Vehicle) {
        let admin = &mut self.admin[link];
        self.vehicles[admin.pos as usize] = vehicle;
        admin.pos += 1;
    }
}

#[derive(Debug, Clone, Copy)]
struct Agent {
    _begin: u32,
    position: u32,
    _end: u32,
}

/// One record per agent. Begin and end are included as in the paper; nothing reads them during a run.
#[derive(Debug)]
pub struct AosAgents(Vec<Agent>);

impl Agents for AosAgents {
    fn new(begin: &[u32], end: impl Fn(usize) -> u32, position: &[u32]) -> Self {
        let agent = |(i, (&begin, &position))| Agent { _begin: begin, position, _end: end(i) };
        Self(begin.iter().zip(position).enumerate().map(agent).collect())
    }

    fn position(&self, agent: u32) -> u32 {
        self.0[agent as usize].position
    }

    fn advance(&mut self, agent: u32) {
        self.0[agent as usize].position += 1;
    }
}
