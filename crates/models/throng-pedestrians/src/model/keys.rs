//! Checks of a scenario's keys that do not need its floor plan.

use std::collections::BTreeMap;

use throng_core::{Problems, Warnings};

use super::super::bodies::MAX_BODY_SIDE;
use super::super::fields::{FieldParameters, FieldTables};
use super::super::openings::{MAX_EXITS, Openings};
use super::super::rules::vote::pause;
use super::super::scene::{MAX_PEDESTRIANS, MAX_SIDE};
use super::super::start::Flow;
use super::super::static_fields::greatest_obstacle_weight;
use super::scenario::{Door, Entry, Group, Scenario, Until};
use throng_model::names::enumerated;
use throng_model::scenario_file::Border;

/// Maximum duration of a simulation, s.
pub const MAX_DURATION_S: f64 = 1e8;
/// Maximum walk period, ticks.
const MAX_PERIOD: u32 = 1000;
/// Ticks per step for which 1.41 times this number is nearly whole: 5, and 7 per diagonal step.
const FINE_TICKS: f64 = 5.0;
/// Maximum number of ticks per pedestrian ahead in the choice of an exit, so that all times fit in 32 bits.
const MAX_QUEUE_TICKS: f64 = 100.0;

/// Reports invalid keys of the world, of its openings and of the choice among exits.
pub fn check_world(scenario: &Scenario, problems: &mut Problems) {
    check_sizes(scenario, problems);
    check_choice(scenario, problems);
    check_names(scenario, problems);
}

/// Reports invalid keys of groups and entries.
pub fn check_people(scenario: &Scenario, problems: &mut Problems) {
    // Checked even if groups or entries replace it: a file is valid or invalid as a whole.
    check_group(scenario, &scenario.of_the_world(), str::to_owned, problems);
    for (number, group) in (1..).zip(&scenario.groups) {
        let place = format!("groups {number}");
        let key = |name: &str| if name.is_empty() { place.clone() } else { format!("{place}, {name}") };
        check_room(scenario, group, &key("room"), problems);
        check_group(scenario, group, key, problems);
    }
    for entry in &scenario.entries {
        check_entry(scenario, entry, problems);
    }
}

/// Warns of values that are valid but have no effect, or an unwanted one.
pub fn warn(scenario: &Scenario, warnings: &mut Warnings) {
    let end_s = scenario.end_s();
    let opens = |door: &&Door| door.open_s.as_ref().is_none_or(|open| open.iter().any(|[from_s, _]| *from_s < end_s));
    for door in scenario.doors.iter().filter(|door| !opens(door)) {
        warnings.add("a door does not open before the end of the run", || format!("doors \"{}\"", door.name));
    }
    if scenario.until == Until::Empty && scenario.frame_every == 0 {
        warnings.add_noted(
            1,
            "the run does not end before the last tick",
            "until = \"empty\" is checked at rows of the table, and frame_every = 0: it has only the last one",
        );
    }
    warn_of_equal_speeds(scenario, warnings);
    let is_constant = |group: &Group| group.limits().are_constant();
    let default = FieldParameters::default().squeeze_after_ticks;
    if scenario.squeeze_after_ticks != default && scenario.groups().iter().all(is_constant) {
        let note = "give the groups a smallest_body_su with fewer columns or rows than body_su";
        warnings.add_noted(1, "squeeze_after_ticks has no effect on bodies of constant size", note);
    }
    if scenario.exits.is_empty() {
        return;
    }
    warn_of_obstacles(scenario, warnings);
    for (number, _) in (1..).zip(&scenario.groups).filter(|(_, group)| group.headings != Flow::default()) {
        warnings.add("headings have no effect in a world with exits", || format!("groups {number}"));
    }
}

