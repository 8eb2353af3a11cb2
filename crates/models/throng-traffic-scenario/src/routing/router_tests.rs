use proptest::prelude::*;

use super::*;
use crate::routing::graph::cost_ns;
use crate::{Link, NetworkBuilder};

/// Reference implementation of the rule in the module documentation: all costs by Bellman-Ford, then backwards by
/// smallest id.
fn reference(network: &Network, from_link: u32, to_link: u32) -> Option<(Vec<u32>, u64)> {
    if from_link == to_link {
        return Some((vec![from_link], 0));
    }
    let cost: Vec<u64> = (0..network.links())
        .map(|l| cost_ns(network.length_m[l], network.freespeed_mps[l], f64::INFINITY).unwrap())
        .collect();
    let source = network.to[from_link as usize];
    let target = network.from[to_link as usize];
    let mut best = vec![u64::MAX; network.nodes()];
    best[source as usize] = 0;
    for _ in 0..network.nodes() {
        for l in 0..network.links() {
            let through = best[network.from[l] as usize].saturating_add(cost[l]);
            let head = &mut best[network.to[l] as usize];
            *head = through.min(*head);
        }
    }
    if best[target as usize] == u64::MAX {
        return None;
    }
    let mut links = vec![to_link];
    let mut node = target;
    while node != source {
        let tight = |l: &u32| {
            let from = best[network.from[*l as usize] as usize];
            network.to[*l as usize] == node && from != u64::MAX && from + cost[*l as usize] == best[node as usize]
        };
        let arrival = (0..network.links() as u32).filter(tight).min_by_key(|&l| network.link_ids.name(l)).unwrap();
        links.push(arrival);
        node = network.from[arrival as usize];
    }
    links.push(from_link);
    links.reverse();
    Some((links, best[target as usize]))
}

fn network_of(nodes: u32, links: &[(u32, u32, u32)]) -> Network {
    let mut network = Network::default();
    for i in 0..nodes {
        network.add_node(&format!("n{i}"), f64::from(i), 0.0).unwrap();
    }
    for (i, &(from, to, length)) in links.iter().enumerate() {
        let link = Link {
            from: from % nodes,
            to: to % nodes,
            length_m: f64::from(length),
            freespeed_mps: 10.0,
            capacity: 1000.0,
            lanes: 1.0,
            modes: 1,
        };
        // Ids without leading zeros, so that text order differs from the order of the file.
        network.add_link(&format!("{}", (i * 7919) % 10_007), link).unwrap();
    }
    network
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(throng_testing::cases(38)))]

    /// A small number of distinct lengths causes many ties; some lengths are zero.
    #[test]
    fn any_network_gives_the_path_of_the_rule(
        nodes in 2u32..30,
        links in proptest::collection::vec((0u32..30, 0u32..30, 0u32..4), 1..120),
        seed in any::<u32>(),
    ) {
        let network = network_of(nodes, &links);
        let router = Router::new(&network, ModeId(0), f64::INFINITY);
        let without = Router { landmarks: Landmarks::none(), ..Router::new(&network, ModeId(0), f64::INFINITY) };
        let mut scratch = RouterScratch::default();
        for i in 0..20 {
            let pick = |k: u32| (seed.wrapping_add(i).wrapping_mul(2_654_435_761).rotate_left(k)) % links.len() as u32;
            let (from, to) = (pick(3), pick(17));
            let expected = reference(&network, from, to);
            let found = router.route_with(&mut scratch, from, to);
            prop_assert_eq!(&found, &without.route(from, to));
            prop_assert_eq!(found.as_ref().map(|r| &r.links), expected.as_ref().map(|e| &e.0));
            prop_assert_eq!(found.map(|r| r.travel_time_s), expected.map(|e| e.1 as f64 / 1e9));
        }
    }

    /// A grid with equal streets has the maximum number of ties.
    #[test]
    fn a_grid_gives_the_path_of_the_rule(width in 2u32..8, from in any::<u32>(), to in any::<u32>()) {
        let mut links = Vec::new();
        for y in 0..width {
            for x in 0..width {
                let node = y * width + x;
                if x + 1 < width {
                    links.extend([(node, node + 1, 100), (node + 1, node, 100)]);
                }
                if y + 1 < width {
                    links.extend([(node, node + width, 100), (node + width, node, 100)]);
                }
            }
        }
        let network = network_of(width * width, &links);
        let router = Router::new(&network, ModeId(0), f64::INFINITY);
        let (from, to) = (from % links.len() as u32, to % links.len() as u32);
        let found = router.route(from, to).unwrap();
        prop_assert_eq!(found.links, reference(&network, from, to).unwrap().0);
    }
}

