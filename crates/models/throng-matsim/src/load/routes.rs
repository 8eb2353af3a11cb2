//! Routes of network legs as lists of links.

use throng_core::NONE;

use super::id_lookup::{self, IdLookup, ListedId};
use super::report::Report;
use crate::formats::node_path::NodePaths;
use crate::formats::person::{PersonRecord, RouteFormat, RouteRecord};
use crate::formats::value::quoted;
use throng_traffic_scenario::Network;

const UNKNOWN_LINK: &str = "routes name a link that the network does not have; the vehicle is aborted there";
const UNKNOWN_END: &str = "teleported legs have a route that ends at a link that the network does not have; they end \
    at the next activity";
const NO_LINK: &str = "routes name two nodes that no link connects; the vehicle is aborted there";
const GAP: &str = "routes have links that do not follow each other; the vehicle is aborted there";

/// Resolves the links of routes.
#[derive(Debug)]
pub(super) struct Routes<'a> {
    network: &'a Network,
    link_ids: IdLookup<'a>,
    // Used only for routes given by nodes.
    by_nodes: Option<ByNodes<'a>>,
}

#[derive(Debug)]
struct ByNodes<'a> {
    nodes: IdLookup<'a>,
    paths: NodePaths,
}

/// A route in the form that the simulation uses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Resolved {
    /// Index of its first entry in the list of links.
    pub(super) start: u64,
    /// Number of links, including the first and the last one.
    pub(super) len: u32,
    /// Link where the route ends; [`NONE`] if it is unknown.
    pub(super) end_link: u32,
    /// Length in metres by MATSim's rules, for files without a distance.
    pub(super) distance: f64,
}

impl<'a> Routes<'a> {
    pub(super) fn new(network: &'a Network, by_nodes: bool) -> Self {
        let by_nodes =
            by_nodes.then(|| ByNodes { nodes: IdLookup::new(&network.node_ids), paths: NodePaths::new(network) });
        Self { network, link_ids: IdLookup::new(&network.link_ids), by_nodes }
    }

    /// Returns the index of the link `id`.
    pub(super) fn link(&self, id: &str) -> Option<u32> {
        self.link_ids.find(id)
    }

    /// Appends the links of `route` to `links`.
    ///
    /// `from` is the link where the vehicle is parked at departure; as in MATSim, the first link of the route is
    /// ignored. `to` is the link of the next activity, used if the route does not give its end.
    pub(super) fn resolve(
        &self,
        person: &PersonRecord,
        route: &RouteRecord,
        from: u32,
        to: u32,
        links: &mut Vec<u32>,
        report: &mut Report<'_>,
    ) -> Resolved {
        let start = links.len();
        links.push(from);
        let description = person.text(route.description);
        let place = (person, route);
        let mut end_link = match route.format {
            RouteFormat::Nodes => {
                self.links_between(description, place, links, report);
                to
            }
            _ => self.links_listed(description, place, links, report),
        };
        // The distance excludes the first link; whether it includes the last one differs between MATSim's readers.
        let length = |link: u32| self.network.length_m.get(link as usize).copied().unwrap_or(0.0);
        let mut distance: f64 = links[start + 1..].iter().map(|&link| length(link)).fold(0.0, std::ops::Add::add);
        if end_link == NONE && id_lookup::list(description).nth(1).is_none() {
            end_link = match person.optional(route.end_link).and_then(|id| id_lookup::list(id).next()) {
                Some(id) => self.known(id, place, report),
                None => to,
            };
        }
        if route.format == RouteFormat::Nodes && end_link != from {
            distance += length(end_link);
        }
        // A driver arrives as soon as the list is used up and the current link is the last one. A last link that is
        // listed twice, or that the driver is already on, is therefore not driven again.
        if links.last() != Some(&end_link) || end_link == NONE {
            links.push(end_link);
        }
        let driven = &links[start..];
        if route.format == RouteFormat::Nodes && driven.len() > 3 {
            // Gaps between the nodes have been reported already; only the two ends remain to be checked.
            self.check_connected(&driven[..2], place, report);
            self.check_connected(&driven[driven.len() - 2..], place, report);
        } else {
            self.check_connected(driven, place, report);
        }
        Resolved { start: start as u64, len: (links.len() - start) as u32, end_link, distance }
    }

