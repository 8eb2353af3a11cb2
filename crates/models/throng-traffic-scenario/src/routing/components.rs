//! Strongly connected components.

use throng_core::NONE;

use crate::Network;

/// Returns the index of each node's strongly connected component, considering all links regardless of their modes.
///
/// Tarjan's algorithm without recursion; linear in nodes and links. A component has a lower index than those that lead
/// to it.
pub fn strong_components(network: &Network) -> Vec<u32> {
    let mut first = vec![0u32; network.nodes() + 1];
    for &from in &network.from {
        first[from as usize + 1] += 1;
    }
    for i in 0..network.nodes() {
        first[i + 1] += first[i];
    }
    let mut next = first.clone();
    let mut heads = vec![0u32; network.links()];
    for (&from, &to) in network.from.iter().zip(&network.to) {
        heads[next[from as usize] as usize] = to;
        next[from as usize] += 1;
    }
    components(network.nodes(), |node, i| {
        let at = first[node as usize] + i;
        (at < first[node as usize + 1]).then(|| heads[at as usize])
    })
}

/// Returns the components of a graph given by its successors: `successor(node, i)` is the i-th successor, or `None`
/// after the last one.
pub fn components(nodes: usize, successor: impl Fn(u32, u32) -> Option<u32>) -> Vec<u32> {
    let mut component = vec![NONE; nodes];
    let mut components = 0;
    let mut order = vec![NONE; nodes];
    let mut low = vec![0u32; nodes];
    let mut visited = 0;
    let mut open: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, u32)> = Vec::new();
    for root in 0..nodes as u32 {
        if order[root as usize] != NONE {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (node, ref mut at)) = path.last_mut() {
            let n = node as usize;
            if *at == 0 {
                order[n] = visited;
                low[n] = visited;
                visited += 1;
                open.push(node);
            }
            let next = successor(node, *at);
            *at += 1;
            if let Some(head) = next {
                let h = head as usize;
                if order[h] == NONE {
                    path.push((head, 0));
                } else if component[h] == NONE {
                    low[n] = low[n].min(order[h]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[n]);
            }
            if low[n] == order[n] {
                while let Some(member) = open.pop() {
                    component[member as usize] = components;
                    if member == node {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    component
}

/// Returns the largest component (ties go to the lower index), or `None` if there are no nodes.
pub fn largest(component: &[u32]) -> Option<u32> {
    let mut sizes = vec![0u32; component.iter().max().map_or(0, |&c| c as usize + 1)];
    for &c in component {
        sizes[c as usize] += 1;
    }
    (0..sizes.len()).max_by_key(|&c| (sizes[c], std::cmp::Reverse(c))).map(|c| c as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_with_a_tail_and_an_island() {
        // 0 -> 1 -> 2 -> 0, 2 -> 3, and 4 without edges.
        let edges: [&[u32]; 5] = [&[1], &[2], &[0, 3], &[], &[]];
        let component = components(5, |node, i| edges[node as usize].get(i as usize).copied());
        assert_eq!(component[0], component[1]);
        assert_eq!(component[1], component[2]);
        assert_ne!(component[3], component[0]);
        assert_ne!(component[4], component[3]);
        assert_eq!(largest(&component), Some(component[0]));
        assert_eq!(largest(&[]), None);
    }

    proptest::proptest! {
        #[test]
        fn same_component_means_both_ways_reachable(edges in proptest::collection::vec((0u32..12, 0u32..12), 0..40)) {
            let successor = |node: u32, i: u32| edges.iter().filter(|e| e.0 == node).nth(i as usize).map(|e| e.1);
            let component = components(12, successor);
            let mut reach = [[false; 12]; 12];
            for (i, row) in reach.iter_mut().enumerate() {
                row[i] = true;
            }
            for _ in 0..12 {
                for &(a, b) in &edges {
                    for row in &mut reach {
                        row[b as usize] |= row[a as usize];
                    }
                }
            }
            for a in 0..12 {
                for b in 0..12 {
                    proptest::prop_assert_eq!(component[a] == component[b], reach[a][b] && reach[b][a]);
                }
            }
        }
    }
}
