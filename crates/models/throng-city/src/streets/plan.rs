//! The planned roads: nodes and links without ids, before cleaning.

use super::RoadClass;

/// A link as planned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlannedLink {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) length_m: f64,
    pub(crate) class: RoadClass,
    /// Whether no link leads back; such a link may be split without affecting reachability.
    pub(crate) one_way: bool,
}

/// Nodes and links as planned.
#[derive(Debug, Clone, Default)]
pub(crate) struct StreetPlan {
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) links: Vec<PlannedLink>,
}

impl StreetPlan {
    pub(crate) fn add_node(&mut self, x: f64, y: f64) -> u32 {
        self.x.push(x);
        self.y.push(y);
        self.x.len() as u32 - 1
    }

    pub(crate) fn distance(&self, a: u32, b: u32) -> f64 {
        let (a, b) = (a as usize, b as usize);
        libm::hypot(self.x[a] - self.x[b], self.y[a] - self.y[b])
    }

    /// Adds a link from `from` to `to`, whose length is `detour` times the beeline, and at least two metres.
    pub(crate) fn add_link(&mut self, from: u32, to: u32, detour: f64, class: RoadClass, one_way: bool) {
        let length_m = (self.distance(from, to) * detour).max(2.0);
        self.links.push(PlannedLink { from, to, length_m, class, one_way });
    }

    /// Keeps the nodes for which `keep` holds and the links between them. Nodes keep their order.
    pub(crate) fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        let mut new_index = vec![throng_core::NONE; self.x.len()];
        let mut kept = 0;
        for (node, index) in new_index.iter_mut().enumerate() {
            if keep(node as u32) {
                *index = kept;
                self.x[kept as usize] = self.x[node];
                self.y[kept as usize] = self.y[node];
                kept += 1;
            }
        }
        self.x.truncate(kept as usize);
        self.y.truncate(kept as usize);
        self.links.retain_mut(|link| {
            link.from = new_index[link.from as usize];
            link.to = new_index[link.to as usize];
            link.from != throng_core::NONE && link.to != throng_core::NONE
        });
    }
}
