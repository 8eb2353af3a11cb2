//! The root of a scenario file: its tables, each with its location in the file.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use throng_core::Problems;
use throng_model::scenario_file::{At, Source, root_keys};

use crate::agents::AgentsTable;
use crate::combine::{CombinationTable, CombineTable};
use crate::diffusion::DiffusionTable;
use crate::entities::EntityTable;
use crate::flows::FlowTable;
use crate::goals::GoalTable;
use crate::grid::GridTable;
use crate::influences::InfluenceTable;
use crate::nav2::Nav2Table;
use crate::output::OutputTable;
use crate::profiles::ProfileTable;
use crate::run::RunTable;
use crate::sight::SightTable;
use crate::stamps::StampTable;
use crate::walls::WallTable;

/// All keys of the root. Each table is read from the file together with its location. Checking a table fills in the
/// defaults of missing keys, so that the result is the scenario with all effective keys.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Tables {
    /// "fields".
    #[schemars(required)]
    pub(crate) model: Option<At<String>>,
    /// Title in images and reports, at most 200 characters; by default Fields.
    pub(crate) title: Option<At<String>>,
    /// Seed of all random draws, a 64-bit integer; by default 1.
    pub(crate) seed: Option<At<i64>>,
    /// Names of the layers, 1 to 32; by default one.
    pub(crate) layers: Option<At<Vec<String>>>,
    /// The cells of the map.
    #[schemars(required)]
    pub(crate) grid: Option<At<GridTable>>,
    /// Number and length of the steps.
    #[schemars(required)]
    pub(crate) run: Option<At<RunTable>>,
    /// Walls; a cell is a wall if its centre is in a shape.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) walls: Vec<At<WallTable>>,
    /// The fall-off of charges with distance, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) profiles: BTreeMap<String, At<ProfileTable>>,
    /// Tables of values that move with entities, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) stamps: BTreeMap<String, At<StampTable>>,
    /// Layers of amounts that spread and fade, by the name of the layer.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) diffusion: BTreeMap<String, At<DiffusionTable>>,
    /// Layers that add up the viewers that see each cell past walls, by the name of the layer.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) sight: BTreeMap<String, At<SightTable>>,
    /// The sources of the fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) entities: Vec<At<EntityTable>>,
    /// The goals of agents: discs or rectangles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) goals: Vec<At<GoalTable>>,
    /// Groups of agents with equal properties.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) agents: Vec<At<AgentsTable>>,
    /// Steps that compute the combined field, which agents follow, from the layers; without any, all layers are added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) combine: Vec<At<CombineTable>>,
    /// Other fields that groups of agents follow, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) combinations: BTreeMap<String, At<CombinationTable>>,
    /// The costs of paths.
    pub(crate) flow: Option<At<FlowTable>>,
    /// Other costs of paths, for groups of agents, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) flows: BTreeMap<String, At<FlowTable>>,
    /// The spread of the teams' strengths.
    pub(crate) influence: Option<At<InfluenceTable>>,
    /// Costs around obstacles, as in the costmaps of ROS 2's Nav2.
    pub(crate) nav2: Option<At<Nav2Table>>,
    /// The files of a run and the style of its images.
    pub(crate) output: Option<At<OutputTable>>,
}

/// A default value, which is in no file.
pub(crate) fn default_at<T>(value: T, place: &str) -> At<T> {
    At { value, place: place.to_owned() }
}

impl Tables {
    /// Takes all tables of a file. Unreadable tables, unknown keys and missing tables are problems.
    pub(crate) fn take(mut source: Source<'_>, problems: &mut Problems) -> Self {
        let tables = Self {
            model: source.take("model", problems),
            title: source.take("title", problems),
            seed: source.take("seed", problems),
            layers: source.take("layers", problems),
            grid: needed(&mut source, "grid", "size = [96, 64] and cell = 0.5", problems),
            run: needed(&mut source, "run", "steps = 300 and time_step = 0.25", problems),
            walls: source.take_list("walls", problems),
            profiles: source.take_named("profiles", problems),
            stamps: source.take_named("stamps", problems),
            diffusion: source.take_named("diffusion", problems),
            sight: source.take_named("sight", problems),
            entities: source.take_list("entities", problems),
            goals: source.take_list("goals", problems),
            agents: source.take_list("agents", problems),
            combine: source.take_list("combine", problems),
            combinations: source.take_named("combinations", problems),
            flow: source.take("flow", problems),
            flows: source.take_named("flows", problems),
            influence: source.take("influence", problems),
            nav2: source.take("nav2", problems),
            output: Some(output(&mut source, problems)),
        };
        source.finish(&root_keys::<Self>(), problems);
        tables
    }
}

/// Takes `[output]`. Each of its arrays and queries has a separate line in messages.
fn output(source: &mut Source<'_>, problems: &mut Problems) -> At<OutputTable> {
    let arrays = source.take_list_of("output", "arrays", problems);
    let queries = source.take_list_of("output", "queries", problems);
    let At { value, place } =
        source.take("output", problems).unwrap_or_else(|| default_at(OutputTable::default(), "output"));
    At { value: OutputTable { arrays, queries, ..value }, place }
}

/// Takes a required table.
fn needed<T: DeserializeOwned>(
    source: &mut Source<'_>,
    key: &str,
    example: &str,
    problems: &mut Problems,
) -> Option<At<T>> {
    let before = problems.total();
    let taken = source.take(key, problems);
    if taken.is_none() && problems.total() == before {
        problems.push(source.file(), format!("[{key}] is missing"), format!("add it, with {example}"));
    }
    taken
}
