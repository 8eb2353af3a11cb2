//! The second half of a network step: vehicles enter traffic, reach the end of their link, and arrive.

use super::mailboxes::UpstreamMessage;
use super::partition::Partition;
use super::phase::Phase;
use super::vehicle::{ARRIVE, Moving};
use crate::prepare::clock::NEVER;
use crate::prepare::step_clock::StepClock as _;
use crate::rules::link_exit::{QueueView, WaitingView, move_queue, move_waiting};
use throng_device::exact::NEGATIVE_ZERO;
use throng_traffic_scenario::events::{Event, EventKind};

/// Number of steps for which a link looks ahead for flow capacity before it is visited again.
const FLOW_HORIZON: u32 = 256;

impl Partition<'_> {
    /// Steps all links that are due.
    pub fn step_links(&mut self) {
        self.phase = Phase::Links;
        let due = &mut self.due_links;
        self.wheel.take_due(self.step, |link| due.insert(link));
        let mut links = std::mem::take(&mut self.scratch);
        links.clear();
        self.due_links.drain_into(&mut links);
        if let Some(activation_order) = &self.activation_order {
            activation_order.sort_links(&mut links);
        }
        self.visited += links.len();
        for &link in &links {
            self.step_link(link as usize);
        }
        self.scratch = links;
    }

    fn step_link(&mut self, local: usize) {
        self.begin_link(local);
        let (waiting_first, now) = (self.ctx.rules.waiting_first, self.now);
        let mut out_of_capacity = false;
        if waiting_first {
            out_of_capacity |= move_waiting(&mut WaitingOnCpu { part: self, local });
        }
        out_of_capacity |= move_queue(&mut QueueOnCpu { part: self, local }, now);
        if !waiting_first {
            out_of_capacity |= move_waiting(&mut WaitingOnCpu { part: self, local });
        }
        self.end_link(local, out_of_capacity);
    }

    /// Brings flow, holes and inflow up to this step.
    fn begin_link(&mut self, local: usize) {
        let step = self.step;
        let link = &mut self.links[local];
        let idle = link.is_idle();
        if link.flow_updates_skipped {
            let time = self.clock.time_of(step - 1);
            link.flow.catch_up((step - 1 - link.flow_updated_to).max(0) as u32, time);
            link.flow_updates_skipped = false;
        }
        if !self.ctx.rules.fast_update {
            link.flow.refill_one_step();
        }
        if usize::from(self.upstream_owner[local]) != self.id {
            self.notify_upstream(local, UpstreamMessage::Begin { idle });
        } else if let Some(holes) = &mut link.entry.upstream_end.holes {
            holes.begin_step(step, idle, self.now, &self.clock);
        }
    }

    /// Whether a vehicle of the given type may leave the link now.
    #[inline]
    fn has_capacity(&mut self, local: usize, kind: usize) -> bool {
        let rules = &self.ctx.rules;
        let flow = &mut self.links[local].flow;
        if rules.fast_update {
            flow.refill_since_last(self.now, rules.step_s, NEGATIVE_ZERO);
        }
        flow.has_capacity(self.ctx.kinds[kind].pcu, rules.easing)
    }

    /// Frees the room of a vehicle that has left the queue, at the upstream end.
    #[inline]
    fn free(&mut self, local: usize, pcu: f64) {
        if usize::from(self.upstream_owner[local]) == self.id {
            let upstream_end = &mut self.links[local].entry.upstream_end;
            upstream_end.free(pcu, self.now);
            if self.activation_order.is_some() && upstream_end.holes.is_some() {
                // MATSim draws a number for each hole and multiplies it by zero. The draw has to be made, because nodes
                // use the following numbers.
                self.java.next_double();
            }
        } else {
            self.notify_upstream(local, UpstreamMessage::Freed(pcu));
        }
    }

    fn notify_upstream(&self, local: usize, message: UpstreamMessage) {
        let to = usize::from(self.upstream_owner[local]);
        self.mailboxes.send_upstream(self.id, to, self.first_link + local as u32, message);
    }

    /// Decides when the link is visited next.
    fn end_link(&mut self, local: usize, out_of_capacity: bool) {
        let rules = &self.ctx.rules;
        let (step, now) = (self.step, self.now);
        let link = &mut self.links[local];
        let refilling = !rules.fast_update && link.flow.is_below_a_step();
        let idle = link.is_idle() && !refilling;
        let mut active = !idle;
        if usize::from(self.upstream_owner[local]) == self.id {
            if let Some(holes) = &mut link.entry.upstream_end.holes {
                holes.end_step(idle);
                active |= holes.is_active();
            }
        } else {
            let message = UpstreamMessage::End { idle };
            let to = usize::from(self.upstream_owner[local]);
            self.mailboxes.send_upstream(self.id, to, self.first_link + local as u32, message);
        }
        link.active = active;

        let mut next = NEVER;
        if self.ctx.eager {
            if active {
                next = step + 1;
            }
        } else if out_of_capacity {
            link.flow_updates_skipped = rules.fast_update && self.clock.is_exact();
            link.flow_updated_to = step;
            // A small vehicle needs no capacity. It is still waiting only if it joined the waiting list after that was
            // processed in this step.
            let waits_small = link.waiting.front().is_some_and(|v| self.ctx.kinds[v.route.kind()].pcu <= rules.easing);
            let wait = if waits_small {
                Some(1)
            } else if link.flow_updates_skipped {
                link.flow.steps_until_capacity(FLOW_HORIZON)
            } else {
                link.flow.grows().then_some(1)
            };
            next = wait.map_or(NEVER, |steps| step + i64::from(steps));
        } else if (refilling && link.flow.grows()) || !link.waiting.is_empty() {
            next = step + 1;
        }
        // A vehicle that wants to arrive is left here only if waiting vehicles came after the driving ones.
        if let Some(first) = link.queue.front()
            && (first.exit > now || first.next == ARRIVE)
        {
            next = next.min(self.clock.step_at(first.exit).max(step + 1));
        }
        if next < NEVER {
            self.wheel.request(local as u32, next, step);
        }
    }

    /// Applies the changes that other partitions report for links that start here.
    pub fn receive_upstream_messages(&mut self) {
        let (clock, step, now, ghosts) = (&self.clock, self.step, self.now, &mut self.ghosts);
        self.mailboxes.take_upstream(self.id, |link, message| {
            let Some(ghost) = ghosts.get_mut(&link) else { return };
            let upstream_end = &mut ghost.entry.upstream_end;
            match (message, &mut upstream_end.holes) {
                (UpstreamMessage::Freed(pcu), _) => upstream_end.free(pcu, now),
                (UpstreamMessage::Begin { idle }, Some(holes)) => holes.begin_step(step, idle, now, clock),
                (UpstreamMessage::End { idle }, Some(holes)) => holes.end_step(idle),
                (UpstreamMessage::Begin { .. } | UpstreamMessage::End { .. }, None) => {}
            }
        });
    }
}

