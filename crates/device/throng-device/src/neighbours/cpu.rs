//! Agents sorted by cell on the CPU, on any number of threads.
//!
//! Uses a counting sort, because its cost is linear regardless of crowding and because it is stable: agents enter in
//! ascending order of id, and keep that order within each cell. With several threads, a first pass distributes the
//! agents to buckets of consecutive cells, and a second pass sorts each bucket independently. Each thread writes to its
//! own slices, so the result does not depend on the number of threads.

use std::slice;

use rayon::prelude::*;
use throng_core::InputError;

use super::cells::Block;
use super::grid::{MAX_AGENTS, UniformGrid};

/// Below this number of agents, starting several threads costs more than it saves.
const MIN_PARALLEL_AGENTS: usize = 1 << 14;
/// Maximum number of buckets. A thread writes to all of them in turn, so each should keep a line of the L1 cache.
const BUCKETS: usize = 256;

/// The agents of each cell of a grid, in ascending order of id; rebuilt in every step in the same memory.
#[derive(Debug, Clone)]
pub struct CellLists {
    grid: UniformGrid,
    capacity: usize,
    starts: Vec<u32>,
    agents: Vec<u32>,
    /// Cell index of each agent.
    cells: Vec<u32>,
    /// Pairs of cell and agent, bucket by bucket; empty until first needed.
    bucketed: Vec<(u32, u32)>,
    /// Below this number of agents, a single thread is used.
    min_parallel_agents: usize,
}

impl CellLists {
    /// Creates empty lists with space for `capacity` agents. Memory: 4 bytes per cell and 8 per agent, or 16 per agent
    /// if `capacity` is at least 16,384.
    ///
    /// # Errors
    /// When `capacity` exceeds [`MAX_AGENTS`], or the memory does not suffice.
    pub fn new(grid: UniformGrid, capacity: usize) -> Result<Self, InputError> {
        if capacity > MAX_AGENTS {
            let message = format!("{capacity} agents; the maximum is {MAX_AGENTS}");
            return Err(InputError::one("cell lists", message, "simulate fewer agents"));
        }
        let mut lists = Self {
            grid,
            capacity,
            starts: Vec::new(),
            agents: Vec::new(),
            cells: Vec::new(),
            bucketed: Vec::new(),
            min_parallel_agents: MIN_PARALLEL_AGENTS,
        };
        let pairs = if capacity < MIN_PARALLEL_AGENTS { 0 } else { capacity };
        let reserved = lists
            .starts
            .try_reserve_exact(grid.cells() + 1)
            .and_then(|()| lists.agents.try_reserve_exact(capacity))
            .and_then(|()| lists.cells.try_reserve_exact(capacity))
            .and_then(|()| lists.bucketed.try_reserve_exact(pairs));
        if reserved.is_err() {
            let message = format!("no memory for {} cells and {capacity} agents", grid.cells());
            return Err(InputError::out_of_memory("cell lists", message, "use larger cells, or fewer agents"));
        }
        lists.starts.resize(grid.cells() + 1, 0);
        Ok(lists)
    }

    /// Sorts the agents at these positions, one slice per axis of the grid. Replaces the previous content of the lists.
    ///
    /// Cost: linear in agents and cells. With 16,384 agents or more, it uses the threads of the current rayon pool.
    ///
    /// # Panics
    /// When the number of slices differs from the number of axes, or the slices differ in length or exceed the
    /// capacity.
    pub fn build(&mut self, positions: &[&[i32]]) {
        let lengths: Vec<usize> = positions.iter().map(|axis| axis.len()).collect();
        let len = lengths.first().copied().unwrap_or(0);
        super::check_positions(&self.grid, &lengths, len, self.capacity);
        assert!(lengths.iter().all(|&other| other == len), "positions along the axes: {lengths:?}");
        self.cells.resize(len, 0);
        self.agents.resize(len, 0);
        let threads = rayon::current_num_threads();
        if len < self.min_parallel_agents || threads == 1 {
            find_cells(&self.grid, positions, 0, &mut self.cells);
            let sorted = self.cells.iter().copied().zip(0..);
            sort(sorted, 0, &mut self.starts[..self.grid.cells()], &mut self.agents);
        } else {
            self.build_together(positions, threads);
        }
        self.starts[self.grid.cells()] = len as u32;
    }

