//! The device implementation: one kernel per part of a step, and many steps in a row without waiting.

mod active_nodes;
mod calendar;
mod fifo;
mod kernels;
mod packed;
mod step;

use throng_device::{Buffer, Device, DeviceError};
use throng_model::Failure;

use super::model::Model;
use super::rules::NO_AGENT;
use super::state::{Lists, State};
use super::technique::Technique;
use super::variant::{Layout, Variant};
use crate::experiment::{defect, steps_on};
use active_nodes::ActiveNodes;
use calendar::{Buckets, DueBuffers};
use fifo::FifoBuffers;
use packed::{Packed, pack, unpack};

/// Launches are submitted to the device every this many steps.
const FLUSH_EVERY: u32 = 64;

/// The final state of a run, and its duration.
#[derive(Debug, Clone)]
pub struct DeviceRun {
    /// The state after the last step.
    pub state: State,
    /// Wall-clock seconds from the first launch to the end of the last.
    pub wall_s: f64,
}

/// A model on a device, for any number of runs of any variant.
#[derive(Debug)]
pub struct DeviceRuns<'a> {
    device: &'a Device,
    model: &'a Model,
    flow: Buffer<u32>,
    time_s: Buffer<u32>,
    first_in_link: Buffer<u32>,
    in_links: Buffer<u32>,
    plans: Buffer<u32>,
    buckets: Buckets,
}

impl<'a> DeviceRuns<'a> {
    /// Copies roads and plans to the device.
    ///
    /// # Errors
    /// If they do not fit.
    pub fn new(device: &'a Device, model: &'a Model) -> Result<Self, DeviceError> {
        let Model { roads, plans } = model;
        Ok(Self {
            device,
            model,
            flow: device.upload("flow of links", &roads.flow)?,
            time_s: device.upload("travel times", &roads.time_s)?,
            first_in_link: device.upload("nodes", &roads.first_in_link)?,
            in_links: device.upload("in-links", &roads.in_links)?,
            plans: device.upload("plans", &plans.entries)?,
            buckets: Buckets::new(device, plans)?,
        })
    }

    /// Makes `steps` steps of a variant of the paper, starting at `state`.
    ///
    /// # Errors
    /// If the state does not belong to this model, or the device fails.
    pub fn run(&self, state: &State, variant: Variant, steps: u32) -> Result<DeviceRun, Failure> {
        self.run_with(state, variant, None, steps)
    }

    /// Makes `steps` steps of RINGNODES with a technique that the paper proposes.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_improved(&self, state: &State, technique: Technique, steps: u32) -> Result<DeviceRun, Failure> {
        self.run_with(state, Variant::RING_NODES, Some(technique), steps)
    }

    fn run_with(
        &self,
        state: &State,
        variant: Variant,
        technique: Option<Technique>,
        steps: u32,
    ) -> Result<DeviceRun, Failure> {
        let Model { roads, plans } = self.model;
        // The kernels rely on valid states, see `step`.
        let wrong = |what| defect(format!("{}, {variant}: before the first step {what}", self.device.info().id));
        state.check(roads, plans).map_err(wrong)?;
        let on_device = OnDevice::new(self, state, variant, technique, steps)?;
        let step = |number| on_device.step(number, state.now + number);
        let wall_s = steps_on(self.device, steps, FLUSH_EVERY, step)?;
        Ok(DeviceRun { state: on_device.save(state.now + steps)?, wall_s })
    }
}

/// The dynamic state of a run on a device.
struct OnDevice<'a> {
    runs: &'a DeviceRuns<'a>,
    variant: Variant,
    queues: FifoBuffers,
    buffers: FifoBuffers,
    /// Positions of agents; with [`Layout::Aos`], their complete records.
    records: Buffer<u32>,
    credit: Buffer<u32>,
    claims: Buffer<u32>,
    sources: Buffer<u32>,
    technique: Option<Technique>,
    due: DueBuffers,
    active: ActiveNodes,
}

impl<'a> OnDevice<'a> {
    fn new(
        runs: &'a DeviceRuns<'a>,
        state: &State,
        variant: Variant,
        technique: Option<Technique>,
        steps: u32,
    ) -> Result<Self, DeviceError> {
        let (device, Model { roads, plans }) = (runs.device, runs.model);
        let lists = |what, rooms: &[u32], lists: &Lists| -> Result<FifoBuffers, DeviceError> {
            let Packed { admin, vehicles } = pack(variant.layout, rooms, lists);
            Ok(FifoBuffers { admin: device.upload(what, &admin)?, vehicles: device.upload(what, &vehicles)? })
        };
        let queues = lists("queues", &roads.space, &state.queues)?;
        let records: Vec<u32> = match variant.layout {
            Layout::Aos => {
                let record = |(agent, &position)| [plans.begin[agent], position, plans.end(agent)];
                state.position.iter().enumerate().flat_map(record).collect()
            }
            Layout::Soa | Layout::Ring => state.position.clone(),
        };
        let slots = if variant.indices_first { queues.vehicles.len() / 2 } else { 1 };
        Ok(Self {
            runs,
            variant,
            buffers: lists("buffers", &roads.buffer, &state.buffers)?,
            queues,
            records: device.upload("agents", &records)?,
            credit: device.upload("flow credit", &state.credit)?,
            claims: device.upload("claims", &vec![NO_AGENT; roads.links()])?,
            sources: device.upload("sources", &vec![NO_AGENT; slots])?,
            due: match technique {
                Some(Technique::Calendar) => DueBuffers::new(device, plans, state, steps)?,
                _ => DueBuffers::unused(device)?,
            },
            active: ActiveNodes::new(device, roads.nodes())?,
            technique,
        })
    }

    fn save(&self, now: u32) -> Result<State, DeviceError> {
        let (device, roads) = (self.runs.device, &self.runs.model.roads);
        let lists = |FifoBuffers { admin, vehicles }: &FifoBuffers| -> Result<Lists, DeviceError> {
            let packed = Packed { admin: device.read(admin)?, vehicles: device.read(vehicles)? };
            Ok(unpack(self.variant.layout, roads.links(), &packed))
        };
        let records = device.read(&self.records)?;
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

#[cfg(test)]
mod tests;
