//! Entities of a scenario file: their properties, paths, teams and layers.

use std::collections::{BTreeMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_fields_core::{Entity, Metric, Profile};
use throng_model::scenario_file::At;
use throng_pictures::Colour;

use crate::key_rules::{Presence, check_keys};
use crate::names::Known;
use crate::patrol::{PathEnd, Patrol};
use crate::shapes::ShapeName;
use crate::sight::View;
use crate::value_checks::{MAX_COORDINATE, accept, check_entity, check_lengths, check_not_negative, is_place, longer};
use crate::{influences, names, shapes, sight};

/// An entry of `[[entities]]`.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Entity")]
pub struct EntityTable {
    /// A name, for `--set`, messages and the legend.
    pub name: Option<String>,
    /// Position, or start of the path, units of length.
    pub at: [f64; 2],
    /// The name of a profile.
    pub profile: Option<String>,
    /// The shape from which distances are measured.
    #[serde(default)]
    pub shape: ShapeName,
    /// How distances from a disc or a ring are measured: along straight lines, as the sum of the distances along both
    /// axes, or as the larger of these.
    #[serde(default)]
    pub metric: Metric,
    /// Factor of the profile or the stamp: positive attracts, negative repels; by default 1.
    pub charge: Option<f32>,
    /// Degrees anticlockwise from the x axis; by default 0, or the direction of motion.
    pub heading: Option<f32>,
    /// Radius of a ring, units of length.
    pub radius: Option<f32>,
    /// Length of a capsule, units of length.
    pub length: Option<f32>,
    /// Length and width of a box, units of length.
    pub size: Option<[f32; 2]>,
    /// Corners of a polygon, in the coordinates of the entity, units of length.
    pub corners: Option<Vec<[f32; 2]>>,
    /// Opening of a cone, or of the field of view (sees), by default all around; degrees.
    pub opening: Option<f32>,
    /// The name of a stamp.
    pub stamp: Option<String>,
    /// The layers of the entity's field; needed if there are several.
    pub layers: Option<Vec<String>>,
    /// Amount emitted into layers that diffuse, per unit of time.
    pub emits: Option<BTreeMap<String, f32>>,
    /// Strength with which the entity sees cells, by layer of lines of sight.
    pub sees: Option<BTreeMap<String, f32>>,
    /// The distance up to which the entity sees, units of length; needed with sees.
    pub range: Option<f32>,
    /// The points of the path after the position, units of length.
    pub path: Option<Vec<[f64; 2]>>,
    /// Speed, units of length per unit of time; needed with a path.
    pub speed: Option<f64>,
    /// The continuation after the last point of the path: to the first point, back the same way, or none; by default
    /// round.
    pub then: Option<PathEnd>,
    /// The team of the entity.
    pub team: Option<String>,
    /// The strength of the entity's influence, which needs `[influence]`; by default 1.
    pub strength: Option<f32>,
    /// The entity's colour, a name or red, green and blue in hexadecimal digits; without one it is not drawn.
    pub colour: Option<Colour>,
}

impl EntityTable {
    /// The lengths of the entity, which [`check_lengths`](crate::value_checks::check_lengths) limits.
    pub(crate) fn lengths(&self) -> [(&'static str, Option<f32>); 4] {
        [("radius", self.radius), ("length", self.length), ("size", self.size.map(longer)), ("range", self.range)]
    }

    /// Whether the heading affects the shape or the field of view.
    pub(crate) fn has_direction(&self) -> bool {
        self.shape.has_direction() || self.sees.is_some() && self.opening.is_some()
    }
}

/// An entity of the map, complete.
#[derive(Debug, Clone)]
pub struct MapEntity {
    /// The entity at the start of the run.
    pub entity: Entity,
    /// The path of the entity; `None` if it does not move.
    pub patrol: Option<Patrol>,
    /// Team and strength in the team.
    pub team: Option<(usize, f32)>,
    /// Amount emitted into layers that diffuse, per unit of time.
    pub emits: Vec<(usize, f32)>,
    /// The view of the entity, in layers of lines of sight.
    pub view: Option<View>,
    /// Colour, if the entity is drawn.
    pub colour: Option<Colour>,
    /// Its location in the scenario file, for warnings.
    pub place: String,
}

impl MapEntity {
    /// Returns the entity at a time.
    pub fn at(&self, time: f64) -> Entity {
        let Some(patrol) = &self.patrol else { return self.entity.clone() };
        let (position, heading) = patrol.at(time);
        Entity { position, heading: heading.unwrap_or(self.entity.heading), ..self.entity.clone() }
    }
}

/// Checks an entity, and fills in the defaults of its keys.
pub(crate) fn entity(written: &mut At<EntityTable>, known: &Known<'_>, problems: &mut Problems) -> Option<MapEntity> {
    let has_field = !has_no_field(&written.value);
    let field = field(written, known, problems);
    if has_field && let [only] = known.layers {
        written.value.layers.get_or_insert_with(|| vec![only.clone()]);
    }
    let At { value, place } = &*written;
    let layers =
        if has_field || value.layers.is_some() { layers(value.layers.as_deref(), place, known, problems) } else { 0 };
    let emits = emits(value.emits.as_ref(), place, known, problems);
    let of_view = (value.sees.as_ref(), value.range, value.opening.filter(|_| value.sees.is_some()));
    let view = sight::view(of_view, ("an entity", place), known, problems);
    if !is_place(&value.at) {
        let remedy = format!("expected finite numbers, at most {MAX_COORDINATE:e}");
        problems.push(written.part("at"), format!("{:?}", value.at), remedy);
        return None;
    }
    let patrol = patrol(written, known.origin(), problems);
    let team = team(written, known, problems);
    let fits = check_lengths(known.grid.as_ref(), &written.place, written.value.lengths(), problems);
    let has_direction = written.value.has_direction();
    let EntityTable { charge, heading, path, colour, .. } = &mut written.value;
    if has_direction && path.is_none() {
        heading.get_or_insert(0.0);
    }
    let mut made = field.filter(|_| fits)?.with_heading(heading.unwrap_or_default().to_radians()).in_layers(layers);
    if has_field {
        charge.get_or_insert(1.0);
    }
    if let Some(charge) = *charge {
        made = made.with_charge(charge);
    }
    // The profile of an entity without a field has no effect.
    check_entity(known.grid.as_ref().filter(|_| has_field), &written.place, &made, problems)?;
    let made = MapEntity { entity: made, patrol, team, emits, view, colour: *colour, place: written.place.clone() };
    Some(MapEntity { entity: made.at(0.0), ..made })
}

/// Rejects names of entities and teams that cannot be displayed.
pub(crate) fn check_names(entities: &[At<EntityTable>], problems: &mut Problems) {
    for entity in entities {
        for (key, name) in [("name", &entity.value.name), ("team", &entity.value.team)] {
            if let Some(name) = name {
                names::check_name(name, &entity.part(key), problems);
            }
        }
    }
}

/// Rejects duplicate names of entities: `--set` would change only the first one.
pub(crate) fn names_differ(entities: &[At<EntityTable>], problems: &mut Problems) {
    let mut known = HashSet::new();
    for entity in entities {
        if let Some(name) = entity.value.name.as_deref().filter(|name| !known.insert(*name)) {
            let value = format!("\"{}\", the name of an earlier entity", names::shown(name));
            problems.push(entity.part("name"), value, "give each entity a unique name, or none");
        }
    }
}

/// Reads shape and profile, or stamp.
fn field(written: &At<EntityTable>, known: &Known<'_>, problems: &mut Problems) -> Option<Entity> {
    let entity = &written.value;
    let stamped = entity.shape == ShapeName::Stamp;
    if has_no_field(entity) {
        let keys = [
            ("metric", entity.metric != Metric::Euclidean, Presence::MustNot),
            ("charge", entity.charge.is_some(), Presence::MustNot),
            ("layers", entity.layers.is_some(), Presence::MustNot),
        ];
        check_keys(&written.place, "an entity without a profile", &keys, problems);
    } else {
        let keys = [("profile", entity.profile.is_some(), Presence::when(!stamped))];
        check_keys(&written.place, &shapes::choice(entity.shape), &keys, problems);
    }
    let shape = shapes::shape(written, problems);
    let profile = entity
        .profile
        .as_ref()
        .map(|name| names::entry("profile", name, &written.part("profile"), known.profiles, problems));
    let stamp =
        entity.stamp.as_ref().map(|name| names::entry("stamp", name, &written.part("stamp"), known.stamps, problems));
    if stamped {
        return Some(Entity::stamped(entity.at, stamp??.clone()));
    }
    let profile = match profile {
        Some(profile) => profile?.clone(),
        // The entity is in no layer, so the profile has no effect.
        None => accept(&written.place, Profile::linear(1.0), problems)?,
    };
    Some(Entity::new(entity.at, profile).with_shape(shape?).with_metric(entity.metric))
}

/// Whether an entity has no field, because it is only a viewer, or a source of influence or of an emission.
fn has_no_field(entity: &EntityTable) -> bool {
    let is_source = entity.team.is_some() && entity.charge.is_none() && entity.layers.is_none();
    (entity.emits.is_some() || entity.sees.is_some() || is_source)
        && entity.profile.is_none()
        && entity.shape == ShapeName::Disc
}

/// Returns the layers of a field, one bit each; the key is optional if there is only one layer.
pub(crate) fn layers(written: Option<&[String]>, place: &str, known: &Known<'_>, problems: &mut Problems) -> u32 {
    let mut bits = 0;
    let part = format!("{place}, layers");
    let mut found = Vec::new();
    match written {
        Some(names) => {
            found.extend(names.iter().filter_map(|name| names::layer(name, &part, known.layers, problems)));
        }
        None if known.layers.len() == 1 => found.push(0),
        None => problems.push(
            place,
            "layers is missing",
            format!("layers are {}", throng_model::names::one_line(&known.layers.join(", "))),
        ),
    }
    for layer in found {
        bits |= names::layer_bit(layer);
        if known.is_seen(layer) {
            let name = names::shown(&known.layers[layer]);
            let remedy = format!("it has viewers and no fields of entities: write sees = {{ {name} = 1 }} and a range");
            problems.push(&part, format!("\"{name}\" has lines of sight"), remedy);
        } else if known.diffuses(layer) {
            let name = names::shown(&known.layers[layer]);
            let remedy = format!("it has amounts and no fields of entities: write emits = {{ {name} = 1 }}");
            problems.push(&part, format!("\"{name}\" diffuses"), remedy);
        }
    }
    bits
}

/// Returns the emission into diffusing layers, per unit of time.
pub(crate) fn emits(
    written: Option<&BTreeMap<String, f32>>,
    place: &str,
    known: &Known<'_>,
    problems: &mut Problems,
) -> Vec<(usize, f32)> {
    let place = format!("{place}, emits");
    if written.is_some_and(BTreeMap::is_empty) {
        problems.push(&place, "{}", "expected the rate into at least one layer that diffuses");
    }
    let mut emits = Vec::new();
    for (name, &rate) in written.into_iter().flatten() {
        let Some(layer) = names::layer(name, &place, known.layers, problems) else { continue };
        if !rate.is_finite() {
            problems.push(format!("{place}, {}", names::shown(name)), rate.to_string(), "expected a finite number");
        }
        if !known.diffuses(layer) {
            let name = names::shown(name);
            let value = format!("\"{name}\" does not diffuse");
            problems.push_missing(&["diffusion"], &place, value, format!("add [diffusion.{name}]"));
        }
        emits.push((layer, rate));
    }
    emits
}

/// Returns the path of an entity, if it moves.
fn patrol(written: &mut At<EntityTable>, origin: [f64; 2], problems: &mut Problems) -> Option<Patrol> {
    let entity = &written.value;
    let keys = [
        ("speed", entity.speed.is_some(), Presence::when(entity.path.is_some())),
        ("then", entity.then.is_some(), Presence::may_when(entity.path.is_some())),
    ];
    let choice = if entity.path.is_some() { "a path" } else { "an entity without a path" };
    if !check_keys(&written.place, choice, &keys, problems) {
        return None;
    }
    let turns = entity.heading.is_none() && entity.has_direction();
    let then = entity.path.is_some().then(|| *written.value.then.get_or_insert_default())?;
    let entity = &written.value;
    let (path, speed) = (entity.path.as_ref()?, entity.speed?);
    if path.is_empty() || !path.iter().all(is_place) {
        let remedy = format!("expected one or more points of finite numbers, at most {MAX_COORDINATE:e}");
        problems.push(written.part("path"), format!("{path:?}"), remedy);
        return None;
    }
    if !(0.0..=MAX_COORDINATE).contains(&speed) {
        problems.push(
            written.part("speed"),
            speed.to_string(),
            format!("expected a number from 0 to {MAX_COORDINATE:e}"),
        );
        return None;
    }
    Some(Patrol::new(origin, (entity.at, path), speed, then, turns))
}

/// Returns the team of an entity, and its strength in it.
fn team(written: &mut At<EntityTable>, known: &Known<'_>, problems: &mut Problems) -> Option<(usize, f32)> {
    let entity = &written.value;
    let keys = [("strength", entity.strength.is_some(), Presence::may_when(entity.team.is_some()))];
    let choice = if entity.team.is_some() { "a team" } else { "an entity without a team" };
    check_keys(&written.place, choice, &keys, problems);
    if entity.strength.is_some() && !known.has_influence {
        influences::refuse_strength(written.part("strength"), problems);
    }
    if let Some(strength) = entity.strength {
        check_not_negative(written.part("strength"), strength, problems);
    }
    let EntityTable { team, strength, .. } = &mut written.value;
    let (team, strength) = (team.as_ref()?, *strength.get_or_insert(1.0));
    known.teams.iter().position(|known| known == team).map(|team| (team, strength))
}
