//! The nodes with vehicles in the buffers of their in-links, collected by a prefix scan.

use throng_device::cubecl::prelude::*;
use throng_device::primitives::{Compacted, compact_indices};
use throng_device::{Buffer, Device, DeviceError, cubecl};

use super::OnDevice;
use super::fifo::{Fifo, count};
use super::kernels::Nodes;
use crate::strippgen::variant::Layout;

/// The memory for flags of nodes.
#[derive(Debug)]
pub(super) struct ActiveNodes {
    flags: Buffer<u32>,
}

impl ActiveNodes {
    pub(super) fn new(device: &Device, nodes: usize) -> Result<Self, DeviceError> {
        Ok(Self { flags: device.upload("active nodes", &vec![0u32; nodes.max(1)])? })
    }

    /// Buffers that no kernel uses.
    pub(super) fn none(&self) -> Compacted<u32> {
        Compacted { values: self.flags.clone(), count: self.flags.clone() }
    }
}

impl OnDevice<'_> {
    /// The active nodes, ascending: a kernel that flags them, and three that scan and compact the flags.
    pub(super) fn active_nodes(&self) -> Result<Compacted<u32>, DeviceError> {
        let (device, nodes) = (self.runs.device, self.runs.model.roads.nodes());
        let flags = &self.active.flags;
        device.launch("strippgen active nodes", nodes, |client, cubes, dim| {
            let (nodes, buffers, flags) = (self.nodes().arg(), self.buffers.arg(), flags.arg());
            let links = self.runs.model.roads.links() as u32;
            #[allow(unsafe_code)]
            // SAFETY: see `step`.
            unsafe {
                flag_nodes::launch_unchecked(client, cubes, dim, nodes, buffers, flags, links, self.variant.layout);
            }
        })?;
        compact_indices(device, flags, nodes)
    }
}

#[cube(launch_unchecked)]
fn flag_nodes(nodes: &Nodes, buffers: &Fifo, flags: &mut Array<u32>, links: u32, #[comptime] layout: Layout) {
    let node = ABSOLUTE_POS;
    if node + 1usize < nodes.first_in_link.len() {
        let mut active = 0u32;
        for i in nodes.first_in_link[node]..nodes.first_in_link[node + 1usize] {
            if count(buffers, nodes.in_links[i as usize], links, layout) > 0u32 {
                active = 1u32;
            }
        }
        flags[node] = active;
    }
}
