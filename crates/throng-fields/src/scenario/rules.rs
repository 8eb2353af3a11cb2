//! What agents do: their behaviour, and the rules by which it changes.

use throng_core::Problems;
use throng_model::At;

use crate::routing::Trail;
use crate::scenario::figures::{Given, Need};
use crate::scenario::goals::{self, Choice};
use crate::scenario::names;
use crate::scenario::written::{self, Follow};

/// How agents choose their direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Way {
    /// By the slope of a combination, by its number.
    Field(usize),
    /// By the best neighbouring cell in it, away from a trail.
    Neighbour(usize, Option<Trail>),
    /// By the flow field of these costs.
    Flow(usize),
}

/// What agents do.
#[derive(Debug, Clone)]
pub(crate) struct Behaviour {
    pub way: Way,
    pub goals: Choice,
    /// Factor of their speed.
    pub pace: f32,
}

/// Who must be near.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// Agents and entities of other teams.
    Enemy,
    Team(usize),
    Group(usize),
    Entity(usize),
}

/// A condition on what is near.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Near {
    pub who: Who,
    pub within: f32,
    pub at_least: u32,
}

/// A condition, and what agents do while it holds.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub near: Option<Near>,
    /// Times from and until which it may hold.
    pub times: (f64, f64),
    /// The time for which agents keep to it.
    pub keep: f64,
    /// `None`: they leave the map.
    pub behaviour: Option<Behaviour>,
}

/// The named objects that groups and rules refer to.
pub(crate) struct Known<'a> {
    pub teams: &'a [String],
    pub groups: &'a [At<written::Agents>],
    pub entities: &'a [At<written::Entity>],
    pub goals: &'a [At<written::Goal>],
    /// Names of combinations and costs; the first of each is the default, without a name.
    pub combinations: &'a [String],
    pub flows: &'a [String],
}

impl Known<'_> {
    /// The number of a named combination or of named costs.
    fn number(kind: &str, name: &str, place: &str, names: &[String], problems: &mut Problems) -> Option<usize> {
        let found = names.iter().skip(1).position(|known| known == name);
        if found.is_none() {
            let named = names.iter().skip(1).map(String::as_str);
            let shown = names::shown(name);
            let remedy = if names.len() < 2 { format!("add [{kind}.{shown}]") } else { names::known(name, named) };
            problems.push(place, format!("there is no [{kind}.{shown}]"), remedy);
        }
        found.map(|place| place + 1)
    }
}

/// What a group or rule says about directions; a rule has the values of its group where it says nothing.
struct Directions<'w> {
    follow: Follow,
    combine: Option<&'w str>,
    flow: Option<&'w str>,
    goals: Option<&'w [String]>,
    pace: f32,
}

/// The behaviour of a group without rules.
pub(crate) fn base(
    written: &At<written::Agents>,
    trail: Trail,
    known: &Known<'_>,
    problems: &mut Problems,
) -> Option<Behaviour> {
    let agents = &written.value;
    let directions = Directions {
        follow: agents.follow,
        combine: agents.combine.as_deref(),
        flow: agents.flow.as_deref(),
        goals: agents.goals.as_deref(),
        pace: 1.0,
    };
    behaviour(&directions, &written.place, (agents, trail), known, problems)
}

fn behaviour(
    directions: &Directions<'_>,
    place: &str,
    (agents, trail): (&written::Agents, Trail),
    known: &Known<'_>,
    problems: &mut Problems,
) -> Option<Behaviour> {
    let &Directions { follow, combine, flow, goals, pace } = directions;
    let part = |key: &str| format!("{place}, {key}");
    let before = problems.total();
    let combination = combine
        .map_or(Some(0), |name| Known::number("combinations", name, &part("combine"), known.combinations, problems));
    let flow = flow.map_or(Some(0), |name| Known::number("flows", name, &part("flow"), known.flows, problems));
    let goals = match goals {
        Some(names) => goals::choice(names, &part("goals"), known.goals, problems),
        None if agents.team.is_some() => Some(Choice::Others),
        None => Some(Choice::All),
    };
    if follow == Follow::Flow && known.goals.is_empty() {
        problems.push(place, "follow is \"flow\", and there are no goals", "add [[goals]] with at and radius");
    }
    if problems.total() > before {
        return None;
    }
    let way = match follow {
        Follow::Field => Way::Field(combination?),
        Follow::Neighbour => Way::Neighbour(combination?, (agents.trail_cells > 0).then_some(trail)),
        Follow::Flow => Way::Flow(flow?),
    };
    Some(Behaviour { way, goals: goals?, pace })
}

