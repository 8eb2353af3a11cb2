//! The part of a network that is open to one mode, as adjacency arrays.

use crate::{ModeId, Network};

/// A link seen from one of its ends.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    /// Node at the other end of the link.
    pub node: u32,
    /// Rank of the link's id in text order.
    pub rank: u32,
    /// Cost of the link, initially its free-speed travel time, nanoseconds.
    pub cost_ns: u64,
}

/// Links grouped by their start node (forward) and by their end node (backward).
#[derive(Debug, Clone)]
pub struct Graph {
    /// Links grouped by their start node.
    pub forward: Adjacency,
    /// Links grouped by their end node.
    pub backward: Adjacency,
    /// Link index by rank of the link's id in text order.
    pub by_rank: Vec<u32>,
}

/// Edges grouped by node.
#[derive(Debug, Clone)]
pub struct Adjacency {
    first: Vec<u32>,
    edges: Vec<Edge>,
}

impl Adjacency {
    /// Returns the edges at `node`.
    #[inline]
    pub fn at(&self, node: u32) -> &[Edge] {
        &self.edges[self.first[node as usize] as usize..self.first[node as usize + 1] as usize]
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.first.len() - 1
    }

    fn reprice(&mut self, by_rank: &[u32], cost_ns: &[u64]) {
        for edge in &mut self.edges {
            edge.cost_ns = cost_ns[by_rank[edge.rank as usize] as usize];
        }
    }

    /// Groups `(node, edge)` pairs by counting sort; pairs of the same node keep their order.
    fn group(nodes: usize, pairs: impl Iterator<Item = (u32, Edge)> + Clone) -> Self {
        let mut first = vec![0u32; nodes + 1];
        for (node, _) in pairs.clone() {
            first[node as usize + 1] += 1;
        }
        for i in 0..nodes {
            first[i + 1] += first[i];
        }
        let mut next = first.clone();
        let mut edges = vec![Edge { node: 0, rank: 0, cost_ns: 0 }; first[nodes] as usize];
        for (node, edge) in pairs {
            let at = &mut next[node as usize];
            edges[*at as usize] = edge;
            *at += 1;
        }
        Self { first, edges }
    }
}

impl Graph {
    /// Creates a graph of the links open to `mode`, with free-speed costs for a vehicle with this maximum speed. Links
    /// that no vehicle ever gets through are left out.
    pub fn new(network: &Network, mode: ModeId, max_speed_mps: f64) -> Self {
        let cost_of = |l: usize| cost_ns(network.length_m[l], network.freespeed_mps[l], max_speed_mps);
        Self::with_costs(network, mode, cost_of)
    }

    /// Creates a graph of all links open to `mode`. Costs are 1.
    pub fn open_to(network: &Network, mode: ModeId) -> Self {
        Self::with_costs(network, mode, |_| Some(1))
    }

    fn with_costs(network: &Network, mode: ModeId, cost_of: impl Fn(usize) -> Option<u64>) -> Self {
        let by_rank = network.link_ids.sorted();
        let usable = by_rank.iter().enumerate().filter_map(|(rank, &link)| {
            let l = link as usize;
            if network.modes[l] & mode.bit() == 0 {
                return None;
            }
            Some((link, rank as u32, cost_of(l)?))
        });
        let usable: Vec<_> = usable.collect();
        let nodes = network.nodes();
        let forward = usable.iter().map(|&(l, rank, cost_ns)| {
            (network.from[l as usize], Edge { node: network.to[l as usize], rank, cost_ns })
        });
        let backward = usable.iter().map(|&(l, rank, cost_ns)| {
            (network.to[l as usize], Edge { node: network.from[l as usize], rank, cost_ns })
        });
        let (forward, backward) =
            rayon::join(|| Adjacency::group(nodes, forward), || Adjacency::group(nodes, backward));
        Self { forward, backward, by_rank }
    }

    /// Creates a graph of `(from, to)` edges, which represent the links of a network and are ranked in this order.
    /// Costs are 1.
    pub fn from_edges(nodes: usize, edges: impl ExactSizeIterator<Item = (u32, u32)> + Clone) -> Self {
        let by_rank = (0..edges.len() as u32).collect();
        let edge = |node, rank| Edge { node, rank: rank as u32, cost_ns: 1 };
        let numbered = edges.enumerate();
        let forward = Adjacency::group(nodes, numbered.clone().map(|(rank, (from, to))| (from, edge(to, rank))));
        let backward = Adjacency::group(nodes, numbered.map(|(rank, (from, to))| (to, edge(from, rank))));
        Self { forward, backward, by_rank }
    }

    /// Replaces the costs of all edges. `cost_ns` contains one cost per link of the network, positive for a
    /// [`Search`](super::Search); for [`Landmarks`](super::Landmarks) it may be 0.
    pub fn reprice(&mut self, cost_ns: &[u64]) {
        self.forward.reprice(&self.by_rank, cost_ns);
        self.backward.reprice(&self.by_rank, cost_ns);
    }
}

/// Returns the free-speed travel time in whole nanoseconds, at least one; `None` if no vehicle ever gets through.
pub fn cost_ns(length_m: f64, freespeed_mps: f64, max_speed_mps: f64) -> Option<u64> {
    let nanoseconds = (length_m / freespeed_mps.min(max_speed_mps) * 1e9).round();
    // A link that takes a century counts as closed.
    (0.0..3.2e18).contains(&nanoseconds).then_some((nanoseconds as u64).max(1))
}

#[cfg(test)]
mod tests {
    use super::cost_ns;

    #[test]
    fn costs_are_rounded_once_and_never_zero() {
        assert_eq!(cost_ns(1000.0, 7.5, f64::INFINITY), Some(133_333_333_333));
        assert_eq!(cost_ns(1000.0, 7.5, 5.0), Some(200_000_000_000));
        assert_eq!(cost_ns(0.0, 10.0, 10.0), Some(1));
        assert_eq!(cost_ns(10.0, f64::INFINITY, f64::INFINITY), Some(1));
        assert_eq!(cost_ns(10.0, 0.0, 10.0), None);
        assert_eq!(cost_ns(f64::NAN, 1.0, 1.0), None);
    }
}
