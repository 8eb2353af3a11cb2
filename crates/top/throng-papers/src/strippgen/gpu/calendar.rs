//! Departures by second on a device, instead of a scan over all agents.
//!
//! An activity ends at a time that is known in advance, so the buckets are sorted once, by the host. An agent that is
//! at the activity when it ends is due, as is an agent that arrives later than that. An agent stays in the list of
//! those that are due until it has entered its link; each step reads one list and writes another (double buffering).

use throng_device::cubecl::prelude::*;
use throng_device::{Buffer, Device, DeviceError, KernelArrays, cubecl};

use super::fifo::position_word;
use super::kernels::Agents;
use crate::strippgen::plans::Plans;
use crate::strippgen::rules::{ACTIVITY, NEVER_ENDS, NO_AGENT, is_activity, wants_to_depart};
use crate::strippgen::state::State;
use crate::strippgen::variant::Layout;

/// Threads that share the work of a step.
pub(super) const THREADS: usize = 32_768;

/// The activities of all plans, sorted by their end.
#[derive(Debug)]
pub(super) struct Buckets {
    /// Index of the first activity that ends in each second from 0.
    first: Vec<u32>,
    /// Agent and position in its plan.
    activities: Buffer<u32>,
}

impl Buckets {
    pub(super) fn new(device: &Device, plans: &Plans) -> Result<Self, DeviceError> {
        let of_agent = |agent: usize| (plans.begin[agent]..plans.end(agent)).map(move |at| (agent as u32, at));
        let all = (0..plans.agents()).flat_map(of_agent);
        let end = |at: u32| plans.entries[at as usize];
        let mut activities: Vec<(u32, u32)> =
            all.filter(|&(_, at)| is_activity(end(at)) && end(at) != NEVER_ENDS).collect();
        activities.sort_by_key(|&(_, at)| end(at));
        let last = activities.last().map_or(0, |&(_, at)| end(at) - ACTIVITY);
        let first = (0..=last + 1).map(|s| activities.partition_point(|&(_, at)| end(at) - ACTIVITY < s) as u32);
        let words: Vec<u32> = activities.iter().flat_map(|&(agent, at)| [agent, at]).collect();
        Ok(Self {
            first: first.collect(),
            activities: device.upload("ends of activities", if words.is_empty() { &[0, 0] } else { &words })?,
        })
    }

    /// The activities that end in a second.
    fn ending(&self, now: u32) -> std::ops::Range<u32> {
        let at = |second: usize| self.first.get(second).or(self.first.last()).copied().unwrap_or(0);
        at(now as usize)..at(now as usize + 1)
    }
}

/// Two lists of agents that are due: step `n` reads the list `n % 2`, with `counts[n]` agents, and writes the other.
#[derive(CubeLaunch, CubeType, KernelArrays)]
#[buffers(owned)]
pub(super) struct Due {
    pub agents: Array<u32>,
    pub counts: Array<Atomic<u32>>,
}

impl DueBuffers {
    /// The agents whose activity is over in `state`, and room for `steps` steps.
    pub(super) fn new(device: &Device, plans: &Plans, state: &State, steps: u32) -> Result<Self, DeviceError> {
        let waits = |&agent: &u32| wants_to_depart(plans.entries[state.position[agent as usize] as usize], state.now);
        let mut agents: Vec<u32> = (0..plans.agents() as u32).filter(waits).collect();
        let mut counts = vec![0; steps as usize + 1];
        counts[0] = agents.len() as u32;
        agents.resize(2 * plans.agents(), 0);
        Ok(Self { agents: device.upload("due agents", &agents)?, counts: device.upload("due counts", &counts)? })
    }

    /// Buffers that no kernel uses.
    pub(super) fn unused(device: &Device) -> Result<Self, DeviceError> {
        Ok(Self { agents: device.upload("due agents", &[0])?, counts: device.upload("due counts", &[0])? })
    }
}

/// The part of a step that finds departing agents, for the step `number` of a run.
pub(super) fn launch_due(
    device: &Device,
    buckets: &Buckets,
    agents: &super::kernels::AgentsBuffers<'_>,
    due: &DueBuffers,
    claims: &Buffer<u32>,
    (number, now): (u32, u32),
) -> Result<(), DeviceError> {
    let ending = buckets.ending(now);
    device.launch("strippgen due agents", THREADS, |client, cubes, dim| {
        let (agents, due, claims) = (agents.arg(), due.arg(), claims.arg());
        let activities = buckets.activities.arg();
        #[allow(unsafe_code)]
        // SAFETY: see `step`. A list has room for all agents, and an agent is due at most once: it is added when its
        // activity ends or, if it arrives later, on arrival, and is not copied once it has entered a link.
        unsafe {
            due_agents::launch_unchecked(
                client,
                cubes,
                dim,
                agents,
                due,
                activities,
                claims,
                ending.start,
                ending.end,
                number,
                now,
            );
        }
    })
}

#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments, unused_assignments, reason = "a kernel has no other form")]
fn due_agents(
    agents: &Agents,
    due: &mut Due,
    activities: &Array<u32>,
    claims: &mut Array<Atomic<u32>>,
    begin: u32,
    end: u32,
    number: u32,
    now: u32,
) {
    let waiting = due.counts[number as usize - 1usize].load();
    let half = due.agents.len() as u32 / 2u32;
    let total = waiting + end - begin;
    let mut i = ABSOLUTE_POS as u32;
    while i < total {
        let is_waiting = i < waiting;
        let mut agent = NO_AGENT.runtime();
        let mut is_due = true.runtime();
        if is_waiting {
            agent = due.agents[(((number - 1u32) % 2u32) * half + i) as usize];
        } else {
            let at = 2usize * (begin + i - waiting) as usize;
            agent = activities[at];
            is_due = agents.records[position_word(agent, Layout::Ring)] == activities[at + 1usize];
        }
        let position = agents.records[position_word(agent, Layout::Ring)] as usize;
        if is_due && wants_to_depart(agents.plans[position], now) {
            claims[agents.plans[position + 1usize] as usize].fetch_min(agent);
            add(due, agent, number);
        }
        i += (CUBE_COUNT * CUBE_DIM as usize) as u32;
    }
}

/// Adds an agent to the list that the next step reads.
#[cube]
pub(super) fn add(due: &mut Due, agent: u32, number: u32) {
    let place = due.counts[number as usize].fetch_add(1u32);
    let half = due.agents.len() as u32 / 2u32;
    due.agents[((number % 2u32) * half + place) as usize] = agent;
}
