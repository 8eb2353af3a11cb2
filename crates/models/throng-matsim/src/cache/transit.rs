//! The columns of scheduled public transport.

use throng_core::InputError;
use throng_output::OutputError;

use super::numbers::{any, below, index, index_or_none, time};
use super::reader::Reader;
use super::store::list;
use super::writer::Writer;
use throng_traffic_scenario::{Departures, DriverLeg, Network, Population, Ride, RouteKind, Routes, Stops, Transit};

/// Writes stops, lines, routes, departures, the legs of drivers, and the rides in the order of legs.
pub(super) fn put_transit(out: &mut Writer, transit: &Transit, population: &Population) -> Result<(), OutputError> {
    let Transit { stops, lines, routes, departures, first_driver, first_driver_leg, driver_legs, rides } = transit;
    let Stops { ids, link, is_blocking } = stops;
    out.texts("stops.ids", ids)?;
    out.column("stops.link", link)?;
    out.computed_column("stops.is_blocking", is_blocking.len(), |stop| u8::from(is_blocking[stop]))?;
    out.texts("lines.ids", lines)?;
    let Routes { ids, line, first_call, stop, arrival_offset_s, departure_offset_s, awaits_departure } = routes;
    list(out, "transit_routes.ids", ids.iter().map(String::as_str))?;
    out.column("transit_routes.line", line)?;
    out.computed_column("transit_routes.calls", ids.len(), |route| first_call[route + 1] - first_call[route])?;
    out.column("calls.stop", stop)?;
    out.column("calls.arrival_offset", arrival_offset_s)?;
    out.column("calls.departure_offset", departure_offset_s)?;
    out.computed_column("calls.awaits_departure", stop.len(), |call| u8::from(awaits_departure[call]))?;
    let Departures { ids, time_s } = departures;
    list(out, "departures.ids", ids.iter().map(String::as_str))?;
    out.column("departures.time", time_s)?;
    out.column("drivers.first", &[*first_driver, *first_driver_leg])?;
    out.computed_column("drivers.route", driver_legs.len(), |leg| driver_legs[leg].route)?;
    out.computed_column("drivers.departure", driver_legs.len(), |leg| driver_legs[leg].departure)?;
    let legs = &population.legs;
    let of_legs = (0..legs.mode.len()).filter(|&leg| legs.route[leg] == RouteKind::Transit);
    let in_order: Vec<Ride> = of_legs.map(|leg| rides[legs.route_start[leg] as usize]).collect();
    out.computed_column("rides.line", in_order.len(), |ride| in_order[ride].line)?;
    out.computed_column("rides.access_stop", in_order.len(), |ride| in_order[ride].access_stop)?;
    out.computed_column("rides.egress_stop", in_order.len(), |ride| in_order[ride].egress_stop)?;
    out.computed_column("rides.route", in_order.len(), |ride| in_order[ride].route)
}

/// Reads public transport, and sets the rides of the legs.
pub(super) fn transit(cache: &Reader, network: &Network, population: &mut Population) -> Result<Transit, InputError> {
    let flag = |value: u8| value < 2;
    let links = network.links();
    let ids = cache.texts("stops.ids")?;
    let stops = Stops {
        link: cache.column_of("stops.link", ids.len(), index_or_none(links), &below(links, "links"))?,
        is_blocking: cache
            .column_of("stops.is_blocking", ids.len(), flag, "expected 0 or 1")?
            .into_iter()
            .map(|is_blocking| is_blocking == 1)
            .collect(),
        ids,
    };
    let lines = cache.texts("lines.ids")?;
    let routes = routes(cache, &stops, lines.len())?;
    let departure_ids = cache.texts("departures.ids")?;
    let departures = Departures {
        ids: departure_ids.iter().map(str::to_owned).collect(),
        time_s: cache.column_of(
            "departures.time",
            departure_ids.len(),
            |begins: f64| !begins.is_nan() && time(begins),
            "expected a time of day, seconds",
        )?,
    };
    let route_or_none =
        |name, len| cache.column_of(name, len, index_or_none(routes.len()), &below(routes.len(), "routes"));

    let of_driver = cache.column("drivers.route", index_or_none(routes.len()), &below(routes.len(), "routes"))?;
    let departing = departures.ids.len();
    let expected = below(departing, "departures");
    let departure = cache.column_of("drivers.departure", of_driver.len(), index_or_none(departing), &expected)?;
    let first = cache.column_of("drivers.first", 2, any::<u32>, "")?;
    let (first_driver, first_driver_leg) = (first[0], first[1]);
    let legs = &mut population.legs;
    let driver_legs: Vec<DriverLeg> =
        of_driver.into_iter().zip(departure).map(|(route, departure)| DriverLeg { route, departure }).collect();
    if !driver_legs.is_empty() && first_driver_leg as usize + driver_legs.len() != legs.mode.len() {
        let (drivers, all) = (driver_legs.len(), legs.mode.len());
        return Err(cache.damaged(format!(
            "legs of drivers begin with leg {first_driver_leg}, and there are {drivers} of them, but {all} legs"
        )));
    }
    let of_legs: Vec<usize> = (0..legs.mode.len()).filter(|&leg| legs.route[leg] == RouteKind::Transit).collect();
    let n = of_legs.len();
    let line = cache.column_of("rides.line", n, index(lines.len()), &below(lines.len(), "lines"))?;
    let stop = |name| cache.column_of(name, n, index(stops.ids.len()), &below(stops.ids.len(), "stops"));
    let (access_stop, egress_stop) = (stop("rides.access_stop")?, stop("rides.egress_stop")?);
    let route = route_or_none("rides.route", n)?;
    let ride =
        |i: usize| Ride { line: line[i], access_stop: access_stop[i], egress_stop: egress_stop[i], route: route[i] };
    let rides = (0..n).map(ride).collect();
    for (ride, leg) in of_legs.into_iter().enumerate() {
        legs.route_start[leg] = ride as u64;
    }
    Ok(Transit { stops, lines, routes, departures, first_driver, first_driver_leg, driver_legs, rides })
}

fn routes(cache: &Reader, stops: &Stops, lines: usize) -> Result<Routes, InputError> {
    let ids = cache.texts("transit_routes.ids")?;
    let stop = cache.column("calls.stop", index(stops.ids.len()), &below(stops.ids.len(), "stops"))?;
    let calls = cache.column_of("transit_routes.calls", ids.len(), any::<u32>, "")?;
    if calls.iter().map(|&calls| u64::from(calls)).sum::<u64>() != stop.len() as u64 {
        return Err(cache.damaged(format!("the calls of all routes do not add up to {}", stop.len())));
    }
    let mut first_call = vec![0];
    for calls in calls {
        first_call.push(first_call[first_call.len() - 1] + calls);
    }
    let offset = |name| cache.column_of(name, stop.len(), time, "expected an offset, seconds");
    let awaits = cache.column_of("calls.awaits_departure", stop.len(), |value: u8| value < 2, "expected 0 or 1")?;
    Ok(Routes {
        line: cache.column_of("transit_routes.line", ids.len(), index(lines), &below(lines, "lines"))?,
        // Without public transport, the column is empty.
        first_call: if ids.is_empty() { Vec::new() } else { first_call },
        arrival_offset_s: offset("calls.arrival_offset")?,
        departure_offset_s: offset("calls.departure_offset")?,
        awaits_departure: awaits.into_iter().map(|awaits| awaits == 1).collect(),
        ids: ids.iter().map(str::to_owned).collect(),
        stop,
    })
}