    /// Returns the last link of a route that is not driven; `to`, the link of the next activity, if the route does
    /// not name its end, or names an unknown link.
    pub(super) fn end_of(&self, person: &PersonRecord, route: &RouteRecord, to: u32, report: &mut Report<'_>) -> u32 {
        let last = match route.format {
            RouteFormat::Links => {
                let mut ids = person.text(route.description).split_ascii_whitespace();
                ids.next().and_then(|_| ids.next_back())
            }
            _ => None,
        };
        let Some(id) = last.or_else(|| person.optional(route.end_link)) else { return to };
        self.link(id).unwrap_or_else(|| {
            let detail = || format!("link {} of person {}", quoted(id), quoted(person.id()));
            report.warn(UNKNOWN_END, route.line, detail);
            to
        })
    }

    /// Appends all listed links except the first and the last one, and returns the last one; [`NONE`] if the list has
    /// fewer than two links, or its last link is unknown.
    fn links_listed(
        &self,
        description: &str,
        place: (&PersonRecord, &RouteRecord),
        links: &mut Vec<u32>,
        report: &mut Report<'_>,
    ) -> u32 {
        let mut ids = id_lookup::list(description);
        ids.next();
        let Some(mut id) = ids.next() else { return NONE };
        for next in ids {
            links.push(self.known(id, place, report));
            id = next;
        }
        self.known(id, place, report)
    }

    #[inline]
    fn known(&self, id: ListedId<'_>, (person, route): (&PersonRecord, &RouteRecord), report: &mut Report<'_>) -> u32 {
        self.link_ids.get(id).unwrap_or_else(|| {
            let detail =
                || format!("link {} of person {}{}", quoted(id.text), quoted(person.id()), self.ids_with_blanks());
            report.warn(UNKNOWN_LINK, route.line, detail);
            NONE
        })
    }

    /// Names a link that no route can name, because blanks separate the links of a route; empty if there is none.
    fn ids_with_blanks(&self) -> String {
        let id = self.network.link_ids.iter().find(|id| id.contains(char::is_whitespace));
        id.map_or_else(String::new, |id| {
            format!("; routes cannot name links with blanks in their id, such as {}", quoted(id))
        })
    }

    /// Appends the links between the listed nodes.
    fn links_between(
        &self,
        description: &str,
        (person, route): (&PersonRecord, &RouteRecord),
        links: &mut Vec<u32>,
        report: &mut Report<'_>,
    ) {
        let Some(ByNodes { nodes, paths }) = &self.by_nodes else { return };
        let mut previous = NONE;
        for id in id_lookup::list(description) {
            let Some(node) = nodes.get(id) else {
                // One problem per route: plans of another network would otherwise cause one per node.
                let message = format!("a route of person {} names node {}", quoted(person.id()), quoted(id.text));
                let remedy = "The network has no such node: use the network to which the plans belong.";
                report.problem(route.line, message, remedy);
                return;
            };
            if previous != NONE {
                if let Some(link) = paths.link(previous, node) {
                    links.push(link);
                } else {
                    let before = self.network.node_ids.name(previous);
                    let detail = || {
                        format!("nodes {} and {} of person {}", quoted(before), quoted(id.text), quoted(person.id()))
                    };
                    report.warn(NO_LINK, route.line, detail);
                }
            }
            previous = node;
        }
    }

