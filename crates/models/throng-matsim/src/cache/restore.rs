//! Converts columns back to a scenario.

use throng_core::{IdTable, InputError, Problems, Progress, Warnings};

use super::numbers::{any, below, end_time, index, index_or_none, not_negative, positive, positive_or_infinite, time};
use super::origin::{Origin, SourceFile};
use super::reader::Reader;
use super::transit::transit;
use super::turns::{Turns, route_blocks};
use crate::formats::value::quoted;
use crate::load::change_results;
use throng_traffic_scenario::settings::Settings;
use throng_traffic_scenario::{
    Activities, ChangeKind, ChangeValue, Doors, Facilities, Legs, Link, ModeId, ModeTable, Network, NetworkChangeEvent,
    Passengers, Population, RouteKind, Scenario, VehicleType, Vehicles,
};

/// Reads the scenario from the cache that `settings` name, and adds the warnings about the files it was created from.
///
/// # Errors
/// If the file cannot be read, is damaged, has another version, or was created with other settings or from other files
/// than those of the run.
pub fn read_cache(
    settings: Settings,
    warnings: &mut Warnings,
    progress: &dyn Progress,
) -> Result<Scenario, InputError> {
    let Some(path) = &settings.files.scenario_cache else {
        return Err(InputError::one("throng.scenarioCache", "no file is named", "Set it to a file."));
    };
    progress.begin(&format!("reading {}", path.display()), None, "");
    let cache = Reader::open(path)?;
    origin(&cache)?.check(&cache.file, &settings)?;
    let modes = modes(&cache)?;
    let network = network(&cache)?;
    let facilities = facilities(&cache, &network)?;
    let vehicles = vehicles(&cache, &network)?;
    let change_events = changes(&cache, &network)?;
    let sizes = Sizes {
        modes: modes.len(),
        links: network.links(),
        facilities: facilities.ids.len(),
        vehicles: vehicles.ids.len(),
    };
    let mut population = population(&cache, &sizes)?;
    routes(&cache, &network, &mut population)?;
    let transit = transit(&cache, &network, &mut population)?;
    check_drivers(&cache, &settings, &modes, &population)?;
    warnings.append(stored_warnings(&cache)?);
    progress.end();
    Ok(Scenario { settings, modes, network, population, vehicles, facilities, change_events, transit })
}

/// Lengths of the arrays that indices refer to.
struct Sizes {
    modes: usize,
    links: usize,
    facilities: usize,
    vehicles: usize,
}

fn origin(cache: &Reader) -> Result<Origin, InputError> {
    let parameters = cache.texts("origin.parameters")?;
    let values = texts_of(cache, "origin.values", parameters.len())?;
    let files = cache.texts("origin.files")?;
    let names = texts_of(cache, "origin.file_names", files.len())?;
    let bytes = cache.column_of("origin.file_bytes", files.len(), any::<u64>, "")?;
    let sums = cache.column_of("origin.file_sums", files.len(), any::<u64>, "")?;
    let settings = parameters.iter().zip(values.iter()).map(|(name, value)| (name.to_owned(), value.to_owned()));
    let file = |i: usize| SourceFile {
        parameter: files.name(i as u32).to_owned(),
        name: names.name(i as u32).to_owned(),
        bytes: bytes[i],
        sum: sums[i],
    };
    Ok(Origin { settings: settings.collect(), files: (0..files.len()).map(file).collect() })
}

fn stored_warnings(cache: &Reader) -> Result<Warnings, InputError> {
    let kinds = cache.texts("warnings.kinds")?;
    let examples = texts_of(cache, "warnings.examples", kinds.len())?;
    let notes = texts_of(cache, "warnings.notes", kinds.len())?;
    let counts = cache.column_of("warnings.counts", kinds.len(), any::<u64>, "")?;
    let mut warnings = Warnings::new();
    for (((kind, example), note), count) in kinds.iter().zip(examples.iter()).zip(notes.iter()).zip(counts) {
        if note.is_empty() {
            warnings.add_many(count, kind, || example.to_owned());
        } else {
            warnings.add_noted(count, kind, note);
        }
    }
    Ok(warnings)
}

fn modes(cache: &Reader) -> Result<ModeTable, InputError> {
    let mut modes = ModeTable::default();
    for (i, name) in cache.texts("modes")?.iter().enumerate() {
        if modes.intern(name) != Some(ModeId(i as u8)) {
            return Err(cache.damaged(format!("mode {} occurs twice, or is one too many", quoted(name))));
        }
    }
    Ok(modes)
}

