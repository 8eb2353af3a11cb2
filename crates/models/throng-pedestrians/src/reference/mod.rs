//! The model as defined: one tick on one thread. It is slow and serves as the reference for the other executors.
//!
//! It shares only the rules with the executors, and the rules have separate tests. Fields are summed over all their
//! sources, routes are found by lowering lengths until none changes, and the possible moves of pedestrians are
//! implemented separately.

mod bodies;
mod fields;
mod openings;

use throng_core::{InputError, Philox};

use super::bodies::Plan;
use super::fields::FieldTables;
use super::rules::decision::{key, pressure};
use super::rules::direction::{DIRECTIONS, STANDS, turned, turns};
use super::rules::directional::{STEP, decayed};
use super::rules::sums::Sums;
use super::rules::vote::{TICK, beats, exchange, pause, priority};
use super::scene::{EMPTY, Pedestrians, WALL, World};
use bodies::{Placed, is_possible, reading_unit};
use fields::static_scores;
use openings::OpeningsByDefinition;

/// The state of a world with pedestrians, simulated by the definition.
#[derive(Debug, Clone)]
pub struct Reference {
    world: World,
    tables: FieldTables,
    seed: u64,
    tick: u32,
    pedestrians: Pedestrians,
    occupants: Vec<u32>,
    openings: Option<OpeningsByDefinition>,
    static_scores: Vec<i32>,
}

/// Action that a pedestrian wants to take in a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Intent {
    Still,
    /// Enter the empty space unit in a direction.
    Enter(u32),
    /// Exchange places with the pedestrian in a direction.
    Exchange(u32),
    /// Grow by the space units in a direction.
    Grow(u32),
}

impl Reference {
    /// Creates a world with pedestrians before `tick`.
    ///
    /// # Errors
    /// As for [`Pedestrians::occupants`], and for fields, bodies or pedestrians that do not suit the world.
    pub fn new(
        world: World,
        tables: FieldTables,
        mut pedestrians: Pedestrians,
        seed: u64,
        tick: u32,
    ) -> Result<Self, InputError> {
        world.check_field(tables.radius)?;
        if pedestrians.has_large_bodies() {
            // Rejects features that bodies do not support.
            Plan::new(&world, &tables, &pedestrians)?;
        }
        let mut occupants = pedestrians.occupants(&world)?;
        let openings = OpeningsByDefinition::before(&world, seed, tick, &mut occupants, &mut pedestrians)?;
        let static_scores = static_scores(&world, &tables);
        pedestrians.begin_changes();
        pedestrians.begin_traces(&world, &tables)?;
        pedestrians.free_from = pedestrians.complete_free_from(&world)?;
        pedestrians.normalize(tick);
        Ok(Self { world, tables, seed, tick, pedestrians, occupants, openings, static_scores })
    }

    /// Returns the pedestrians.
    pub fn pedestrians(&self) -> &Pedestrians {
        &self.pedestrians
    }

    /// Returns the pedestrian in each space unit, or [`EMPTY`] or [`WALL`].
    pub fn occupants(&self) -> &[u32] {
        &self.occupants
    }

