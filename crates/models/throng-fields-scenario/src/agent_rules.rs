//! The rules that change the behaviour of agents: `[[agents.rules]]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_fields_core::routing::{Planner, Trail};
use throng_model::scenario_file::At;

use crate::agents::{AgentsTable, Follow};
use crate::behaviour::{Behaviour, Directions, check_goals};
use crate::key_rules::{Presence, check_keys};
use crate::names;
use crate::names::Known;
use crate::planners;
use crate::planners::PlannerKind;
use crate::value_checks::check_not_negative;

/// A condition and the behaviour of agents under it: all parts of the condition must hold.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Rule")]
pub struct RuleTable {
    /// Agents or entities that must be near: "enemy" for those of other teams, or the name of a team, a group or an
    /// entity.
    pub near: Option<String>,
    /// Maximum distance to them, units of length (with `near`).
    pub within: Option<f32>,
    /// Minimum number of them (with `near`); by default 1.
    pub at_least: Option<u32>,
    /// The time from which the rule may hold, units of time; by default 0.
    pub after: Option<f64>,
    /// The time before which the rule may hold, units of time; by default the end of the run.
    pub before: Option<f64>,
    /// The time for which the rule stays in force after its condition last held, units of time; by default 0.
    pub keep: Option<f64>,
    /// The goals under this rule, as for the group; by default those of the group.
    pub goals: Option<Vec<String>>,
    /// How agents choose their direction under this rule; by default as in the group.
    pub follow: Option<Follow>,
    /// The combination that agents follow under this rule; by default that of the group.
    pub combine: Option<String>,
    /// The costs of paths under this rule; by default those of the group.
    pub flow: Option<String>,
    /// How agents choose among their goals under this rule; by default as in the group.
    pub planner: Option<PlannerKind>,
    /// Factor of the agents' speed under this rule; by default 1.
    pub pace: Option<f32>,
    /// Whether agents leave the map when the condition holds.
    #[serde(default)]
    pub leave: bool,
}

/// The agents or entities that must be near.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NearTarget {
    /// Agents and entities of other teams.
    Enemy,
    Team(usize),
    Group(usize),
    Entity(usize),
}

impl NearTarget {
    /// The kind of object, for messages.
    fn kind(self) -> &'static str {
        match self {
            Self::Enemy => "all other teams",
            Self::Team(_) => "a team",
            Self::Group(_) => "a group",
            Self::Entity(_) => "an entity",
        }
    }
}

/// A condition on nearby agents or entities.
#[derive(Debug, Clone, Copy)]
pub struct Near {
    pub who: NearTarget,
    pub within: f32,
    pub at_least: u32,
}

/// A condition, and the behaviour of agents while it holds.
#[derive(Debug, Clone)]
pub struct Rule {
    pub near: Option<Near>,
    /// Start and end of the period in which the rule may hold.
    pub times: (f64, f64),
    /// The time for which the rule stays in force after its condition last held.
    pub keep: f64,
    /// `None` if agents leave the map.
    pub behaviour: Option<Behaviour>,
}

/// Reads the rules of a group with these directions, in order; rules with problems are `None`.
pub(crate) fn rules(
    written: &mut At<AgentsTable>,
    of_group: (&Directions, Option<Trail>, Planner),
    known: &Known<'_>,
    problems: &mut Problems,
) -> Vec<Option<Rule>> {
    let At { value: AgentsTable { follow, team, planner, rules, .. }, place } = written;
    let rules = (1..).zip(rules);
    let rule = |(number, rule)| {
        one((rule, &format!("{place}, rule {number}")), (*follow, *planner, team.is_some()), of_group, known, problems)
    };
    rules.map(rule).collect()
}

