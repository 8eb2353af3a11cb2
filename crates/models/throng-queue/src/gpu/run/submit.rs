//! Submits batches of steps.

use throng_device::exact::NEGATIVE_ZERO;
use throng_device::{Buffer, DeviceClass, DeviceError, KernelParameter};

use super::super::batch::Batch;
use super::super::buffers::BatchBuffers;
use super::super::changes::{Changed, Changes};
use super::super::kernels::{self, RunParameters, StepParameters};
use super::super::launch::{Launcher, Threads};
use super::super::record::*;
use super::super::upload::Source;
use super::DeviceRun;
use crate::prepare::clock::{EARLY_STEPS, NEVER};
use crate::prepare::step_clock::StepClock as _;
use crate::{DeviceThreads, RunError};

/// Units per cube. Small cubes spread the few active threads over many multiprocessors.
const UNITS_PER_CUBE: u32 = 64;
/// Units per cube of a persistent kernel, which has one cube per multiprocessor: the largest multiple of 32 for which
/// there are enough registers.
const UNITS_PER_PERSISTENT_CUBE: u32 = 768;

impl DeviceRun<'_, '_, '_, '_> {
    /// Launches all kernels of a step without work, so that they are compiled and the device is awake. They sweep a
    /// slot of each calendar that is still empty.
    pub(super) fn warm_up(&self) -> Result<(), DeviceError> {
        let counters = self.device.upload("counters", &[0u32; COUNTER_WORDS as usize])?;
        let launcher = self.launcher(&counters, &counters, &counters);
        let mut no_work = self.parameters(0, 0);
        no_work.step = self.source.calendar.slots - 1;
        (no_work.run.lists_per_slot, no_work.run.nodes, no_work.run.links) = (0, 0, 0);
        if let Some(threads) = self.persistent_threads() {
            launcher.many_steps(threads, no_work, 1)?;
        } else {
            launcher.agents_and_nodes((1, UNITS_PER_CUBE), no_work)?;
            launcher.links_and_teleports((1, UNITS_PER_CUBE), no_work)?;
        }
        launcher.horizon(1, no_work)?;
        self.device.synchronize("warming up")
    }

    /// Submits a batch: the steps from `first` until the host has work to do, or until the batch is full.
    pub(super) fn submit(&mut self, first: i64, changes: &mut Changes<'_>) -> Result<Batch, RunError> {
        self.clock.advance_to(first + self.size.steps);
        self.volumes.advance_to(self.device, self.clock.time_of(first))?;
        let counters = self.device.upload("counters", &[0u32; COUNTER_WORDS as usize])?;
        let (events, errors) = if let Some(spare) = self.spare_events.pop() {
            spare
        } else {
            let words = if self.source.config.record { self.size.events * EVENT_WORDS as usize } else { 1 };
            let errors = (MAX_ERRORS * ERROR_WORDS) as usize;
            (self.device.empty("events", words)?, self.device.empty("errors", errors)?)
        };
        let change = changes.apply(self.clock.time_of(first), self.source, self.device)?;
        let launcher = self.launcher(&counters, &events, &errors);
        let changed = change.is_some();
        if let Some(change) = change {
            self.change(first, &change, &launcher)?;
        }
        let change = changes.next_time().map_or(NEVER, |time| self.clock.step_at(time));
        let mut last = first;
        let goes_on = |last: i64| {
            let counts = self.volumes.is_current_bin(self.clock.time_of(last + 1));
            let goes_on = counts && !self.pauses_before(last + 1) && !self.is_last(last);
            last + 1 < change && goes_on && !self.hashes.is_due(last)
        };
        while last - first + 1 < self.size.steps && goes_on(last) {
            last += 1;
        }
        if let Some(threads) = self.persistent_threads() {
            launcher.many_steps(threads, self.parameters(first, first), (last - first + 1) as u32)?;
        } else {
            for step in first..=last {
                self.step(step, first, &launcher)?;
            }
        }
        let threads = match self.device.info().class {
            DeviceClass::Software => 256,
            _ => self.source.layout.from.len().max(1024).next_multiple_of(256).min(1 << 15),
        };
        launcher.horizon(threads, self.parameters(last, first))?;
        let counters = self.device.read_later(&counters)?;
        Ok(Batch { first, last, changed, events, errors, counters })
    }

