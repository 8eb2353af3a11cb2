//! The scores of 120 persons with nine variants of the parameters, from the events of MATSim.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use throng_core::IdTable;
use throng_evolution::scoring::{Learning, Names, PersonDay, Preferences, parameter_set};
use throng_matsim::config;
use throng_testing::outside_cases;
use throng_traffic_scenario::ModeTable;
use throng_traffic_scenario::settings::{Scoring, TypicalDurationScore};

use crate::matsim_files::{Element, elements, number};

/// A change of the config: settings of the group, and the simulated days.
type Change = fn(&mut Scoring, &mut u32);

const VARIANTS: [(&str, Change); 9] = [
    ("base", |_, _| {}),
    ("uniform", |scoring, _| set_rule(scoring, TypicalDurationScore::Uniform)),
    ("relative", |scoring, _| set_rule(scoring, TypicalDurationScore::Relative)),
    ("old_below_zero", |scoring, _| scoring.old_below_zero_utility_duration = true),
    ("lr1", |scoring, _| scoring.learning_rate = 1.0),
    ("params2", |scoring, _| {
        for set in &mut scoring.parameters {
            set.waiting_per_h = 0.0;
            set.early_departure_per_h = 0.0;
            set.late_arrival_per_h = -9.0;
            set.performing_per_h = 10.0;
            set.utility_of_money = 1.0;
        }
    }),
    ("two_days", |_, days| *days = 2),
    ("msa", |scoring, _| scoring.msa_from_fraction = Some(0.0)),
    ("zero_perf", |scoring, _| {
        for set in &mut scoring.parameters {
            set.performing_per_h = 0.0;
            set.late_arrival_per_h = 0.0;
        }
    }),
];

fn set_rule(scoring: &mut Scoring, rule: TypicalDurationScore) {
    let activities = scoring.parameters.iter_mut().flat_map(|set| &mut set.activities);
    activities.for_each(|activity| activity.score_at_typical_duration = rule);
}

/// A line of a table of scores.
struct Expected {
    person: String,
    subpopulation: String,
    executed: f64,
    old: Option<f64>,
    new: f64,
}

fn expected(path: &Path) -> Vec<Expected> {
    let text = fs::read_to_string(path).unwrap();
    let line = |line: &str| {
        let [person, subpopulation, executed, old, new] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let old = (old != "null").then(|| number(old));
        let [person, subpopulation] = [person, subpopulation].map(str::to_owned);
        Expected { person, subpopulation, executed: number(executed), old, new: number(new) }
    };
    text.lines().skip(1).map(line).collect()
}

/// The events of a day, with the names of activity types and modes, and the length of each link.
struct Day {
    events: Vec<Element>,
    activity_types: IdTable,
    modes: ModeTable,
    length_m: BTreeMap<String, f64>,
}

impl Day {
    fn read(folder: &Path) -> Self {
        let events = elements(&folder.join("events.xml.gz"), "events", "event");
        let (mut activity_types, mut modes) = (IdTable::new(), ModeTable::default());
        for event in &events {
            event.get("actType").map(|kind| activity_types.intern(kind).unwrap());
            event.get("legMode").map(|mode| modes.intern(mode).unwrap());
        }
        let links = elements(&folder.join("network.xml"), "network", "link");
        let length_m = links.iter().map(|link| (link["id"].clone(), number(&link["length"]))).collect();
        Self { events, activity_types, modes, length_m }
    }

    fn names(&self) -> Names<'_> {
        Names { activity_types: &self.activity_types, modes: &self.modes }
    }

    /// Returns the score of each person with the given preferences.
    fn scores(&self, of_person: &BTreeMap<&str, &Preferences>) -> BTreeMap<String, f64> {
        let mut days: BTreeMap<&str, PersonDay> = of_person.keys().map(|&id| (id, PersonDay::default())).collect();
        // Vehicles have the ids of their drivers.
        let mut distance_m: BTreeMap<&str, f64> = BTreeMap::new();
        for event in &self.events {
            let [time, amount] = ["time", "amount"].map(|name| event.get(name).map_or(f64::NAN, |text| number(text)));
            let kind = event.get("actType").and_then(|kind| self.activity_types.get(kind));
            let mode = event.get("legMode").and_then(|mode| self.modes.get(mode));
            if event["type"] == "entered link" {
                *distance_m.get_mut(event["vehicle"].as_str()).unwrap() += self.length_m[&event["link"]];
                continue;
            }
            let Some(id) = event.get("person").map(String::as_str) else { continue };
            let (day, p) = (days.get_mut(id).unwrap(), of_person[id]);
            match event["type"].as_str() {
                "actend" => day.end_activity(p, kind.unwrap(), time).unwrap(),
                "actstart" => day.start_activity(kind.unwrap(), time),
                "departure" => {
                    distance_m.insert(id, 0.0);
                    day.depart(p, mode.unwrap(), time);
                }
                "travelled" => *distance_m.get_mut(id).unwrap() = number(&event["distance"]),
                "PersonEntersVehicle" => day.enter_vehicle(p, time),
                "arrival" => day.arrive(p, time, || distance_m[id]).unwrap(),
                "stuckAndAbort" => day.abort(p),
                "personMoney" => day.receive_money(p, amount).unwrap(),
                "personScore" => day.add_score(amount).unwrap(),
                "vehicle enters traffic" | "vehicle leaves traffic" | "PersonLeavesVehicle" => {}
                other => panic!("{other}"),
            }
        }
        days.into_iter().map(|(id, day)| (id.to_owned(), day.finish(of_person[id]).unwrap().score)).collect()
    }
}

#[test]
fn scores_are_those_of_matsim() {
    let Some(folder) = outside_cases("matsim_loop", "scoring") else { return };
    let day = Day::read(&folder);
    let of_config = config::from_file(&folder.join("config.xml")).unwrap().settings.scoring;
    for (name, change) in VARIANTS {
        let (mut scoring, mut days) = (of_config.clone(), 1);
        change(&mut scoring, &mut days);
        let transit_modes = ["pt".to_owned()];
        let preferences = |set| Preferences::new(&scoring, set, day.names(), &transit_modes, days).unwrap();
        let preferences: Vec<Preferences> = scoring.parameters.iter().map(preferences).collect();
        let expected = expected(&folder.join(format!("scores/{name}.tsv")));
        assert_eq!((preferences.len(), expected.len()), (2, 120), "{name}");
        let set = |of: &Expected| parameter_set(&scoring.parameters, Some(&of.subpopulation)).unwrap();
        let scores = day.scores(&expected.iter().map(|of| (of.person.as_str(), &preferences[set(of)])).collect());
        let learning = Learning::new(&scoring, 0, 0);
        let (mut largest, mut equal) = (0.0_f64, 0);
        for Expected { person, executed, old, new, .. } in &expected {
            let score = scores[person];
            let difference = (score - executed).abs().max((learning.plan_score(0, *old, score) - new).abs());
            assert!(difference <= 1e-12, "{name}, person {person}: {score} instead of {executed}");
            largest = largest.max(difference);
            equal += u32::from(difference == 0.0);
        }
        println!("{name}: {equal} of {} scores are equal, largest difference {largest:e}", expected.len());
    }
}
