//! A domain: its discs, and their steps.

use std::sync::atomic::Ordering::Relaxed;

use super::super::routes::{Route, route_of};
use super::super::rules::contest::MOVED;
use super::agreement::Agreement;
use super::balance::Load;
use super::domain_discs::{CellLookup, DomainDiscs};
use super::exchange::{Exchange, Failed, Message};
use super::partition::Rectangle;
use super::rounds::{Shared, decide};
use super::snapshot::{Snapshot, SnapshotDisc};

/// Reason for an incomplete step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// A wish is too far away, in this domain or in another one. Nothing has changed.
    TooLong,
    /// Another domain left the exchange.
    Failed,
}

impl From<Failed> for Stopped {
    fn from(Failed: Failed) -> Self {
        Self::Failed
    }
}

/// Part of the crowd: the discs whose centres are in one rectangle of the partition.
#[derive(Debug)]
pub struct Domain {
    number: usize,
    rectangle: Rectangle,
    discs: Vec<SnapshotDisc>,
    steps: u64,
    load: Load,
}

impl Domain {
    /// Creates the domain whose rectangle has the index `number` in the partition. The snapshot must hold the discs of
    /// this rectangle, with radii of at most the largest one of the agreement. All snapshots together must hold every
    /// disc once, without overlaps; otherwise decisions are undefined.
    pub fn new(number: usize, snapshot: Snapshot) -> Self {
        let Snapshot { rectangle, discs, steps } = snapshot;
        Self { number, rectangle, discs, steps, load: Load::default() }
    }

    /// Returns the state needed to continue.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { rectangle: self.rectangle, discs: self.discs.clone(), steps: self.steps }
    }

    /// Returns the load of the last step.
    pub fn load(&self) -> Load {
        self.load
    }

    /// Simulates a step concurrently with all other domains. `wish` returns the requested position of an id, and is
    /// called only for the domain's own discs. Returns the discs that moved, with their new positions.
    ///
    /// # Errors
    /// [`Stopped`]: when a wish is too far away, here or elsewhere, or when another domain has left the exchange.
    pub fn step(
        &mut self,
        common: &Agreement,
        exchange: &impl Exchange,
        wish: impl Fn(u32) -> [i32; 2],
    ) -> Result<Vec<SnapshotDisc>, Stopped> {
        let route = |disc: &SnapshotDisc| {
            route_of(&common.world, &common.walls, Some(common.longest_step), disc.radius, disc.at, wish(disc.id))
        };
        let routes: Vec<Route> = self.discs.iter().filter_map(route).collect();
        if exchange.sum((self.discs.len() - routes.len()) as u64)? > 0 {
            return Err(Stopped::TooLong);
        }
        let neighbours = common.partition.neighbours(&common.world, self.number, common.ghost_width(common.largest));
        let (ghosts, shared) = self.ghosts(common, &neighbours, &routes);
        let known = DomainDiscs::new(common, &self.discs, self.steps, routes, &exchange.exchange(&neighbours, ghosts)?);
        let lookup = CellLookup::new(common, self.rectangle, &known);
        let rounds = decide(common, exchange, &neighbours, &known, &lookup, shared)?;
        let (own, ghosts) = (known.own as u64, (known.ids.len() - known.own) as u64);
        self.load = Load { discs: own, ghosts, candidates: lookup.met.get(), rounds };
        let mut moved = Vec::new();
        for (local, disc) in self.discs.iter_mut().enumerate() {
            if known.states[local].load(Relaxed) == MOVED {
                let [_, _, x, y] = known.routes[local];
                disc.at = [x, y];
                moved.push(*disc);
            }
        }
        self.migrate(common, exchange, &neighbours)?;
        self.steps += 1;
        Ok(moved)
    }

    /// Returns the ghosts for each neighbour, as messages and as own discs with their ghost indices.
    fn ghosts(&self, common: &Agreement, neighbours: &[usize], routes: &[Route]) -> (Vec<Vec<Message>>, Vec<Shared>) {
        let (mut messages, mut shared) = (vec![Vec::new(); neighbours.len()], vec![Shared::new(); neighbours.len()]);
        let rectangles: Vec<Rectangle> =
            neighbours.iter().map(|&number| common.partition.rectangles()[number]).collect();
        for (local, (&SnapshotDisc { id, at, radius }, &route)) in self.discs.iter().zip(routes).enumerate() {
            for (neighbour, rectangle) in rectangles.iter().enumerate() {
                if rectangle.is_within(&common.world, at, common.ghost_width(radius)) {
                    shared[neighbour].push((local as u32, messages[neighbour].len() as u32));
                    messages[neighbour].push(Message::Ghost { id, route, radius });
                }
            }
        }
        (messages, shared)
    }

    /// Sends the discs that have left the rectangle to the domains that they have entered. A step is shorter than the
    /// ghost width, so these are neighbours.
    fn migrate(&mut self, common: &Agreement, exchange: &impl Exchange, neighbours: &[usize]) -> Result<(), Failed> {
        let rectangles = common.partition.rectangles();
        let mut outgoing = vec![Vec::new(); neighbours.len()];
        self.discs.retain(|&SnapshotDisc { id, at, radius }| {
            let owner = |&number: &usize| rectangles[number].owns(at);
            let to = if self.rectangle.owns(at) { None } else { neighbours.iter().position(owner) };
            if let Some(to) = to {
                outgoing[to].push(Message::Migrant { id, at, radius });
            }
            to.is_none()
        });
        for message in exchange.exchange(neighbours, outgoing)?.into_iter().flatten() {
            if let Message::Migrant { id, at, radius } = message {
                self.discs.push(SnapshotDisc { id, at, radius });
            }
        }
        Ok(())
    }
}
