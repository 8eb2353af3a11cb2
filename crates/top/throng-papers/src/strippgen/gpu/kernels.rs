//! The kernels of a step, with one thread per agent, link or node, built on the shared rules and lists.
//!
//! Arrays of the same type are fields of structs, so that arguments are built by field name and cannot be confused.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, cubecl};

use super::calendar::{self, Due};
use super::fifo::{Fifo, SharedFifo, compete, count, has_space, pop, position_word, push, slot_of, take_place};
use super::{DeviceRuns, OnDevice};
use crate::strippgen::rules::{NO_AGENT, ONE_VEHICLE, has_driven, is_activity, refilled, wants_to_depart};
use crate::strippgen::variant::Layout;

/// The attributes of links.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub(super) struct Links {
    pub flow: Array<u32>,
    pub time_s: Array<u32>,
}

/// The in-links of each node.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub(super) struct Nodes {
    pub first_in_link: Array<u32>,
    pub in_links: Array<u32>,
}

/// The position of each agent, and the plans.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub(super) struct Agents {
    pub records: Array<u32>,
    pub plans: Array<u32>,
}

/// The queues, buffers and agents, which the link and node kernels modify.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub(super) struct Traffic {
    pub queues: Fifo,
    pub buffers: Fifo,
    pub agents: Agents,
}

/// Like [`Traffic`], for threads that compete for slots in queues.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub(super) struct SharedTraffic {
    pub queues: SharedFifo,
    pub buffers: Fifo,
    pub agents: Agents,
}

/// The flow credit of links, and the claims for a slot on them.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub(super) struct Offers {
    pub credit: Array<u32>,
    pub claims: Array<u32>,
}

impl OnDevice<'_> {
    pub(super) fn links(&self) -> LinksBuffers<'_> {
        let DeviceRuns { flow, time_s, .. } = self.runs;
        LinksBuffers { flow, time_s }
    }

    pub(super) fn nodes(&self) -> NodesBuffers<'_> {
        let DeviceRuns { first_in_link, in_links, .. } = self.runs;
        NodesBuffers { first_in_link, in_links }
    }

    pub(super) fn agents(&self) -> AgentsBuffers<'_> {
        AgentsBuffers { records: &self.records, plans: &self.runs.plans }
    }

    pub(super) fn traffic(&self) -> TrafficBuffers<'_> {
        TrafficBuffers { queues: &self.queues, buffers: &self.buffers, agents: self.agents() }
    }

    pub(super) fn shared_traffic(&self) -> SharedTrafficBuffers<'_> {
        SharedTrafficBuffers { queues: self.queues.shared(), buffers: &self.buffers, agents: self.agents() }
    }

    pub(super) fn offers(&self) -> OffersBuffers<'_> {
        OffersBuffers { credit: &self.credit, claims: &self.claims }
    }
}

/// The next entry in the plan of an agent.
#[cube]
fn next_entry(agents: &Agents, agent: u32, #[comptime] layout: Layout) -> u32 {
    agents.plans[agents.records[position_word(agent, layout)] as usize + 1usize]
}

#[cube]
fn advance(agents: &mut Agents, agent: u32, #[comptime] layout: Layout) {
    agents.records[position_word(agent, layout)] += 1u32;
}

/// One thread per agent in every step: the paper's way to find departing agents.
#[cube(launch_unchecked)]
pub(super) fn activities(
    agents: &Agents,
    claims: &mut Array<Atomic<u32>>,
    count: u32,
    now: u32,
    #[comptime] layout: Layout,
) {
    let agent = ABSOLUTE_POS as u32;
    if agent < count {
        let position = agents.records[position_word(agent, layout)] as usize;
        if wants_to_depart(agents.plans[position], now) {
            claims[agents.plans[position + 1usize] as usize].fetch_min(agent);
        }
    }
}

/// One thread per link: vehicles that have driven it arrive or enter the buffer; then a departing agent enters.
#[cube(launch_unchecked)]
pub(super) fn move_link(
    roads: &Links,
    traffic: &mut Traffic,
    offers: &mut Offers,
    due: &mut Due,
    number: u32,
    now: u32,
    #[comptime] layout: Layout,
    #[comptime] calendar: bool,
) {
    let links = offers.credit.len() as u32;
    let link = ABSOLUTE_POS as u32;
    if link < links {
        let i = link as usize;
        let mut left = refilled(offers.credit[i], roads.flow[i]);
        let mut on = count(&traffic.queues, link, links, layout) > 0u32;
        while on {
            let front = (2u32 * slot_of(&traffic.queues, link, 0u32, links, layout)) as usize;
            let agent = traffic.queues.vehicles[front];
            let depart = traffic.queues.vehicles[front + 1usize];
            on = has_driven(depart, now);
            if on {
                if is_activity(next_entry(&traffic.agents, agent, layout)) {
                    pop(&mut traffic.queues, link, links, layout);
                    advance(&mut traffic.agents, agent, layout);
                    if comptime!(calendar) {
                        let position = traffic.agents.records[position_word(agent, layout)] as usize;
                        if wants_to_depart(traffic.agents.plans[position], now) {
                            calendar::add(due, agent, number);
                        }
                    }
                } else if left >= ONE_VEHICLE && has_space(&traffic.buffers, link, links, layout) {
                    pop(&mut traffic.queues, link, links, layout);
                    push(&mut traffic.buffers, link, agent, depart, links, layout);
                    left -= ONE_VEHICLE;
                } else {
                    on = false;
                }
                on = on && count(&traffic.queues, link, links, layout) > 0u32;
            }
        }
        offers.credit[i] = left;
        let agent = offers.claims[i];
        if agent != NO_AGENT {
            offers.claims[i] = NO_AGENT;
            if has_space(&traffic.queues, link, links, layout) {
                push(&mut traffic.queues, link, agent, now + roads.time_s[i], links, layout);
                advance(&mut traffic.agents, agent, layout);
            }
        }
    }
}

