//! Small scenarios for the verification cases.

use throng_traffic_scenario::{Network, NetworkBuilder, PlanBuilder, Scenario, ScenarioBuilder};

/// Id, from, to, length (m), free speed (m/s), capacity (vehicles per hour), lanes.
pub(super) type Road<'a> = (&'a str, &'a str, &'a str, f64, f64, f64, f64);

/// Roads between the nodes `0` to `9`. The coordinates of the nodes do not match the lengths.
pub(super) fn network(roads: &[Road<'_>]) -> Network {
    let nodes =
        (0..10).fold(NetworkBuilder::new(), |builder, i| builder.node(&i.to_string(), f64::from(i) * 1000.0, 0.0));
    let add = |builder: NetworkBuilder, &(id, from, to, length, speed, capacity, lanes): &Road<'_>| {
        builder.link(id, from, to, length, speed, capacity, lanes)
    };
    roads.iter().fold(nodes, add).build().expect("ids of the case are distinct")
}

/// Adds a plan that departs at `time` from the first link of a route and stays on the last one.
pub(super) fn trip<'a>(time: f64, route: &'a [&'a str]) -> impl FnOnce(PlanBuilder<'_>) -> PlanBuilder<'_> + 'a {
    move |plan| plan.until("home", route[0], time).drive("car", route).stay("work", route[route.len() - 1])
}

/// Builds a scenario of cars that all depart at `time`.
pub(super) fn platoon(roads: &[Road<'_>], cars: u32, time: f64, route: &[&str]) -> ScenarioBuilder {
    let builder = ScenarioBuilder::new(network(roads)).settings(|settings| settings.qsim.end_time = None);
    (0..cars).fold(builder, |builder, i| builder.person(&format!("{i:04}"), trip(time, route)))
}

/// A town and the counts implied by its plans.
pub(super) struct Town {
    pub scenario: Scenario,
    /// Number of cars that depart.
    pub cars: usize,
    /// Number of node crossings: one between each link of a route and the next.
    pub moves: usize,
}

/// Builds a grid of streets that jams: cars cross it in all directions within half an hour.
pub(super) fn town() -> Town {
    const SIDE: u32 = 6;
    const CARS: u32 = 1500;
    let node = |x: u32, y: u32| format!("{x}/{y}");
    let mut network = NetworkBuilder::new();
    for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
        network = network.node(&node(x, y), f64::from(x) * 200.0, f64::from(y) * 200.0);
    }
    let street = |from: &str, to: &str| format!("{from}-{to}");
    for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
        for (to_x, to_y) in [(x + 1, y), (x, y + 1)] {
            if to_x < SIDE && to_y < SIDE {
                let (node_id, neighbour_id) = (node(x, y), node(to_x, to_y));
                for (from, to) in [(&node_id, &neighbour_id), (&neighbour_id, &node_id)] {
                    network = network.link(&street(from, to), from, to, 200.0, 12.5, 900.0, 1.0);
                }
            }
        }
    }
    let mut builder = ScenarioBuilder::new(network.build().expect("ids of the case are distinct"))
        .settings(|settings| settings.qsim.end_time = None);
    let (mut cars, mut moves) = (0, 0);
    for car in 0..CARS {
        // Each route goes from one corner of a rectangle to the opposite one, first along x, then along y.
        let [x, y, to_x, to_y] = [7, 11, 13, 17].map(|factor: u32| car * factor % 101 % SIDE);
        let along_x = steps(x, to_x).map(|x| node(x, y));
        let nodes: Vec<String> = along_x.chain(steps(y, to_y).skip(1).map(|y| node(to_x, y))).collect();
        let links: Vec<String> = nodes.windows(2).map(|pair| street(&pair[0], &pair[1])).collect();
        if links.is_empty() {
            continue;
        }
        (cars, moves) = (cars + 1, moves + links.len() - 1);
        let links: Vec<&str> = links.iter().map(String::as_str).collect();
        builder = builder.person(&format!("{car:04}"), trip(f64::from(car % 1800), &links));
    }
    Town { scenario: builder.build().expect("ids of the case are distinct"), cars, moves }
}

/// Returns the integers between two numbers, ascending or descending, both included.
fn steps(from: u32, to: u32) -> impl Iterator<Item = u32> {
    let up = from <= to;
    (0..=from.abs_diff(to)).map(move |step| if up { from + step } else { from - step })
}
