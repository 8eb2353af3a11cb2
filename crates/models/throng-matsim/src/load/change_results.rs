//! Validation of link attributes after every network change event.

use throng_core::{Problems, Warnings};

use crate::formats::value::quoted;
use throng_traffic_scenario::{ChangeKind, ChangeValue, Network, NetworkChangeEvent, invalid_changes};

const TOO_HIGH: &str = "flow capacities above 10 vehicles per second and lane in change events; absolute values are in \
    vehicles per second: divide vehicles per hour by 3600";
/// Vehicles per second and lane; a motorway has less than 1.
const HIGH_CAPACITY: f64 = 10.0;

/// Warns of the events that set a flow capacity far above that of any road.
pub(super) fn warn(events: &[(u64, NetworkChangeEvent)], file: &str, network: &Network, warnings: &mut Warnings) {
    for (line, event) in events {
        let (ChangeKind::FlowCapacity, ChangeValue::Absolute(value)) = (event.kind, event.value) else { continue };
        let is_too_high = |&&link: &&u32| value > HIGH_CAPACITY * network.lanes[link as usize].max(1.0);
        if let Some(&link) = event.links.iter().find(is_too_high) {
            let id = quoted(network.link_ids.name(link));
            warnings.add(TOO_HIGH, || format!("{file}:{line}: {value} on link {id}"));
        }
    }
}

/// Reports the events that leave a link with a value that cannot be simulated. The events are sorted by time, each with
/// its line or index in the file.
pub(crate) fn check(events: &[(u64, NetworkChangeEvent)], file: &str, network: &Network, problems: &mut Problems) {
    for (line, invalid) in invalid_changes(events.iter().map(|(line, event)| (*line, event)), network) {
        let message = invalid.message(&quoted(network.link_ids.name(invalid.link)));
        problems.push(format!("{file}:{line}"), message, invalid.remedy());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::NetworkBuilder;

    use ChangeKind::{FlowCapacity, Freespeed, Lanes};
    use ChangeValue::{Absolute, Factor, Offset};

    fn network() -> Network {
        NetworkBuilder::new()
            .node("a", 0.0, 0.0)
            .node("b", 1.0, 0.0)
            .link("ab", "a", "b", 10.0, 20.0, 3600.0, 1.0)
            .link("ba", "b", "a", 10.0, f64::INFINITY, 3600.0, 2.0)
            .build()
            .unwrap()
    }

    fn events(changes: &[(ChangeKind, ChangeValue)]) -> Vec<(u64, NetworkChangeEvent)> {
        let event = |i: usize, (kind, value)| {
            (i as u64 + 1, NetworkChangeEvent { time_s: i as f64, links: vec![0, 1], kind, value })
        };
        changes.iter().enumerate().map(|(i, &change)| event(i, change)).collect()
    }

    fn faults(changes: &[(ChangeKind, ChangeValue)]) -> Vec<String> {
        let mut problems = Problems::new();
        check(&events(changes), "c.xml", &network(), &mut problems);
        problems.to_string().lines().filter(|line| !line.starts_with(' ')).map(str::to_owned).collect()
    }

    #[test]
    fn capacities_of_vehicles_per_hour_are_noticed() {
        let warned = |changes: &[(ChangeKind, ChangeValue)]| {
            let mut warnings = Warnings::new();
            warn(&events(changes), "c.xml", &network(), &mut warnings);
            warnings.lines().collect::<Vec<_>>()
        };
        let none: [String; 0] = [];
        assert_eq!(
            warned(&[(FlowCapacity, Absolute(10.0)), (FlowCapacity, Factor(50.0)), (Lanes, Absolute(50.0))]),
            none
        );
        // The first link has one lane, the second has two.
        let found = warned(&[(FlowCapacity, Absolute(1.0)), (FlowCapacity, Absolute(1800.0))]);
        assert_eq!(found, [format!("warning: {TOO_HIGH} (c.xml:2: 1800 on link \"ab\")")]);
    }

    #[test]
    fn closed_roads_and_previously_infinite_values_are_accepted() {
        let none: [String; 0] = [];
        assert_eq!(faults(&[(Freespeed, Absolute(0.0)), (FlowCapacity, Absolute(0.0)), (Lanes, Offset(-1.0))]), none);
        assert_eq!(faults(&[(Freespeed, Factor(0.5)), (Freespeed, Offset(-10.0)), (FlowCapacity, Offset(-1.0))]), none);
    }

    #[test]
    fn out_of_range_results_are_reported_with_the_line_of_the_change() {
        let changes = [
            (FlowCapacity, Factor(0.5)),
            (FlowCapacity, Offset(-0.75)),
            (Lanes, Offset(-1.5)),
            // Changes that failed before have no effect.
            (FlowCapacity, Offset(-0.25)),
            (Lanes, Factor(f64::MAX)),
            (Lanes, Factor(2.0)),
            (Freespeed, Factor(0.0)),
        ];
        assert_eq!(
            faults(&changes),
            [
                "c.xml:2: flowCapacity of link \"ab\" becomes -0.25 (it was 0.5); 2 links are affected".to_owned(),
                "c.xml:3: lanes of link \"ab\" becomes -0.5 (it was 1)".to_owned(),
                "c.xml:6: lanes of link \"ab\" becomes inf (it was 1.7976931348623157e308)".to_owned(),
                "c.xml:7: freespeed of link \"ba\" becomes NaN (it was inf)".to_owned(),
            ]
        );
        assert_eq!(faults(&[(Freespeed, Absolute(1e-12))]).len(), 1);
    }
}
