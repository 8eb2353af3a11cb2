//! The paper's program on one thread: five kernels per tick, on stored fields.

use rayon::prelude::*;
use throng_core::{InputError, Philox, Problems, check_memory};
use throng_pedestrians::rules::decision::{Weights, key, pressure};
use throng_pedestrians::rules::diagonal::{is_shut, walls_beside};
use throng_pedestrians::rules::direction::{DIRECTIONS, turned, turns};
use throng_pedestrians::rules::sums::ByDirection;
use throng_pedestrians::rules::vote::{TICK, beats, priority};
use throng_pedestrians::{EMPTY, FieldTables, Pedestrians, Sums, WALL, World};

use super::cache::{Cache, Change, Reader};
use super::caching::{Caching, PARTIAL_SUMS, bytes};
use super::numbers::{NOT_STORED, Numbers};
use super::slots::Slots;
use super::sorting::{score_of, sort, turns_of};

/// A world with pedestrians and their stored fields.
///
/// With any [`Caching`], every tick ends in the state of [`Reference`](throng_pedestrians::Reference).
#[derive(Debug)]
pub struct StoredFields {
    world: World,
    weights: Weights,
    slots: Slots,
    numbers: Numbers,
    draws: Philox,
    tick: u32,
    pedestrians: Pedestrians,
    occupants: Vec<u32>,
    /// The paper's 3-D image, indexed by `[unit][number]`.
    fields: Vec<i32>,
    cache: Cache,
    /// The space unit that each pedestrian wants to enter.
    wanted: Vec<u32>,
    /// The enrolment stations, with a slot for each direction of arrival, indexed by `[unit][direction]`.
    stations: Vec<u32>,
    /// The pedestrian that may enter each space unit.
    winners: Vec<u32>,
}

/// Rejects numbers of partial sums that the paper does not have, features that the paper's program does not simulate,
/// and fields that do not fit into the world.
pub(super) fn check(
    world: &World,
    tables: &FieldTables,
    pedestrians: &Pedestrians,
    caching: Caching,
) -> Result<(), InputError> {
    let mut problems = Problems::new();
    if let Caching::MultiStep(sums) = caching
        && !PARTIAL_SUMS.contains(&sums)
    {
        problems.push("partial sums", sums.to_string(), "give 2, 4, 8 or 16");
    }
    for (key, value) in tables.extensions() {
        problems.push(key, value, "leave it out: the paper's program does not have it");
    }
    if !world.openings().is_empty() {
        problems.push("exits", "a world with openings", "leave them out: the paper's program does not have them");
    }
    if let Some(period) = pedestrians.period.iter().find(|&&period| period > 1) {
        let remedy = "give 1: in the paper's program a space unit that is left can be entered in the next tick";
        problems.push("walk_periods", period.to_string(), remedy);
    }
    if pedestrians.has_large_bodies() {
        problems.push("body_su", "bodies of several space units", "give bodies of one space unit");
    }
    problems.into_result()?;
    world.check_field(tables.size() as i32 / 2)
}

impl StoredFields {
    /// Places pedestrians before `tick`. Memory: see [`bytes`], plus up to 53 bytes per space unit, 17 per pedestrian.
    ///
    /// # Errors
    /// If fields do not fit into the world; if the number of partial sums is not one of the paper's; if world, fields
    /// or pedestrians have features that the paper's program lacks ([`FieldTables::extensions`], openings, walk periods
    /// above 1, large bodies); if there is not enough memory; or as for [`Pedestrians::occupants`].
    pub fn new(
        world: World,
        tables: &FieldTables,
        mut pedestrians: Pedestrians,
        seed: u64,
        tick: u32,
        caching: Caching,
    ) -> Result<Self, InputError> {
        check(&world, tables, &pedestrians, caching)?;
        let occupants = pedestrians.occupants(&world)?;
        // The pedestrians may have traces of an earlier world; this one has none.
        pedestrians.traces = Vec::new();
        let numbers = Numbers::of(&pedestrians.heading);
        let slots = Slots::new(tables, caching.multiple());
        let units = occupants.len();
        let needed = bytes(caching, slots.fan_out(), numbers, units as u64);
        let remedy = "use smaller fields, a smaller world or partial sums";
        check_memory(needed, "memory", format_args!("{caching}: fields and cache"), remedy)?;
        let mut program = Self {
            fields: vec![0; units * numbers.count() as usize],
            cache: Cache::new(caching, &slots, numbers, units),
            wanted: vec![EMPTY; pedestrians.len()],
            stations: vec![EMPTY; units * DIRECTIONS as usize],
            winners: vec![EMPTY; units],
            weights: tables.weights(),
            draws: Philox::new(seed),
            world,
            slots,
            numbers,
            tick,
            pedestrians,
            occupants,
        };
        let mut fields = std::mem::take(&mut program.fields);
        program.store_first_fields(&mut fields, tables.size() as i32 / 2);
        program.fields = fields;
        Ok(program)
    }

