//! Network change events. They take effect at the start of the first step at or after their time.

use super::partition::Partition;
use crate::prepare::attributes::{Attributes, capacities};
use crate::rules::node_transition::was_closed;
use throng_traffic_scenario::{ChangeKind, NetworkChangeEvent};

impl Partition<'_> {
    /// Updates attributes, flow and storage capacities before a step. Every change refills the flow accumulator,
    /// whichever attribute it affects.
    pub fn change_links(&mut self) {
        if self.next_change().is_some_and(|time| time <= self.now) {
            self.apply_changes();
        }
    }

    #[cold]
    fn apply_changes(&mut self) {
        let rest = &self.ctx.scenario.change_events[self.changes_applied..];
        let due = rest.iter().take_while(|e| e.time_s <= self.now).count();
        let due = &rest[..due];
        self.changes_applied += due.len();
        for event in due {
            for &external in &event.links {
                self.change_link(external, event);
            }
        }
        for &external in due.iter().flat_map(|event| &event.links) {
            self.recompute_capacities(external);
        }
    }

    /// Returns the time of the next change, if any, seconds of the day.
    pub fn next_change(&self) -> Option<f64> {
        self.ctx.scenario.change_events.get(self.changes_applied).map(|e| e.time_s)
    }

    fn change_link(&mut self, external: u32, event: &NetworkChangeEvent) {
        let link = self.ctx.layout.link_of[external as usize];
        if let Some(local) = self.local(link) {
            let attributes = &mut self.attributes[local];
            attributes.change(event);
            let period = self.ctx.scenario.network.capacity_period_s;
            if event.kind == ChangeKind::FlowCapacity {
                self.in_links[local].capacity = attributes.flow_capacity_per_s * period;
                if was_closed(self.priority[local]) {
                    self.priority[local] = 1.0 / self.in_links[local].capacity;
                }
            }
            self.links[local].entry.freespeed_mps = attributes.freespeed_mps;
        }
        if let Some(ghost) = self.ghosts.get_mut(&link) {
            ghost.attributes.change(event);
            ghost.entry.freespeed_mps = ghost.attributes.freespeed_mps;
        }
    }

    fn recompute_capacities(&mut self, external: u32) {
        let link = self.ctx.layout.link_of[external as usize];
        let network = &self.ctx.scenario.network;
        let e = external as usize;
        let of = |attributes: &Attributes| {
            let (length, speed) = (network.length_m[e], network.freespeed_mps[e]);
            capacities(attributes, length, speed, network.cell_size_m, &self.ctx.rules)
        };
        if let Some(local) = self.local(link) {
            let caps = of(&self.attributes[local]);
            let kinds = &self.ctx.kinds;
            let state = &mut self.links[local];
            let buffered = state.buffer.iter().map(|v| kinds[v.route.kind()].consumption);
            state.flow.reset(caps.flow_per_step, buffered);
            // The reset includes all skipped updates.
            state.flow_updates_skipped = false;
            if let Some(holes) = &mut state.entry.upstream_end.holes {
                holes.catch_up(self.step - 1, &self.clock);
            }
            state.entry.upstream_end.reset(&caps);
            // The change has refilled the flow, so nothing else would wake an empty link under the slow update. MATSim
            // still steps the link once, and that step refills the inflow.
            if state.active || !state.is_idle() {
                self.wake(local, self.step);
            }
        }
        if let Some(ghost) = self.ghosts.get_mut(&link) {
            let caps = of(&ghost.attributes);
            if let Some(holes) = &mut ghost.entry.upstream_end.holes {
                holes.catch_up(self.step - 1, &self.clock);
            }
            ghost.entry.upstream_end.reset(&caps);
        }
    }
}
