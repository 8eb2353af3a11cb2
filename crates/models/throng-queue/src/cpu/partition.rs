//! A partition of the network with the agents in it, and its state during a run.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use throng_core::{JavaRandom, NONE, StateHash};

use super::activation_order::ActivationOrder;
use super::active_set::ActiveSet;
use super::agent::{DueKey, Late, Teleport, WaitingDriver};
use super::calendar::{Calendar, WakeWheel};
use super::context::Context;
use super::link::{Ghost, InLink, Link};
use super::mailboxes::Mailboxes;
use super::phase::Phase;
use super::transit::Passenger;
use super::vehicle::VehicleRecord;
use crate::RunError;
use crate::prepare::attributes::{Attributes, capacities};
use crate::prepare::clock::{Clock, NEVER};
use crate::prepare::first_activities::AtActivity;
use crate::prepare::hash_words::{HashedVehicle, List, OffNetworkState, add_agent, add_passenger, add_vehicle};
use crate::prepare::step_clock::StepClock as _;
use throng_traffic_scenario::RunStats;
use throng_traffic_scenario::events::Event;
use throng_traffic_scenario::volumes::bin_of;

/// One partition of the network. Link and node indices within it start at its first link and node.
pub(super) struct Partition<'a> {
    pub id: usize,
    pub ctx: &'a Context<'a>,
    pub mailboxes: &'a Mailboxes,
    pub clock: Clock,
    pub step: i64,
    pub now: f64,
    pub phase: Phase,

    pub first_link: u32,
    pub first_node: u32,
    pub links: Vec<Link>,
    /// Current attributes of the links.
    pub attributes: Vec<Attributes>,
    /// The partition of each link's start node.
    pub upstream_owner: Vec<u16>,
    /// The upstream ends of links that start in this partition and belong to another one.
    pub ghosts: FxHashMap<u32, Ghost>,

    /// The data that each end node reads before it accesses a link.
    pub in_links: Vec<InLink>,
    /// See [`crate::rules::node_transition::NodeView::priority`].
    pub priority: Vec<f64>,
    /// Whether the priorities of each node's in-links are set. They are initialised from the capacities when the node
    /// is first active.
    pub prioritised: Vec<bool>,

    /// Nodes that may have vehicles to move.
    pub active_nodes: ActiveSet,
    /// Links to be stepped in this step.
    pub due_links: ActiveSet,
    pub wheel: WakeWheel,
    /// Number of change events that have been applied.
    pub changes_applied: usize,
    pub activities: Calendar<AtActivity>,
    pub teleports: Calendar<Teleport>,
    /// Drivers without a vehicle, by link and vehicle.
    pub drivers_waiting: FxHashMap<(u32, u32), VecDeque<WaitingDriver>>,

    /// Persons at each stop, in the order in which they came.
    pub waiting_at_stops: FxHashMap<u32, Vec<Passenger>>,
    /// Vehicles at stops beside the road, by local link.
    pub vehicles_at_stops: FxHashMap<u32, Vec<VehicleRecord>>,

    pub activation_order: Option<ActivationOrder>,
    pub java: JavaRandom,

    pub events: Vec<Event>,
    /// Number of nodes, links and agents visited in this step.
    pub visited: usize,
    /// Positions in `events` at which the phases of this step end.
    pub phase_ends: Vec<(Phase, usize)>,
    /// Number of agents in a finite activity or on a leg.
    pub agents_under_way: i64,
    /// Earliest step in which an agent that was sent to another partition in this step is due.
    pub sent_due: i64,
    /// Number of times that teleported agents have been received; selects the mailbox buffer.
    pub teleport_rounds: usize,
    /// Departures in the last phase of this step, by local link.
    pub late_departures: Vec<Late<usize>>,
    /// Persons who came to stops in the last phase of this step, by stop.
    pub late_passengers: Vec<Late<u32>>,
    /// The key of the teleported agent that is being processed.
    pub arriving: Option<DueKey>,
    pub stats: RunStats,
    /// Number of vehicles that left each link, by time bin.
    pub volumes: Vec<(i64, Vec<u32>)>,
    /// State hash of the partition, from the last task that requested it.
    pub hashed: StateHash,
    pub error: Option<RunError>,
    pub scratch: Vec<u32>,
    pub due_agents: Vec<AtActivity>,
}