/// The rules of a group, in their order.
pub(crate) fn rules(
    written: &At<written::Agents>,
    trail: Trail,
    known: &Known<'_>,
    problems: &mut Problems,
) -> Vec<Rule> {
    let rules = written.value.rules.iter().enumerate();
    let rule = |(number, rule): (usize, &written::Rule)| {
        let rule = At { value: rule.clone(), place: written.part(&format!("rule {}", number + 1)) };
        one(&rule, (&written.value, trail), known, problems)
    };
    rules.filter_map(rule).collect()
}

fn one(
    written: &At<written::Rule>,
    (agents, trail): (&written::Agents, Trail),
    known: &Known<'_>,
    problems: &mut Problems,
) -> Option<Rule> {
    let rule = &written.value;
    let near = rule.near.is_some();
    let given = Given {
        place: &written.place,
        choice: if near { "near" } else { "a rule without near" }.to_owned(),
        keys: vec![
            ("within", rule.within.is_some(), Need::when(near)),
            ("at_least", rule.at_least.is_some(), Need::may_when(near)),
        ],
    };
    given.check(problems);
    let given = Given {
        place: &written.place,
        choice: "a rule with leave = true".to_owned(),
        keys: [
            ("goals", rule.goals.is_some()),
            ("follow", rule.follow.is_some()),
            ("combine", rule.combine.is_some()),
            ("flow", rule.flow.is_some()),
            ("pace", rule.pace.is_some()),
            ("keep", rule.keep.is_some()),
        ]
        .map(|(key, given)| (key, given, Need::may_when(!rule.leave)))
        .to_vec(),
    };
    given.check(problems);
    if !near && rule.after.is_none() && rule.before.is_none() {
        let remedy = "say when it holds: near = \"enemy\" with within, after, or before";
        problems.push(&written.place, "no condition", remedy);
    }
    let number = |key: &str, value: f64, problems: &mut Problems| {
        if !(value.is_finite() && value >= 0.0) {
            problems.push(written.part(key), value.to_string(), "expected a finite number, 0 or more");
        }
        value
    };
    let after = rule.after.map_or(0.0, |time| number("after", time, problems));
    let before = rule.before.map_or(f64::INFINITY, |time| number("before", time, problems));
    let keep = rule.keep.map_or(0.0, |time| number("keep", time, problems));
    let within = rule.within.map_or(0.0, |length| number("within", length.into(), problems)) as f32;
    let pace = rule.pace.map_or(1.0, |pace| number("pace", pace.into(), problems)) as f32;
    if rule.at_least == Some(0) {
        problems.push(written.part("at_least"), "0", "expected 1 or more");
    }
    let near = match &rule.near {
        Some(name) => {
            let who = who(name, &written.part("near"), agents.team.is_some(), known, problems)?;
            Some(Near { who, within, at_least: rule.at_least.unwrap_or(1) })
        }
        None => None,
    };
    let behaviour = if rule.leave {
        None
    } else {
        let directions = Directions {
            follow: rule.follow.unwrap_or(agents.follow),
            combine: rule.combine.as_deref().or(agents.combine.as_deref()),
            flow: rule.flow.as_deref().or(agents.flow.as_deref()),
            goals: rule.goals.as_deref().or(agents.goals.as_deref()),
            pace,
        };
        Some(behaviour(&directions, &written.place, (agents, trail), known, problems)?)
    };
    Some(Rule { near, times: (after, before), keep, behaviour })
}

/// Who a name stands for: "enemy", or the first of a team, a group and an entity of that name.
fn who(name: &str, place: &str, has_team: bool, known: &Known<'_>, problems: &mut Problems) -> Option<Who> {
    if name == "enemy" {
        if !has_team {
            problems.push(place, "\"enemy\"", "agents without a team have no enemies: give the group a team");
        }
        let groups = known.groups.iter().map(|group| &group.value.name);
        let entities = known.entities.iter().filter_map(|entity| entity.value.name.as_ref());
        if known.teams.iter().chain(groups).chain(entities).any(|named| named == name) {
            let remedy = "this word stands for all other teams: give that team, group or entity another name";
            problems.push(place, "\"enemy\" is also a name", remedy);
        }
        return Some(Who::Enemy);
    }
    let team = known.teams.iter().position(|team| team == name).map(Who::Team);
    let group = || known.groups.iter().position(|group| group.value.name == name).map(Who::Group);
    let entity =
        || known.entities.iter().position(|entity| entity.value.name.as_deref() == Some(name)).map(Who::Entity);
    let found = team.or_else(group).or_else(entity);
    if found.is_none() {
        let teams = known.teams.iter().map(String::as_str);
        let groups = known.groups.iter().map(|group| group.value.name.as_str());
        let entities = known.entities.iter().filter_map(|entity| entity.value.name.as_deref());
        let value = format!("there is no team, group or entity \"{}\"", names::shown(name));
        problems.push(
            place,
            value,
            names::known(name, ["enemy"].into_iter().chain(teams).chain(groups).chain(entities)),
        );
    }
    found
}