    fn build_together(&mut self, positions: &[&[i32]], threads: usize) {
        let (grid, len, cells) = (self.grid, self.cells.len(), self.grid.cells());
        let mut shift = 0;
        while cells.div_ceil(1 << shift) > BUCKETS {
            shift += 1;
        }
        let (buckets, width) = (cells.div_ceil(1 << shift), 1usize << shift);
        let chunk = len.div_ceil(threads).max(1);

        // Number of agents of each chunk that go to each bucket.
        let chunks = self.cells.par_chunks_mut(chunk).enumerate();
        let counts: Vec<Vec<u32>> = chunks
            .map(|(number, cells)| {
                find_cells(&grid, positions, number * chunk, cells);
                let mut counts = vec![0; buckets];
                for &cell in &*cells {
                    counts[cell as usize >> shift] += 1;
                }
                counts
            })
            .collect();

        // Each chunk has its own slice: bucket by bucket, and within a bucket chunk by chunk.
        self.bucketed.resize(len, (0, 0));
        let mut rest = &mut self.bucketed[..];
        let mut slices: Vec<Vec<&mut [(u32, u32)]>> = counts.iter().map(|_| Vec::with_capacity(buckets)).collect();
        let mut ends = Vec::with_capacity(buckets);
        for bucket in 0..buckets {
            for (slices, counts) in slices.iter_mut().zip(&counts) {
                let slice;
                (slice, rest) = rest.split_at_mut(counts[bucket] as usize);
                slices.push(slice);
            }
            ends.push(len - rest.len());
        }
        let chunks = self.cells.par_chunks(chunk).zip(slices).enumerate();
        chunks.for_each(|(number, (cells, mut slices))| {
            let mut filled = vec![0; buckets];
            for (&cell, agent) in cells.iter().zip((number * chunk) as u32..) {
                let bucket = cell as usize >> shift;
                slices[bucket][filled[bucket]] = (cell, agent);
                filled[bucket] += 1;
            }
        });

        let (mut rest, mut begin) = (&mut self.agents[..], 0);
        let mut places = Vec::with_capacity(buckets);
        for end in ends {
            let agents;
            (agents, rest) = rest.split_at_mut(end - begin);
            places.push((begin, agents));
            begin = end;
        }
        let starts = self.starts[..cells].par_chunks_mut(width).zip(places).enumerate();
        starts.for_each(|(bucket, (starts, (begin, agents)))| {
            let (first, bucketed) = ((bucket * width) as u32, &self.bucketed[begin..begin + agents.len()]);
            sort(bucketed.iter().map(|&(cell, agent)| (cell - first, agent)), begin as u32, starts, agents);
        });
    }

    /// Returns the grid whose cells the lists have.
    pub fn grid(&self) -> &UniformGrid {
        &self.grid
    }

    /// Returns the maximum number of agents.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// For each cell, the index of its first agent in [`CellLists::agents`]; the last entry is the number of agents.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Returns the agents, cell by cell.
    pub fn agents(&self) -> &[u32] {
        &self.agents
    }

    /// Returns the agents in a cell.
    ///
    /// # Panics
    /// When the grid has no such cell.
    pub fn agents_in(&self, cell: u32) -> &[u32] {
        let cell = cell as usize;
        &self.agents[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// Iterates over the agents in the block around a position, in the same order as a kernel. A grid of the plane
    /// ignores `z`.
    #[inline]
    pub fn around(&self, x: i32, y: i32, z: i32) -> impl Iterator<Item = u32> + '_ {
        let block = self.grid.block(x, y, z);
        Around { lists: self, block, layer: 0, row: 0, has_wrapped: false, agents: [].iter() }
    }
}

/// Iterator over the agents in a block. The agents of adjacent cells in a row are contiguous, so a row is one slice, or
/// two where it wraps around.
struct Around<'l> {
    lists: &'l CellLists,
    block: Block,
    /// The next layer of the block; `row` is the next row in it.
    layer: u32,
    row: u32,
    /// Whether the columns up to the end of the grid have been visited, so that the columns after the wrap-around are
    /// next.
    has_wrapped: bool,
    agents: slice::Iter<'l, u32>,
}

impl<'l> Around<'l> {
    /// Returns the agents of the next contiguous run of cells.
    #[inline]
    fn next_cells(&mut self) -> Option<&'l [u32]> {
        let (lists, block) = (self.lists, &self.block);
        let UniformGrid { x, y, z, .. } = &lists.grid;
        if self.layer == block.count_z {
            return None;
        }
        let row = z.wrapped(block.first_z, self.layer) * y.cells + y.wrapped(block.first_y, self.row);
        let unwrapped = block.count_x.min(x.cells - block.first_x);
        let (column, count) =
            if self.has_wrapped { (0, block.count_x - unwrapped) } else { (block.first_x, unwrapped) };
        self.has_wrapped = !self.has_wrapped && unwrapped < block.count_x;
        if !self.has_wrapped {
            self.row += 1;
            if self.row == block.count_y {
                (self.row, self.layer) = (0, self.layer + 1);
            }
        }
        let first = (row * x.cells + column) as usize;
        let [start, end] = [first, first + count as usize].map(|cell| lists.starts[cell] as usize);
        Some(&lists.agents[start..end])
    }
}

