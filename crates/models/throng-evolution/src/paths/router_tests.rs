use throng_traffic_scenario::{Network, NetworkBuilder};

use super::*;
use crate::travel_times::FreeSpeeds;

const CAR: ModeId = ModeId(0);

/// From `in` to `out`, by one of two links from b to c.
fn two_ways(ids: [&str; 2], lengths_m: [f64; 2], speeds_mps: [f64; 2]) -> Network {
    NetworkBuilder::new()
        .node("a", 0.0, 0.0)
        .node("b", 0.0, 0.0)
        .node("c", 0.0, 0.0)
        .node("d", 0.0, 0.0)
        .link("in", "a", "b", 70.0, 10.0, 1000.0, 1.0)
        .link(ids[0], "b", "c", lengths_m[0], speeds_mps[0], 1000.0, 1.0)
        .link(ids[1], "b", "c", lengths_m[1], speeds_mps[1], 1000.0, 1.0)
        .link("out", "c", "d", 30.0, 10.0, 1000.0, 1.0)
        .build()
        .unwrap()
}

fn query(start_link: u32, end_link: u32, rates: [f64; 2]) -> PathQuery {
    let disutility = LinkDisutility::new(rates[0], rates[1]).unwrap();
    PathQuery { start_link, end_link, departure_s: 0.0, disutility, max_speed_mps: f64::INFINITY }
}

/// The path at free speed, with and without landmarks.
fn path(network: &Network, query: &PathQuery) -> Option<Path> {
    let times = FreeSpeeds::new(network, &[]);
    let mut router = LeastCostRouter::new(network, CAR);
    let mut scratch = PathScratch::default();
    let path = router.path(&mut scratch, query, &times);
    let least: Vec<f64> = (0..network.links() as u32).map(|link| times.least_s(link)).collect();
    router.set_least_travel_times(&least);
    assert_eq!(router.path(&mut scratch, query, &times), path);
    path
}

#[test]
fn cost_decides_and_travel_times_are_not_floored() {
    let network = two_ways(["short", "fast"], [900.0, 1250.0], [10.0, 18.0]);
    let fast = path(&network, &query(0, 3, [1.0, 0.0])).unwrap();
    let time = 1250.0 / 18.0;
    assert_eq!(fast, Path { links: vec![2], travel_time_s: time, cost: time, distance_m: 1280.0 });
    let short = path(&network, &query(0, 3, [1.0, 1.0])).unwrap();
    assert_eq!(short, Path { links: vec![1], travel_time_s: 90.0, cost: 990.0, distance_m: 930.0 });
    let slow_vehicle = PathQuery { max_speed_mps: 10.0, ..query(0, 3, [1.0, 0.0]) };
    assert_eq!(path(&network, &slow_vehicle).unwrap().links, [1], "125 s by the other link");
}

#[test]
fn time_and_cost_exclude_both_end_links() {
    let network = two_ways(["short", "fast"], [900.0, 1250.0], [10.0, 25.0]);
    let adjacent = path(&network, &query(0, 1, [1.0, 1.0])).unwrap();
    assert_eq!(adjacent, Path { links: vec![], travel_time_s: 0.0, cost: 0.0, distance_m: 900.0 });
    assert_eq!(path(&network, &query(1, 1, [1.0, 1.0])), Some(Path::default()));
}

#[test]
fn equal_costs_are_resolved_by_the_text_of_ids() {
    for (ids, expected) in [(["2", "11"], 2), (["11", "2"], 1), (["a", "b"], 1), (["b", "B"], 2)] {
        let network = two_ways(ids, [900.0; 2], [10.0; 2]);
        assert_eq!(path(&network, &query(0, 3, [1.0, 0.0])).unwrap().links, [expected], "{ids:?}");
    }
}

/// Node x is settled before y, so its link to c is seen first.
#[test]
fn equal_costs_from_different_nodes_are_resolved_by_the_text_of_ids() {
    for (ids, expected) in [(["2", "11"], "11"), (["11", "2"], "11"), (["a", "b"], "a")] {
        let mut builder = NetworkBuilder::new();
        for node in ["a", "b", "x", "y", "c", "d"] {
            builder = builder.node(node, 0.0, 0.0);
        }
        for (id, from, to) in [
            ("in", "a", "b"),
            ("bx", "b", "x"),
            ("by", "b", "y"),
            (ids[0], "x", "c"),
            (ids[1], "y", "c"),
            ("out", "c", "d"),
        ] {
            builder = builder.link(id, from, to, 100.0, 10.0, 1000.0, 1.0);
        }
        let network = builder.build().unwrap();
        let links = path(&network, &query(0, 5, [1.0, 0.0])).unwrap().links;
        assert_eq!(network.link_ids.name(links[1]), expected, "{ids:?}");
    }
}

/// The longer link arrives earlier at the same cost, so the link after it is entered in an earlier slot.
#[test]
fn the_time_of_arrival_is_that_of_the_chosen_link() {
    struct Times;
    impl LinkTravelTimes for Times {
        fn travel_time_s(&self, link: u32, time_s: f64) -> f64 {
            [0.0, 100.0, 50.0, if time_s < 75.0 { 1.0 } else { 2.0 }, 0.0][link as usize]
        }
    }
    for (ids, expected) in [(["1", "2"], (1, 102.0)), (["2", "1"], (2, 51.0))] {
        let network = NetworkBuilder::new()
            .node("a", 0.0, 0.0)
            .node("b", 0.0, 0.0)
            .node("c", 0.0, 0.0)
            .node("d", 0.0, 0.0)
            .link("in", "a", "b", 1.0, 1.0, 1.0, 1.0)
            .link(ids[0], "b", "c", 100.0, 1.0, 1.0, 1.0)
            .link(ids[1], "b", "c", 150.0, 1.0, 1.0, 1.0)
            .link("cd", "c", "d", 1.0, 1.0, 1.0, 1.0)
            .link("out", "d", "a", 1.0, 1.0, 1.0, 1.0)
            .build()
            .unwrap();
        let router = LeastCostRouter::new(&network, CAR);
        let path = router.path(&mut PathScratch::default(), &query(0, 4, [1.0, 1.0]), &Times).unwrap();
        assert_eq!((path.links[0], path.travel_time_s), expected);
    }
}

#[test]
fn there_may_be_no_path() {
    let mut network = two_ways(["short", "fast"], [900.0, 1250.0], [10.0, 25.0]);
    assert_eq!(path(&network, &query(3, 0, [1.0, 0.0])), None, "against the direction");
    assert_eq!(path(&network, &query(0, 99, [1.0, 0.0])), None);
    network.modes[2] = ModeId(1).bit();
    assert_eq!(path(&network, &query(0, 3, [1.0, 0.0])).unwrap().links, [1]);
    assert_eq!(path(&network, &query(0, 2, [1.0, 0.0])), None, "the end link is closed to cars");
    network.freespeed_mps[1] = 0.0;
    assert_eq!(path(&network, &query(0, 3, [1.0, 0.0])), None);
}
