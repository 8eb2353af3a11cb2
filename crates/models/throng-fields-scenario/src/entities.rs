//! Entities of a scenario file: their properties, paths, teams and layers.

use std::collections::{BTreeMap, HashSet};

use throng_core::Problems;
use throng_fields_core::{Entity, Profile, Stamp, creation};
use throng_model::At;

use crate::diffusion::Diffusing;
use crate::given::{Given, Need, accept};
use crate::lengths::FARTHEST;
use crate::patrol::Patrol;
use crate::written::Shape;
use crate::{Figure, figures, influences, lengths, names, walls, written};

/// The named objects that entities refer to.
pub struct Known<'a> {
    pub layers: &'a [String],
    pub profiles: &'a [(String, Option<Profile>)],
    pub stamps: &'a [(String, Option<Stamp>)],
    pub diffusing: &'a [Diffusing],
    pub teams: &'a [String],
    /// Whether teams have influence.
    pub has_influence: bool,
    /// The origin of the grid.
    pub origin: [f64; 2],
}

impl Known<'_> {
    fn diffuses(&self, layer: usize) -> bool {
        self.diffusing.iter().any(|diffusing| diffusing.layer == layer)
    }
}

/// An entity of the map.
pub fn figure(written: &At<written::Entity>, known: &Known<'_>, problems: &mut Problems) -> Option<Figure> {
    let entity = &written.value;
    let figure = figure_of(written, known, problems);
    let layers = if has_no_field(entity) && entity.layers.is_none() {
        0
    } else {
        layers(entity.layers.as_deref(), &written.place, known, problems)
    };
    let emits = emits(entity.emits.as_ref(), &written.place, known, problems);
    if !lengths::is_place(&entity.at) {
        let remedy = format!("expected finite numbers, at most {FARTHEST:e}");
        problems.push(written.part("at"), format!("{:?}", entity.at), remedy);
        return None;
    }
    let patrol = patrol(written, known.origin, problems);
    let team = team(written, known, problems);
    let made = figure?
        .with_charge(entity.charge.unwrap_or(1.0))
        .facing(entity.heading.unwrap_or(0.0).to_radians())
        .in_layers(layers);
    accept(&written.place, creation::by_tiles(&walls::tiny(), std::slice::from_ref(&made)), problems)?;
    let figure = Figure { entity: made, patrol, team, emits, colour: entity.colour };
    Some(Figure { entity: figure.at(0.0), ..figure })
}

/// Refuses names of entities and teams that cannot be shown.
pub fn check_names(entities: &[At<written::Entity>], problems: &mut Problems) {
    for entity in entities {
        for (key, name) in [("name", &entity.value.name), ("team", &entity.value.team)] {
            if let Some(name) = name {
                names::check_name(name, &entity.part(key), problems);
            }
        }
    }
}

/// Refuses duplicate names of entities: `--set` would change only the first.
pub fn names_differ(entities: &[At<written::Entity>], problems: &mut Problems) {
    let mut known = HashSet::new();
    for entity in entities {
        if let Some(name) = entity.value.name.as_deref().filter(|name| !known.insert(*name)) {
            let value = format!("\"{}\", the name of an earlier entity", names::shown(name));
            problems.push(entity.part("name"), value, "give each entity a unique name, or none");
        }
    }
}

/// Shape and profile, or stamp.
fn figure_of(written: &At<written::Entity>, known: &Known<'_>, problems: &mut Problems) -> Option<Entity> {
    let entity = &written.value;
    let stamped = entity.shape == Shape::Stamp;
    if has_no_field(entity) {
        let given = Given {
            place: &written.place,
            choice: "an entity without a profile".to_owned(),
            keys: vec![
                ("charge", entity.charge.is_some(), Need::MustNot),
                ("layers", entity.layers.is_some(), Need::MustNot),
            ],
        };
        given.check(problems);
    } else {
        let given = Given {
            place: &written.place,
            choice: figures::choice(entity.shape),
            keys: vec![("profile", entity.profile.is_some(), Need::when(!stamped))],
        };
        given.check(problems);
    }
    let shape = figures::shape(written, problems);
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
        // It is in no layer, so it has no effect.
        None => accept(&written.place, Profile::linear(1.0), problems)?,
    };
    Some(Entity::new(entity.at, profile).with_shape(shape?))
}

