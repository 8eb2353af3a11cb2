//! Allocates the arrays of a run on the device.

use throng_device::{Buffer, Device, DeviceError};

use super::kernels::TransitParameters;
use super::record::*;
use super::upload::{Agents, Source};
use super::upload_transit::TransitArrays;

/// All arrays except those that belong to one batch.
pub(super) struct Buffers {
    pub nodes: Buffer<u32>,
    pub node_active: Buffer<u32>,
    pub due: Buffer<u32>,
    pub departures: Buffer<u32>,
    pub links: Buffer<u32>,
    pub flows: Buffer<f64>,
    pub upstream_ends: Buffer<f64>,
    pub holes: Buffer<f64>,
    pub priorities: Buffer<f64>,
    pub travel_times: Buffer<f64>,
    pub kinds: Buffer<f64>,
    pub persons: Buffer<u32>,
    pub due_times: Buffer<f64>,
    pub ranks: Buffer<u32>,
    pub heap: Buffer<u32>,
    pub plans: Buffer<u32>,
    pub plan_times: Buffer<f64>,
    pub route_links: Buffer<u32>,
    pub vehicle_places: Buffer<u32>,
    pub transit_words: Buffer<u32>,
    pub transit_reals: Buffer<f64>,
    pub calendar: Buffer<u32>,
    pub calendar_slot_used: Buffer<u32>,
    pub hole_capacity: u32,
    pub transit: TransitParameters,
}

/// The arrays of one batch, and the volumes of the current time bin.
#[derive(Debug, Clone, Copy)]
pub(super) struct BatchBuffers<'a> {
    pub volumes: &'a Buffer<u32>,
    pub counters: &'a Buffer<u32>,
    pub events: &'a Buffer<u32>,
    pub errors: &'a Buffer<u32>,
}

impl Buffers {
    /// Maximum number of buffers of a kernel: the device state and two buffers of changes.
    pub const MAX_PER_KERNEL: u32 = 29;

    /// Allocates and fills all buffers, if the device has enough memory.
    /// `pools`: the factor of the sizes of pools.
    pub fn new(
        device: &Device,
        source: &Source<'_>,
        agents: &Agents,
        ranks: &[u32],
        pools: u32,
    ) -> Result<Self, DeviceError> {
        let Source { layout, config, .. } = source;
        let (nodes, links) = (layout.node_external.len(), layout.from.len());
        let flows = source.flows();
        let hole_capacity = source.hole_capacity(&flows, pools) as u32;
        let bytes = Self::bytes(source, hole_capacity, ranks.len()) + TransitArrays::bytes(source, pools);
        device.check_memory("the scenario", bytes)?;
        let (plans, plan_times) = source.plans();
        let transit = TransitArrays::new(source, pools);
        // The lists of stops and the number of entries of persons who found no place.
        let mut departures = vec![NONE; 2 * links + transit.parameters.stops as usize];
        departures.push(0);
        let heap_slots = if config.passing { ranks.len() * HEAP_SLOT_WORDS as usize } else { 0 };
        let holes = if config.dynamics.has_holes() { hole_capacity as usize } else { 0 };
        Ok(Self {
            nodes: device.upload("nodes", &source.nodes())?,
            node_active: device.upload("nodes", &vec![0; nodes])?,
            due: device.upload("links", &vec![NONE; links])?,
            departures: device.upload("links", &departures)?,
            links: device.upload("links", &source.links())?,
            flows: device.upload("links", &flows)?,
            upstream_ends: device.upload("holes and inflow", &source.upstream_ends())?,
            holes: device.empty("holes", HOLE_REALS as usize * holes)?,
            priorities: device.upload("priorities", &source.priorities())?,
            travel_times: device.upload("travel times", &source.travel_times())?,
            kinds: device.upload("vehicle types", &source.kinds())?,
            persons: device.upload("persons", &agents.words)?,
            due_times: device.upload("persons", &agents.due_times)?,
            ranks: device.upload("persons", ranks)?,
            heap: device.empty("passing queues", heap_slots)?,
            plans: device.upload("plans", &plans)?,
            plan_times: device.upload("plans", &plan_times)?,
            route_links: device.upload("routes", &source.route_links())?,
            vehicle_places: device.upload("vehicles", &source.vehicle_places())?,
            transit_words: device.upload("public transport", &transit.words)?,
            transit_reals: device.upload("public transport", &transit.reals)?,
            calendar: device.upload("calendar", &agents.calendar)?,
            calendar_slot_used: device.upload("calendar", &agents.calendar_slot_used)?,
            hole_capacity,
            transit: transit.parameters,
        })
    }

    /// Returns the number of bytes that a scenario needs on a device.
    fn bytes(source: &Source<'_>, hole_capacity: u32, persons: usize) -> u64 {
        let Source { layout, config, scenario, speeds, calendar, .. } = source;
        let elements = u64::from(scenario.population.first_element.last().copied().unwrap_or(0));
        let of_link = 4 * u64::from(LINK_WORDS) + 8 * u64::from(LINK_REALS) + 12 + 8 * speeds.limits.len() as u64;
        let of_upstream_end = if config.dynamics.has_holes() { 8 * u64::from(UPSTREAM_REALS) } else { 0 };
        let of_person =
            4 * u64::from(PERSON_WORDS) + 12 + if config.passing { 4 * u64::from(HEAP_SLOT_WORDS) } else { 0 };
        let of_element = 4 * u64::from(PLAN_WORDS) + 8 * u64::from(PLAN_REALS);
        8 * u64::from(HOLE_REALS) * u64::from(hole_capacity)
            + layout.from.len() as u64 * (of_link + of_upstream_end)
            + layout.node_external.len() as u64 * 20
            + persons as u64 * of_person
            + elements * of_element
            + 4 * (scenario.population.route_links.len() + scenario.vehicles.start_link.len()) as u64
            + 8 * u64::from(calendar.slots) * (u64::from(calendar.lists_per_slot) + 1)
    }
}
