//! Converts a scenario to columns.

use std::path::Path;

use throng_core::{IdTable, Warnings};
use throng_output::{OutputError, PendingFile, WrittenFile};

use super::origin::Origin;
use super::transit::put_transit;
use super::turns::{RouteBlock, Turns, route_blocks};
use super::writer::Writer;
use throng_traffic_scenario::{
    ChangeKind, ChangeValue, Doors, Facilities, ModeTable, Network, NetworkChangeEvent, Population, RouteKind,
    Scenario, Vehicles,
};

/// Writes `scenario` without its settings, and the `warnings` about its files, to `file`, which gets its final name
/// once it is complete.
/// [`read_cache`](super::read_cache) rejects the cache if the run's origin differs from `origin`.
///
/// Routes are stored in the order of the legs, so their offsets in `route_links` may change.
///
/// # Errors
/// If the file cannot be written; no file is left behind.
pub fn write_cache(
    scenario: &Scenario,
    origin: &Origin,
    warnings: &Warnings,
    file: PendingFile,
) -> Result<WrittenFile, OutputError> {
    let Scenario { settings: _, modes, network, population, vehicles, facilities, change_events, transit } = scenario;
    let mut out = Writer::create(file)?;
    put_origin(&mut out, origin)?;
    put_warnings(&mut out, warnings)?;
    put_modes(&mut out, modes)?;
    put_network(&mut out, network)?;
    put_facilities(&mut out, facilities)?;
    put_vehicles(&mut out, vehicles)?;
    put_changes(&mut out, change_events)?;
    put_population(&mut out, population)?;
    put_routes(&mut out, network, population)?;
    put_transit(&mut out, transit, population)?;
    out.finish()
}

fn put_origin(out: &mut Writer, origin: &Origin) -> Result<(), OutputError> {
    let Origin { settings, files } = origin;
    list(out, "origin.parameters", settings.iter().map(|(name, _)| name.as_str()))?;
    list(out, "origin.values", settings.iter().map(|(_, value)| value.as_str()))?;
    list(out, "origin.files", files.iter().map(|file| file.parameter.as_str()))?;
    list(out, "origin.file_names", files.iter().map(|file| file.name.as_str()))?;
    out.computed_column("origin.file_bytes", files.len(), |i| files[i].bytes)?;
    out.computed_column("origin.file_sums", files.len(), |i| files[i].sum)
}

fn put_warnings(out: &mut Writer, warnings: &Warnings) -> Result<(), OutputError> {
    let counts: Vec<u64> = warnings.iter().map(|(_, warning)| warning.count).collect();
    list(out, "warnings.kinds", warnings.iter().map(|(kind, _)| kind))?;
    list(out, "warnings.examples", warnings.iter().map(|(_, warning)| warning.example.as_str()))?;
    list(out, "warnings.notes", warnings.iter().map(|(_, warning)| warning.note.as_str()))?;
    out.column("warnings.counts", &counts)
}

fn put_modes(out: &mut Writer, modes: &ModeTable) -> Result<(), OutputError> {
    list(out, "modes", modes.names())
}

fn put_network(out: &mut Writer, network: &Network) -> Result<(), OutputError> {
    let Network {
        name,
        coordinate_system,
        cell_size_m,
        lane_width_m,
        capacity_period_s,
        node_ids,
        node_x,
        node_y,
        link_ids,
        from,
        to,
        length_m,
        freespeed_mps,
        capacity,
        lanes,
        modes,
    } = network;
    list(out, "network.name", name.as_deref())?;
    list(out, "network.coordinate_system", coordinate_system.as_deref())?;
    out.column("network.sizes", &[*cell_size_m, *lane_width_m, *capacity_period_s])?;
    out.texts("nodes.ids", node_ids)?;
    out.column("nodes.x", node_x)?;
    out.column("nodes.y", node_y)?;
    out.texts("links.ids", link_ids)?;
    out.column("links.from", from)?;
    out.column("links.to", to)?;
    out.column("links.length", length_m)?;
    out.column("links.freespeed", freespeed_mps)?;
    out.column("links.capacity", capacity)?;
    out.column("links.lanes", lanes)?;
    out.column("links.modes", modes)
}

fn put_facilities(out: &mut Writer, facilities: &Facilities) -> Result<(), OutputError> {
    let Facilities { coordinate_system, ids, link, x, y } = facilities;
    list(out, "facilities.coordinate_system", coordinate_system.as_deref())?;
    out.texts("facilities.ids", ids)?;
    out.column("facilities.link", link)?;
    out.column("facilities.x", x)?;
    out.column("facilities.y", y)
}