impl<'a> Partition<'a> {
    pub fn new(id: usize, ctx: &'a Context<'a>, mailboxes: &'a Mailboxes, clock: Clock, java: JavaRandom) -> Self {
        let layout = ctx.layout;
        let network = &ctx.scenario.network;
        let range = layout.links_of(id);
        let nodes = layout.partitions[id].clone();
        let count = range.len();

        let attributes_of = |link: u32| Attributes::of(network, layout.link_external[link as usize] as usize);
        let new_link = |link: u32| {
            let external = layout.link_external[link as usize] as usize;
            let attributes = attributes_of(link);
            let length = network.length_m[external];
            let caps = capacities(&attributes, length, attributes.freespeed_mps, network.cell_size_m, &ctx.rules);
            Link::new(&caps, length, attributes.freespeed_mps, layout.from[link as usize], &ctx.rules)
        };
        let in_link = |link: u32| {
            let capacity = network.capacity[layout.link_external[link as usize] as usize];
            InLink { capacity, buffered: 0, candidate: false }
        };
        let upstream = |link: u32| layout.partition_of_node[layout.from[link as usize] as usize];

        let ghosts = (0..layout.from.len() as u32)
            .filter(|&link| usize::from(upstream(link)) == id && usize::from(layout.owner(link)) != id)
            .map(|link| (link, Ghost { entry: new_link(link).entry, attributes: attributes_of(link) }))
            .collect();
        Self {
            id,
            ctx,
            mailboxes,
            clock,
            step: 0,
            now: 0.0,
            phase: Phase::Agents,
            first_link: range.start,
            first_node: nodes.start,
            links: range.clone().map(new_link).collect(),
            attributes: range.clone().map(attributes_of).collect(),
            upstream_owner: range.clone().map(upstream).collect(),
            ghosts,
            in_links: range.clone().map(in_link).collect(),
            priority: vec![0.0; count],
            prioritised: vec![false; nodes.len()],
            active_nodes: ActiveSet::new(nodes.len()),
            due_links: ActiveSet::new(count),
            wheel: WakeWheel::new(count),
            changes_applied: 0,
            activities: Calendar::default(),
            teleports: Calendar::default(),
            drivers_waiting: FxHashMap::default(),
            waiting_at_stops: FxHashMap::default(),
            vehicles_at_stops: FxHashMap::default(),
            activation_order: ctx.rules.java.then(|| ActivationOrder::new(count, nodes.len())),
            java,
            events: Vec::new(),
            visited: 0,
            phase_ends: Vec::new(),
            agents_under_way: 0,
            sent_due: i64::MAX,
            teleport_rounds: 0,
            late_departures: Vec::new(),
            late_passengers: Vec::new(),
            arriving: None,
            stats: RunStats::default(),
            volumes: Vec::new(),
            hashed: StateHash::new(),
            error: None,
            scratch: Vec::new(),
            due_agents: Vec::new(),
        }
    }

    /// Begins a step.
    pub fn begin(&mut self, step: i64) {
        self.step = step;
        self.clock.advance_to(step);
        self.now = self.clock.time_of(step);
        self.sent_due = i64::MAX;
        self.late_departures.clear();
        self.late_passengers.clear();
        self.visited = 0;
        self.events.clear();
        self.phase_ends.clear();
    }

    /// Returns the index within this partition of a link that belongs to it.
    #[inline]
    pub fn local(&self, link: u32) -> Option<usize> {
        let local = link.wrapping_sub(self.first_link) as usize;
        (local < self.links.len()).then_some(local)
    }