    /// Simulates one tick: all pedestrians decide, a vote picks one of those that want the same space unit, and the
    /// winners move or grow; others may squeeze; then openings act. Returns the number of pedestrians that moved. A
    /// space unit can be entered once the step of the pedestrian that left it is over: with a walk period of 1, in the
    /// next tick.
    pub fn step(&mut self) -> usize {
        let intents: Vec<Intent> = (0..self.pedestrians.len()).map(|pedestrian| self.intent(pedestrian)).collect();
        let target = |pedestrian: usize, direction: u32| {
            let [x, y] = self.world.grid.place(self.pedestrians.at[pedestrian]);
            self.world.grid.neighbour(x, y, direction)
        };
        let mut winners = vec![EMPTY; self.occupants.len()];
        let mut exchanges = Vec::new();
        for (pedestrian, &intent) in intents.iter().enumerate() {
            let number = pedestrian as u32;
            let wanted = self.wanted(pedestrian, intent);
            for unit in wanted.into_iter().flat_map(|Placed { at, body, .. }| self.world.grid.rectangle(at, body)) {
                let winner = &mut winners[unit as usize];
                let priority = |of: u32| self.draw(of)[0];
                if *winner == EMPTY || beats(priority(number), number, priority(*winner), *winner) {
                    *winner = number;
                }
            }
            match intent {
                Intent::Still | Intent::Enter(_) | Intent::Grow(_) => {}
                Intent::Exchange(direction) => {
                    let other = self.occupants[target(pedestrian, direction) as usize];
                    let wants = intents[other as usize];
                    if matches!(wants, Intent::Exchange(others) if exchange(direction, others)) && number < other {
                        exchanges.push([(number, direction), (other, turned(direction, 4))]);
                    }
                }
            }
        }
        // Pedestrians that won all space units that they would enter.
        let won = |placed: &Placed| {
            let is_own =
                |unit: u32| [self.occupants[unit as usize], winners[unit as usize]].contains(&placed.pedestrian);
            self.world.grid.rectangle(placed.at, placed.body).all(is_own)
        };
        let wanted = intents.iter().enumerate().map(|(pedestrian, &intent)| self.wanted(pedestrian, intent));
        let mut placed: Vec<Placed> = wanted.flatten().filter(won).collect();
        let entered: Vec<u32> =
            placed.iter().filter(|placed| placed.step.is_some()).map(|placed| placed.pedestrian).collect();
        let squeezed = self.squeeze(&placed, &intents);
        placed.extend(squeezed);
        let before: Vec<Vec<u32>> = placed.iter().map(|placed| self.covered(placed.pedestrian).collect()).collect();
        for &unit in before.iter().flatten() {
            self.occupants[unit as usize] = EMPTY;
        }
        for placed in &placed {
            self.place(*placed, 1);
        }
        for (placed, before) in placed.iter().zip(&before) {
            for &left in before.iter().filter(|&&unit| self.occupants[unit as usize] == EMPTY) {
                if let Some(free_from) = self.pedestrians.free_from.get_mut(left as usize) {
                    *free_from = self.pedestrians.due[placed.pedestrian as usize];
                }
            }
        }
        for &[(one, direction), (other, others)] in &exchanges {
            let [from, to] = [one, other].map(|pedestrian| self.pedestrians.at[pedestrian as usize]);
            for (pedestrian, at, direction) in [(one, to, direction), (other, from, others)] {
                let placed = Placed { pedestrian, at, body: [1; 2], step: Some(direction) };
                self.place(placed, self.tables.exchange_ticks);
            }
        }
        self.leave_traces(&entered, &exchanges);
        self.tick += 1;
        if let Some(openings) = &mut self.openings {
            openings.end_tick(&self.world, self.tick, &mut self.occupants, &mut self.pedestrians);
        }
        self.pedestrians.normalize(self.tick);
        entered.len() + 2 * exchanges.len()
    }

    /// Lets all traces decay, and adds those of pedestrians that made a step, at their new positions.
    fn leave_traces(&mut self, entered: &[u32], exchanges: &[[(u32, u32); 2]]) {
        let Pedestrians { at, heading, traces, .. } = &mut self.pedestrians;
        if traces.is_empty() {
            return;
        }
        for trace in traces.iter_mut() {
            *trace = decayed(*trace, self.tables.trace_decay);
        }
        let exchanged = exchanges.iter().flatten().map(|&(pedestrian, _)| pedestrian);
        for pedestrian in entered.iter().copied().chain(exchanged) {
            let [unit, heading] = [at[pedestrian as usize], heading[pedestrian as usize].into()];
            traces[place(unit, heading)] += STEP;
        }
    }

    /// Yields the space units of a pedestrian's body.
    fn covered(&self, pedestrian: u32) -> impl Iterator<Item = u32> + use<> {
        let Pedestrians { at, .. } = &self.pedestrians;
        self.world.grid.rectangle(at[pedestrian as usize], self.pedestrians.body(pedestrian as usize))
    }

