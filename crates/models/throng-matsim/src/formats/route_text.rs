//! Routes as text: conversion between lists of nodes and lists of links.

use super::node_path::NodePaths;
use super::person::RouteFormat;
use throng_traffic_scenario::Network;

/// Converts the description of a route between nodes and links.
#[derive(Debug)]
pub(super) struct RouteTexts<'a> {
    network: &'a Network,
    paths: &'a NodePaths,
}

impl<'a> RouteTexts<'a> {
    pub(super) fn new(network: &'a Network, paths: &'a NodePaths) -> Self {
        Self { network, paths }
    }

    /// Appends `description` to `out` in the `wanted` format; `ends` are the ids of the first and the last link.
    /// Returns false if a node, link or end is unknown, if two nodes are not joined, or if a list of nodes would denote
    /// other links: for a route with a gap, over the second of two parallel links, or with other ends.
    pub(super) fn convert(
        &self,
        description: &str,
        ends: [Option<&str>; 2],
        wanted: RouteFormat,
        out: &mut String,
    ) -> bool {
        let converted = match wanted {
            RouteFormat::Nodes => self.nodes(description, out).filter(|()| self.leads_back(description, ends, out)),
            RouteFormat::Links => self.links(description, ends, out),
            RouteFormat::Other => None,
        };
        converted.is_some()
    }

    fn links(&self, nodes: &str, [start, end]: [Option<&str>; 2], out: &mut String) -> Option<()> {
        let (start, end) = (start?, end?);
        out.push_str(start);
        let mut previous = None;
        let mut inner = false;
        for id in nodes.split_ascii_whitespace() {
            let node = self.network.node_ids.get(id)?;
            if let Some(from) = previous {
                let link = self.paths.link(from, node)?;
                push_id(out, self.network.link_ids.name(link));
                inner = true;
            }
            previous = Some(node);
        }
        if inner || start != end {
            push_id(out, end);
        }
        Some(())
    }

    fn nodes(&self, links: &str, out: &mut String) -> Option<()> {
        let mut ids = links.split_ascii_whitespace();
        let first = self.network.link_ids.get(ids.next()?)?;
        let Some(last) = ids.next_back() else { return Some(()) };
        let mut node = self.network.to[first as usize];
        let inner = ids.clone().next().is_some();
        if let Some(id) = ids.clone().next() {
            node = self.network.from[self.network.link_ids.get(id)? as usize];
        }
        if !inner && self.network.link_ids.get(last)? == first {
            return Some(());
        }
        out.push_str(self.network.node_ids.name(node));
        for id in ids {
            node = self.network.to[self.network.link_ids.get(id)? as usize];
            push_id(out, self.network.node_ids.name(node));
        }
        Some(())
    }

    /// Whether reading `nodes` gives the links in `links` again.
    fn leads_back(&self, links: &str, ends: [Option<&str>; 2], nodes: &str) -> bool {
        let given: Vec<_> = links.split_ascii_whitespace().collect();
        let ends = [ends[0].or(given.first().copied()), ends[1].or(given.last().copied())];
        let mut again = String::new();
        if self.links(nodes, ends, &mut again).is_none() {
            return false;
        }
        let found: Vec<_> = again.split_ascii_whitespace().collect();
        // A list that consists of the same link twice denotes that link once.
        given == found || matches!((&*given, &*found), ([a, b], [c]) if a == b && b == c)
    }
}

fn push_id(out: &mut String, id: &str) {
    out.push(' ');
    out.push_str(id);
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::NetworkBuilder;

    #[test]
    fn nodes_and_links_turn_into_each_other() {
        let network = NetworkBuilder::new()
            .node("1", 0.0, 0.0)
            .node("2", 1.0, 0.0)
            .node("3", 2.0, 0.0)
            .node("4", 3.0, 0.0)
            .link("12", "1", "2", 1.0, 1.0, 1.0, 1.0)
            .link("23", "2", "3", 1.0, 1.0, 1.0, 1.0)
            .link("34", "3", "4", 1.0, 1.0, 1.0, 1.0)
            .build()
            .unwrap();
        let paths = NodePaths::new(&network);
        let routes = RouteTexts::new(&network, &paths);
        let convert = |text: &str, ends: [&str; 2], wanted| {
            let mut out = String::new();
            routes.convert(text, ends.map(Some), wanted, &mut out).then_some(out)
        };
        for (nodes, ends, links) in
            [("2 3", ["12", "34"], "12 23 34"), ("2", ["12", "23"], "12 23"), ("", ["12", "12"], "12")]
        {
            assert_eq!(convert(nodes, ends, RouteFormat::Links).as_deref(), Some(links));
            assert_eq!(convert(links, ends, RouteFormat::Nodes).as_deref(), Some(nodes));
        }
        assert_eq!(convert("2 4", ["12", "34"], RouteFormat::Links), None);
        assert_eq!(convert("2 9", ["12", "34"], RouteFormat::Links), None);
        assert_eq!(convert("12 99 34", ["12", "34"], RouteFormat::Nodes), None);
        assert_eq!(convert("12 12", ["12", "12"], RouteFormat::Nodes).as_deref(), Some(""));
        // Gaps, and ends other than those of the activities.
        for (links, ends) in [
            ("12 34 12 23", ["12", "23"]),
            ("12 23 12 23", ["12", "23"]),
            ("12 23", ["12", "34"]),
            ("23 34", ["12", "34"]),
        ] {
            assert_eq!(convert(links, ends, RouteFormat::Nodes), None, "{links}");
        }
        let mut out = String::new();
        assert!(!routes.convert("2 3", [None, Some("34")], RouteFormat::Links, &mut out));
    }

    #[test]
    fn node_pairs_denote_the_first_of_parallel_links() {
        let network = NetworkBuilder::new()
            .node("1", 0.0, 0.0)
            .node("2", 1.0, 0.0)
            .link("a", "2", "1", 1.0, 1.0, 1.0, 1.0)
            .link("b", "1", "2", 1.0, 1.0, 1.0, 1.0)
            .link("c", "1", "2", 1.0, 1.0, 1.0, 1.0)
            .build()
            .unwrap();
        let paths = NodePaths::new(&network);
        let routes = RouteTexts::new(&network, &paths);
        let ends = [Some("a"), Some("a")];
        assert!(routes.convert("a b a", ends, RouteFormat::Nodes, &mut String::new()));
        assert!(!routes.convert("a c a", ends, RouteFormat::Nodes, &mut String::new()));
        // As an end, the link is named by the activity.
        assert!(routes.convert("a c", [Some("a"), Some("c")], RouteFormat::Nodes, &mut String::new()));
    }
}
