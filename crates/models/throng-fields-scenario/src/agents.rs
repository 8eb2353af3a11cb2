//! Groups of agents as declared in `[[agents]]`, their permitted values, and their permitted combinations of keys.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_fields_core::{Entity, Metric};
use throng_model::names::enumerated;
use throng_model::scenario_file::At;
use throng_pictures::Colour;

use crate::agent_rules::RuleTable;
use crate::areas::AreaTable;
use crate::formations::FormationTable;
use crate::key_rules::{Presence, check_keys};
use crate::names::Known;
use crate::planners::PlannerKind;
use crate::spawn::SpawnTable;
use crate::value_checks::{check_entity, check_not_negative};
use crate::{entities, influences, names};

/// Maximum number of agents of a group.
pub(crate) const MAX: u32 = 100_000_000;

/// An entry of `[[agents]]`: agents with equal properties.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Agents")]
pub struct AgentsTable {
    /// The name of the group.
    pub name: String,
    /// Number of agents when the run begins.
    pub count: u32,
    /// The start area, with the area keys of a goal.
    pub start: AreaTable,
    /// Agents that enter at the start area later.
    pub spawn: Option<SpawnTable>,
    /// Mean speed, units of length per unit of time.
    pub speed: f32,
    /// The fraction by which speeds deviate from the mean, up and down, from 0 to below 1.
    #[serde(default)]
    pub spread: f32,
    /// Radius of the agents' bodies, units of length: overlapping bodies are pushed apart, and agents avoid gaps that
    /// are too narrow for them, although they may overlap walls a little; with 0 agents pass through each other.
    #[serde(default)]
    pub radius: f32,
    /// The distance between centres within which agents turn away from each other, units of length; 0 disables it.
    #[serde(default)]
    pub spacing: f32,
    /// How agents choose their direction: the slope of their field, the best neighbour in it, or the flow field to
    /// their goals.
    pub follow: Follow,
    /// Names of the agents' goals; or only "all"; or only "others", those that their team does not own. By default
    /// "others" for groups with a team, else "all".
    pub goals: Option<Vec<String>>,
    /// How agents choose among their goals (flow): the nearest one, or the one whose worth exceeds its travel time
    /// most; by default "nearest".
    pub planner: Option<PlannerKind>,
    /// The utility, worth minus travel time, above which an action must be (planner = "actions"), units of time; by
    /// default there is no limit.
    pub least_utility: Option<f64>,
    /// The least amount by which the utility of another action must be higher for an agent to switch to it (planner =
    /// "actions"), units of time; by default 0.
    pub switch_gain: Option<f64>,
    /// The shape in which the agents walk (flow); by default each walks on its own.
    pub formation: Option<FormationTable>,
    /// The behaviour at a goal.
    #[serde(default)]
    pub at_goal: AtGoal,
    /// The name of the combination that agents follow (field, neighbour); by default that of `[[combine]]`.
    pub combine: Option<String>,
    /// The name of the costs of paths (flow); by default those of `[flow]`.
    pub flow: Option<String>,
    /// Amplitude of the error with which an agent perceives the field (field, neighbour).
    #[serde(default)]
    pub noise: f32,
    /// Number of cells of its own trail that an agent avoids (neighbour).
    #[serde(default)]
    pub trail_cells: u32,
    /// The charge of a cell of the trail (neighbour).
    #[serde(default)]
    pub trail_charge: f32,
    /// The team of the agents.
    pub team: Option<String>,
    /// The strength of the influence of each agent; needs a team and `[influence]`; by default 0.
    pub strength: Option<f32>,
    /// The name of the profile of the field that each agent carries; by default agents carry no field.
    pub profile: Option<String>,
    /// How distances from the agent are measured in that field, as for entities.
    #[serde(default)]
    pub metric: Metric,
    /// Factor of that profile; by default 1.
    pub charge: Option<f32>,
    /// The layers of this field; needed if there are several.
    pub layers: Option<Vec<String>>,
    /// Amount that each agent emits into layers that diffuse, per unit of time.
    pub emits: Option<BTreeMap<String, f32>>,
    /// Strength with which each agent sees cells, in all directions, by layer of lines of sight.
    pub sees: Option<BTreeMap<String, f32>>,
    /// The distance up to which each agent sees, units of length; needed with sees.
    pub range: Option<f32>,
    /// Behaviour under certain conditions; the first rule that holds applies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleTable>,
    /// The agents' colour, a name or red, green and blue in hexadecimal digits; by default that of their team, and
    /// green without a team.
    pub colour: Option<Colour>,
}