/// Whether an entity has no field of its own.
pub fn has_no_field(entity: &written::Entity) -> bool {
    let is_source = entity.team.is_some() && entity.charge.is_none() && entity.layers.is_none();
    (entity.emits.is_some() || is_source) && entity.profile.is_none() && entity.shape == Shape::Disc
}

/// The layers that a field is in, one bit each; they may be left out if there is only one.
pub fn layers(written: Option<&[String]>, place: &str, known: &Known<'_>, problems: &mut Problems) -> u32 {
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
        // There may be more layers than bits, which is a problem of the list of layers.
        bits |= 1u32.checked_shl(layer as u32).unwrap_or(0);
        if known.diffuses(layer) {
            let name = names::shown(&known.layers[layer]);
            let remedy = format!("it has amounts and no fields of entities: write emits = {{ {name} = 1 }}");
            problems.push(&part, format!("\"{name}\" diffuses"), remedy);
        }
    }
    bits
}

/// The emission into layers that diffuse, per unit of time.
pub fn emits(
    written: Option<&BTreeMap<String, f32>>,
    place: &str,
    known: &Known<'_>,
    problems: &mut Problems,
) -> Vec<(usize, f32)> {
    let place = format!("{place}, emits");
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

fn patrol(written: &At<written::Entity>, origin: [f64; 2], problems: &mut Problems) -> Option<Patrol> {
    let entity = &written.value;
    let given = Given {
        place: &written.place,
        choice: if entity.path.is_some() { "a path".to_owned() } else { "an entity without a path".to_owned() },
        keys: vec![
            ("speed", entity.speed.is_some(), Need::when(entity.path.is_some())),
            ("then", entity.then.is_some(), Need::may_when(entity.path.is_some())),
        ],
    };
    if !given.check(problems) {
        return None;
    }
    let (path, speed) = (entity.path.as_ref()?, entity.speed?);
    if path.is_empty() || !path.iter().all(lengths::is_place) {
        let remedy = format!("expected one or more points of finite numbers, at most {FARTHEST:e}");
        problems.push(written.part("path"), format!("{path:?}"), remedy);
        return None;
    }
    if !(0.0..=FARTHEST).contains(&speed) {
        problems.push(written.part("speed"), speed.to_string(), format!("expected a number from 0 to {FARTHEST:e}"));
        return None;
    }
    let turns = entity.heading.is_none() && !matches!(entity.shape, Shape::Disc | Shape::Ring);
    Some(Patrol::new(origin, (entity.at, path), speed, entity.then.unwrap_or_default(), turns))
}

fn team(written: &At<written::Entity>, known: &Known<'_>, problems: &mut Problems) -> Option<(usize, f32)> {
    let entity = &written.value;
    let given = Given {
        place: &written.place,
        choice: if entity.team.is_some() { "a team".to_owned() } else { "an entity without a team".to_owned() },
        keys: vec![("strength", entity.strength.is_some(), Need::may_when(entity.team.is_some()))],
    };
    given.check(problems);
    if entity.strength.is_some() && !known.has_influence {
        influences::refuse_strength(written.part("strength"), problems);
    }
    let strength = entity.strength.unwrap_or(1.0);
    if !(strength.is_finite() && strength >= 0.0) {
        problems.push(written.part("strength"), strength.to_string(), "expected a finite number, 0 or more");
    }
    let name = entity.team.as_ref()?;
    known.teams.iter().position(|team| team == name).map(|team| (team, strength))
}