    fn check_connected(&self, links: &[u32], (person, route): (&PersonRecord, &RouteRecord), report: &mut Report<'_>) {
        let Network { from, to, link_ids, .. } = self.network;
        for pair in links.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let ends = (to.get(a as usize), from.get(b as usize));
            if let (Some(end), Some(start)) = ends
                && end != start
            {
                let names = [a, b].map(|link| quoted(link_ids.name(link)));
                let detail = || format!("links {} and {} of person {}", names[0], names[1], quoted(person.id()));
                report.warn(GAP, route.line, detail);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_core::Warnings;

    use super::*;
    use crate::formats::person::Text;
    use throng_traffic_scenario::NetworkBuilder;

    /// A ring 1 - 2 - 3 - 1 with a loop at 2 and a tail 2 - 4.
    fn network() -> Network {
        ring().build().unwrap()
    }

    fn ring() -> NetworkBuilder {
        NetworkBuilder::new()
            .node("1", 0.0, 0.0)
            .node("2", 1.0, 0.0)
            .node("3", 2.0, 0.0)
            .node("4", 3.0, 0.0)
            .link("12", "1", "2", 10.0, 1.0, 1.0, 1.0)
            .link("23", "2", "3", 20.0, 1.0, 1.0, 1.0)
            .link("31", "3", "1", 40.0, 1.0, 1.0, 1.0)
            .link("22", "2", "2", 80.0, 1.0, 1.0, 1.0)
            .link("24", "2", "4", 160.0, 1.0, 1.0, 1.0)
    }

    struct Case {
        links: Vec<&'static str>,
        end: &'static str,
        distance: f64,
        warnings: Vec<(String, u64)>,
        examples: String,
        problems: usize,
    }

    fn resolve(format: RouteFormat, text: &str, ends: [&str; 2], end_link: Option<&str>) -> Case {
        resolve_in(network(), format, text, ends, end_link)
    }

    fn resolve_in(
        network: Network,
        format: RouteFormat,
        text: &str,
        [from, to]: [&str; 2],
        end_link: Option<&str>,
    ) -> Case {
        let network: &'static Network = Box::leak(Box::new(network));
        let mut person = PersonRecord::new();
        person.id = person.add_text("p");
        let route = RouteRecord {
            line: 5,
            format,
            kind: Text::NONE,
            start_link: Text::NONE,
            end_link: person.add_optional(end_link),
            travel_time: f64::NAN,
            distance: f64::NAN,
            vehicle: Text::NONE,
            description: person.add_text(text),
        };
        let mut warnings = Warnings::new();
        let mut report = Report::new("plans.xml".into(), &mut warnings);
        let [from, to] = [from, to].map(|id| network.link_ids.get(id).unwrap());
        let mut links = vec![99, 98];
        let found = Routes::new(network, true).resolve(&person, &route, from, to, &mut links, &mut report);
        let problems = report.problems.total();
        assert_eq!((found.start, found.len as usize), (2, links.len() - 2));
        let name = |link: u32| if link == NONE { "?" } else { network.link_ids.name(link) };
        Case {
            links: links[2..].iter().map(|&link| name(link)).collect(),
            end: name(found.end_link),
            distance: found.distance,
            warnings: warnings.iter().map(|(kind, w)| (kind.to_owned(), w.count)).collect(),
            examples: warnings.iter().map(|(_, warning)| warning.example.as_str()).collect(),
            problems,
        }
    }

    use RouteFormat::{Links, Nodes};

    #[test]
    fn routes_by_nodes_get_their_links_and_both_ends() {
        let case = resolve(Nodes, "2 3", ["12", "31"], None);
        assert_eq!(case.links, ["12", "23", "31"]);
        // The distance excludes the first link and includes the last one.
        assert_eq!((case.end, case.distance, case.warnings), ("31", 60.0, vec![]));
        let case = resolve(Nodes, "2", ["12", "24"], None);
        assert_eq!((case.links, case.distance), (vec!["12", "24"], 160.0));
        // The empty route of a leg on one link, and a round trip back to it.
        let case = resolve(Nodes, " ", ["12", "12"], None);
        assert_eq!((case.links, case.distance), (vec!["12"], 0.0));
        let case = resolve(Nodes, "2 3 1", ["12", "12"], None);
        assert_eq!((case.links, case.distance), (vec!["12", "23", "31", "12"], 60.0));
    }

    #[test]
    fn link_routes_end_at_their_last_link() {
        let case = resolve(Links, "12 23 31", ["12", "31"], Some("31"));
        assert_eq!(case.links, ["12", "23", "31"]);
        // The distance excludes the first and the last link.
        assert_eq!((case.end, case.distance, case.warnings), ("31", 20.0, vec![]));
        // The list takes precedence over the attribute and the next activity.
        let case = resolve(Links, "12 23", ["12", "31"], Some("24"));
        assert_eq!((case.links, case.end), (vec!["12", "23"], "23"));
        // A single link is the start of the route; the end comes from the attribute, or else from the activity.
        assert_eq!(resolve(Links, "12", ["12", "24"], Some("23")).links, ["12", "23"]);
        assert_eq!(resolve(Links, "12", ["12", "24"], None).links, ["12", "24"]);
        assert_eq!(resolve(Links, "", ["12", "12"], None).links, ["12"]);
        // The vehicle departs where it is parked.
        assert_eq!(resolve(Links, "31 12 23", ["31", "23"], None).links, ["31", "12", "23"]);
    }

    #[test]
    fn a_last_link_listed_twice_is_driven_once() {
        assert_eq!(resolve(Links, "12 24 24", ["12", "24"], None).links, ["12", "24"]);
        assert_eq!(resolve(Links, "12 12", ["12", "12"], None).links, ["12"]);
        // A loop link may be driven twice.
        assert_eq!(resolve(Links, "12 22 22 22", ["12", "22"], None).links, ["12", "22", "22"]);
    }

    #[test]
    fn blanks_in_ids_are_named_as_a_reason_for_unknown_links() {
        assert!(!resolve(Links, "12 5 31", ["12", "31"], None).examples.contains("blanks"));
        let network = ring().link("5 ", "2", "3", 1.0, 1.0, 1.0, 1.0).build().unwrap();
        let case = resolve_in(network, Links, "12 5  31", ["12", "31"], None);
        assert!(
            case.examples.contains("link \"5\" of person \"p\"; routes cannot name links with blanks"),
            "{}",
            case.examples
        );
        assert!(case.examples.contains("such as \"5 \""), "{}", case.examples);
    }

    #[test]
    fn unknown_and_unconnected_links_are_kept_and_counted() {
        let case = resolve(Links, "12 zz 31", ["12", "31"], None);
        assert_eq!(case.links, ["12", "?", "31"]);
        assert_eq!(case.warnings, [(UNKNOWN_LINK.to_owned(), 1)]);
        let case = resolve(Links, "12 23 zz", ["12", "31"], None);
        assert_eq!((case.links, case.end), (vec!["12", "23", "?"], "?"));
        let case = resolve(Links, "12 31", ["12", "31"], None);
        assert_eq!((case.links, case.warnings), (vec!["12", "31"], vec![(GAP.to_owned(), 1)]));
        let case = resolve(Nodes, "2 4 3", ["12", "31"], None);
        assert_eq!(case.links, ["12", "24", "31"]);
        assert_eq!(case.warnings, [(GAP.to_owned(), 1), (NO_LINK.to_owned(), 1)]);
        assert_eq!(case.problems, 0);
        assert_eq!(resolve(Nodes, "2 zz 3", ["12", "31"], None).problems, 1);
    }

    #[test]
    fn ends_of_undriven_routes_are_resolved() {
        let network = network();
        let routes = Routes::new(&network, false);
        let mut person = PersonRecord::new();
        let mut route = RouteRecord {
            line: 1,
            format: RouteFormat::Other,
            kind: Text::NONE,
            start_link: Text::NONE,
            end_link: person.add_text("31"),
            travel_time: f64::NAN,
            distance: f64::NAN,
            vehicle: Text::NONE,
            description: person.add_text("12 23"),
        };
        let mut warnings = Warnings::new();
        let mut report = Report::new("plans.xml".into(), &mut warnings);
        assert_eq!(routes.end_of(&person, &route, 0, &mut report), 2);
        route.format = RouteFormat::Links;
        assert_eq!(routes.end_of(&person, &route, 0, &mut report), 1);
        route.description = person.add_text("12 zz");
        assert_eq!(routes.end_of(&person, &route, 0, &mut report), 0);
        route.description = Text::NONE;
        route.end_link = Text::NONE;
        assert_eq!(routes.end_of(&person, &route, 0, &mut report), 0);
        assert!(report.problems.is_empty());
        assert_eq!(warnings.count(UNKNOWN_END), 1);
        assert!(warnings.iter().next().unwrap().1.example.starts_with("plans.xml:1: link \"zz\" of person"));
    }
}
