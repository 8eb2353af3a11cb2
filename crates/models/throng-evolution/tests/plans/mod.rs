//! Plans files of MATSim, as far as the tests of this crate need them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use throng_core::clock;
use throng_matsim::formats::open::TextInput;
use throng_matsim::formats::xml::{Tag, Token, Xml};
use throng_traffic_scenario::{Activity, Leg, ModeId, Population};

/// A plan of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Score; `None` for none.
    pub score: Option<f64>,
    pub is_selected: bool,
    /// End time and maximum duration of each activity, seconds.
    pub times: Vec<[Option<f64>; 2]>,
    /// All elements with their attributes.
    pub content: String,
}

/// The plans of all persons by id.
pub type Plans = BTreeMap<String, Vec<Plan>>;

/// Reads the plans of a file (versions 4 and 6), and the ids of persons in the order of the file.
pub fn read(path: &Path) -> (Vec<String>, Plans) {
    let mut xml = Xml::new(TextInput::open(path).unwrap(), path.display().to_string());
    xml.root(&["plans", "population"], "plans").unwrap();
    let (mut ids, mut plans) = (vec![], Plans::new());
    loop {
        match xml.read().unwrap() {
            Token::Eof => return (ids, plans),
            Token::Start(tag) => start(&tag, &mut ids, &mut plans),
            Token::End(end) => {
                if let Some(plan) = ids.last().and_then(|id| plans.get_mut(id)).and_then(|plans| plans.last_mut()) {
                    plan.content += end.text.trim();
                }
            }
        }
    }
}

fn start(tag: &Tag<'_>, ids: &mut Vec<String>, plans: &mut Plans) {
    let time = |name: &str| tag.get(name).and_then(|text| clock::parse(text).unwrap());
    let name = tag.name;
    if name == "person" {
        let id = tag.get("id").unwrap().to_owned();
        ids.push(id.clone());
        plans.insert(id, vec![]);
        return;
    }
    let Some(of_person) = ids.last().and_then(|id| plans.get_mut(id)) else { return };
    if name == "plan" {
        of_person.push(Plan {
            score: tag.get("score").map(|text| text.parse().unwrap()),
            is_selected: tag.get("selected") != Some("no"),
            times: vec![],
            content: String::new(),
        });
        return;
    }
    let Some(plan) = of_person.last_mut() else { return };
    if name == "act" || name == "activity" {
        plan.times.push([time("end_time"), time("max_dur").or(time("dur"))]);
    }
    plan.content += name;
    for (name, value) in tag.attributes() {
        write!(plan.content, " {name}={value:?}").unwrap();
    }
}

/// Returns a population in the order of `ids` with the plan of each person that `plan_of` names; of its activities only
/// the times, in plans of activities and legs by turns.
pub fn population<'a>(ids: &'a [String], plan_of: impl Fn(&'a str) -> &'a Plan) -> Population {
    let mut population = Population::default();
    for id in ids {
        population.begin_person(id).unwrap();
        for (i, [end_time, max_duration]) in plan_of(id).times.iter().enumerate() {
            if i > 0 {
                population.add_leg(&Leg::new(ModeId(0), 0, 0));
            }
            let [end_time, max_duration] = [end_time, max_duration].map(|time| time.unwrap_or(f64::NAN));
            population.add_activity(&Activity {
                kind: 0,
                link: 0,
                facility: 0,
                x: 0.0,
                y: 0.0,
                end_time,
                max_duration,
            });
        }
    }
    population
}
