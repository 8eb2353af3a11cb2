//! The model as its definition reads: one tick on one thread. Slow; the other executors are compared with it.

use throng_core::{InputError, Philox};

use super::fields::{FieldTables, Sums};
use super::rules::decision::{along, key};
use super::rules::direction::{DIRECTIONS, angle, turned, turns};
use super::rules::vote::{TICK, beats, priority};
use super::scene::{EMPTY, Pedestrians, WALL, World};

/// A world with pedestrians.
#[derive(Debug, Clone)]
pub struct Reference {
    world: World,
    tables: FieldTables,
    seed: u64,
    tick: u32,
    pedestrians: Pedestrians,
    occupants: Vec<u32>,
}

impl Reference {
    /// Pedestrians in a world, before a tick.
    ///
    /// # Errors
    /// When fields do not fit into the world, or as for [`Pedestrians::occupants`].
    pub fn new(
        world: World,
        tables: FieldTables,
        pedestrians: Pedestrians,
        seed: u64,
        tick: u32,
    ) -> Result<Self, InputError> {
        world.check_field(tables.radius)?;
        let occupants = pedestrians.occupants(&world)?;
        Ok(Self { world, tables, seed, tick, pedestrians, occupants })
    }

    /// The pedestrians.
    pub fn pedestrians(&self) -> &Pedestrians {
        &self.pedestrians
    }

    /// One tick: all decide, those that want the same space unit vote, the winners move. Returns how many moved. A space
    /// unit that is left in a tick can be entered in the next.
    pub fn step(&mut self) -> usize {
        let wanted: Vec<u32> = (0..self.pedestrians.len()).map(|pedestrian| self.wanted(pedestrian)).collect();
        let mut winners = vec![EMPTY; self.occupants.len()];
        for (pedestrian, &unit) in wanted.iter().enumerate().filter(|&(_, &unit)| unit != EMPTY) {
            let winner = &mut winners[unit as usize];
            let priority = |of: u32| self.draw(of)[0];
            let number = pedestrian as u32;
            if *winner == EMPTY || beats(priority(number), number, priority(*winner), *winner) {
                *winner = number;
            }
        }
        let mut moved = 0;
        for (unit, &winner) in winners.iter().enumerate().filter(|&(_, &winner)| winner != EMPTY) {
            let Pedestrians { at, period, due, .. } = &mut self.pedestrians;
            self.occupants[at[winner as usize] as usize] = EMPTY;
            self.occupants[unit] = winner;
            at[winner as usize] = unit as u32;
            due[winner as usize] = self.tick + period[winner as usize];
            moved += 1;
        }
        self.tick += 1;
        // A pedestrian that was refused tries again in the next tick.
        self.pedestrians.due.iter_mut().for_each(|due| *due = (*due).max(self.tick));
        moved
    }

    /// The priority of a pedestrian in this tick, and whether it prefers the right.
    fn draw(&self, pedestrian: u32) -> [u32; 2] {
        let [first, side, ..] = Philox::new(self.seed).block([pedestrian, self.tick, TICK, 0]);
        [priority(first), side & 1]
    }

    /// The space unit that a pedestrian wants to enter, or [`EMPTY`].
    fn wanted(&self, pedestrian: usize) -> u32 {
        let Pedestrians { at, heading, due, .. } = &self.pedestrians;
        if self.tick < due[pedestrian] {
            return EMPTY;
        }
        let [x, y] = self.world.grid.place(at[pedestrian]);
        let heading = u32::from(heading[pedestrian]);
        let sums = self.sums(at[pedestrian], heading);
        let [_, prefers_right] = self.draw(pedestrian as u32);
        let mut keys: Vec<(i32, u32, i32)> = (0..DIRECTIONS)
            .map(|direction| {
                let at = |turn: u32| sums.crowd[turned(direction, turn) as usize];
                let crowd = along(at(0) - at(4), at(1) - at(5), at(7) - at(3));
                let [same, oncoming] = [sums.same, sums.oncoming].map(|of| of[direction as usize]);
                let score = self.tables.weights.score(angle(direction, heading), crowd, same, oncoming, 0);
                (key(score, turns(heading, direction), prefers_right), direction, score)
            })
            .collect();
        keys.sort_unstable_by(|a, b| b.cmp(a));
        let grid = &self.world.grid;
        let is_possible = |direction: u32| {
            let unit = grid.neighbour(x, y, direction);
            let is_beside_wall = |turn: u32| self.world.is_wall(grid.neighbour(x, y, turned(direction, turn)));
            let is_between_walls = direction % 2 == 1 && is_beside_wall(1) && is_beside_wall(7);
            !self.world.is_wall(unit) && self.occupants[unit as usize] == EMPTY && !is_between_walls
        };
        let best = keys
            .into_iter()
            .find(|&(_, direction, score)| score > self.tables.weights.threshold && is_possible(direction));
        best.map_or(EMPTY, |(_, direction, _)| grid.neighbour(x, y, direction))
    }

    /// The sums of field strengths at a space unit, for a pedestrian with this heading.
    pub fn sums(&self, unit: u32, heading: u32) -> Sums {
        let [x, y] = self.world.grid.place(unit);
        let mut sums = Sums::default();
        for (dx, dy, ring, sector) in self.tables.offsets() {
            let other = self.world.grid.unit_at(x + dx, y + dy);
            let Some(&other) = self.occupants.get(other as usize) else { continue };
            if other == EMPTY || other == WALL {
                continue;
            }
            let [crowd, same, oncoming] = self.tables.strengths.each_ref().map(|strengths| strengths[ring]);
            sums.crowd[sector] += crowd;
            match angle(u32::from(self.pedestrians.heading[other as usize]), heading) {
                0 => sums.same[sector] += same,
                3 | 4 => sums.oncoming[sector] += oncoming,
                _ => {}
            }
        }
        sums
    }
}
