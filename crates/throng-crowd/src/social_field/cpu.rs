//! The executor on the threads of the CPU.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;
use throng_core::{InputError, Philox};

use super::best_direction::{Surroundings, best_direction};
use super::counting::{CPU_BITS, SIDES, cuts, mask, rows_in_word};
use super::fields::{FieldTables, Sums};
use super::openings::Phases;
use super::planes::{ALL, Layout, ONCOMING, Planes, SAME};
use super::rules::direction::{DIRECTIONS, STANDS, angle, turned};
use super::rules::directional::{Reading, STEP, around, decayed};
use super::rules::vote::{TICK, beats, exchange, pause, priority};
use super::scene::{EMPTY, Pedestrians, WALL, World};
use super::static_fields::static_scores;
use super::summing::Summing;
use super::transforms::Transforms;
use super::unit_sums::OnFloor;

/// The intent of a pedestrian that stays; that of one that moves is a direction.
const STILL: u8 = DIRECTIONS as u8;
/// Added to the direction in which a pedestrian wants to exchange places.
const EXCHANGE: u8 = 16;

/// A world with pedestrians.
#[derive(Debug)]
pub struct SocialField {
    world: World,
    tables: FieldTables,
    summing: Summing,
    windows: Vec<u64>,
    /// The cuts of each ring.
    cuts: Vec<[i32; 2]>,
    static_scores: Vec<i32>,
    draws: Philox,
    tick: u32,
    /// Without due ticks; places are those before the first tick, and current only in worlds with openings.
    pedestrians: Pedestrians,
    due: Vec<AtomicU32>,
    occupants: Vec<u32>,
    openings: Option<Phases>,
    planes: Planes,
    transforms: Option<Transforms>,
    /// What the pedestrian in each space unit wants.
    intents: Vec<u8>,
    /// Who enters each space unit.
    entering: Vec<u32>,
}

impl SocialField {
    /// Pedestrians in a world, before a tick. Memory: 9 bytes for each space unit and 13 for each pedestrian, and 4.25
    /// bytes for each space unit for the planes, 8.5 with [`Summing::Sides`]; with
    /// [`Summing::Transforms`] 100 more and up to 108 MB; 5 more for each space unit and exit.
    ///
    /// # Errors
    /// When fields do not fit into the world or into windows, or as for [`Pedestrians::occupants`].
    pub fn new(
        world: World,
        tables: FieldTables,
        mut pedestrians: Pedestrians,
        seed: u64,
        tick: u32,
        summing: Summing,
    ) -> Result<Self, InputError> {
        world.check_field(tables.radius)?;
        summing.check(&tables)?;
        pedestrians.check_one_unit_each()?;
        let mut occupants = pedestrians.occupants(&world)?;
        pedestrians.begin_traces(&world, &tables)?;
        let openings = Phases::before(&world, seed, tick, &mut occupants, &mut pedestrians)?;
        let layout = Layout::new(world.grid, tables.radius as u32);
        let transforms = (summing == Summing::Transforms).then(|| Transforms::new(layout, &tables));
        let mut field = Self {
            windows: if summing == Summing::Windows { window_masks(&tables) } else { Vec::new() },
            cuts: cuts(&tables),
            static_scores: static_scores(&world, &tables),
            world,
            tables,
            summing,
            draws: Philox::new(seed),
            tick,
            due: std::mem::take(&mut pedestrians.due).into_iter().map(AtomicU32::new).collect(),
            pedestrians,
            intents: vec![STILL; occupants.len()],
            entering: vec![EMPTY; occupants.len()],
            occupants,
            openings,
            planes: Planes::new(layout, summing == Summing::Sides),
            transforms,
        };
        field.show();
        Ok(field)
    }

    /// The pedestrians.
    pub fn pedestrians(&self) -> Pedestrians {
        let due = self.due.iter().map(|due| due.load(Relaxed)).collect();
        let mut pedestrians = Pedestrians { due, ..self.pedestrians.clone() };
        show_places(&self.occupants, &mut pedestrians.at);
        pedestrians.try_again(self.tick);
        pedestrians
    }