    /// Places a pedestrian in its rectangle, after a step or a change of size that takes `times` times its walk period.
    fn place(&mut self, Placed { pedestrian, at: to, body, step }: Placed, times: u32) {
        for covered in self.world.grid.rectangle(to, body) {
            self.occupants[covered as usize] = pedestrian;
        }
        let Pedestrians { at, period, due, bodies, .. } = &mut self.pedestrians;
        let i = pedestrian as usize;
        at[i] = to;
        if let Some(size) = bodies.get_mut(i) {
            *size = body;
        }
        due[i] = self.tick
            + times * step.map_or(period[i], |direction| pause(period[i], direction, self.tables.equal_speeds));
    }

    /// Returns the priority of a pedestrian in this tick, and 1 if it prefers the right.
    fn draw(&self, pedestrian: u32) -> [u32; 2] {
        let [first, side, ..] = Philox::new(self.seed).block([pedestrian, self.tick, TICK, 0]);
        [priority(first), side & 1]
    }

    /// Returns the intent of a pedestrian: the best direction that leads to an empty space unit, if its score is above
    /// the threshold. Otherwise, if exchanges are allowed, it exchanges places with the pedestrian straight ahead.
    fn intent(&self, pedestrian: usize) -> Intent {
        let Pedestrians { at, heading, due, .. } = &self.pedestrians;
        let unit = at[pedestrian];
        if unit as usize >= self.occupants.len() || heading[pedestrian] == STANDS || self.tick < due[pedestrian] {
            return Intent::Still;
        }
        let [x, y] = self.world.grid.place(unit);
        let heading = u32::from(heading[pedestrian]);
        let body = self.pedestrians.body(pedestrian);
        let [_, prefers_right] = self.draw(pedestrian as u32);
        if let Some(direction) = self.growth(pedestrian) {
            return Intent::Grow(direction);
        }
        let reads = reading_unit(&self.world.grid, unit, body);
        let sums = self.sums(reads, heading);
        let mut keys: Vec<(i32, u32, i32)> = (0..DIRECTIONS)
            .map(|direction| {
                let crowd = pressure(&sums.crowd, direction);
                let [same, oncoming] = [sums.same, sums.oncoming].map(|of| of[direction as usize]);
                let fixed = self.static_scores.get(place(reads, direction)).copied().unwrap_or(0);
                let score = self.tables.weights.score_towards(direction, heading, crowd, same, oncoming, fixed);
                (key(score, turns(heading, direction), prefers_right), direction, score)
            })
            .collect();
        keys.sort_unstable_by(|a, b| b.cmp(a));
        let occupant = |direction: u32| {
            let unit = self.world.grid.neighbour(x, y, direction);
            self.occupants.get(unit as usize).copied().unwrap_or(WALL)
        };
        let is_between_walls = |direction: u32| {
            direction % 2 == 1 && [1, 7].into_iter().all(|turn| occupant(turned(direction, turn)) == WALL)
        };
        let target = |direction: u32| self.world.grid.rectangle(self.world.grid.neighbour(x, y, direction), body);
        let is_possible = |direction: u32, score: i32| {
            score > self.tables.weights.threshold
                && is_possible(&self.world.grid, &self.occupants, unit, body, direction)
                && target(direction).all(|unit| self.pedestrians.lets_in(unit, self.tick))
        };
        if let Some((_, direction, _)) = keys.into_iter().find(|&(_, direction, score)| is_possible(direction, score)) {
            return Intent::Enter(direction);
        }
        let exchanges = self.tables.exchange_ticks > 0 && occupant(heading) < WALL && !is_between_walls(heading);
        if exchanges { Intent::Exchange(heading) } else { Intent::Still }
    }

    /// Returns the sums of field strengths at a space unit for a reader with this heading. The pedestrian in the space
    /// unit, if any, does not count.
    ///
    /// The cost is proportional to the number of pedestrians; with traces also to that of space units.
    pub fn sums(&self, unit: u32, heading: u32) -> Sums {
        fields::sums(&self.world, &self.tables, &self.pedestrians, &self.occupants, unit, heading)
    }
}

/// Returns the index of a value in an array `[unit][direction]`.
fn place(unit: u32, direction: u32) -> usize {
    unit as usize * DIRECTIONS as usize + direction as usize
}
