//! A domain: its discs, their decisions, and what it tells the others.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use throng_core::{InputError, Philox};

use super::super::cpu::{NONE, PRIORITY};
use super::super::deciding::{Deciding, Occupancy};
use super::super::lattice::{CELL, CELL_BITS};
use super::super::rules::contest::{MOVED, Rule, UNDECIDED};
use super::super::scene::Radii;
use super::super::world::{World, WorldAxis};
use super::balance::Load;
use super::exchange::{Exchange, Failed, Message};
use super::partition::{Partition, Rectangle};

/// A disc of a domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotDisc {
    /// Number of the disc in the whole crowd.
    pub id: u32,
    /// Its position.
    pub at: [i32; 2],
}

/// What a domain needs to go on: plain values, which can be stored and sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The cells of the domain.
    pub rectangle: Rectangle,
    /// Its discs, in any order.
    pub discs: Vec<SnapshotDisc>,
    /// Steps made so far.
    pub steps: u64,
}

/// What all domains agree on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Common<'a> {
    pub world: &'a World,
    pub partition: &'a Partition,
    pub radii: &'a Radii,
    pub rule: Rule,
    pub seed: u64,
    pub longest_step: i32,
}

/// Part of the crowd.
#[derive(Debug)]
pub(super) struct Domain {
    number: usize,
    rectangle: Rectangle,
    discs: Vec<SnapshotDisc>,
    steps: u64,
    load: Load,
}

/// The discs that a domain knows in a step: its own ones first, then ghosts.
struct Known {
    ids: Vec<u32>,
    ways: Vec<[i32; 4]>,
    radii: Radii,
    priorities: Vec<u32>,
    states: Vec<AtomicU32>,
}

impl Domain {
    pub fn new(number: usize, snapshot: Snapshot) -> Self {
        let Snapshot { rectangle, discs, steps } = snapshot;
        Self { number, rectangle, discs, steps, load: Load::default() }
    }

    pub fn snapshot(&self) -> Snapshot {
        Snapshot { rectangle: self.rectangle, discs: self.discs.clone(), steps: self.steps }
    }

    pub fn load(&self) -> Load {
        self.load
    }

    /// Makes a step. `wish` gives for an id where the disc will be if it moves, within the world. Returns the ids that
    /// moved, with their new positions.
    pub fn step(
        &mut self,
        common: &Common<'_>,
        exchange: &impl Exchange,
        wish: impl Fn(u32) -> [i32; 2],
    ) -> Result<Vec<SnapshotDisc>, Failed> {
        let domains = common.partition.rectangles().len();
        let own = self.discs.len();
        let ways: Vec<[i32; 4]> = self
            .discs
            .iter()
            .map(|disc| {
                let to = wish(disc.id);
                [disc.at[0], disc.at[1], to[0], to[1]]
            })
            .collect();
        // Where each disc is a ghost.
        let receivers: Vec<Vec<usize>> = self.discs.iter().map(|disc| self.receivers(common, disc.at)).collect();
        let mut outgoing = vec![Vec::new(); domains];
        for (local, disc) in self.discs.iter().enumerate() {
            let ghost = Message::Ghost { id: disc.id, way: ways[local], radius: common.radii.of(disc.id as usize) };
            receivers[local].iter().for_each(|&to| outgoing[to].push(ghost));
        }
        let incoming = exchange.exchange(outgoing)?;
        let known = self.known(common, ways, &incoming);
        let places = Places::new(common, self.rectangle, &known);
        let rounds = self.decide(common, exchange, &known, &places, &receivers)?;
        self.load = Load { discs: own as u64, ghosts: (known.ids.len() - own) as u64, rounds };
        let has_moved = |local: &usize| known.states[*local].load(Relaxed) == MOVED;
        let moved: Vec<SnapshotDisc> = (0..own)
            .filter(has_moved)
            .map(|local| SnapshotDisc { id: known.ids[local], at: [known.ways[local][2], known.ways[local][3]] })
            .collect();
        (0..own)
            .filter(has_moved)
            .for_each(|local| self.discs[local].at = [known.ways[local][2], known.ways[local][3]]);
        self.migrate(common, exchange)?;
        self.steps += 1;
        Ok(moved)
    }

