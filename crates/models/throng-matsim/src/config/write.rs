//! Settings as a MATSim config file, and the list of all parameters.

use std::fmt::Write as _;

use super::iterations;
use super::loader::expected;
use super::table::{self, Extension, GROUPS, Kind, ParameterSpec, Role};
use super::teleported::SET_TYPE;
use crate::formats::text::push_attribute;
use throng_core::java_double;
use throng_traffic_scenario::settings::{OverwriteFiles, Settings, TeleportedMode, TeleportedSpeed};

/// The parameter sets of teleported modes, for the list of parameters.
pub(super) const TELEPORTED_SET: &str = "teleportedModeParameters, one per mode: mode, then teleportedModeSpeed [m/s] or \
    teleportedModeFreespeedFactor, then beelineDistanceFactor (default 1.3)";

/// Formats the settings in effect as a MATSim config file, version 2, with the additional module `throng`.
///
/// Input files are written with absolute paths, parameters for iterations where they are not the defaults.
/// [`from_file`](super::from_file) reads the same settings back.
///
/// ```
/// use {throng_matsim::config, throng_traffic_scenario::settings::Settings};
/// let text = config::effective(&Settings::default());
/// assert!(text.contains(r#"<param name="flowCapacityFactor" value="1.0" />"#));
/// ```
pub fn effective(settings: &Settings) -> String {
    config_text(settings, false)
}

/// Returns a config file with the defaults of all parameters in effect and a comment for each, as a template.
pub fn default_config() -> String {
    config_text(&Settings::default(), true)
}

/// Returns all settings in effect on the mobility simulation as pairs of `group.parameter` and value, in the order of
/// [`effective`]; for teleported modes, only the speeds.
pub fn flat(given: &Settings) -> Vec<(String, String)> {
    let mut settings = given.clone();
    let mut list = Vec::new();
    for group in GROUPS {
        for known in table::all().filter(|known| known.group == group.name) {
            if let Kind::Field(field) = &known.kind {
                list.push((format!("{}.{}", known.group, known.name), field.text(&mut settings)));
            }
        }
        list.extend(
            costs_of(group.name, given).map(|(name, value)| (format!("{}.{name}", group.name), value.to_owned())),
        );
    }
    for mode in &settings.routing.teleported_modes {
        let (name, value) = speed_param(mode);
        list.push((format!("routing.{name}_{}", mode.mode), value));
    }
    list
}

/// Returns names and values of the parameters of a group that give routes a cost other than of time.
fn costs_of<'s>(group: &'static str, settings: &'s Settings) -> impl Iterator<Item = (&'s str, &'s str)> {
    let costs = settings.routing.other_costs.iter();
    costs.filter_map(move |cost| {
        let (of_group, name) = cost.parameter.split_once('.')?;
        (of_group == group).then_some((name, cost.value.as_str()))
    })
}

fn config_text(given: &Settings, with_comments: bool) -> String {
    // The table accesses fields through `&mut`, but nothing is changed.
    let mut settings = given.clone();
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE config SYSTEM \"http://www.matsim.org/files/dtd/config_v2.dtd\">\n<config>\n",
    );
    for group in GROUPS {
        let fields: Vec<_> = table::all()
            .filter(|known| known.group == group.name)
            .filter_map(|known| if let Kind::Field(field) = &known.kind { Some((known, field)) } else { None })
            .collect();
        let mut costs = costs_of(group.name, given).peekable();
        let iterated = iterations::written(group.name, given);
        if fields.is_empty() && costs.peek().is_none() && iterated.is_empty() {
            continue;
        }
        push(&mut out, format_args!("\t<module name=\"{}\">\n", group.name));
        for (known, field) in fields {
            // MATSim has no such value. It is the default and can be omitted.
            let is_own = settings.controller.overwrite_files == OverwriteFiles::ReplaceOwnRun;
            if known.name == "overwriteFiles" && is_own {
                continue;
            }
            if with_comments {
                push(&mut out, format_args!("\t\t<!-- {} -->\n", comment(known)));
            }
            push_param(&mut out, "\t\t", known.name, &field.text(&mut settings));
        }
        for (name, value) in costs {
            push_param(&mut out, "\t\t", name, value);
        }
        if group.name == "routing" {
            push_teleported(&mut out, &settings);
        }
        out += &iterated;
        out.push_str("\t</module>\n");
    }
    out.push_str("</config>\n");
    out
}

