//! Railway lines: straight tracks through the main centre, with their own nodes and links.

use crate::draws::{Draws, Purpose};
use crate::streets::{RoadClass, decimals};
use throng_traffic_scenario::{Link, ModeId, Network};

/// Distance between stations, metres.
const STATION_EVERY_M: f64 = 1500.0;

/// Adds a line to the network and returns its ways there and back. Each begins on the link where the other one ends.
pub(super) fn way(
    draws: Draws,
    radius_m: f64,
    (network, classes): (&mut Network, &mut Vec<RoadClass>),
    train: ModeId,
) -> [Vec<u32>; 2] {
    let (sin, cos) = libm::sincos(std::f64::consts::TAU * draws.unit(Purpose::Line, 0));
    let reach_m = radius_m * draws.between(Purpose::Line, 1, 0.7, 1.0);
    let stations = 2 * ((reach_m / STATION_EVERY_M) as u32).max(1) + 1;
    let step_m = 2.0 * reach_m / f64::from(stations - 1);
    let first = network.nodes() as u32;
    for station in 0..stations {
        let along_m = step_m * f64::from(station) - reach_m;
        let id = (network.nodes() + 1).to_string();
        network.add_node(&id, decimals(cos * along_m, 1), decimals(sin * along_m, 1)).expect("numbers are unique");
    }
    let class = RoadClass::Railway;
    let mut link = |from: u32, to: u32| {
        let index = network.links() as u32;
        let track = Link {
            from: first + from,
            to: first + to,
            length_m: decimals(step_m, 2),
            freespeed_mps: class.freespeed_mps(),
            capacity: class.capacity(),
            lanes: class.lanes(),
            modes: train.bit(),
        };
        network.add_link(&(index + 1).to_string(), track).expect("numbers are unique");
        classes.push(class);
        index
    };
    let there: Vec<u32> = (1..stations).map(|station| link(station - 1, station)).collect();
    let back: Vec<u32> = (1..stations).rev().map(|station| link(station, station - 1)).collect();
    let way = |turn: &[u32], links: &[u32]| turn.last().into_iter().chain(links).copied().collect();
    [way(&back, &there), way(&there, &back)]
}
