//! Goals of a scenario, and the choice of goals by groups.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_model::scenario_file::At;
use throng_pictures::{Grid, Mask};

use crate::areas::{AreaTable, area, check_has_open_cell};
use crate::key_rules::{Presence, check_keys};
use crate::names;
use crate::names::Known;
use crate::planners::Worth;
use crate::value_checks::check_lengths;

/// An entry of `[[goals]]`: a disc, or a rectangle along the axes.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Goal")]
pub struct GoalTable {
    /// A name, for the goals of groups and for tables.
    pub name: Option<String>,
    /// The centre of a disc, units of length.
    pub at: Option<[f64; 2]>,
    /// The radius of a disc, units of length.
    pub radius: Option<f32>,
    /// The corner of a rectangle with the lowest coordinates, units of length.
    pub from: Option<[f64; 2]>,
    /// The corner with the highest coordinates.
    pub to: Option<[f64; 2]>,
    /// The team that owns the goal when the run begins, which may have no agents yet.
    pub owner: Option<String>,
    /// The time for which agents of a single team must be in the goal until that team owns it, units of time; without
    /// it the owner never changes.
    pub capture_time: Option<f64>,
    /// The worth of the goal to agents with `planner = "actions"`, units of time.
    #[serde(default)]
    pub worth: f64,
    /// The layer or combination whose mean over the goal's cells is added to the worth.
    pub value: Option<String>,
    /// Factor of that mean; by default 1.
    pub weight: Option<f64>,
}

impl GoalTable {
    /// Returns the area of the goal.
    pub fn area(&self) -> AreaTable {
        let &Self { at, radius, from, to, .. } = self;
        AreaTable { at, radius, from, to }
    }
}

/// An area to which agents walk, and the rules for teams that own or capture it.
#[derive(Debug, Clone)]
pub struct Goal {
    pub name: Option<String>,
    /// The cells of the goal; some of them may be walls.
    pub area: Mask,
    /// The team that owns the goal at the start.
    pub owner: Option<usize>,
    /// The time for which a team must hold the goal alone to own it, units of time.
    pub capture_time: Option<f64>,
    /// The worth to agents that plan actions.
    pub worth: Worth,
}

impl Goal {
    /// The name in tables and messages; `number` is the index of the goal.
    pub fn title(&self, number: usize) -> String {
        self.name.clone().unwrap_or_else(|| numbered(number + 1))
    }

    /// Whether a team owns the goal initially or may capture it.
    pub fn may_be_owned(&self) -> bool {
        self.capture_time.is_some() || self.owner.is_some()
    }
}

/// The name of an unnamed goal, numbered from 1.
fn numbered(number: usize) -> String {
    format!("goal {number}")
}

/// The choice of goals for agents.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    All,
    /// The goals that the agents' team does not own.
    Others,
    /// Whether each goal is one of the agents' goals.
    These(Vec<bool>),
}

/// Whether each goal of a scenario is in a set.
pub type GoalSet = Vec<bool>;

impl Choice {
    /// Returns the goals of agents of a team, given the current owners.
    pub fn set(&self, owners: &[Option<usize>], team: Option<usize>) -> GoalSet {
        match self {
            Self::All => vec![true; owners.len()],
            Self::Others => owners.iter().map(|owner| owner.is_none() || *owner != team).collect(),
            Self::These(these) => these.clone(),
        }
    }
}

