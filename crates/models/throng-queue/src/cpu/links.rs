//! The second half of a network step: vehicles enter traffic, reach the end of their link, and arrive.

use super::link::Link;
use super::mailboxes::UpstreamMessage;
use super::partition::Partition;
use super::phase::Phase;
use super::vehicle::VehicleRecord;
use crate::prepare::clock::NEVER;
use crate::prepare::rules::VehicleKind;
use crate::prepare::step_clock::StepClock as _;
use crate::rules::crossing::ARRIVE;
use crate::rules::flow_capacity::FlowCapacity;
use crate::rules::link_step::{self, LinkView, Progress};
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
        let link = &mut self.links[local];
        if link.flow_updates_skipped {
            let time = self.clock.time_of(self.step - 1);
            link.flow.catch_up((self.step - 1 - link.flow_updated_to).max(0) as u32, time);
            link.flow_updates_skipped = false;
        }
        let (rules, now) = (self.ctx.rules.links, self.now);
        let mut link = LinkOnCpu { part: self, local, waits: false, due: NEVER };
        let mut progress = Progress::default();
        link_step::move_vehicles(&mut link, &mut progress, now, rules);
        link_step::finish(&mut link, &mut progress, now, rules);
        let due = link.due;
        if due < NEVER {
            self.wheel.request(local as u32, due, self.step);
        }
    }

    /// Frees the storage capacity of a vehicle that has left the queue, at the upstream end.
    #[inline]
    fn free(&mut self, local: usize, pcu: f64) {
        if usize::from(self.upstream_owner[local]) == self.id {
            let upstream_end = &mut self.links[local].entry.upstream_end;
            upstream_end.free(pcu, self.now);
            if self.activation_order.is_some() && upstream_end.holes.is_some() {
                // MATSim draws a number for each hole and multiplies it by zero. The draw is necessary because nodes
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

    /// Applies the changes that other partitions report for links that start in this partition.
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

/// A link that is being stepped.
struct LinkOnCpu<'p, 'a> {
    part: &'p mut Partition<'a>,
    /// Index of the link within the partition.
    local: usize,
    /// Whether the selected vehicle is in the waiting list. It stays in its list until its destination is known, so
    /// that it is moved only once.
    waits: bool,
    /// The step in which the link is due again.
    due: i64,
}

/// CubeCL's traits require a kernel type; this is the one of the device executor.
#[cfg(feature = "gpu")]
impl throng_device::cubecl::prelude::CubeType for LinkOnCpu<'_, '_> {
    type ExpandType = <crate::gpu::LinkOnDevice<'static> as throng_device::cubecl::prelude::CubeType>::ExpandType;
}

impl LinkOnCpu<'_, '_> {
    #[inline(always)]
    fn link(&mut self) -> &mut Link {
        &mut self.part.links[self.local]
    }

    #[inline(always)]
    fn selected(&self) -> Option<&VehicleRecord> {
        let link = &self.part.links[self.local];
        if self.waits { link.waiting.front() } else { link.queue.front() }
    }

    #[inline(always)]
    fn kind(&self) -> Option<&VehicleKind> {
        self.selected().map(|vehicle| &self.part.ctx.kinds[vehicle.route.kind()])
    }

    #[inline(always)]
    fn take(&mut self) -> Option<VehicleRecord> {
        let passing = self.part.ctx.rules.passing;
        if self.waits { self.link().waiting.pop_front() } else { self.link().queue.pop(passing) }
    }
}

impl LinkView for LinkOnCpu<'_, '_> {
    #[inline(always)]
    fn refill_one_step(&mut self) {
        self.link().flow.refill_one_step();
    }

    #[inline(always)]
    fn begin_upstream_end(&mut self) {
        let Self { part, local, .. } = self;
        let link = &mut part.links[*local];
        let idle = link.is_idle();
        if usize::from(part.upstream_owner[*local]) != part.id {
            part.notify_upstream(*local, UpstreamMessage::Begin { idle });
        } else if let Some(holes) = &mut link.entry.upstream_end.holes {
            holes.begin_step(part.step, idle, part.now, &part.clock);
        }
    }

    #[inline(always)]
    fn select_driving(&mut self) -> bool {
        self.waits = false;
        !self.link().queue.is_empty()
    }

    #[inline(always)]
    fn select_waiting(&mut self) -> bool {
        self.waits = true;
        !self.link().waiting.is_empty()
    }

    #[inline(always)]
    fn exit_time(&self) -> f64 {
        self.selected().map_or(f64::INFINITY, |vehicle| vehicle.exit)
    }

    #[inline(always)]
    fn arrives(&self) -> bool {
        self.selected().is_some_and(|vehicle| vehicle.next == ARRIVE)
    }

    #[inline(always)]
    fn needs_no_capacity(&self) -> bool {
        self.kind().is_some_and(|kind| kind.pcu <= self.part.ctx.rules.easing)
    }

    #[inline(always)]
    fn has_capacity(&mut self) -> bool {
        let Some(&VehicleKind { pcu, .. }) = self.kind() else { return false };
        let (rules, now) = (&self.part.ctx.rules, self.part.now);
        let flow = &mut self.link().flow;
        if rules.links.fast_update {
            flow.refill_since_last(now, rules.step_s, NEGATIVE_ZERO);
        }
        flow.has_capacity(pcu, rules.easing)
    }

    #[inline(always)]
    fn leave_queue(&mut self) {
        if let Some(&VehicleKind { pcu, .. }) = self.kind() {
            self.part.free(self.local, pcu);
        }
    }

    fn enter_traffic(&mut self) {
        if !self.part.ctx.record {
            return;
        }
        if let Some(&VehicleRecord { person, element, vehicle: detail, .. }) = self.selected() {
            let (mode, link) = (self.part.mode_of(element), self.part.external(self.local));
            self.part.emit(Event { kind: EventKind::VehicleEntersTraffic, mode, person, link, detail });
        }
    }

    #[inline(always)]
    fn arrive(&mut self) {
        if let Some(moving) = self.take() {
            self.part.arrive(self.local, &moving);
        }
    }

    #[inline(always)]
    fn has_arrivals(&self) -> bool {
        false
    }

    fn join_front(&mut self) {
        let passing = self.part.ctx.rules.passing;
        if let Some(moving) = self.take() {
            self.link().queue.push_to_front(moving, passing);
        }
    }

    #[inline(always)]
    fn join_buffer(&mut self) {
        if let Some(moving) = self.take() {
            self.part.push_to_buffer(self.local, moving);
        }
    }

    fn stays_at_stop(&mut self) -> bool {
        let Some(&moving) = self.selected() else { return false };
        let Some(until) = self.part.serve_stops(self.local, &moving) else { return false };
        let waits = self.waits;
        let link = self.link();
        let selected = if waits { link.waiting.front_mut() } else { link.queue.front_mut() };
        if let Some(selected) = selected {
            selected.exit = until;
        }
        true
    }

    fn stop_is_blocking(&self) -> bool {
        self.selected().is_some_and(|moving| self.part.stop_is_blocking(moving))
    }

    fn join_stops(&mut self) {
        if let Some(moving) = self.take() {
            self.part.vehicles_at_stops.entry(self.local as u32).or_default().push(moving);
        }
    }

    fn leave_stops(&mut self) {
        let Self { part, local, .. } = self;
        let Some(at_stops) = part.vehicles_at_stops.get_mut(&(*local as u32)) else { return };
        let now = part.now;
        let mut leaving: Vec<VehicleRecord> = at_stops.extract_if(.., |moving| moving.exit <= now).collect();
        if at_stops.is_empty() {
            part.vehicles_at_stops.remove(&(*local as u32));
        }
        // The first to leave is the last to be put in front.
        let id = |moving: &VehicleRecord| part.ctx.scenario.vehicles.ids.name(moving.vehicle);
        leaving.sort_by(|a, b| b.exit.total_cmp(&a.exit).then_with(|| id(a).cmp(id(b))));
        let passing = part.ctx.rules.passing;
        for moving in leaving {
            part.links[*local].queue.push_to_front(moving, passing);
        }
    }

    fn is_due_with_stops(&mut self) -> bool {
        let at_stops = self.part.vehicles_at_stops.get(&(self.local as u32));
        let first = at_stops.and_then(|at_stops| at_stops.iter().map(|moving| moving.exit).reduce(f64::min));
        if let Some(first) = first {
            self.is_due_at(first);
        }
        first.is_some()
    }

    #[inline(always)]
    fn flow(&self) -> FlowCapacity {
        self.part.links[self.local].flow
    }

    #[inline(always)]
    fn is_due_soon(&mut self) {
        self.due = self.part.step + 1;
    }

    #[inline(always)]
    fn is_due_at(&mut self, time: f64) {
        self.due = self.due.min(self.part.clock.step_at(time).max(self.part.step + 1));
    }

    #[inline(always)]
    fn is_due_with_capacity(&mut self, flow: FlowCapacity) {
        if self.part.ctx.eager {
            return;
        }
        let skips = self.part.ctx.rules.links.fast_update && self.part.clock.is_exact();
        let step = self.part.step;
        let link = self.link();
        (link.flow_updates_skipped, link.flow_updated_to) = (skips, step);
        let wait = if skips { flow.steps_until_capacity(FLOW_HORIZON) } else { flow.grows().then_some(1) };
        self.due = wait.map_or(NEVER, |steps| step + i64::from(steps));
    }

    #[inline(always)]
    fn end_upstream_end(&mut self, idle: bool) {
        let Self { part, local, due, .. } = self;
        let link = &mut part.links[*local];
        link.active = !idle;
        if usize::from(part.upstream_owner[*local]) != part.id {
            part.notify_upstream(*local, UpstreamMessage::End { idle });
        } else if let Some(holes) = &mut link.entry.upstream_end.holes {
            holes.end_step(idle);
            link.active |= holes.is_active();
        }
        if part.ctx.eager {
            *due = if part.links[*local].active { part.step + 1 } else { NEVER };
        }
    }
}
