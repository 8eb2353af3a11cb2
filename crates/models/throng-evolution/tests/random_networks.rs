//! Least-cost paths in small random networks against two simpler algorithms.

use std::sync::Arc;

use proptest::prelude::*;
use throng_evolution::paths::{LeastCostRouter, LinkDisutility, Path, PathQuery, PathScratch};
use throng_evolution::travel_times::{FreeSpeeds, Getter, LinkTravelTimes, TravelTimeCalculator, TravelTimeTable};
use throng_traffic_scenario::{Link, ModeId, Network};

const CAR: ModeId = ModeId(0);

/// Links with few distinct lengths, so that many paths cost the same. Their ids are not in text order.
fn network_of(nodes: u32, links: &[(u32, u32, u32)]) -> Network {
    let mut network = Network::default();
    for i in 0..nodes {
        network.add_node(&format!("n{i}"), 0.0, 0.0).unwrap();
    }
    for (i, &(from, to, length)) in links.iter().enumerate() {
        let (from, to, length_m) = (from % nodes, to % nodes, f64::from(length) * 1000.0);
        let link = Link { from, to, length_m, freespeed_mps: 10.0, capacity: 1000.0, lanes: 1.0, modes: 1 };
        network.add_link(&format!("{}", (i * 7919) % 10_007), link).unwrap();
    }
    network
}

/// Travel times with some delays.
fn times_of(network: &Network, delays: &[(u32, f64, f64)], getter: Getter) -> TravelTimeTable {
    let mut calculator = TravelTimeCalculator::new(300.0, network.links(), 1, CAR);
    for &(link, entry_s, delay_s) in delays {
        let link = link % network.links() as u32;
        calculator.enter(0, entry_s);
        calculator.leave(0, link, entry_s + network.length_m[link as usize] / 10.0 + delay_s);
    }
    calculator.table(&Arc::new(FreeSpeeds::new(network, &[])), getter)
}

/// The rule of the module documentation, with a search for the next node among all nodes and with ids as text.
fn by_rule(network: &Network, query: &PathQuery, times: &TravelTimeTable) -> Option<Path> {
    let [source, target] = [network.to[query.start_link as usize], network.from[query.end_link as usize]];
    let mut labels: Vec<Option<(f64, f64, u32)>> = vec![None; network.nodes()];
    let mut is_final = vec![false; network.nodes()];
    labels[source as usize] = Some((0.0, query.departure_s, u32::MAX));
    while !is_final[target as usize] {
        let open = (0..network.nodes()).filter(|&n| !is_final[n]).filter_map(|n| Some((n, labels[n]?)));
        let (node, (cost, time, _)) = open.min_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
        is_final[node] = true;
        for link in (0..network.links() as u32).filter(|&l| network.from[l as usize] == node as u32) {
            let head = network.to[link as usize] as usize;
            if is_final[head] {
                continue;
            }
            let takes = times.travel_time_s(link, time);
            let through = cost + query.disutility.cost(takes, network.length_m[link as usize]);
            let name = |link: u32| network.link_ids.name(link);
            let is_better =
                |(of_head, _, by): (f64, f64, u32)| through < of_head || through == of_head && name(link) < name(by);
            if labels[head].is_none_or(is_better) {
                labels[head] = Some((through, time + takes, link));
            }
        }
    }
    let (cost, time, _) = labels[target as usize]?;
    let mut links = Vec::new();
    let mut node = target;
    while node != source {
        let link = labels[node as usize]?.2;
        links.insert(0, link);
        node = network.from[link as usize];
    }
    let distance_m = links.iter().chain([&query.end_link]).map(|&link| network.length_m[link as usize]).sum();
    Some(Path { links, travel_time_s: time - query.departure_s, cost, distance_m })
}

