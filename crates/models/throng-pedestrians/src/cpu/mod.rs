//! The executor on CPU threads.

mod field_sums;
mod side_sums;
pub mod views;
mod window_sums;

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;
use throng_core::{InputError, check_memory};

use super::fields::FieldTables;
use super::openings::HostOpenings;
use super::planes::Layout;
use super::rules::decision::{Decision, decide};
use super::rules::direction::{DIRECTIONS, NONE, STANDS, turned};
use super::rules::directional::trace_after_tick;
use super::rules::draws::Seed;
#[cfg(test)]
use super::rules::sums::Sums;
use super::rules::vote::{due_after, exchange, winner};
use super::scene::{EMPTY, Pedestrians, WALL, World};
use super::static_fields::static_scores;
use super::summing::Summing;
use super::unit_sums::OnFloor;
use field_sums::FieldSums;
use views::{ActualState, Candidates, DecisionContext, Views};

/// Intent of a pedestrian that stays; a pedestrian that moves has a direction as its intent.
const STILL: u8 = NONE as u8;
/// Offset that marks an intent as an exchange of places.
const EXCHANGE: u8 = 16;

/// The state of a world with pedestrians, simulated on threads of the CPU.
#[derive(Debug)]
pub struct CpuField {
    world: World,
    tables: FieldTables,
    static_scores: Vec<i32>,
    seed: Seed,
    tick: u32,
    /// Due ticks in it are unused (see `due`). Positions in it are the positions before the first tick; only worlds
    /// with openings update them.
    pedestrians: Pedestrians,
    due: Vec<AtomicU32>,
    occupants: Vec<u32>,
    openings: Option<HostOpenings>,
    field_sums: FieldSums,
    /// Intent of the pedestrian in each space unit.
    intents: Vec<u8>,
    /// Directions in which pedestrians want to step into each space unit, a bit for each; 0 between ticks.
    arrival_directions: Vec<AtomicU8>,
    /// Pedestrian that enters each space unit, or [`EMPTY`].
    entrants: Vec<u32>,
}

