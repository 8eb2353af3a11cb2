//! The first half of a network step: vehicles cross nodes.

use super::link::Ghost;
use super::partition::Partition;
use super::phase::Phase;
use super::vehicle::VehicleRecord;
use crate::prepare::step_clock::StepClock as _;
use crate::rules::crossing::{ARRIVE, NO_SUCH_LINK, crossing};
use crate::rules::draws::node_draw;
use crate::rules::link_speed::travel_time;
use crate::rules::node_transition::{self, Attempt, NodeView};
use throng_device::philox::Counter;
use throng_traffic_scenario::events::{Event, EventKind};

impl Partition<'_> {
    /// Moves vehicles across all active nodes.
    pub fn cross_nodes(&mut self) {
        self.phase = Phase::Nodes;
        let mut nodes = std::mem::take(&mut self.scratch);
        nodes.clear();
        self.active_nodes.collect_into(&mut nodes);
        if let Some(activation_order) = &self.activation_order {
            activation_order.sort_nodes(&mut nodes);
        }
        self.visited += nodes.len();
        for &node in &nodes {
            let layout = self.ctx.layout;
            let global = self.first_node + node;
            let first = (layout.first_in_link[global as usize] - self.first_link) as usize;
            let end = (layout.first_in_link[global as usize + 1] - self.first_link) as usize;
            if !self.prioritised[node as usize] {
                self.prioritised[node as usize] = true;
                for l in first..end {
                    self.priority[l] = 1.0 / self.in_links[l].capacity;
                }
            }
            let selection = self.ctx.rules.selection;
            let mut node_on_cpu = NodeOnCpu { part: self, node: global, first, in_links: end - first, draws: 0 };
            if !node_transition::step(&mut node_on_cpu, selection, false) {
                self.active_nodes.remove(node);
            }
        }
        self.scratch = nodes;
    }

    /// Puts a vehicle into the buffer of a link, from which the end node takes it. A partition has a set of active
    /// nodes and, with Java's generator, their order; kernels only mark the node, since each node has a thread.
    pub fn push_to_buffer(&mut self, local: usize, moving: VehicleRecord) {
        let consumption = self.ctx.kinds[moving.route.kind()].consumption;
        let link = &mut self.links[local];
        link.flow.consume(consumption, self.now);
        if link.buffer.is_empty() {
            link.last_moved = self.now;
        }
        link.buffer.push_back(moving);
        self.in_links[local].buffered += 1;
        let node = self.ctx.layout.to[self.first_link as usize + local] - self.first_node;
        if let Some(activation_order) = &mut self.activation_order
            && !self.active_nodes.contains(node)
        {
            activation_order.activate_node(node as usize);
        }
        self.active_nodes.insert(node);
    }

    /// Removes the first vehicle of a buffer. Makes up for skipped flow updates; kernels skip none.
    fn pop_from_buffer(&mut self, local: usize) {
        self.count_leaving(local);
        let rules = &self.ctx.rules;
        let link = &mut self.links[local];
        if link.flow_updates_skipped {
            // The skipped updates must precede the change of the buffer.
            let time = self.clock.time_of(self.step - 1);
            link.flow.catch_up((self.step - 1 - link.flow_updated_to) as u32, time);
            link.flow_updated_to = self.step - 1;
            self.due_links.insert(local as u32);
        }
        link.buffer.pop_front();
        self.in_links[local].buffered -= 1;
        link.last_moved = self.now;
        if rules.links.fast_update {
            link.flow.leave_buffer(self.now, rules.step_s);
        }
        let kinds = &self.ctx.kinds;
        link.flow.recompute_upper_bound(link.buffer.iter().map(|v| kinds[v.route.kind()].consumption));
    }

    /// Activates a link that receives a vehicle: unless active, it moves to the end of MATSim's list of active links,
    /// and its holes and inflow are stepped again.
    pub fn activate_link(&mut self, local: usize) {
        let last_completed_step = if self.phase == Phase::Teleports { self.step } else { self.step - 1 };
        let link = &mut self.links[local];
        let mut was_active = link.active;
        if let Some(holes) = &mut link.entry.upstream_end.holes {
            holes.catch_up(last_completed_step, &self.clock);
            was_active = holes.is_active();
            holes.activate(last_completed_step);
        }
        link.active = true;
        if let Some(activation_order) = &mut self.activation_order
            && !was_active
        {
            activation_order.activate_link(local);
        }
    }

    /// Receives the vehicles that crossed from other partitions.
    pub fn receive_vehicles(&mut self) {
        let mailboxes = self.mailboxes;
        mailboxes.take_vehicles(self.id, |link, moving| self.push_to_queue((link - self.first_link) as usize, moving));
    }

    fn push_to_queue(&mut self, local: usize, moving: VehicleRecord) {
        let queue = &mut self.links[local].queue;
        queue.push(moving, self.ctx.rules.passing);
        if queue.front().is_some_and(|first| first.vehicle == moving.vehicle) {
            self.wake(local, self.clock.step_at(moving.exit));
        }
    }
}

/// A node that is moving vehicles.
struct NodeOnCpu<'p, 'a> {
    part: &'p mut Partition<'a>,
    /// Executor index of the node.
    node: u32,
    /// First in-link, as an index within the partition.
    first: usize,
    in_links: usize,
    /// Number of draws in this step.
    draws: u32,
}

/// CubeCL's traits require a kernel type; this is the one of the device executor.
#[cfg(feature = "gpu")]
impl throng_device::cubecl::prelude::CubeType for NodeOnCpu<'_, '_> {
    type ExpandType = <crate::gpu::NodeOnDevice<'static> as throng_device::cubecl::prelude::CubeType>::ExpandType;
}

