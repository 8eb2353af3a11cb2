//! Lower bounds on travel times from distances to a few landmarks (ALT; Goldberg and Harrelson, SODA 2005).
//!
//! By the triangle inequality, `d(v, t) >= d(L, t) - d(L, v)` and `d(v, t) >= d(v, L) - d(t, L)`.

use super::components;
use super::graph::Graph;
use super::tree::distances;

/// Number of landmarks; 16 take two cache lines per node.
const COUNT: usize = 16;

/// Marks a missing path in [`Bounds`].
const UNREACHABLE: u32 = u32::MAX;

/// Landmarks are not used if a distance reaches this number of milliseconds (24 days), so larger differences can only
/// result from [`UNREACHABLE`].
const MAX_DISTANCE_MS: u32 = 1 << 31;

/// Distances in milliseconds, rounded down. They take a quarter of the memory of full precision at no measurable loss.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    from: [u32; COUNT],
    to: [u32; COUNT],
}

/// Distances between all nodes and the landmarks.
#[derive(Debug, Default)]
pub struct Landmarks {
    bounds: Vec<Bounds>,
}

/// The landmark distances of a destination, which bound the rest of a trip.
#[derive(Debug, Clone, Copy)]
pub struct Target(Bounds);

impl Landmarks {
    /// Selects landmarks at the periphery: each is the node with the greatest round-trip distance from the previous
    /// ones.
    ///
    /// All landmarks are in the largest strongly connected component, which contains most of the trips.
    pub fn new(graph: &Graph) -> Self {
        let nodes = graph.forward.nodes();
        let component = components::components(nodes, |node, i| graph.forward.at(node).get(i as usize).map(|e| e.node));
        let Some(largest) = components::largest(&component) else {
            return Self { bounds: Vec::new() };
        };
        let members: Vec<u32> = (0..nodes as u32).filter(|&n| component[n as usize] == largest).collect();
        let both = |root: u32| rayon::join(|| distances(&graph.forward, root), || distances(&graph.backward, root));
        let farthest = |nearest: &[u64]| *members.iter().max_by_key(|&&n| nearest[n as usize]).expect("not empty");
        let sum = |(a, b): (&u64, &u64)| a.saturating_add(*b);

        let mut bounds = vec![Bounds { from: [UNREACHABLE; COUNT], to: [UNREACHABLE; COUNT] }; nodes];
        let (from, to) = both(members[0]);
        let mut nearest: Vec<u64> = from.iter().zip(&to).map(sum).collect();
        for i in 0..COUNT {
            let (from, to) = both(farthest(&nearest));
            for n in 0..nodes {
                let Some((from_ms, to_ms)) = Option::zip(milliseconds(from[n]), milliseconds(to[n])) else {
                    return Self { bounds: Vec::new() };
                };
                bounds[n].from[i] = from_ms;
                bounds[n].to[i] = to_ms;
                let there_and_back = sum((&from[n], &to[n]));
                // The first root was only a starting point, so the first landmark replaces it.
                nearest[n] = if i == 0 { there_and_back } else { nearest[n].min(there_and_back) };
            }
        }
        Self { bounds }
    }

    /// Returns a set without landmarks: all bounds are 0, so that the search is Dijkstra's.
    #[cfg(test)]
    pub fn none() -> Self {
        Self { bounds: Vec::new() }
    }

    /// Prepares the bounds for a destination; `None` if there are no landmarks.
    pub fn target(&self, target: u32) -> Option<Target> {
        self.bounds.get(target as usize).map(|b| Target(*b))
    }

    /// Returns a lower bound on the cost of any path from `node` to the target; `None` if there is no path.
    #[inline]
    pub fn bound_ns(&self, node: u32, target: Option<&Target>) -> Option<u64> {
        let Some(Target(t)) = target else {
            return Some(0);
        };
        let v = &self.bounds[node as usize];
        let mut best = 0;
        // If the target can reach a landmark but the node cannot, the node cannot reach the target. The same holds if
        // the landmark reaches the node but not the target. In both cases the difference is near u32::MAX.
        for i in 0..COUNT {
            best = best.max(t.from[i].saturating_sub(v.from[i]));
            best = best.max(v.to[i].saturating_sub(t.to[i]));
        }
        // Both operands were rounded down, so the difference may be too large by almost one millisecond.
        (best < MAX_DISTANCE_MS).then_some(u64::from(best.saturating_sub(1)) * 1_000_000)
    }
}

fn milliseconds(ns: u64) -> Option<u32> {
    if ns == u64::MAX {
        return Some(UNREACHABLE);
    }
    u32::try_from(ns / 1_000_000).ok().filter(|&ms| ms < MAX_DISTANCE_MS)
}
