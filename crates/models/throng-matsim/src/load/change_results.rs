//! Validation of link attributes after every network change event.

use rustc_hash::FxHashMap;
use throng_core::Problems;
use throng_core::clock::MAX_SECONDS;

use crate::formats::change_events::kind_name;
use crate::formats::value::quoted;
use throng_traffic_scenario::{ChangeKind, ChangeValue, Network, NetworkChangeEvent};

/// Free speed in m/s, flow capacity per second and lanes.
type Attributes = [f64; 3];

/// Applies `events` one after the other and reports each that leaves a link with a value that cannot be simulated; 0 is
/// valid and means a closed road. The events are sorted by time, each with its line or index in the file.
pub(crate) fn check(events: &[(u64, NetworkChangeEvent)], file: &str, network: &Network, problems: &mut Problems) {
    let mut attributes: FxHashMap<u32, Attributes> = FxHashMap::default();
    for (line, event) in events {
        let mut bad = None;
        for &link in &event.links {
            let values = attributes.entry(link).or_insert_with(|| initial_attributes(network, link));
            let value = &mut values[position(event.kind)];
            let new = changed(*value, event.value);
            if is_valid(event.kind, *value, new, network.length_m[link as usize]) {
                *value = new;
            } else {
                // The old value stays, so that the fault is not reported again for later changes.
                let (first, count) = *bad.get_or_insert(((link, *value, new), 0_u64));
                bad = Some((first, count + 1));
            }
        }
        if let Some(((link, old, new), count)) = bad {
            let id = quoted(network.link_ids.name(link));
            let others = if count > 1 { format!("; {count} links are affected") } else { String::new() };
            let message = format!("{} of link {id} becomes {new} (it was {old}){others}", kind_name(event.kind));
            problems.push(format!("{file}:{line}"), message, remedy(event.kind));
        }
    }
}

fn initial_attributes(network: &Network, link: u32) -> Attributes {
    let l = network.link(link);
    [l.freespeed_mps, l.capacity / network.capacity_period_s, l.lanes]
}

fn position(kind: ChangeKind) -> usize {
    match kind {
        ChangeKind::Freespeed => 0,
        ChangeKind::FlowCapacity => 1,
        ChangeKind::Lanes => 2,
    }
}

fn changed(old: f64, value: ChangeValue) -> f64 {
    match value {
        ChangeValue::Absolute(new) => new,
        ChangeValue::Factor(factor) => old * factor,
        ChangeValue::Offset(offset) => old + offset,
    }
}

fn is_valid(kind: ChangeKind, old: f64, new: f64, length_m: f64) -> bool {
    // NaN is invalid; infinite values are valid only if they come from the network.
    let in_range = new >= 0.0 && (new.is_finite() || new == old);
    let too_slow = kind == ChangeKind::Freespeed && new > 0.0 && length_m / new > MAX_SECONDS;
    in_range && !too_slow
}

fn remedy(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Freespeed => {
            "Expected 0, or a finite speed (metres per second) at which the link takes at most 1000000000 seconds. \
             Changes of the same link add up: check earlier ones, too."
        }
        ChangeKind::FlowCapacity => {
            "Expected a finite capacity not below 0 (vehicles per second). Changes of the same link add up: check \
             earlier ones, too."
        }
        ChangeKind::Lanes => {
            "Expected a finite number of lanes not below 0. Changes of the same link add up: check earlier ones, too."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::NetworkBuilder;

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
