//! Reads the parts of MATSim's files that scores depend on.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::GzDecoder;
use throng_matsim::formats::xml::{Token, Xml};
use throng_traffic_scenario::settings::{
    ActivityParameters, ModeParameters, Scoring, ScoringParameters, TypicalDurationScore,
};

/// The attributes of an element.
pub type Element = BTreeMap<String, String>;

fn xml(path: &Path, root: &str) -> Xml<impl BufRead> {
    let file = File::open(path).unwrap();
    let is_packed = path.extension().is_some_and(|extension| extension == "gz");
    let bytes: Box<dyn Read> = if is_packed { Box::new(GzDecoder::new(file)) } else { Box::new(file) };
    let mut xml = Xml::new(BufReader::new(bytes), path.display().to_string());
    xml.root(&[root], root).unwrap();
    xml
}

/// Returns the attributes of all elements called `name`, in the order of the file.
pub fn elements(path: &Path, root: &str, name: &str) -> Vec<Element> {
    let mut xml = xml(path, root);
    let mut found = Vec::new();
    loop {
        match xml.read().unwrap() {
            Token::Start(tag) if tag.name == name => {
                found.push(tag.attributes().map(|(name, value)| (name.to_owned(), value.to_owned())).collect());
            }
            Token::Eof => return found,
            _ => {}
        }
    }
}

/// Reads the group `planCalcScore` of a config file, with a parameter set per subpopulation.
pub fn scoring(path: &Path) -> Scoring {
    let mut xml = xml(path, "config");
    let mut scoring = Scoring { parameters: Vec::new(), ..Scoring::default() };
    let mut is_scoring = false;
    let mut sets: Vec<String> = Vec::new();
    loop {
        match xml.read().unwrap() {
            Token::Start(tag) if tag.name == "module" => is_scoring = tag.get("name") == Some("planCalcScore"),
            Token::Start(tag) if is_scoring && tag.name == "parameterset" => {
                let kind = tag.get("type").unwrap();
                if kind == "scoringParameters" {
                    scoring.parameters.push(ScoringParameters::default());
                }
                sets.push(kind.to_owned());
            }
            Token::Start(tag) if is_scoring && tag.name == "param" => {
                let [name, value] = ["name", "value"].map(|name| tag.get(name).unwrap());
                match (sets.last().map(String::as_str), scoring.parameters.last_mut()) {
                    (None, _) => set_of_group(&mut scoring, name, value),
                    (Some("scoringParameters"), Some(set)) => set_of_set(set, name, value),
                    (Some("modeParams"), Some(set)) => set_of_mode(&mut set.modes, name, value),
                    (Some("activityParams"), Some(set)) => set_of_activity(&mut set.activities, name, value),
                    unknown => panic!("{unknown:?}"),
                }
            }
            Token::End(end) if is_scoring && end.name == "parameterset" => {
                // The new parameters of a mode replace the default ones.
                let set = scoring.parameters.last_mut().unwrap();
                if sets.pop().as_deref() == Some("modeParams") {
                    let new = set.modes.pop().unwrap();
                    set.modes.retain(|mode| mode.mode != new.mode);
                    set.modes.push(new);
                }
            }
            Token::Eof => return scoring,
            _ => {}
        }
    }
}

fn set_of_group(scoring: &mut Scoring, name: &str, value: &str) {
    match name {
        "learningRate" => scoring.learning_rate = number(value),
        "BrainExpBeta" => scoring.brain_exp_beta = number(value),
        _ => panic!("{name}"),
    }
}

fn set_of_set(set: &mut ScoringParameters, name: &str, value: &str) {
    match name {
        "subpopulation" => set.subpopulation = Some(value.to_owned()),
        "performing" => set.performing_per_h = number(value),
        "lateArrival" => set.late_arrival_per_h = number(value),
        "earlyDeparture" => set.early_departure_per_h = number(value),
        "waiting" => set.waiting_per_h = number(value),
        "waitingPt" => set.waiting_pt_per_h = Some(number(value)),
        "marginalUtilityOfMoney" => set.utility_of_money = number(value),
        "utilityOfLineSwitch" => set.utility_of_line_switch = number(value),
        _ => panic!("{name}"),
    }
}

fn set_of_mode(modes: &mut Vec<ModeParameters>, name: &str, value: &str) {
    if name == "mode" {
        return modes.push(ModeParameters::new(value));
    }
    let mode = modes.last_mut().unwrap();
    *match name {
        "constant" => &mut mode.constant,
        "marginalUtilityOfTraveling_util_hr" => &mut mode.traveling_per_h,
        "marginalUtilityOfDistance_util_m" => &mut mode.distance_per_m,
        "monetaryDistanceRate" => &mut mode.monetary_distance_rate_per_m,
        "dailyUtilityConstant" => &mut mode.daily_utility,
        "dailyMonetaryConstant" => &mut mode.daily_money,
        _ => panic!("{name}"),
    } = number(value);
}

fn set_of_activity(activities: &mut Vec<ActivityParameters>, name: &str, value: &str) {
    if name == "activityType" {
        return activities.push(ActivityParameters::new(value, f64::NAN));
    }
    let activity = activities.last_mut().unwrap();
    match name {
        "typicalDuration" => activity.typical_duration_s = seconds(value),
        "priority" => activity.priority = number(value),
        "minimalDuration" => activity.minimal_duration_s = Some(seconds(value)),
        "openingTime" => activity.opening_s = Some(seconds(value)),
        "closingTime" => activity.closing_s = Some(seconds(value)),
        "latestStartTime" => activity.latest_start_s = Some(seconds(value)),
        "earliestEndTime" => activity.earliest_end_s = Some(seconds(value)),
        "scoringThisActivityAtAll" => activity.is_scored = value == "true",
        "typicalDurationScoreComputation" => {
            activity.score_at_typical_duration = match value {
                "relative" => TypicalDurationScore::Relative,
                "uniform" => TypicalDurationScore::Uniform,
                _ => panic!("{value}"),
            }
        }
        _ => panic!("{name}"),
    }
}

pub fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("{text}"))
}

fn seconds(text: &str) -> f64 {
    text.split(':').fold(0.0, |sum, part| 60.0 * sum + number(part))
}
