//! Extraction: a day of work of all agents.

use rayon::prelude::*;
use throng_device::cube::NONE;
use throng_device::philox::Draws;
use throng_device::team::{Alone, Lists};

use super::{Agent, Model, Society, purpose};
use crate::devices::{KINDS, Kind};
use crate::rules::barter::BELOW_ALL;
use crate::rules::extraction::{Hours, WorkerView, extract_for_day};
use crate::rules::numbers::number;
use crate::rules::views::ModelView;

/// Units that an agent extracted.
struct Extracted {
    /// Units of each resource.
    units: Vec<u32>,
    by_hand: u64,
    /// Number of units extracted with each kind of device.
    with: [u64; KINDS],
}

impl Society {
    /// Lets all agents extract for a day.
    pub(super) fn extract(&mut self) {
        let is_large = self.is_large();
        let draws = self.draws_for(0, purpose::EXTRACTED);
        let Self { model, is_left, agents, is_present, today, .. } = self;
        let of_agent = |(number, (agent, &is_present)): (usize, (&mut Agent, &bool))| {
            is_present.then(|| extract_for(model, is_left, Draws { entity: number as u32, ..draws }, agent))
        };
        let extracted: Vec<Option<Extracted>> = if is_large {
            agents.par_iter_mut().zip(&is_present[..]).enumerate().map(of_agent).collect()
        } else {
            agents.iter_mut().zip(&is_present[..]).enumerate().map(of_agent).collect()
        };
        for (units, of_agent) in today.extracted.iter_mut().zip(extracted) {
            let Some(of_agent) = of_agent else { continue };
            *units = of_agent.units;
            today.units_by_hand += of_agent.by_hand;
            for (sum, units) in today.units_with.iter_mut().zip(of_agent.with) {
                *sum += units;
            }
        }
    }
}

fn extract_for(model: &Model, is_left: &[bool], draws: Draws, agent: &mut Agent) -> Extracted {
    let resources = is_left.len();
    let gained = agent.gained_by_devices;
    let mut hours = Hours { clock: agent.clock_min, overtime: agent.overtime_min, gain_per_min: agent.gain_per_min };
    let mut worker = WorkerOnCpu {
        agent,
        is_left,
        draws,
        tolerance: model.number(number::TOLERANCE),
        extracted: Extracted { units: vec![0; resources], by_hand: 0, with: [0; KINDS] },
        times: vec![0.0; resources],
        gains: vec![BELOW_ALL; resources],
        best: Vec::with_capacity(resources),
    };
    extract_for_day(
        model,
        &mut worker,
        &Alone::new(Lists::default()),
        &mut hours,
        gained,
        Kind::EXTRACTING.len() as u32,
    );
    let extracted = worker.extracted;
    agent.clock_min = hours.clock;
    agent.overtime_min = hours.overtime;
    agent.gain_per_min = hours.gain_per_min;
    extracted
}

/// An agent that extracts resources, on the CPU.
struct WorkerOnCpu<'s> {
    agent: &'s mut Agent,
    is_left: &'s [bool],
    draws: Draws,
    tolerance: f64,
    extracted: Extracted,
    times: Vec<f64>,
    gains: Vec<f64>,
    /// Candidates for the next extraction.
    best: Vec<u32>,
}

#[cfg(feature = "gpu")]
impl throng_device::cubecl::prelude::CubeType for WorkerOnCpu<'_> {
    type ExpandType = <crate::gpu::WorkerOnDevice as throng_device::cubecl::prelude::CubeType>::ExpandType;
}

impl WorkerView for WorkerOnCpu<'_> {
    #[inline]
    fn resources(&self) -> u32 {
        self.is_left.len() as u32
    }

    #[inline]
    fn is_left(&self, resource: u32) -> bool {
        self.is_left[resource as usize]
    }

    #[inline]
    fn held(&self, resource: u32) -> u32 {
        self.agent.held[resource as usize]
    }

    #[inline]
    fn set_held(&mut self, resource: u32, units: u32) {
        self.agent.held[resource as usize] = units;
    }

    #[inline]
    fn experience(&self, resource: u32) -> f64 {
        self.agent.experience[resource as usize]
    }

    #[inline]
    fn set_experience(&mut self, resource: u32, units: f64) {
        self.agent.experience[resource as usize] = units;
    }

    #[inline]
    fn minutes(&self, resource: u32, kind: u32) -> f64 {
        self.agent.minutes(kind, resource)
    }

    #[inline]
    fn set_minutes(&mut self, resource: u32, kind: u32, minutes: f64) {
        self.agent.devices[kind as usize].minutes[resource as usize] = minutes;
    }

    #[inline]
    fn count(&mut self, resource: u32, kind: u32) {
        self.extracted.units[resource as usize] += 1;
        if kind == NONE {
            self.extracted.by_hand += 1;
        } else {
            self.extracted.with[kind as usize] += 1;
        }
    }

    #[inline]
    fn extracted(&self, resource: u32) -> u32 {
        self.extracted.units[resource as usize]
    }

    #[inline]
    fn time(&self, resource: u32) -> f64 {
        self.times[resource as usize]
    }

    #[inline]
    fn gain(&self, resource: u32) -> f64 {
        self.gains[resource as usize]
    }

    #[inline]
    fn set_next(&mut self, resource: u32, minutes: f64, gain_per_min: f64) {
        self.times[resource as usize] = minutes;
        self.gains[resource as usize] = gain_per_min;
    }

    // Sequential; a cube scans groups of resources in parallel.
    #[inline]
    fn choose(&mut self, drawn: u32) -> u32 {
        let max_gain = self.gains.iter().copied().fold(BELOW_ALL, f64::max);
        let bound = max_gain - self.tolerance;
        let gains = &self.gains;
        self.best.clear();
        self.best.extend(
            (0..gains.len() as u32)
                .filter(|&resource| gains[resource as usize] > BELOW_ALL && gains[resource as usize] >= bound),
        );
        if self.best.is_empty() {
            return NONE;
        }
        self.best[self.draws.below(self.best.len() as u32, drawn) as usize]
    }
}
