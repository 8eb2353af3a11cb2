//! Layers of diffusing amounts, whose sources are entities and agents that emit something.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::{InputError, Problems, Warnings};
use throng_fields_core::influence::{Diffusion, DiffusionMap};
use throng_model::scenario_file::At;
use throng_pictures::Grid;

use crate::names;
use crate::run::RunTable;
use crate::scenario::Scenario;
use crate::value_checks::{accept, check_not_negative};

/// Maximum amount that entities and agents may emit in a run: the tables can hold numbers up to this one.
const MAX_AMOUNT: f64 = 1e15;
/// Maximum amount that they may emit per unit of time, even in a short run.
const MAX_RATE: f64 = 1e30;

/// Number of passes over the map per step above which a warning is issued.
const MANY_PASSES: u32 = 200;

/// An entry of `[diffusion]`: a layer of amounts that spread and fade.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Diffusion")]
pub struct DiffusionTable {
    /// Diffusivity of the amount, square units of length per unit of time.
    pub diffusivity: f32,
    /// Rate of decay, per unit of time.
    #[serde(default)]
    pub decay: f32,
    /// The time for which it has already spread when the run begins, units of time.
    #[serde(default)]
    pub before: f32,
}

/// A layer with an amount per cell that diffuses and decays.
#[derive(Debug, Clone)]
pub struct Diffusing {
    pub layer: usize,
    pub diffusion: Diffusion,
    /// The time for which it has already diffused when the run begins.
    pub before: f32,
}

/// Reads `[diffusion]`: the layers that diffuse, in alphabetical order.
pub(crate) fn read(
    written: &BTreeMap<String, At<DiffusionTable>>,
    layers: &[String],
    problems: &mut Problems,
) -> Vec<Diffusing> {
    let mut all = Vec::new();
    for (name, written) in written {
        let DiffusionTable { diffusivity, decay, before } = written.value;
        check_not_negative(written.part("before"), before, problems);
        let layer = names::layer(name, &written.place, layers, problems);
        all.extend(layer.map(|layer| Diffusing { layer, diffusion: Diffusion { diffusivity, decay }, before }));
    }
    all
}

impl Diffusing {
    /// Maximum absolute amount in a cell at the end of a run, if `emitted` is emitted per unit of time.
    pub(crate) fn most(&self, emitted: f64, end: f64) -> f64 {
        emitted * (f64::from(self.before) + end)
    }

    /// The number of passes per step over a map with cells of this size.
    fn passes(&self, cell: f32, time_step: f32, has_sources: bool) -> Result<u32, InputError> {
        let mut map = DiffusionMap::new(Grid::new([0.0, 0.0], cell, 1, 1)?, self.diffusion, None)?;
        if has_sources {
            map.set_source(0, 0, 1.0)?;
        }
        map.passes(time_step)
    }
}

/// Rejects values out of range, times with too many steps, and amounts that overflow. `emitted` has the absolute
/// emission into each layer per unit of time, counting sources and sinks.
pub(crate) fn check(
    written: &BTreeMap<String, At<DiffusionTable>>,
    layers: &[String],
    cell: f32,
    (run, end): (&At<RunTable>, f64),
    emitted: &[f64],
    problems: &mut Problems,
) {
    let time_step = run.value.time_step as f32;
    for (name, written) in written {
        let DiffusionTable { diffusivity, decay, before } = written.value;
        let made = Grid::new([0.0, 0.0], cell, 1, 1)
            .and_then(|grid| DiffusionMap::new(grid, Diffusion { diffusivity, decay }, None));
        let Some(map) = accept(&written.place, made, problems) else { continue };
        let times = [(run.part("time_step"), time_step), (written.part("before"), before)];
        for (place, time) in times.into_iter().filter(|(_, time)| *time > 0.0 && time.is_finite()) {
            if let Err(error) = map.passes(time) {
                let value = format!("{}, for the diffusion of \"{}\"", error.message(), names::shown(name));
                problems.push(place, value, error.remedy());
            }
        }
        let most_at_once = layers.iter().position(|layer| layer == name).map_or(0.0, |layer| emitted[layer]);
        let most = most_at_once * (f64::from(before) + end);
        if most > MAX_AMOUNT || most_at_once > MAX_RATE {
            let remedy = format!(
                "expected at most {MAX_AMOUNT:e} in the run and {MAX_RATE:e} per unit of time: reduce the emissions"
            );
            let value = format!("{most:.1e} in the whole run, {most_at_once:.1e} per unit of time");
            problems.push(&written.place, value, remedy);
        }
    }
}

/// Warns about layers that take many passes in each step.
pub(crate) fn warn(scenario: &Scenario, warnings: &mut Warnings) {
    let (cell, time_step) = (scenario.grid().cell(), scenario.time_step as f32);
    for diffusing in &scenario.diffusing {
        let has_sources = scenario.is_emitted(diffusing.layer);
        let passes = diffusing.passes(cell, time_step, has_sources).unwrap_or(0);
        if passes > MANY_PASSES {
            let kind = "a layer diffuses so fast that a step takes many passes over the map: use larger cells";
            let name = scenario.layers.get(diffusing.layer).map_or("", String::as_str);
            warnings.add(kind, || format!("\"{name}\": {passes} passes"));
        }
    }
}
