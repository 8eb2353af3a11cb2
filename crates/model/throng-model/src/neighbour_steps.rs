//! Executors for agents that see their neighbours and all change at the same time.

use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;
use throng_core::InputError;
use throng_device::neighbours::{CellLists, UniformGrid};

use crate::{Failure, Steps};

/// An executor on the threads of the CPU, for states of integers. The first columns of the state are positions, one for
/// each axis of the grid.
///
/// ```
/// use throng_device::neighbours::{Boundary, CellLists, UniformGrid};
/// use throng_model::{NeighboursOnCpu, Steps as _};
///
/// let grid = UniformGrid::covering([0, 0], [100, 100], 10, Boundary::Periodic)?;
/// // Each agent counts those about it, itself included.
/// let rule = |near: &CellLists, [xs, ys, _]: &[Vec<i32>; 3], _step: u64, agent: usize| {
///     let (x, y) = (xs[agent], ys[agent]);
///     [x, y, near.around(x, y, 0).count() as i32]
/// };
/// let mut executor = NeighboursOnCpu::new(grid, [vec![5, 98, 50], vec![5, 5, 50], vec![0; 3]], rule)?;
/// executor.step()?;
/// assert_eq!(executor.state()?[2], [2, 2, 1]);
/// # Ok::<(), throng_model::Failure>(())
/// ```
#[derive(Debug)]
pub struct NeighboursOnCpu<const N: usize, F> {
    lists: CellLists,
    columns: [Vec<i32>; N],
    /// What the rule gives for each agent. Atomic only because threads write in the order of the cells; each agent is
    /// written once.
    after: Vec<[AtomicI32; N]>,
    steps: u64,
    rule: F,
}

impl<const N: usize, F: Fn(&CellLists, &[Vec<i32>; N], u64, usize) -> [i32; N] + Sync> NeighboursOnCpu<N, F> {
    /// An executor in the state of `columns`. `rule` gives the values of an agent after a step, from the neighbours and
    /// the state before it, the number of the step, which is 0 for the first, and the number of the agent.
    ///
    /// # Errors
    /// When the memory does not suffice.
    ///
    /// # Panics
    /// When there are fewer columns than axes, or columns of different lengths.
    pub fn new(grid: UniformGrid, columns: [Vec<i32>; N], rule: F) -> Result<Self, InputError> {
        let agents = agents_of(&grid, &columns);
        let after = std::iter::repeat_with(|| std::array::from_fn(|_| AtomicI32::new(0))).take(agents).collect();
        Ok(Self { lists: CellLists::new(grid, agents)?, columns, after, steps: 0, rule })
    }
}

impl<const N: usize, F: Fn(&CellLists, &[Vec<i32>; N], u64, usize) -> [i32; N] + Sync> Steps for NeighboursOnCpu<N, F> {
    type State = [Vec<i32>; N];

    fn step(&mut self) -> Result<(), Failure> {
        let Self { lists, columns, after, steps, rule } = self;
        let positions: Vec<&[i32]> = columns.iter().take(lists.grid().dimensions()).map(Vec::as_slice).collect();
        lists.build(&positions);
        // Agents that are near each other look at the same neighbours, so these stay in the cache.
        lists.agents().par_iter().for_each(|&agent| {
            let values = rule(lists, columns, *steps, agent as usize);
            after[agent as usize].iter().zip(values).for_each(|(after, value)| after.store(value, Relaxed));
        });
        for (i, column) in columns.iter_mut().enumerate() {
            column.par_iter_mut().zip(&mut *after).for_each(|(value, after)| *value = *after[i].get_mut());
        }
        *steps += 1;
        Ok(())
    }

    fn state(&self) -> Result<Self::State, Failure> {
        Ok(self.columns.clone())
    }
}

/// The number of agents in a state.
///
/// # Panics
/// When there are fewer columns than axes, or columns of different lengths.
fn agents_of<const N: usize>(grid: &UniformGrid, columns: &[Vec<i32>; N]) -> usize {
    let lengths = columns.each_ref().map(Vec::len);
    assert!(N >= grid.dimensions(), "{N} columns for positions along {} axes", grid.dimensions());
    assert!(lengths.iter().all(|&length| length == lengths[0]), "columns of different lengths: {lengths:?}");
    lengths[0]
}

