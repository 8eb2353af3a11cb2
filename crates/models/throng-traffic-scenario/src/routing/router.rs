//! The public router.

use std::sync::Mutex;

use super::graph::Graph;
use super::landmarks::Landmarks;
use super::search::{Search, SearchSpace};
use crate::{ModeId, Network};

/// A path through the network, with MATSim's conventions about its ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// All links in driving order, including the start and end link; a single link if the trip ends where it starts.
    pub links: Vec<u32>,
    /// Travel time from the end of the start link to the beginning of the end link, seconds; excludes both links.
    pub travel_time_s: f64,
    /// Distance from the end of the start link to the end of the end link, metres; excludes the start link. Zero if the
    /// trip ends on the link where it starts.
    pub distance_m: f64,
}

/// The memory of one search, a few dozen bytes per node. Keep one per thread and reuse it.
#[derive(Debug, Default)]
pub struct RouterScratch {
    space: SearchSpace,
}

/// Finds fastest paths at free speed for one mode. It may be shared between threads.
///
/// # Examples
/// ```
/// use throng_traffic_scenario::{ModeId, NetworkBuilder, routing::Router};
/// let network = NetworkBuilder::new()
///     .node("a", 0.0, 0.0).node("b", 500.0, 0.0).node("c", 1500.0, 0.0).node("d", 2000.0, 0.0)
///     .link("ab", "a", "b", 500.0, 10.0, 1000.0, 1.0)
///     .link("bc", "b", "c", 1000.0, 10.0, 1000.0, 1.0)
///     .link("cd", "c", "d", 500.0, 10.0, 1000.0, 1.0)
///     .build()?;
/// let router = Router::new(&network, ModeId(0), f64::INFINITY);
/// let route = router.route(0, 2).unwrap();
/// assert_eq!(route.links, [0, 1, 2]);
/// assert_eq!(route.travel_time_s, 100.0);
/// assert_eq!(route.distance_m, 1500.0);
/// assert_eq!(router.route(2, 0), None);
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct Router<'a> {
    network: &'a Network,
    mode: ModeId,
    graph: Graph,
    landmarks: Landmarks,
    spare: Mutex<Vec<RouterScratch>>,
}

impl<'a> Router<'a> {
    /// Creates a router on the links open to `mode`, for vehicles with a maximum speed of `max_speed_mps` (which may be
    /// infinite). Costs some thirty one-to-all searches, spread over the threads of rayon.
    pub fn new(network: &'a Network, mode: ModeId, max_speed_mps: f64) -> Self {
        let graph = Graph::new(network, mode, max_speed_mps);
        let landmarks = Landmarks::new(&graph);
        Self { network, mode, graph, landmarks, spare: Mutex::default() }
    }

    /// Returns the fastest path from the end of `from_link` to the beginning of `to_link`.
    ///
    /// `None` if there is no path, or if one of the links is not open to the mode. The path may pass through either end
    /// link again if that is fastest. See the [module](super) for the choice among equally fast paths.
    pub fn route(&self, from_link: u32, to_link: u32) -> Option<Route> {
        // A poisoned lock only means that another search panicked between pop and push; the list itself is valid.
        let lock = || self.spare.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut scratch = lock().pop().unwrap_or_default();
        let route = self.route_with(&mut scratch, from_link, to_link);
        lock().push(scratch);
        route
    }

    /// [`Router::route`] with the caller's scratch memory.
    pub fn route_with(&self, scratch: &mut RouterScratch, from_link: u32, to_link: u32) -> Option<Route> {
        let network = self.network;
        let open = |link: u32| network.modes.get(link as usize).is_some_and(|modes| modes & self.mode.bit() != 0);
        if !open(from_link) || !open(to_link) {
            return None;
        }
        if from_link == to_link {
            return Some(Route { links: vec![from_link], travel_time_s: 0.0, distance_m: 0.0 });
        }
        let source = network.to[from_link as usize];
        let target = network.from[to_link as usize];
        let search = Search { graph: &self.graph, landmarks: &self.landmarks };
        let mut links = vec![from_link];
        let time_ns = search.run(&mut scratch.space, source, target, |edge| edge.cost_ns, &network.from, &mut links)?;
        links.push(to_link);
        let distance_m = links[1..].iter().map(|&link| network.length_m[link as usize]).sum();
        Some(Route { links, travel_time_s: time_ns as f64 / 1e9, distance_m })
    }
}

#[cfg(test)]
#[path = "router_tests.rs"]
mod tests;