    /// The domains for which a disc at this position is a ghost.
    fn receivers(&self, common: &Common<'_>, at: [i32; 2]) -> Vec<usize> {
        let width = 2 * common.radii.largest() + 2 * common.longest_step;
        let axes = [common.world.x, common.world.y];
        let is_near =
            |rectangle: &Rectangle| (0..2).all(|axis| is_within(axes[axis], rectangle, axis, at[axis], width));
        let rectangles = common.partition.rectangles().iter().enumerate();
        rectangles.filter(|(number, rectangle)| *number != self.number && is_near(rectangle)).map(|(n, _)| n).collect()
    }

    fn known(&self, common: &Common<'_>, mut ways: Vec<[i32; 4]>, incoming: &[Vec<Message>]) -> Known {
        let mut ids: Vec<u32> = self.discs.iter().map(|disc| disc.id).collect();
        let mut radii: Vec<i32> = ids.iter().map(|&id| common.radii.of(id as usize)).collect();
        for message in incoming.iter().flatten() {
            if let Message::Ghost { id, way, radius } = *message {
                ids.push(id);
                ways.push(way);
                radii.push(radius);
            }
        }
        let draws = Philox::new(common.seed);
        let counter = [self.steps as u32, (self.steps >> 32) as u32];
        let priorities = ids.iter().map(|&id| draws.block([id, counter[0], PRIORITY, counter[1]])[0]).collect();
        let states = ids.iter().map(|_| AtomicU32::new(UNDECIDED)).collect();
        Known { ways, radii: Radii::of_some(radii), priorities, states, ids }
    }

    /// Decides in rounds, and tells the others. Returns the number of rounds.
    fn decide(
        &self,
        common: &Common<'_>,
        exchange: &impl Exchange,
        known: &Known,
        places: &Places<'_>,
        receivers: &[Vec<usize>],
    ) -> Result<u64, Failed> {
        let deciding = Deciding {
            world: common.world,
            rule: common.rule,
            radii: &known.radii,
            largest: common.radii.largest(),
            longest_step: Some(common.longest_step),
            targets: None,
            priorities: &known.priorities,
            states: &known.states,
            ids: &known.ids,
        };
        let mut open: Vec<u32> = (0..self.discs.len() as u32).collect();
        let (mut rounds, mut left) = (0, u64::MAX);
        loop {
            let before = open.clone();
            open = deciding.decide_each(places, before.iter().map(|&disc| (disc, known.ways[disc as usize])));
            rounds += 1;
            // What was decided in this round: the discs that were open, and are not any more.
            let decided = before.iter().filter(|disc| open.binary_search(disc).is_err());
            self.tell(common, exchange, known, decided, receivers)?;
            let open_now = exchange.sum(open.len() as u64)?;
            if common.rule == Rule::Conservative {
                for disc in open {
                    deciding.compete(places, disc, known.ways[disc as usize]);
                }
                return Ok(rounds + 1);
            }
            if open_now == 0 {
                return Ok(rounds);
            }
            if open_now == left {
                // Rings of discs that follow each other.
                for disc in open {
                    known.states[disc as usize].store(MOVED, Relaxed);
                }
                return Ok(rounds);
            }
            left = open_now;
        }
    }

