//! Layers of lines of sight, whose viewers are entities and agents.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_fields_core::creation::FixedPoint;
use throng_fields_core::sight::{Sight, Viewer};
use throng_fields_core::{Entity, Profile};
use throng_model::scenario_file::At;

use crate::diffusion::Diffusing;
use crate::entities::MapEntity;
use crate::groups::Group;
use crate::key_rules::{Presence, check_keys};
use crate::names;
use crate::names::Known;
use crate::run::RunTable;
use crate::shapes::check_opening;
use crate::value_checks::accept;

/// An entry of `[sight]`: a layer that adds up, in each cell, the strengths of the viewers that see it.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Sight")]
pub struct SightTable {
    /// The name of a profile by which the strength falls off with distance; by default it is the same within the range.
    pub profile: Option<String>,
}

/// A layer that adds up the viewers that see each cell.
#[derive(Debug, Clone)]
pub struct SightLayer {
    pub layer: usize,
    pub sight: Sight,
}

/// The cells that an entity or an agent sees.
#[derive(Debug, Clone)]
pub struct View {
    /// Strength in each layer.
    sees: Vec<(usize, f32)>,
    range: f32,
    /// The opening of the field of view, radians; `None` for all directions.
    opening: Option<f32>,
}

impl View {
    /// Whether it adds something to a layer.
    pub(crate) fn sees(&self, layer: usize) -> bool {
        self.sees.iter().any(|&(seen, strength)| seen == layer && strength != 0.0)
    }

    /// The viewers at a position, each with its layer.
    pub fn viewers(&self, position: [f64; 2], heading: f32) -> impl Iterator<Item = (usize, Viewer)> {
        let &Self { ref sees, range, opening } = self;
        sees.iter().map(move |&(layer, strength)| (layer, Viewer { position, range, strength, heading, opening }))
    }

    /// The viewers of an entity, each with its layer.
    pub fn of_entity(&self, entity: &Entity) -> impl Iterator<Item = (usize, Viewer)> {
        self.viewers(entity.position, entity.heading)
    }
}

/// Reads `[sight]`: the layers of lines of sight, in alphabetical order.
pub(crate) fn read(
    written: &BTreeMap<String, At<SightTable>>,
    layers: &[String],
    profiles: &BTreeMap<String, Option<Profile>>,
    diffusing: &[Diffusing],
    run: Option<&At<RunTable>>,
    problems: &mut Problems,
) -> Vec<SightLayer> {
    let steps = match run.filter(|_| !written.is_empty()) {
        // Invalid bits are also a problem of fields in fixed point, which reports them.
        Some(run) if run.value.is_fixed() => FixedPoint::new(run.value.bits).unwrap_or_default(),
        Some(run) => accept(&run.place, FixedPoint::new(run.value.bits), problems).unwrap_or_default(),
        None => FixedPoint::default(),
    };
    let mut all = Vec::new();
    for (name, At { value: SightTable { profile }, place }) in written {
        let profile = profile
            .as_ref()
            .map(|profile| names::entry("profile", profile, &format!("{place}, profile"), profiles, problems).cloned());
        let layer = names::layer(name, place, layers, problems);
        if layer.is_some_and(|layer| diffusing.iter().any(|diffusing| diffusing.layer == layer)) {
            let name = names::shown(name);
            problems.push(place, format!("\"{name}\" also diffuses"), "remove one of the two, or use two layers");
        }
        // Even without its profile it is a layer of lines of sight.
        all.extend(layer.map(|layer| SightLayer { layer, sight: Sight { profile: profile.flatten(), steps } }));
    }
    all
}

/// Reads the keys of a viewer: strengths by layer, range, and opening in degrees. `who` names its owner in messages.
pub(crate) fn view(
    (sees, range, opening): (Option<&BTreeMap<String, f32>>, Option<f32>, Option<f32>),
    (who, place): (&str, &str),
    known: &Known<'_>,
    problems: &mut Problems,
) -> Option<View> {
    let keys = [("range", range.is_some(), Presence::when(sees.is_some()))];
    let choice = if sees.is_some() { "sees".to_owned() } else { format!("{who} without sees") };
    let is_complete = check_keys(place, &choice, &keys, problems);
    if sees.is_some_and(BTreeMap::is_empty) {
        problems.push(format!("{place}, sees"), "{}", "expected the strength in at least one layer of lines of sight");
    }
    let mut strengths = Vec::new();
    for (name, &strength) in sees? {
        let place = format!("{place}, sees");
        let Some(layer) = names::layer(name, &place, known.layers, problems) else { continue };
        let name = names::shown(name);
        if !strength.is_finite() {
            problems.push(format!("{place}, {name}"), strength.to_string(), "expected a finite number");
        }
        if !known.is_seen(layer) {
            let value = format!("\"{name}\" has no lines of sight");
            problems.push_missing(&["sight"], &place, value, format!("add [sight.{name}]"));
        }
        if strength.is_finite() {
            strengths.push((layer, strength));
        }
    }
    if opening.is_some_and(|opening| !check_opening(place, opening, problems)) {
        return None;
    }
    let range = range.filter(|_| is_complete)?;
    accept(place, Viewer::new([0.0, 0.0], range).check(), problems)?;
    Some(View { sees: strengths, range, opening: opening.map(f32::to_radians) })
}

/// Rejects layers whose sums do not fit into fixed point.
pub(crate) fn check(
    sights: &[SightLayer],
    layers: &[String],
    (entities, groups): (&[MapEntity], &[Group]),
    run: &At<RunTable>,
    problems: &mut Problems,
) {
    let of_map = entities.iter().filter_map(|mapped| Some((mapped.view.as_ref()?.of_entity(&mapped.entity), 1)));
    let of_map = of_map.flat_map(|(viewers, copies)| viewers.map(move |viewer| (viewer, copies)));
    let of_groups = groups.iter().filter_map(|group| Some((group.view.as_ref()?, group.positions.len())));
    let of_groups =
        of_groups.flat_map(|(view, copies)| view.viewers([0.0; 2], 0.0).map(move |viewer| (viewer, copies)));
    let all: Vec<((usize, Viewer), usize)> = of_map.chain(of_groups).collect();
    for SightLayer { layer, sight } in sights {
        let own = all.iter().filter(|((seen, _), _)| seen == layer).map(|((_, viewer), copies)| (viewer, *copies));
        let name = layers.get(*layer).map(|name| names::shown(name)).unwrap_or_default();
        accept(&run.part(&format!("layer \"{name}\"")), sight.check(own), problems);
    }
}
