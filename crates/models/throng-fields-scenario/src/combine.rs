//! The fields that agents follow, and the steps that compute them from the layers: `[[combine]]` and `[combinations]`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_core::checks::finite;
use throng_fields_core::layers::{Combination, LayerStack, MAX_LAYERS};
use throng_model::scenario_file::{At, word_of};

use crate::key_rules::{Presence, check_keys};
use crate::tables::default_at;
use crate::value_checks::accept;
use crate::{names, walls};

/// An entry of `[combinations]`: a field that a group of agents follows.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Combination")]
pub struct CombinationTable {
    /// Its steps, each with the keys of an entry of `[[combine]]`.
    pub steps: Vec<CombineTable>,
}

/// An entry of `[[combine]]`: a step in the computation of the field that agents follow.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Combine")]
pub struct CombineTable {
    /// The operation on the result of the previous steps.
    pub operation: Operation,
    /// The layer (all but threshold).
    pub layer: Option<String>,
    /// Factor of the layer; by default 1.
    pub weight: Option<f32>,
    /// The threshold.
    pub at: Option<f32>,
    /// The value of cells below the threshold.
    pub below: Option<f32>,
    /// The value of all other cells.
    pub from: Option<f32>,
}

impl CombineTable {
    /// The step that adds a layer.
    pub fn adding(layer: &str) -> Self {
        let (operation, layer) = (Operation::Add, Some(layer.to_owned()));
        Self { operation, layer, weight: None, at: None, below: None, from: None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    Add,
    Max,
    Min,
    Times,
    Threshold,
}

/// Maximum absolute value of a field that agents follow: below a tenth of the maximum float, so that differences of two
/// values are finite, too.
const MAX_FOLLOWED_VALUE: f64 = 3e37;

/// The default weight of a layer.
const WEIGHT: f32 = 1.0;

/// The combined field and all named combinations.
pub(crate) struct Combinations {
    /// Their names; the first one, of the combined field, is empty.
    pub(crate) names: Vec<String>,
    /// The steps of each combination as written in the file, with their locations.
    steps: Vec<Vec<At<CombineTable>>>,
    /// Per combination, the result; `None` if its steps have problems.
    made: Vec<Option<Combination>>,
}

impl Combinations {
    /// Reads `[[combine]]` and `[combinations]`; without `[[combine]]`, all layers are added. Weights get their
    /// defaults.
    pub(crate) fn read(
        combine: &mut Vec<At<CombineTable>>,
        named: &mut BTreeMap<String, At<CombinationTable>>,
        layers: &[String],
        problems: &mut Problems,
    ) -> Self {
        let mut all = Self { names: Vec::new(), steps: Vec::new(), made: Vec::new() };
        all.add("", combine.clone(), layers, problems);
        if combine.is_empty() {
            combine.extend(layers.iter().map(|layer| default_at(CombineTable::adding(layer), "combine")));
        }
        for (name, written) in &mut *named {
            names::check_name(name, &written.place, problems);
            if layers.contains(name) {
                let remedy = "a layer has this name: choose another name, because references to it would be ambiguous";
                problems.push(&written.place, format!("\"{}\"", names::shown(name)), remedy);
            }
            let steps = steps_of(written, problems);
            all.add(name, steps, layers, problems);
        }
        let named = named.values_mut().flat_map(|written| &mut written.value.steps);
        for step in combine.iter_mut().map(|step| &mut step.value).chain(named) {
            if step.operation != Operation::Threshold {
                step.weight.get_or_insert(WEIGHT);
            }
        }
        all
    }

    fn add(&mut self, name: &str, steps: Vec<At<CombineTable>>, layers: &[String], problems: &mut Problems) {
        self.names.push(name.to_owned());
        self.made.push(combination(&steps, layers, problems));
        self.steps.push(steps);
    }

    /// Rejects steps whose results may overflow: sums of infinite values would be NaN. `largest` has the maximum
    /// absolute value of each layer.
    pub(crate) fn check(&self, layers: &[String], largest: &[f64], problems: &mut Problems) {
        for steps in &self.steps {
            check(steps, layers, largest, problems);
        }
    }

    /// The layers that a combination depends on, one bit each; 0 if its steps have problems.
    pub(crate) fn layers_of(&self, number: usize) -> u32 {
        self.made[number].as_ref().map_or(0, Combination::layers)
    }

    /// Returns all combinations; `None` if any of them has problems.
    pub(crate) fn made(&self) -> Option<Vec<Combination>> {
        self.made.iter().cloned().collect()
    }
}

/// Converts the steps; without any, returns the sum of all layers.
fn combination(written: &[At<CombineTable>], layers: &[String], problems: &mut Problems) -> Option<Combination> {
    let mut combination = Combination::new();
    if written.is_empty() {
        for layer in 0..layers.len() as u32 {
            combination = combination.add(WEIGHT, layer);
        }
    }
    let before = problems.total();
    for step in written {
        let CombineTable { operation, layer: name, weight, at, below, from } = &step.value;
        let threshold = *operation == Operation::Threshold;
        let keys = [
            ("layer", name.is_some(), Presence::when(!threshold)),
            ("weight", weight.is_some(), Presence::may_when(!threshold)),
            ("at", at.is_some(), Presence::when(threshold)),
            ("below", below.is_some(), Presence::when(threshold)),
            ("from", from.is_some(), Presence::when(threshold)),
        ];
        if !check_keys(&step.place, &format!("operation = \"{}\"", word_of(operation)), &keys, problems) {
            continue;
        }
        for (key, number) in [("weight", weight), ("at", at), ("below", below), ("from", from)] {
            number.map(|number| accept(&step.place, finite(key, number), problems));
        }
        if let (Some(at), Some(below), Some(from)) = (at, below, from) {
            combination = combination.threshold(*at, *below, *from);
            continue;
        }
        let name = name.as_deref().unwrap_or_default();
        let Some(layer) = names::layer(name, &step.part("layer"), layers, problems) else { continue };
        let (weight, layer) = (weight.unwrap_or(WEIGHT), layer as u32);
        combination = match operation {
            Operation::Add => combination.add(weight, layer),
            Operation::Max => combination.max(weight, layer),
            Operation::Min => combination.min(weight, layer),
            Operation::Times => combination.times(weight, layer),
            Operation::Threshold => combination,
        };
    }
    if problems.total() > before {
        return None;
    }
    let place = written.first().map_or("combine", |step| step.place.as_str());
    let empty = LayerStack::by_tiles(&walls::tiny(), &[], layers.len().clamp(1, MAX_LAYERS as usize) as u32);
    let empty = accept(place, empty, problems)?;
    if layers.len() <= MAX_LAYERS as usize {
        accept(place, combination.of(&empty), problems)?;
    }
    Some(combination)
}

/// Returns the steps of a named combination, each with its location.
fn steps_of(written: &At<CombinationTable>, problems: &mut Problems) -> Vec<At<CombineTable>> {
    if written.value.steps.is_empty() {
        problems.push(&written.place, "no steps", "add steps = [{ operation = \"add\", layer = \"NAME\" }]");
    }
    let steps = written.value.steps.iter().enumerate();
    steps.map(|(i, step)| At { value: step.clone(), place: written.part(&format!("step {}", i + 1)) }).collect()
}

fn check(written: &[At<CombineTable>], layers: &[String], largest: &[f64], problems: &mut Problems) {
    let mut most = 0.0f64;
    for step in written {
        let CombineTable { operation, layer, weight, below, from, .. } = &step.value;
        let found = layers.iter().position(|name| Some(name) == layer.as_ref()).and_then(|layer| largest.get(layer));
        let of_layer = f64::from(weight.unwrap_or(WEIGHT).abs()) * found.copied().unwrap_or(0.0);
        most = match operation {
            Operation::Add => most + of_layer,
            Operation::Max | Operation::Min => most.max(of_layer),
            Operation::Times => most * of_layer,
            Operation::Threshold => {
                [below, from].map(|value| f64::from(value.unwrap_or(0.0).abs())).into_iter().fold(0.0, f64::max)
            }
        };
        // A product may overflow before it is added.
        if most.max(of_layer) > MAX_FOLLOWED_VALUE {
            let value = format!("values up to {:.1e}", most.max(of_layer));
            problems.push(
                &step.place,
                value,
                format!("expected at most {MAX_FOLLOWED_VALUE:e}: use smaller weights or charges"),
            );
            return;
        }
    }
}
