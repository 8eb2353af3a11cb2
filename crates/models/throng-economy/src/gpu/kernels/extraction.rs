//! Extraction: a cube for each agent, with the gain of each resource in shared memory.

#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use throng_device::philox::Draws;

use super::{Day, column, report_cut_loops};
use crate::gpu::buffers::{Minutes, Owned};
use crate::gpu::model::{ModelOnDevice, model_of};
use crate::gpu::shape::Shape;
use crate::gpu::tables::Tables;
use crate::rules::barter::BELOW_ALL;
use crate::rules::extraction::{Hours, WorkerView, WorkerViewExpand, extract_for_day};
use crate::rules::prelude::*;
use crate::society::purpose;

/// An agent at work on a device. Each unit holds the data of its resource.
#[derive(CubeType)]
pub struct WorkerOnDevice {
    draws: Draws,
    tolerance: f64,
    held: u32,
    experience: f64,
    /// Remaining minutes of each kind of device, and units extracted with it.
    minutes: Array<f64>,
    units_with: Array<u32>,
    extracted: u32,
    is_left: bool,
    /// Minutes and gain of the next unit of each resource.
    times: SharedMemory<f64>,
    gains: SharedMemory<f64>,
    /// Largest gain in each group, and number of good resources in it.
    greatest: SharedMemory<f64>,
    counts: SharedMemory<u32>,
    #[cube(comptime)]
    shape: Shape,
}

#[cube]
fn worker_of(tables: &Tables, agent: u32, day: &Day, #[comptime] shape: Shape) -> WorkerOnDevice {
    let model = model_of(tables, agent / comptime!(shape.agents), comptime!(shape.agents));
    let groups = comptime!(shape.resources.div_ceil(GROUP) as usize);
    let kinds = comptime!(shape.extracting.max(1) as usize);
    let number = agent % comptime!(shape.agents);
    WorkerOnDevice {
        draws: model.draws(number, day.number, comptime!(purpose::EXTRACTED).runtime()),
        tolerance: model.number(comptime!(number::TOLERANCE)),
        held: 0u32.runtime(),
        experience: 0.0f64.runtime(),
        minutes: Array::<f64>::new(kinds),
        units_with: Array::<u32>::new(kinds),
        extracted: 0u32.runtime(),
        is_left: true.runtime(),
        times: SharedMemory::<f64>::new(comptime!(shape.resources as usize)),
        gains: SharedMemory::<f64>::new(comptime!(groups * GROUP as usize)),
        greatest: SharedMemory::<f64>::new(groups),
        counts: SharedMemory::<u32>::new(groups),
        shape,
    }
}

#[cube]
impl WorkerView for WorkerOnDevice {
    fn resources(&self) -> u32 {
        comptime!(self.shape.resources).runtime()
    }

    fn is_left(&self, _resource: u32) -> bool {
        self.is_left
    }

    fn held(&self, _resource: u32) -> u32 {
        self.held
    }

    fn set_held(&mut self, _resource: u32, units: u32) {
        self.held = units;
    }

    fn experience(&self, _resource: u32) -> f64 {
        self.experience
    }

    fn set_experience(&mut self, _resource: u32, units: f64) {
        self.experience = units;
    }

    fn minutes(&self, _resource: u32, kind: u32) -> f64 {
        self.minutes[kind as usize]
    }

    fn set_minutes(&mut self, _resource: u32, kind: u32, minutes: f64) {
        self.minutes[kind as usize] = minutes;
    }

    fn count(&mut self, _resource: u32, kind: u32) {
        self.extracted += 1u32;
        #[unroll]
        for other in 0..comptime!(self.shape.extracting) {
            if kind == other {
                self.units_with[other as usize] += 1u32;
            }
        }
    }

    fn extracted(&self, _resource: u32) -> u32 {
        self.extracted
    }

    fn time(&self, resource: u32) -> f64 {
        self.times[resource as usize]
    }

    fn gain(&self, resource: u32) -> f64 {
        self.gains[resource as usize]
    }

    fn set_next(&mut self, resource: u32, minutes: f64, gain_per_min: f64) {
        self.times[resource as usize] = minutes;
        self.gains[resource as usize] = gain_per_min;
    }

    fn choose(&mut self, drawn: u32) -> u32 {
        choose(self, drawn, self.shape)
    }
}

/// Number of gains that one unit scans; all units then scan the results of the groups.
const GROUP: u32 = 16;

