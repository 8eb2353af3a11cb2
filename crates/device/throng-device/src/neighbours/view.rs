//! Cell lists as kernels have them.

#![allow(missing_docs, reason = "what #[cube] makes of a struct has no documentation")]

use std::marker::PhantomData;

use cubecl::prelude::*;

use super::device::DeviceCellLists;
use super::grid::UniformGrid;
use crate::KernelParameter;
use crate::runtime::Gpu;

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
    pub fn arg(&self) -> NeighboursLaunch<Gpu> {
        NeighboursLaunch {
            grid: self.grid().arg(),
            starts: self.starts().arg(),
            agents: self.agents().arg(),
            _phantom_runtime: PhantomData,
        }
    }
}