/// The driving vehicles of a link, by local number.
struct QueueOnCpu<'p, 'a> {
    part: &'p mut Partition<'a>,
    local: usize,
}

/// The waiting vehicles of a link, by local number.
struct WaitingOnCpu<'p, 'a> {
    part: &'p mut Partition<'a>,
    local: usize,
}

// CubeCL's traits require a kernel type; it is the one of the device executor.
#[cfg(feature = "gpu")]
mod in_kernels {
    use throng_device::cubecl::prelude::CubeType;

    use super::{QueueOnCpu, WaitingOnCpu};
    use crate::gpu::{QueueOnDevice, WaitingOnDevice};

    impl CubeType for QueueOnCpu<'_, '_> {
        type ExpandType = <QueueOnDevice<'static> as CubeType>::ExpandType;
    }
    impl CubeType for WaitingOnCpu<'_, '_> {
        type ExpandType = <WaitingOnDevice<'static> as CubeType>::ExpandType;
    }
}

impl QueueOnCpu<'_, '_> {
    #[inline]
    fn first(&self) -> Option<&Moving> {
        self.part.links[self.local].queue.front()
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Moving> {
        self.part.links[self.local].queue.pop(self.part.ctx.rules.passing)
    }
}

impl QueueView for QueueOnCpu<'_, '_> {
    #[inline]
    fn look_at_next(&mut self) -> bool {
        !self.part.links[self.local].queue.is_empty()
    }

    #[inline]
    fn exit_time(&self) -> f64 {
        self.first().map_or(f64::INFINITY, |first| first.exit)
    }

    #[inline]
    fn arrives(&self) -> bool {
        self.first().is_some_and(|first| first.next == ARRIVE)
    }

    #[inline]
    fn has_capacity(&mut self) -> bool {
        let Some(kind) = self.first().map(|first| first.route.kind()) else { return false };
        self.part.has_capacity(self.local, kind)
    }

    #[inline(always)]
    fn leave(&mut self) {
        // The vehicle is taken from the queue where it goes, so that it is moved only once.
        if let Some(kind) = self.first().map(|first| first.route.kind()) {
            self.part.free(self.local, self.part.ctx.kinds[kind].pcu);
        }
    }

    #[inline]
    fn arrive(&mut self) {
        if let Some(moving) = self.pop() {
            self.part.arrive(self.local, &moving);
        }
    }

    #[inline]
    fn move_to_buffer(&mut self) {
        if let Some(moving) = self.pop() {
            self.part.push_to_buffer(self.local, moving);
        }
    }
}

impl WaitingView for WaitingOnCpu<'_, '_> {
    #[inline]
    fn look_at_next(&mut self) -> bool {
        !self.part.links[self.local].waiting.is_empty()
    }

    #[inline]
    fn has_capacity(&mut self) -> bool {
        let Some(first) = self.part.links[self.local].waiting.front() else { return false };
        let kind = first.route.kind();
        self.part.has_capacity(self.local, kind)
    }

    fn enter_traffic(&mut self) {
        let Self { part, local } = self;
        let Some(moving) = part.links[*local].waiting.pop_front() else { return };
        if part.ctx.record {
            let mode = part.mode_of(moving.element);
            let (person, link, detail) = (moving.person, part.external(*local), moving.vehicle);
            part.events.push(Event { kind: EventKind::VehicleEntersTraffic, mode, person, link, detail });
        }
        if moving.next == ARRIVE {
            part.links[*local].queue.push_to_front(moving, part.ctx.rules.passing);
        } else {
            part.push_to_buffer(*local, moving);
        }
    }
}
