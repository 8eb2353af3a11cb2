//! The results of a run in a few numbers.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use throng_output::WrittenFile;

use super::analysis::{Day, TransitDay};
use super::counts_comparison::CountsSummary;
use super::endless_stays::EndlessStays;
use super::trips::ExperiencedTrips;
use throng_traffic_scenario::RunStats;
use throng_traffic_scenario::Scenario;

/// The figures in the closing message of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunSummary {
    /// Number of persons with a plan.
    pub persons: u64,
    /// Whether there are drivers of public transport besides.
    pub has_drivers: bool,
    /// Persons whose plan continues after an activity that never ends.
    pub endless_stays: EndlessStays,
    /// Counters of the executor.
    pub stats: RunStats,
    /// Whether the events were analysed. If not, there are no trips, distances or speeds.
    pub analysed: bool,
    /// Time of the first event, seconds of the day; NaN without events.
    pub first_event: f64,
    /// Time of the last event, seconds of the day; NaN without events.
    pub last_event: f64,
    /// Number of trips that were finished.
    pub trips: u64,
    /// Mean travel time of finished trips, seconds; NaN without trips.
    pub mean_trip_s: f64,
    /// Metres driven on the network, without the first link of each leg; NaN if the events were not analysed.
    pub network_distance_m: f64,
    /// Mean speed on the network, km/h; NaN if no vehicle moved.
    pub network_speed_kmh: f64,
    /// Finished trips by main mode, sorted by name.
    pub modes: Vec<ModeTrips>,
    /// Public transport; `None` if there is none, or the events were not analysed.
    pub transit: Option<TransitDay>,
    /// Volumes compared with counts; `None` without counts, or if the events were not analysed.
    pub counts: Option<CountsSummary>,
    /// Number of finished trips by duration: one class per five minutes; the last class is open.
    pub durations: Vec<u64>,
    /// Files that the recorder has written.
    pub files: Vec<WrittenFile>,
}

/// Finished trips of one main mode.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModeTrips {
    /// Main mode.
    pub mode: String,
    /// Number of trips.
    pub trips: u64,
    /// Mean travel time, seconds.
    pub mean_s: f64,
    /// 95th percentile of the travel time, seconds.
    pub percentile_95_s: f64,
    /// Mean distance of the trips whose distance is known, metres; NaN if there are none.
    pub mean_distance_m: f64,
}

/// Width of the classes of [`RunSummary::durations`], seconds.
pub const DURATION_CLASS_S: f64 = 300.0;
/// Number of classes of [`RunSummary::durations`]; the last contains all longer trips.
pub const DURATION_CLASSES: usize = 37;

impl RunSummary {
    /// Returns the results of the executor and of `day`; the files are filled in later.
    pub fn of(scenario: &Scenario, stats: &RunStats, day: Option<&Day>) -> Self {
        let mut summary = Self {
            persons: u64::from(scenario.travellers()),
            has_drivers: !scenario.transit.driver_legs.is_empty(),
            endless_stays: EndlessStays::of(scenario),
            stats: *stats,
            analysed: day.is_some(),
            first_event: f64::NAN,
            last_event: f64::NAN,
            mean_trip_s: f64::NAN,
            network_distance_m: f64::NAN,
            network_speed_kmh: f64::NAN,
            ..Self::default()
        };
        let Some(day) = day else { return summary };
        let total = day.links.total();
        summary.transit.clone_from(&day.transit);
        summary.network_distance_m = day.links.driven_m();
        summary.network_speed_kmh = total.speed_kmh();
        if let Some((first, last)) = day.span {
            (summary.first_event, summary.last_event) = (first, last);
        }
        summary.add_trips(scenario, day);
        summary
    }

    /// Returns the number of agents that were aborted, at the end of the simulation or before.
    pub fn stuck(&self) -> u64 {
        self.stats.aborted + self.stats.aborted_at_end
    }

    /// Returns the file name for `name` with the prefix of the run and the suffix of its compression.
    pub fn file_name<'a>(&'a self, name: &'a str) -> &'a str {
        let is_it = |file: &&WrittenFile| {
            let full = file.name.as_str();
            let plain = full.strip_suffix(".gz").or_else(|| full.strip_suffix(".zst")).unwrap_or(full);
            plain.strip_suffix(name).is_some_and(|prefix| prefix.is_empty() || prefix.ends_with('.'))
        };
        self.files.iter().find(is_it).map_or(name, |file| &file.name)
    }

