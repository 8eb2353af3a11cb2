//! The tables of a scenario file, each with its place; nothing yet that depends on anything else.

use serde::de::DeserializeOwned;
use throng_core::Problems;
use throng_model::{At, Source, root_keys};

use crate::written;

/// Tables with names, in the order of the file.
pub type Named<T> = Vec<(String, At<T>)>;

/// All tables and values of the root.
pub struct Tables {
    pub model: Option<At<String>>,
    pub title: Option<At<String>>,
    pub seed: Option<At<i64>>,
    pub layers: Option<At<Vec<String>>>,
    pub grid: Option<At<written::Grid>>,
    pub run: Option<At<written::Run>>,
    pub walls: Vec<At<written::Wall>>,
    pub profiles: Named<written::Profile>,
    pub stamps: Named<written::Stamp>,
    pub diffusion: Named<written::Diffusion>,
    pub entities: Vec<At<written::Entity>>,
    pub goals: Vec<At<written::Goal>>,
    pub agents: Vec<At<written::Agents>>,
    pub combine: Vec<At<written::Combine>>,
    pub combinations: Named<written::Combination>,
    pub flow: Option<At<written::Flow>>,
    pub flows: Named<written::Flow>,
    pub influence: Option<At<written::Influence>>,
    pub nav2: Option<At<written::Nav2>>,
    /// `[[output.arrays]]` and `[[output.queries]]`: each entry has its own line in messages.
    pub arrays: Vec<At<written::Array>>,
    pub queries: Vec<At<written::Query>>,
    /// `[output]` without these two.
    pub output: Option<At<written::Output>>,
}

impl Tables {
    /// Takes all tables of a file. Those that cannot be read, unknown keys and missing tables are problems.
    pub fn take(mut source: Source<'_>, problems: &mut Problems) -> Self {
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
            entities: source.take_list("entities", problems),
            goals: source.take_list("goals", problems),
            agents: source.take_list("agents", problems),
            combine: source.take_list("combine", problems),
            combinations: source.take_named("combinations", problems),
            flow: source.take("flow", problems),
            flows: source.take_named("flows", problems),
            influence: source.take("influence", problems),
            nav2: source.take("nav2", problems),
            arrays: source.take_list_of("output", "arrays", problems),
            queries: source.take_list_of("output", "queries", problems),
            output: source.take("output", problems),
        };
        source.finish(&root_keys::<written::Root>(), problems);
        tables
    }
}

/// A required table.
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
