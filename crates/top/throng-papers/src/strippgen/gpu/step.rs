//! The launches of a step, without checks of indices, as those of the full model: the two are compared with each other.
//! Debug builds, and so the tests, check all the same.

use throng_device::DeviceError;

use super::{OnDevice, kernels};
use crate::strippgen::variant::Variant;

/// SAFETY of all launches, for a model from [`Model::new`](super::Model::new) and a state that
/// [`State::check`](super::State::check) has found to be one of it:
///
/// - A thread leaves when its agent, link or node is not below their number.
/// - Links in plans and lists of in-links are below the number of links (`Plans::sample` takes only routes over links
///   that are there, `Roads::new` lists each link once), and every array over links has an entry for each.
/// - A position is in the plan of its agent. It advances from an activity that ends to the link after it, and from a link to
///   what comes after it; a plan ends with an activity that does not end. So what comes next is always there.
/// - Only a vehicle that goes on to a link is in a buffer.
/// - A list has its slots to itself, and holds no more vehicles than slots: each kernel looks for room before it adds.
/// - `Roads::new` and `Plans::sample` refuse what would need numbers of more than 32 bits.
/// - Each turn of a loop takes a vehicle out of a list or ends it.
impl OnDevice<'_> {
    /// Makes the step `now`.
    pub(super) fn step(&self, now: u32) -> Result<(), DeviceError> {
        self.activities(now)?;
        self.move_link(now)?;
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
            let (records, claims, count) = (self.agents(), self.claims.arg(), agents as u32);
            // SAFETY: see above.
            unsafe {
                kernels::activities::launch_unchecked(client, cubes, dim, records, claims, count, now, layout);
            };
        })
    }

    #[allow(unsafe_code)]
    fn move_link(&self, now: u32) -> Result<(), DeviceError> {
        let (links, layout) = (self.runs.model.roads.links(), self.variant.layout);
        self.runs.device.launch("strippgen moveLink", links, |client, cubes, dim| {
            let (roads, traffic, offers) = (self.links(), self.traffic(), self.offers());
            // SAFETY: see above.
            unsafe {
                kernels::move_link::launch_unchecked(client, cubes, dim, roads, traffic, offers, now, layout);
            };
        })
    }

    #[allow(unsafe_code)]
    fn move_node(&self, now: u32) -> Result<(), DeviceError> {
        let Variant { layout, indices_first, .. } = self.variant;
        self.runs.device.launch("strippgen moveNode", self.runs.model.roads.nodes(), |client, cubes, dim| {
            let (roads, nodes, traffic, sources) = (self.links(), self.nodes(), self.traffic(), self.sources.arg());
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
                    now,
                    layout,
                    indices_first,
                );
            };
        })
    }

    #[allow(unsafe_code)]
    fn move_buffer(&self, now: u32) -> Result<(), DeviceError> {
        let Variant { layout, indices_first, .. } = self.variant;
        self.runs.device.launch("strippgen moveBuffer", self.runs.model.roads.links(), |client, cubes, dim| {
            let (roads, queues, buffers) = (self.links(), self.queues.shared(), self.buffers.arg());
            let (agents, sources) = (self.agents(), self.sources.arg());
            // SAFETY: see above. Of threads that compete for the places of a link each gets another one.
            unsafe {
                kernels::move_buffer::launch_unchecked(
                    client,
                    cubes,
                    dim,
                    roads,
                    queues,
                    buffers,
                    agents,
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
            let (roads, traffic, sources) = (self.links(), self.traffic(), self.sources.arg());
            // SAFETY: see above. A source is the slot of a buffer, noted in this step.
            unsafe {
                kernels::move_vehicles::launch_unchecked(client, cubes, dim, roads, traffic, sources, now, layout);
            };
        })
    }
}