impl AgentsTable {
    /// The lengths of the group, which [`check_lengths`](crate::value_checks::check_lengths) limits.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = (String, Option<f32>)> {
        let keys = [
            ("start, radius", self.start.radius),
            ("radius", Some(self.radius)),
            ("spacing", Some(self.spacing)),
            ("range", self.range),
        ];
        let formation =
            self.formation.as_ref().map(|formation| ("formation, spacing".to_owned(), Some(formation.spacing)));
        let rules = (1..).zip(&self.rules).map(|(number, rule)| (format!("rule {number}, within"), rule.within));
        keys.map(|(key, length)| (key.to_owned(), length)).into_iter().chain(formation).chain(rules)
    }

    /// The guidance of the agents without a rule, and under each of the rules except those under which they leave.
    pub fn follows(&self) -> impl Iterator<Item = Follow> {
        let of_rules = self.rules.iter().filter(|rule| !rule.leave).map(|rule| rule.follow.unwrap_or(self.follow));
        [self.follow].into_iter().chain(of_rules)
    }

    /// The number of rules that stay in force for a while after their condition last held.
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
    /// Whether agents with this guidance sense a potential field.
    pub fn senses(self) -> bool {
        matches!(self, Self::Field | Self::Neighbour)
    }

    /// The choice as shown in messages, such as `follow = "flow"`.
    pub fn shown(self) -> String {
        format!("follow = \"{}\"", format!("{self:?}").to_lowercase())
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AtGoal {
    /// Agents stay.
    #[default]
    Stay,
    /// Agents leave the map.
    Leave,
}

/// Rejects counts, speeds and other numbers out of range.
pub(crate) fn check_numbers(written: &At<AgentsTable>, problems: &mut Problems) {
    let agents = &written.value;
    if !(0.0..1.0).contains(&agents.spread) {
        problems.push(written.part("spread"), agents.spread.to_string(), "expected a fraction from 0 to below 1");
    }
    let least = u32::from(agents.spawn.is_none());
    if !(least..=MAX).contains(&agents.count) {
        let remedy = format!("expected a number from {least} to {MAX}");
        problems.push(written.part("count"), agents.count.to_string(), remedy);
    }
    for (key, value) in [("speed", agents.speed), ("noise", agents.noise)] {
        check_not_negative(written.part(key), value, problems);
    }
}

/// Rejects keys that are used neither by the guidance of the group nor by that of its rules.
pub(crate) fn check_perception(written: &At<AgentsTable>, problems: &mut Problems) {
    let agents = &written.value;
    let has_trail = agents.follows().any(|follow| follow == Follow::Neighbour);
    let senses = agents.follows().any(Follow::senses);
    // Rules with their own field or costs do not use those of the group.
    let of_rules = |uses: fn(Follow) -> bool, own: fn(&RuleTable) -> bool| {
        agents.rules.iter().any(|rule| !rule.leave && uses(rule.follow.unwrap_or(agents.follow)) && !own(rule))
    };
    let combine = agents.follow.senses() || of_rules(Follow::senses, |rule| rule.combine.is_some());
    let walks = |follow: Follow| !follow.senses();
    let flow = walks(agents.follow) || of_rules(walks, |rule| rule.flow.is_some());
    // A rule without a planner has that of the group.
    let planner = walks(agents.follow) || of_rules(walks, |_| false);
    let mut follows: Vec<Follow> = Vec::new();
    for follow in agents.follows() {
        if !follows.contains(&follow) {
            follows.push(follow);
        }
    }
    let keys = [
        ("trail_cells", agents.trail_cells > 0, Presence::may_when(has_trail)),
        ("trail_charge", agents.trail_charge > 0.0, Presence::may_when(has_trail)),
        ("noise", agents.noise > 0.0, Presence::may_when(senses)),
        ("combine", agents.combine.is_some(), Presence::may_when(combine)),
        ("flow", agents.flow.is_some(), Presence::may_when(flow)),
        ("planner", agents.planner.is_some(), Presence::may_when(planner)),
        ("formation", agents.formation.is_some(), Presence::may_when(walks(agents.follow))),
    ];
    let choices: Vec<String> = follows.iter().map(|follow| follow.shown()).collect();
    check_keys(&written.place, &enumerated(&choices), &keys, problems);
    if has_trail && agents.trail_charge > 0.0 && agents.trail_cells == 0 {
        let value = agents.trail_charge.to_string();
        problems.push(written.part("trail_charge"), value, "there is no trail without trail_cells: give their number");
    }
}

/// Returns the influence of each agent.
pub(crate) fn strength(written: &At<AgentsTable>, has_influence: bool, problems: &mut Problems) -> f32 {
    let agents = &written.value;
    let keys = [("strength", agents.strength.is_some(), Presence::may_when(agents.team.is_some()))];
    let choice = if agents.team.is_some() { "a group with a team" } else { "a group without a team" };
    check_keys(&written.place, choice, &keys, problems);
    let strength = agents.strength.unwrap_or(0.0);
    check_not_negative(written.part("strength"), strength, problems);
    if strength > 0.0 && !has_influence {
        influences::refuse_strength(written.part("strength"), problems);
    }
    strength
}

/// Returns the field that each agent carries.
pub(crate) fn carried(written: &mut At<AgentsTable>, known: &Known<'_>, problems: &mut Problems) -> Option<Entity> {
    let agents = &written.value;
    let carries = agents.profile.is_some();
    let keys = [
        ("metric", agents.metric != Metric::Euclidean, Presence::may_when(carries)),
        ("charge", agents.charge.is_some(), Presence::may_when(carries)),
        ("layers", agents.layers.is_some(), Presence::may_when(carries)),
    ];
    let choice = if carries { "a group with a profile" } else { "a group without a profile" };
    check_keys(&written.place, choice, &keys, problems);
    let name = agents.profile.as_ref()?;
    let profile = names::entry("profile", name, &written.part("profile"), known.profiles, problems)?;
    let agents = &mut written.value;
    if let [only] = known.layers {
        agents.layers.get_or_insert_with(|| vec![only.clone()]);
    }
    let charge = *agents.charge.get_or_insert(1.0);
    let layers = entities::layers(agents.layers.as_deref(), &written.place, known, problems);
    let carried = Entity::new(known.origin(), profile.clone()).with_metric(agents.metric);
    let carried = carried.with_charge(charge).in_layers(layers);
    check_entity(known.grid.as_ref(), &written.place, &carried, problems)?;
    Some(carried)
}
