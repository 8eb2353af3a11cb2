//! Network change events: the host tracks the attributes of links and sends the resulting values.

use throng_device::{Device, DeviceError};

use super::upload::Source;
use crate::prepare::attributes::Attributes;
use throng_traffic_scenario::{ChangeKind, NetworkChangeEvent};

/// The remaining change events, and the current attributes of the links.
pub(super) struct Changes<'a> {
    events: &'a [NetworkChangeEvent],
    attributes: Vec<Attributes>,
    /// Capacity of each link, as in the network file.
    capacity: Vec<f64>,
}

/// New values of the changed links.
pub(super) struct Changed {
    pub links: throng_device::Buffer<u32>,
    pub values: throng_device::Buffer<f64>,
    pub count: u32,
}

impl<'a> Changes<'a> {
    pub fn new(source: &Source<'a>) -> Self {
        let events = &source.scenario.get().change_events[..];
        let network = &source.scenario.get().network;
        let links = if events.is_empty() { 0 } else { network.links() };
        Self {
            events,
            attributes: (0..links).map(|link| Attributes::of(network, link)).collect(),
            capacity: network.capacity[..links].to_vec(),
        }
    }

    /// Returns the time of the next change, seconds of the day.
    pub fn next_time(&self) -> Option<f64> {
        self.events.first().map(|event| event.time_s)
    }

    /// Applies the changes up to `now`, seconds of the day; returns `None` if nothing changes.
    pub fn apply(&mut self, now: f64, source: &Source<'_>, device: &Device) -> Result<Option<Changed>, DeviceError> {
        let count = self.events.iter().take_while(|event| event.time_s <= now).count();
        let (due, later) = self.events.split_at(count);
        self.events = later;
        let mut links = Vec::new();
        for event in due {
            for &link in &event.links {
                let l = link as usize;
                self.attributes[l].change(event);
                if event.kind == ChangeKind::FlowCapacity {
                    self.capacity[l] =
                        self.attributes[l].flow_capacity_per_s * source.scenario.network.capacity_period_s;
                }
                links.push(link);
            }
        }
        links.sort_unstable();
        links.dedup();
        if links.is_empty() {
            return Ok(None);
        }
        let mut values = Vec::new();
        for &link in &links {
            let l = link as usize;
            let attributes = &self.attributes[l];
            let capacities = source.capacities(source.layout.link_of[l], attributes);
            let capacity = self.capacity[l];
            values.extend([
                capacities.flow_per_step,
                capacities.storage,
                capacity,
                1.0 / capacity,
                capacities.max_inflow,
            ]);
            let length = source.scenario.network.length_m[l];
            values.extend(source.speeds.travel_times(length, attributes.freespeed_mps, source.rules.step_s));
        }
        let internal: Vec<u32> = links.iter().map(|&link| source.layout.link_of[link as usize]).collect();
        Ok(Some(Changed {
            links: device.upload("changed links", &internal)?,
            values: device.upload("changed links", &values)?,
            count: links.len() as u32,
        }))
    }
}