fn network(cache: &Reader) -> Result<Network, InputError> {
    let sizes = cache.column_of("network.sizes", 3, |size: f64| !size.is_nan(), "expected a number")?;
    let [cell_size_m, lane_width_m, capacity_period_s] = [sizes[0], sizes[1], sizes[2]];
    if !(positive(cell_size_m) && positive(capacity_period_s)) {
        let what = format!("cells of {cell_size_m} m and capacities per {capacity_period_s} s are not possible");
        return Err(cache.damaged(what));
    }
    let node_ids = cache.texts("nodes.ids")?;
    let nodes = node_ids.len();
    let coordinate = |name| cache.column_of(name, nodes, f64::is_finite, "expected a coordinate");
    let link_ids = cache.texts("links.ids")?;
    let links = link_ids.len();
    let end = |name| cache.column_of(name, links, index(nodes), &below(nodes, "nodes"));
    let or_infinite = |name| cache.column_of(name, links, not_negative, "expected a number not below 0");
    let network = Network {
        name: cache.texts("network.name")?.iter().next().map(str::to_owned),
        coordinate_system: cache.texts("network.coordinate_system")?.iter().next().map(str::to_owned),
        cell_size_m,
        lane_width_m,
        capacity_period_s,
        node_x: coordinate("nodes.x")?,
        node_y: coordinate("nodes.y")?,
        from: end("links.from")?,
        to: end("links.to")?,
        length_m: cache.column_of(
            "links.length",
            links,
            |metres| Link::LENGTHS.holds(metres),
            "expected a finite number not below 0",
        )?,
        freespeed_mps: or_infinite("links.freespeed")?,
        capacity: or_infinite("links.capacity")?,
        lanes: or_infinite("links.lanes")?,
        modes: cache.column_of("links.modes", links, any::<u64>, "")?,
        node_ids,
        link_ids,
    };
    match (0..links).find(|&l| Link::is_too_slow(network.length_m[l], network.freespeed_mps[l])) {
        None => Ok(network),
        Some(l) => {
            let (metres, speed) = (network.length_m[l], network.freespeed_mps[l]);
            Err(cache.damaged(format!("link {l} takes too long: {metres} m at {speed} m/s")))
        }
    }
}

fn facilities(cache: &Reader, network: &Network) -> Result<Facilities, InputError> {
    let ids = cache.texts("facilities.ids")?;
    let (links, n) = (network.links(), ids.len());
    Ok(Facilities {
        coordinate_system: cache.texts("facilities.coordinate_system")?.iter().next().map(str::to_owned),
        link: cache.column_of("facilities.link", n, index_or_none(links), &below(links, "links"))?,
        x: cache.column_of("facilities.x", n, any::<f64>, "")?,
        y: cache.column_of("facilities.y", n, any::<f64>, "")?,
        ids,
    })
}

fn vehicles(cache: &Reader, network: &Network) -> Result<Vehicles, InputError> {
    let ids = cache.texts("vehicle_types.ids")?;
    let n = ids.len();
    if n > usize::from(u16::MAX) {
        return Err(cache.damaged(format!("there are {n} vehicle types, at most 65535 are possible")));
    }
    let network_modes = texts_of(cache, "vehicle_types.network_modes", n)?;
    let positives = |name| cache.column_of(name, n, positive, "expected a finite number above 0");
    let length = positives("vehicle_types.length")?;
    let width = cache.column_of("vehicle_types.width", n, not_negative, "expected a number not below 0")?;
    let speed = cache.column_of("vehicle_types.speed", n, positive_or_infinite, "expected a number above 0")?;
    let pcu = positives("vehicle_types.pcu")?;
    let flow_efficiency = positives("vehicle_types.flow_efficiency")?;
    let places = |name| cache.column_of(name, n, any::<u32>, "");
    let (seats, standing) = (places("vehicle_types.seats")?, places("vehicle_types.standing")?);
    let seconds = |name| cache.column_of(name, n, not_negative, "expected a number not below 0");
    let (access_s, egress_s) = (seconds("vehicle_types.access")?, seconds("vehicle_types.egress")?);
    let doors = cache.column_of("vehicle_types.doors", n, |doors: u8| doors < 2, "expected 0 or 1")?;
    let vehicle_type = |i: usize| VehicleType {
        id: ids.name(i as u32).to_owned(),
        length_m: length[i],
        width_m: width[i],
        maximum_velocity_mps: speed[i],
        pcu: pcu[i],
        flow_efficiency: flow_efficiency[i],
        network_mode: network_modes.name(i as u32).to_owned(),
        passengers: Passengers {
            seats: seats[i],
            standing: standing[i],
            access_s: access_s[i],
            egress_s: egress_s[i],
            doors: [Doors::Serial, Doors::Parallel][usize::from(doors[i])],
        },
    };
    let types = (0..n).map(vehicle_type).collect();
    let ids = cache.texts("vehicles.ids")?;
    let known_type = |t: u16| usize::from(t) < n;
    let links = network.links();
    Ok(Vehicles {
        types,
        type_of: cache.column_of("vehicles.type", ids.len(), known_type, &below(n, "vehicle types"))?,
        start_link: cache.column_of("vehicles.start_link", ids.len(), index_or_none(links), &below(links, "links"))?,
        ids,
    })
}

