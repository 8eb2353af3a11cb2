//! Agents that interact with their neighbours and are all updated at the same time, on any executor.

use std::sync::atomic::AtomicI32;

use rayon::prelude::*;
use throng_core::InputError;
use throng_device::neighbours::{CellLists, NeighbourRules, UniformGrid};
use throng_device::{Error, Executor, Needs, On, with_kernels};

use crate::Failure;
use crate::step_model::Steps;

/// Agents that interact with their neighbours, by rules of the user's program: in a step, all agents see the state
/// before it. States are the same on every executor, bit for bit, because rules compute with integers.
///
/// ```
/// use throng_device::neighbours::{Boundary, UniformGrid};
/// use throng_device::prelude::*;
/// use throng_device::DeviceChoice;
/// use throng_model::Flock;
///
/// /// A position in units, and the number of neighbours seen in the last step.
/// #[derive(CubeType, AgentColumns, Clone, Copy)]
/// struct Walker { x: i32, y: i32, seen: i32 }
///
/// #[derive(CubeType, CubeLaunch, KernelParameter, Clone, Copy)]
/// struct Rules { sight: i32 }
///
/// #[derive(CubeType, Clone, Copy)]
/// struct Seen { count: i32 }
///
/// #[cube]
/// impl NeighbourRules for Rules {
///     type Agent = Walker;
///     type Seen = Seen;
///
///     fn nothing_seen(&self) -> Seen {
///         Seen { count: 0i32.runtime() }
///     }
///
///     fn meet(&self, seen: &mut Seen, _walker: &Walker, _other: &Walker, meeting: &Meeting) {
///         if exact::abs(meeting.dx) <= self.sight && exact::abs(meeting.dy) <= self.sight {
///             seen.count += 1;
///         }
///     }
///
///     fn act(&self, walker: &Walker, seen: &Seen, _agent: u32, _step: u32) -> Walker {
///         // Walks to the right until it sees somebody.
///         let mut x = walker.x;
///         if seen.count == 0 {
///             x += 10;
///         }
///         Walker { x, y: walker.y, seen: seen.count }
///     }
/// }
///
/// # fn main() -> Result<(), throng_device::Error> {
/// let grid = UniformGrid::covering([0, 0], [1000, 1000], 100, Boundary::Closed)?;
/// let walkers = [vec![100, 500], vec![500, 500], vec![0, 0]];
/// let mut flock = Flock::builder(Rules { sight: 90 }, grid, walkers).on(DeviceChoice::Auto).build()?;
/// for _ in 0..60 {
///     flock.step()?;
/// }
/// let [xs, _, seen] = flock.columns()?;
/// assert!(xs[1] > xs[0] && seen.iter().all(|seen| *seen <= 1));
/// # Ok(())
/// # }
/// ```
pub struct Flock<const N: usize> {
    executor: Executor,
    steps: Box<dyn StepFlock<N> + Send>,
}

/// The steps of a flock, without the type of its rules.
trait StepFlock<const N: usize> {
    fn step(&mut self) -> Result<(), Error>;
    fn columns(&self) -> Result<[Vec<i32>; N], Error>;
}

impl<const N: usize> Flock<N> {
    /// Starts building a flock with these agents. The columns have the order of [`NeighbourRules::Agent`]; the first
    /// columns are positions, one per axis of the grid. The grid defines how far agents see.
    pub fn builder<R: NeighbourRules>(rules: R, grid: UniformGrid, agents: [Vec<i32>; N]) -> FlockBuilder<R, N> {
        FlockBuilder { rules, grid, agents, label: "agents", on: On::default() }
    }

    /// The executor, with the reason for an automatic choice.
    pub fn executor(&self) -> &Executor {
        &self.executor
    }

    /// Computes a step. Returns as soon as the work has been submitted to a device.
    ///
    /// # Errors
    /// If the device fails.
    pub fn step(&mut self) -> Result<(), Error> {
        self.steps.step()
    }

    /// Returns the agents, one column per variable. Copies them from a device.
    ///
    /// # Errors
    /// If the device fails.
    pub fn columns(&self) -> Result<[Vec<i32>; N], Error> {
        self.steps.columns()
    }
}

impl<const N: usize> std::fmt::Debug for Flock<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Flock").field("executor", &self.executor).finish_non_exhaustive()
    }
}

impl<const N: usize> Steps for Flock<N> {
    type State = [Vec<i32>; N];

    fn step(&mut self) -> Result<(), Failure> {
        Ok(self.steps.step()?)
    }

    fn state(&self) -> Result<Self::State, Failure> {
        Ok(self.columns()?)
    }
}

/// Builds a [`Flock`].
#[derive(Debug, Clone)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct FlockBuilder<R, const N: usize> {
    rules: R,
    grid: UniformGrid,
    agents: [Vec<i32>; N],
    label: &'static str,
    on: On,
}

impl<R: NeighbourRules, const N: usize> FlockBuilder<R, N> {
    /// Sets the label of launches in timings and messages. The default is `agents`.
    pub fn label(self, label: &'static str) -> Self {
        Self { label, ..self }
    }

    /// Sets the executor: a [`DeviceChoice`](throng_device::DeviceChoice), or an [`Executor`] that is shared with other
    /// simulations. The default is the fastest GPU, or the CPU if there is none.
    pub fn on(self, on: impl Into<On>) -> Self {
        Self { on: on.into(), ..self }
    }