fn one(
    (rule, place): (&mut RuleTable, &str),
    (follow_of_group, planner_of_group, has_team): (Follow, Option<PlannerKind>, bool),
    (of_group, trail, planner): (&Directions, Option<Trail>, Planner),
    known: &Known<'_>,
    problems: &mut Problems,
) -> Option<Rule> {
    let follow = rule.follow.unwrap_or(follow_of_group);
    let part = |key: &str| format!("{place}, {key}");
    let near = rule.near.is_some();
    let keys = [
        ("within", rule.within.is_some(), Presence::when(near)),
        ("at_least", rule.at_least.is_some(), Presence::may_when(near)),
    ];
    check_keys(place, if near { "near" } else { "a rule without near" }, &keys, problems);
    let keys = [
        ("goals", rule.goals.is_some()),
        ("follow", rule.follow.is_some()),
        ("combine", rule.combine.is_some()),
        ("flow", rule.flow.is_some()),
        ("planner", rule.planner.is_some()),
        ("pace", rule.pace.is_some()),
        ("keep", rule.keep.is_some()),
    ]
    .map(|(key, given)| (key, given, Presence::may_when(!rule.leave)));
    check_keys(place, "a rule with leave = true", &keys, problems);
    if !rule.leave {
        let keys = [
            ("combine", rule.combine.is_some(), Presence::may_when(follow.senses())),
            ("flow", rule.flow.is_some(), Presence::may_when(!follow.senses())),
            ("planner", rule.planner.is_some(), Presence::may_when(!follow.senses())),
        ];
        check_keys(place, &follow.shown(), &keys, problems);
    }
    if !near && rule.after.is_none() && rule.before.is_none() {
        let remedy = "say when it holds: near = \"enemy\" with within, after, or before";
        problems.push(place, "no condition", remedy);
    }
    if near {
        rule.at_least.get_or_insert(1);
    }
    let after = *rule.after.get_or_insert(0.0);
    if !rule.leave {
        rule.follow.get_or_insert(follow);
        if follow == Follow::Flow {
            rule.planner.get_or_insert(planner_of_group.unwrap_or_default());
        }
        rule.keep.get_or_insert(0.0);
        rule.pace.get_or_insert(1.0);
    }
    let (keep, pace) = (rule.keep.unwrap_or_default(), rule.pace.unwrap_or_default());
    let (before, within) = (rule.before.unwrap_or(f64::INFINITY), rule.within.unwrap_or_default());
    let times = [("after", Some(after)), ("before", rule.before), ("keep", Some(keep))];
    let numbers = times.into_iter().filter_map(|(key, time)| Some((key, time?)));
    for (key, number) in numbers.chain([("within", within.into()), ("pace", pace.into())]) {
        check_not_negative(part(key), number, problems);
    }
    if rule.at_least == Some(0) {
        problems.push(part("at_least"), "0", "expected 1 or more");
    }
    if before >= 0.0 && after.is_finite() && after >= before {
        let remedy = format!("expected a time above {after}, or the rule never holds");
        problems.push(part("before"), before.to_string(), remedy);
    }
    let who = rule.near.as_ref().map(|name| who(name, &part("near"), has_team, known, problems));
    if let (Some(Some(NearTarget::Entity(_))), Some(at_least @ 2..)) = (who, rule.at_least) {
        let remedy = "near is a single entity, so the rule would never hold: leave out at_least";
        problems.push(part("at_least"), at_least.to_string(), remedy);
    }
    let behaviour = if rule.leave {
        None
    } else {
        if follow == Follow::Flow && follow_of_group != Follow::Flow {
            check_goals(place, known, problems);
        }
        let names = (rule.combine.as_deref(), rule.flow.as_deref(), rule.goals.as_deref());
        let planner = planners::of(rule.planner, planner);
        Some(of_group.with(names, place, known, problems).behaviour(follow, pace, trail, planner)?)
    };
    let near = match who {
        Some(who) => Some(Near { who: who?, within, at_least: rule.at_least.unwrap_or_default() }),
        None => None,
    };
    Some(Rule { near, times: (after, before), keep, behaviour })
}

/// Resolves a name: "enemy", or the team, the group or the entity of that name.
fn who(name: &str, place: &str, has_team: bool, known: &Known<'_>, problems: &mut Problems) -> Option<NearTarget> {
    if name == "enemy" {
        if !has_team {
            problems.push(place, "\"enemy\"", "agents without a team have no enemies: give the group a team");
        }
        let entities = known.entities.iter().flatten();
        if known.teams.iter().chain(known.groups).chain(entities).any(|named| named == name) {
            let remedy = "this word stands for all other teams: give that team, group or entity another name";
            problems.push(place, "\"enemy\" is also a name", remedy);
        }
        return Some(NearTarget::Enemy);
    }
    let team = known.teams.iter().position(|team| team == name).map(NearTarget::Team);
    let group = known.groups.iter().position(|group| group == name).map(NearTarget::Group);
    let entity = known.entities.iter().position(|entity| entity.as_deref() == Some(name)).map(NearTarget::Entity);
    let found: Vec<NearTarget> = [team, group, entity].into_iter().flatten().collect();
    if found.len() > 1 {
        let kinds: Vec<&str> = found.iter().map(|who| who.kind()).collect();
        let value = format!("\"{}\" is the name of {}", names::shown(name), kinds.join(" and of "));
        problems.push(place, value, "give one of them another name, so that it is clear which is meant");
    }
    if found.is_empty() {
        let teams = known.teams.iter().map(String::as_str);
        let groups = known.groups.iter().map(String::as_str);
        let entities = known.entities.iter().flatten().map(String::as_str);
        let all = ["enemy"].into_iter().chain(teams).chain(groups).chain(entities);
        let kind = ("team, group or entity", &names::OF_TEAMS[..]);
        names::missing(place, kind, name, all, "", problems);
    }
    found.first().copied()
}