fn two_ways(slow_mps: f64) -> Network {
    NetworkBuilder::new()
        .node("a", 0.0, 0.0)
        .node("b", 0.0, 0.0)
        .node("c", 0.0, 0.0)
        .node("d", 0.0, 0.0)
        .link("in", "a", "b", 70.0, 10.0, 1000.0, 1.0)
        .link("short", "b", "c", 900.0, slow_mps, 1000.0, 1.0)
        .link("fast", "b", "c", 1000.0, 25.0, 1000.0, 1.0)
        .link("out", "c", "d", 30.0, 10.0, 1000.0, 1.0)
        .build()
        .unwrap()
}

#[test]
fn time_decides_and_the_speed_of_the_vehicle_counts() {
    let network = two_ways(20.0);
    let car = Router::new(&network, ModeId(0), f64::INFINITY).route(0, 3).unwrap();
    assert_eq!(car, Route { links: vec![0, 2, 3], travel_time_s: 40.0, distance_m: 1030.0 });
    let tractor = Router::new(&network, ModeId(0), 10.0).route(0, 3).unwrap();
    assert_eq!(tractor, Route { links: vec![0, 1, 3], travel_time_s: 90.0, distance_m: 930.0 });
}

#[test]
fn neighbouring_and_equal_links() {
    let network = two_ways(20.0);
    let router = Router::new(&network, ModeId(0), f64::INFINITY);
    let next = router.route(0, 1).unwrap();
    assert_eq!(next, Route { links: vec![0, 1], travel_time_s: 0.0, distance_m: 900.0 });
    let same = router.route(1, 1).unwrap();
    assert_eq!(same, Route { links: vec![1], travel_time_s: 0.0, distance_m: 0.0 });
    assert_eq!(router.route(3, 0), None);
    assert_eq!(router.route(0, 99), None);
}

#[test]
fn closed_links_are_no_way() {
    let mut network = two_ways(20.0);
    network.modes[2] = ModeId(1).bit();
    let car = Router::new(&network, ModeId(0), f64::INFINITY);
    assert_eq!(car.route(0, 3).unwrap().links, [0, 1, 3]);
    assert_eq!(car.route(0, 2), None, "the end link is closed");
    network.freespeed_mps[1] = 0.0;
    assert_eq!(Router::new(&network, ModeId(0), f64::INFINITY).route(0, 3), None);
}

/// Eleven links of a kilometre at 7.5 m/s, as in MATSim's chessboard example. Its first leg 91 -> 172 has nine links in
/// between and is planned with 00:19:59 (1200 s minus a rounding error) and 10000.0 m.
#[test]
fn the_ends_count_as_in_matsim() {
    let mut network = Network::default();
    for i in 0..12 {
        network.add_node(&i.to_string(), 0.0, 0.0).unwrap();
    }
    for i in 0..11 {
        let link =
            Link { from: i, to: i + 1, length_m: 1000.0, freespeed_mps: 7.5, capacity: 10.0, lanes: 1.0, modes: 1 };
        network.add_link(&i.to_string(), link).unwrap();
    }
    let route = Router::new(&network, ModeId(0), f64::INFINITY).route(0, 10).unwrap();
    assert_eq!(route.links.len(), 11);
    assert!((route.travel_time_s - 1200.0).abs() < 1e-6);
    assert_eq!(route.distance_m, 10_000.0);
}
