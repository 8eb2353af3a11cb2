//! Ring buffers.

use super::{Fifo, starts};
use crate::strippgen::rules::ring_slot;
use crate::strippgen::state::Vehicle;

/// Lists in ring buffers, which never shift vehicles.
#[derive(Debug)]
pub struct Ring {
    start: Vec<u32>,
    len: Vec<u32>,
    /// Extraction point: offset of the first vehicle from `start`.
    ep: Vec<u32>,
    count: Vec<u32>,
    vehicles: Vec<Vehicle>,
}

impl Ring {
    /// Slot of the vehicle with index `k` in a list.
    pub fn slot(&self, link: usize, k: u32) -> usize {
        ring_slot(self.start[link], self.ep[link], k, self.len[link]) as usize
    }

    /// Slot of the first vehicle.
    pub fn front_slot(&self, link: usize) -> usize {
        self.slot(link, 0)
    }

    /// Reserves the slot after the last vehicle, without writing it.
    pub fn reserve(&mut self, link: usize) -> usize {
        self.count[link] += 1;
        self.slot(link, self.count[link] - 1)
    }

    /// The vehicle in a slot.
    pub fn at(&self, slot: usize) -> Vehicle {
        self.vehicles[slot]
    }

    /// Writes a vehicle to a slot.
    pub fn put(&mut self, slot: usize, vehicle: Vehicle) {
        self.vehicles[slot] = vehicle;
    }

    /// Total number of slots.
    pub fn slots(&self) -> usize {
        self.vehicles.len()
    }
}

impl Fifo for Ring {
    fn with_room(rooms: &[u32]) -> Self {
        let (start, total) = starts(rooms);
        let zero = vec![0; rooms.len()];
        let vehicles = vec![Vehicle::default(); total as usize];
        Self { start, len: rooms.to_vec(), ep: zero.clone(), count: zero, vehicles }
    }

    fn len(&self, link: usize) -> u32 {
        self.count[link]
    }

    fn has_space(&self, link: usize) -> bool {
        self.count[link] < self.len[link]
    }

    fn get(&self, link: usize, k: u32) -> Vehicle {
        self.vehicles[self.slot(link, k)]
    }

    fn pop(&mut self, link: usize) {
        self.ep[link] = (self.ep[link] + 1) % self.len[link];
        self.count[link] -= 1;
    }

    fn push(&mut self, link: usize, vehicle: Vehicle) {
        let slot = self.slot(link, self.count[link]);
        self.vehicles[slot] = vehicle;
        self.count[link] += 1;
    }
}
