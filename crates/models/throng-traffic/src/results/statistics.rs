//! MATSim's statistics of an iteration over all persons: `modestats`, `pkm_modestats`, `ph_modestats` and
//! `traveldistancestats`, each with one row.

use std::collections::BTreeMap;

use throng_core::java_double;
use throng_output::{Codec, OutputError, RunFolder, TextFile, WrittenFile, csv};

use super::analysis::LegTimes;
use super::trips::{ExperiencedTrips, distance_of, is_interaction, main_mode};
use throng_traffic_scenario::{PlanElement, Scenario};

/// Sums over all persons of a day.
#[derive(Debug, Default)]
struct Statistics<'a> {
    /// Planned trips by main mode.
    trips: BTreeMap<&'a str, u64>,
    /// Finished legs by mode.
    legs: BTreeMap<&'a str, Legs>,
    /// Time at interaction activities, seconds.
    stage_s: f64,
    leg_distance: Mean,
    trip_distance: Mean,
}

#[derive(Debug, Default)]
struct Legs {
    distance_m: f64,
    travel_s: f64,
    wait_s: f64,
}

/// A mean of known values.
#[derive(Debug, Default)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        if value.is_finite() {
            self.sum += value;
            self.count += 1;
        }
    }

    /// Returns the mean; 0 without values, as in Java.
    fn value(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }
}

impl<'a> Statistics<'a> {
    fn of(scenario: &'a Scenario, times: &LegTimes) -> Self {
        let mut all = Self::default();
        for person in 0..scenario.travellers() {
            all.add_plan(scenario, times, person);
            let mut trips = ExperiencedTrips::of(scenario, times, person);
            while let Some(trip) = trips.next_trip() {
                all.trip_distance.add(trip.distance_m());
            }
        }
        all
    }

    fn add_plan(&mut self, scenario: &'a Scenario, times: &LegTimes, person: u32) {
        let mut legs_of_trip: Vec<u32> = Vec::new();
        let mut stage_begins = None;
        for element in scenario.population.plan(person) {
            match element {
                PlanElement::Leg(leg) => {
                    legs_of_trip.push(leg);
                    let Some(departure) = times.departure(leg) else { continue };
                    self.stage_s += stage_begins.take().map_or(0.0, |begins| departure - begins);
                    let Some(arrival) = times.arrival(leg) else { continue };
                    let distance_m = distance_of(scenario, times, leg);
                    self.leg_distance.add(distance_m);
                    let mode = scenario.modes.name(scenario.population.legs.mode[leg as usize]);
                    let of_mode = self.legs.entry(mode).or_default();
                    of_mode.distance_m += if distance_m.is_nan() { 0.0 } else { distance_m };
                    of_mode.wait_s += times.wait_s(leg);
                    of_mode.travel_s += arrival - departure - times.wait_s(leg);
                }
                PlanElement::Activity(activity) if is_interaction(scenario, activity) => {
                    stage_begins = legs_of_trip.last().and_then(|&leg| times.arrival(leg));
                }
                PlanElement::Activity(_) => {
                    if !legs_of_trip.is_empty() {
                        let mode = scenario.modes.name(main_mode(scenario, &legs_of_trip));
                        *self.trips.entry(mode).or_default() += 1;
                    }
                    legs_of_trip.clear();
                    stage_begins = None;
                }
            }
        }
    }

    /// Returns header and row of `modestats`.
    fn mode_shares(&self) -> Vec<(String, String)> {
        let all: u64 = self.trips.values().sum();
        let share = |count: u64| java_double::text(count as f64 / all as f64);
        self.trips.iter().map(|(mode, &count)| ((*mode).to_owned(), share(count))).collect()
    }

    fn person_kilometres(&self) -> Vec<(String, String)> {
        self.legs.iter().map(|(mode, legs)| ((*mode).to_owned(), rounded(legs.distance_m / 1000.0))).collect()
    }

    fn person_hours(&self) -> Vec<(String, String)> {
        let stage = ("stageActivity", (0.0, self.stage_s));
        let mut all: BTreeMap<&str, (f64, f64)> =
            self.legs.iter().map(|(mode, legs)| (*mode, (legs.travel_s, legs.wait_s))).collect();
        all.insert(stage.0, stage.1);
        let columns = |(mode, (travel_s, wait_s)): (&str, (f64, f64))| {
            [("travel", travel_s), ("wait", wait_s)].map(|(what, s)| (format!("{mode}_{what}"), rounded(s / 3600.0)))
        };
        all.into_iter().flat_map(columns).collect()
    }

    fn distances(&self) -> Vec<(String, String)> {
        [("Leg", &self.leg_distance), ("Trip", &self.trip_distance)]
            .map(|(what, mean)| (format!("avg. Average {what} distance"), java_double::text(mean.value())))
            .to_vec()
    }
}

/// Rounds to an integer, half up, as Java does.
fn rounded(value: f64) -> String {
    ((value + 0.5).floor() as i64).to_string()
}

/// Writes the four tables in the layout of the release that is reproduced.
///
/// # Errors
/// If a file cannot be written.
pub fn write(scenario: &Scenario, times: &LegTimes, folder: &RunFolder) -> Result<Vec<WrittenFile>, OutputError> {
    let statistics = Statistics::of(scenario, times);
    let is_recent = scenario.settings.extensions.compat.is_recent();
    let iteration = scenario.settings.controller.first_iteration.to_string();
    let first = if is_recent { "iteration" } else { "Iteration" };
    let mut files = Vec::new();
    for (name, first, columns) in [
        ("modestats", first, statistics.mode_shares()),
        ("pkm_modestats", "Iteration", statistics.person_kilometres()),
        ("ph_modestats", "Iteration", statistics.person_hours()),
        ("traveldistancestats", "ITERATION", statistics.distances()),
    ] {
        let ending = if is_recent { "csv" } else { "txt" };
        let mut file = TextFile::create(folder, &format!("{name}.{ending}"), Codec::None)?;
        let (names, values): (Vec<String>, Vec<String>) = columns.into_iter().unzip();
        // Release 13 ends the rows of this table with a separator.
        let end = if name == "traveldistancestats" { "\t\n" } else { "\n" };
        let header = [vec![first.to_owned()], names].concat();
        for (line, end) in [(header, "\n"), ([vec![iteration.clone()], values].concat(), end)] {
            if is_recent {
                let mut row = csv::Row::new(file.text());
                line.iter().fold(&mut row, |row, field| row.text(field)).end();
            } else {
                file.text().extend_from_slice((line.join("\t") + end).as_bytes());
            }
        }
        files.push(file.finish()?);
    }
    Ok(files)
}
