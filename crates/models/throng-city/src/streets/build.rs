//! Builds the network from the street plan: size, cleaning, splitting, ids.

use throng_core::Philox;

use super::plan::{PlannedLink, StreetPlan};
use super::{RoadClass, lattice, motorway};
use crate::draws::{Draws, Purpose};
use crate::options::CityOptions;
use crate::shape::Shape;
use throng_traffic_scenario::routing::{components, largest};
use throng_traffic_scenario::{Link, ModeId, Network};

/// Links per node of a real network of this kind. Lattice streets have more, and are split until they match.
const LINKS_PER_NODE: f64 = 1.55;

/// The finished road network with the class of every link.
#[derive(Debug)]
pub(crate) struct Streets {
    pub(crate) network: Network,
    pub(crate) class: Vec<RoadClass>,
    pub(crate) shape: Shape,
}

/// Builds a strongly connected network with about the requested number of links.
///
/// No formula gives the number of links from the radius of the city, so the radius is corrected iteratively; the best
/// attempt is used.
pub(crate) fn build(options: &CityOptions, mode: ModeId) -> Streets {
    let philox = Philox::new(options.seed);
    let target = f64::from(options.links);
    let mut radius = 138.0 * target.sqrt();
    let mut best: Option<(f64, f64)> = None;
    for _ in 0..12 {
        let links = f64::from(planned_links(&cleaned(philox, options.centres, radius)));
        let off = (links / target - 1.0).abs();
        if best.is_none_or(|(minimum, _)| off < minimum) {
            best = Some((off, radius));
        }
        if off < 0.004 {
            break;
        }
        radius *= (target / links.max(1.0)).sqrt().clamp(0.5, 2.0);
    }
    let (_, radius) = best.expect("there was an attempt");
    let shape = Shape::new(philox, options.centres, radius);
    let mut plan = cleaned(philox, options.centres, radius);
    split_streets(&mut plan, philox);
    let (network, class) = finish(plan, mode);
    Streets { network, class, shape }
}

/// Returns the plan of a city of the given radius, reduced to its largest strongly connected component.
fn cleaned(philox: Philox, centres: u32, radius: f64) -> StreetPlan {
    let shape = Shape::new(philox, centres, radius);
    let mut plan = StreetPlan::default();
    let lattice = lattice::lay(&mut plan, &shape, philox);
    motorway::lay(&mut plan, &lattice, &shape, philox);

    let mut first = vec![0u32; plan.x.len() + 1];
    for link in &plan.links {
        first[link.from as usize + 1] += 1;
    }
    for i in 0..plan.x.len() {
        first[i + 1] += first[i];
    }
    let mut next = first.clone();
    let mut heads = vec![0u32; plan.links.len()];
    for link in &plan.links {
        let at = &mut next[link.from as usize];
        heads[*at as usize] = link.to;
        *at += 1;
    }
    let component = components(plan.x.len(), |node, i| {
        let at = first[node as usize] + i;
        (at < first[node as usize + 1]).then(|| heads[at as usize])
    });
    let keep = largest(&component);
    plan.retain(|node| Some(component[node as usize]) == keep);
    plan
}

/// Returns the number of splits that bring the plan to the usual number of links per node. Each split adds one node and
/// one link.
fn splits_needed(plan: &StreetPlan) -> u32 {
    let (nodes, links) = (plan.x.len() as f64, plan.links.len() as f64);
    ((links - LINKS_PER_NODE * nodes) / (LINKS_PER_NODE - 1.0)).max(0.0).round() as u32
}

fn planned_links(plan: &StreetPlan) -> u32 {
    plan.links.len() as u32 + splits_needed(plan)
}