    /// Stores the fields of all pedestrians, on all threads. Each band of rows adds the fields of the pedestrians in it
    /// and in the rows within the field radius.
    fn store_first_fields(&self, fields: &mut [i32], radius: i32) {
        const BAND: usize = 32;
        let Self { world, slots, numbers, occupants, .. } = self;
        let (width, height) = (world.grid().width as usize, world.grid().height as i32);
        let count = numbers.count() as usize;
        fields.par_chunks_mut(BAND * width * count).enumerate().for_each(|(band, fields)| {
            let units = band * BAND * width..band * BAND * width + fields.len() / count;
            let [first, end] = [units.start, units.end].map(|unit| (unit / width) as i32);
            // Rows wrap around at the border; `take` prevents visiting a row twice.
            for row in (first - radius..end + radius).take(height as usize).map(|row| row.rem_euclid(height) as usize) {
                for &occupant in occupants[row * width..][..width].iter().filter(|&&occupant| occupant < WALL) {
                    let change = self.change(occupant as usize, 1);
                    change.for_each_reader(world.grid(), slots, *numbers, |Reader { unit, slot, targets, .. }| {
                        if units.contains(&unit) {
                            targets.add(&mut fields[(unit - units.start) * count..][..count], slot.strengths);
                        }
                    });
                }
            }
        });
    }

    /// Returns the pedestrians after the last step.
    pub fn pedestrians(&self) -> &Pedestrians {
        &self.pedestrians
    }

    /// The stored sums of field strengths for a space unit and a heading; zero for those that are not stored.
    pub fn sums(&self, unit: u32, heading: u32) -> Sums {
        let count = self.numbers.count() as usize;
        let stored = &self.fields[unit as usize * count..][..count];
        let of = |number: u32| if number == NOT_STORED { 0 } else { stored[number as usize] };
        Sums {
            crowd: ByDirection(std::array::from_fn(|direction| stored[direction])),
            same: ByDirection(std::array::from_fn(|direction| of(self.numbers.same(heading, direction as u32)))),
            oncoming: ByDirection(std::array::from_fn(|direction| {
                of(self.numbers.oncoming(heading, direction as u32))
            })),
        }
    }

    /// Makes one tick, and returns the number of pedestrians that moved.
    pub fn step(&mut self) -> usize {
        self.initialize();
        self.decide();
        self.vote();
        let moved = self.carry_out();
        self.write_back();
        self.tick += 1;
        // A refused pedestrian tries again in the next tick.
        self.pedestrians.due.iter_mut().for_each(|due| *due = (*due).max(self.tick));
        moved
    }

    /// k-1: clears the temporary storage.
    fn initialize(&mut self) {
        self.stations.fill(EMPTY);
        self.winners.fill(EMPTY);
        self.cache.clear();
    }

    /// k-2: each due pedestrian chooses a space unit and registers with its station.
    fn decide(&mut self) {
        for pedestrian in 0..self.pedestrians.len() {
            let wish = if self.tick < self.pedestrians.due[pedestrian] { None } else { self.wish(pedestrian) };
            self.wanted[pedestrian] = wish.map_or(EMPTY, |(unit, _)| unit);
            if let Some((unit, direction)) = wish {
                self.stations[(unit * DIRECTIONS + direction) as usize] = pedestrian as u32;
            }
        }
    }

