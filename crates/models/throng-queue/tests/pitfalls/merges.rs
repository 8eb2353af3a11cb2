//! The order of vehicles where in-links compete, with the draws of `java.util.Random(4711)`: 0.043, 0.378, 0.151,
//! 0.305, 0.414, 0.281, 0.258, 0.727, 0.856, 0.463, 0.337, 0.235, 0.265, 0.913, ...

use super::helpers::{Trace, on, parking_place, run, street, trip};
use throng_traffic_scenario::ScenarioBuilder;
use throng_traffic_scenario::settings::{NodeRandom, NodeTransition};

/// An in-link of node `m`, with a capacity in vehicles per hour.
fn in_link<'a>(id: &'a str, from: &'a str, per_hour: f64) -> super::helpers::Road<'a> {
    (id, from, "m", 100.0, 10.0, per_hour, 1.0)
}

fn with_java(builder: ScenarioBuilder, transition: NodeTransition) -> Trace {
    run(builder.settings(|s| {
        s.extensions.node_random = NodeRandom::Java;
        s.qsim.node_transition = transition;
        s.qsim.stuck_time_s = 1000.0;
    }))
}

/// x arrives over link "10", y over link "9". Both are in their buffers at 60, and c has room for one.
fn ten_and_nine(capacity_of_10: f64, capacity_of_9: f64) -> Trace {
    let roads = [in_link("9", "n", capacity_of_9), in_link("10", "t", capacity_of_10), parking_place("c", "m", "e")];
    let s = on(&roads).person("x", trip(60.0, &["10", "c"])).person("y", trip(60.0, &["9", "c"]));
    with_java(s, NodeTransition::EmptyBufferDontBlockNode)
}

#[test]
fn p12_in_links_are_visited_by_id_text() {
    // 0.043 * 7200 = 311 <= 3600 selects the first in-link, and "10" comes before "9".
    assert_eq!(ten_and_nine(3600.0, 3600.0).entered("c"), "x@61 y@142");
}

#[test]
fn p12_in_links_are_drawn_in_proportion_to_their_capacities() {
    // 0.043 * 3600 = 155, which is above 72 and below 180.
    assert_eq!(ten_and_nine(72.0, 3528.0).entered("c"), "y@61 x@142");
    assert_eq!(ten_and_nine(180.0, 3420.0).entered("c"), "x@61 y@142");
}

#[test]
fn p12_the_generator_of_java_draws_even_for_a_single_in_link() {
    let roads = [
        in_link("9", "n", 2880.0),
        in_link("10", "t", 720.0),
        in_link("5", "f", 3600.0),
        parking_place("c", "m", "e"),
        street("d", "m", "g", 1.0),
    ];
    let s = on(&roads)
        .person("alone", trip(60.0, &["5", "d"]))
        .person("x", trip(61.0, &["10", "c"]))
        .person("y", trip(61.0, &["9", "c"]));
    // 61: the first draw is for "5", the only candidate. 62: the second draw gives 0.378 * 3600 = 1362 > 720: "9". The
    // first draw, 155, would give "10".
    assert_eq!(with_java(s, NodeTransition::EmptyBufferDontBlockNode).entered("c"), "y@62 x@143");
}

/// Three vehicles each are in the buffers of x (3 per second) and y (6 per second); all may go at 61.
fn order_of_free_vehicles(transition: NodeTransition) -> String {
    let roads = [in_link("x", "n", 10_800.0), in_link("y", "t", 21_600.0), street("d", "m", "e", 10.0)];
    let s = ["1", "2", "3"].iter().fold(on(&roads), |s, i| {
        s.person(&format!("x{i}"), trip(60.0, &["x", "d"])).person(&format!("y{i}"), trip(60.0, &["y", "d"]))
    });
    with_java(s, transition).entered("d").replace("@61", "")
}

#[test]
fn a_drawn_in_link_sends_its_whole_buffer() {
    for transition in [NodeTransition::EmptyBufferDontBlockNode, NodeTransition::EmptyBufferBlockNode] {
        // 0.043 < 1/3 selects x.
        assert_eq!(order_of_free_vehicles(transition), "x3 x2 x1 y3 y2 y1");
    }
}

#[test]
fn vehicle_by_vehicle_draws_once_per_vehicle() {
    for transition in [NodeTransition::VehByVehDontBlockNode, NodeTransition::VehByVehBlockNode] {
        // Draws below 1/3 select x: 0.043 x, 0.378 y, 0.151 x, 0.305 x, 0.414 y, 0.281 x, which is empty and drops out;
        // the rest is y.
        assert_eq!(order_of_free_vehicles(transition), "x3 y3 x2 x1 y2 y1");
    }
}

