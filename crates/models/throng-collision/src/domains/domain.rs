//! A domain: its discs, their decisions, and the messages to other domains.

use std::cell::Cell;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use throng_core::{InputError, Philox, StateHash};

use super::super::cpu::{NONE, Options, check_longest_step, priority_of};
use super::super::deciding::{Deciding, Occupancy};
use super::super::lattice::CELL_BITS;
use super::super::rules::contest::{MOVED, Rule, UNDECIDED};
use super::super::scene::Radii;
use super::super::walls::{Wall, WallIndex};
use super::super::ways::way_of;
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
    /// Its radius, units.
    pub radius: i32,
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

impl Snapshot {
    /// The hash of the discs of the domain. The hashes of all domains, merged, are that of the crowd: they depend
    /// neither on the partition nor on the order of the discs.
    pub fn hash(&self) -> StateHash {
        let mut hash = StateHash::new();
        for disc in &self.discs {
            hash.add(u64::from(disc.id), &disc.at.map(|at| at as u64));
        }
        hash
    }
}

/// What all domains agree on: the same values in each. It does not grow with the number of discs.
#[derive(Debug, Clone)]
pub struct Agreement {
    pub(super) world: World,
    pub(super) walls: WallIndex,
    pub(super) partition: Partition,
    pub(super) rule: Rule,
    pub(super) seed: u64,
    /// The largest radius of all discs.
    pub(super) largest: i32,
    pub(super) longest_step: i32,
}

impl Agreement {
    /// A world with walls and a partition, for discs of radii up to `largest`.
    ///
    /// # Errors
    /// When steps have no longest length, or one that exceeds [`LONGEST_STEP`](super::super::LONGEST_STEP), and when
    /// walls leave the world.
    pub fn new(
        world: World,
        walls: &[Wall],
        largest: i32,
        options: &Options,
        partition: Partition,
    ) -> Result<Self, InputError> {
        let longest_step = bounded(options.longest_step)?;
        let reach = check_longest_step(options, false)?.max(largest);
        let walls = WallIndex::new(&world, walls, reach, options.lattice.as_ref())?;
        Ok(Self { world, walls, partition, rule: options.rule, seed: options.seed, largest, longest_step })
    }

    /// The partition of the world.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// How far from the rectangle of another domain a disc of this radius may concern the decisions there: see
    /// [A step](super#a-step).
    fn ghost_width(&self, radius: i32) -> i32 {
        radius + self.largest + 2 * self.longest_step
    }
}

/// Why a step was not completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// A wish is too far away, in this domain or in another one. Nothing has changed.
    TooLong,
    /// Another domain left.
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

/// The discs of a domain in a step: its own ones first, then the ghosts from each neighbour.
struct Known {
    own: usize,
    ids: Vec<u32>,
    ways: Vec<[i32; 4]>,
    radii: Radii,
    priorities: Vec<u32>,
    states: Vec<AtomicU32>,
    /// The first ghost from each neighbour.
    ghosts_from: Vec<usize>,
}

/// What a domain shares with one neighbour: which ghost there each of its own discs is, as long as its decision is
/// open.
type Shared = Vec<(u32, u32)>;

impl Domain {
    /// The domain with this number, the index of its rectangle in the partition. The snapshot holds the discs of this
    /// rectangle, with radii of at most the largest one of the agreement; all snapshots together hold every disc once,
    /// and no two discs overlap. Decisions are undefined otherwise.
    pub fn new(number: usize, snapshot: Snapshot) -> Self {
        let Snapshot { rectangle, discs, steps } = snapshot;
        Self { number, rectangle, discs, steps, load: Load::default() }
    }

