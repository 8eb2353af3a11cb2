//! Struct of arrays.

use super::{Agents, Fifo, starts};
use crate::strippgen::state::Vehicle;

/// Like [`super::Aos`], with one array per field.
#[derive(Debug)]
pub struct Soa {
    start: Vec<u32>,
    pos: Vec<u32>,
    end: Vec<u32>,
    vehicles: Vec<Vehicle>,
}

impl Fifo for Soa {
    fn with_room(rooms: &[u32]) -> Self {
        let (start, total) = starts(rooms);
        let end = start.iter().zip(rooms).map(|(&start, &room)| start + room).collect();
        Self { pos: start.clone(), start, end, vehicles: vec![Vehicle::default(); total as usize] }
    }

    fn len(&self, link: usize) -> u32 {
        self.pos[link] - self.start[link]
    }

    fn has_space(&self, link: usize) -> bool {
        self.pos[link] < self.end[link]
    }

    fn get(&self, link: usize, k: u32) -> Vehicle {
        self.vehicles[(self.start[link] + k) as usize]
    }

    fn pop(&mut self, link: usize) {
        let (start, pos) = (self.start[link] as usize, self.pos[link] as usize);
        self.vehicles.copy_within(start + 1..pos, start);
        self.pos[link] -= 1;
    }

    fn push(&mut self, link: usize, vehicle: Vehicle) {
        self.vehicles[self.pos[link] as usize] = vehicle;
        self.pos[link] += 1;
    }
}

/// Positions in a separate array. Begin and end of the plans would be two more arrays, which nothing reads.
#[derive(Debug)]
pub struct SoaAgents(Vec<u32>);

impl Agents for SoaAgents {
    fn new(_: &[u32], _: impl Fn(usize) -> u32, position: &[u32]) -> Self {
        Self(position.to_vec())
    }

    fn position(&self, agent: u32) -> u32 {
        self.0[agent as usize]
    }

    fn advance(&mut self, agent: u32) {
        self.0[agent as usize] += 1;
    }
}
