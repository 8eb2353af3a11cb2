//! Teams, and the spread of their influence: `[influence]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::{Problems, nearest};
use throng_fields_core::influence::{InfluenceMap, Propagation, Teams};
use throng_model::scenario_file::At;

use crate::agents::AgentsTable;
use crate::entities::EntityTable;
use crate::goals::GoalTable;
use crate::value_checks::accept;
use crate::{names, walls};

/// `[influence]`: how the strengths of teams spread.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Influence")]
pub struct InfluenceTable {
    /// Rate at which influence fades, per unit of length.
    pub decay: f32,
    /// The fraction of its value that a cell keeps in a sweep, from 0 to below 1.
    #[serde(default)]
    pub momentum: f32,
    /// Cells by which influence spreads in a step, from 0 to 10000.
    #[serde(default = "crate::flows::one_step")]
    pub sweeps: u32,
}

/// Maximum sum of the strengths of all teams: sums and differences up to this are finite.
const MAX_STRENGTH: f64 = 1e30;

/// Maximum number of sweeps per step: in each, influence spreads by one cell.
const MAX_SWEEPS: u32 = 10_000;

/// The parameters of influence, and the teams.
#[derive(Debug, Clone)]
pub struct Influences {
    pub teams: Vec<String>,
    pub propagation: Propagation,
    pub sweeps: u32,
}

/// Rejects a strength without `[influence]`.
pub(crate) fn refuse_strength(place: String, problems: &mut Problems) {
    let remedy = "add [influence], with decay = 0.1";
    problems.push_missing(&["influence"], place, "there is no influence", remedy);
}

/// Returns the names of all teams, in order of appearance: teams of entities, of groups of agents, and of owners of
/// goals. An owner whose name resembles the name of a team of entities or agents is reported as a mistake instead.
pub(crate) fn teams(
    influence: Option<&At<InfluenceTable>>,
    entities: &[At<EntityTable>],
    agents: &[At<AgentsTable>],
    goals: &[At<GoalTable>],
    problems: &mut Problems,
) -> Vec<String> {
    let mut teams: Vec<String> = Vec::new();
    let of_entities = entities.iter().filter_map(|entity| entity.value.team.as_ref());
    let of_agents = agents.iter().filter_map(|group| group.value.team.as_ref());
    for team in of_entities.chain(of_agents) {
        if !teams.contains(team) {
            teams.push(team.clone());
        }
    }
    if let Some(influence) = influence.filter(|_| teams.is_empty()) {
        problems.push_missing(
            &names::OF_TEAMS,
            &influence.place,
            "no entity or group has a team",
            "write team = \"red\" for those that have influence",
        );
    }
    let known = teams.clone();
    for owner in goals.iter().filter_map(|goal| goal.value.owner.as_ref()) {
        if !teams.contains(owner) && nearest(owner, known.iter().map(String::as_str)).is_none() {
            teams.push(owner.clone());
        }
    }
    teams
}

/// Reads the parameters of influence; rejects strengths whose sum, `strengths`, is too large.
pub(crate) fn read(
    written: &At<InfluenceTable>,
    teams: Vec<String>,
    strengths: f64,
    problems: &mut Problems,
) -> Option<Influences> {
    let InfluenceTable { decay, momentum, sweeps } = written.value;
    let propagation = Propagation { decay, momentum };
    if sweeps > MAX_SWEEPS {
        problems.push(
            written.part("sweeps"),
            sweeps.to_string(),
            format!("give a whole number from 0 to {MAX_SWEEPS}"),
        );
    }
    accept(&written.place, InfluenceMap::new(walls::tiny(), propagation, None), problems)?;
    if teams.len() > Teams::MAX {
        let remedy = format!("expected at most {}", Teams::MAX);
        problems.push(&written.place, format!("{} teams", teams.len()), remedy);
        return None;
    }
    if strengths > MAX_STRENGTH {
        let remedy = format!("expected at most {MAX_STRENGTH:e}: reduce the strengths of entities and agents");
        problems.push(&written.place, format!("a total strength of {strengths:.1e}"), remedy);
        return None;
    }
    Some(Influences { teams, propagation, sweeps })
}