fn put_vehicles(out: &mut Writer, vehicles: &Vehicles) -> Result<(), OutputError> {
    let Vehicles { types, ids, type_of, start_link } = vehicles;
    list(out, "vehicle_types.ids", types.iter().map(|t| t.id.as_str()))?;
    list(out, "vehicle_types.network_modes", types.iter().map(|t| t.network_mode.as_str()))?;
    out.computed_column("vehicle_types.length", types.len(), |i| types[i].length_m)?;
    out.computed_column("vehicle_types.width", types.len(), |i| types[i].width_m)?;
    out.computed_column("vehicle_types.speed", types.len(), |i| types[i].maximum_velocity_mps)?;
    out.computed_column("vehicle_types.pcu", types.len(), |i| types[i].pcu)?;
    out.computed_column("vehicle_types.flow_efficiency", types.len(), |i| types[i].flow_efficiency)?;
    let passengers = |i: usize| types[i].passengers;
    out.computed_column("vehicle_types.seats", types.len(), |i| passengers(i).seats)?;
    out.computed_column("vehicle_types.standing", types.len(), |i| passengers(i).standing)?;
    out.computed_column("vehicle_types.access", types.len(), |i| passengers(i).access_s)?;
    out.computed_column("vehicle_types.egress", types.len(), |i| passengers(i).egress_s)?;
    out.computed_column("vehicle_types.doors", types.len(), |i| match passengers(i).doors {
        Doors::Serial => 0u8,
        Doors::Parallel => 1,
    })?;
    out.texts("vehicles.ids", ids)?;
    out.column("vehicles.type", type_of)?;
    out.column("vehicles.start_link", start_link)
}

fn put_changes(out: &mut Writer, changes: &[NetworkChangeEvent]) -> Result<(), OutputError> {
    let kind = |kind| match kind {
        ChangeKind::Freespeed => 0u8,
        ChangeKind::FlowCapacity => 1,
        ChangeKind::Lanes => 2,
    };
    let value = |value| match value {
        ChangeValue::Absolute(value) => (0u8, value),
        ChangeValue::Factor(value) => (1, value),
        ChangeValue::Offset(value) => (2, value),
    };
    let links: Vec<u32> = changes.iter().flat_map(|change| change.links.iter().copied()).collect();
    out.computed_column("changes.time", changes.len(), |i| changes[i].time_s)?;
    out.computed_column("changes.kind", changes.len(), |i| kind(changes[i].kind))?;
    out.computed_column("changes.value_kind", changes.len(), |i| value(changes[i].value).0)?;
    out.computed_column("changes.value", changes.len(), |i| value(changes[i].value).1)?;
    out.computed_column("changes.links_len", changes.len(), |i| changes[i].links.len() as u32)?;
    out.column("changes.links", &links)
}

fn put_population(out: &mut Writer, population: &Population) -> Result<(), OutputError> {
    let (a, l) = (&population.activities, &population.legs);
    out.texts("activity_types", &population.activity_types)?;
    out.texts("persons.ids", &population.person_ids)?;
    out.texts("persons.attributes", &population.person_attributes)?;
    out.computed_column("persons.plan_len", population.persons(), |person| {
        population.plan_range(person as u32).len() as u32
    })?;
    out.computed_column("plans.is_leg", population.elements(), |element| u8::from(population.is_leg(element as u32)))?;
    out.column("activities.type", &a.kind)?;
    out.column("activities.link", &a.link)?;
    out.column("activities.facility", &a.facility)?;
    out.column("activities.x", &a.x)?;
    out.column("activities.y", &a.y)?;
    out.column("activities.end_time", &a.end_time)?;
    out.column("activities.max_duration", &a.max_duration)?;
    out.computed_column("legs.mode", l.mode.len(), |leg| l.mode[leg].0)?;
    out.computed_column("legs.routing_mode", l.mode.len(), |leg| l.routing_mode[leg].0)?;
    out.computed_column("legs.route", l.mode.len(), |leg| match l.route[leg] {
        RouteKind::Missing => 0u8,
        RouteKind::Links => 1,
        RouteKind::Generic => 2,
        RouteKind::Transit => 3,
    })?;
    out.column("legs.route_len", &l.route_len)?;
    out.column("legs.start_link", &l.start_link)?;
    out.column("legs.end_link", &l.end_link)?;
    out.column("legs.travel_time", &l.travel_time)?;
    out.column("legs.distance", &l.distance)?;
    out.column("legs.vehicle", &l.vehicle)
}

fn put_routes(out: &mut Writer, network: &Network, population: &Population) -> Result<(), OutputError> {
    let turns = Turns::new(network);
    let blocks = route_blocks(&population.legs.route_len);
    let links = blocks.iter().map(|block| block.links).sum();
    out.blocks("routes", links, blocks.len(), |block, bytes| {
        let RouteBlock { legs, .. } = &blocks[block];
        for leg in legs.clone() {
            turns.encode(population.legs.start_link[leg], population.route(leg as u32), bytes);
        }
    })
}

/// Writes a list of strings, which may contain duplicates.
pub(super) fn list<'t>(
    out: &mut Writer,
    name: &str,
    texts: impl IntoIterator<Item = &'t str>,
) -> Result<(), OutputError> {
    let (mut text, mut ends) = (String::new(), Vec::new());
    for item in texts {
        text.push_str(item);
        ends.push(text.len() as u32);
    }
    let table = IdTable::from_parts(text, ends);
    // Ids of types and modes come from an `IdTable`; names and values come from a config.
    let table = table.map_err(|e| OutputError::io("format", Path::new(name), std::io::Error::other(e.to_string())))?;
    out.texts(name, &table)
}