/// Chooses one of the resources whose gain is the best or within a tolerance of it; [`NONE`] if all were removed. A
/// single thread would list the good ones; in a cube all other units would wait for it.
#[cube]
fn choose(worker: &mut WorkerOnDevice, drawn: u32, #[comptime] shape: Shape) -> u32 {
    let groups = comptime!(shape.resources.div_ceil(GROUP));
    if UNIT_POS < groups {
        let mut max_gain = BELOW_ALL.runtime();
        #[unroll]
        for place in 0..comptime!(GROUP) {
            max_gain = exact::ieee_max::<f64>(max_gain, worker.gains[(comptime!(GROUP) * UNIT_POS + place) as usize]);
        }
        worker.greatest[UNIT_POS as usize] = max_gain;
    }
    sync_cube();
    let mut max_gain = BELOW_ALL.runtime();
    #[unroll]
    for group in 0..groups {
        max_gain = exact::ieee_max::<f64>(max_gain, worker.greatest[group as usize]);
    }
    // Only the gain of a removed resource is negative.
    let bound = exact::ieee_max::<f64>(max_gain - worker.tolerance, BELOW_ALL.runtime() / 2.0f64);
    if UNIT_POS < groups {
        let mut count = 0u32;
        #[unroll]
        for place in 0..comptime!(GROUP) {
            count += select(worker.gains[(comptime!(GROUP) * UNIT_POS + place) as usize] >= bound, 1u32, 0u32);
        }
        worker.counts[UNIT_POS as usize] = count;
    }
    sync_cube();
    let mut count = 0u32;
    #[unroll]
    for group in 0..groups {
        count += worker.counts[group as usize];
    }
    // A single candidate needs no draw. Draws are numbered, so skipping one does not shift the others.
    let mut left = 0u32;
    if count > 1u32 {
        left = worker.draws.below(count, drawn);
    }
    let mut first = 0u32;
    let mut is_found = false;
    #[unroll]
    for group in 0..groups {
        let of_group = worker.counts[group as usize];
        let is_here = !is_found && left < of_group;
        first = select(is_here, comptime!(group * GROUP).runtime(), first);
        left -= select(is_found || is_here, 0u32, of_group);
        is_found = is_found || is_here;
    }
    let mut chosen = NONE.runtime();
    #[unroll]
    for place in 0..comptime!(GROUP) {
        let is_good = worker.gains[(first + place) as usize] >= bound;
        chosen = select(is_good && left == 0u32 && chosen == NONE, first + place, chosen);
        left -= select(is_good && left > 0u32, 1u32, 0u32);
    }
    chosen
}

/// State that agents change when they extract.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct WorkerArrays {
    pub held: Array<u32>,
    pub experience: Array<f64>,
    pub extracted: Array<u32>,
    pub units_with: Array<u32>,
    pub agent_minutes: Minutes,
    pub owned: Owned,
    pub are_cut: Array<u32>,
}

/// Simulates a day of extraction.
#[cube(launch_unchecked)]
pub fn extract(tables: &Tables, arrays: &mut WorkerArrays, day: &Day, #[comptime] shape: Shape) {
    let agent = CUBE_POS as u32;
    let unit = UNIT_POS as usize;
    if agent < day.all_agents {
        let model = model_of(tables, agent / comptime!(shape.agents), comptime!(shape.agents));
        let at = agent as usize * comptime!(shape.resources as usize) + unit;
        let is_resource = UNIT_POS < comptime!(shape.resources);
        let is_present = model.is_present(agent % comptime!(shape.agents));
        let mut worker = worker_of(tables, agent, day, shape);
        if is_resource {
            worker.held = arrays.held[at];
            worker.experience = arrays.experience[at];
            worker.is_left = model.is_left(UNIT_POS);
            #[unroll]
            for kind in 0..comptime!(shape.extracting) {
                worker.minutes[kind as usize] =
                    arrays.owned.minutes[column(kind.runtime(), agent, UNIT_POS, day, shape)];
                worker.units_with[kind as usize] = 0u32;
            }
        }
        if !is_resource && UNIT_POS < comptime!(shape.resources.div_ceil(GROUP) * GROUP) {
            worker.gains[unit] = BELOW_ALL;
        }
        if is_present {
            let mut hours = Hours {
                clock: arrays.agent_minutes.clock[agent as usize],
                overtime: arrays.agent_minutes.overtime[agent as usize],
                gain_per_min: arrays.agent_minutes.gain_per_min[agent as usize],
            };
            let gained = arrays.agent_minutes.gained[agent as usize];
            // One unit overwrites the hours of the agent below, after all units have read them.
            sync_storage();
            let team = CubeTeam::new(comptime!(shape.resources), comptime!(Lists::default()));
            extract_for_day::<ModelOnDevice<'_>, WorkerOnDevice, CubeTeam>(
                &model,
                &mut worker,
                &team,
                &mut hours,
                gained,
                comptime!(shape.extracting),
            );
            if is_resource {
                arrays.held[at] = worker.held;
                arrays.experience[at] = worker.experience;
                #[unroll]
                for kind in 0..comptime!(shape.extracting) {
                    arrays.owned.minutes[column(kind.runtime(), agent, UNIT_POS, day, shape)] =
                        worker.minutes[kind as usize];
                }
            }
            if UNIT_POS == 0u32 {
                arrays.agent_minutes.gain_per_min[agent as usize] = hours.gain_per_min;
                arrays.agent_minutes.overtime[agent as usize] = hours.overtime;
                arrays.agent_minutes.clock[agent as usize] = hours.clock;
            }
        }
        if is_resource {
            arrays.extracted[at] = worker.extracted;
        }
        write_units_with(&mut arrays.units_with, &worker, agent, day, shape);
        report_cut_loops(&mut arrays.are_cut, day.loop_probe);
    }
}

/// Sums the units extracted with each kind of device.
#[cube]
fn write_units_with(
    units_with: &mut Array<u32>,
    worker: &WorkerOnDevice,
    agent: u32,
    day: &Day,
    #[comptime] shape: Shape,
) {
    let resources = comptime!(shape.resources as usize);
    if comptime!(shape.extracting > 0) {
        let mut counts = SharedMemory::<u32>::new(comptime!((shape.extracting * shape.resources) as usize));
        let unit = UNIT_POS as usize;
        if unit < resources {
            #[unroll]
            for kind in 0..comptime!(shape.extracting) {
                counts[comptime!(kind as usize * resources) + unit] = worker.units_with[kind as usize];
            }
        }
        sync_cube();
        if UNIT_POS < comptime!(shape.extracting) {
            let mut units = 0u32;
            for resource in 0..resources {
                units += counts[unit * resources + resource];
            }
            units_with[(UNIT_POS * day.all_agents + agent) as usize] = units;
        }
    }
}
