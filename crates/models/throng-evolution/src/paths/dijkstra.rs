//! The search: Dijkstra's, or A* with lower bounds.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use throng_core::NONE;
use throng_traffic_scenario::Network;
use throng_traffic_scenario::routing::Graph;

use super::router::PathQuery;
use crate::travel_times::LinkTravelTimes;

/// Best path to one node that a search has found so far.
#[derive(Debug, Clone, Copy)]
struct Label {
    /// The search that wrote this label and whether it is final; see [`Labels`].
    stamp: u32,
    /// Rank of the link by which the path arrives; [`NONE`] at the start.
    arrival_rank: u32,
    cost: f64,
    /// Time of arrival, seconds of the day.
    time_s: f64,
    /// Lower bound on the cost of the remaining path; infinite if there is none.
    rest: f64,
}

const VOID: Label = Label { stamp: 0, arrival_rank: NONE, cost: f64::INFINITY, time_s: 0.0, rest: 0.0 };

/// The memory of a search. Older labels are void, so they need no clearing between searches.
#[derive(Debug, Default)]
pub(super) struct Labels {
    of_nodes: Vec<Label>,
    /// Bits of cost plus lower bound, and node. Costs are not negative, so their bits have the same order. Equal keys
    /// are popped in order of nodes.
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    /// Stamp of open labels; that of final ones is one more.
    open: u32,
    pub settled: u32,
}

/// The end of a path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    pub cost: f64,
    pub time_s: f64,
}

impl Labels {
    fn begin(&mut self, nodes: usize) {
        if self.of_nodes.len() < nodes || self.open >= u32::MAX - 3 {
            self.of_nodes.clear();
            self.of_nodes.resize(nodes, VOID);
            self.open = 0;
        }
        self.open += 2;
        self.heap.clear();
        self.settled = 0;
    }

    /// Appends the links of the path to `target` in driving order. The search has settled `target`.
    pub fn trace(&self, graph: &Graph, network: &Network, source: u32, target: u32) -> Vec<u32> {
        let mut links = Vec::new();
        let mut node = target;
        while node != source {
            let link = graph.by_rank[self.of_nodes[node as usize].arrival_rank as usize];
            links.push(link);
            node = network.from[link as usize];
        }
        links.reverse();
        links
    }

    /// Settles nodes in order of cost plus `rest_of`, a lower bound on the cost of the remaining path, until `target`
    /// is settled; `None` if there is no path.
    ///
    /// A settled label is final. If bounds are consistent (see `Bounds`), a node is settled after all nodes before it
    /// on paths of least cost, so labels are the same for all bounds, unless links cost nothing.
    pub fn search(
        &mut self,
        graph: &Graph,
        network: &Network,
        [source, target]: [u32; 2],
        query: &PathQuery,
        times: &impl LinkTravelTimes,
        rest_of: impl Fn(u32) -> f64,
    ) -> Option<Arrival> {
        self.begin(graph.forward.nodes());
        let Self { of_nodes: labels, heap, open, settled } = self;
        let (open, is_final) = (*open, *open + 1);
        let start = Label { stamp: open, cost: 0.0, time_s: query.departure_s, rest: rest_of(source), ..VOID };
        if start.rest == f64::INFINITY {
            return None;
        }
        labels[source as usize] = start;
        heap.push(Reverse((start.rest.to_bits(), source)));
        while let Some(Reverse((_, node))) = heap.pop() {
            let label = labels[node as usize];
            if label.stamp == is_final {
                continue;
            }
            labels[node as usize].stamp = is_final;
            *settled += 1;
            if node == target {
                return Some(Arrival { cost: label.cost, time_s: label.time_s });
            }
            for edge in graph.forward.at(node) {
                let head = &mut labels[edge.node as usize];
                if head.stamp == is_final {
                    continue;
                }
                if head.stamp != open {
                    *head = Label { stamp: open, rest: rest_of(edge.node), ..VOID };
                }
                let link = graph.by_rank[edge.rank as usize];
                let length_m = network.length_m[link as usize];
                let time_s = times.travel_time_s(link, label.time_s).max(length_m / query.max_speed_mps);
                let cost = label.cost + query.disutility.cost(time_s, length_m);
                // If equal, the key is in the heap already.
                if cost < head.cost || cost == head.cost && edge.rank < head.arrival_rank {
                    if cost < head.cost && head.rest < f64::INFINITY {
                        heap.push(Reverse(((cost + head.rest).to_bits(), edge.node)));
                    }
                    (head.cost, head.time_s, head.arrival_rank) = (cost, label.time_s + time_s, edge.rank);
                }
            }
        }
        None
    }
}