/// Warns that with steps of one tick, diagonal steps do not take longer.
fn warn_of_equal_speeds(scenario: &Scenario, warnings: &mut Warnings) {
    if scenario.equal_speeds && is_rounded_anywhere(scenario) {
        let note = format!(
            "the 1.41 ticks of a diagonal step are rounded to 1, so that it is 41 % too fast; for the same speed along an axis \
             give {}",
            finer_ticks(scenario)
        );
        warnings.add_noted(1, "equal_speeds has no effect on walk periods of 1", note);
    }
}

/// Whether any walk period is so short that `equal_speeds` does not change the time of a diagonal step.
pub fn is_rounded_anywhere(scenario: &Scenario) -> bool {
    let is_rounded = |period: u32| pause(period, 1, true) == period;
    let groups = scenario.groups().into_iter().map(|group| group.walk_periods);
    let mut periods = groups.chain(scenario.entries.iter().map(|entry| entry.walk_periods.clone())).flatten();
    periods.any(is_rounded)
}

/// Returns the settings of finer ticks with which diagonal steps can take longer, at the same speed along an axis.
pub fn finer_ticks(scenario: &Scenario) -> String {
    // Remove rounding noise.
    let tick_s = (scenario.tick_s / FINE_TICKS * 1e9).round() / 1e9;
    format!("tick_s = {tick_s}, {FINE_TICKS} times the ticks and walk_periods, and exit_flow / {FINE_TICKS}")
}

/// Warns of walls that push harder than the desired direction pulls: they stop people in front of openings.
fn warn_of_obstacles(scenario: &Scenario, warnings: &mut Warnings) {
    // Without weight, walls do not push; without a pull above the threshold, pedestrians do not walk at all.
    if scenario.obstacle_weight <= 0.0 || scenario.heading_weight <= scenario.threshold {
        return;
    }
    let parameters = scenario.field_parameters();
    // Parameters were checked before.
    let Ok(tables) = FieldTables::new(&parameters) else { return };
    let greatest = greatest_obstacle_weight(&parameters, &tables);
    if scenario.obstacle_weight >= greatest {
        let note = format!(
            "obstacle_weight = {}: at {greatest:.3} or more, walls beside an opening push a person away more than \
             heading_weight = {} pulls; give less, such as {}",
            scenario.obstacle_weight,
            scenario.heading_weight,
            throng_core::three_figures(0.9 * greatest)
        );
        warnings.add_noted(1, "people may stop in front of doors and exits", note);
    }
}

/// Whether the sides of the world are in range, so that its floor can be drawn.
pub fn has_sides(scenario: &Scenario) -> bool {
    [scenario.width_su, scenario.height_su].iter().all(|side| (1..=MAX_SIDE).contains(side))
}

fn check_sizes(scenario: &Scenario, problems: &mut Problems) {
    for (key, side) in [("width_su", scenario.width_su), ("height_su", scenario.height_su)] {
        if side == 0 || side > MAX_SIDE {
            problems.push(key, side.to_string(), format!("give 1 to {MAX_SIDE} space units"));
        }
    }
    for (key, value, max) in [("space_unit_m", scenario.space_unit_m, 1e3), ("tick_s", scenario.tick_s, 1e3)] {
        if !(1e-3..=max).contains(&value) {
            problems.push(key, value.to_string(), format!("give a number from 0.001 to {max}"));
        }
    }
    if scenario.until == Until::Empty && scenario.exits.is_empty() {
        problems.push("until", "\"empty\", in a world without exits", "add [[exits]], or give \"ticks\"");
    }
    if scenario.border == Border::Periodic && !scenario.exits.is_empty() {
        problems.push("border", "periodic, in a world with exits", "give \"closed\", or no exits");
    }
    let of_door = "add [[exits]], or add the gap to [[rooms]], where it is always open";
    let doors = scenario.doors.iter().map(|door| (format!("doors \"{}\"", door.name), of_door));
    let of_entry = "add [[exits]]: pedestrians need a destination";
    let entries = scenario.entries.iter().map(|entry| (format!("entries \"{}\"", entry.name), of_entry));
    if let Some((opening, remedy)) = doors.chain(entries).next().filter(|_| scenario.exits.is_empty()) {
        problems.push(opening, "is in a world without exits", remedy);
    }
    if scenario.exits.len() > MAX_EXITS {
        problems.push("exits", scenario.exits.len().to_string(), format!("give at most {MAX_EXITS}"));
    }
}

