//! The launches of a step. Like the launches of the full model, they do not check indices, to keep the two comparable.
//! Debug builds, and thus the tests, do check.

use throng_device::DeviceError;

use super::{DeviceRuns, OnDevice, calendar, kernels};
use crate::strippgen::technique::Technique;
use crate::strippgen::variant::Variant;

/// SAFETY of all launches, for a model from [`Model::new`](super::Model::new) and a state that
/// [`State::check`](super::State::check) has accepted:
///
/// - A thread returns if the index of its agent, link or node is out of range.
/// - Links in plans and lists of in-links are valid indices (`Plans::sample` takes only routes over existing links,
///   `Roads::new` lists each link once), and every array indexed by link has an entry for each.
/// - A position is in the plan of its agent. It advances from an activity that ends to the link after it, and from a
///   link to the entry after it; a plan ends with an activity that does not end. So there is always a next entry.
/// - A buffer only contains vehicles that continue to a link.
/// - A list owns its slots, and has at most as many vehicles as slots: each kernel checks for room before it adds one.
/// - `Roads::new` and `Plans::sample` reject input that would need more than 32 bits.
/// - Each iteration of a loop removes a vehicle from a list or ends the loop.
impl OnDevice<'_> {
    /// Makes the step `now`, which is the step `number` of the run, counted from 1.
    pub(super) fn step(&self, number: u32, now: u32) -> Result<(), DeviceError> {
        if self.technique == Some(Technique::Calendar) {
            let DeviceRuns { device, buckets, .. } = self.runs;
            calendar::launch_due(device, buckets, &self.agents(), &self.due, &self.claims, (number, now))?;
        } else {
            self.activities(now)?;
        }
        self.move_link(number, now)?;
        if self.variant.nodes {
            self.move_node(now)?;
        } else {
            self.move_buffer(now)?;
        }
        if self.variant.indices_first { self.move_vehicles(now) } else { Ok(()) }
    }

    #[allow(unsafe_code)]
    fn activities(&self, now: u32) -> Result<(), DeviceError> {
        let (agents, layout) = (self.runs.model.plans.agents(), self.variant.layout);
        self.runs.device.launch("strippgen activities", agents, |client, cubes, dim| {
            let (records, claims, count) = (self.agents().arg(), self.claims.arg(), agents as u32);
            // SAFETY: see above.
            unsafe {
                kernels::activities::launch_unchecked(client, cubes, dim, records, claims, count, now, layout);
            };
        })
    }

    #[allow(unsafe_code)]
    fn move_link(&self, number: u32, now: u32) -> Result<(), DeviceError> {
        let (links, layout) = (self.runs.model.roads.links(), self.variant.layout);
        let calendar = self.technique == Some(Technique::Calendar);
        self.runs.device.launch("strippgen moveLink", links, |client, cubes, dim| {
            let (roads, traffic, offers) = (self.links().arg(), self.traffic().arg(), self.offers().arg());
            // SAFETY: see above.
            unsafe {
                kernels::move_link::launch_unchecked(
                    client,
                    cubes,
                    dim,
                    roads,
                    traffic,
                    offers,
                    self.due.arg(),
                    number,
                    now,
                    layout,
                    calendar,
                );
            };
        })
    }

    #[allow(unsafe_code)]
    fn move_node(&self, now: u32) -> Result<(), DeviceError> {
        let Variant { layout, indices_first, .. } = self.variant;
        let compacted = self.technique == Some(Technique::ActiveNodes);
        let active = if compacted { self.active_nodes()? } else { self.active.none() };
        self.runs.device.launch("strippgen moveNode", self.runs.model.roads.nodes(), |client, cubes, dim| {
            let (roads, nodes, traffic, sources) =
                (self.links().arg(), self.nodes().arg(), self.traffic().arg(), self.sources.arg());
            // SAFETY: see above.
            unsafe {
                kernels::move_node::launch_unchecked(
                    client,
                    cubes,
                    dim,
                    roads,
                    nodes,
                    traffic,
                    sources,
                    active.values.arg(),
                    active.count.arg(),
                    now,
                    layout,
                    indices_first,
                    compacted,
                );
            };
        })
    }

    #[allow(unsafe_code)]
    fn move_buffer(&self, now: u32) -> Result<(), DeviceError> {
        let Variant { layout, indices_first, .. } = self.variant;
        self.runs.device.launch("strippgen moveBuffer", self.runs.model.roads.links(), |client, cubes, dim| {
            let (roads, traffic, sources) = (self.links().arg(), self.shared_traffic().arg(), self.sources.arg());
            // SAFETY: see above. Threads that compete for the slots of a link each get a different one.
            unsafe {
                kernels::move_buffer::launch_unchecked(
                    client,
                    cubes,
                    dim,
                    roads,
                    traffic,
                    sources,
                    now,
                    layout,
                    indices_first,
                );
            };
        })
    }

    #[allow(unsafe_code)]
    fn move_vehicles(&self, now: u32) -> Result<(), DeviceError> {
        let (links, layout) = (self.runs.model.roads.links(), self.variant.layout);
        self.runs.device.launch("strippgen move vehicles", links, |client, cubes, dim| {
            let (roads, traffic, sources) = (self.links().arg(), self.traffic().arg(), self.sources.arg());
            // SAFETY: see above. A source is the slot of a buffer, recorded in this step.
            unsafe {
                kernels::move_vehicles::launch_unchecked(client, cubes, dim, roads, traffic, sources, now, layout);
            };
        })
    }
}