    /// What it needs to go on.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { rectangle: self.rectangle, discs: self.discs.clone(), steps: self.steps }
    }

    /// What it did in the last step.
    pub fn load(&self) -> Load {
        self.load
    }

    /// Makes a step, as all other domains do at the same time. `wish` gives for an id where the disc wishes to be; it
    /// is called for own discs only. Returns the discs that moved, at their new positions.
    ///
    /// # Errors
    /// [`Stopped`]: when a wish is too far away, here or elsewhere, or when another domain has left the exchange.
    pub fn step(
        &mut self,
        common: &Agreement,
        exchange: &impl Exchange,
        wish: impl Fn(u32) -> [i32; 2],
    ) -> Result<Vec<SnapshotDisc>, Stopped> {
        let way = |disc: &SnapshotDisc| {
            way_of(&common.world, &common.walls, Some(common.longest_step), disc.radius, disc.at, wish(disc.id))
        };
        let ways: Vec<[i32; 4]> = self.discs.iter().filter_map(way).collect();
        if exchange.sum((self.discs.len() - ways.len()) as u64)? > 0 {
            return Err(Stopped::TooLong);
        }
        let neighbours = common.partition.neighbours(&common.world, self.number, common.ghost_width(common.largest));
        let (ghosts, shared) = self.ghosts(common, &neighbours, &ways);
        let known = self.known(common, ways, &exchange.exchange(&neighbours, ghosts)?);
        let places = Places::new(common, self.rectangle, &known);
        let rounds = decide(common, exchange, &neighbours, &known, &places, shared)?;
        let (own, ghosts) = (known.own as u64, (known.ids.len() - known.own) as u64);
        self.load = Load { discs: own, ghosts, candidates: places.met.get(), rounds };
        let mut moved = Vec::new();
        for (local, disc) in self.discs.iter_mut().enumerate() {
            if known.states[local].load(Relaxed) == MOVED {
                let [_, _, x, y] = known.ways[local];
                disc.at = [x, y];
                moved.push(*disc);
            }
        }
        self.migrate(common, exchange, &neighbours)?;
        self.steps += 1;
        Ok(moved)
    }

    /// The ghosts for each neighbour.
    fn ghosts(&self, common: &Agreement, neighbours: &[usize], ways: &[[i32; 4]]) -> (Vec<Vec<Message>>, Vec<Shared>) {
        let (mut messages, mut shared) = (vec![Vec::new(); neighbours.len()], vec![Shared::new(); neighbours.len()]);
        let rectangles: Vec<Rectangle> =
            neighbours.iter().map(|&number| common.partition.rectangles()[number]).collect();
        for (local, (&SnapshotDisc { id, at, radius }, &way)) in self.discs.iter().zip(ways).enumerate() {
            for (neighbour, rectangle) in rectangles.iter().enumerate() {
                if rectangle.is_within(&common.world, at, common.ghost_width(radius)) {
                    shared[neighbour].push((local as u32, messages[neighbour].len() as u32));
                    messages[neighbour].push(Message::Ghost { id, way, radius });
                }
            }
        }
        (messages, shared)
    }

    fn known(&self, common: &Agreement, mut ways: Vec<[i32; 4]>, incoming: &[Vec<Message>]) -> Known {
        let mut ids: Vec<u32> = self.discs.iter().map(|disc| disc.id).collect();
        let mut radii: Vec<i32> = self.discs.iter().map(|disc| disc.radius).collect();
        let mut ghosts_from = Vec::with_capacity(incoming.len());
        for messages in incoming {
            ghosts_from.push(ids.len());
            for message in messages {
                if let Message::Ghost { id, way, radius } = *message {
                    ids.push(id);
                    ways.push(way);
                    radii.push(radius);
                }
            }
        }
        let draws = Philox::new(common.seed);
        let priorities = ids.iter().map(|&id| priority_of(draws, id, self.steps)).collect();
        let states = ids.iter().map(|_| AtomicU32::new(UNDECIDED)).collect();
        Known { own: self.discs.len(), ways, radii: Radii::of_some(radii), priorities, states, ids, ghosts_from }
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

/// Decides about the domain's own discs in rounds, and sends the decisions to the neighbours. Returns the number of
/// rounds.
fn decide(
    common: &Agreement,
    exchange: &impl Exchange,
    neighbours: &[usize],
    known: &Known,
    places: &Places<'_>,
    mut shared: Vec<Shared>,
) -> Result<u64, Failed> {
    let deciding = Deciding {
        world: &common.world,
        rule: common.rule,
        radii: &known.radii,
        largest: common.largest,
        longest_step: Some(common.longest_step),
        targets: None,
        priorities: &known.priorities,
        states: &known.states,
        ids: &known.ids,
    };
    let with_ways = |discs: Vec<u32>| discs.into_iter().map(|disc| (disc, known.ways[disc as usize]));
    let mut open: Vec<u32> = (0..known.own as u32).collect();
    let (mut rounds, mut open_before) = (0, u64::MAX);
    loop {
        open = deciding.decide_each(places, with_ways(open));
        rounds += 1;
        tell(exchange, neighbours, known, &mut shared)?;
        if common.rule == Rule::Conservative {
            for &disc in &open {
                deciding.compete(places, disc, known.ways[disc as usize]);
            }
            return Ok(rounds + 1);
        }
        let open_now = exchange.sum(open.len() as u64)?;
        if open_now == 0 {
            return Ok(rounds);
        }
        if open_now == open_before {
            // No domain has decided anything: the rest are rings of discs that follow each other.
            for &disc in &open {
                known.states[disc as usize].store(MOVED, Relaxed);
            }
            return Ok(rounds);
        }
        open_before = open_now;
    }
}

/// Sends what was decided since the last call to the neighbours where the discs are ghosts, and stores what they
/// decided about ghosts here.
fn tell(exchange: &impl Exchange, neighbours: &[usize], known: &Known, shared: &mut [Shared]) -> Result<(), Failed> {
    let mut outgoing = vec![Vec::new(); neighbours.len()];
    for (open, messages) in shared.iter_mut().zip(&mut outgoing) {
        open.retain(|&(local, ghost)| {
            let state = known.states[local as usize].load(Relaxed);
            if state != UNDECIDED {
                messages.push(Message::Decision { ghost, state });
            }
            state == UNDECIDED
        });
    }
    for (messages, first) in exchange.exchange(neighbours, outgoing)?.into_iter().zip(&known.ghosts_from) {
        for message in messages {
            if let Message::Decision { ghost, state } = message
                && let Some(known) = known.states.get(first + ghost as usize)
            {
                known.store(state, Relaxed);
            }
        }
    }
    Ok(())
}

/// Which known disc is in each cell of the rectangle and about it.
struct Places<'k> {
    known: &'k Known,
    axes: [WorldAxis; 2],
    /// First column and row, and how many there are.
    first: [i32; 2],
    count: [i32; 2],
    slots: Vec<u32>,
    /// How many discs were met so far: the discs in cells about a wish, once for each time that it was decided about.
    met: Cell<u64>,
}

impl<'k> Places<'k> {
    fn new(common: &Agreement, rectangle: Rectangle, known: &'k Known) -> Self {
        let axes = [common.world.x, common.world.y];
        let margin = (common.ghost_width(common.largest) >> CELL_BITS) + 2;
        let cells = axes.map(|axis| axis.cells);
        let count = [0, 1].map(|axis| (rectangle.to[axis] - rectangle.from[axis] + 2 * margin).min(cells[axis]));
        let first = [0, 1].map(|axis| {
            if count[axis] == cells[axis] { 0 } else { (rectangle.from[axis] - margin).rem_euclid(cells[axis]) }
        });
        let slots = vec![NONE; count[0] as usize * count[1] as usize];
        let mut places = Self { known, axes, first, count, slots, met: Cell::new(0) };
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
        self.met.set(self.met.get() + 1);
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
