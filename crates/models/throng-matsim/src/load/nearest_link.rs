//! Finds the link of an activity or facility that has only coordinates.

use std::sync::OnceLock;

use super::grid::{Grid, Segment};
use crate::formats::node_path::NodePaths;
use throng_traffic_scenario::{ModeId, Network};

/// Finds links near coordinates. The indices are built on first use.
#[derive(Debug)]
pub(super) struct NearestLink<'a> {
    network: &'a Network,
    /// The modes of which a link needs one: car, or the only mode of the network.
    modes: u64,
    nodes: OnceLock<NodeIndex>,
    links: OnceLock<Grid>,
}

/// A grid of the nodes that links for cars touch, and the links out of and into every node.
#[derive(Debug)]
struct NodeIndex {
    grid: Grid,
    out: NodePaths,
    into: Vec<(u32, u32)>,
}

impl<'a> NearestLink<'a> {
    pub(super) fn new(network: &'a Network, car: ModeId) -> Self {
        let first = network.modes.first().copied().unwrap_or(0);
        let has_one_mode = first.is_power_of_two() && network.modes.iter().all(|&modes| modes == first);
        let modes = if has_one_mode { first } else { car.bit() };
        Self { network, modes, nodes: OnceLock::new(), links: OnceLock::new() }
    }

    /// Returns the nearest of the links that touch the nearest node; ties go to the smaller id.
    ///
    /// MATSim assigns links to activities and facilities this way. Another link may be nearer overall. Only links for
    /// cars are considered, unless all links have the same single mode.
    pub(super) fn at_nearest_node(&self, x: f64, y: f64) -> Option<u32> {
        let index = self.nodes.get_or_init(|| self.index_nodes());
        let node = index.grid.nearest(x, y)?;
        let from = index.into.partition_point(|&(to, _)| to < node);
        let into = index.into[from..].iter().take_while(|&&(to, _)| to == node).map(|&(_, link)| link);
        let all = index.out.out_links(node).chain(into).filter(|&link| self.is_for_cars(link));
        let id = |link: u32| self.network.link_ids.name(link);
        all.map(|link| (self.segment(link).squared_distance(x, y).sqrt(), link))
            .min_by(|a, b| a.0.total_cmp(&b.0).then_with(|| id(a.1).cmp(id(b.1))))
            .map(|(_, link)| link)
    }

    /// Returns the nearest link overall; ties go to the first in the file.
    pub(super) fn nearest(&self, x: f64, y: f64) -> Option<u32> {
        let all = || Grid::new((0..self.network.links() as u32).map(|link| (link, self.segment(link))));
        self.links.get_or_init(all).nearest(x, y)
    }

    fn index_nodes(&self) -> NodeIndex {
        let network = self.network;
        let mut into: Vec<_> = network.to.iter().enumerate().map(|(link, &to)| (to, link as u32)).collect();
        into.sort_unstable();
        let mut touched = vec![false; network.nodes()];
        for link in (0..network.links() as u32).filter(|&link| self.is_for_cars(link)) {
            touched[network.from[link as usize] as usize] = true;
            touched[network.to[link as usize] as usize] = true;
        }
        let nodes = (0..network.nodes() as u32).filter(|&node| touched[node as usize]).map(|node| {
            let (x, y) = (network.node_x[node as usize], network.node_y[node as usize]);
            (node, Segment { ax: x, ay: y, bx: x, by: y })
        });
        NodeIndex { grid: Grid::new(nodes), out: NodePaths::new(network), into }
    }

    fn is_for_cars(&self, link: u32) -> bool {
        self.network.modes[link as usize] & self.modes != 0
    }

    fn segment(&self, link: u32) -> Segment {
        let n = self.network;
        let (from, to) = (n.from[link as usize] as usize, n.to[link as usize] as usize);
        Segment { ax: n.node_x[from], ay: n.node_y[from], bx: n.node_x[to], by: n.node_y[to] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::{ModeTable, NetworkBuilder};

    fn car() -> ModeId {
        ModeTable::default().intern("car").unwrap()
    }

    /// a --- b ------------------------------- c, in both directions.
    fn network() -> Network {
        NetworkBuilder::new()
            .node("a", 0.0, 0.0)
            .node("b", 10.0, 0.0)
            .node("c", 100.0, 0.0)
            .link("cb", "c", "b", 90.0, 1.0, 1.0, 1.0)
            .link("bc", "b", "c", 90.0, 1.0, 1.0, 1.0)
            .link("ba", "b", "a", 10.0, 1.0, 1.0, 1.0)
            .link("ab", "a", "b", 10.0, 1.0, 1.0, 1.0)
            .build()
            .unwrap()
    }

    #[test]
    fn both_rules_find_the_nearest_link_and_resolve_ties() {
        let network = network();
        let near = NearestLink::new(&network, car());
        let id = |link: Option<u32>| network.link_ids.name(link.unwrap());
        // Both directions of a road are equally near: ties go to the smaller id around the node, and to the first in
        // the file overall.
        assert_eq!(id(near.at_nearest_node(30.0, 1.0)), "bc");
        assert_eq!(id(near.nearest(30.0, 1.0)), "cb");
        assert_eq!(id(near.at_nearest_node(4.0, 0.0)), "ab");
        assert_eq!(near.at_nearest_node(f64::NAN, 0.0), None);
    }

    #[test]
    fn the_nearest_node_may_hide_the_nearest_link() {
        let network = NetworkBuilder::new()
            .node("1", 0.0, 0.0)
            .node("2", 100.0, 0.0)
            .node("3", 50.0, 20.0)
            .node("4", 50.0, 90.0)
            .link("long", "1", "2", 100.0, 1.0, 1.0, 1.0)
            .link("up", "3", "4", 70.0, 1.0, 1.0, 1.0)
            .build()
            .unwrap();
        let near = NearestLink::new(&network, car());
        assert_eq!(near.at_nearest_node(50.0, 1.0), Some(1));
        assert_eq!(near.nearest(50.0, 1.0), Some(0));
    }

    #[test]
    fn links_closed_to_cars_do_not_count_around_a_node() {
        let mut network = network();
        let mut modes = ModeTable::default();
        let (car, walk) = (modes.intern("car").unwrap(), modes.intern("walk").unwrap());
        network.modes = vec![car.bit(), car.bit(), walk.bit(), walk.bit()];
        let near = NearestLink::new(&network, car);
        assert_eq!(near.at_nearest_node(1.0, 0.0), Some(1));
        assert_eq!(near.nearest(1.0, 0.0), Some(2));
    }
}
