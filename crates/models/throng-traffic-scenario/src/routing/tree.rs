//! Distances from one node to all others.

use super::graph::Adjacency;
use super::heap::Heap;

/// Returns the cost from `root` to every node along `adjacency`; `u64::MAX` if there is no path.
///
/// On the backward adjacency these are the costs from every node to `root`.
pub(crate) fn distances(adjacency: &Adjacency, root: u32) -> Vec<u64> {
    let mut distance = vec![u64::MAX; adjacency.nodes()];
    let mut heap = Heap::default();
    distance[root as usize] = 0;
    heap.push(0, root);
    while let Some((cost, node)) = heap.pop() {
        if cost > distance[node as usize] {
            continue;
        }
        for edge in adjacency.at(node) {
            let through = cost.saturating_add(edge.cost_ns);
            if through < distance[edge.node as usize] {
                distance[edge.node as usize] = through;
                heap.push(through, edge.node);
            }
        }
    }
    distance
}
