//! The executor's indices of nodes and links, chosen for locality and for partitions.
//!
//! Nodes follow a Hilbert curve through their coordinates. Links are grouped by their end node and sorted by id within
//! each group, which is the order in which a node considers its in-links. A partition is a range of nodes and the range
//! of their in-links.

use std::ops::Range;

use throng_traffic_scenario::Network;

/// Indices and partitions of a network.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// Scenario index of each node.
    pub node_external: Vec<u32>,
    /// Executor index of each link of the scenario.
    pub link_of: Vec<u32>,
    /// Scenario index of each link.
    pub link_external: Vec<u32>,
    /// First in-link of each node, plus a final entry for the end of the last node's in-links.
    pub first_in_link: Vec<u32>,
    /// Start node of each link, by executor index.
    pub from: Vec<u32>,
    /// End node of each link, by executor index.
    pub to: Vec<u32>,
    /// Nodes of each partition.
    pub partitions: Vec<Range<u32>>,
    /// Partition of each node.
    pub partition_of_node: Vec<u16>,
}

impl Layout {
    /// Divides `network` into `partitions` partitions with about equal sums of `weight` over their links.
    pub fn new(network: &Network, partitions: usize, weight: impl Fn(u32) -> u64) -> Self {
        let node_external = hilbert_order(network);
        let node_of = inverse(&node_external);
        let rank = network.link_ids.ranks();
        let mut link_external: Vec<u32> = (0..network.links() as u32).collect();
        link_external.sort_unstable_by_key(|&l| (node_of[network.to[l as usize] as usize], rank[l as usize]));
        let link_of = inverse(&link_external);

        let end = |ends: &[u32]| link_external.iter().map(|&l| node_of[ends[l as usize] as usize]).collect();
        let (from, to): (Vec<u32>, Vec<u32>) = (end(&network.from), end(&network.to));
        let mut first_in_link = vec![0u32; network.nodes() + 1];
        for &node in &to {
            first_in_link[node as usize + 1] += 1;
        }
        for node in 0..network.nodes() {
            first_in_link[node + 1] += first_in_link[node];
        }

        let node_weight = |node: usize| -> u64 {
            let links = first_in_link[node] as usize..first_in_link[node + 1] as usize;
            1 + link_external[links].iter().map(|&l| weight(l)).sum::<u64>()
        };
        let weights: Vec<u64> = (0..network.nodes()).map(node_weight).collect();
        let parts = split(&weights, partitions);
        let mut partition_of_node = vec![0; network.nodes()];
        for (p, range) in parts.iter().enumerate() {
            for node in range.clone() {
                partition_of_node[node as usize] = p as u16;
            }
        }
        Self { node_external, link_of, link_external, first_in_link, from, to, partitions: parts, partition_of_node }
    }

    /// Returns the links of a partition.
    pub fn links_of(&self, partition: usize) -> Range<u32> {
        let nodes = &self.partitions[partition];
        self.first_in_link[nodes.start as usize]..self.first_in_link[nodes.end as usize]
    }

    /// Returns the partition that owns a link: that of its end node.
    pub fn owner(&self, link: u32) -> u16 {
        self.partition_of_node[self.to[link as usize] as usize]
    }
}

fn inverse(order: &[u32]) -> Vec<u32> {
    let mut inverse = vec![0; order.len()];
    for (position, &i) in order.iter().enumerate() {
        inverse[i as usize] = position as u32;
    }
    inverse
}

/// Divides the weights into ranges of about equal sums.
fn split(weights: &[u64], parts: usize) -> Vec<Range<u32>> {
    let total: u64 = weights.iter().sum();
    let mut ranges = Vec::with_capacity(parts);
    let (mut start, mut passed) = (0usize, 0u64);
    for part in 1..=parts {
        let target = total * part as u64 / parts as u64;
        let mut end = start;
        while end < weights.len() && (passed < target || part == parts) {
            passed += weights[end];
            end += 1;
        }
        ranges.push(start as u32..end as u32);
        start = end;
    }
    ranges
}

fn hilbert_order(network: &Network) -> Vec<u32> {
    let finite = |values: &[f64]| {
        let inside = values.iter().copied().filter(|v| v.is_finite());
        (inside.clone().fold(f64::INFINITY, f64::min), inside.fold(f64::NEG_INFINITY, f64::max))
    };
    let ((x0, x1), (y0, y1)) = (finite(&network.node_x), finite(&network.node_y));
    let extent = (x1 - x0).max(y1 - y0);
    let scale = |v: f64, low: f64| {
        let fraction = (v - low) / extent;
        if fraction.is_finite() { (fraction * 65_535.0) as u32 } else { 0 }
    };
    let mut order: Vec<u32> = (0..network.nodes() as u32).collect();
    order.sort_by_cached_key(|&n| {
        let n = n as usize;
        (hilbert(scale(network.node_x[n], x0), scale(network.node_y[n], y0)), n)
    });
    order
}

/// Returns the distance along the Hilbert curve through a 65,536 x 65,536 grid.
fn hilbert(mut x: u32, mut y: u32) -> u64 {
    let mut distance = 0u64;
    let mut s = 1u32 << 15;
    while s > 0 {
        let (rx, ry) = (u32::from(x & s > 0), u32::from(y & s > 0));
        distance += u64::from(s) * u64::from(s) * u64::from((3 * rx) ^ ry);
        if ry == 0 {
            if rx == 1 {
                x = 65_535 - x;
                y = 65_535 - y;
            }
            std::mem::swap(&mut x, &mut y);
        }
        s >>= 1;
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::NetworkBuilder;

    #[test]
    fn neighbours_on_the_curve_are_neighbours_in_the_plane() {
        let mut cells: Vec<(u64, i64, i64)> = Vec::new();
        for x in 0..16u32 {
            for y in 0..16u32 {
                cells.push((hilbert(x << 12, y << 12), i64::from(x), i64::from(y)));
            }
        }
        cells.sort_unstable();
        assert!(cells.windows(2).all(|w| (w[0].1 - w[1].1).abs() + (w[0].2 - w[1].2).abs() == 1));
    }

    #[test]
    fn in_links_are_contiguous_and_sorted_by_id_text() {
        let network = NetworkBuilder::new()
            .node("a", 0.0, 0.0)
            .node("b", 100.0, 0.0)
            .link("9", "a", "b", 1.0, 1.0, 1.0, 1.0)
            .link("10", "a", "b", 1.0, 1.0, 1.0, 1.0)
            .link("x", "b", "a", 1.0, 1.0, 1.0, 1.0)
            .build()
            .unwrap();
        let layout = Layout::new(&network, 2, |_| 1);
        let b = layout.to[layout.link_of[0] as usize] as usize;
        let names: Vec<&str> = (layout.first_in_link[b]..layout.first_in_link[b + 1])
            .map(|l| network.link_ids.name(layout.link_external[l as usize]))
            .collect();
        assert_eq!(names, ["10", "9"]);
        assert_eq!(layout.partitions.len(), 2);
        assert_eq!(layout.partitions[1].end, 2);
        assert_eq!(layout.owner(layout.link_of[0]), layout.partition_of_node[b]);
    }

    #[test]
    fn parts_have_about_equal_weight() {
        assert_eq!(split(&[1; 10], 2), [0..5, 5..10]);
        assert_eq!(split(&[10, 1, 1, 1], 2), [0..1, 1..4]);
        assert_eq!(split(&[1], 3), [0..0, 0..0, 0..1]);
    }
}
