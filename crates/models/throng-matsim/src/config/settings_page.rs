//! The lists of parameters and groups in the book, written from the table.

use std::fmt::Write as _;

use super::field::Field;
use super::iterations;
use super::loader::expected;
use super::table::{self, Effect, Extension, GROUPS, Group, Kind, ParameterSpec, Remedy, Role};
use super::write::TELEPORTED_SET;
use throng_traffic_scenario::settings::Settings;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/src/settings.md");
const BEGIN: &str =
    "<!-- Written from the table of parameters: THRONG_STORE=1 cargo test -p throng-matsim settings_page -->\n";

#[test]
fn the_settings_page_lists_every_parameter() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (before, _) = page.split_once(BEGIN).expect("the comment before the lists");
    let written = format!("{before}{BEGIN}{}", lists());
    if std::env::var_os("THRONG_STORE").is_some() {
        std::fs::write(PAGE, &written).unwrap();
    }
    let stored = std::fs::read_to_string(PAGE).unwrap();
    let differs = written.lines().zip(stored.lines()).find(|(written, stored)| written != stored);
    assert!(written == stored, "THRONG_STORE=1 cargo test -p throng-matsim settings_page: {differs:?}");
}

fn lists() -> String {
    let mut out = String::new();
    let mut settings = Settings::default();
    for group in GROUPS.iter().filter(|group| matches!(group.role, Role::Read | Role::Partly(_))) {
        write!(out, "\n## {}\n\n{}", group.name, earlier_names(group)).unwrap();
        if let Role::Partly(why) = group.role {
            write!(out, "All other parameters have no effect: {why}.\n\n").unwrap();
        }
        out +=
            "| Parameter | Treatment | Meaning, or why it has no effect | Values | Default |\n|---|---|---|---|---|\n";
        for known in table::all().filter(|known| known.group == group.name) {
            out += &row(known, &mut settings);
        }
        for (kind, names) in iterations::parameter_sets(group.name) {
            writeln!(out, "\nParameter set `{kind}`, for iterations: {names}.").unwrap();
        }
        if group.name == "routing" {
            writeln!(out, "\nParameter set {}.", TELEPORTED_SET.replace(", then beeline", ",\nthen beeline")).unwrap();
        }
    }
    out +=
        "\n## Groups without effect\n\nThey are read, counted and otherwise ignored.\n\n| Group | Why |\n|---|---|\n";
    for group in GROUPS {
        if let Role::NoEffect(why) = group.role {
            writeln!(out, "| {} | {why} |", with_earlier_names(group)).unwrap();
        }
    }
    out += "\n## Groups that are not supported\n\n\
        A config that requests one of these is refused, unless `throng.ignoreUnsupported=true` is set. Without the named\n\
        parameters, or if they are `false`, 0 or empty, the group has no effect.\n\n\
        | Group | Refused with | Meaning | Instead |\n|---|---|---|---|\n";
    for group in GROUPS {
        if let Role::Extension(Extension { what, switches, remedy }) = group.role {
            let switches: Vec<String> = switches.iter().map(|name| format!("`{name}`")).collect();
            let with = if switches.is_empty() { "any content".to_owned() } else { switches.join(", ") };
            let instead = match remedy {
                Remedy::Advice(advice) => advice.to_owned(),
                Remedy::Teleport(mode) => format!(
                    "teleport its legs: `--set throng.ignoreUnsupported=true --set routing.teleportedModeSpeed_{mode}=8`"
                ),
            };
            writeln!(out, "| {} | {with} | {what} | {instead} |", with_earlier_names(group)).unwrap();
        }
    }
    out
}

fn row(known: &ParameterSpec, settings: &mut Settings) -> String {
    let treatment = match &known.kind {
        Kind::Field(_) | Kind::Teleported(_) => "used",
        Kind::Iterated(_) => "for iterations",
        Kind::RouteCost(_) => "warned of",
        Kind::NoEffect | Kind::OldFile => "no effect",
        Kind::Unsupported { effect: Effect::Result, .. } => "others refused",
        Kind::Unsupported { effect: Effect::OtherOutput, .. } => "others ignored",
    };
    let mut meaning = known.meaning.to_owned();
    if !known.unit.is_empty() {
        write!(meaning, " ({})", known.unit).unwrap();
    }
    if !known.aliases.is_empty() {
        let aliases: Vec<String> = known.aliases.iter().map(|alias| format!("`{alias}`")).collect();
        write!(meaning, "; also read as {}", aliases.join(", ")).unwrap();
    }
    let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let values = match &known.kind {
        Kind::Field(Field::Choice(choice)) if choice.unsupported.is_empty() => quoted(choice.names),
        Kind::Field(Field::Choice(choice)) => {
            let names: Vec<&str> = choice.unsupported.iter().map(|(name, _)| *name).collect();
            let treatment = if choice.effect == Effect::Result { "refused" } else { "ignored" };
            format!("{}; {treatment}: {}", quoted(choice.names), quoted(&names))
        }
        Kind::Unsupported { neutral, superseded, .. } => {
            quoted(&[&neutral[..neutral.len().min(1)], superseded].concat())
        }
        Kind::NoEffect | Kind::OldFile => String::new(),
        _ => expected(known).replace('\\', "\\\\"),
    };
    let default = match &known.kind {
        Kind::Field(field) => format!("`{}`", field.text(settings)),
        Kind::Iterated(iterated) => format!("`{}`", iterated.default_text(settings)),
        _ => String::new(),
    };
    format!("| `{}` | {treatment} | {meaning} | {values} | {default} |\n", known.name)
}

fn with_earlier_names(group: &Group) -> String {
    let earlier: Vec<String> = group.earlier_names().map(|name| format!("`{name}`")).collect();
    let earlier = if earlier.is_empty() { String::new() } else { format!(" ({})", earlier.join(", ")) };
    format!("`{}`{earlier}", group.name)
}

fn earlier_names(group: &Group) -> String {
    let names: Vec<String> = group.earlier_names().map(|name| format!("`{name}`")).collect();
    let more = if group.superseded.is_empty() {
        String::new()
    } else {
        format!(" There, `yes` and `no` are also flags.\nIf a config has a group `{}`, these are ignored.", group.name)
    };
    if names.is_empty() {
        String::new()
    } else {
        format!("Called {} in earlier releases.{more}\n\n", names.join(" or "))
    }
}
