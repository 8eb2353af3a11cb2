//! The kernels of a step. A thread per agent, link or node; each around the rules and the lists.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::fifo::{Fifo, SharedFifo, compete, count, has_space, pop, position_word, push, slot_of, take_place};
use crate::strippgen::rules::{NOBODY, ONE_VEHICLE, has_driven, is_activity, refilled, wants_to_depart};
use crate::strippgen::variant::Layout;

/// What a link is.
#[derive(CubeLaunch, CubeType)]
pub(super) struct Links {
    pub flow: Array<u32>,
    pub time_s: Array<u32>,
}

/// The position of each agent in the plans.
#[derive(CubeLaunch, CubeType)]
pub(super) struct Agents {
    pub records: Array<u32>,
    pub plans: Array<u32>,
}

/// What the plan of an agent goes on with.
#[cube]
fn next_entry(agents: &Agents, agent: u32, #[comptime] layout: Layout) -> u32 {
    agents.plans[agents.records[position_word(agent, layout)] as usize + 1usize]
}

#[cube]
fn advance(agents: &mut Agents, agent: u32, #[comptime] layout: Layout) {
    agents.records[position_word(agent, layout)] += 1u32;
}

/// A thread per agent, in every step: the paper's way to find those who depart.
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

/// A thread per link: vehicles that have driven it arrive, or go into the buffer; then a departing agent enters.
#[cube(launch_unchecked)]
pub(super) fn move_link(
    roads: &Links,
    queues: &mut Fifo,
    buffers: &mut Fifo,
    agents: &mut Agents,
    credit: &mut Array<u32>,
    claims: &mut Array<u32>,
    now: u32,
    #[comptime] layout: Layout,
) {
    let links = credit.len() as u32;
    let link = ABSOLUTE_POS as u32;
    if link < links {
        let i = link as usize;
        let mut left = refilled(credit[i], roads.flow[i]);
        let mut on = count(queues, link, links, layout) > 0u32;
        while on {
            let front = (2u32 * slot_of(queues, link, 0u32, links, layout)) as usize;
            let agent = queues.vehicles[front];
            let depart = queues.vehicles[front + 1usize];
            on = has_driven(depart, now);
            if on {
                if is_activity(next_entry(agents, agent, layout)) {
                    pop(queues, link, links, layout);
                    advance(agents, agent, layout);
                } else if left >= ONE_VEHICLE && has_space(buffers, link, links, layout) {
                    pop(queues, link, links, layout);
                    push(buffers, link, agent, depart, links, layout);
                    left -= ONE_VEHICLE;
                } else {
                    on = false;
                }
                on = on && count(queues, link, links, layout) > 0u32;
            }
        }
        credit[i] = left;
        let agent = claims[i];
        if agent != NOBODY {
            claims[i] = NOBODY;
            if has_space(queues, link, links, layout) {
                push(queues, link, agent, now + roads.time_s[i], links, layout);
                advance(agents, agent, layout);
            }
        }
    }
}

/// A thread per node: its in-links in fixed order send vehicles on. With `sources` only places are taken.
#[cube(launch_unchecked)]
pub(super) fn move_node(
    roads: &Links,
    first_in_link: &Array<u32>,
    in_links: &Array<u32>,
    queues: &mut Fifo,
    buffers: &mut Fifo,
    agents: &mut Agents,
    sources: &mut Array<u32>,
    now: u32,
    #[comptime] layout: Layout,
    #[comptime] indices_first: bool,
) {
    let links = roads.time_s.len() as u32;
    let node = ABSOLUTE_POS;
    if node + 1usize < first_in_link.len() {
        for i in first_in_link[node]..first_in_link[node + 1usize] {
            let link = in_links[i as usize];
            let mut on = count(buffers, link, links, layout) > 0u32;
            while on {
                let front = slot_of(buffers, link, 0u32, links, layout);
                let agent = buffers.vehicles[(2u32 * front) as usize];
                let destination = next_entry(agents, agent, layout);
                on = has_space(queues, destination, links, layout);
                if on {
                    pop(buffers, link, links, layout);
                    if comptime!(indices_first) {
                        let slot = take_place(queues, destination, links, layout);
                        sources[slot as usize] = front;
                    } else {
                        push(queues, destination, agent, now + roads.time_s[destination as usize], links, layout);
                        advance(agents, agent, layout);
                    }
                    on = count(buffers, link, links, layout) > 0u32;
                }
            }
        }
    }
}

/// A thread per link: all buffers send vehicles on at once, and the first thread gets the place.
#[cube(launch_unchecked)]
pub(super) fn move_buffer(
    roads: &Links,
    queues: &mut SharedFifo,
    buffers: &mut Fifo,
    agents: &mut Agents,
    sources: &mut Array<u32>,
    now: u32,
    #[comptime] layout: Layout,
    #[comptime] indices_first: bool,
) {
    let links = roads.time_s.len() as u32;
    let link = ABSOLUTE_POS as u32;
    if link < links {
        let mut on = count(buffers, link, links, layout) > 0u32;
        while on {
            let front = slot_of(buffers, link, 0u32, links, layout);
            let agent = buffers.vehicles[(2u32 * front) as usize];
            let destination = next_entry(agents, agent, layout);
            let place = compete(queues, destination, links, layout);
            on = place > 0u32;
            if on {
                pop(buffers, link, links, layout);
                let slot = place - 1u32;
                if comptime!(indices_first) {
                    sources[slot as usize] = front;
                } else {
                    queues.vehicles[(2u32 * slot) as usize] = agent;
                    queues.vehicles[(2u32 * slot + 1u32) as usize] = now + roads.time_s[destination as usize];
                    advance(agents, agent, layout);
                }
                on = count(buffers, link, links, layout) > 0u32;
            }
        }
    }
}

/// A thread per link fetches the newcomers, from the last one on back to those who were there before.
#[cube(launch_unchecked)]
pub(super) fn move_vehicles(
    roads: &Links,
    queues: &mut Fifo,
    buffers: &Fifo,
    agents: &mut Agents,
    sources: &mut Array<u32>,
    now: u32,
    #[comptime] layout: Layout,
) {
    let links = roads.time_s.len() as u32;
    let link = ABSOLUTE_POS as u32;
    if link < links {
        let mut k = count(queues, link, links, layout);
        let mut on = k > 0u32;
        while on {
            k -= 1u32;
            let slot = slot_of(queues, link, k, links, layout) as usize;
            let source = sources[slot];
            on = source != NOBODY;
            if on {
                sources[slot] = NOBODY;
                let agent = buffers.vehicles[2usize * source as usize];
                queues.vehicles[2usize * slot] = agent;
                queues.vehicles[2usize * slot + 1usize] = now + roads.time_s[link as usize];
                advance(agents, agent, layout);
                on = k > 0u32;
            }
        }
    }
}
