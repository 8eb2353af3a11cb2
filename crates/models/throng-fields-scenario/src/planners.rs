//! How agents choose among their goals: by travel time, or as actions by their worth and travel time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_fields_core::routing::Planner;
use throng_model::scenario_file::At;

use crate::agents::{AgentsTable, Follow};
use crate::behaviour::Behaviour;
use crate::goals;
use crate::goals::Goal;
use crate::key_rules::{Presence, check_keys};
use crate::scenario::FieldId;
use crate::value_checks::accept;

/// How agents with `follow = "flow"` choose among their goals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlannerKind {
    /// The goal with the shortest travel time.
    #[default]
    Nearest,
    /// The goal with the highest utility: its worth minus the travel time to it.
    Actions,
}

/// The worth of a goal to agents that plan actions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Worth {
    /// The part that stays the same.
    pub constant: f64,
    /// The field whose mean over the goal is added, and its factor.
    pub field: Option<(FieldId, f64)>,
}

/// A course of the agents of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupCourse {
    /// The index of the behaviour: 0 without a rule, else one plus the index of the rule.
    pub behaviour: u8,
    /// The goal that agents have chosen as their action; `None` for behaviours without a planner, and for agents that
    /// have discarded all actions.
    pub action: Option<usize>,
}

/// The number of courses of a group: indices fit into 16 bits.
const MAX_COURSES: usize = 1 << 12;

impl AgentsTable {
    /// The number of actions of the group and of each rule under which agents stay, for those whose agents plan
    /// actions, in a scenario with this number of goals.
    fn planned(&self, goals: usize) -> impl Iterator<Item = usize> {
        let of_rules = self.rules.iter().filter(|rule| !rule.leave).map(|rule| {
            let (follow, planner) = (rule.follow.unwrap_or(self.follow), rule.planner.or(self.planner));
            (follow, planner, rule.goals.as_ref().or(self.goals.as_ref()))
        });
        let all = [(self.follow, self.planner, self.goals.as_ref())].into_iter().chain(of_rules);
        let planned = all.filter(|(follow, planner, _)| plans(*follow, *planner));
        planned.map(move |(_, _, names)| match names.map(Vec::as_slice) {
            None => goals,
            Some([word]) if goals::stands_for_several(word) => goals,
            Some(names) => names.len(),
        })
    }

    /// The number of actions to which paths are computed, at most, in a scenario with this number of goals.
    pub(crate) fn actions(&self, goals: usize) -> usize {
        self.planned(goals).sum()
    }
}

/// Whether agents with these keys plan actions.
fn plans(follow: Follow, planner: Option<PlannerKind>) -> bool {
    follow == Follow::Flow && planner == Some(PlannerKind::Actions)
}

/// Returns the planner of a group, for those of its behaviours that plan actions. Fills in the defaults.
pub(crate) fn planner(written: &mut At<AgentsTable>, problems: &mut Problems) -> Planner {
    let plans = written.value.planned(0).next().is_some();
    let agents = &mut written.value;
    let keys = [
        ("least_utility", agents.least_utility.is_some(), Presence::may_when(plans)),
        ("switch_gain", agents.switch_gain.is_some(), Presence::may_when(plans)),
    ];
    check_keys(&written.place, "a group without planner = \"actions\"", &keys, problems);
    if agents.follow == Follow::Flow {
        agents.planner.get_or_insert_default();
    }
    if plans {
        agents.switch_gain.get_or_insert(0.0);
    }
    let least = agents.least_utility.unwrap_or(f64::NEG_INFINITY);
    accept(&written.place, Planner::new(least, agents.switch_gain.unwrap_or(0.0)), problems).unwrap_or_default()
}

/// Returns the planner of a behaviour of this kind, in a group with this planner.
pub(crate) fn of(kind: Option<PlannerKind>, planner: Planner) -> Option<Planner> {
    (kind == Some(PlannerKind::Actions)).then_some(planner)
}

/// Returns the courses of a group. First come its behaviours, given by index, without an action; then, for those that
/// plan actions, one course per goal. `None` with problems.
pub(crate) fn courses(
    written: &At<AgentsTable>,
    behaviours: &[Option<&Behaviour>],
    goals: usize,
    problems: &mut Problems,
) -> Option<Vec<GroupCourse>> {
    let owners = vec![None; goals];
    let mut courses: Vec<GroupCourse> =
        (0..=u8::MAX).zip(behaviours).map(|(behaviour, _)| GroupCourse { behaviour, action: None }).collect();
    for (behaviour, planning) in (0..=u8::MAX).zip(behaviours) {
        let Some(planning) = planning.filter(|behaviour| behaviour.planner.is_some()) else { continue };
        // Without owners, all goals that any team may have.
        let chosen = planning.goals.set(&owners, None).into_iter().enumerate().filter(|(_, chosen)| *chosen);
        courses.extend(chosen.map(|(goal, _)| GroupCourse { behaviour, action: Some(goal) }));
        if courses.len() > MAX_COURSES {
            let value = format!("\"actions\" with {} rules and {goals} goals", behaviours.len() - 1);
            let remedy = format!("rules times goals may be at most about {MAX_COURSES}: name the goals of rules");
            problems.push(written.part("planner"), value, remedy);
            return None;
        }
    }
    Some(courses)
}

impl Goal {
    /// Whether the goal is worth anything to agents that plan actions.
    pub fn has_worth(&self) -> bool {
        self.worth != Worth::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(keys: &str) -> AgentsTable {
        let start = "start = { at = [1, 1], radius = 1 }";
        toml::from_str(&format!("name = \"g\"\ncount = 1\nspeed = 1\n{start}\nfollow = \"flow\"\n{keys}")).unwrap()
    }

    #[test]
    fn each_behaviour_that_plans_has_its_actions() {
        let actions = |keys: &str| group(keys).actions(3);
        assert_eq!(actions("rules = [{ after = 1 }]"), 0);
        assert_eq!(actions("planner = \"actions\""), 3);
        assert_eq!(actions("planner = \"actions\"\ngoals = [\"others\"]\nrules = [{ after = 1 }]"), 6);
        assert_eq!(actions("planner = \"actions\"\ngoals = [\"a\", \"b\"]\nrules = [{ leave = true }]"), 2);
        assert_eq!(actions("goals = [\"a\", \"b\"]\nrules = [{ planner = \"actions\", goals = [\"a\"] }]"), 1);
        assert_eq!(actions("planner = \"actions\"\nrules = [{ follow = \"field\" }, { planner = \"nearest\" }]"), 3);
    }
}