impl NodeView for NodeOnCpu<'_, '_> {
    #[inline]
    fn in_links(&self) -> u32 {
        self.in_links as u32
    }

    #[inline]
    fn offers(&self, i: u32) -> bool {
        self.part.in_links[self.first + i as usize].buffered > 0
    }

    #[inline]
    fn capacity(&self, i: u32) -> f64 {
        self.part.in_links[self.first + i as usize].capacity
    }

    #[inline]
    fn inverse_capacity(&self, i: u32) -> f64 {
        1.0 / self.capacity(i)
    }

    #[inline]
    fn candidate(&self, i: u32) -> bool {
        self.part.in_links[self.first + i as usize].candidate
    }

    #[inline]
    fn set_candidate(&mut self, i: u32, candidate: bool) {
        self.part.in_links[self.first + i as usize].candidate = candidate;
    }

    #[inline]
    fn priority(&self, i: u32) -> f64 {
        self.part.priority[self.first + i as usize]
    }

    #[inline]
    fn set_priority(&mut self, i: u32, priority: f64) {
        self.part.priority[self.first + i as usize] = priority;
    }

    fn draw(&mut self) -> f64 {
        if self.part.activation_order.is_some() {
            return self.part.java.next_double();
        }
        let node = self.part.ctx.layout.node_external[self.node as usize];
        let Counter { entity, step, purpose, index } = node_draw(node, self.part.step as u32, self.draws);
        self.draws += 1;
        self.part.ctx.rules.random.unit(entity, step, purpose, index)
    }

    fn draws_for_single_candidate(&self) -> bool {
        self.part.activation_order.is_some()
    }

    // The next link may belong to another partition, so it is read only when needed; a kernel loads everything at once.
    fn move_first(&mut self, i: u32) -> Attempt {
        let local = self.first + i as usize;
        let moving = self.part.links[local].buffer[0];
        let accepted = self.next_link_accepts(&moving);
        let part = &mut *self.part;
        let rules = &part.ctx.rules;
        let buffer_blocked_s = part.now - part.links[local].last_moved;
        let result = crossing(
            accepted.is_some(),
            accepted.unwrap_or(false),
            buffer_blocked_s,
            rules.stuck_time_s,
            rules.remove_stuck,
        );
        if result.crosses {
            if result.pushed {
                part.stats.stuck_pushed += 1;
            }
            self.cross(local, moving);
        } else if result.removed {
            if result.jammed {
                part.stats.stuck_removed += 1;
            }
            self.remove(local, &moving);
        }
        Attempt { moved: result.moved, jammed: result.jammed }
    }
}

impl NodeOnCpu<'_, '_> {
    /// Whether the next link of a vehicle accepts it; `None` if it has no next link that begins at this node.
    #[inline]
    fn next_link_accepts(&mut self, moving: &VehicleRecord) -> Option<bool> {
        let part = &mut *self.part;
        let entry = match moving.next {
            ARRIVE | NO_SUCH_LINK => None,
            next => match next.wrapping_sub(part.first_link) as usize {
                inside if inside < part.links.len() => Some(&mut part.links[inside].entry),
                _ => part.ghosts.get_mut(&next).map(|ghost| &mut ghost.entry),
            },
        };
        let entry = entry.filter(|entry| entry.from == self.node)?;
        if let Some(holes) = &mut entry.upstream_end.holes {
            holes.catch_up(part.step - 1, &part.clock);
        }
        Some(entry.upstream_end.accepts())
    }

    /// Moves the first vehicle in the buffer of `local` to its next link, which starts at this node.
    fn cross(&mut self, local: usize, mut moving: VehicleRecord) {
        let part = &mut *self.part;
        part.pop_from_buffer(local);
        let next = moving.next;
        if part.ctx.record {
            let (left, entered) = (part.external(local), part.ctx.layout.link_external[next as usize]);
            part.events.push(Event::of_vehicle(EventKind::LeftLink, moving.vehicle, left));
            part.events.push(Event::of_vehicle(EventKind::EnteredLink, moving.vehicle, entered));
        }
        part.stats.moves += 1;

        let kind = part.ctx.kinds[moving.route.kind()];
        moving.route = moving.route.advanced();
        moving.next = part.next_link(moving.route);
        let step_s = part.ctx.rules.step_s;
        let exit = |length: f64, freespeed: f64, now: f64| {
            now + travel_time(length, freespeed, kind.maximum_velocity_mps, step_s)
        };
        if let Some(inside) = part.local(next) {
            part.activate_link(inside);
            let entry = &mut part.links[inside].entry;
            entry.upstream_end.enter(kind.pcu, kind.consumption);
            moving.exit = exit(entry.length_m, entry.freespeed_mps, part.now);
            part.push_to_queue(inside, moving);
        } else if let Some(Ghost { entry, .. }) = part.ghosts.get_mut(&next) {
            if let Some(holes) = &mut entry.upstream_end.holes {
                holes.activate(part.step - 1);
            }
            entry.upstream_end.enter(kind.pcu, kind.consumption);
            moving.exit = exit(entry.length_m, entry.freespeed_mps, part.now);
            let owner = usize::from(part.ctx.layout.owner(next));
            part.mailboxes.send_vehicle(part.id, owner, next, moving);
        }
    }

    /// Removes the first vehicle in the buffer of `local` and its driver from the simulation.
    fn remove(&mut self, local: usize, moving: &VehicleRecord) {
        let part = &mut *self.part;
        part.pop_from_buffer(local);
        let link = part.external(local);
        part.emit(Event::of_vehicle(EventKind::LeftLink, moving.vehicle, link));
        part.abort_passengers(moving);
        let mode = part.mode_of(moving.element);
        part.abort(moving.person, link, mode);
    }
}
