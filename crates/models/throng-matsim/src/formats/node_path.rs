//! Routes given by nodes, as in plans of version 4.

use throng_traffic_scenario::Network;

/// Finds the links that leave a node, and the link between two nodes.
#[derive(Debug, Clone)]
pub struct NodePaths {
    // `out` has the end node and index of each link, grouped by start node; `first` has the offset of each group.
    first: Vec<u32>,
    out: Vec<(u32, u32)>,
}

impl NodePaths {
    /// Groups the links of `network` by their start node.
    pub fn new(network: &Network) -> Self {
        let mut first = vec![0_u32; network.nodes() + 1];
        for &from in &network.from {
            first[from as usize + 1] += 1;
        }
        for node in 0..network.nodes() {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut out = vec![(0, 0); network.links()];
        for (link, (&from, &to)) in network.from.iter().zip(&network.to).enumerate() {
            let at = &mut next[from as usize];
            out[*at as usize] = (to, link as u32);
            *at += 1;
        }
        Self { first, out }
    }

    /// Returns the link from `from` to `to`; with parallel links the first in the file, as in MATSim.
    ///
    /// # Panics
    /// If `from` is not a node of the network.
    #[inline]
    pub fn link(&self, from: u32, to: u32) -> Option<u32> {
        self.out(from).iter().find(|&&(end, _)| end == to).map(|&(_, link)| link)
    }

    /// Returns the links that leave `node`, in file order.
    ///
    /// # Panics
    /// If `node` is not a node of the network.
    #[inline]
    pub fn out_links(&self, node: u32) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.out(node).iter().map(|&(_, link)| link)
    }

    #[inline]
    fn out(&self, node: u32) -> &[(u32, u32)] {
        let range = self.first[node as usize] as usize..self.first[node as usize + 1] as usize;
        &self.out[range]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::NetworkBuilder;

    #[test]
    fn the_first_of_parallel_links_is_taken() {
        let network = NetworkBuilder::new()
            .node("a", 0.0, 0.0)
            .node("b", 1.0, 0.0)
            .node("c", 2.0, 0.0)
            .link("z", "b", "c", 1.0, 1.0, 1.0, 1.0)
            .link("y", "a", "b", 1.0, 1.0, 1.0, 1.0)
            .link("x", "a", "b", 1.0, 1.0, 1.0, 1.0)
            .build()
            .unwrap();
        let paths = NodePaths::new(&network);
        assert_eq!(paths.link(0, 1), Some(1));
        assert_eq!(paths.link(1, 2), Some(0));
        assert_eq!(paths.link(1, 0), None);
        assert_eq!(paths.out_links(0).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(paths.out_links(2).len(), 0);
    }
}