    fn launcher<'l>(
        &'l self,
        counters: &'l Buffer<u32>,
        events: &'l Buffer<u32>,
        errors: &'l Buffer<u32>,
    ) -> Launcher<'l> {
        let (device, buffers, config) = (self.device, &self.buffers, self.source.config);
        let batch = BatchBuffers { volumes: self.volumes.counts(), counters, events, errors };
        Launcher { device, buffers, config, batch }
    }

    fn step(&self, step: i64, first: i64, launcher: &Launcher<'_>) -> Result<(), DeviceError> {
        let parameters = self.parameters(step, first);
        let threads = |entities: usize| self.threads(entities + self.source.calendar.lists_per_slot as usize);
        launcher.agents_and_nodes(threads(self.source.layout.node_external.len()), parameters)?;
        launcher.links_and_teleports(threads(self.source.layout.from.len()), parameters)
    }

    /// Returns cubes and units per cube for a number of entities: one thread per entity, or few threads on a software
    /// device if the mode is [`DeviceThreads::Automatic`].
    fn threads(&self, entities: usize) -> Threads {
        if self.device.info().class == DeviceClass::Software && self.options.device_threads == DeviceThreads::Automatic
        {
            return (4, 16);
        }
        ((entities as u32).div_ceil(UNITS_PER_CUBE), UNITS_PER_CUBE)
    }

    /// Returns cubes and units per cube of a persistent kernel; `None` if none is used.
    pub(super) fn persistent_threads(&self) -> Option<Threads> {
        let cubes = self.device.co_resident_cubes();
        let suits = match self.options.device_threads {
            DeviceThreads::Automatic => cubes > 1,
            DeviceThreads::PerEntity => false,
            DeviceThreads::Persistent => true,
        };
        (suits && self.size.persistent).then_some((cubes, UNITS_PER_PERSISTENT_CUBE))
    }

    fn change(&self, step: i64, changed: &Changed, launcher: &Launcher<'_>) -> Result<(), DeviceError> {
        let parameters = self.parameters(step, step);
        self.device.launch("network changes", changed.count as usize, |client, cubes, dim| {
            let (state, params) = (launcher.state(), parameters.arg());
            let (links, values) = (changed.links.arg(), changed.values.arg());
            kernels::change_links::launch(
                client,
                cubes,
                dim,
                state,
                links,
                values,
                changed.count,
                params,
                self.source.config,
            );
        })
    }

    fn parameters(&self, step: i64, first: i64) -> StepParameters {
        let Source { rules, calendar, .. } = self.source;
        let seed = self.source.scenario.settings.global.random_seed as u64;
        let run = RunParameters {
            start: self.clock.time_of(0),
            step_s: rules.step_s,
            stuck_time_s: rules.stuck_time_s,
            easing: rules.easing,
            neg_infinity: f64::NEG_INFINITY,
            zero: NEGATIVE_ZERO,
            event_capacity: self.size.events as u32,
            hole_capacity: self.buffers.hole_capacity,
            calendar_slots: calendar.slots,
            lists_per_slot: calendar.lists_per_slot,
            speeds: self.source.speeds.limits.len() as u32,
            early: if self.clock.is_exact() { 0 } else { EARLY_STEPS },
            remove_stuck: u32::from(rules.remove_stuck),
            links: self.source.layout.from.len() as u32,
            nodes: self.source.layout.node_external.len() as u32,
            seed_low: seed as u32,
            seed_high: (seed >> 32) as u32,
            transit: self.buffers.transit,
        };
        StepParameters { time: self.clock.time_of(step), step: step as u32, batch_step: (step - first) as u32, run }
    }
}