fn changes(cache: &Reader, network: &Network) -> Result<Vec<NetworkChangeEvent>, InputError> {
    let times = cache.column("changes.time", |t: f64| time(t) && !t.is_nan(), "expected a time of day, seconds")?;
    let n = times.len();
    if let Some(i) = (1..n).find(|&i| times[i] < times[i - 1]) {
        return Err(cache.damaged(format!("network change event {i} is earlier than the previous one")));
    }
    let kinds = cache.column_of("changes.kind", n, |kind: u8| kind < 3, "expected 0, 1 or 2")?;
    let value_kinds = cache.column_of("changes.value_kind", n, |kind: u8| kind < 3, "expected 0, 1 or 2")?;
    let values = cache.column_of("changes.value", n, f64::is_finite, "expected a finite number")?;
    let lens = cache.column_of("changes.links_len", n, any::<u32>, "")?;
    let links = cache.column("changes.links", index(network.links()), &below(network.links(), "links"))?;
    if lens.iter().map(|&len| u64::from(len)).sum::<u64>() != links.len() as u64 {
        return Err(cache.damaged(format!("the links of network change events do not add up to {}", links.len())));
    }
    let mut links = links.into_iter();
    let event = |i: usize| NetworkChangeEvent {
        time_s: times[i],
        links: links.by_ref().take(lens[i] as usize).collect(),
        kind: [ChangeKind::Freespeed, ChangeKind::FlowCapacity, ChangeKind::Lanes][usize::from(kinds[i])],
        value: [ChangeValue::Absolute, ChangeValue::Factor, ChangeValue::Offset][usize::from(value_kinds[i])](
            values[i],
        ),
    };
    let events: Vec<(u64, NetworkChangeEvent)> = (0..n).map(event).enumerate().map(|(i, e)| (i as u64, e)).collect();
    let mut problems = Problems::new();
    change_results::check(&events, &cache.file, network, &mut problems);
    problems.into_result()?;
    Ok(events.into_iter().map(|(_, event)| event).collect())
}

