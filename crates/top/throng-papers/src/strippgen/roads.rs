//! The network of the simple model: whole vehicles, whole seconds.

use super::rules::ONE_VEHICLE;
use throng_core::InputError;
use throng_traffic_scenario::Scenario;

/// Maximum number of vehicles on a link, far more than any street holds.
const MAX_SPACE: f64 = 1e6;
/// Maximum travel time in seconds, eleven days.
const MAX_TIME_S: f64 = 1e6;

/// A quantity of the scenario exceeds the range of the model's 32-bit indices.
pub(super) fn too_large(what: &str, found: u64, limit: u64) -> InputError {
    let message = format!("is too large for this model: {found} {what}, at most {limit} are possible");
    InputError::one("the scenario", message, "take a smaller scenario, or a smaller sample")
}

/// Links and nodes. All arrays are indexed by link, except the last two.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roads {
    /// Number of vehicles that fit on the link: `length * lanes / cell size`, rounded down, at least 1.
    pub space: Vec<u32>,
    /// Number of vehicles that fit into the buffer: the flow per step, rounded up.
    pub buffer: Vec<u32>,
    /// Flow per step in units of [`ONE_VEHICLE`].
    pub flow: Vec<u32>,
    /// Travel time, whole seconds: `length / speed`, rounded down.
    pub time_s: Vec<u32>,
    /// Start node.
    pub from: Vec<u32>,
    /// End node.
    pub to: Vec<u32>,
    /// Index of each node's first in-link in [`Roads::in_links`]; one entry more than nodes.
    pub first_in_link: Vec<u32>,
    /// The in-links of all nodes, by ascending index: the order in which `moveNode` serves them.
    pub in_links: Vec<u32>,
}

impl Roads {
    /// Builds the network of `scenario`, with its flow and storage capacity factors.
    ///
    /// # Errors
    /// If the number of links, or of slots on them, is too large for the 32-bit indices of a device.
    pub fn new(scenario: &Scenario) -> Result<Self, InputError> {
        let (network, qsim) = (&scenario.network, &scenario.settings.qsim);
        let mut roads = Self { from: network.from.clone(), to: network.to.clone(), ..Self::default() };
        // A device stores four words per link, and two per slot of a queue or buffer.
        let limit = u64::from(u32::MAX / 4);
        if network.links() as u64 > limit {
            return Err(too_large("links", network.links() as u64, limit));
        }
        let mut slots = [0u64; 2];
        for i in 0..network.links() {
            let vehicles = network.length_m[i] * network.lanes[i] / network.cell_size_m * qsim.storage_capacity_factor;
            let flow_per_s = network.capacity[i] / network.capacity_period_s * qsim.flow_capacity_factor;
            // The conversion turns NaN and negative numbers into 0.
            let space = (vehicles.min(MAX_SPACE) as u32).max(1);
            let flow = (flow_per_s * f64::from(ONE_VEHICLE)).round().min(f64::from(1u32 << 30)) as u32;
            roads.space.push(space);
            roads.flow.push(flow);
            roads.buffer.push(flow.div_ceil(ONE_VEHICLE).max(1));
            roads.time_s.push((network.length_m[i] / network.freespeed_mps[i]).min(MAX_TIME_S) as u32);
            slots[0] += u64::from(space);
            slots[1] += u64::from(roads.buffer[i]);
        }
        let limit = u64::from(u32::MAX / 2);
        let found = slots[0].max(slots[1]);
        if found > limit {
            return Err(too_large("slots for vehicles on links", found, limit));
        }
        roads.sort_by_end_node(network.nodes());
        Ok(roads)
    }

    /// Number of links.
    pub fn links(&self) -> usize {
        self.space.len()
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.first_in_link.len() - 1
    }

    /// The in-links of a node.
    pub fn in_links_of(&self, node: usize) -> &[u32] {
        &self.in_links[self.first_in_link[node] as usize..self.first_in_link[node + 1] as usize]
    }

    fn sort_by_end_node(&mut self, nodes: usize) {
        self.in_links = (0..self.to.len() as u32).collect();
        self.in_links.sort_by_key(|&link| self.to[link as usize]);
        self.first_in_link = vec![0; nodes + 1];
        for &node in &self.to {
            self.first_in_link[node as usize + 1] += 1;
        }
        for node in 0..nodes {
            self.first_in_link[node + 1] += self.first_in_link[node];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::{NetworkBuilder, ScenarioBuilder};

    #[test]
    fn whole_vehicles_and_whole_seconds() {
        let network = NetworkBuilder::new()
            .node("a", 0.0, 0.0)
            .node("b", 0.0, 0.0)
            .link("long", "a", "b", 100.0, 13.9, 600.0, 2.0)
            .link("short", "a", "b", 3.0, 10.0, 5400.0, 1.0)
            .link("back", "b", "a", 100.0, 10.0, 3600.0, 1.0)
            .build()
            .unwrap();
        let roads = Roads::new(&ScenarioBuilder::new(network).build().unwrap()).unwrap();
        assert_eq!(roads.space, [26, 1, 13]);
        assert_eq!(roads.time_s, [7, 0, 10]);
        assert_eq!(roads.flow, [ONE_VEHICLE / 6 + 1, ONE_VEHICLE * 3 / 2, ONE_VEHICLE]);
        assert_eq!(roads.buffer, [1, 2, 1]);
        assert_eq!((roads.in_links_of(0), roads.in_links_of(1)), (&[2][..], &[0, 1][..]));
    }
}
