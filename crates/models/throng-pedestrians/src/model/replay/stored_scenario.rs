//! The scenario of a stored run, rebuilt from its effective settings.

use std::borrow::Cow;

use throng_core::InputError;
use throng_model::replay::StoredRun;

use super::super::scenario::{Door, Entry, Group, Place, Scenario, Wall};
use throng_model::replay::Settings;
use throng_model::scenario_file::Border;

/// Rebuilds the parts of a scenario that an image shows: the floor plan, the pedestrians of each group, and the
/// duration of a tick. Everything else has its default.
///
/// # Errors
/// Settings that cannot be read.
pub fn scenario_of(run: &StoredRun) -> Result<Scenario, InputError> {
    let mut settings = Settings::of(run);
    let of = &mut settings;
    let default = Scenario::default();
    let scenario = Scenario {
        seed: of.value("seed", default.seed),
        ticks: of.value("ticks", default.ticks),
        frame_every: of.value("frame_every", default.frame_every),
        width_su: of.value("width_su", default.width_su),
        height_su: of.value("height_su", default.height_su),
        space_unit_m: of.value("space_unit_m", default.space_unit_m),
        tick_s: of.value("tick_s", default.tick_s),
        border: if of.text("border").as_deref() == Some("closed") { Border::Closed } else { Border::Periodic },
        density: of.value("density", default.density),
        body_su: of.list("body_su").unwrap_or(default.body_su),
        smallest_body_su: of.list("smallest_body_su"),
        rooms: places(of, "rooms"),
        walls: of.entries("walls", "at_su").iter().map(|key| wall(of, key)).collect(),
        doors: of.entries("doors", "name").iter().map(|key| door(of, key)).collect(),
        exits: places(of, "exits"),
        entries: of.entries("entries", "name").iter().map(|key| entry(of, key)).collect(),
        groups: of.entries("groups", "body_su").iter().map(|key| group(of, key)).collect(),
        ..default
    };
    settings.finish()?;
    Ok(scenario)
}

fn wall(of: &mut Settings<'_>, key: &str) -> Wall {
    let mut pair = |name: &str| of.list(&format!("{key}.{name}")).unwrap_or_default();
    Wall { at_su: pair("at_su"), size_su: pair("size_su") }
}

fn place(of: &mut Settings<'_>, key: &str) -> Place {
    let Wall { at_su, size_su } = wall(of, key);
    Place { name: name(of, key), at_su, size_su }
}

fn places(of: &mut Settings<'_>, list: &str) -> Vec<Place> {
    of.entries(list, "name").iter().map(|key| place(of, key)).collect()
}

fn name(of: &Settings<'_>, key: &str) -> String {
    of.text(&format!("{key}.name")).unwrap_or_default().into_owned()
}

fn door(of: &mut Settings<'_>, key: &str) -> Door {
    let Place { name, at_su, size_su } = place(of, key);
    Door { name, at_su, size_su, open_s: of.lists(&format!("{key}.open_s")) }
}

fn entry(of: &mut Settings<'_>, key: &str) -> Entry {
    let Place { name, at_su, size_su } = place(of, key);
    Entry {
        name,
        at_su,
        size_su,
        persons_per_s: of.value(&format!("{key}.persons_per_s"), 0.0),
        from_s: of.value(&format!("{key}.from_s"), 0.0),
        to_s: of.optional(&format!("{key}.to_s")),
        arrivals: match of.text(&format!("{key}.arrivals")).as_deref() {
            Some("even") => super::super::scenario::Arrivals::Even,
            _ => super::super::scenario::Arrivals::Random,
        },
        exits: None,
        walk_periods: vec![1],
    }
}

fn group(of: &mut Settings<'_>, key: &str) -> Group {
    Group {
        room: of.text(&format!("{key}.room")).map(Cow::into_owned),
        persons: of.optional(&format!("{key}.persons")),
        density: of.optional(&format!("{key}.density")),
        body_su: of.list(&format!("{key}.body_su")).unwrap_or([1; 2]),
        smallest_body_su: of.list(&format!("{key}.smallest_body_su")),
        ..Group::default()
    }
}