    /// Builds the flock.
    ///
    /// # Errors
    /// If there are fewer columns than axes, columns differ in length, there is too little memory, or the device cannot
    /// be opened.
    pub fn build(self) -> Result<Flock<N>, Error> {
        let Self { rules, grid, agents, label, on } = self;
        check_columns(&grid, &agents)?;
        let executor = on.executor(&Needs::default())?;
        let steps: Result<Box<dyn StepFlock<N> + Send>, Error> = match executor.shared_device() {
            None => Ok(Box::new(NeighboursOnCpu::new(rules, grid, agents)?)),
            Some(device) => {
                let _ = label;
                with_kernels!("flock", device, |device| on_device::steps(device, label, rules, grid, &agents))
            }
        };
        Ok(Flock { steps: steps?, executor })
    }
}

/// Rejects columns of unequal length, and fewer columns than axes of the grid.
fn check_columns<const N: usize>(grid: &UniformGrid, columns: &[Vec<i32>; N]) -> Result<(), InputError> {
    let lengths = columns.each_ref().map(Vec::len);
    if N < grid.dimensions() {
        let found = format!("{N} for positions along {} axes", grid.dimensions());
        return Err(InputError::one("agents, columns", found, "give a column for each axis, and then the others"));
    }
    if lengths.iter().any(|&length| length != lengths[0]) {
        return Err(InputError::one("agents, columns", format!("lengths of {lengths:?}"), "give each agent a value"));
    }
    Ok(())
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
        let agents = columns[0].len();
        let after = std::iter::repeat_with(|| std::array::from_fn(|_| AtomicI32::new(0))).take(agents).collect();
        Ok(Self { rules, lists: CellLists::new(grid, agents)?, columns, after, steps: 0 })
    }
}

impl<R: NeighbourRules, const N: usize> StepFlock<N> for NeighboursOnCpu<R, N> {
    fn step(&mut self) -> Result<(), Error> {
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

    fn columns(&self) -> Result<[Vec<i32>; N], Error> {
        Ok(self.columns.clone())
    }
}

#[cfg(feature = "gpu")]
mod on_device {
    use std::sync::Arc;

    use throng_device::neighbours::{DeviceCellLists, NeighbourRules, UniformGrid};
    use throng_device::{Columns, Device, Error};

    use super::StepFlock;

    struct NeighboursOnDevice<R, const N: usize> {
        device: Arc<Device>,
        label: &'static str,
        rules: R,
        lists: DeviceCellLists,
        columns: Columns<i32, N>,
        steps: u32,
    }

    pub(super) fn steps<const N: usize>(
        device: &Arc<Device>,
        label: &'static str,
        rules: impl NeighbourRules,
        grid: UniformGrid,
        agents: &[Vec<i32>; N],
    ) -> Result<Box<dyn StepFlock<N> + Send>, Error> {
        let lists = DeviceCellLists::new(device, grid, agents[0].len())?;
        let columns = Columns::upload(device, "agents", agents)?;
        Ok(Box::new(NeighboursOnDevice { device: Arc::clone(device), label, rules, lists, columns, steps: 0 }))
    }

    impl<R: NeighbourRules, const N: usize> StepFlock<N> for NeighboursOnDevice<R, N> {
        fn step(&mut self) -> Result<(), Error> {
            let Self { device, label, rules, lists, columns, steps } = self;
            let axes = lists.grid().dimensions();
            let positions: Vec<_> = columns.before().iter().take(axes).collect();
            lists.build(device, &positions, columns.len())?;
            lists.meet(device, label, rules, columns, *steps)?;
            columns.swap();
            *steps += 1;
            Ok(())
        }

        fn columns(&self) -> Result<[Vec<i32>; N], Error> {
            Ok(self.columns.read(&self.device)?)
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(missing_docs, reason = "#[cube] generates items without documentation")]

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
    struct Nothing {
        _number: i32,
    }

    #[cube]
    impl NeighbourRules for Walking {
        type Agent = Walker;
        type Seen = Nothing;

        fn nothing_seen(&self) -> Nothing {
            Nothing { _number: 0i32.runtime() }
        }

        fn meet(&self, _seen: &mut Nothing, _walker: &Walker, _other: &Walker, _meeting: &Meeting) {}

        fn act(&self, walker: &Walker, _seen: &Nothing, _agent: u32, step: u32) -> Walker {
            Walker { x: walker.x + step as i32, y: walker.y + self.ahead }
        }
    }

    fn flock(columns: [Vec<i32>; 2]) -> Result<Flock<2>, Error> {
        let grid = UniformGrid::covering([0, 0], [100, 100], 10, Boundary::Periodic)?;
        Flock::builder(Walking { ahead: 1 }, grid, columns).on(&throng_device::CPU).build()
    }

    #[test]
    fn rules_receive_the_step_number() {
        let mut flock = flock([vec![10, 20], vec![30, 40]]).unwrap();
        for _ in 0..4 {
            flock.step().unwrap();
        }
        assert_eq!(flock.columns().unwrap(), [vec![16, 26], vec![34, 44]]);
    }

    #[test]
    fn columns_of_a_wrong_shape_are_refused() {
        let error = flock([vec![1, 2], vec![3]]).unwrap_err().to_string();
        assert_eq!(error, "agents, columns: lengths of [2, 1]\n    give each agent a value");
        let grid = UniformGrid::covering([0, 0], [100, 100], 10, Boundary::Periodic).unwrap();
        let error = check_columns(&grid, &[vec![1]]).unwrap_err().to_string();
        assert!(error.starts_with("agents, columns: 1 for positions along 2 axes"), "{error}");
    }
}
