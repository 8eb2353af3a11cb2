//! The executor of bodies on the threads of the CPU.

use rayon::prelude::*;
use throng_core::{InputError, Philox, check_memory};

use super::super::best_direction::{Surroundings, best_direction};
use super::super::fields::FieldTables;
use super::super::rules::direction::{DIRECTIONS, STANDS, turned};
use super::super::rules::vote::{TICK, beats, pause, priority};
use super::super::scene::{EMPTY, Pedestrians, WALL, World};
use super::super::static_fields::static_scores;
use super::place::{possible, reading_unit};
use super::plan::Plan;
use super::sums::BodiesOnFloor;

/// A world with pedestrians whose bodies have several space units.
#[derive(Debug)]
pub struct Bodies {
    world: World,
    tables: FieldTables,
    plan: Plan,
    static_scores: Vec<i32>,
    draws: Philox,
    tick: u32,
    pedestrians: Pedestrians,
    occupants: Vec<u32>,
    /// In which direction each pedestrian wants to go, or [`STANDS`].
    intents: Vec<u8>,
    /// The winner of each space unit, or [`EMPTY`].
    winners: Vec<u32>,
}

impl Bodies {
    /// Pedestrians in a world, before a tick. Memory: 8 bytes for each space unit, 4 more with walk periods above 1, 32 more where
    /// walls have fields, and 14 for each pedestrian.
    ///
    /// # Errors
    /// As for [`Pedestrians::occupants`]; bodies longer than 11 space units; fields that do not fit into the world; worlds
    /// with openings, exchanges and traces, which are for bodies of one space unit.
    pub fn new(
        world: World,
        tables: FieldTables,
        mut pedestrians: Pedestrians,
        seed: u64,
        tick: u32,
    ) -> Result<Self, InputError> {
        let plan = Plan::new(&world, &tables, &pedestrians)?;
        let units = world.grid.units() as u64;
        let remedy = "use a smaller world, or larger space units";
        // Fields of walls twice, while threads join what they have computed.
        let of_fields = if tables.has_static_scores() { 64 } else { 0 };
        let of_steps = if pedestrians.has_long_steps() { 4 } else { 0 };
        check_memory((8 + of_fields + of_steps) * units, "world", format_args!("{units} space units"), remedy)?;
        let occupants = pedestrians.occupants(&world)?;
        pedestrians.free_from = pedestrians.complete_free_from(&world)?;
        pedestrians.bodies = (0..pedestrians.len()).map(|pedestrian| pedestrians.body(pedestrian)).collect();
        Ok(Self {
            static_scores: static_scores(&world, &tables),
            intents: vec![STANDS; pedestrians.len()],
            winners: vec![EMPTY; occupants.len()],
            draws: Philox::new(seed),
            world,
            tables,
            plan,
            tick,
            pedestrians,
            occupants,
        })
    }

    /// The pedestrians.
    pub fn pedestrians(&self) -> Pedestrians {
        let mut pedestrians = self.pedestrians.clone();
        pedestrians.normalize(self.tick);
        pedestrians
    }

    /// One tick, as [`Reference::step`](super::super::Reference::step) makes it. Returns how many moved.
    pub fn step(&mut self) -> usize {
        let pedestrians = 0..self.pedestrians.len();
        self.intents = pedestrians.clone().into_par_iter().map(|pedestrian| self.intent(pedestrian)).collect();
        let units = 0..self.occupants.len() as u32;
        self.winners = units.clone().into_par_iter().map(|unit| self.winner(unit)).collect();
        let to: Vec<Option<u32>> = pedestrians.into_par_iter().map(|pedestrian| self.destination(pedestrian)).collect();
        let occupant = |unit: u32| {
            let (occupant, winner) = (self.occupants[unit as usize], self.winners[unit as usize]);
            match occupant {
                WALL => WALL,
                EMPTY if winner != EMPTY && to[winner as usize].is_some() => winner,
                EMPTY => EMPTY,
                _ => match to[occupant as usize] {
                    Some(to) if !self.covers(occupant as usize, to, unit) => EMPTY,
                    _ => occupant,
                },
            }
        };
        self.occupants = units.into_par_iter().map(occupant).collect();
        for (pedestrian, to) in to.iter().enumerate() {
            let Some(to) = *to else { continue };
            let left = self.body(pedestrian, self.pedestrians.at[pedestrian]);
            let left: Vec<u32> = left.filter(|&unit| !self.covers(pedestrian, to, unit)).collect();
            let Pedestrians { at, period, due, free_from, .. } = &mut self.pedestrians;
            at[pedestrian] = to;
            let ticks = pause(period[pedestrian], self.intents[pedestrian].into(), self.tables.equal_speeds);
            due[pedestrian] = self.tick + ticks;
            for unit in left {
                if let Some(free_from) = free_from.get_mut(unit as usize) {
                    *free_from = due[pedestrian];
                }
            }
        }
        self.tick += 1;
        to.iter().flatten().count()
    }

