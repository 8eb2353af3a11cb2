//! Cell lists as kernels have them.

#![allow(missing_docs, reason = "what #[cube] makes of a struct has no documentation")]

use cubecl::prelude::*;

use super::cells::AxisLaunch;
use super::device::DeviceCellLists;
use super::grid::{UniformGrid, UniformGridLaunch};

/// Cell lists in a kernel, which has them as `&Neighbours`; [`DeviceCellLists::arg`] makes the argument.
#[derive(CubeType, CubeLaunch)]
pub struct Neighbours {
    /// The grid.
    pub grid: UniformGrid,
    starts: Array<u32>,
    agents: Array<u32>,
}

#[cube]
impl Neighbours {
    /// The place of the first agent of a cell.
    pub fn start(&self, cell: u32) -> u32 {
        self.starts[cell as usize]
    }

    /// The place after the last agent of a cell.
    pub fn end(&self, cell: u32) -> u32 {
        self.starts[cell as usize + 1]
    }

    /// The agent at a place.
    pub fn agent(&self, place: u32) -> u32 {
        self.agents[place as usize]
    }
}

impl DeviceCellLists {
    /// The lists as argument of a kernel; made inside the closure that [`Device::launch`](crate::Device::launch) takes, as
    /// [`Buffer::arg`](crate::Buffer::arg).
    ///
    /// # Panics
    /// Outside such a closure.
    pub fn arg<R: Runtime>(&self) -> NeighboursLaunch<R> {
        NeighboursLaunch::new(self.grid().arg(), self.starts().arg(), self.agents().arg())
    }
}

impl UniformGrid {
    /// The grid alone as argument of a kernel, which has it as `&UniformGrid`.
    pub fn arg<R: Runtime>(&self) -> UniformGridLaunch<R> {
        let [x, y, z] = [self.x, self.y, self.z]
            .map(|axis| AxisLaunch::<R>::new(axis.origin, axis.extent, axis.cell_size, axis.cells, axis.boundary));
        UniformGridLaunch::new(x, y, z, self.spatial)
    }
}