    /// One tick, as [`Reference::step`](super::Reference::step) makes it. Returns how many moved.
    pub fn step(&mut self) -> usize {
        let width = self.world.grid.width as usize;
        let mut intents = std::mem::take(&mut self.intents);
        intents.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, intent) in row.iter_mut().enumerate() {
                let occupant = self.occupants[y * width + x];
                *intent = STILL;
                if occupant < WALL && self.tick >= self.due[occupant as usize].load(Relaxed) {
                    *intent = self.intent(x as u32, y as u32, occupant);
                }
            }
        });
        self.intents = intents;
        let mut entering = std::mem::take(&mut self.entering);
        let moved = entering.par_chunks_mut(width).enumerate().map(|(y, row)| {
            for (x, entering) in row.iter_mut().enumerate() {
                *entering = self.entering(x as i32, y as i32);
            }
            row.iter().filter(|&&entering| entering != EMPTY).count()
        });
        let moved = moved.sum();
        let (grid, intents) = (self.world.grid, &self.intents);
        self.occupants.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, occupant) in row.iter_mut().enumerate() {
                let unit = y * width + x;
                if entering[unit] != EMPTY {
                    *occupant = entering[unit];
                } else if *occupant < WALL && intents[unit] < STILL {
                    let target = grid.neighbour(x as i32, y as i32, intents[unit].into());
                    if entering[target as usize] == *occupant {
                        *occupant = EMPTY;
                    }
                }
            }
        });
        self.leave_traces(&entering);
        self.entering = entering;
        self.tick += 1;
        self.open();
        self.show();
        moved
    }

    /// Shows the state to what sums are computed from.
    fn show(&mut self) {
        let (occupants, headings) = (&self.occupants, &self.pedestrians.heading);
        if let Some(transforms) = &mut self.transforms {
            transforms.show(occupants, headings);
        } else if self.summing != Summing::Units {
            self.planes.show(occupants, headings);
        }
    }

    /// All traces fade, and those who have entered a space unit leave one there.
    fn leave_traces(&mut self, entering: &[u32]) {
        let Pedestrians { heading, traces, .. } = &mut self.pedestrians;
        let decay = self.tables.trace_decay;
        traces.par_chunks_exact_mut(DIRECTIONS as usize).zip(entering).for_each(|(traces, &entered)| {
            for trace in traces.iter_mut() {
                *trace = decayed(*trace, decay);
            }
            if entered != EMPTY {
                traces[usize::from(heading[entered as usize])] += STEP;
            }
        });
    }

    /// Lets openings act at the end of a tick.
    fn open(&mut self) {
        let Self { openings: Some(openings), world, occupants, pedestrians, due, .. } = self else { return };
        show_places(occupants, &mut pedestrians.at);
        pedestrians.due = std::mem::take(due).into_iter().map(AtomicU32::into_inner).collect();
        openings.end_tick(world, self.tick, occupants, pedestrians);
        *due = std::mem::take(&mut pedestrians.due).into_iter().map(AtomicU32::new).collect();
    }

    /// What a pedestrian wants.
    fn intent(&self, x: u32, y: u32, pedestrian: u32) -> u8 {
        let heading = self.pedestrians.heading[pedestrian as usize];
        if heading == STANDS {
            return STILL;
        }
        let heading = u32::from(heading);
        let grid = &self.world.grid;
        let (column, row) = (x as i32, y as i32);
        let mut occupants = [WALL; DIRECTIONS as usize];
        for direction in 0..DIRECTIONS {
            let unit = grid.neighbour(column, row, direction);
            occupants[direction as usize] = self.occupants.get(unit as usize).copied().unwrap_or(WALL);
        }
        let is_between_walls = |direction: u32| {
            direction % 2 == 1 && [1, 7].map(|turn| occupants[turned(direction, turn) as usize]) == [WALL; 2]
        };
        let is_free = occupants.contains(&EMPTY);
        if !is_free && self.tables.exchange_ticks == 0 {
            return STILL;
        }
        let [_, side, ..] = self.draws.block([pedestrian, self.tick, TICK, 0]);
        let unit = (y * grid.width + x) as usize;
        let surroundings = Surroundings {
            heading,
            sums: self.sums(x, y, heading),
            static_scores: self.static_scores.chunks_exact(DIRECTIONS as usize).nth(unit),
            is_possible: std::array::from_fn(|direction| {
                occupants[direction] == EMPTY && !is_between_walls(direction as u32)
            }),
            prefers_right: side & 1,
        };
        let chosen = best_direction(&self.tables.weights, &surroundings).map_or(STILL, |direction| direction as u8);
        let is_ahead = occupants[heading as usize] < WALL && !is_between_walls(heading);
        let exchanges = self.tables.exchange_ticks > 0 && chosen == STILL && is_ahead;
        if exchanges { EXCHANGE + heading as u8 } else { chosen }
    }

    /// Who enters a space unit in this tick, or [`EMPTY`]; stores when that pedestrian is due again.
    fn entering(&self, x: i32, y: i32) -> u32 {
        let grid = &self.world.grid;
        let unit = y as usize * grid.width as usize + x as usize;
        let intent = self.intents[unit];
        let (entering, direction, times) = if self.occupants[unit] == EMPTY {
            let (winner, direction) = self.winner(x, y);
            (winner, direction, 1)
        } else if intent >= EXCHANGE {
            let direction = u32::from(intent - EXCHANGE);
            let other = grid.neighbour(x, y, direction) as usize;
            let wants = self.intents[other];
            if wants < EXCHANGE || !exchange(direction, u32::from(wants - EXCHANGE)) {
                return EMPTY;
            }
            (self.occupants[other], turned(direction, 4), self.tables.exchange_ticks)
        } else {
            return EMPTY;
        };
        if entering != EMPTY {
            let period = self.pedestrians.period[entering as usize];
            let ticks = pause(period, direction, self.tables.equal_speeds) * times;
            self.due[entering as usize].store(self.tick + ticks, Relaxed);
        }
        entering
    }

    /// Who enters an empty space unit, or [`EMPTY`], and in which direction.
    fn winner(&self, x: i32, y: i32) -> (u32, u32) {
        let (mut best, mut best_direction, mut best_priority) = (EMPTY, 0, None);
        for direction in 0..DIRECTIONS {
            let from = self.world.grid.neighbour(x, y, turned(direction, 4));
            if self.intents.get(from as usize) != Some(&(direction as u8)) {
                continue;
            }
            let candidate = self.occupants[from as usize];
            if best == EMPTY {
                (best, best_direction) = (candidate, direction);
                continue;
            }
            let priority = |of: u32| priority(self.draws.block([of, self.tick, TICK, 0])[0]);
            let (own, other) = (priority(candidate), best_priority.unwrap_or_else(|| priority(best)));
            best_priority = Some(other);
            if beats(own, candidate, other, best) {
                (best, best_direction, best_priority) = (candidate, direction, Some(own));
            }
        }
        (best, best_direction)
    }

    /// The sums of field strengths at a space unit, for a pedestrian with this heading; undefined for the sectors that
    /// its scores do not need, and with [`Summing::Transforms`] if that pedestrian is not there.
    pub fn sums(&self, x: u32, y: u32, heading: u32) -> Sums {
        if let Some(transforms) = &self.transforms {
            return transforms.sums((y * self.world.grid.width + x) as usize);
        }
        if self.summing == Summing::Units {
            let Pedestrians { heading: headings, traces, .. } = &self.pedestrians;
            let floor = OnFloor { grid: &self.world.grid, occupants: &self.occupants, headings, traces };
            return floor.sums(&self.tables, y * self.world.grid.width + x, heading);
        }
        let mut sums = Sums { crowd: self.sums_by_sector(ALL, [x, y], CROWD, [heading, 4]), ..Sums::default() };
        match self.tables.reading {
            Reading::Heading => {
                let plane = heading as usize;
                sums.same = self.sums_by_sector(SAME + plane, [x, y], FOLLOWED, [heading, 1]);
                sums.oncoming = self.sums_by_sector(ONCOMING + plane, [x, y], AVOIDED, [heading, 2]);
            }
            Reading::Cone => {
                for direction in (0..DIRECTIONS).filter(|&direction| angle(direction, heading) <= 2) {
                    let (plane, sector) = (direction as usize, direction as usize);
                    sums.oncoming[sector] =
                        self.sums_by_sector(ONCOMING + plane, [x, y], AVOIDED, [direction, 0])[sector];
                    if angle(direction, heading) <= 1 {
                        let by_sector = self.sums_by_sector(SAME + plane, [x, y], FOLLOWED, [direction, 1]);
                        sums.same[sector] =
                            [0, 1, 2].map(|beside| by_sector[around(direction, beside) as usize]).iter().sum();
                    }
                }
            }
        }
        sums
    }

    /// The sums of a field, by its number, that pedestrians in a plane have, in the sectors that are at most `widest` times
    /// 45° from a direction.
    #[inline]
    fn sums_by_sector(
        &self,
        plane: usize,
        at: [u32; 2],
        field: usize,
        [direction, widest]: [u32; 2],
    ) -> [i32; DIRECTIONS as usize] {
        let strengths = &self.tables.strengths[field];
        if self.summing == Summing::Windows {
            self.sum_window(plane, at, strengths, [direction, widest])
        } else {
            self.sum_sides(plane, at, strengths, [direction, widest])
        }
    }

    /// Sums up a field in a window.
    #[inline]
    fn sum_window(&self, plane: usize, [x, y]: [u32; 2], strengths: &[i32], [direction, widest]: [u32; 2]) -> [i32; 8] {
        let side = 2 * self.tables.radius as u32 + 1;
        let mut window = [0u64; WINDOW_WORDS];
        let rows_in_word = rows_in_word(side, CPU_BITS);
        for row in 0..side {
            let bits = u64::from(self.planes.bits(plane, x, y + row, side));
            window[(row / rows_in_word) as usize] |= bits << (row % rows_in_word * side);
        }
        let rings = strengths.len() - 1;
        let mut sums = [0; DIRECTIONS as usize];
        for sector in (0..DIRECTIONS).filter(|&sector| angle(sector, direction) <= widest) {
            let first = sector as usize * rings * WINDOW_WORDS;
            let masks = self.windows[first..first + rings * WINDOW_WORDS].chunks_exact(WINDOW_WORDS);
            let of_ring = |(masks, strength): (&[u64], &i32)| {
                let count: u32 = masks.iter().zip(&window).map(|(mask, window)| (mask & window).count_ones()).sum();
                count as i32 * strength
            };
            sums[sector as usize] = masks.zip(&strengths[1..]).map(of_ring).sum();
        }
        sums
    }

    /// The same by sides of rings.
    #[inline]
    fn sum_sides(&self, plane: usize, [x, y]: [u32; 2], strengths: &[i32], [direction, widest]: [u32; 2]) -> [i32; 8] {
        let radius = self.tables.radius;
        let [column, row] = [x, y].map(|at| at as i32 + radius);
        let mut sums = [0; DIRECTIONS as usize];
        for side in SIDES.into_iter().filter(|side| angle(side.sectors[1], direction) <= widest + 1) {
            for ((ring, cuts), strength) in (1..).zip(&self.cuts).zip(&strengths[1..]) {
                let at = if side.is_after { ring } else { -ring };
                let before = side.ends(ring, *cuts).map(|end| {
                    if side.is_column {
                        self.planes.before_in_column(plane, (column + at) as u32, (row + end) as u32)
                    } else {
                        self.planes.before_in_row(plane, (column + end) as u32, (row + at) as u32)
                    }
                });
                for (part, sector) in side.sectors.into_iter().enumerate() {
                    sums[sector as usize] += (before[part + 1] - before[part]) as i32 * strength;
                }
            }
        }
        sums
    }
}

/// The numbers of the fields RR, DA and DR, in the table of strengths.
const CROWD: usize = 0;
const FOLLOWED: usize = 1;
const AVOIDED: usize = 2;

/// Writes the space unit of each pedestrian that is in the world.
fn show_places(occupants: &[u32], at: &mut [u32]) {
    for (unit, &occupant) in occupants.iter().enumerate().filter(|&(_, &occupant)| occupant < WALL) {
        at[occupant as usize] = unit as u32;
    }
}

/// Words of the largest window.
const WINDOW_WORDS: usize = 3;

/// The masks of a window: `[sector][ring - 1][word]`.
fn window_masks(tables: &FieldTables) -> Vec<u64> {
    let side = 2 * tables.radius as u32 + 1;
    let words = 0..WINDOW_WORDS as u32;
    let of_ring = |sector, ring| words.clone().map(move |word| mask(tables.map, side, CPU_BITS, sector, ring, word));
    let of_sector = |sector| (1..=tables.radius as u32).flat_map(move |ring| of_ring(sector, ring));
    (0..DIRECTIONS).flat_map(of_sector).collect()
}