#[test]
fn priorities_follow_the_inverse_of_the_capacities() {
    // Priorities in 1/21600: x 2, y 1: y. 2 and 2: x by its id. 4 and 2: y. 4 and 3: y. 4 and 4: x. Only x has vehicles
    // left.
    assert_eq!(order_of_free_vehicles(NodeTransition::DeterministicPriorities), "y3 x3 y2 y1 x2 x1");
}

/// c is full from 51 to 131, because of a vehicle that used the first draw. At 60 the buffer of x holds one vehicle
/// that goes to c and one that goes to d; the buffer of y holds three that go to d.
fn where_one_out_link_is_full(transition: NodeTransition) -> (String, String) {
    let roads = [
        in_link("v", "f", 3600.0),
        in_link("x", "n", 10_800.0),
        in_link("y", "t", 10_800.0),
        parking_place("c", "m", "e"),
        street("d", "m", "g", 10.0),
    ];
    let s = on(&roads)
        .person("w", trip(50.0, &["v", "c"]))
        .person("x2", trip(60.0, &["x", "c"]))
        .person("x1", trip(60.0, &["x", "d"]));
    let s = ["y1", "y2", "y3"].iter().fold(s, |s, id| s.person(id, trip(60.0, &["y", "d"])));
    let t = with_java(s, transition);
    (t.left("x"), t.left("y"))
}

#[test]
fn a_full_out_link_blocks_its_in_link_only() {
    for transition in [NodeTransition::EmptyBufferDontBlockNode, NodeTransition::VehByVehDontBlockNode] {
        // There is one lane at the node: x1 waits behind x2 although d is free.
        let expected = ("x2@132 x1@132".to_owned(), "y3@61 y2@61 y1@61".to_owned());
        assert_eq!(where_one_out_link_is_full(transition), expected, "{transition:?}");
    }
}

#[test]
fn a_full_out_link_may_block_the_node() {
    // The draws of 61 to 66 are 0.378 ... 0.258, which all select x: blocked. 67: 0.727: y empties its buffer.
    let (x, y) = where_one_out_link_is_full(NodeTransition::EmptyBufferBlockNode);
    assert_eq!((x.as_str(), y.as_str()), ("x2@132 x1@132", "y3@67 y2@67 y1@67"));
    // The first vehicle used two draws, the second to find that no other vehicle follows, so everything is one second
    // earlier. 66: 0.727 and 0.856: two of y, then 0.463: x, blocked. 67 to 69: 0.337, 0.235, 0.265. 70: 0.913: the
    // third.
    let (x, y) = where_one_out_link_is_full(NodeTransition::VehByVehBlockNode);
    assert_eq!((x.as_str(), y.as_str()), ("x2@132 x1@132", "y3@66 y2@66 y1@70"));
}

#[test]
fn with_priorities_a_full_out_link_blocks_the_node() {
    // x and y begin at the same priority, so x is tried first. It keeps its priority until c is free.
    let (x, y) = where_one_out_link_is_full(NodeTransition::DeterministicPriorities);
    assert_eq!((x.as_str(), y.as_str()), ("x2@132 x1@132", "y3@132 y2@132 y1@132"));
}

#[test]
fn the_counter_generator_respects_the_capacities_too() {
    // A hundred merges of a vehicle from an in-link of 900 per hour and one from 2700 onto a link that holds one.
    let names: Vec<[String; 7]> =
        (0..100).map(|i| ["x", "y", "c", "n", "t", "m", "e"].map(|name| format!("{name}{i}"))).collect();
    let roads = names.iter().flat_map(|[x, y, c, n, t, m, e]| {
        [(x, n, 900.0), (y, t, 2700.0)]
            .map(|(id, from, per_hour)| (id.as_str(), from.as_str(), m.as_str(), 100.0, 10.0, per_hour, 1.0))
            .into_iter()
            .chain([parking_place(c, m, e)])
    });
    let s = names.iter().fold(on(&roads.collect::<Vec<_>>()), |s, [x, y, c, ..]| {
        s.person(x, trip(60.0, &[x, c])).person(y, trip(60.0, &[y, c]))
    });
    let t = run(s);
    let is_first = |[x, _, c, ..]: &&[String; 7]| t.entered(c).starts_with(&format!("{x}@61"));
    let first = names.iter().filter(is_first).count();
    // The expected value is 25, with a standard deviation of 4.3.
    assert!((12..=38).contains(&first), "{first}");
}