fn check_choice(scenario: &Scenario, problems: &mut Problems) {
    if !(0.0..=MAX_DURATION_S).contains(&scenario.choose_every_s) {
        let remedy = format!("give 0 to {MAX_DURATION_S} seconds");
        problems.push("choose_every_s", scenario.choose_every_s.to_string(), remedy);
    }
    let choice = scenario.choice();
    if let Err(error) = (Openings { choice, ..Openings::default() }).check(&[]) {
        return problems.append(error.0);
    }
    // The smallest exit is the limiting one.
    let units = |[columns, rows]: [u32; 2]| u64::from(columns) * u64::from(rows);
    if let Some(exit) = scenario.exits.iter().min_by_key(|exit| units(exit.size_su)) {
        let flow = choice.flow * units(exit.size_su).max(1) as f64;
        if choice.crowding / flow > MAX_QUEUE_TICKS {
            let found = format!(
                "{}, with exit_flow = {}: each person ahead at exit \"{}\" counts for {:.0} ticks",
                choice.crowding,
                choice.flow,
                exit.name,
                choice.crowding / flow
            );
            let remedy = format!("give at most {}, for {MAX_QUEUE_TICKS} ticks", MAX_QUEUE_TICKS * flow);
            problems.push("crowding_weight", found, remedy);
        }
    }
}

fn check_names(scenario: &Scenario, problems: &mut Problems) {
    let rooms = scenario.rooms.iter().map(|room| ("rooms", &room.name));
    let doors = scenario.doors.iter().map(|door| ("doors", &door.name));
    let exits = scenario.exits.iter().map(|exit| ("exits", &exit.name));
    let entries = scenario.entries.iter().map(|entry| ("entries", &entry.name));
    let mut known: BTreeMap<&str, &str> = BTreeMap::new();
    for (key, name) in rooms.chain(doors).chain(exits).chain(entries) {
        if let Some(other) = known.insert(name, key) {
            let found = format!("the name also belongs to one of the {other}");
            problems.push(format!("{key} \"{name}\""), found, "give each its own name");
        }
        if name.is_empty() || name.chars().count() > 100 {
            problems.push(
                format!("{key} \"{name}\""),
                if name.is_empty() { "the name is empty" } else { "the name has more than 100 letters" },
                "give 1 to 100 letters",
            );
        }
    }
}

fn check_room(scenario: &Scenario, group: &Group, key: &str, problems: &mut Problems) {
    let Some(room) = group.room.as_ref().filter(|&name| scenario.rooms.iter().all(|room| room.name != *name)) else {
        return;
    };
    let remedy = throng_core::did_you_mean(room, scenario.rooms.iter().map(|room| room.name.as_str()))
        .unwrap_or_else(|| "give the name of one of the rooms".to_owned());
    problems.push(key, format!("there is no room \"{room}\""), remedy);
}

/// The tables of openings that a scenario has, such as `doors and exits`.
fn tables_of_openings(scenario: &Scenario) -> String {
    let Scenario { doors, entries, exits, .. } = scenario;
    let tables = [("doors", doors.is_empty()), ("entries", entries.is_empty()), ("exits", exits.is_empty())];
    let found: Vec<&str> = tables.into_iter().filter(|(_, is_empty)| !is_empty).map(|(table, _)| table).collect();
    enumerated(&found)
}