impl Iterator for Around<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        loop {
            if let Some(&agent) = self.agents.next() {
                return Some(agent);
            }
            self.agents = self.next_cells()?.iter();
        }
    }
}

/// Computes the cells of consecutive agents, starting at index `first`.
fn find_cells(grid: &UniformGrid, positions: &[&[i32]], first: usize, cells: &mut [u32]) {
    let part = |axis: usize| &positions[axis][first..first + cells.len()];
    let (xs, ys) = (part(0), part(1));
    if positions.len() == 3 {
        let zs = part(2);
        for (i, cell) in cells.iter_mut().enumerate() {
            *cell = grid.cell_of(xs[i], ys[i], zs[i]);
        }
    } else {
        for ((cell, &x), &y) in cells.iter_mut().zip(xs).zip(ys) {
            *cell = grid.cell_of(x, y, 0);
        }
    }
}

/// Sorts pairs of cell and agent by cell, stably. `starts` has one entry per cell; the first becomes `begin`.
fn sort(pairs: impl Iterator<Item = (u32, u32)> + Clone, begin: u32, starts: &mut [u32], agents: &mut [u32]) {
    starts.fill(0);
    pairs.clone().for_each(|(cell, _)| starts[cell as usize] += 1);
    let mut sum = begin;
    for start in &mut *starts {
        sum += std::mem::replace(start, sum);
    }
    for (cell, agent) in pairs {
        let start = &mut starts[cell as usize];
        agents[(*start - begin) as usize] = agent;
        *start += 1;
    }
    // Each entry has advanced to the end of its cell, which is the start of the next cell.
    starts.copy_within(..starts.len() - 1, 1);
    starts[0] = begin;
}

#[cfg(test)]
mod tests {
    use throng_core::{Philox, thread_pool};

    use super::*;
    use crate::neighbours::Boundary;

    #[test]
    fn lists_do_not_depend_on_the_number_of_threads() {
        let draws = Philox::new(3);
        let positions =
            |axis| (0..3_000u32).map(|agent| draws.below(2_000, agent, 0, axis, 0) as i32 - 500).collect::<Vec<_>>();
        let (xs, ys) = (positions(0), positions(1));
        for (size, cells, boundary) in
            [(7, [150, 130], Boundary::Closed), (300, [3, 2], Boundary::Periodic), (9_000, [1, 1], Boundary::Closed)]
        {
            let grid = UniformGrid::new([0, -20], size, cells, boundary).unwrap();
            let mut expected = CellLists::new(grid, xs.len()).unwrap();
            thread_pool(1).unwrap().install(|| expected.build(&[&xs, &ys]));
            assert!((0..grid.cells() as u32).all(|cell| expected.agents_in(cell).is_sorted()));
            for threads in [2, 3, 8] {
                let mut lists = CellLists { min_parallel_agents: 0, ..CellLists::new(grid, xs.len()).unwrap() };
                let pool = thread_pool(threads).unwrap();
                // Run again and with fewer agents in between, because the memory is reused.
                for len in [xs.len(), 5, xs.len()] {
                    pool.install(|| lists.build(&[&xs[..len], &ys[..len]]));
                }
                assert_eq!((lists.starts(), lists.agents()), (expected.starts(), expected.agents()), "{threads}");
            }
        }
    }

    #[test]
    fn excess_agents_are_refused() {
        let grid = UniformGrid::new([0, 0], 1, [1, 1], Boundary::Closed).unwrap();
        let error = CellLists::new(grid, MAX_AGENTS + 1).unwrap_err().to_string();
        assert!(error.contains("2147483648 agents; the maximum is 2147483647"), "{error}");
        let error = CellLists::new(grid, 2).map(|mut lists| {
            let built = std::panic::AssertUnwindSafe(|| lists.build(&[&[0; 3], &[0; 3]]));
            std::panic::catch_unwind(built).unwrap_err().downcast_ref::<String>().cloned()
        });
        assert_eq!(error.unwrap().as_deref(), Some("3 agents in cell lists for 2"));
    }
}
