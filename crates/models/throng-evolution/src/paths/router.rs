//! Paths between links.

use throng_traffic_scenario::routing::Graph;
use throng_traffic_scenario::{ModeId, Network};

use super::alt::Bounds;
use super::dijkstra::Labels;
use super::disutility::LinkDisutility;
use crate::travel_times::LinkTravelTimes;

/// A trip for which a path is sought.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathQuery {
    /// Link where the trip starts.
    pub start_link: u32,
    /// Link where the trip ends.
    pub end_link: u32,
    /// Time of departure, seconds of the day.
    pub departure_s: f64,
    /// Cost of links.
    pub disutility: LinkDisutility,
    /// Maximum speed of the vehicle, metres per second; infinite if there is none.
    pub max_speed_mps: f64,
}

/// A path of least cost.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Path {
    /// Links between the start link and the end link, both excluded, in driving order.
    pub links: Vec<u32>,
    /// Travel time of these links, seconds.
    pub travel_time_s: f64,
    /// Cost of these links, utils.
    pub cost: f64,
    /// Length of the trip, metres: these links and the end link, but not the start link. Zero if the trip ends on the
    /// link where it starts.
    pub distance_m: f64,
}

/// The memory of one search, 32 bytes per node and 16 per open node. Keep one per thread and reuse it.
#[derive(Debug, Default)]
pub struct PathScratch {
    labels: Labels,
}

impl PathScratch {
    /// Returns the number of nodes that the last search has settled, a measure of its work.
    pub fn settled_nodes(&self) -> u32 {
        self.labels.settled
    }
}

/// Finds paths of least cost for one mode; see the [module](super) for the rules. It may be shared between threads.
///
/// ```
/// use throng_evolution::paths::{LeastCostRouter, LinkDisutility, PathQuery, PathScratch};
/// use throng_evolution::travel_times::FreeSpeeds;
/// use throng_traffic_scenario::{ModeId, NetworkBuilder};
///
/// let network = NetworkBuilder::new()
///     .node("a", 0.0, 0.0).node("b", 500.0, 0.0).node("c", 1500.0, 0.0).node("d", 2000.0, 0.0)
///     .link("ab", "a", "b", 500.0, 10.0, 1000.0, 1.0)
///     .link("bc", "b", "c", 1000.0, 10.0, 1000.0, 1.0)
///     .link("cd", "c", "d", 500.0, 10.0, 1000.0, 1.0)
///     .build()?;
/// let router = LeastCostRouter::new(&network, ModeId(0));
/// let query = PathQuery {
///     start_link: 0,
///     end_link: 2,
///     departure_s: 8.0 * 3600.0,
///     disutility: LinkDisutility::new(12.0 / 3600.0, 0.001)?,
///     max_speed_mps: f64::INFINITY,
/// };
/// let path = router.path(&mut PathScratch::default(), &query, &FreeSpeeds::new(&network, &[])).unwrap();
/// assert_eq!((path.links, path.travel_time_s, path.distance_m), (vec![1], 100.0, 1500.0));
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct LeastCostRouter<'a> {
    network: &'a Network,
    mode: ModeId,
    graph: Graph,
    bounds: Option<Bounds>,
}

impl<'a> LeastCostRouter<'a> {
    /// Creates a router on the links open to `mode`. Its search is Dijkstra's until
    /// [`LeastCostRouter::set_least_travel_times`].
    pub fn new(network: &'a Network, mode: ModeId) -> Self {
        Self { network, mode, graph: Graph::open_to(network, mode), bounds: None }
    }

    /// Makes the search goal-directed (A* with landmarks): it then finds the same paths several times as fast.
    ///
    /// `least_s` has the shortest travel time of each link in seconds, such as those of
    /// [`TravelTimeTable::least_s`](crate::travel_times::TravelTimeTable::least_s). The travel times of later queries
    /// must not be lower; a later call replaces them. Costs some thirty one-to-all searches, and as many more for
    /// distances in the first call, spread over the threads of rayon. Memory: 256 bytes per node.
    ///
    /// Paths are the same as without, ties included, except that of equally good paths another one may be found if
    /// links cost nothing.
    pub fn set_least_travel_times(&mut self, least_s: &[f64]) {
        match &mut self.bounds {
            Some(bounds) => bounds.set_times(&self.graph, least_s),
            None => self.bounds = Some(Bounds::new(&self.graph, &self.network.length_m, least_s)),
        }
    }

    /// Returns the path of least cost at these travel times. `None` if there is no path, or if one of the links does
    /// not exist or is not open to the mode.
    pub fn path(&self, scratch: &mut PathScratch, query: &PathQuery, times: &impl LinkTravelTimes) -> Option<Path> {
        let Self { network, graph, .. } = self;
        let &PathQuery { start_link, end_link, .. } = query;
        let open = |link: u32| network.modes.get(link as usize).is_some_and(|modes| modes & self.mode.bit() != 0);
        if !open(start_link) || !open(end_link) {
            return None;
        }
        if start_link == end_link {
            return Some(Path::default());
        }
        let ends = [network.to[start_link as usize], network.from[end_link as usize]];
        let labels = &mut scratch.labels;
        let arrival = match &self.bounds {
            None => labels.search(graph, network, ends, query, times, |_| 0.0),
            Some(bounds) => {
                let rest = bounds.towards(ends[1], &query.disutility);
                labels.search(graph, network, ends, query, times, |node| rest.of(node))
            }
        }?;
        let links = labels.trace(graph, network, ends[0], ends[1]);
        let lengths = links.iter().chain([&end_link]).map(|&link| network.length_m[link as usize]);
        Some(Path {
            travel_time_s: arrival.time_s - query.departure_s,
            cost: arrival.cost,
            distance_m: lengths.sum(),
            links,
        })
    }
}

#[cfg(test)]
#[path = "router_tests.rs"]
mod tests;
