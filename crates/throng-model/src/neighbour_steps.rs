//! Executors for agents that see their neighbours and all change at the same time.

use rayon::prelude::*;
use throng_core::InputError;
use throng_device::neighbours::{CellLists, UniformGrid};

use crate::{Failure, Steps};

/// An executor on the threads of the CPU. The first columns of the state are positions, one for each axis of the grid.
///
/// ```
/// use throng_device::neighbours::{Boundary, CellLists, UniformGrid};
/// use throng_model::{OnCpu, Steps as _};
///
/// let grid = UniformGrid::covering([0, 0], [100, 100], 10, Boundary::Periodic)?;
/// // Each agent counts the agents around it, including itself.
/// let rule = |near: &CellLists, [xs, ys, _]: &[Vec<i32>; 3], agent: usize| {
///     let (x, y) = (xs[agent], ys[agent]);
///     [x, y, near.around(x, y, 0).count() as i32]
/// };
/// let mut executor = OnCpu::new(grid, [vec![5, 98, 50], vec![5, 5, 50], vec![0; 3]], rule)?;
/// executor.step()?;
/// assert_eq!(executor.state()?[2], [2, 2, 1]);
/// # Ok::<(), throng_model::Failure>(())
/// ```
#[derive(Debug)]
pub struct OnCpu<const N: usize, F> {
    lists: CellLists,
    columns: [Vec<i32>; N],
    rule: F,
}

impl<const N: usize, F: Fn(&CellLists, &[Vec<i32>; N], usize) -> [i32; N] + Sync> OnCpu<N, F> {
    /// An executor that starts from the state `columns`. `rule` computes the values of an agent after a step from the
    /// neighbours and the state before it.
    ///
    /// # Errors
    /// When there is too little memory.
    pub fn new(grid: UniformGrid, columns: [Vec<i32>; N], rule: F) -> Result<Self, InputError> {
        Ok(Self { lists: CellLists::new(grid, columns[0].len())?, columns, rule })
    }
}

impl<const N: usize, F: Fn(&CellLists, &[Vec<i32>; N], usize) -> [i32; N] + Sync> Steps for OnCpu<N, F> {
    type State = [Vec<i32>; N];

    fn step(&mut self) -> Result<(), Failure> {
        let Self { lists, columns, rule } = self;
        let positions: Vec<&[i32]> = columns.iter().take(lists.grid().dimensions()).map(Vec::as_slice).collect();
        lists.build(&positions);
        let after: Vec<[i32; N]> =
            (0..columns[0].len()).into_par_iter().map(|agent| rule(lists, columns, agent)).collect();
        for (i, column) in columns.iter_mut().enumerate() {
            column.par_iter_mut().zip(&after).for_each(|(value, after)| *value = after[i]);
        }
        Ok(())
    }

    fn state(&self) -> Result<Self::State, Failure> {
        Ok(self.columns.clone())
    }
}

#[cfg(feature = "gpu")]
pub use on_device::OnDevice;

#[cfg(feature = "gpu")]
mod on_device {
    use throng_device::cubecl::prelude::Runtime;
    use throng_device::neighbours::{DeviceCellLists, UniformGrid};
    use throng_device::{Columns, Device, DeviceError};

    use crate::{Failure, Steps};

    /// An executor on a device. The first columns of the state are positions, one for each axis of the grid.
    #[derive(Debug)]
    pub struct OnDevice<'d, R: Runtime, const N: usize, F> {
        device: &'d Device<R>,
        lists: DeviceCellLists,
        columns: Columns<i32, N>,
        launch: F,
    }

    impl<'d, R: Runtime, const N: usize, F> OnDevice<'d, R, N, F>
    where
        F: Fn(&Device<R>, &DeviceCellLists, &Columns<i32, N>) -> Result<(), DeviceError>,
    {
        /// An executor that starts from the state `columns`. `launch` launches the kernel of a step, which reads the
        /// neighbours and [`Columns::before`], and writes [`Columns::after`].
        ///
        /// # Errors
        /// When the device has too little memory.
        pub fn new(
            device: &'d Device<R>,
            grid: UniformGrid,
            columns: &[Vec<i32>; N],
            launch: F,
        ) -> Result<Self, DeviceError> {
            let lists = DeviceCellLists::new(device, grid, columns[0].len())?;
            Ok(Self { device, lists, columns: Columns::upload(device, "agents", columns)?, launch })
        }
    }

    impl<R: Runtime, const N: usize, F> Steps for OnDevice<'_, R, N, F>
    where
        F: Fn(&Device<R>, &DeviceCellLists, &Columns<i32, N>) -> Result<(), DeviceError>,
    {
        type State = [Vec<i32>; N];

        fn step(&mut self) -> Result<(), Failure> {
            let Self { device, lists, columns, launch } = self;
            let axes = lists.grid().dimensions();
            let positions: Vec<_> = columns.before().iter().take(axes).collect();
            lists.build(device, &positions, columns.len())?;
            launch(device, lists, columns)?;
            columns.swap();
            Ok(())
        }

        fn state(&self) -> Result<Self::State, Failure> {
            Ok(self.columns.read(self.device)?)
        }
    }
}
