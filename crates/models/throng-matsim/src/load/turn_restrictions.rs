//! Turns that links forbid in their attribute `disallowedNextLinks`, which the simulation and the router ignore.

use rustc_hash::{FxHashMap, FxHashSet};
use throng_core::Warnings;

use super::flat_json::{eat, string};
use crate::formats::network::{DISALLOWED_NEXT_LINKS, LinkAttribute};
use crate::formats::value::quoted;
use throng_traffic_scenario::{ModeTable, Network, PlanElement, Population, RouteKind};

const GIVEN: &str = "routes with a turn that disallowedNextLinks forbids; vehicles make it nevertheless";
const ROUTED: &str =
    "legs without a route, routed over a turn that disallowedNextLinks forbids, which the router ignores";
const NOT_UNDERSTOOD: &str = "links with disallowedNextLinks that are not lists of links per mode; ignored";

/// The forbidden turns of a network.
#[derive(Debug, Clone, Default)]
pub struct TurnRestrictions {
    by_link: FxHashMap<u32, Vec<ForbiddenTurn>>,
}

/// Links that vehicles of a mode must not drive one after the other after the link that forbids it.
#[derive(Debug, Clone)]
struct ForbiddenTurn {
    mode: String,
    links: Vec<u32>,
}

impl TurnRestrictions {
    /// Parses the attributes `disallowedNextLinks` among those of the links.
    pub(super) fn parse(attributes: &[LinkAttribute], network: &Network, warnings: &mut Warnings) -> Self {
        let mut by_link = FxHashMap::default();
        for LinkAttribute { link, value: text, .. } in attributes.iter().filter(|a| a.name == DISALLOWED_NEXT_LINKS) {
            match forbidden_turns(text, network) {
                Some(turns) => {
                    by_link.insert(*link, turns);
                }
                None => warnings
                    .add(NOT_UNDERSTOOD, || format!("link {}: {}", quoted(network.link_ids.name(*link)), quoted(text))),
            }
        }
        Self { by_link }
    }

    /// Warns of legs that make forbidden turns. `routed` are the legs whose route was not given.
    pub(super) fn warn(
        &self,
        (network, modes, population): (&Network, &ModeTable, &Population),
        routed: impl Iterator<Item = u32>,
        warnings: &mut Warnings,
    ) {
        if self.by_link.is_empty() {
            return;
        }
        let routed: FxHashSet<u32> = routed.collect();
        let legs = &population.legs;
        for person in 0..population.persons() as u32 {
            for element in population.plan(person) {
                let PlanElement::Leg(leg) = element else { continue };
                let l = leg as usize;
                if legs.route[l] != RouteKind::Links {
                    continue;
                }
                let start = legs.route_start[l] as usize;
                let links = &population.route_links[start..start + legs.route_len[l] as usize];
                if let Some(at) = self.first_forbidden(links, modes.name(legs.mode[l])) {
                    let kind = if routed.contains(&leg) { ROUTED } else { GIVEN };
                    warnings.add(kind, || {
                        let id = quoted(population.person_ids.name(person));
                        format!("person {id}, after link {}", quoted(network.link_ids.name(links[at])))
                    });
                }
            }
        }
    }

    /// Returns the position of the first link after which a route makes a turn that is forbidden to `mode`.
    fn first_forbidden(&self, links: &[u32], mode: &str) -> Option<usize> {
        links.iter().enumerate().position(|(at, link)| {
            let turns = self.by_link.get(link).map(Vec::as_slice).unwrap_or_default();
            turns.iter().any(|turn| turn.mode == mode && links[at + 1..].starts_with(&turn.links))
        })
    }
}

/// Parses `{"car":[["c"],["d","e"]]}`: for each mode, sequences of links. Those with links that do not exist cannot be
/// driven and are left out. `None` if the text is anything else.
fn forbidden_turns(text: &str, network: &Network) -> Option<Vec<ForbiddenTurn>> {
    let (mut turns, mut mode, mut id) = (Vec::new(), String::new(), String::new());
    let mut rest = text.trim_ascii();
    each_of(&mut rest, ['{', '}'], |rest| {
        (string(rest, &mut mode) && eat(rest, ':')).then_some(())?;
        each_of(rest, ['[', ']'], |rest| {
            let mut links = Some(Vec::new());
            each_of(rest, ['[', ']'], |rest| {
                string(rest, &mut id).then_some(())?;
                match (network.link_ids.get(&id), &mut links) {
                    (Some(link), Some(links)) => links.push(link),
                    _ => links = None,
                }
                Some(())
            })?;
            if let Some(links) = links.filter(|links| !links.is_empty()) {
                turns.push(ForbiddenTurn { mode: mode.clone(), links });
            }
            Some(())
        })
    })?;
    rest.is_empty().then_some(turns)
}

/// Calls `read` for each value of a list that is separated by commas and enclosed in the given brackets.
fn each_of(rest: &mut &str, [open, close]: [char; 2], mut read: impl FnMut(&mut &str) -> Option<()>) -> Option<()> {
    eat(rest, open).then_some(())?;
    if eat(rest, close) {
        return Some(());
    }
    loop {
        read(rest)?;
        if eat(rest, close) {
            return Some(());
        }
        eat(rest, ',').then_some(())?;
    }
}

#[cfg(test)]
mod tests {
    use throng_traffic_scenario::NetworkBuilder;

    use super::*;

    fn network() -> Network {
        let nodes = ["0", "1"].iter().fold(NetworkBuilder::new(), |builder, id| builder.node(id, 0.0, 0.0));
        let links = ["a", "b", "c"];
        links.iter().fold(nodes, |builder, id| builder.link(id, "0", "1", 1.0, 1.0, 1.0, 1.0)).build().unwrap()
    }

    fn attribute(link: u32, value: &str) -> LinkAttribute {
        LinkAttribute { link, name: DISALLOWED_NEXT_LINKS.to_owned(), value: value.to_owned() }
    }

    #[test]
    fn sequences_are_forbidden_to_their_mode() {
        let mut warnings = Warnings::new();
        let text = r#" { "car" : [ ["b"], ["c","a"], ["unknown"], [] ] , "bike" : [] } "#;
        let turns = TurnRestrictions::parse(&[attribute(0, text)], &network(), &mut warnings);
        assert!(warnings.is_empty(), "{warnings:?}");
        for (route, mode, expected) in [
            (&[0, 1][..], "car", Some(0)),
            (&[0, 1], "bike", None),
            (&[2, 0, 2, 0], "car", Some(1)),
            (&[0, 2, 1], "car", None),
            (&[1, 0], "car", None),
            (&[0, 2], "car", None),
            (&[0], "car", None),
        ] {
            assert_eq!(turns.first_forbidden(route, mode), expected, "{route:?} {mode}");
        }
    }

    #[test]
    fn other_texts_are_counted() {
        let texts =
            ["", "[]", r#"{"car":["b"]}"#, r#"{"car":[["b"]}"#, r#"{"car":[["b"]]} x"#, r#"{"car":[[1]]}"#, "{"];
        let attributes: Vec<_> = texts.iter().map(|text| attribute(1, text)).collect();
        let mut warnings = Warnings::new();
        TurnRestrictions::parse(&attributes, &network(), &mut warnings);
        assert_eq!(warnings.count(NOT_UNDERSTOOD), texts.len() as u64);
        assert_eq!(warnings.iter().next().unwrap().1.example, "link \"b\": \"\"");
    }
}
