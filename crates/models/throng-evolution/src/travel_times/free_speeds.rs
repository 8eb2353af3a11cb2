//! Travel times of an empty network.

use std::collections::HashMap;

use throng_traffic_scenario::{ChangeKind, Network, NetworkChangeEvent};

use super::LinkTravelTimes;

/// Travel times at free speed, with the changes of free speeds during the day. Memory: 8 bytes per link and 16 bytes
/// per change of a link.
///
/// A travel time is the length divided by the free speed at the time of entry. It is not rounded to time steps.
#[derive(Debug, Clone, Default)]
pub struct FreeSpeeds {
    /// Travel time of each link, seconds; NaN if it changes.
    constant_s: Vec<f64>,
    /// Links whose travel time changes: times of changes (seconds of the day) and the
    /// travel times after them.
    changing: HashMap<u32, Vec<(f64, f64)>>,
}

impl FreeSpeeds {
    /// Takes the free speeds of a network. The changes are sorted by time, and their links exist.
    pub fn new(network: &Network, changes: &[NetworkChangeEvent]) -> Self {
        let mut speeds: HashMap<u32, Vec<(f64, f64)>> = HashMap::new();
        for event in changes.iter().filter(|event| event.kind == ChangeKind::Freespeed) {
            for &link in &event.links {
                let initial = (f64::NEG_INFINITY, network.freespeed_mps[link as usize]);
                let speeds = speeds.entry(link).or_insert_with(|| vec![initial]);
                let speed = speeds.last().map_or(initial.1, |last| last.1);
                speeds.push((event.time_s, event.value.applied_to(speed)));
            }
        }
        let lengths = network.length_m.iter().zip(&network.freespeed_mps);
        let mut constant_s: Vec<f64> = lengths.map(|(length_m, speed_mps)| length_m / speed_mps).collect();
        for (&link, speeds) in &mut speeds {
            constant_s[link as usize] = f64::NAN;
            for (_, value) in speeds {
                *value = network.length_m[link as usize] / *value;
            }
        }
        Self { constant_s, changing: speeds }
    }

    /// Returns the number of links.
    pub fn links(&self) -> usize {
        self.constant_s.len()
    }

    /// Returns the shortest travel time of `link` over the day, seconds.
    pub fn least_s(&self, link: u32) -> f64 {
        match self.changing.get(&link) {
            Some(values) => values.iter().fold(f64::INFINITY, |least, value| least.min(value.1)),
            None => self.constant_s[link as usize],
        }
    }

    fn changed_s(&self, link: u32, time_s: f64) -> f64 {
        let Some(values) = self.changing.get(&link) else { return f64::NAN };
        let after = values.partition_point(|value| value.0 <= time_s);
        values[after.saturating_sub(1)].1
    }
}

impl LinkTravelTimes for FreeSpeeds {
    #[inline]
    fn travel_time_s(&self, link: u32, time_s: f64) -> f64 {
        let constant = self.constant_s[link as usize];
        if constant.is_nan() { self.changed_s(link, time_s) } else { constant }
    }
}

#[cfg(test)]
mod tests {
    use throng_traffic_scenario::{ChangeValue, NetworkBuilder};

    use super::*;

    #[test]
    fn free_speeds_change_during_the_day() {
        let network = NetworkBuilder::new()
            .node("a", 0.0, 0.0)
            .node("b", 0.0, 0.0)
            .link("ab", "a", "b", 100.0, 8.0, 1.0, 1.0)
            .link("ba", "b", "a", 100.0, 8.0, 1.0, 1.0)
            .build()
            .unwrap();
        let change = |time_s, kind, value| NetworkChangeEvent { time_s, links: vec![1], kind, value };
        let changes = [
            change(10.0, ChangeKind::Freespeed, ChangeValue::Factor(0.5)),
            change(20.0, ChangeKind::Lanes, ChangeValue::Absolute(0.0)),
            change(30.0, ChangeKind::Freespeed, ChangeValue::Offset(16.0)),
            change(40.0, ChangeKind::Freespeed, ChangeValue::Absolute(0.0)),
        ];
        let free = FreeSpeeds::new(&network, &changes);
        for (time, expected) in
            [(0.0, 12.5), (9.9, 12.5), (10.0, 25.0), (29.9, 25.0), (30.0, 5.0), (40.0, f64::INFINITY)]
        {
            assert_eq!(free.travel_time_s(1, time), expected, "{time}");
            assert_eq!(free.travel_time_s(0, time), 12.5, "not floored to time steps");
        }
        assert_eq!((free.least_s(0), free.least_s(1), free.links()), (12.5, 5.0, 2));
    }
}