fn push_teleported(out: &mut String, settings: &Settings) {
    // The first set in a file drops the default modes; a file without sets must drop them explicitly.
    push_param(out, "\t\t", "clearDefaultTeleportedModeParams", "true");
    for mode in &settings.routing.teleported_modes {
        push(out, format_args!("\t\t<parameterset type=\"{SET_TYPE}\">\n"));
        push_param(out, "\t\t\t", "mode", &mode.mode);
        let (name, value) = speed_param(mode);
        push_param(out, "\t\t\t", name, &value);
        push_param(out, "\t\t\t", "beelineDistanceFactor", &java_double::text(mode.beeline_distance_factor));
        out.push_str("\t\t</parameterset>\n");
    }
}

fn speed_param(mode: &TeleportedMode) -> (&'static str, String) {
    let (name, value) = match mode.speed {
        TeleportedSpeed::MetresPerSecond(speed) => ("teleportedModeSpeed", speed),
        TeleportedSpeed::FreespeedFactor(factor) => ("teleportedModeFreespeedFactor", factor),
    };
    (name, java_double::text(value))
}

pub(super) fn push_param(out: &mut String, indent: &str, name: &str, value: &str) {
    push(out, format_args!("{indent}<param name=\"{name}\""));
    push_attribute(out, "value", value);
    out.push_str(" />\n");
}

fn comment(known: &ParameterSpec) -> String {
    let unit = if known.unit.is_empty() { String::new() } else { format!(" [{}]", known.unit) };
    format!("{}{unit}; {}", known.meaning, expected(known))
}

/// Formats all parameters as a readable table: name, allowed values, default, unit, meaning.
pub fn schema() -> String {
    let mut settings = Settings::default();
    let mut out = String::from(
        "Parameters of a traffic run, as in a MATSim config file and for --set.\n\
         A group is written <module name=\"...\">; earlier names of groups are in parentheses.\n",
    );
    for group in GROUPS {
        let earlier: Vec<&str> = group.earlier_names().collect();
        let formerly = if earlier.is_empty() { String::new() } else { format!(" ({})", earlier.join(", ")) };
        match group.role {
            Role::NoEffect(why) => {
                push(
                    &mut out,
                    format_args!("\n{}{formerly}: no effect on the mobility simulation; {why}\n", group.name),
                );
            }
            Role::Extension(Extension { what, switches: [], .. }) => {
                push(&mut out, format_args!("\n{}{formerly}: not supported; {what}\n", group.name));
            }
            Role::Extension(Extension { what, switches, .. }) => {
                let switches = switches.join(" or ");
                push(&mut out, format_args!("\n{}{formerly}: not supported with {switches}; {what}\n", group.name));
            }
            Role::Read => {
                push(&mut out, format_args!("\n{}{formerly}\n", group.name));
                push_parameters(&mut out, group.name, &mut settings);
            }
            Role::Partly(why) => {
                push(&mut out, format_args!("\n{}{formerly}: all else has no effect; {why}\n", group.name));
                push_parameters(&mut out, group.name, &mut settings);
            }
        }
    }
    out
}

fn push_parameters(out: &mut String, group: &str, settings: &mut Settings) {
    let (mut without_effect, mut for_iterations) = (Vec::new(), Vec::new());
    for known in table::all().filter(|known| known.group == group) {
        match known.kind {
            Kind::NoEffect | Kind::OldFile => without_effect.push(known.name),
            Kind::Iterated(_) => for_iterations.push(known.name),
            _ => {}
        }
        if matches!(known.kind, Kind::NoEffect | Kind::OldFile | Kind::Iterated(_)) {
            continue;
        }
        let unit = if known.unit.is_empty() { String::new() } else { format!(" [{}]", known.unit) };
        push(out, format_args!("  {group}.{}{unit}\n      {}\n", known.name, known.meaning));
        match &known.kind {
            Kind::Field(field) => {
                push(out, format_args!("      {}; default {}\n", expected(known), field.text(settings)));
            }
            _ => push(out, format_args!("      {}\n", expected(known))),
        }
        if !known.aliases.is_empty() {
            push(out, format_args!("      also {}\n", known.aliases.join(", ")));
        }
    }
    if group == "routing" {
        push(out, format_args!("  parameter set {}\n", TELEPORTED_SET.replace(": ", "\n      ")));
    }
    if !for_iterations.is_empty() {
        push(out, format_args!("  for iterations: {}\n", for_iterations.join(", ")));
    }
    for (kind, names) in iterations::parameter_sets(group) {
        push(out, format_args!("  for iterations: parameter set {kind}\n      {names}\n"));
    }
    if !without_effect.is_empty() {
        push(out, format_args!("  no effect: {}\n", without_effect.join(", ")));
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a String cannot fail");
}