    fn add_trips(&mut self, scenario: &Scenario, day: &Day) {
        let mut by_mode: BTreeMap<&str, Collected> = BTreeMap::new();
        self.durations = vec![0; DURATION_CLASSES];
        for person in 0..scenario.travellers() {
            let mut trips = ExperiencedTrips::of(scenario, &day.leg_times, person);
            while let Some(trip) = trips.next_trip() {
                let collected = by_mode.entry(scenario.modes.name(trip.main_mode(scenario))).or_default();
                collected.times_s.push(trip.travel_time_s as f32);
                let distance_m = trip.distance_m();
                if !distance_m.is_nan() {
                    collected.distance_m += distance_m;
                    collected.with_distance += 1;
                }
                let class = (trip.travel_time_s / DURATION_CLASS_S) as usize;
                self.durations[class.min(DURATION_CLASSES - 1)] += 1;
            }
        }
        let mut time_s = 0.0;
        for (mode, collected) in by_mode {
            let sum_s: f64 = collected.times_s.iter().map(|&t| f64::from(t)).sum();
            self.trips += collected.times_s.len() as u64;
            time_s += sum_s;
            self.modes.push(collected.finish(mode, sum_s));
        }
        self.mean_trip_s = time_s / self.trips as f64;
    }

    /// Returns the results for the manifest.
    pub fn to_json(&self) -> Value {
        let finite = |value: f64| if value.is_finite() { json!(value) } else { Value::Null };
        let modes: Vec<Value> = self
            .modes
            .iter()
            .map(|m| {
                json!({
                    "mode": m.mode,
                    "trips": m.trips,
                    "mean_s": finite(m.mean_s),
                    "percentile_95_s": finite(m.percentile_95_s),
                    "mean_distance_m": finite(m.mean_distance_m),
                })
            })
            .collect();
        json!({
            "persons": self.persons,
            "events": self.stats.events,
            "moves_over_nodes": self.stats.moves,
            "legs_ended": self.stats.arrivals,
            "first_event_s": finite(self.first_event),
            "last_event_s": finite(self.last_event),
            "trips": if self.analysed { json!(self.trips) } else { Value::Null },
            "stuck": self.stuck(),
            "endless_stays": self.endless_stays.persons,
            "pushed_onto_full_links": self.stats.stuck_pushed,
            "mean_trip_s": finite(self.mean_trip_s),
            "network_distance_m": finite(self.network_distance_m),
            "network_speed_kmh": finite(self.network_speed_kmh),
            "modes": if self.analysed { json!(modes) } else { Value::Null },
            "counts": self.counts.as_ref().map(|counts| json!({
                "stations": counts.stations,
                "values": counts.values,
                "geh_below_5": counts.close,
                "counted": counts.counted,
                "simulated": counts.simulated,
            })),
            "transit": self.transit.as_ref().map(|TransitDay { calls, .. }| json!({
                "planned_calls": calls.planned,
                "departures_from_stops": calls.served,
                "mean_delay_s": finite(calls.mean_delay_s()),
                "boarded": calls.boarded,
                "denied": calls.denied,
            })),
        })
    }
}

#[derive(Debug, Default)]
struct Collected {
    times_s: Vec<f32>,
    distance_m: f64,
    with_distance: u64,
}

impl Collected {
    fn finish(mut self, mode: &str, sum_s: f64) -> ModeTrips {
        let trips = self.times_s.len();
        // The shortest time that at least 95 % of the trips do not exceed.
        let rank = (trips * 95).div_ceil(100).max(1) - 1;
        let percentile = self.times_s.select_nth_unstable_by(rank, f32::total_cmp).1;
        ModeTrips {
            mode: mode.to_owned(),
            trips: trips as u64,
            mean_s: sum_s / trips as f64,
            percentile_95_s: f64::from(*percentile),
            mean_distance_m: self.distance_m / self.with_distance as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_95th_percentile_is_a_value_of_the_data() {
        for (n, expected) in [(1u16, 1.0), (20, 19.0), (100, 95.0), (101, 96.0)] {
            let collected = Collected { times_s: (1..=n).rev().map(f32::from).collect(), ..Collected::default() };
            assert_eq!(collected.finish("car", 0.0).percentile_95_s, expected, "{n} trips");
        }
    }
}
