use super::*;
use throng_traffic_scenario::routing::strong_components;

fn streets(links: u32, seed: u64) -> Streets {
    build(&CityOptions { links, seed, ..CityOptions::default() }, ModeId(0))
}

#[test]
fn the_network_is_connected_with_the_requested_size_and_degree() {
    for (links, seed) in [(1500, 1), (6000, 2), (6000, 3), (20_000, 4)] {
        let city = streets(links, seed);
        let n = &city.network;
        let off = n.links() as f64 / f64::from(links) - 1.0;
        assert!(off.abs() < 0.03, "{} links for {links}, seed {seed}", n.links());
        assert!(strong_components(n).iter().all(|&c| c == 0), "strongly connected");
        let per_node = n.links() as f64 / n.nodes() as f64;
        assert!((1.5..1.62).contains(&per_node), "{per_node} links per node");
    }
}

#[test]
fn classes_and_lengths_are_plausible_for_a_city() {
    let city = streets(20_000, 1);
    let n = &city.network;
    let links = n.links() as f64;
    let share = |class: RoadClass| city.class.iter().filter(|&&c| c == class).count() as f64 / links;
    assert!((0.3..0.6).contains(&share(RoadClass::Residential)), "{}", share(RoadClass::Residential));
    assert!(share(RoadClass::Collector) > 0.2);
    assert!(share(RoadClass::Arterial) + share(RoadClass::MajorArterial) > 0.15);
    assert!((0.003..0.08).contains(&(share(RoadClass::Motorway) + share(RoadClass::RingMotorway))));
    let mut lengths = n.length_m.clone();
    lengths.sort_unstable_by(f64::total_cmp);
    let median = lengths[lengths.len() / 2];
    assert!((70.0..160.0).contains(&median), "median {median} m");
    assert!(lengths[0] >= 2.0);
    let short = lengths.iter().filter(|&&l| l < 10.0).count() as f64 / links;
    assert!((0.005..0.06).contains(&short), "{short} of the links are shorter than 10 m");
    assert!(lengths[lengths.len() - 1] > 1500.0, "there are long links too");
    for (l, class) in city.class.iter().enumerate() {
        assert_eq!(n.freespeed_mps[l], class.freespeed_mps());
        assert_eq!(n.capacity[l], class.capacity());
        assert_ne!(n.from[l], n.to[l], "no loops");
    }
}

#[test]
fn the_river_has_few_bridges() {
    let city = streets(20_000, 1);
    let north = |node: u32| {
        let (x, y) = (city.network.node_x[node as usize], city.network.node_y[node as usize]);
        city.shape.north_of_river(x, y)
    };
    let n = &city.network;
    let crossing = (0..n.links()).filter(|&l| north(n.from[l]) != north(n.to[l])).count();
    // Bends shift nodes relative to the river of the unbent plan, so some of these streets are entirely on one bank.
    assert!(crossing > 4 && crossing * 25 < n.links(), "{crossing}");
}

#[test]
fn seeds_differ_and_repeat() {
    let (a, b, c) = (streets(2000, 7), streets(2000, 7), streets(2000, 8));
    assert_eq!(a.network.node_x, b.network.node_x);
    assert_eq!(a.network.length_m, b.network.length_m);
    assert_ne!(a.network.length_m, c.network.length_m);
}

#[test]
fn morton_codes_interleave() {
    assert_eq!(morton_code(0b11, 0b00), 0b0101);
    assert_eq!(morton_code(0b00, 0b11), 0b1010);
}
