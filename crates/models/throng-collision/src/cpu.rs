//! The collision check on CPU threads.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;
use throng_core::{InputError, Philox, check_memory};
use throng_device::neighbours::{CellLists, UniformGrid};

use super::band::{Band, WholeGrid};
use super::deciding::DecisionContext;
use super::lattice::CELL_BITS;
use super::options::{Options, check_ids, check_longest_step};
use super::routes::{Route, fill_routes};
use super::rules::contest::{MOVED, Rule, UNDECIDED};
use super::rules::decision::{NONE, reach};
use super::rules::draws::priority_of;
use super::rules::wish::is_at_wish;
use super::scene::Scene;
use super::start::{check_start, numbered};
use super::walls::WallIndex;

/// Memory per cell, and per disc with steps of any length, bytes.
const BYTES_PER_CELL: u64 = 4;
const BYTES_PER_DISC: u64 = 69;
/// Cells per chunk of the grid that a thread visits.
const CELLS_PER_PART: i32 = if cfg!(test) { 1 << 7 } else { 1 << 16 };
/// Discs per chunk of all discs that a thread visits.
const DISCS_PER_PART: usize = 4096;
/// Discs per chunk of those with open decisions.
const OPEN_PER_PART: usize = 256;

/// Moving discs that never overlap, on CPU threads.
#[derive(Debug)]
pub struct CpuCrowd {
    scene: Scene,
    index: WallIndex,
    options: Options,
    /// Empty if the id of each disc is its index.
    ids: Vec<u32>,
    at: [Vec<i32>; 2],
    accepted: Vec<bool>,
    steps: u64,
    /// Index of the disc whose centre is in each cell, or [`NONE`].
    slots: Vec<AtomicU32>,
    /// Routes of the current step.
    routes: Vec<Route>,
    priorities: Vec<u32>,
    states: Vec<AtomicU32>,
    /// With steps of any length: the discs sorted by the cell of their target.
    targets: Option<CellLists>,
}

impl CpuCrowd {
    /// Creates a crowd with these start positions. Memory: 4 bytes per cell and 45 per disc; 4 more for discs of
    /// different radii, and about 20 more for steps of any length.
    ///
    /// # Errors
    /// When discs overlap with each other, with walls, or with the border: the first pairs, and their total number.
    /// When the longest step exceeds [`MAX_STEP`](crate::MAX_STEP), or the memory does not suffice.
    pub fn new(scene: Scene, at: [Vec<i32>; 2], options: Options) -> Result<Self, InputError> {
        Self::with_ids(scene, at, Vec::new(), options)
    }

    /// Creates a crowd of discs with ids. Priorities depend on the id instead of the index, so decisions do not depend
    /// on the order of the discs. If `ids` is empty, the id of each disc is its index.
    ///
    /// # Errors
    /// As for [`CpuCrowd::new`], and when the numbers of ids and discs differ, or an id occurs twice.
    pub fn with_ids(scene: Scene, at: [Vec<i32>; 2], ids: Vec<u32>, options: Options) -> Result<Self, InputError> {
        let (discs, world) = (scene.radii.discs(), scene.world);
        check_ids(discs, &ids)?;
        let cells = world.cells();
        let bytes = BYTES_PER_CELL * cells as u64 + BYTES_PER_DISC * discs as u64;
        let remedy = "simulate a smaller world, or fewer or larger discs";
        check_memory(bytes, "world", format_args!("{cells} cells and {discs} discs"), remedy)?;
        let reach = check_longest_step(&options, true)?.max(scene.radii.largest());
        let index = WallIndex::new(&scene.world, &scene.walls, reach, options.lattice.as_ref())?;
        check_start(&scene, &index, at.each_ref().map(Vec::as_slice), options.lattice.as_ref(), &numbered)?;
        let mut targets = None;
        if options.longest_step.is_none() {
            let reach = (2 * scene.radii.largest()) as u32;
            let grid = UniformGrid::covering([0, 0], world.size().map(|side| side as u32), reach, world.boundary())?;
            targets = Some(CellLists::new(grid, discs)?);
        }
        let mut slots: Vec<AtomicU32> = Vec::new();
        if slots.try_reserve_exact(world.cells()).is_err() {
            let message = format!("no memory for {} cells of {BYTES_PER_CELL} bytes", world.cells());
            return Err(InputError::out_of_memory("world", message, "simulate a smaller world, or larger discs"));
        }
        slots.par_extend((0..world.cells()).into_par_iter().map(|_| AtomicU32::new(NONE)));
        for disc in 0..discs {
            slots[world.cell_of(at[0][disc], at[1][disc]) as usize].store(disc as u32, Relaxed);
        }
        let states = std::iter::repeat_with(|| AtomicU32::new(UNDECIDED)).take(discs).collect();
        Ok(Self {
            scene,
            index,
            options,
            ids,
            at,
            accepted: vec![false; discs],
            steps: 0,
            slots,
            routes: vec![[0; 4]; discs],
            priorities: vec![0; discs],
            states,
            targets,
        })
    }

