//! Validation of link attributes after every network change event.

use throng_core::Problems;

use crate::formats::value::quoted;
use throng_traffic_scenario::{Network, NetworkChangeEvent, invalid_changes};

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
    use throng_traffic_scenario::{ChangeKind, ChangeValue, NetworkBuilder};

    use ChangeKind::{FlowCapacity, Freespeed, Lanes};
    use ChangeValue::{Absolute, Factor, Offset};

    fn faults(changes: &[(ChangeKind, ChangeValue)]) -> Vec<String> {
        let network = NetworkBuilder::new()
            .node("a", 0.0, 0.0)
            .node("b", 1.0, 0.0)
            .link("ab", "a", "b", 10.0, 20.0, 3600.0, 1.0)
            .link("ba", "b", "a", 10.0, f64::INFINITY, 3600.0, 2.0)
            .build()
            .unwrap();
        let event = |i: usize, (kind, value)| {
            (i as u64 + 1, NetworkChangeEvent { time_s: i as f64, links: vec![0, 1], kind, value })
        };
        let events: Vec<_> = changes.iter().enumerate().map(|(i, &change)| event(i, change)).collect();
        let mut problems = Problems::new();
        check(&events, "c.xml", &network, &mut problems);
        problems.to_string().lines().filter(|line| !line.starts_with(' ')).map(str::to_owned).collect()
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