    /// The space units of a body.
    fn body(&self, pedestrian: usize, at: u32) -> impl Iterator<Item = u32> {
        self.world.grid.rectangle(at, self.pedestrians.bodies[pedestrian])
    }

    /// Whether the body of a pedestrian at a place covers a space unit.
    fn covers(&self, pedestrian: usize, at: u32, unit: u32) -> bool {
        let [columns, rows] = self.pedestrians.bodies[pedestrian].map(i32::from);
        self.world.grid.covers(at, columns, rows, unit)
    }

    /// What a pedestrian wants.
    fn intent(&self, pedestrian: usize) -> u8 {
        let Pedestrians { at, heading, due, bodies, .. } = &self.pedestrians;
        if self.tick < due[pedestrian] {
            return STANDS;
        }
        let [_, side, ..] = self.draws.block([pedestrian as u32, self.tick, TICK, 0]);
        let floor = BodiesOnFloor {
            grid: &self.world.grid,
            occupants: &self.occupants,
            pedestrians: &self.pedestrians,
            plan: &self.plan,
        };
        let unit = reading_unit(&self.world.grid, at[pedestrian], bodies[pedestrian]);
        let heading = heading[pedestrian].into();
        let lets_in = |unit: u32| self.pedestrians.lets_in(unit, self.tick);
        let surroundings = Surroundings {
            heading,
            sums: floor.sums(&self.tables, unit, heading),
            static_scores: self.static_scores.chunks_exact(DIRECTIONS as usize).nth(unit as usize),
            possible: possible(&self.world.grid, &self.occupants, lets_in, at[pedestrian], bodies[pedestrian]),
            prefers_right: side & 1,
        };
        best_direction(&self.tables.weights, &surroundings).map_or(STANDS, |direction| direction as u8)
    }

    /// Who may enter an empty space unit, or [`EMPTY`]: of those whose bodies are beside it and move onto it, the one with
    /// the highest priority.
    fn winner(&self, unit: u32) -> u32 {
        let mut best = EMPTY;
        if self.occupants[unit as usize] != EMPTY {
            return best;
        }
        let [x, y] = self.world.grid.place(unit);
        for direction in 0..DIRECTIONS {
            let from = self.world.grid.neighbour(x, y, turned(direction, 4));
            let Some(&candidate) = self.occupants.get(from as usize).filter(|&&occupant| occupant < WALL) else {
                continue;
            };
            let priority = |of: u32| priority(self.draws.block([of, self.tick, TICK, 0])[0]);
            let wants = u32::from(self.intents[candidate as usize]) == direction;
            if wants && (best == EMPTY || beats(priority(candidate), candidate, priority(best), best)) {
                best = candidate;
            }
        }
        best
    }

    /// Where a pedestrian goes, if it won all space units that it would enter.
    fn destination(&self, pedestrian: usize) -> Option<u32> {
        let intent = self.intents[pedestrian];
        let number = pedestrian as u32;
        let [x, y] = self.world.grid.place(self.pedestrians.at[pedestrian]);
        let to = (intent != STANDS).then(|| self.world.grid.neighbour(x, y, intent.into()))?;
        let is_own = |unit: u32| [self.occupants[unit as usize], self.winners[unit as usize]].contains(&number);
        self.body(pedestrian, to).all(is_own).then_some(to)
    }
}
