//! The ways of the lines.

use throng_core::Philox;

use super::timetable::{call_times, departures};
use super::{TransitLines, TransitRoute, rail};
use crate::demand::{Kind, Places};
use crate::draws::{Draws, Purpose};
use crate::options::CityOptions;
use crate::streets::RoadClass;
use throng_traffic_scenario::routing::Router;
use throng_traffic_scenario::{ModeId, Network};

/// Number of bus lines for each railway line.
const BUSES_PER_RAIL: u32 = 10;
/// Distance between stops of buses, metres.
const STOP_EVERY_M: f64 = 400.0;
/// Number of draws for the ends of a line before it is left out.
const TRIALS: u32 = 20;

/// Lays the lines that the options request, and adds the links of railways, with their class, to the network.
pub(crate) fn lay(
    options: &CityOptions,
    places: &Places,
    (network, classes): (&mut Network, &mut Vec<RoadClass>),
    radius_m: f64,
    (car, train): (ModeId, ModeId),
) -> TransitLines {
    let mut lines = TransitLines::default();
    let router = Router::new(network, car, f64::INFINITY);
    let mut ways: Vec<[Vec<u32>; 2]> = Vec::new();
    for number in 0..options.lines {
        let draws = Draws::new(Philox::new(options.seed), number, 0);
        ways.extend((0..TRIALS).find_map(|trial| bus_way(&router, places, draws, trial)));
    }
    drop(router);
    let buses = ways.len();
    for number in 0..options.lines.div_ceil(BUSES_PER_RAIL) {
        let draws = Draws::new(Philox::new(options.seed), number, 1);
        ways.push(rail::way(draws, radius_m, (network, classes), train));
    }
    let mut stop_of = vec![u32::MAX; network.links()];
    for (line, [there, back]) in ways.into_iter().enumerate() {
        let is_rail = line >= buses;
        let mut add = |links: Vec<u32>| {
            let at: Vec<usize> = if is_rail { (0..links.len()).collect() } else { stops_along(network, &links) };
            let calls = call_times(network, &links, &at, is_rail);
            let calls = calls.into_iter().map(|mut call| {
                let stop = &mut stop_of[call.stop as usize];
                if *stop == u32::MAX {
                    *stop = lines.stops.len() as u32;
                    lines.stops.push(call.stop);
                }
                call.stop = *stop;
                call
            });
            let calls = calls.collect();
            TransitRoute { line: line as u32, is_rail, links, calls, departures: Vec::new() }
        };
        let mut both = [add(there), add(back)];
        departures(&mut both, &mut lines.vehicles);
        lines.routes.extend(both);
    }
    lines
}

/// Returns the ways there and back between two homes, by a place of work. `None` if the ends are too close.
fn bus_way(router: &Router<'_>, places: &Places, draws: Draws, trial: u32) -> Option<[Vec<u32>; 2]> {
    let unit = |index: u32| draws.unit(Purpose::Line, 6 * trial + index);
    let home = |index: u32| {
        let zone = places.home_zone(unit(index));
        (zone, places.zones[zone as usize].link(Kind::Home, unit(index + 1)))
    };
    let ((one_zone, one), (other_zone, other)) = (home(0), home(2));
    let by_zone = places.home_zone(unit(4));
    let by = places.zones[by_zone as usize].link(Kind::Work, unit(5));
    if places.distance(one_zone as usize, other_zone as usize) < 2.0 * places.side_m {
        return None;
    }
    let way = |from: u32, to: u32| {
        let mut links = router.route(from, by)?.links;
        links.extend_from_slice(router.route(by, to)?.links.get(1..)?);
        (links.len() > 2).then_some(links)
    };
    Some([way(one, other)?, way(other, one)?])
}

/// Returns the positions of links with stops: the first and the last one, and others at regular distances.
fn stops_along(network: &Network, links: &[u32]) -> Vec<usize> {
    let (mut stops, mut since_m) = (vec![0], 0.0);
    for (position, &link) in links.iter().enumerate().skip(1) {
        since_m += network.length_m[link as usize];
        if since_m >= STOP_EVERY_M || position + 1 == links.len() {
            stops.push(position);
            since_m = 0.0;
        }
    }
    stops
}