#[cfg(feature = "gpu")]
pub use on_device::NeighboursOnDevice;

#[cfg(feature = "gpu")]
mod on_device {
    use throng_device::neighbours::{DeviceCellLists, UniformGrid};
    use throng_device::{Columns, Device, DeviceError};

    use super::agents_of;
    use crate::{Failure, Steps};

    /// An executor on a device, for states of integers. The first columns of the state are positions, one for each axis of
    /// the grid.
    #[derive(Debug)]
    pub struct NeighboursOnDevice<'d, const N: usize, F> {
        device: &'d Device,
        lists: DeviceCellLists,
        columns: Columns<i32, N>,
        steps: u64,
        launch: F,
    }

    impl<'d, const N: usize, F> NeighboursOnDevice<'d, N, F>
    where
        F: Fn(&Device, &DeviceCellLists, &Columns<i32, N>, u64) -> Result<(), DeviceError>,
    {
        /// An executor in the state of `columns`. `launch` launches the kernel of a step, which reads neighbours and
        /// [`Columns::before`], and writes every entry of [`Columns::after`]. Its last argument is the number of the step, which is 0 for
        /// the first.
        ///
        /// # Errors
        /// When the memory of the device does not suffice.
        ///
        /// # Panics
        /// When there are fewer columns than axes, or columns of different lengths.
        pub fn new(
            device: &'d Device,
            grid: UniformGrid,
            columns: &[Vec<i32>; N],
            launch: F,
        ) -> Result<Self, DeviceError> {
            let lists = DeviceCellLists::new(device, grid, agents_of(&grid, columns))?;
            Ok(Self { device, lists, columns: Columns::upload(device, "agents", columns)?, steps: 0, launch })
        }
    }

    impl<const N: usize, F> Steps for NeighboursOnDevice<'_, N, F>
    where
        F: Fn(&Device, &DeviceCellLists, &Columns<i32, N>, u64) -> Result<(), DeviceError>,
    {
        type State = [Vec<i32>; N];

        fn step(&mut self) -> Result<(), Failure> {
            let Self { device, lists, columns, steps, launch } = self;
            let axes = lists.grid().dimensions();
            let positions: Vec<_> = columns.before().iter().take(axes).collect();
            lists.build(device, &positions, columns.len())?;
            launch(device, lists, columns, *steps)?;
            columns.swap();
            *steps += 1;
            Ok(())
        }

        fn state(&self) -> Result<Self::State, Failure> {
            Ok(self.columns.read(self.device)?)
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_device::neighbours::Boundary;

    use super::*;

    type Rule = fn(&CellLists, &[Vec<i32>; 2], u64, usize) -> [i32; 2];

    fn executor(columns: [Vec<i32>; 2]) -> NeighboursOnCpu<2, Rule> {
        let grid = UniformGrid::covering([0, 0], [100, 100], 10, Boundary::Periodic).unwrap();
        let rule: Rule = |_, [xs, ys], step, agent| [xs[agent] + step as i32, ys[agent] + 1];
        NeighboursOnCpu::new(grid, columns, rule).unwrap()
    }

    #[test]
    fn rules_have_the_number_of_the_step() {
        let mut executor = executor([vec![10, 20], vec![30, 40]]);
        for _ in 0..4 {
            executor.step().unwrap();
        }
        assert_eq!(executor.state().unwrap(), [vec![16, 26], vec![34, 44]]);
    }

    #[test]
    #[should_panic(expected = "columns of different lengths: [2, 1]")]
    fn columns_of_different_lengths_are_refused() {
        executor([vec![1, 2], vec![3]]);
    }

    #[test]
    #[should_panic(expected = "1 columns for positions along 2 axes")]
    fn every_axis_has_a_column() {
        let grid = UniformGrid::covering([0, 0], [100, 100], 10, Boundary::Periodic).unwrap();
        agents_of(&grid, &[vec![1]]);
    }
}
