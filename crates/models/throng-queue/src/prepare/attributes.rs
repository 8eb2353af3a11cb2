//! Current link attributes, which network change events may modify, and the capacities derived from them.

use super::rules::Rules;
use crate::rules::storage_capacity::{LinkCapacities, LinkGeometry, link_capacities};
use throng_traffic_scenario::{ChangeKind, Network, NetworkChangeEvent};

/// The attributes of a link that may change during the day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Attributes {
    pub freespeed_mps: f64,
    pub flow_capacity_per_s: f64,
    pub lanes: f64,
}

/// Computes capacities from the current attributes. As in MATSim, the free speed at time 0 is used.
pub(crate) fn capacities(
    attributes: &Attributes,
    length_m: f64,
    freespeed_at_0: f64,
    cell_size_m: f64,
    rules: &Rules,
) -> LinkCapacities {
    link_capacities(
        &LinkGeometry {
            length_m,
            freespeed_mps: freespeed_at_0,
            lanes: attributes.lanes,
            flow_capacity_per_s: attributes.flow_capacity_per_s,
            cell_size_m,
        },
        &rules.capacities,
    )
}

impl Attributes {
    /// Returns the attributes in the network file.
    pub fn of(network: &Network, link: usize) -> Self {
        Self {
            freespeed_mps: network.freespeed_mps[link],
            flow_capacity_per_s: network.capacity[link] / network.capacity_period_s,
            lanes: network.lanes[link],
        }
    }

    /// Applies a change event.
    pub fn change(&mut self, event: &NetworkChangeEvent) {
        let value = match event.kind {
            ChangeKind::Freespeed => &mut self.freespeed_mps,
            ChangeKind::FlowCapacity => &mut self.flow_capacity_per_s,
            ChangeKind::Lanes => &mut self.lanes,
        };
        *value = event.value.applied_to(*value);
    }
}
