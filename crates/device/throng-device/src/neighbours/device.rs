//! Agents sorted by cell on a device.

use super::grid::{MAX_AGENTS, UniformGrid};
use super::kernels::{AxesBuffers, FEW, PlacesBuffers, VisitsBuffers, clear, count, order_crowds, order_few, place};
use crate::primitives::ScanMemory;
use crate::{Buffer, Device, DeviceError, KernelParameter};

/// Maximum number of cubes that sort crowds, and maximum number of units per cube.
const CROWD_CUBES: usize = 128;
const CROWD_UNITS: u32 = 1024;

/// The agents of each cell of a grid, in ascending order of id, on a device; rebuilt in every step in the same memory.
///
/// The result is that of [`CellLists`](super::CellLists), on every device and in every run. The agents of a cell are
/// counted and placed with atomics, in an order that differs from run to run, and then sorted by id.
#[derive(Debug)]
pub struct DeviceCellLists {
    grid: UniformGrid,
    capacity: usize,
    starts: Buffer<u32>,
    agents: Buffer<u32>,
    cells: Buffer<u32>,
    arrivals: Buffer<u32>,
    counts: Buffer<u32>,
    placed: Buffer<u32>,
    crowds: Buffer<u32>,
    scan: ScanMemory,
    /// Number of agents that were sorted.
    len: usize,
}

impl DeviceCellLists {
    /// Creates lists with space for `capacity` agents. Memory: 8 bytes per cell, 16 per agent.
    ///
    /// # Errors
    /// When `capacity` exceeds [`MAX_AGENTS`], or the memory or the cubes of the device are too small.
    pub fn new(device: &Device, grid: UniformGrid, capacity: usize) -> Result<Self, DeviceError> {
        if capacity > MAX_AGENTS {
            let mib = |agents: usize| (agents as u64 * 4).div_ceil(1 << 20);
            let (what, device) = ("cell lists".to_owned(), device.label());
            let (asked_mib, limit_mib) = (mib(capacity), mib(MAX_AGENTS));
            return Err(DeviceError::BufferTooLarge { device, what, asked_mib, limit_mib });
        }
        let entries = grid.cells() + 1;
        Ok(Self {
            grid,
            capacity,
            starts: device.empty("starts of cells", entries)?,
            agents: device.empty("agents by cell", capacity)?,
            cells: device.empty("cells of agents", capacity)?,
            arrivals: device.empty("arrivals in cells", capacity)?,
            counts: device.empty("counts of cells", entries)?,
            placed: device.empty("placed agents", capacity)?,
            crowds: device.empty("crowded cells", capacity / FEW as usize + 1)?,
            scan: ScanMemory::new(device, entries)?,
            len: 0,
        })
    }

    /// Sorts the first `agents` agents at these positions, one buffer per axis of the grid.
    ///
    /// Does not wait for the device. Cost: six launches up to 8191 cells, eight up to 2^24, then ten; one less for at
    /// most 64 agents. Time is linear in agents and cells as long as cells are not crowded. A cell of
    /// `n` > 64 agents adds about `n log2(n)^2` reads by one cube, which is little compared with visiting the
    /// neighbours of its agents.
    ///
    /// # Errors
    /// When the device is lost, or a buffer belongs to another device.
    ///
    /// # Panics
    /// When the number of buffers differs from the number of axes, a buffer is shorter than `agents`, or `agents`
    /// exceeds the capacity.
    ///
    /// ```
    /// use throng_device::neighbours::{Boundary, DeviceCellLists, UniformGrid};
    /// use throng_device::{DeviceId, open};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
    /// let grid = UniformGrid::new([0, 0], 10, [2, 2], Boundary::Closed)?;
    /// let (xs, ys) = (device.upload("xs", &[11, 3, 12])?, device.upload("ys", &[5, 5, 5])?);
    /// let mut lists = DeviceCellLists::new(&device, grid, 3)?;
    /// lists.build(&device, &[&xs, &ys], 3)?;
    /// assert_eq!(device.read(lists.starts())?, [0, 1, 3, 3, 3]);
    /// assert_eq!(device.read(lists.agents())?, [1, 0, 2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn build(&mut self, device: &Device, positions: &[&Buffer<i32>], agents: usize) -> Result<(), DeviceError> {
        let lengths: Vec<usize> = positions.iter().map(|axis| axis.len()).collect();
        super::check_positions(&self.grid, &lengths, agents, self.capacity);
        self.len = agents;
        let Self { starts, cells, arrivals, counts, placed, crowds, .. } = &*self;
        let (entries, number) = (counts.len(), agents as u32);
        let positions = AxesBuffers { xs: positions[0], ys: positions[1], zs: positions[positions.len() - 1] };
        let visits = VisitsBuffers { cells, arrivals };
        let places = PlacesBuffers { starts, placed };
        device.launch("neighbours: clear", entries, |client, cubes, dim| {
            clear::launch(client, cubes, dim, counts.arg(), crowds.arg());
        })?;
        device.launch("neighbours: count", agents, |client, cubes, dim| {
            let (grid, positions, visits) = (self.grid.arg(), positions.arg(), visits.arg());
            count::launch(client, cubes, dim, grid, positions, number, visits, counts.arg());
        })?;
        self.scan.exclusive_scan(device, counts, starts)?;
        device.launch("neighbours: place", agents, |client, cubes, dim| {
            place::launch(client, cubes, dim, visits.arg(), starts.arg(), number, placed.arg());
        })?;
        device.launch("neighbours: order", agents, |client, cubes, dim| {
            let (visits, places, ordered) = (visits.arg(), places.arg(), self.agents.arg());
            order_few::launch(client, cubes, dim, visits, places, number, ordered, crowds.arg());
        })?;
        // Only the device knows the number of crowds; reading it would cost more than a launch without work.
        let cubes = (agents / (FEW as usize + 1)).min(CROWD_CUBES);
        if cubes == 0 {
            return Ok(());
        }
        let units = device.client.properties().hardware.max_units_per_cube.min(CROWD_UNITS);
        device.launch_cubes("neighbours: crowds", cubes as u32, units, |client, cubes, dim| {
            let (starts, crowds, placed) = (starts.arg(), crowds.arg(), placed.arg());
            order_crowds::launch(client, cubes, dim, starts, crowds, placed, self.agents.arg());
        })
    }

    /// The grid.
    pub fn grid(&self) -> &UniformGrid {
        &self.grid
    }

    /// Maximum number of agents.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Number of agents that were sorted.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// For each cell, the index of its first agent in [`DeviceCellLists::agents`]; the last entry is the number of
    /// agents.
    pub fn starts(&self) -> &Buffer<u32> {
        &self.starts
    }

    /// All agents, cell by cell. The length is the capacity; the content after the sorted agents is undefined.
    pub fn agents(&self) -> &Buffer<u32> {
        &self.agents
    }
}