    /// Sends decisions to the domains where the discs are ghosts, and stores those about ghosts here.
    fn tell<'d>(
        &self,
        common: &Common<'_>,
        exchange: &impl Exchange,
        known: &Known,
        decided: impl Iterator<Item = &'d u32>,
        receivers: &[Vec<usize>],
    ) -> Result<(), Failed> {
        let mut outgoing = vec![Vec::new(); common.partition.rectangles().len()];
        for &disc in decided {
            let state = known.states[disc as usize].load(Relaxed);
            let message = Message::Decision { id: known.ids[disc as usize], state };
            receivers[disc as usize].iter().for_each(|&to| outgoing[to].push(message));
        }
        let incoming = exchange.exchange(outgoing)?;
        let own = self.discs.len();
        let ghosts: std::collections::HashMap<u32, usize> =
            known.ids.iter().enumerate().skip(own).map(|(local, &id)| (id, local)).collect();
        for message in incoming.into_iter().flatten() {
            if let Message::Decision { id, state } = message
                && let Some(&local) = ghosts.get(&id)
            {
                known.states[local].store(state, Relaxed);
            }
        }
        Ok(())
    }

    /// Sends the discs that have left the rectangle to the domains that they have entered.
    fn migrate(&mut self, common: &Common<'_>, exchange: &impl Exchange) -> Result<(), Failed> {
        let mut outgoing = vec![Vec::new(); common.partition.rectangles().len()];
        self.discs.retain(|disc| {
            let to = common.partition.domain_of(disc.at);
            if to != self.number {
                outgoing[to].push(Message::Migrant { id: disc.id, at: disc.at });
            }
            to == self.number
        });
        for message in exchange.exchange(outgoing)?.into_iter().flatten() {
            if let Message::Migrant { id, at } = message {
                self.discs.push(SnapshotDisc { id, at });
            }
        }
        Ok(())
    }
}

/// Whether a position is within a distance of the cells of a rectangle, along an axis.
fn is_within(axis: WorldAxis, rectangle: &Rectangle, number: usize, at: i32, distance: i32) -> bool {
    let (from, to) = (rectangle.from[number] * CELL, (rectangle.to[number] * CELL).min(axis.size) - 1);
    (from..=to).contains(&at) || [from, to].iter().any(|&end| axis.offset(at, end).abs() <= distance)
}

/// Which known disc is in each cell of the rectangle and about it.
struct Places<'k> {
    known: &'k Known,
    axes: [WorldAxis; 2],
    /// First column and row, and how many there are.
    first: [i32; 2],
    count: [i32; 2],
    slots: Vec<u32>,
}

impl<'k> Places<'k> {
    fn new(common: &Common<'_>, rectangle: Rectangle, known: &'k Known) -> Self {
        let axes = [common.world.x, common.world.y];
        let margin = ((2 * common.radii.largest() + 2 * common.longest_step) >> CELL_BITS) + 2;
        let cells = axes.map(|axis| axis.cells);
        let count = [0, 1].map(|axis| (rectangle.to[axis] - rectangle.from[axis] + 2 * margin).min(cells[axis]));
        let first = [0, 1].map(|axis| {
            if count[axis] == cells[axis] { 0 } else { (rectangle.from[axis] - margin).rem_euclid(cells[axis]) }
        });
        let mut places = Self { known, axes, first, count, slots: vec![NONE; count[0] as usize * count[1] as usize] };
        for (local, way) in known.ways.iter().enumerate() {
            if let Some(slot) = places.index(way[0] >> CELL_BITS, way[1] >> CELL_BITS) {
                places.slots[slot] = local as u32;
            }
        }
        places
    }

    fn index(&self, column: i32, row: i32) -> Option<usize> {
        let [column, row] = [[column, 0], [row, 1]]
            .map(|[cell, axis]| (cell - self.first[axis as usize]).rem_euclid(self.axes[axis as usize].cells));
        let is_inside = column < self.count[0] && row < self.count[1];
        is_inside.then_some(row as usize * self.count[0] as usize + column as usize)
    }
}

impl Occupancy for Places<'_> {
    #[inline]
    fn slot(&self, column: i32, row: i32) -> u32 {
        self.index(column, row).map_or(NONE, |index| self.slots[index])
    }

    #[inline]
    fn occupant(&self, slot: u32) -> (u32, [i32; 4]) {
        (slot, self.known.ways[slot as usize])
    }
}

/// A bounded check is needed: ghosts come from a finite width.
pub(super) fn bounded(longest_step: Option<i32>) -> Result<i32, InputError> {
    longest_step.ok_or_else(|| {
        InputError::one(
            "longest step",
            "steps of any length",
            "give a longest step: domains exchange what is near them",
        )
    })
}
