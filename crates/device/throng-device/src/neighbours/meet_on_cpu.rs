//! The meeting of all agents with their neighbours, on CPU threads. Rows of cells are contiguous, so the loop over
//! cells is a loop over slices; a kernel visits them cell by cell.

use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::cpu::CellLists;
use super::rules::{AgentColumns, NeighbourRules, Pair, ReadColumns, WriteColumns, encounter};

struct Before<'c, const N: usize>(&'c [Vec<i32>; N]);

struct After<'c, const N: usize>(&'c [[AtomicI32; N]]);

impl<const N: usize> ReadColumns for Before<'_, N> {
    #[inline]
    fn value(&self, column: usize, agent: usize) -> i32 {
        self.0[column][agent]
    }
}

impl<const N: usize> WriteColumns for After<'_, N> {
    #[inline]
    fn put(&mut self, column: usize, agent: usize, value: i32) {
        self.0[agent][column].store(value, Relaxed);
    }
}

/// Kernel counterparts of the host's views.
#[cfg(feature = "gpu")]
mod in_kernels {
    use cubecl::prelude::{Array, CubeType, Sequence};

    use super::{After, Before};

    impl<const N: usize> CubeType for Before<'_, N> {
        type ExpandType = <Sequence<Array<i32>> as CubeType>::ExpandType;
    }

    impl<const N: usize> CubeType for After<'_, N> {
        type ExpandType = <Sequence<Array<i32>> as CubeType>::ExpandType;
    }
}

impl CellLists {
    /// Lets each agent meet its neighbours and act; `after` receives its values after step `step`. The lists must be
    /// built from the positions in `before`. Uses the threads of the current rayon pool.
    ///
    /// `after` has one entry per agent. Its numbers are atomic only because threads write in the order of the cells;
    /// each entry is written once.
    ///
    /// # Panics
    /// When there are fewer entries than agents in the lists.
    pub fn meet<R: NeighbourRules, const N: usize>(
        &self,
        rules: &R,
        before: &[Vec<i32>; N],
        after: &[[AtomicI32; N]],
        step: u32,
    ) {
        const { assert!(N == R::Agent::COLUMNS, "a column for each field of the agent") }
        let (rules, grid, before) = (*rules, *self.grid(), Before(before));
        // Nearby agents read the same neighbours, which therefore stay in the cache.
        self.agents().par_iter().for_each(|&number| {
            let agent = R::Agent::load(&before, number as usize);
            let mut seen = rules.nothing_seen();
            let (x, y, z) = (R::Agent::x(&agent), R::Agent::y(&agent), R::Agent::z(&agent));
            for neighbour in self.around(x, y, z).filter(|&neighbour| neighbour != number) {
                encounter(&rules, &grid, &before, &mut seen, &agent, Pair { agent: number, neighbour, step });
            }
            let acted = rules.act(&agent, &seen, number, step);
            R::Agent::store(&acted, &mut After(after), number as usize);
        });
    }
}
