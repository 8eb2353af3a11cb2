//! Lower bounds on the costs of paths, from landmarks (ALT; Goldberg and Harrelson, SODA 2005).

use throng_traffic_scenario::routing::{Graph, Landmarks, Target};

use super::disutility::LinkDisutility;

/// Units of landmark costs per second or metre.
const UNITS: f64 = 1e9;
/// Link costs are multiples of the precision with which [`Landmarks`] store them, so that sums are exact.
const STORED: u64 = 1_000_000;
/// Link costs are lower than the real ones by at least this fraction of [`STORED`], which exceeds all rounding errors.
const MARGIN: f64 = 1e-3;

/// Lower bounds on travel times and distances between nodes. Each person weights them by the own disutility, so they
/// serve for any randomness.
///
/// They are consistent: the bound of a node is at most the cost of a link plus the bound of the node at its end.
#[derive(Debug)]
pub(super) struct Bounds {
    times: Landmarks,
    distances: Landmarks,
}

impl Bounds {
    pub fn new(graph: &Graph, length_m: &[f64], least_s: &[f64]) -> Self {
        let [times, distances] = [least_s, length_m].map(|costs| landmarks(graph, costs));
        Self { times, distances }
    }

    pub fn set_times(&mut self, graph: &Graph, least_s: &[f64]) {
        self.times = landmarks(graph, least_s);
    }

    pub fn towards(&self, target: u32, disutility: &LinkDisutility) -> Rest<'_> {
        // The cost of one stored unit of each kind.
        let [per_time, per_distance] = [disutility.cost(1.0, 0.0), disutility.cost(0.0, 1.0)];
        let distances = (per_distance > 0.0).then(|| self.distances.target(target)).flatten();
        Rest { bounds: self, time: self.times.target(target), distance: distances, per_time, per_distance }
    }
}

/// Lower bounds on the costs of paths to one node.
pub(super) struct Rest<'a> {
    bounds: &'a Bounds,
    time: Option<Target>,
    distance: Option<Target>,
    per_time: f64,
    per_distance: f64,
}

impl Rest<'_> {
    /// Returns a lower bound on the cost from `node`; infinite if there is no path.
    #[inline]
    pub fn of(&self, node: u32) -> f64 {
        let Some(time) = self.bounds.times.bound_ns(node, self.time.as_ref()) else { return f64::INFINITY };
        let Some(distance) = self.bounds.distances.bound_ns(node, self.distance.as_ref()) else {
            return f64::INFINITY;
        };
        self.per_time * (time as f64 / UNITS) + self.per_distance * (distance as f64 / UNITS)
    }
}

fn landmarks(graph: &Graph, costs: &[f64]) -> Landmarks {
    let stored = |cost: &f64| ((cost * UNITS / STORED as f64 - MARGIN) as u64).saturating_mul(STORED);
    let mut graph = graph.clone();
    graph.reprice(&costs.iter().map(stored).collect::<Vec<_>>());
    Landmarks::new(&graph)
}
