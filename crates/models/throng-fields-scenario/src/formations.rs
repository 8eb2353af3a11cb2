//! Formations of groups: `formation` of `[[agents]]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_fields_core::routing::{Formation, FormationShape};
use throng_model::scenario_file::At;

use crate::agents::{AgentsTable, MAX};
use crate::planners::PlannerKind;
use crate::value_checks::accept;

/// A shape that the agents of a group keep while they walk.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Formation")]
pub struct FormationTable {
    /// The shape of each subgroup.
    pub shape: FormationShape,
    /// The distance between neighbours, units of length.
    pub spacing: f32,
    /// Number of equal parts of the group, by the numbers of the agents; each forms its own shape.
    #[serde(default = "one")]
    pub subgroups: u32,
}

fn one() -> u32 {
    1
}

/// Returns the formation of a group with this number of agents, including those that enter later.
pub(crate) fn formation(written: &At<AgentsTable>, agents: usize, problems: &mut Problems) -> Option<Formation> {
    let AgentsTable { formation, planner, radius, .. } = &written.value;
    let FormationTable { shape, spacing, subgroups } = *formation.as_ref()?;
    if *planner == Some(PlannerKind::Actions) {
        let remedy = "agents with different goals keep no formation: leave it out, or use planner = \"nearest\"";
        problems.push(written.part("formation"), "planner is \"actions\"", remedy);
    }
    if spacing > 0.0 && spacing < 2.0 * radius {
        let remedy = format!("expected at least {}, the diameter of the bodies", 2.0 * radius);
        problems.push(written.part("formation, spacing"), spacing.to_string(), remedy);
    }
    // Too many agents are a separate problem. Without agents, their number does not limit that of subgroups.
    let agents = if agents > MAX as usize { 0 } else { agents };
    let subgroups = if agents == 0 { subgroups.min(1) } else { subgroups };
    accept(&written.place, Formation::new(shape, spacing, agents, subgroups as usize), problems)
}
