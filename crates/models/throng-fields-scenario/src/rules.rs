//! What agents do: their behaviour, and the rules by which it changes.

use throng_core::Problems;
use throng_fields_core::routing::Trail;
use throng_model::At;

use crate::given::{Given, Need};
use crate::goals::Choice;
use crate::written::Follow;
use crate::{goals, names, written};

/// How agents choose their direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Guidance {
    /// By the slope of a combination, by its number.
    Field(usize),
    /// By the best neighbouring cell in it, away from a trail.
    Neighbour(usize, Option<Trail>),
    /// By the flow field of these costs.
    Flow(usize),
}

/// What agents do.
#[derive(Debug, Clone)]
pub struct Behaviour {
    pub guidance: Guidance,
    pub goals: Choice,
    /// Factor of their speed.
    pub pace: f32,
}

/// Who must be near.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// Agents and entities of other teams.
    Enemy,
    Team(usize),
    Group(usize),
    Entity(usize),
}

impl Who {
    /// What it is, in messages.
    fn kind(self) -> &'static str {
        match self {
            Self::Enemy => "all other teams",
            Self::Team(_) => "a team",
            Self::Group(_) => "a group",
            Self::Entity(_) => "an entity",
        }
    }
}

/// A condition on what is near.
#[derive(Debug, Clone, Copy)]
pub struct Near {
    pub who: Who,
    pub within: f32,
    pub at_least: u32,
}

/// A condition, and what agents do while it holds.
#[derive(Debug, Clone)]
pub struct Rule {
    pub near: Option<Near>,
    /// Times from and until which it may hold.
    pub times: (f64, f64),
    /// The time for which agents keep to it.
    pub keep: f64,
    /// `None`: they leave the map.
    pub behaviour: Option<Behaviour>,
}

/// The named objects that groups and rules refer to.
pub struct Known<'a> {
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
            names::missing_entry(kind, name, place, named, problems);
        }
        found.map(|place| place + 1)
    }
}

/// What a group or a rule says about directions; `None` with problems. A rule has the values of its group where it says
/// nothing.
#[derive(Debug, Clone)]
pub struct Directions {
    combination: Option<usize>,
    flow: Option<usize>,
    goals: Option<Choice>,
}

impl Directions {
    /// The behaviour of agents that follow something; `None` if there were problems.
    pub fn behaviour(&self, follow: Follow, pace: f32, trail: Option<Trail>) -> Option<Behaviour> {
        let guidance = match follow {
            Follow::Field => Guidance::Field(self.combination?),
            Follow::Neighbour => Guidance::Neighbour(self.combination?, trail),
            Follow::Flow => Guidance::Flow(self.flow?),
        };
        Some(Behaviour { guidance, goals: self.goals.clone()?, pace })
    }
}

/// What a group says about directions, with the defaults.
pub fn directions(written: &At<written::Agents>, known: &Known<'_>, problems: &mut Problems) -> Directions {
    let agents = &written.value;
    let default = if agents.team.is_some() { Choice::Others } else { Choice::All };
    let of_group = Directions { combination: Some(0), flow: Some(0), goals: Some(default) };
    if agents.follow == Follow::Flow {
        check_goals(&written.place, known, problems);
    }
    let names = (agents.combine.as_deref(), agents.flow.as_deref(), agents.goals.as_deref());
    of_group.with(names, &written.place, known, problems)
}

/// Refuses paths to goals where there are none.
fn check_goals(place: &str, known: &Known<'_>, problems: &mut Problems) {
    if known.goals.is_empty() {
        let value = "follow is \"flow\", and there are no goals";
        problems.push_missing(&["goals"], place, value, "add [[goals]] with at and radius");
    }
}

