//! The same on a device: a kernel for each part of a step, many steps in a row without waiting.

mod fifo;
mod kernels;
mod packed;

use std::time::{Duration, Instant};

use throng_device::cubecl::prelude::*;
use throng_device::{Buffer, Device, DeviceError};

use super::model::Model;
use super::rules::NOBODY;
use super::state::{Lists, State};
use super::variant::{Layout, Variant};
use fifo::{FifoLaunch, SharedFifoLaunch};
use kernels::{AgentsLaunch, LinksLaunch};
use packed::{Packed, pack, unpack};

/// Steps after which the device is told to begin with what it has; Vulkan gathers launches otherwise.
const FLUSH_EVERY: u32 = 64;

/// A state, and how long it took to get there.
#[derive(Debug, Clone)]
pub struct DeviceRun {
    /// The state after the last step.
    pub state: State,
    /// Wall-clock time from the first launch to the end of the last.
    pub wall: Duration,
}

/// A model on a device, for any number of runs of any variant.
#[derive(Debug)]
pub struct DeviceRuns<'a, R: Runtime> {
    device: &'a Device<R>,
    model: &'a Model,
    flow: Buffer<u32>,
    time_s: Buffer<u32>,
    first_in_link: Buffer<u32>,
    in_links: Buffer<u32>,
    plans: Buffer<u32>,
}

impl<'a, R: Runtime> DeviceRuns<'a, R> {
    /// Copies roads and plans to the device.
    ///
    /// # Errors
    /// When they do not fit.
    pub fn new(device: &'a Device<R>, model: &'a Model) -> Result<Self, DeviceError> {
        let Model { roads, plans } = model;
        Ok(Self {
            device,
            model,
            flow: device.upload("flow of links", &roads.flow)?,
            time_s: device.upload("travel times", &roads.time_s)?,
            first_in_link: device.upload("nodes", &roads.first_in_link)?,
            in_links: device.upload("in-links", &roads.in_links)?,
            plans: device.upload("plans", &plans.entries)?,
        })
    }

    /// Makes `steps` steps from `state` on.
    ///
    /// # Errors
    /// When the device fails, or the state does not fit.
    pub fn run(&self, state: &State, variant: Variant, steps: u32) -> Result<DeviceRun, DeviceError> {
        let on_device = OnDevice::new(self, state, variant)?;
        self.device.synchronize("upload")?;
        let since = Instant::now();
        for i in 1..=steps {
            on_device.step(state.now + i)?;
            if i.is_multiple_of(FLUSH_EVERY) {
                self.device.flush()?;
            }
        }
        self.device.synchronize("last step")?;
        let wall = since.elapsed();
        Ok(DeviceRun { state: on_device.save(state.now + steps)?, wall })
    }
}

/// What changes during one run.
struct OnDevice<'a, R: Runtime> {
    runs: &'a DeviceRuns<'a, R>,
    variant: Variant,
    queues: [Buffer<u32>; 2],
    buffers: [Buffer<u32>; 2],
    agents: Buffer<u32>,
    credit: Buffer<u32>,
    claims: Buffer<u32>,
    sources: Buffer<u32>,
}

impl<'a, R: Runtime> OnDevice<'a, R> {
    fn new(runs: &'a DeviceRuns<'a, R>, state: &State, variant: Variant) -> Result<Self, DeviceError> {
        let (device, Model { roads, plans }) = (runs.device, runs.model);
        let lists = |what, rooms: &[u32], lists: &Lists| -> Result<[Buffer<u32>; 2], DeviceError> {
            let Packed { admin, vehicles } = pack(variant.layout, rooms, lists);
            Ok([device.upload(what, &admin)?, device.upload(what, &vehicles)?])
        };
        let queues = lists("queues", &roads.space, &state.queues)?;
        let records: Vec<u32> = match variant.layout {
            Layout::Aos => {
                let record = |(agent, &position)| [plans.begin[agent], position, plans.end(agent)];
                state.position.iter().enumerate().flat_map(record).collect()
            }
            Layout::Soa | Layout::Ring => state.position.clone(),
        };
        let places = if variant.indices_first { queues[1].len() / 2 } else { 1 };
        Ok(Self {
            runs,
            variant,
            buffers: lists("buffers", &roads.buffer, &state.buffers)?,
            queues,
            agents: device.upload("agents", &records)?,
            credit: device.upload("flow credit", &state.credit)?,
            claims: device.upload("claims", &vec![NOBODY; roads.links()])?,
            sources: device.upload("sources", &vec![NOBODY; places])?,
        })
    }

