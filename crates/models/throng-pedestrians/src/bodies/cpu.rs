//! The executor for bodies on CPU threads.

use rayon::prelude::*;
use throng_core::{InputError, check_memory};

use super::super::fields::FieldTables;
use super::super::rules::body::{Body, Changing, Outcome, middle, occupant_after, outcome};
use super::super::rules::body_size::intent;
use super::super::rules::direction::NONE;
use super::super::rules::draws::Seed;
use super::super::rules::grid::NOWHERE;
use super::super::rules::vote::{ANY, due_after, winner};
use super::super::scene::{EMPTY, Pedestrians, WALL, World};
use super::super::static_fields::static_scores;
use super::plan::Plan;
use super::views::{BodiesOnFloor, Candidates, Contest, DecisionContext};

/// A world of pedestrians whose bodies cover several space units.
#[derive(Debug, Clone)]
pub struct CpuBodies {
    world: World,
    tables: FieldTables,
    plan: Plan,
    static_scores: Vec<i32>,
    seed: Seed,
    tick: u32,
    pedestrians: Pedestrians,
    occupants: Vec<u32>,
    /// [`intent()`] of each pedestrian, or [`NONE`].
    intents: Vec<u8>,
    /// Whether bodies change their size.
    changes: bool,
}

impl CpuBodies {
    /// Creates a world with pedestrians before `tick`. Memory: 13 bytes per space unit, 4 more with walk periods above
    /// 1 and 32 more where walls have fields, and 36 bytes per pedestrian, 8 more where bodies change their size.
    ///
    /// # Errors
    /// As for [`Pedestrians::occupants`]; for bodies longer than 11 space units and fields that do not fit into the
    /// world or 32 bits; when memory is short; and for worlds with openings, exchanges or traces.
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
        // Wall fields take twice their size while threads join their results.
        let of_fields = if tables.has_static_scores() { 64 } else { 0 };
        let of_steps = if pedestrians.has_long_steps() { 4 } else { 0 };
        let changes = pedestrians.has_changing_bodies();
        let of_pedestrian = if changes { 44 } else { 36 };
        let bytes = (13 + of_fields + of_steps) * units + of_pedestrian * pedestrians.len() as u64;
        check_memory(bytes, "world", format_args!("{units} space units"), remedy)?;
        let occupants = pedestrians.occupants(&world)?;
        pedestrians.free_from = pedestrians.complete_free_from(&world)?;
        pedestrians.begin_changes();
        pedestrians.bodies = (0..pedestrians.len()).map(|pedestrian| pedestrians.body(pedestrian)).collect();
        Ok(Self {
            static_scores: static_scores(&world, &tables),
            intents: vec![NONE as u8; pedestrians.len()],
            seed: Seed::new(seed),
            world,
            tables,
            plan,
            tick,
            changes,
            pedestrians,
            occupants,
        })
    }

    /// Returns the pedestrians.
    pub fn pedestrians(&self) -> Pedestrians {
        let mut pedestrians = self.pedestrians.clone();
        pedestrians.normalize(self.tick);
        pedestrians
    }

    /// Simulates one tick, as [`Reference::step`](super::super::Reference::step) does. Returns the number of
    /// pedestrians that moved.
    pub fn step(&mut self) -> usize {
        let (grid, pedestrians, seed, tick) = (self.world.grid, &self.pedestrians, self.seed, self.tick);
        let numbers = 0..pedestrians.len() as u32;
        let intents = numbers.clone().into_par_iter().map(|pedestrian| self.intent(pedestrian));
        self.intents = intents.collect();
        let winners = self.occupants.par_iter().enumerate().map(|(unit, &occupant)| {
            let [x, y] = grid.place(unit as u32);
            let mut candidates = Candidates { occupants: &self.occupants, intents: &self.intents, seed, tick };
            if occupant == EMPTY { winner(&mut candidates, &grid, x, y, ANY, false).pedestrian } else { EMPTY }
        });
        let winners: Vec<u32> = winners.collect();
        let headings = &pedestrians.heading;
        let mut contest = Contest { occupants: &self.occupants, winners: &winners, headings, outcomes: &[] };
        let outcomes = numbers.into_par_iter().map(|pedestrian| self.outcome(&contest, pedestrian));
        let outcomes: Vec<Outcome> = outcomes.collect();
        contest.outcomes = &outcomes;
        let after = self.occupants.par_iter().enumerate();
        let after: Vec<u32> =
            after.map(|(unit, &occupant)| occupant_after(&contest, &grid, unit as u32, occupant)).collect();
        let Pedestrians { at, period, due, free_from, bodies, blocked, .. } = &mut self.pedestrians;
        for (pedestrian, outcome) in outcomes.iter().enumerate() {
            let Outcome { to, columns, rows, direction, blocked: blocked_for } = *outcome;
            if to != NOWHERE {
                at[pedestrian] = to;
                due[pedestrian] = due_after(tick, period[pedestrian], direction, 1, self.tables.equal_speeds);
                bodies[pedestrian] = [columns as u8, rows as u8];
            }
            if self.changes {
                blocked[pedestrian] = blocked_for;
            }
        }
        let changes = self.occupants.par_iter().zip(&after);
        free_from.par_iter_mut().zip(changes).for_each(|(free_from, (&before, &after))| {
            if before < WALL && after == EMPTY {
                *free_from = due[before as usize];
            }
        });
        self.occupants = after;
        self.tick += 1;
        outcomes.iter().filter(|outcome| outcome.to != NOWHERE && outcome.direction != NONE).count()
    }

    /// Returns the outcome of the tick for a pedestrian.
    fn outcome(&self, contest: &Contest<'_>, pedestrian: u32) -> Outcome {
        let Self { world, pedestrians, seed, tick, .. } = self;
        let i = pedestrian as usize;
        let [x, y] = world.grid.place(pedestrians.at[i]);
        let body = Body { pedestrian, shape: pedestrians.shape(pedestrian), x, y };
        let changing = Changing {
            limits: pedestrians.limits(i).into(),
            blocked: pedestrians.blocked.get(i).copied().unwrap_or(0),
            squeeze_after: self.tables.squeeze_after,
            is_due: *tick >= pedestrians.due[i],
            prefers_right: if self.changes { seed.of_tick(pedestrian, *tick).prefers_right } else { 0 },
        };
        outcome(contest, &world.grid, body, self.intents[i].into(), &changing, self.changes)
    }

    /// Returns the [`intent()`] of a pedestrian, or [`NONE`].
    fn intent(&self, pedestrian: u32) -> u8 {
        let Self { world, occupants, pedestrians, plan, tables, static_scores, .. } = self;
        let (seed, tick) = (self.seed, self.tick);
        if tick < pedestrians.due[pedestrian as usize] {
            return NONE as u8;
        }
        let floor = BodiesOnFloor { grid: &world.grid, occupants, pedestrians, plan, tables };
        let [x, y] = world.grid.place(pedestrians.at[pedestrian as usize]);
        let shape = pedestrians.shape(pedestrian);
        let reads = world.grid.unit_at(x + middle(shape.columns), y + middle(shape.rows));
        let mut deciding = DecisionContext { floor, static_scores, seed, tick, pedestrian, shape, x, y, reads };
        let limits = pedestrians.limits(pedestrian as usize).into();
        let blocked = pedestrians.blocked.get(pedestrian as usize).copied().unwrap_or(0);
        intent(&mut deciding, &tables.weights, shape, limits, blocked, self.changes) as u8
    }
}
