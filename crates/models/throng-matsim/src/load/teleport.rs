//! Time and distance of legs that do not use the network.

use super::places::{Place, Places};
use throng_traffic_scenario::settings::{TeleportedMode, TeleportedSpeed};
use throng_traffic_scenario::{Leg, ModeId, Network, RouteKind};

/// The data of a teleported leg that a path through the network must still provide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Teleport {
    /// Nothing.
    Known,
    /// Time and distance of a path for the leg's own mode.
    Path,
    /// The car travel time; the leg takes this multiple of it.
    TimeByCar(f64),
}

/// Sets the distance of a leg between two locations, and its travel time if that follows from the distance.
pub(super) fn estimate(
    leg: &mut Leg,
    rule: &TeleportedMode,
    places: &Places<'_>,
    network: &Network,
    ends: [Place; 2],
) -> Teleport {
    match rule.speed {
        TeleportedSpeed::MetresPerSecond(speed) => {
            let coordinates = ends.map(|place| routed_coordinate(place).unwrap_or_else(|| places.end_of(place.link)));
            (leg.travel_time, leg.distance) = at_speed(coordinates, speed, rule.beeline_distance_factor);
            Teleport::Known
        }
        TeleportedSpeed::FreespeedFactor(_) if leg.start_link == leg.end_link => {
            leg.distance = 0.0;
            leg.travel_time = 0.0;
            Teleport::Known
        }
        TeleportedSpeed::FreespeedFactor(factor) => {
            let coordinates = match ends.map(routed_coordinate) {
                [Some(a), Some(b)] => [a, b],
                _ => ends.map(|place| middle_of(network, place.link)),
            };
            leg.distance = beeline(coordinates) * rule.beeline_distance_factor;
            Teleport::TimeByCar(factor)
        }
    }
}

/// Returns travel time and distance between two points. MATSim truncates the time to whole seconds.
pub(super) fn at_speed(ends: [(f64, f64); 2], speed_mps: f64, beeline_distance_factor: f64) -> (f64, f64) {
    let distance_m = beeline(ends) * beeline_distance_factor;
    ((distance_m / speed_mps).trunc(), distance_m)
}

/// Returns a leg without path between two links, for the trip of a routing mode.
pub(super) fn leg(
    [mode, routing_mode]: [ModeId; 2],
    [start_link, end_link]: [u32; 2],
    (travel_time, distance): (f64, f64),
) -> Leg {
    let route = RouteKind::Generic;
    Leg { routing_mode, route, travel_time, distance, ..Leg::new(mode, start_link, end_link) }
}

/// Returns the beeline distance between two points.
pub fn beeline([(ax, ay), (bx, by)]: [(f64, f64); 2]) -> f64 {
    ((bx - ax) * (bx - ax) + (by - ay) * (by - ay)).sqrt()
}

/// Returns the coordinate of an activity, or else the midpoint of its link.
pub(super) fn activity_coordinate(network: &Network, place: Place) -> (f64, f64) {
    if place.x.is_nan() || place.y.is_nan() { middle_of(network, place.link) } else { (place.x, place.y) }
}

/// Returns the coordinate from which routers measure, if it is known.
pub(super) fn routed_coordinate(place: Place) -> Option<(f64, f64)> {
    (!place.routed_x.is_nan() && !place.routed_y.is_nan()).then_some((place.routed_x, place.routed_y))
}

fn middle_of(network: &Network, link: u32) -> (f64, f64) {
    let node = |of: &[u32]| of.get(link as usize).map_or(usize::MAX, |&node| node as usize);
    let (from, to) = (node(&network.from), node(&network.to));
    let middle = |of: &[f64]| match (of.get(from), of.get(to)) {
        (Some(a), Some(b)) => f64::midpoint(*a, *b),
        _ => f64::NAN,
    };
    (middle(&network.node_x), middle(&network.node_y))
}
