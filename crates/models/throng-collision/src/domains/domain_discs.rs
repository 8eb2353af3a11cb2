//! The discs that a domain knows in a step, and their lookup by cell.

use std::cell::Cell;
use std::sync::atomic::AtomicU32;

use throng_core::Philox;

use super::super::deciding::Storage;
use super::super::lattice::CELL_BITS;
use super::super::routes::Route;
use super::super::rules::contest::UNDECIDED;
use super::super::rules::decision::NONE;
use super::super::rules::draws::priority_of;
use super::super::scene::Radii;
use super::super::world::WorldAxis;
use super::agreement::Agreement;
use super::exchange::Message;
use super::partition::Rectangle;
use super::snapshot::SnapshotDisc;

/// The discs of a domain in a step: its own discs first, then the ghosts from each neighbour.
pub struct DomainDiscs {
    pub own: usize,
    pub ids: Vec<u32>,
    pub routes: Vec<Route>,
    pub radii: Radii,
    pub priorities: Vec<u32>,
    pub states: Vec<AtomicU32>,
    /// Index of the first ghost from each neighbour.
    pub ghosts_from: Vec<usize>,
}

impl DomainDiscs {
    /// Collects the discs of a domain with their routes, and the ghosts from the messages of its neighbours.
    pub fn new(
        common: &Agreement,
        discs: &[SnapshotDisc],
        steps: u64,
        mut routes: Vec<Route>,
        incoming: &[Vec<Message>],
    ) -> Self {
        let mut ids: Vec<u32> = discs.iter().map(|disc| disc.id).collect();
        let mut radii: Vec<i32> = discs.iter().map(|disc| disc.radius).collect();
        let mut ghosts_from = Vec::with_capacity(incoming.len());
        for messages in incoming {
            ghosts_from.push(ids.len());
            for message in messages {
                if let Message::Ghost { id, route, radius } = *message {
                    ids.push(id);
                    routes.push(route);
                    radii.push(radius);
                }
            }
        }
        let draws = Philox::new(common.seed);
        let priorities = ids.iter().map(|&id| priority_of(draws, id, steps)).collect();
        let states = ids.iter().map(|_| AtomicU32::new(UNDECIDED)).collect();
        Self { own: discs.len(), routes, radii: Radii::of_some(radii), priorities, states, ids, ghosts_from }
    }
}

/// Lookup of the known disc in each cell of the rectangle and its surroundings.
pub struct CellLookup<'k> {
    known: &'k DomainDiscs,
    axes: [WorldAxis; 2],
    /// First column and first row.
    first: [i32; 2],
    /// Number of columns and number of rows.
    count: [i32; 2],
    slots: Vec<u32>,
    /// Number of discs found so far: the discs in the cells around wishes, counted again each time a wish is
    /// evaluated.
    pub met: Cell<u64>,
}

impl<'k> CellLookup<'k> {
    pub fn new(common: &Agreement, rectangle: Rectangle, known: &'k DomainDiscs) -> Self {
        let axes = [common.world.x, common.world.y];
        let margin = (common.ghost_width(common.largest) >> CELL_BITS) + 2;
        let cells = axes.map(|axis| axis.cells);
        let count = [0, 1].map(|axis| (rectangle.to[axis] - rectangle.from[axis] + 2 * margin).min(cells[axis]));
        let first = [0, 1].map(|axis| {
            if count[axis] == cells[axis] { 0 } else { (rectangle.from[axis] - margin).rem_euclid(cells[axis]) }
        });
        let slots = vec![NONE; count[0] as usize * count[1] as usize];
        let mut lookup = Self { known, axes, first, count, slots, met: Cell::new(0) };
        for (local, [x, y, ..]) in known.routes.iter().enumerate() {
            if let Some(slot) = lookup.index(x >> CELL_BITS, y >> CELL_BITS) {
                lookup.slots[slot] = local as u32;
            }
        }
        lookup
    }

    fn index(&self, column: i32, row: i32) -> Option<usize> {
        let [column, row] = [[column, 0], [row, 1]]
            .map(|[cell, axis]| (cell - self.first[axis as usize]).rem_euclid(self.axes[axis as usize].cells));
        let is_inside = column < self.count[0] && row < self.count[1];
        is_inside.then_some(row as usize * self.count[0] as usize + column as usize)
    }
}

impl Storage for &CellLookup<'_> {
    #[inline]
    fn slot(&self, column: i32, row: i32) -> u32 {
        let slot = self.index(column, row).map_or(NONE, |index| self.slots[index]);
        if slot != NONE {
            self.met.set(self.met.get() + 1);
        }
        slot
    }

    #[inline]
    fn occupant(&self, slot: u32) -> (u32, Route) {
        (slot, self.known.routes[slot as usize])
    }
}