    /// k-3: each empty space unit chooses one of the registered pedestrians.
    fn vote(&mut self) {
        for (unit, winner) in self.winners.iter_mut().enumerate() {
            if self.occupants[unit] != EMPTY {
                continue;
            }
            let mut best_priority = 0;
            for &candidate in &self.stations[unit * DIRECTIONS as usize..][..DIRECTIONS as usize] {
                if candidate != EMPTY {
                    let own = priority(self.draws.block([candidate, self.tick, TICK, 0])[0]);
                    if *winner == EMPTY || beats(own, candidate, best_priority, *winner) {
                        (*winner, best_priority) = (candidate, own);
                    }
                }
            }
        }
    }

    /// k-4: the winners move, and the changes of the fields are cached.
    fn carry_out(&mut self) -> usize {
        let mut moved = 0;
        for pedestrian in 0..self.pedestrians.len() {
            let to = self.wanted[pedestrian];
            if to == EMPTY || self.winners[to as usize] != pedestrian as u32 {
                continue;
            }
            self.enter_change(pedestrian, -1);
            self.occupants[self.pedestrians.at[pedestrian] as usize] = EMPTY;
            self.occupants[to as usize] = pedestrian as u32;
            self.pedestrians.at[pedestrian] = to;
            self.pedestrians.due[pedestrian] = self.tick + self.pedestrians.period[pedestrian];
            self.enter_change(pedestrian, 1);
            moved += 1;
        }
        self.cache.sum_in_steps(self.world.grid(), &self.slots, self.numbers);
        moved
    }

    /// k-5: adds the cached changes to the fields.
    fn write_back(&mut self) {
        self.cache.write_back(&mut self.fields, self.numbers, &self.slots);
    }

    fn change(&self, pedestrian: usize, sign: i32) -> Change {
        let heading = u32::from(self.pedestrians.heading[pedestrian]);
        Change { unit: self.pedestrians.at[pedestrian], heading, sign }
    }

    fn enter_change(&mut self, pedestrian: usize, sign: i32) {
        let change = self.change(pedestrian, sign);
        self.cache.enter(change, self.world.grid(), &self.slots, &mut self.fields, self.numbers);
    }

    /// The space unit that a pedestrian wants to enter, and the direction towards it.
    fn wish(&self, pedestrian: usize) -> Option<(u32, u32)> {
        let unit = self.pedestrians.at[pedestrian];
        let heading = u32::from(self.pedestrians.heading[pedestrian]);
        let sums = self.sums(unit, heading);
        let prefers_right = self.draws.block([pedestrian as u32, self.tick, TICK, 0])[1] & 1;
        let mut keys: [i32; DIRECTIONS as usize] = std::array::from_fn(|direction| {
            let [same, oncoming] = [sums.same, sums.oncoming].map(|of| of[direction]);
            let direction = direction as u32;
            let crowd = pressure(&sums.crowd, direction);
            let score = self.weights.score_towards(direction, heading, crowd, same, oncoming, 0);
            key(score, turns(heading, direction), prefers_right)
        });
        sort(&mut keys);
        let [x, y] = self.world.grid().place(unit);
        keys.into_iter()
            .filter(|&key| score_of(key) > self.weights.threshold)
            .map(|key| turned(heading, turns_of(key, prefers_right)))
            .find(|&direction| self.is_possible(x, y, direction))
            .map(|direction| (self.world.grid().neighbour(x, y, direction), direction))
    }

    /// Whether the neighbour in a direction is empty and not cut off diagonally by two walls.
    fn is_possible(&self, x: i32, y: i32, direction: u32) -> bool {
        let occupant = |turn: u32| {
            let unit = self.world.grid().neighbour(x, y, turned(direction, turn));
            self.occupants.get(unit as usize).copied().unwrap_or(WALL)
        };
        occupant(0) == EMPTY && !is_shut(direction, walls_beside(direction, occupant(1) == WALL, occupant(7) == WALL))
    }
}

#[cfg(test)]
mod tests;
