//! Cell lists in kernels.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use std::marker::PhantomData;

use cubecl::prelude::*;

use super::device::DeviceCellLists;
use super::grid::UniformGrid;
use crate::runtime::Gpu;
use crate::{KernelArrays, KernelParameter};

/// Cell lists in a kernel, which takes them as `&Neighbours`; [`DeviceCellLists::arg`] creates the argument.
#[derive(CubeType, CubeLaunch)]
pub struct Neighbours {
    /// The grid.
    pub grid: UniformGrid,
    starts: Array<u32>,
    agents: Array<u32>,
}

#[cube]
impl Neighbours {
    /// Index of the first agent of a cell in the list of agents.
    pub fn start(&self, cell: u32) -> u32 {
        self.starts[cell as usize]
    }

    /// Index after the last agent of a cell.
    pub fn end(&self, cell: u32) -> u32 {
        self.starts[cell as usize + 1]
    }

    /// Returns the agent at an index of the list.
    pub fn agent(&self, place: u32) -> u32 {
        self.agents[place as usize]
    }
}

impl DeviceCellLists {
    /// Returns the lists as a kernel argument. It must be created inside the closure passed to
    /// [`Device::launch`](crate::Device::launch), like [`Buffer::arg`](crate::Buffer::arg).
    ///
    /// # Panics
    /// When called outside such a closure.
    pub fn arg(&self) -> NeighboursLaunch<Gpu> {
        Neighbours::arg_of(self)
    }
}

impl KernelArrays for Neighbours {
    type Buffers<'b> = &'b DeviceCellLists;

    fn arg_of<R: Runtime>(lists: &DeviceCellLists) -> NeighboursLaunch<R> {
        NeighboursLaunch {
            grid: lists.grid().arg(),
            starts: lists.starts().arg_on(),
            agents: lists.agents().arg_on(),
            _phantom_runtime: PhantomData,
        }
    }
}