/// Reads the goals, which must have at least one open cell.
pub(crate) fn goals(
    written: &[At<GoalTable>],
    grid: &Grid,
    open: &Mask,
    known: &Known<'_>,
    problems: &mut Problems,
) -> Vec<Goal> {
    let mut names_before = HashSet::new();
    let mut goals = Vec::new();
    let unnamed: HashSet<String> =
        (1..).zip(written).filter(|(_, goal)| goal.value.name.is_none()).map(|(number, _)| numbered(number)).collect();
    for goal in written {
        let GoalTable { name, owner, capture_time, .. } = &goal.value;
        if let Some(name) = name {
            names::check_name(name, &goal.part("name"), problems);
            if stands_for_several(name) {
                let remedy = "this word stands for several goals: choose another name";
                problems.push(goal.part("name"), format!("\"{name}\""), remedy);
            } else if unnamed.contains(name) {
                let value = format!("\"{name}\", which stands for a goal without a name");
                problems.push(goal.part("name"), value, "choose another name, or name all goals");
            } else if !names_before.insert(name) {
                let value = format!("\"{}\", the name of an earlier goal", names::shown(name));
                problems.push(goal.part("name"), value, "give each goal a unique name, or none");
            }
        }
        if let Some(owner) = owner {
            names::check_name(owner, &goal.part("owner"), problems);
        }
        let owner = owner.as_ref().and_then(|owner| team(owner, &goal.part("owner"), known.teams, problems));
        if let Some(time) = capture_time.filter(|time| !(time.is_finite() && *time >= 0.0)) {
            problems.push(goal.part("capture_time"), time.to_string(), "expected a finite time, 0 or more");
        }
        check_lengths(Some(grid), &goal.place, [("radius", goal.value.radius)], problems);
        let worth = worth(goal, known, problems);
        let Some(area) = area(grid, &goal.value.area(), &goal.place, problems) else { continue };
        check_has_open_cell(grid, open, &area, goal.place.clone(), problems);
        goals.push(Goal { name: name.clone(), area, owner, capture_time: *capture_time, worth });
    }
    goals
}

/// Reads the worth of a goal to agents that plan actions.
fn worth(goal: &At<GoalTable>, known: &Known<'_>, problems: &mut Problems) -> Worth {
    let GoalTable { worth, value, weight, .. } = &goal.value;
    let keys = [("weight", weight.is_some(), Presence::may_when(value.is_some()))];
    check_keys(&goal.place, "a goal without value", &keys, problems);
    let weight = weight.unwrap_or(1.0);
    for (key, number) in [("worth", *worth), ("weight", weight)] {
        if !number.is_finite() {
            problems.push(goal.part(key), number.to_string(), "expected a finite number");
        }
    }
    let field = value.as_ref().and_then(|name| {
        let field = names::field(name, &goal.part("value"), known.layers, known.combinations, problems)?;
        Some((field, weight))
    });
    Worth { constant: *worth, field }
}

/// The word in scenario files for all goals.
pub(crate) const ALL: &str = "all";
/// The word in scenario files for the goals that a team does not own.
pub(crate) const OTHERS: &str = "others";
/// Words that stand for several goals.
const RESERVED: [&str; 2] = [ALL, OTHERS];

/// Whether a word in a scenario file stands for several goals.
pub(crate) fn stands_for_several(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// Reads the goals named by a group or rule; `None` with problems.
pub(crate) fn choice(
    written: &[String],
    place: &str,
    goals: &[At<GoalTable>],
    problems: &mut Problems,
) -> Option<Choice> {
    match written {
        [] => {
            problems.push(place, "an empty list", "name goals, or leave out this key");
            None
        }
        [word] if word == ALL => Some(Choice::All),
        [word] if word == OTHERS => Some(Choice::Others),
        names if names.iter().any(|name| stands_for_several(name)) => {
            let word = names.iter().find(|name| stands_for_several(name)).map_or("", String::as_str);
            let remedy = format!("this word stands for several goals: write [\"{word}\"], or name each goal");
            problems.push(place, format!("\"{word}\" among other names"), remedy);
            None
        }
        names => {
            let mut these = vec![false; goals.len()];
            let before = problems.total();
            for name in names {
                if let Some(goal) = goals.iter().position(|goal| goal.value.name.as_ref() == Some(name)) {
                    these[goal] = true;
                } else {
                    let all = goals.iter().filter_map(|goal| goal.value.name.as_deref()).chain(RESERVED);
                    names::missing(place, ("goal", &["goals"]), name, all, "", problems);
                }
            }
            (problems.total() == before).then_some(Choice::These(these))
        }
    }
}

/// Returns the index of a team.
pub(crate) fn team(name: &str, place: &str, teams: &[String], problems: &mut Problems) -> Option<usize> {
    let found = teams.iter().position(|team| team == name);
    if found.is_none() {
        let remedy = "give entities or agents this team";
        names::missing(place, ("team", &names::OF_TEAMS), name, teams.iter().map(String::as_str), remedy, problems);
    }
    found
}
