//! A vehicle under way: a record of 32 bytes that moves from list to list.

use crate::rules::vehicle_queue::HasExitTime;

/// A vehicle with its driver.
#[derive(Debug, Clone, Copy)]
pub(super) struct VehicleRecord {
    /// Earliest time at which it may leave the link, seconds of the day.
    pub exit: f64,
    /// Position on the route of the current leg.
    pub route: RouteCursor,
    /// Person index of the driver.
    pub person: u32,
    /// The leg, as a position in the list of plan elements.
    pub element: u32,
    /// Index in the vehicles of the scenario.
    pub vehicle: u32,
    /// The executor index of the next link, [`ARRIVE`](crate::rules::crossing::ARRIVE) or
    /// [`NO_SUCH_LINK`](crate::rules::crossing::NO_SUCH_LINK).
    pub next: u32,
}

impl HasExitTime for VehicleRecord {
    fn exit_time(&self) -> f64 {
        self.exit
    }
    fn leave_at_once(&mut self) {
        self.exit = f64::NEG_INFINITY;
    }
}

const KIND_BITS: u32 = 10;
const REMAINING_BITS: u32 = 18;

/// Maximum number of vehicle types that fit into a [`RouteCursor`].
pub(super) const MAX_KINDS: usize = 1 << KIND_BITS;
/// Maximum number of links per route that fit into a [`RouteCursor`].
pub(super) const MAX_ROUTE_LINKS: usize = 1 << REMAINING_BITS;
/// Maximum number of route links of all persons that fit into a [`RouteCursor`].
pub(super) const MAX_POSITIONS: u64 = 1 << (64 - KIND_BITS - REMAINING_BITS);

/// Position in the list of all route links, number of links ahead, and vehicle type, packed into one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RouteCursor(u64);

impl RouteCursor {
    pub fn new(position: u64, remaining: u32, kind: u16) -> Self {
        debug_assert!(position < MAX_POSITIONS && (remaining as usize) < MAX_ROUTE_LINKS);
        Self((position << (KIND_BITS + REMAINING_BITS)) | (u64::from(remaining) << KIND_BITS) | u64::from(kind))
    }

    /// Returns the index of the current link in the list of all route links.
    pub fn position(self) -> usize {
        (self.0 >> (KIND_BITS + REMAINING_BITS)) as usize
    }

    /// Returns the number of links ahead.
    pub fn remaining(self) -> u32 {
        (self.0 >> KIND_BITS) as u32 & ((1 << REMAINING_BITS) - 1)
    }

    /// Returns the vehicle type.
    pub fn kind(self) -> usize {
        self.0 as usize & ((1 << KIND_BITS) - 1)
    }

    /// Returns the cursor advanced by one link; at least one link must be ahead.
    pub fn advanced(self) -> Self {
        Self(self.0 + (1 << (KIND_BITS + REMAINING_BITS)) - (1 << KIND_BITS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vehicle_takes_half_a_cache_line() {
        assert_eq!(size_of::<VehicleRecord>(), 32);
    }

    #[test]
    fn cursors_keep_their_parts_apart() {
        let cursor = RouteCursor::new(70_000_000_000 % MAX_POSITIONS, 262_143, 1023);
        let next = cursor.advanced();
        assert_eq!(next.position(), cursor.position() + 1);
        assert_eq!((next.remaining(), next.kind()), (262_142, 1023));
    }
}
