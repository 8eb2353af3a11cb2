//! Executors for agents that interact with their neighbours and are all updated at the same time.

use std::sync::atomic::AtomicI32;

use rayon::prelude::*;
use throng_core::InputError;
use throng_device::neighbours::{CellLists, NeighbourRules, UniformGrid};
use throng_device::{Executor, with_kernels};

use crate::{Failure, StepModel, Steps};

/// Creates an executor for the model `M`, on a device or on CPU threads, that starts from the state `agents`. The
/// columns are those of [`NeighbourRules::Agent`]; the first ones are positions, one per axis of the grid.
///
/// # Errors
/// When there is not enough memory.
///
/// # Panics
/// When there are fewer columns than axes, or columns of different lengths.
pub fn neighbour_steps<M: StepModel<State = [Vec<i32>; N]>, const N: usize>(
    on: &Executor,
    rules: impl NeighbourRules,
    grid: UniformGrid,
    agents: [Vec<i32>; N],
) -> Result<Box<dyn Steps<State = [Vec<i32>; N]>>, Failure> {
    match on.shared_device() {
        None => Ok(Box::new(NeighboursOnCpu::new(rules, grid, agents)?)),
        Some(device) => {
            with_kernels!(M::NAME, device, |device| on_device::executor(device, M::STEP, rules, grid, &agents))
        }
    }
}

struct NeighboursOnCpu<R, const N: usize> {
    rules: R,
    lists: CellLists,
    columns: [Vec<i32>; N],
    /// Each agent's new state.
    after: Vec<[AtomicI32; N]>,
    steps: u32,
}

impl<R: NeighbourRules, const N: usize> NeighboursOnCpu<R, N> {
    fn new(rules: R, grid: UniformGrid, columns: [Vec<i32>; N]) -> Result<Self, InputError> {
        let agents = agents_of(&grid, &columns);
        let after = std::iter::repeat_with(|| std::array::from_fn(|_| AtomicI32::new(0))).take(agents).collect();
        Ok(Self { rules, lists: CellLists::new(grid, agents)?, columns, after, steps: 0 })
    }
}

impl<R: NeighbourRules, const N: usize> Steps for NeighboursOnCpu<R, N> {
    type State = [Vec<i32>; N];

    fn step(&mut self) -> Result<(), Failure> {
        let Self { rules, lists, columns, after, steps } = self;
        let positions: Vec<&[i32]> = columns.iter().take(lists.grid().dimensions()).map(Vec::as_slice).collect();
        lists.build(&positions);
        lists.meet(rules, columns, after, *steps);
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

/// Returns the number of agents in a state.
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
mod on_device {
    use std::sync::Arc;

    use throng_device::neighbours::{DeviceCellLists, NeighbourRules, UniformGrid};
    use throng_device::{Columns, Device};

    use super::agents_of;
    use crate::{Failure, Steps};

    struct NeighboursOnDevice<R, const N: usize> {
        device: Arc<Device>,
        label: &'static str,
        rules: R,
        lists: DeviceCellLists,
        columns: Columns<i32, N>,
        steps: u32,
    }

    pub(super) fn executor<const N: usize>(
        device: &Arc<Device>,
        label: &'static str,
        rules: impl NeighbourRules,
        grid: UniformGrid,
        agents: &[Vec<i32>; N],
    ) -> Result<Box<dyn Steps<State = [Vec<i32>; N]>>, Failure> {
        let lists = DeviceCellLists::new(device, grid, agents_of(&grid, agents))?;
        let columns = Columns::upload(device, "agents", agents)?;
        Ok(Box::new(NeighboursOnDevice { device: Arc::clone(device), label, rules, lists, columns, steps: 0 }))
    }

    impl<R: NeighbourRules, const N: usize> Steps for NeighboursOnDevice<R, N> {
        type State = [Vec<i32>; N];

        fn step(&mut self) -> Result<(), Failure> {
            let Self { device, label, rules, lists, columns, steps } = self;
            let axes = lists.grid().dimensions();
            let positions: Vec<_> = columns.before().iter().take(axes).collect();
            lists.build(device, &positions, columns.len())?;
            lists.meet(device, label, rules, columns, *steps)?;
            columns.swap();
            *steps += 1;
            Ok(())
        }

        fn state(&self) -> Result<Self::State, Failure> {
            Ok(self.columns.read(&self.device)?)
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

    use throng_device::neighbours::Boundary;
    use throng_device::prelude::*;

    use super::*;

    #[derive(CubeType, AgentColumns, Clone, Copy)]
    struct Walker {
        x: i32,
        y: i32,
    }

    #[derive(CubeType, CubeLaunch, KernelParameter, Clone, Copy)]
    struct Walking {
        ahead: i32,
    }

    #[derive(CubeType, Clone, Copy)]
    struct Nobody {
        _number: i32,
    }

    #[cube]
    impl NeighbourRules for Walking {
        type Agent = Walker;
        type Seen = Nobody;

        fn nothing_seen(&self) -> Nobody {
            Nobody { _number: 0i32.runtime() }
        }

        fn meet(&self, _nobody: &mut Nobody, _walker: &Walker, _other: &Walker, _meeting: &Meeting) {}

        fn act(&self, walker: &Walker, _nobody: &Nobody, _agent: u32, step: u32) -> Walker {
            Walker { x: walker.x + step as i32, y: walker.y + self.ahead }
        }
    }

    fn executor(columns: [Vec<i32>; 2]) -> NeighboursOnCpu<Walking, 2> {
        let grid = UniformGrid::covering([0, 0], [100, 100], 10, Boundary::Periodic).unwrap();
        NeighboursOnCpu::new(Walking { ahead: 1 }, grid, columns).unwrap()
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