fn population(cache: &Reader, sizes: &Sizes) -> Result<Population, InputError> {
    let &Sizes { modes, links, facilities, vehicles } = sizes;
    let activity_types = cache.texts("activity_types")?;
    let person_ids = cache.texts("persons.ids")?;
    let plan_len = cache.column_of("persons.plan_len", person_ids.len(), any::<u32>, "")?;
    let is_leg = cache.column("plans.is_leg", |leg: u8| leg < 2, "expected 0 or 1")?;
    let mut population = Population::default();
    population.activity_types = activity_types;
    population.person_ids = person_ids;
    population.person_attributes = cache.texts("persons.attributes")?;
    let [activities, legs] = population
        .set_plans(&plan_len, &is_leg)
        .map_err(|error| cache.damaged(format!("{}: {}", error.place(), error.message())))?;
    let link = |name, len| cache.column_of(name, len, index_or_none(links), &below(links, "links"));

    let n = activities;
    let types = population.activity_types.len();
    population.activities = Activities {
        kind: cache.column_of("activities.type", n, index(types), &below(types, "types of activities"))?,
        link: link("activities.link", n)?,
        facility: cache.column_of(
            "activities.facility",
            n,
            index_or_none(facilities),
            &below(facilities, "facilities"),
        )?,
        x: cache.column_of("activities.x", n, any::<f64>, "")?,
        y: cache.column_of("activities.y", n, any::<f64>, "")?,
        end_time: cache.column_of("activities.end_time", n, end_time, "expected a time of day, seconds")?,
        max_duration: cache.column_of("activities.max_duration", n, time, "expected a duration, seconds")?,
    };
    let n = legs;
    let known = |mode: u8| usize::from(mode) < modes;
    let known_or_none = |mode: u8| usize::from(mode) < modes || ModeId(mode) == ModeId::NONE;
    let mode = cache.column_of("legs.mode", n, known, &below(modes, "modes"))?;
    let routing_mode = cache.column_of("legs.routing_mode", n, known_or_none, &below(modes, "modes"))?;
    let kinds = [RouteKind::Missing, RouteKind::Links, RouteKind::Generic, RouteKind::Transit];
    let route = cache.column_of("legs.route", n, |kind: u8| kind < 4, "expected 0, 1, 2 or 3")?;
    population.legs = Legs {
        mode: mode.into_iter().map(ModeId).collect(),
        routing_mode: routing_mode.into_iter().map(ModeId).collect(),
        route: route.into_iter().map(|kind| kinds[usize::from(kind)]).collect(),
        route_start: Vec::new(),
        route_len: cache.column_of("legs.route_len", n, any::<u32>, "")?,
        start_link: link("legs.start_link", n)?,
        end_link: link("legs.end_link", n)?,
        travel_time: cache.column_of("legs.travel_time", n, time, "expected a travel time, seconds")?,
        distance: cache.column_of("legs.distance", n, any::<f64>, "")?,
        vehicle: cache.column_of("legs.vehicle", n, index_or_none(vehicles), &below(vehicles, "vehicles"))?,
    };
    Ok(population)
}

fn routes(cache: &Reader, network: &Network, population: &mut Population) -> Result<(), InputError> {
    let Population { legs, route_links, .. } = population;
    let mut links = 0;
    legs.route_start = Vec::with_capacity(legs.route_len.len());
    for &len in &legs.route_len {
        // A leg without a route gets 0, as in the loader.
        legs.route_start.push(if len > 0 { links } else { 0 });
        links += u64::from(len);
    }
    // A link takes at least one byte, so the size of the file bounds the memory allocated below.
    let bytes = cache.raw_bytes("routes")?;
    if links > bytes {
        return Err(cache.damaged(format!("the routes of all legs have {links} links in {bytes} bytes")));
    }
    *route_links = vec![0; links as usize];
    let turns = Turns::new(network);
    let mut rest = &mut route_links[..];
    let mut parts = Vec::new();
    for block in route_blocks(&legs.route_len) {
        let (part, later) = rest.split_at_mut(block.links as usize);
        parts.push((block.legs, part));
        rest = later;
    }
    cache.take_blocks("routes", parts, |(range, mut part), mut bytes| {
        for leg in range {
            let (route, later) = part.split_at_mut(legs.route_len[leg] as usize);
            let rest = turns.decode(legs.start_link[leg], route, bytes);
            bytes = rest.ok_or_else(|| cache.damaged(format!("the route of leg {leg} is damaged")))?;
            part = later;
        }
        if bytes.is_empty() { Ok(()) } else { Err(cache.damaged("a block of routes is too long")) }
    })
}

/// Checks that every driver has a vehicle: the loader ensures it, and the executor relies on it.
fn check_drivers(
    cache: &Reader,
    settings: &Settings,
    modes: &ModeTable,
    population: &Population,
) -> Result<(), InputError> {
    let mut main = [false; 256];
    for mode in settings.qsim.main_modes.iter().filter_map(|name| modes.get(name)) {
        main[usize::from(mode.0)] = true;
    }
    let legs = &population.legs;
    let without = |leg: &usize| main[usize::from(legs.mode[*leg].0)] && legs.vehicle[*leg] == throng_core::NONE;
    match (0..legs.mode.len()).filter(|&leg| legs.route[leg] == RouteKind::Links).find(without) {
        None => Ok(()),
        Some(leg) => Err(cache.damaged(format!("leg {leg} is driven without a vehicle"))),
    }
}

fn texts_of(cache: &Reader, name: &str, len: usize) -> Result<IdTable, InputError> {
    let texts = cache.texts(name)?;
    if texts.len() == len {
        return Ok(texts);
    }
    Err(cache.damaged(format!("column {name} has {} strings where there should be {len}", texts.len())))
}
