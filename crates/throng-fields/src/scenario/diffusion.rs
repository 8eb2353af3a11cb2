//! Layers of amounts that diffuse; their sources are entities that emit something.

use std::collections::BTreeMap;

use crate::influence::{Diffusion, DiffusionMap};
use crate::routing::Ground;
use crate::{Entity, Field, FieldError, Grid};
use throng_core::{Problems, Warnings};

use super::written;
use crate::scenario::figures::accept;
use crate::scenario::names;
use crate::scenario::sources::Sources;
use crate::scenario::{Figure, Scenario};
use throng_model::At;

/// The largest amount that entities may emit in a run: the tables hold up to this.
const MOST: f64 = 1e15;
/// The largest amount that they may emit per unit of time, however short the run is.
const MOST_AT_ONCE: f64 = 1e30;

/// More passes over the map than this in each step are worth a warning.
const MANY_PASSES: u32 = 100;

/// A layer that diffuses.
#[derive(Debug, Clone)]
pub(crate) struct Diffusing {
    pub layer: usize,
    diffusion: Diffusion,
    /// How long it has already diffused when the run begins.
    before: f32,
}

/// The layers that diffuse.
pub(crate) fn read(
    written: &[(String, At<written::Diffusion>)],
    layers: &[String],
    problems: &mut Problems,
) -> Vec<Diffusing> {
    let mut all = Vec::new();
    for (name, written) in written {
        let written::Diffusion { diffusivity, decay, before } = written.value;
        if !(before.is_finite() && before >= 0.0) {
            problems.push(written.part("before"), before.to_string(), "expected a finite number, 0 or more");
        }
        let layer = names::layer(name, &written.place, layers, problems);
        all.extend(layer.map(|layer| Diffusing { layer, diffusion: Diffusion { diffusivity, decay }, before }));
    }
    all
}

impl Diffusing {
    /// The largest absolute amount in a cell by the end of a run.
    pub(crate) fn most(&self, figures: &[Figure], end: f64) -> f64 {
        emitted(figures, self.layer) * (f64::from(self.before) + end)
    }

    /// The number of passes over a map with cells of this size in each step.
    fn passes(&self, cell: f32, time_step: f32, figures: &[Figure]) -> Result<u32, FieldError> {
        let mut map = DiffusionMap::new(Grid::new([0.0, 0.0], cell, 1, 1)?, self.diffusion, None)?;
        if emitted(figures, self.layer) > 0.0 {
            map.set_source(0, 0, 1.0)?;
        }
        map.passes(time_step)
    }
}

/// The absolute emission of all entities into a layer per unit of time, sinks and sources together.
fn emitted(figures: &[Figure], layer: usize) -> f64 {
    let rates = figures.iter().flat_map(|figure| &figure.emits).filter(|(other, _)| *other == layer);
    rates.map(|(_, rate)| f64::from(rate.abs())).sum()
}

/// Refuses numbers out of range, times of too many steps, and amounts that overflow.
pub(crate) fn check(
    written: &[(String, At<written::Diffusion>)],
    layers: &[String],
    cell: f32,
    (time_step, end): (f32, f64),
    figures: &[Figure],
    problems: &mut Problems,
) {
    for (name, written) in written {
        let written::Diffusion { diffusivity, decay, before } = written.value;
        let made = Grid::new([0.0, 0.0], cell, 1, 1)
            .and_then(|grid| DiffusionMap::new(grid, Diffusion { diffusivity, decay }, None));
        let Some(map) = accept(&written.place, made, problems) else { continue };
        for time in [time_step, before].into_iter().filter(|&time| time > 0.0 && time.is_finite()) {
            accept(&written.place, map.passes(time), problems);
        }
        let most_at_once = layers.iter().position(|layer| layer == name).map_or(0.0, |layer| emitted(figures, layer));
        let most = most_at_once * (f64::from(before) + end);
        if most > MOST || most_at_once > MOST_AT_ONCE {
            let remedy = format!(
                "expected at most {MOST:e} in the run and {MOST_AT_ONCE:e} per unit of time: reduce what entities emit"
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
        let passes = diffusing.passes(cell, time_step, &scenario.figures).unwrap_or(0);
        if passes > MANY_PASSES {
            let kind = "layers diffuse so fast that a step takes many passes over the map, fewer with larger cells";
            let name = scenario.layers.get(diffusing.layer).map_or("", String::as_str);
            warnings.add(kind, || format!("\"{name}\": {passes} passes"));
        }
    }
}

/// Amounts that diffuse during a run, by the numbers of their layers.
#[derive(Debug)]
pub(crate) struct Amounts {
    maps: BTreeMap<usize, DiffusionMap>,
    sources: Sources,
}

impl Amounts {
    /// The amounts when the run begins.
    pub(crate) fn new(diffusing: &[Diffusing], ground: &Ground, figures: &[Figure]) -> Result<Self, FieldError> {
        let map = |diffusing: &Diffusing| {
            let map = DiffusionMap::new(*ground.grid(), diffusing.diffusion, Some(ground.open().clone()))?;
            Ok((diffusing.layer, map))
        };
        let maps = diffusing.iter().map(map).collect::<Result<_, FieldError>>()?;
        let mut amounts = Self { maps, sources: Sources::default() };
        amounts.follow(ground, figures, figures.iter().map(|figure| &figure.entity))?;
        for Diffusing { layer, before, .. } in diffusing.iter().filter(|diffusing| diffusing.before > 0.0) {
            amounts.maps.get_mut(layer).map_or(Ok(0), |map| map.advance(*before))?;
        }
        Ok(amounts)
    }

    /// Moves sources to the current positions of entities, and advances the time.
    pub(crate) fn advance(
        &mut self,
        ground: &Ground,
        figures: &[Figure],
        entities: &[Entity],
        time: f32,
    ) -> Result<(), FieldError> {
        self.follow(ground, figures, entities.iter())?;
        self.maps.values_mut().try_for_each(|map| map.advance(time).map(|_| ()))
    }

    fn follow<'e>(
        &mut self,
        ground: &Ground,
        figures: &[Figure],
        entities: impl Iterator<Item = &'e Entity>,
    ) -> Result<(), FieldError> {
        let emitted = figures
            .iter()
            .zip(entities)
            .flat_map(|(figure, entity)| figure.emits.iter().map(|&(layer, rate)| (layer, entity.position, rate)));
        let maps = &mut self.maps;
        self.sources.follow(ground, emitted, |layer, (column, row), rate| {
            maps.get_mut(&layer).map_or(Ok(()), |map| map.set_source(column, row, rate))
        })
    }

    /// The current layers.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (usize, Field)> {
        self.maps.iter().map(|(&layer, map)| (layer, map.field()))
    }
}