impl Directions {
    /// With the combination, costs and goals that are named at a place.
    fn with(
        &self,
        (combine, flow, goals): (Option<&str>, Option<&str>, Option<&[String]>),
        place: &str,
        known: &Known<'_>,
        problems: &mut Problems,
    ) -> Self {
        let part = |key: &str| format!("{place}, {key}");
        Self {
            combination: match combine {
                Some(name) => Known::number("combination", name, &part("combine"), known.combinations, problems),
                None => self.combination,
            },
            flow: match flow {
                Some(name) => Known::number("flow", name, &part("flow"), known.flows, problems),
                None => self.flow,
            },
            goals: match goals {
                Some(names) => goals::choice(names, &part("goals"), known.goals, problems),
                None => self.goals.clone(),
            },
        }
    }
}

/// The rules of a group with these directions, in their order; `None` for those with problems.
pub fn rules(
    written: &At<written::Agents>,
    of_group: (&Directions, Option<Trail>),
    known: &Known<'_>,
    problems: &mut Problems,
) -> Vec<Option<Rule>> {
    let rules = written.value.rules.iter().enumerate();
    let rule = |(number, rule): (usize, &written::Rule)| {
        let rule = At { value: rule.clone(), place: written.part(&format!("rule {}", number + 1)) };
        one(&rule, &written.value, of_group, known, problems)
    };
    rules.map(rule).collect()
}

fn one(
    written: &At<written::Rule>,
    agents: &written::Agents,
    (of_group, trail): (&Directions, Option<Trail>),
    known: &Known<'_>,
    problems: &mut Problems,
) -> Option<Rule> {
    let rule = &written.value;
    let follow = rule.follow.unwrap_or(agents.follow);
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
    if !rule.leave {
        let given = Given {
            place: &written.place,
            choice: follow.shown(),
            keys: vec![
                ("combine", rule.combine.is_some(), Need::may_when(follow.senses())),
                ("flow", rule.flow.is_some(), Need::may_when(!follow.senses())),
            ],
        };
        given.check(problems);
    }
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
    if before >= 0.0 && after.is_finite() && after >= before {
        let remedy = format!("expected a time above {after}, or the rule never holds");
        problems.push(written.part("before"), before.to_string(), remedy);
    }
    let who = rule.near.as_ref().map(|name| who(name, &written.part("near"), agents.team.is_some(), known, problems));
    if let (Some(Some(Who::Entity(_))), Some(at_least @ 2..)) = (who, rule.at_least) {
        let remedy = "near is a single entity, so the rule would never hold: leave out at_least";
        problems.push(written.part("at_least"), at_least.to_string(), remedy);
    }
    let behaviour = if rule.leave {
        None
    } else {
        if follow == Follow::Flow && agents.follow != Follow::Flow {
            check_goals(&written.place, known, problems);
        }
        let names = (rule.combine.as_deref(), rule.flow.as_deref(), rule.goals.as_deref());
        Some(of_group.with(names, &written.place, known, problems).behaviour(follow, pace, trail)?)
    };
    let near = match who {
        Some(who) => Some(Near { who: who?, within, at_least: rule.at_least.unwrap_or(1) }),
        None => None,
    };
    Some(Rule { near, times: (after, before), keep, behaviour })
}

/// Who a name stands for: "enemy", or the team, the group or the entity of that name.
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
    let group = known.groups.iter().position(|group| group.value.name == name).map(Who::Group);
    let entity = known.entities.iter().position(|entity| entity.value.name.as_deref() == Some(name)).map(Who::Entity);
    let found: Vec<Who> = [team, group, entity].into_iter().flatten().collect();
    if found.len() > 1 {
        let kinds: Vec<&str> = found.iter().map(|who| who.kind()).collect();
        let value = format!("\"{}\" is the name of {}", names::shown(name), kinds.join(" and of "));
        problems.push(place, value, "give one of them another name, so that it is clear which is meant");
    }
    if found.is_empty() {
        let teams = known.teams.iter().map(String::as_str);
        let groups = known.groups.iter().map(|group| group.value.name.as_str());
        let entities = known.entities.iter().filter_map(|entity| entity.value.name.as_deref());
        let all = ["enemy"].into_iter().chain(teams).chain(groups).chain(entities);
        let kind = ("team, group or entity", &names::OF_TEAMS[..]);
        names::missing(place, kind, name, all, "", problems);
    }
    found.first().copied()
}
