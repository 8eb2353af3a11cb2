//! Groups of agents, their rules, and their goals.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_pictures::Colour;

use super::things::Area;

/// An entry of `[[goals]]`: a disc, or a rectangle along the axes.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Goal {
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
    /// The team that owns it when the run begins, which may have no agents yet.
    pub owner: Option<String>,
    /// The time for which agents of a single team must be in it until that team owns it, units of time; without it the
    /// owner never changes.
    pub capture_time: Option<f64>,
}

impl Goal {
    /// Its cells.
    pub fn area(&self) -> Area {
        let &Self { at, radius, from, to, .. } = self;
        Area { at, radius, from, to }
    }
}

/// An entry of `[[agents]]`: agents with equal properties.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Agents {
    /// The name of the group.
    pub name: String,
    /// How many there are when the run begins.
    pub count: u32,
    /// Where they start: the area keys of a goal.
    pub start: Area,
    /// Agents that enter at the start later.
    pub spawn: Option<Spawn>,
    /// Their mean speed, units of length per unit of time.
    pub speed: f32,
    /// The share by which speeds differ, up and down, from 0 to below 1.
    #[serde(default)]
    pub spread: f32,
    /// Radius of their bodies, units of length: bodies that overlap are pushed apart, and avoid gaps that are too narrow for them; they may overlap walls a little. They do not
    /// pass gaps narrower than they are; with 0 agents pass through each other.
    #[serde(default)]
    pub radius: f32,
    /// The distance between centres within which they turn away from other agents, units of length; with 0 they do not.
    #[serde(default)]
    pub spacing: f32,
    /// What they follow: the slope of their field, the best neighbour in it, or the flow field to their goals.
    pub follow: Follow,
    /// Names of their goals; or only "all"; or only "others", those that their team does not own. By default "others"
    /// for groups with a team, else "all".
    pub goals: Option<Vec<String>>,
    /// What they do at a goal.
    #[serde(default)]
    pub at_goal: AtGoal,
    /// The name of the combination that they follow (field, neighbour); by default that of `[[combine]]`.
    pub combine: Option<String>,
    /// The name of the costs of their paths (flow); by default those of `[flow]`.
    pub flow: Option<String>,
    /// Amplitude of the error with which an agent perceives the field (field, neighbour).
    #[serde(default)]
    pub noise: f32,
    /// Cells of its own trail that an agent avoids (neighbour).
    #[serde(default)]
    pub trail_cells: u32,
    /// The charge of a cell of the trail (neighbour).
    #[serde(default)]
    pub trail_charge: f32,
    /// The team that they are in.
    pub team: Option<String>,
    /// The strength of the influence of each agent; needs a team and `[influence]`; by default 0.
    pub strength: Option<f32>,
    /// The name of the profile of the field that each agent carries; by default they carry none.
    pub profile: Option<String>,
    /// Factor of that profile; by default 1.
    pub charge: Option<f32>,
    /// The layers that this field is in; needed where there are several.
    pub layers: Option<Vec<String>>,
    /// Amount that each agent emits into layers that diffuse, per unit of time.
    pub emits: Option<BTreeMap<String, f32>>,
    /// What they do instead under some conditions; the first rule that holds applies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// Their colour, a name or red, green and blue in hexadecimal digits; by default that of their team, and green without a
    /// team.
    pub colour: Option<Colour>,
}

impl Agents {
    /// What its agents follow: without a rule, and under each of its rules, except those under which they leave.
    pub fn follows(&self) -> impl Iterator<Item = Follow> {
        let of_rules = self.rules.iter().filter(|rule| !rule.leave).map(|rule| rule.follow.unwrap_or(self.follow));
        [self.follow].into_iter().chain(of_rules)
    }

    /// How many rules stay in force for a while after their condition last held.
    pub fn kept_rules(&self) -> usize {
        self.rules.iter().filter(|rule| rule.keep.is_some_and(|keep| keep > 0.0)).count()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Follow {
    /// The slope of the field.
    Field,
    /// The best neighbour in the field.
    Neighbour,
    /// The flow field to the goals.
    Flow,
}

impl Follow {
    /// Whether agents sense a field.
    pub fn senses(self) -> bool {
        matches!(self, Self::Field | Self::Neighbour)
    }

    /// The choice in messages, such as `follow = "flow"`.
    pub fn shown(self) -> String {
        format!("follow = \"{}\"", format!("{self:?}").to_lowercase())
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AtGoal {
    /// They stay.
    #[default]
    Stay,
    /// They leave the map.
    Leave,
}

/// Agents that enter during the run.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spawn {
    /// The time from one entry to the next, units of time.
    pub every: f64,
    /// Agents that enter each time.
    #[serde(default = "one_agent")]
    pub count: u32,
    /// The time of the first entry, units of time; by default that of `every`.
    pub from: Option<f64>,
    /// The time after which no agents enter, units of time; by default the end of the run.
    pub until: Option<f64>,
}

/// What agents do under a condition: all of its parts must hold.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Agents or entities that must be near: "enemy" for those of other teams, or the name of a team, a group or an
    /// entity.
    pub near: Option<String>,
    /// How near, units of length (with `near`).
    pub within: Option<f32>,
    /// How many of them (with `near`); by default 1.
    pub at_least: Option<u32>,
    /// The time from which the rule may hold, units of time; by default 0.
    pub after: Option<f64>,
    /// The time before which the rule may hold, units of time; by default the end of the run.
    pub before: Option<f64>,
    /// The time for which agents keep to the rule after its condition has last held, units of time; by default 0.
    pub keep: Option<f64>,
    /// The goals under this rule, as for the group; by default those of the group.
    pub goals: Option<Vec<String>>,
    /// What agents follow under this rule; by default as in the group.
    pub follow: Option<Follow>,
    /// The combination that they follow under this rule; by default that of the group.
    pub combine: Option<String>,
    /// The costs of their paths under this rule; by default those of the group.
    pub flow: Option<String>,
    /// Factor of their speed under this rule; by default 1.
    pub pace: Option<f32>,
    /// Whether agents leave the map when the condition holds.
    #[serde(default)]
    pub leave: bool,
}

fn one_agent() -> u32 {
    1
}