/// Splits one-way streets, long ones first, at bends in the middle. A few are split a few metres from their start,
/// as at crossings and stop lines in maps.
fn split_streets(plan: &mut StreetPlan, philox: Philox) {
    let draws = |link: &PlannedLink| Draws::new(philox, link.from, link.to);
    let mut pieces_left = splits_needed(plan);
    while pieces_left > 0 {
        let splittable = |l: &PlannedLink| l.one_way && l.class.has_houses() && l.length_m > 24.0;
        let mut order: Vec<(f64, u32)> = (0..plan.links.len() as u32)
            .filter(|&l| splittable(&plan.links[l as usize]))
            .map(|l| {
                let link = &plan.links[l as usize];
                (link.length_m * draws(link).between(Purpose::Split, 0, 0.5, 1.5), l)
            })
            .collect();
        if order.is_empty() {
            return;
        }
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.truncate(pieces_left as usize);
        pieces_left -= order.len() as u32;
        for (_, l) in order {
            let link = plan.links[l as usize];
            let draws = draws(&link);
            let share = if draws.chance(Purpose::Split, 1, 0.08) {
                draws.between(Purpose::Split, 2, 3.0, 10.0) / link.length_m
            } else {
                draws.between(Purpose::Split, 2, 0.3, 0.7)
            };
            let (a, b) = (link.from as usize, link.to as usize);
            let (dx, dy) = (plan.x[b] - plan.x[a], plan.y[b] - plan.y[a]);
            let aside = draws.between(Purpose::Split, 3, -0.08, 0.08) * share.min(1.0 - share);
            let middle = plan.add_node(plan.x[a] + share * dx - aside * dy, plan.y[a] + share * dy + aside * dx);
            let first = PlannedLink { to: middle, length_m: link.length_m * share, ..link };
            let second = PlannedLink { from: middle, length_m: link.length_m * (1.0 - share), ..link };
            plan.links[l as usize] = first;
            plan.links.push(second);
        }
    }
}

/// Assigns ids to nodes and links along a Z-order curve through the city, so that neighbours have close ids.
fn finish(plan: StreetPlan, mode: ModeId) -> (Network, Vec<RoadClass>) {
    let StreetPlan { x, y, mut links } = plan;
    let (low_x, low_y) = (minimum(&x), minimum(&y));
    let key = |n: usize| morton_code(((x[n] - low_x) / 200.0) as u32, ((y[n] - low_y) / 200.0) as u32);
    let mut order: Vec<u32> = (0..x.len() as u32).collect();
    order.sort_by_cached_key(|&n| key(n as usize));
    let mut new_index = vec![0u32; x.len()];
    let mut network = Network { name: Some("city".into()), ..Network::default() };
    for (new, &old) in order.iter().enumerate() {
        new_index[old as usize] = new as u32;
        network
            .add_node(&(new + 1).to_string(), decimals(x[old as usize], 1), decimals(y[old as usize], 1))
            .expect("numbers are unique");
    }
    for link in &mut links {
        link.from = new_index[link.from as usize];
        link.to = new_index[link.to as usize];
    }
    // The sort is stable, so two ramps between the same nodes keep their order.
    links.sort_by_key(|link| (link.from, link.to));
    for (i, link) in links.iter().enumerate() {
        let link = Link {
            from: link.from,
            to: link.to,
            length_m: decimals(link.length_m, 2),
            freespeed_mps: link.class.freespeed_mps(),
            capacity: link.class.capacity(),
            lanes: link.class.lanes(),
            modes: mode.bit(),
        };
        network.add_link(&(i + 1).to_string(), link).expect("numbers are unique");
    }
    (network, links.iter().map(|link| link.class).collect())
}

fn minimum(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Rounds to a number of decimals, so that files are short and read back as the same numbers.
pub(crate) fn decimals(value: f64, decimals: i32) -> f64 {
    let scale = libm::pow(10.0, f64::from(decimals));
    (value * scale).round() / scale
}

/// Returns the Morton code of a point.
fn morton_code(x: u32, y: u32) -> u64 {
    let spread = |v: u32| (0..32).fold(0u64, |code, bit| code | u64::from(v >> bit & 1) << (2 * bit));
    spread(x) | spread(y) << 1
}

#[cfg(test)]
#[path = "build_tests.rs"]
mod tests;