/// `key` maps the name of a key to its location in the error message; "" stands for the group itself.
fn check_group(scenario: &Scenario, group: &Group, key: impl Fn(&str) -> String, problems: &mut Problems) {
    let body = group.body_su;
    if body != [1; 2] && !scenario.is_without_openings() {
        let found = format!("bodies of several space units in a world with {}", tables_of_openings(scenario));
        problems.push(key("body_su"), found, "give bodies of one space unit, or leave it out");
    } else if body.iter().any(|side| !(1..=MAX_BODY_SIDE).contains(side)) {
        problems.push(key("body_su"), format!("{body:?}"), format!("give columns and rows from 1 to {MAX_BODY_SIDE}"));
    }
    let is_smaller = |smallest: &[u8; 2]| (0..2).all(|axis| (1..=body[axis].max(1)).contains(&smallest[axis]));
    if let Some(smallest) = group.smallest_body_su.filter(|smallest| !is_smaller(smallest)) {
        let remedy = format!("give columns and rows of at least 1, and at most those of body_su, {body:?}");
        problems.push(key("smallest_body_su"), format!("{smallest:?}"), remedy);
    }
    match (group.persons, group.density) {
        (Some(_), None) => {}
        (None, Some(density)) => {
            if !(0.0..=1.0).contains(&density) {
                problems.push(key("density"), density.to_string(), "give a number from 0 to 1");
            }
        }
        (Some(_), Some(_)) => problems.push(key(""), "persons and density", "give one of the two"),
        (None, None) => problems.push(key(""), "neither persons nor density", "give one of the two"),
    }
    check_exits(scenario, &key("exits"), group.exits.as_deref(), problems);
    check_periods(&key("walk_periods"), &group.walk_periods, problems);
}

fn check_entry(scenario: &Scenario, entry: &Entry, problems: &mut Problems) {
    let place = format!("entries \"{}\"", entry.name);
    let rate = entry.persons_per_s;
    let is_rate = (0.0..=1e4).contains(&rate);
    if !is_rate {
        problems.push(format!("{place}, persons_per_s"), rate.to_string(), "give a number from 0 to 10000");
    }
    let [from_s, to_s] = entry.interval(scenario);
    if !(from_s >= 0.0 && from_s <= to_s) {
        let found = format!("{from_s} to {to_s}");
        problems.push(format!("{place}, from_s"), found, "give 0 or more, and from_s before to_s");
    } else if is_rate {
        let expected = (to_s.min(scenario.end_s()) - from_s).max(0.0) * rate;
        if expected > MAX_PEDESTRIANS as f64 {
            let remedy = format!("at most {MAX_PEDESTRIANS}: give a lower rate");
            problems.push(format!("{place}, persons_per_s"), format!("{expected:.0} persons"), remedy);
        }
    }
    check_exits(scenario, &format!("{place}, exits"), entry.exits.as_deref(), problems);
    check_periods(&format!("{place}, walk_periods"), &entry.walk_periods, problems);
}

fn check_exits(scenario: &Scenario, place: &str, names: Option<&[String]>, problems: &mut Problems) {
    let Some(names) = names else { return };
    let exits = || scenario.exits.iter().map(|exit| exit.name.as_str());
    for name in names.iter().filter(|name| exits().all(|exit| exit != name.as_str())) {
        let remedy = throng_core::did_you_mean(name, exits()).unwrap_or_else(|| "give names of exits".to_owned());
        problems.push(place, format!("there is no exit \"{name}\""), remedy);
    }
    if names.is_empty() {
        problems.push(place, "[]", "name at least one, or leave it out for all");
    }
}

fn check_periods(place: &str, periods: &[u32], problems: &mut Problems) {
    for period in periods.iter().filter(|period| !(1..=MAX_PERIOD).contains(*period)) {
        problems.push(place, period.to_string(), format!("give 1 to {MAX_PERIOD} ticks"));
    }
    if periods.is_empty() {
        problems.push(place, "[]", "give at least one, such as [1]");
    }
}