    /// Returns the positions: x and y of every disc, units.
    pub fn at(&self) -> &[Vec<i32>; 2] {
        &self.at
    }

    /// Returns whether each disc's wish was granted in the last step.
    pub fn accepted(&self) -> &[bool] {
        &self.accepted
    }

    /// Returns the world, walls and radii.
    #[cfg(test)]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Requests a move of every disc to `to`, x and y, and performs the granted ones. Returns the number of granted
    /// wishes; a wish to stay is always granted. In a periodic world a wish may be beyond the border by the size of the
    /// world; in a closed world such a wish is refused, regardless of the length of its step.
    ///
    /// # Errors
    /// When the numbers of wishes and discs differ, or a step is too long. In either case no disc has moved.
    pub fn step(&mut self, to: [&[i32]; 2]) -> Result<usize, InputError> {
        self.prepare(to)?;
        if let Some(targets) = &mut self.targets {
            let [xs, ys]: [Vec<i32>; 2] = [2, 3].map(|axis| self.routes.par_iter().map(|route| route[axis]).collect());
            targets.build(&[&xs, &ys]);
        }
        let mut open = self.first_pass();
        if self.options.rule == Rule::Conservative {
            let deciding = self.deciding(self.whole());
            open.par_iter().for_each(|&disc| deciding.compete(disc));
        } else {
            self.decide_all(&mut open);
        }
        let granted = self.commit(to);
        self.steps += 1;
        Ok(granted)
    }

    /// Repeats [`CpuCrowd::step`] for the refused discs until none of them moves. Under [`Rule::Sequential`] the
    /// target of each refused disc then overlaps with another disc or with a wall. Under the other rules a disc that
    /// lost its target to a disc that was refused itself may stay although it could move. Every repetition draws new
    /// priorities. Returns the number of granted wishes.
    ///
    /// # Errors
    /// As for [`CpuCrowd::step`].
    pub fn step_until_none_moves(&mut self, to: [&[i32]; 2]) -> Result<usize, InputError> {
        let mut granted = self.step(to)?;
        let mut accepted = self.accepted.clone();
        let mut newly = granted;
        while newly > 0 {
            // A disc that has moved requests to stay.
            let wish = |axis: usize| -> Vec<i32> {
                let of = |disc: usize| if accepted[disc] { self.at[axis][disc] } else { to[axis][disc] };
                (0..accepted.len()).into_par_iter().map(of).collect()
            };
            let wishes = [wish(0), wish(1)];
            self.step(wishes.each_ref().map(Vec::as_slice))?;
            accepted.par_iter_mut().zip(&self.accepted).for_each(|(all, now)| *all |= *now);
            newly = accepted.par_iter().filter(|&&accepted| accepted).count() - granted;
            granted += newly;
        }
        self.accepted = accepted;
        Ok(granted)
    }

    /// Validates the wishes, and draws the priorities.
    fn prepare(&mut self, to: [&[i32]; 2]) -> Result<(), InputError> {
        let Self { scene, index, options, ids, at, routes, priorities, states, steps, .. } = self;
        fill_routes(scene, index, options, at, to, routes)?;
        let draws = Philox::new(options.seed);
        priorities.par_iter_mut().zip(states.par_iter_mut()).enumerate().for_each(|(disc, (priority, state))| {
            let id = ids.get(disc).copied().unwrap_or(disc as u32);
            *priority = priority_of(draws, id, *steps);
            *state.get_mut() = UNDECIDED;
        });
        Ok(())
    }