impl CpuField {
    /// Creates a world with pedestrians before `tick`. Memory: 10 bytes per space unit and 13 per pedestrian.
    /// Additional bytes per space unit: 4 with walk periods above 1, 4.25 with [`Summing::Windows`], 8.5 with
    /// [`Summing::Sides`], 32 for traces, 32 where exits or walls have fields, and 5 per exit. [`Summing::Transforms`]
    /// takes 100 bytes per space unit and up to 108 MB.
    ///
    /// # Errors
    /// When fields do not fit into the world or into windows, when the world does not fit into memory, or as for
    /// [`Pedestrians::occupants`]; also for bodies of several space units, and for traces without [`Summing::Units`].
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
        check_world_memory(&world, &tables, summing, &pedestrians)?;
        let mut occupants = pedestrians.occupants(&world)?;
        pedestrians.begin_traces(&world, &tables)?;
        pedestrians.free_from = pedestrians.complete_free_from(&world)?;
        let openings = HostOpenings::before(&world, seed, tick, &mut occupants, &mut pedestrians)?;
        let layout = Layout::new(world.grid, tables.radius as u32);
        let mut field = Self {
            field_sums: FieldSums::new(summing, layout, &tables),
            static_scores: static_scores(&world, &tables),
            world,
            tables,
            seed: Seed::new(seed),
            tick,
            due: std::mem::take(&mut pedestrians.due).into_iter().map(AtomicU32::new).collect(),
            pedestrians,
            intents: vec![STILL; occupants.len()],
            arrival_directions: std::iter::repeat_with(AtomicU8::default).take(occupants.len()).collect(),
            entrants: vec![EMPTY; occupants.len()],
            occupants,
            openings,
        };
        field.refresh();
        Ok(field)
    }

    /// Returns the pedestrians.
    pub fn pedestrians(&self) -> Pedestrians {
        let due = self.due.iter().map(|due| due.load(Relaxed)).collect();
        let mut pedestrians = Pedestrians { due, ..self.pedestrians.clone() };
        write_positions(&self.occupants, &mut pedestrians.at);
        pedestrians.normalize(self.tick);
        pedestrians
    }

    /// Simulates one tick, as [`Reference::step`](super::Reference::step) does. Returns the number of pedestrians that
    /// moved.
    pub fn step(&mut self) -> usize {
        let moved = self.step_with(&ActualState);
        self.refresh();
        moved
    }

    /// Simulates one tick, but does not [refresh](Self::refresh) the data for field sums. The rules see the state
    /// through `views`.
    pub fn step_with(&mut self, views: &impl Views) -> usize {
        let width = self.world.grid.width as usize;
        let mut intents = std::mem::take(&mut self.intents);
        intents.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, intent) in row.iter_mut().enumerate() {
                let occupant = self.occupants[y * width + x];
                *intent = STILL;
                if occupant < WALL && self.tick >= self.due[occupant as usize].load(Relaxed) {
                    *intent = self.intent(views, x as u32, y as u32, occupant);
                    if *intent < STILL {
                        let to = self.world.grid.neighbour(x as i32, y as i32, (*intent).into());
                        self.arrival_directions[to as usize].fetch_or(1 << *intent, Relaxed);
                    }
                }
            }
        });
        self.intents = intents;
        let mut entering = std::mem::take(&mut self.entrants);
        let moved = entering.par_chunks_mut(width).enumerate().map(|(y, row)| {
            for (x, entering) in row.iter_mut().enumerate() {
                *entering = self.entering(views, x as i32, y as i32);
            }
            row.iter().filter(|&&entering| entering != EMPTY).count()
        });
        let moved = moved.sum();
        let (grid, intents) = (self.world.grid, &self.intents);
        // Each space unit checks which pedestrians arrive and leave, so that a thread writes only its own space units.
        // The vote kernel writes both at once, because no other unit of the kernel touches either.
        let leaves = |unit: usize, occupant: u32| {
            let target = || grid.neighbour((unit % width) as i32, (unit / width) as i32, intents[unit].into());
            occupant < WALL && intents[unit] < STILL && entering[target() as usize] == occupant
        };
        let (occupants, due) = (&self.occupants, &self.due);
        self.pedestrians.free_from.par_iter_mut().enumerate().for_each(|(unit, free_from)| {
            if leaves(unit, occupants[unit]) {
                *free_from = due[occupants[unit] as usize].load(Relaxed);
            }
        });
        self.occupants.par_iter_mut().enumerate().for_each(|(unit, occupant)| {
            if entering[unit] != EMPTY {
                *occupant = entering[unit];
            } else if leaves(unit, *occupant) {
                *occupant = EMPTY;
            }
        });
        self.leave_traces(&entering);
        self.entrants = entering;
        self.tick += 1;
        self.apply_openings();
        moved
    }

    /// Updates the data from which field sums are computed.
    pub fn refresh(&mut self) {
        self.field_sums.refresh(&self.occupants, &self.pedestrians.heading);
    }

    /// Lets all traces decay, and adds those of pedestrians that entered a space unit.
    fn leave_traces(&mut self, entering: &[u32]) {
        let Pedestrians { heading, traces, .. } = &mut self.pedestrians;
        let decay = self.tables.trace_decay;
        traces.par_chunks_exact_mut(DIRECTIONS as usize).zip(entering).for_each(|(traces, &entered)| {
            let of_step = heading.get(entered as usize).copied().unwrap_or(STANDS);
            for (heading, trace) in (0..).zip(traces) {
                *trace = trace_after_tick(*trace, heading == of_step, decay);
            }
        });
    }

    /// Applies the openings at the end of a tick.
    fn apply_openings(&mut self) {
        let Self { openings: Some(openings), world, occupants, pedestrians, due, .. } = self else { return };
        write_positions(occupants, &mut pedestrians.at);
        pedestrians.due = std::mem::take(due).into_iter().map(AtomicU32::into_inner).collect();
        openings.end_tick(world, self.tick, occupants, pedestrians);
        *due = std::mem::take(&mut pedestrians.due).into_iter().map(AtomicU32::new).collect();
    }

    /// Returns the intent of the pedestrian in a space unit.
    #[inline]
    fn intent(&self, views: &impl Views, x: u32, y: u32, pedestrian: u32) -> u8 {
        let heading = self.pedestrians.heading[pedestrian as usize];
        if heading == STANDS {
            return STILL;
        }
        let heading = u32::from(heading);
        let Self { field_sums, static_scores, seed, tick, .. } = self;
        let (floor, seed, tick) = (self.floor(), *seed, *tick);
        let context = DecisionContext { floor, field_sums, static_scores, seed, tick, x, y, pedestrian, heading };
        let mut deciding = views.deciding(context);
        let Decision { direction, exchanges, .. } =
            decide(&mut deciding, &self.tables.weights, heading, self.tables.exchange_ticks > 0);
        direction as u8 + if exchanges { EXCHANGE } else { 0 }
    }

    /// Returns the pedestrian that enters a space unit in this tick, or [`EMPTY`], and stores when that pedestrian is
    /// due again.
    fn entering(&self, views: &impl Views, x: i32, y: i32) -> u32 {
        let grid = &self.world.grid;
        let unit = y as usize * grid.width as usize + x as usize;
        let intent = self.intents[unit];
        let arrivals = self.arrival_directions[unit].load(Relaxed);
        let (entering, direction, times) = if arrivals != 0 {
            self.arrival_directions[unit].store(0, Relaxed);
            let Self { occupants, seed, tick, .. } = self;
            let mut candidates = views.candidates(Candidates { occupants, seed: *seed, tick: *tick });
            let winner = winner(&mut candidates, grid, x, y, arrivals.into(), false);
            (winner.pedestrian, winner.direction, 1)
        } else if intent >= EXCHANGE {
            let direction = u32::from(intent - EXCHANGE);
            let other = grid.neighbour(x, y, direction) as usize;
            let others = self.intents[other].checked_sub(EXCHANGE).map_or(NONE, u32::from);
            if !exchange(direction, others) {
                return EMPTY;
            }
            (self.occupants[other], turned(direction, 4), self.tables.exchange_ticks)
        } else {
            return EMPTY;
        };
        if entering != EMPTY {
            let period = self.pedestrians.period[entering as usize];
            let due = due_after(self.tick, period, direction, times, self.tables.equal_speeds);
            self.due[entering as usize].store(due, Relaxed);
        }
        entering
    }

    /// Returns the sums of field strengths at a space unit for a pedestrian with this heading. They are undefined for
    /// sectors that its scores do not need, and with [`Summing::Transforms`] unless it is in the space unit.
    #[cfg(test)]
    pub fn sums(&self, x: u32, y: u32, heading: u32) -> Sums {
        self.field_sums.at(&self.floor(), [x, y], heading)
    }

    fn floor(&self) -> OnFloor<'_> {
        let Pedestrians { heading: headings, traces, free_from, .. } = &self.pedestrians;
        let (grid, occupants, tables) = (&self.world.grid, &self.occupants, &self.tables);
        OnFloor { grid, occupants, headings, traces, free_from, tables, offsets: &[] }
    }
}

/// Rejects a world that exceeds the memory, using the bytes per space unit listed at [`CpuField::new`].
fn check_world_memory(
    world: &World,
    tables: &FieldTables,
    summing: Summing,
    pedestrians: &Pedestrians,
) -> Result<(), InputError> {
    let of_steps = if pedestrians.has_long_steps() { 4 } else { 0 };
    let of_sums = match summing {
        Summing::Windows => 5,
        Summing::Sides => 9,
        Summing::Units => 0,
        Summing::Transforms => 100,
    };
    let of_traces = if tables.has_traces() { 32 } else { 0 };
    // Doubled while threads join their results.
    let of_fields = if tables.has_static_scores() { 64 } else { 0 };
    let units = world.grid.units() as u64;
    let bytes = units * (10 + of_steps + of_sums + of_traces + of_fields + 5 * world.openings().exits.len() as u64);
    check_memory(bytes, "world", format_args!("{units} space units"), "use a smaller world, or larger space units")
}

/// Writes the space unit of each pedestrian in the world.
fn write_positions(occupants: &[u32], at: &mut [u32]) {
    for (unit, &occupant) in occupants.iter().enumerate().filter(|&(_, &occupant)| occupant < WALL) {
        at[occupant as usize] = unit as u32;
    }
}