    /// Counts a vehicle that leaves a link over its end node, if volumes are requested.
    #[inline]
    pub fn count_leaving(&mut self, local: usize) {
        let Some(bin_s) = self.ctx.volume_bin_s else { return };
        let bin = bin_of(self.now, bin_s);
        match self.volumes.last_mut() {
            Some((last, counts)) if *last == bin => counts[local] += 1,
            _ => {
                let mut counts = vec![0; self.links.len()];
                counts[local] = 1;
                self.volumes.push((bin, counts));
            }
        }
    }

    /// Returns the scenario index of a local link.
    #[inline]
    pub fn external(&self, local: usize) -> u32 {
        self.ctx.layout.link_external[self.first_link as usize + local]
    }

    #[inline]
    pub fn emit(&mut self, event: Event) {
        if self.ctx.record {
            self.events.push(event);
        }
    }

    /// Records the end of a phase in the list of events.
    pub fn mark(&mut self) {
        self.phase_ends.push((self.phase, self.events.len()));
    }

    /// Schedules a visit of a link in `step`, or in the current step if `step` is not later.
    #[inline]
    pub fn wake(&mut self, local: usize, step: i64) {
        if step == NEVER {
            return;
        }
        if step > self.step {
            self.wheel.request(local as u32, step, self.step);
        } else {
            self.due_links.insert(local as u32);
        }
    }

    /// Returns the first step after this one in which anything is due in this partition.
    pub fn next_step(&self) -> i64 {
        if !self.active_nodes.is_empty() {
            return self.step + 1;
        }
        let next = [self.activities.next_step(), self.teleports.next_step(), self.wheel.next_step(self.step)];
        next.into_iter().flatten().min().unwrap_or(i64::MAX).min(self.sent_due).max(self.step + 1)
    }

    /// Returns the hash of all vehicles on links and at stops, agents at activities, teleported agents, and passengers
    /// at stops and in vehicles. It does not depend on partitions or the executor.
    pub fn hash(&self) -> StateHash {
        let mut hash = StateHash::new();
        for (local, link) in self.links.iter().enumerate() {
            let external = self.external(local);
            let mut add = |list, position, v: &VehicleRecord| {
                let &VehicleRecord { person, element, vehicle, exit, .. } = v;
                add_vehicle(&mut hash, external, list, position, HashedVehicle { person, element, vehicle, exit });
            };
            link.waiting.iter().enumerate().for_each(|(i, v)| add(List::Waiting, i, v));
            link.queue.iter().enumerate().for_each(|(i, v)| add(List::Queue, i, v));
            link.buffer.iter().enumerate().for_each(|(i, v)| add(List::Buffer, i, v));
            let at_stops = self.vehicles_at_stops.get(&(local as u32)).into_iter().flatten();
            at_stops.enumerate().for_each(|(i, v)| add(List::Stops, i, v));
        }
        for (&stop, waiting) in &self.waiting_at_stops {
            // No vehicle serves a stop without a link, so the order there, which depends on partitions, has no effect.
            let is_served = self.ctx.scenario.transit.stops.link[stop as usize] != NONE;
            for (place, &Passenger { person, element }) in waiting.iter().enumerate() {
                add_passenger(&mut hash, person, element, NONE, if is_served { place } else { 0 });
            }
        }
        // Vehicles of public transport belong to no partition.
        if self.id == 0 {
            let first = self.ctx.scenario.transit.first_driver;
            for driver in (0..self.ctx.transit_vehicles.len() as u32).map(|driver| first + driver) {
                let Some(vehicle) = self.ctx.transit_vehicle(driver) else { continue };
                vehicle.add_to(&mut hash, driver);
            }
        }
        for agent in self.activities.iter() {
            add_agent(&mut hash, OffNetworkState::AtActivity, agent.person, agent.element, agent.end);
        }
        // Agents sent in the last phase are in the mailboxes until the next step.
        let sent = self.mailboxes.teleported_by(self.id, self.teleport_rounds);
        for agent in self.teleports.iter().chain(&sent) {
            add_agent(&mut hash, OffNetworkState::Teleported, agent.person, agent.element, agent.arrival);
        }
        hash
    }
}