    /// Makes all decisions that depend on no open decision; returns the other discs.
    fn first_pass(&self) -> Vec<u32> {
        let (discs, whole) = (self.routes.len(), self.whole());
        let Scene { world, radii, .. } = &self.scene;
        let is_sparse = self.slots.len() / 32 > discs;
        let parts: Vec<Vec<u32>> = match self.options.longest_step {
            Some(longest) if !is_sparse => {
                // A disc checks the cells around its target. One row may be narrower than the others: the last one,
                // which under a periodic boundary is adjacent to the first.
                let margin = ((longest + reach(radii.largest(), radii.largest(), longest, true)) >> CELL_BITS) + 2;
                let rows = (CELLS_PER_PART / world.x.cells).max(2 * margin);
                let part = |first: i32| {
                    let band = Band::of(&whole, first * rows, (first * rows + rows).min(world.y.cells), margin);
                    self.deciding(&band).decide_each(band.own())
                };
                (0..(world.y.cells + rows - 1) / rows).into_par_iter().map(part).collect()
            }
            _ => {
                let deciding = self.deciding(whole);
                let part = |part: &[u32]| deciding.decide_each(part.iter().copied());
                match &self.targets {
                    // Discs with nearby targets have the same neighbours, which stay in the cache.
                    Some(targets) => targets.agents().par_chunks(DISCS_PER_PART).map(part).collect(),
                    None => (0..discs as u32).collect::<Vec<_>>().par_chunks(DISCS_PER_PART).map(part).collect(),
                }
            }
        };
        parts.concat()
    }

    /// Repeats the pass for discs with open decisions until none is left or nothing changes: the remaining discs follow
    /// each other in rings, and move.
    fn decide_all(&self, open: &mut Vec<u32>) {
        let deciding = self.deciding(self.whole());
        while !open.is_empty() {
            let before = open.len();
            // If a column of discs moves in the direction of the list, its first disc is last in the list. In the
            // reverse order, each decision can follow from the previous one within the same pass.
            open.reverse();
            let part = |part: &[u32]| deciding.decide_each(part.iter().copied());
            *open = open.par_chunks(OPEN_PER_PART).map(part).flatten_iter().collect();
            if open.len() == before {
                open.drain(..).for_each(|disc| self.states[disc as usize].store(MOVED, Relaxed));
            }
        }
    }

    fn whole(&self) -> WholeGrid<'_> {
        WholeGrid { world: &self.scene.world, slots: &self.slots, routes: &self.routes }
    }

    fn deciding<S>(&self, storage: S) -> DecisionContext<'_, S> {
        DecisionContext {
            storage,
            world: &self.scene.world,
            rule: self.options.rule,
            radii: &self.scene.radii,
            largest: self.scene.radii.largest(),
            longest_step: self.options.longest_step,
            targets: self.targets.as_ref(),
            priorities: &self.priorities,
            states: &self.states,
            ids: &self.ids,
        }
    }

    /// Moves the granted discs and their entries in the grid. Returns the number of discs at their requested positions.
    fn commit(&mut self, to: [&[i32]; 2]) -> usize {
        let Self { scene, at, accepted, slots, routes, states, .. } = self;
        let (world, states) = (scene.world, &*states);
        let has_moved = |disc: u32| states[disc as usize].load(Relaxed) == MOVED;
        let cell_of = |x: i32, y: i32| world.cell_of(x, y);
        // Discs that leave their cells clear them before any disc enters a cell.
        let leaving = |disc: u32| {
            let [from_x, from_y, to_x, to_y] = routes[disc as usize];
            let (from, to) = (cell_of(from_x, from_y), cell_of(to_x, to_y));
            (from != to && has_moved(disc)).then_some((from, to, disc))
        };
        let leavers: Vec<(u32, u32, u32)> = (0..routes.len() as u32).into_par_iter().filter_map(leaving).collect();
        leavers.par_iter().for_each(|&(from, _, _)| slots[from as usize].store(NONE, Relaxed));
        leavers.par_iter().for_each(|&(_, to, disc)| slots[to as usize].store(disc, Relaxed));
        let [xs, ys] = at;
        let discs = xs.par_iter_mut().zip(ys.par_iter_mut()).zip(accepted.par_iter_mut()).enumerate();
        discs
            .map(|(disc, ((x, y), accepted))| {
                if has_moved(disc as u32) {
                    let [_, _, to_x, to_y] = routes[disc];
                    (*x, *y) = (to_x, to_y);
                }
                *accepted = is_at_wish(&world, *x, *y, to[0][disc], to[1][disc]);
                usize::from(*accepted)
            })
            .sum()
    }
}
