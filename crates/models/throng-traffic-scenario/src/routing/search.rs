//! Goal-directed search between two nodes (A*), with ties resolved by link id.

use throng_core::NONE;

use super::graph::{Edge, Graph};
use super::heap::Heap;
use super::landmarks::{Landmarks, Target};

/// Best path to one node that a search has found so far.
#[derive(Debug, Clone, Copy)]
struct Label {
    /// The search that wrote this label. Older labels are void, so labels need no clearing between searches.
    search: u32,
    /// Rank of the link by which the best path arrives; [`NONE`] at the start.
    arrival_rank: u32,
    /// Cost of the best path so far.
    cost_ns: u64,
    /// Lower bound on the cost of the remaining path; `u64::MAX` if there is none.
    rest_ns: u64,
}

const VOID: Label = Label { search: 0, arrival_rank: NONE, cost_ns: u64::MAX, rest_ns: 0 };

/// The memory of one search, reused from search to search.
#[derive(Debug, Default)]
pub struct SearchSpace {
    labels: Vec<Label>,
    heap: Heap,
    search: u32,
}

/// A search on a graph. Link costs must not be lower than those for which the landmarks were computed.
pub struct Search<'a> {
    /// Graph of the links that a path may use.
    pub graph: &'a Graph,
    /// Lower bounds on costs, computed for this graph.
    pub landmarks: &'a Landmarks,
}

impl Search<'_> {
    /// Finds the cheapest path from node `source` to node `target`, appends its links in driving order to `links`, and
    /// returns its cost; `None` if there is no path. `link_from` is the start node of every link.
    pub fn run(
        &self,
        space: &mut SearchSpace,
        source: u32,
        target: u32,
        cost_of: impl Fn(&Edge) -> u64,
        link_from: &[u32],
        links: &mut Vec<u32>,
    ) -> Option<u64> {
        space.begin(self.graph.forward.nodes());
        let bounds = self.landmarks.target(target);
        self.expand(space, source, target, bounds.as_ref(), cost_of);
        let end = space.label(target);
        if end.cost_ns == u64::MAX {
            return None;
        }
        let first = links.len();
        let mut node = target;
        while node != source {
            let link = self.graph.by_rank[space.label(node).arrival_rank as usize];
            links.push(link);
            node = link_from[link as usize];
        }
        links[first..].reverse();
        Some(end.cost_ns)
    }

    /// Continues until every open entry costs more than the target. By then every link by which a cheapest path can
    /// arrive at any of its nodes has been seen. A node may be expanded again if it gets cheaper, so bounds only need
    /// to be admissible, not consistent.
    fn expand(
        &self,
        space: &mut SearchSpace,
        source: u32,
        target: u32,
        bounds: Option<&Target>,
        cost_of: impl Fn(&Edge) -> u64,
    ) {
        let search = space.search;
        let SearchSpace { labels, heap, .. } = space;
        let Some(rest_ns) = self.landmarks.bound_ns(source, bounds) else {
            return;
        };
        labels[source as usize] = Label { search, arrival_rank: NONE, cost_ns: 0, rest_ns };
        heap.push(rest_ns, source);
        let mut limit = u64::MAX;
        while let Some((key, node)) = heap.pop() {
            if key > limit {
                break;
            }
            let label = labels[node as usize];
            if key != label.cost_ns.saturating_add(label.rest_ns) {
                continue;
            }
            if node == target {
                limit = label.cost_ns;
                continue;
            }
            for edge in self.graph.forward.at(node) {
                let through = label.cost_ns.saturating_add(cost_of(edge));
                let head = &mut labels[edge.node as usize];
                if head.search != search {
                    let rest_ns = self.landmarks.bound_ns(edge.node, bounds).unwrap_or(u64::MAX);
                    *head = Label { search, rest_ns, ..VOID };
                }
                if through < head.cost_ns {
                    head.cost_ns = through;
                    head.arrival_rank = edge.rank;
                    let key = through.saturating_add(head.rest_ns);
                    if head.rest_ns != u64::MAX && key <= limit {
                        heap.push(key, edge.node);
                    }
                } else if through == head.cost_ns && edge.rank < head.arrival_rank {
                    head.arrival_rank = edge.rank;
                }
            }
        }
    }
}

impl SearchSpace {
    fn begin(&mut self, nodes: usize) {
        if self.labels.len() < nodes || self.search == u32::MAX {
            self.labels.clear();
            self.labels.resize(nodes, VOID);
            self.search = 0;
        }
        self.search += 1;
        self.heap.clear();
    }

    fn label(&self, node: u32) -> Label {
        let label = self.labels[node as usize];
        if label.search == self.search { label } else { VOID }
    }
}