/// One thread per node: its in-links send vehicles on in a fixed order. With `sources`, it only reserves slots.
#[cube(launch_unchecked)]
pub(super) fn move_node(
    roads: &Links,
    nodes: &Nodes,
    traffic: &mut Traffic,
    sources: &mut Array<u32>,
    active: &Array<u32>,
    active_count: &Array<u32>,
    now: u32,
    #[comptime] layout: Layout,
    #[comptime] indices_first: bool,
    #[comptime] compacted: bool,
) {
    let links = roads.time_s.len() as u32;
    let mut node = ABSOLUTE_POS;
    let mut exists = node + 1usize < nodes.first_in_link.len();
    if comptime!(compacted) {
        exists = ABSOLUTE_POS < active_count[0] as usize;
        if exists {
            node = active[ABSOLUTE_POS] as usize;
        }
    }
    if exists {
        for i in nodes.first_in_link[node]..nodes.first_in_link[node + 1usize] {
            let link = nodes.in_links[i as usize];
            let mut on = count(&traffic.buffers, link, links, layout) > 0u32;
            while on {
                let front = slot_of(&traffic.buffers, link, 0u32, links, layout);
                let agent = traffic.buffers.vehicles[(2u32 * front) as usize];
                let destination = next_entry(&traffic.agents, agent, layout);
                on = has_space(&traffic.queues, destination, links, layout);
                if on {
                    pop(&mut traffic.buffers, link, links, layout);
                    if comptime!(indices_first) {
                        let slot = take_place(&mut traffic.queues, destination, links, layout);
                        sources[slot as usize] = front;
                    } else {
                        push(
                            &mut traffic.queues,
                            destination,
                            agent,
                            now + roads.time_s[destination as usize],
                            links,
                            layout,
                        );
                        advance(&mut traffic.agents, agent, layout);
                    }
                    on = count(&traffic.buffers, link, links, layout) > 0u32;
                }
            }
        }
    }
}

/// One thread per link: all buffers send vehicles on in parallel, and the first thread gets the slot.
#[cube(launch_unchecked)]
pub(super) fn move_buffer(
    roads: &Links,
    traffic: &mut SharedTraffic,
    sources: &mut Array<u32>,
    now: u32,
    #[comptime] layout: Layout,
    #[comptime] indices_first: bool,
) {
    let links = roads.time_s.len() as u32;
    let link = ABSOLUTE_POS as u32;
    if link < links {
        let mut on = count(&traffic.buffers, link, links, layout) > 0u32;
        while on {
            let front = slot_of(&traffic.buffers, link, 0u32, links, layout);
            let agent = traffic.buffers.vehicles[(2u32 * front) as usize];
            let destination = next_entry(&traffic.agents, agent, layout);
            let place = compete(&mut traffic.queues, destination, links, layout);
            on = place > 0u32;
            if on {
                pop(&mut traffic.buffers, link, links, layout);
                let slot = place - 1u32;
                if comptime!(indices_first) {
                    sources[slot as usize] = front;
                } else {
                    traffic.queues.vehicles[(2u32 * slot) as usize] = agent;
                    traffic.queues.vehicles[(2u32 * slot + 1u32) as usize] = now + roads.time_s[destination as usize];
                    advance(&mut traffic.agents, agent, layout);
                }
                on = count(&traffic.buffers, link, links, layout) > 0u32;
            }
        }
    }
}

/// One thread per link, which fetches the new vehicles, from the back of the queue to those that were there before.
#[cube(launch_unchecked)]
pub(super) fn move_vehicles(
    roads: &Links,
    traffic: &mut Traffic,
    sources: &mut Array<u32>,
    now: u32,
    #[comptime] layout: Layout,
) {
    let links = roads.time_s.len() as u32;
    let link = ABSOLUTE_POS as u32;
    if link < links {
        let mut k = count(&traffic.queues, link, links, layout);
        let mut on = k > 0u32;
        while on {
            k -= 1u32;
            let slot = slot_of(&traffic.queues, link, k, links, layout) as usize;
            let source = sources[slot];
            on = source != NO_AGENT;
            if on {
                sources[slot] = NO_AGENT;
                let agent = traffic.buffers.vehicles[2usize * source as usize];
                traffic.queues.vehicles[2usize * slot] = agent;
                traffic.queues.vehicles[2usize * slot + 1usize] = now + roads.time_s[link as usize];
                advance(&mut traffic.agents, agent, layout);
                on = k > 0u32;
            }
        }
    }
}
