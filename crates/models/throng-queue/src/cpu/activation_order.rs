//! The order in which MATSim's single thread visits active links and nodes: the order of their activation.
//!
//! Needed only for the generator of `throng.nodeRandom=java`, where all nodes draw from one stream.

/// Sequence numbers of the last activation of each link and node.
#[derive(Debug, Clone)]
pub(super) struct ActivationOrder {
    link: Vec<u64>,
    node: Vec<u64>,
    next: u64,
}

impl ActivationOrder {
    pub fn new(links: usize, nodes: usize) -> Self {
        Self { link: vec![0; links], node: vec![0; nodes], next: 0 }
    }

    /// Moves link `i` to the end of the list of active links.
    pub fn activate_link(&mut self, i: usize) {
        self.link[i] = self.next;
        self.next += 1;
    }

    /// Moves node `i` to the end of the list of active nodes.
    pub fn activate_node(&mut self, i: usize) {
        self.node[i] = self.next;
        self.next += 1;
    }

    pub fn sort_links(&self, links: &mut [u32]) {
        links.sort_unstable_by_key(|&i| self.link[i as usize]);
    }

    pub fn sort_nodes(&self, nodes: &mut [u32]) {
        nodes.sort_unstable_by_key(|&i| self.node[i as usize]);
    }
}