/// Earliest arrival by Bellman and Ford's algorithm, seconds of the day; infinite if there is none.
fn earliest_arrival(network: &Network, query: &PathQuery, times: &TravelTimeTable) -> f64 {
    let mut arrival = vec![f64::INFINITY; network.nodes()];
    arrival[network.to[query.start_link as usize] as usize] = query.departure_s;
    for _ in 0..network.nodes() {
        for link in 0..network.links() {
            let enters = arrival[network.from[link] as usize];
            if enters < f64::INFINITY {
                let head = &mut arrival[network.to[link] as usize];
                *head = head.min(enters + times.travel_time_s(link as u32, enters));
            }
        }
    }
    arrival[network.from[query.end_link as usize] as usize]
}

fn cases() -> ProptestConfig {
    ProptestConfig::with_cases(throng_testing::cases(48))
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn paths_follow_the_rule_with_and_without_landmarks(
        nodes in 2u32..25,
        links in prop::collection::vec((0u32..25, 0u32..25, 1u32..4), 1..100),
        delays in prop::collection::vec((any::<u32>(), 0.0..3000.0, 0.0..2000.0), 0..150),
        ends in prop::collection::vec((any::<u32>(), any::<u32>(), 0.0..3000.0), 10),
        rates in prop::sample::select(vec![(1.0, 0.0), (0.003, 0.0002), (0.003, 0.1), (0.0, 1.0)]),
        sigma in prop::sample::select(vec![0.0, 3.0]),
        getter in prop::sample::select(vec![Getter::Average, Getter::LinearInterpolation]),
    ) {
        let network = network_of(nodes, &links);
        let times = times_of(&network, &delays, getter);
        let plain = LeastCostRouter::new(&network, CAR);
        let mut directed = LeastCostRouter::new(&network, CAR);
        directed.set_least_travel_times(&vec![0.0; network.links()]);
        directed.set_least_travel_times(&times.least_s());
        let mut scratch = PathScratch::default();
        for (i, (start, end, departure_s)) in ends.into_iter().enumerate() {
            let [start_link, end_link] = [start, end].map(|link| link % network.links() as u32);
            let disutility = LinkDisutility::new(rates.0, rates.1).unwrap().randomized(sigma, i as f64 / 5.0 - 1.0);
            let query = PathQuery { start_link, end_link, departure_s, disutility, max_speed_mps: f64::INFINITY };
            let found = plain.path(&mut scratch, &query, &times);
            prop_assert_eq!(&directed.path(&mut scratch, &query, &times), &found);
            if start_link == end_link {
                prop_assert_eq!(found, Some(Path::default()));
                continue;
            }
            prop_assert_eq!(found, by_rule(&network, &query, &times));
        }
    }

    /// Without overtaking and without a cost of distance, the rule leads to the earliest arrival.
    #[test]
    fn paths_arrive_as_early_as_possible(
        nodes in 2u32..25,
        links in prop::collection::vec((0u32..25, 0u32..25, 1u32..4), 1..100),
        delays in prop::collection::vec((any::<u32>(), 0.0..3000.0, 0.0..2000.0), 0..150),
        departure_s in 0.0..3000.0,
    ) {
        let network = network_of(nodes, &links);
        let times = times_of(&network, &delays, Getter::LinearInterpolation);
        let disutility = LinkDisutility::new(0.5, 0.0).unwrap();
        for end_link in 1..network.links() as u32 {
            let query = PathQuery { start_link: 0, end_link, departure_s, disutility, max_speed_mps: f64::INFINITY };
            let found = LeastCostRouter::new(&network, CAR).path(&mut PathScratch::default(), &query, &times);
            let earliest = earliest_arrival(&network, &query, &times);
            match found {
                None => prop_assert_eq!(earliest, f64::INFINITY),
                Some(path) => {
                    prop_assert!((departure_s + path.travel_time_s - earliest).abs() < 1e-8, "{:?} {}", path, earliest);
                    prop_assert!((path.cost - 0.5 * path.travel_time_s).abs() < 1e-8);
                }
            }
        }
    }
}