    fn step(&self, now: u32) -> Result<(), DeviceError> {
        let Self { runs, variant: Variant { layout, nodes, indices_first }, .. } = *self;
        let (device, roads) = (runs.device, &runs.model.roads);
        let agents = runs.model.plans.agents();
        device.launch("strippgen activities", agents, |client, cubes, dim| {
            kernels::activities::launch::<R>(
                client,
                cubes,
                dim,
                self.agents(),
                self.claims.arg(),
                agents as u32,
                now,
                layout,
            );
        })?;
        device.launch("strippgen moveLink", roads.links(), |client, cubes, dim| {
            kernels::move_link::launch::<R>(
                client,
                cubes,
                dim,
                self.links(),
                fifo(&self.queues),
                fifo(&self.buffers),
                self.agents(),
                self.credit.arg(),
                self.claims.arg(),
                now,
                layout,
            );
        })?;
        if nodes {
            device.launch("strippgen moveNode", roads.nodes(), |client, cubes, dim| {
                kernels::move_node::launch::<R>(
                    client,
                    cubes,
                    dim,
                    self.links(),
                    runs.first_in_link.arg(),
                    runs.in_links.arg(),
                    fifo(&self.queues),
                    fifo(&self.buffers),
                    self.agents(),
                    self.sources.arg(),
                    now,
                    layout,
                    indices_first,
                );
            })?;
        } else {
            device.launch("strippgen moveBuffer", roads.links(), |client, cubes, dim| {
                kernels::move_buffer::launch::<R>(
                    client,
                    cubes,
                    dim,
                    self.links(),
                    SharedFifoLaunch::new(self.queues[0].arg(), self.queues[1].arg()),
                    fifo(&self.buffers),
                    self.agents(),
                    self.sources.arg(),
                    now,
                    layout,
                    indices_first,
                );
            })?;
        }
        if indices_first {
            device.launch("strippgen move vehicles", roads.links(), |client, cubes, dim| {
                kernels::move_vehicles::launch::<R>(
                    client,
                    cubes,
                    dim,
                    self.links(),
                    fifo(&self.queues),
                    fifo(&self.buffers),
                    self.agents(),
                    self.sources.arg(),
                    now,
                    layout,
                );
            })?;
        }
        Ok(())
    }

    fn links(&self) -> LinksLaunch<R> {
        LinksLaunch::new(self.runs.flow.arg(), self.runs.time_s.arg())
    }

    fn agents(&self) -> AgentsLaunch<R> {
        AgentsLaunch::new(self.agents.arg(), self.runs.plans.arg())
    }

    fn save(&self, now: u32) -> Result<State, DeviceError> {
        let (device, roads) = (self.runs.device, &self.runs.model.roads);
        let lists = |[admin, vehicles]: &[Buffer<u32>; 2]| -> Result<Lists, DeviceError> {
            let packed = Packed { admin: device.read(admin)?, vehicles: device.read(vehicles)? };
            Ok(unpack(self.variant.layout, roads.links(), &packed))
        };
        let records = device.read(&self.agents)?;
        let position = match self.variant.layout {
            Layout::Aos => records.chunks_exact(3).map(|record| record[1]).collect(),
            Layout::Soa | Layout::Ring => records,
        };
        Ok(State {
            now,
            queues: lists(&self.queues)?,
            buffers: lists(&self.buffers)?,
            credit: device.read(&self.credit)?,
            position,
        })
    }
}

fn fifo<R: Runtime>([admin, vehicles]: &[Buffer<u32>; 2]) -> FifoLaunch<R> {
    FifoLaunch::new(admin.arg(), vehicles.arg())
}

#[cfg(test)]
mod tests;
