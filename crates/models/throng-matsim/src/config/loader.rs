//! Reads parameters into [`Settings`] and collects their problems.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::path::{Path, PathBuf};

use throng_core::{InputError, Problems, Warnings, did_you_mean};

use super::field::{Field, Rejection};
use super::others::OLD_FILES;
use super::table::{self, Effect, GROUPS, Group, Kind, ParameterSpec, QUEUE_SIMULATION, Role};
use super::teleported::{SET_TYPE, Teleported};
use super::xml;
use super::{Change, Configured};
use crate::formats::xml::Xml;
use throng_traffic_scenario::settings::{FacilitiesSource, JavaSeeding, Settings, VehiclesSource};

/// Remedy that keeps unsupported settings but ignores them.
const IGNORE: &str = "or continue without it: --set throng.ignoreUnsupported=true";

/// The state of reading one config file and the changes to it.
pub(super) struct Loader {
    settings: Settings,
    base_dir: PathBuf,
    problems: Problems,
    warnings: Warnings,
    teleported: Teleported,
    /// Decided at the end: a later value may be supported, and a later setting may allow ignoring unsupported ones.
    unsupported: BTreeMap<(&'static str, &'static str), Unsupported>,
    file_crs: BTreeMap<&'static str, (String, String)>,
    without_effect: BTreeMap<&'static str, u64>,
    /// Parameters that name a file in a format that is no longer read.
    old_files: BTreeSet<String>,
    /// Faults that a later value of the same parameter removes: place, message and remedy.
    replaceable: BTreeMap<(&'static str, &'static str), (String, String, String)>,
}

/// A value that requests something unsupported.
struct Unsupported {
    place: String,
    message: String,
    remedy: String,
    effect: Effect,
}

impl Loader {
    /// Creates a loader for a config file in `base_dir`.
    pub(super) fn for_file(base_dir: &Path) -> Self {
        let mut settings = Settings::default();
        // Config files are written for MATSim's controller.
        settings.extensions.java_seeding = JavaSeeding::Controller;
        Self::new(settings, base_dir, Teleported::for_file())
    }

    /// Creates a loader for changes to `settings`.
    pub(super) fn for_changes(settings: Settings) -> Self {
        Self::new(settings, Path::new(""), Teleported::for_changes())
    }

    fn new(settings: Settings, base_dir: &Path, teleported: Teleported) -> Self {
        Self {
            settings,
            base_dir: base_dir.to_owned(),
            problems: Problems::new(),
            warnings: Warnings::new(),
            teleported,
            unsupported: BTreeMap::new(),
            file_crs: BTreeMap::new(),
            without_effect: BTreeMap::new(),
            old_files: BTreeSet::new(),
            replaceable: BTreeMap::new(),
        }
    }

    /// Starts applying changes: from now on a teleported mode replaces only the mode of the same name.
    pub(super) fn begin_changes(&mut self) {
        self.teleported = Teleported::for_changes();
    }

    /// Reads a config file. `file` is its name in messages.
    ///
    /// # Errors
    /// If the input is not a config file.
    pub(super) fn file(&mut self, input: impl BufRead, file: &str) -> Result<(), InputError> {
        let modules = xml::modules(&mut Xml::new(input, file), &mut self.problems)?;
        let has_qsim = modules.iter().any(|module| module.name == "qsim");
        for mut module in modules {
            if QUEUE_SIMULATION.contains(&&*module.name) && !self.read_as_qsim(&mut module, has_qsim, file) {
                continue;
            }
            self.module(&module, file);
        }
        Ok(())
    }

    /// Prepares a module of MATSim's earlier queue simulation; returns false if it is to be ignored.
    fn read_as_qsim(&mut self, module: &mut xml::Module, has_qsim: bool, file: &str) -> bool {
        let treatment = if has_qsim { "ignored, because there is a module \"qsim\"" } else { "read as \"qsim\"" };
        let message = format!("module \"{}\" of an earlier release of MATSim is {treatment}", module.name);
        self.warnings.add(&message, || format!("{file}:{}", module.line));
        for param in &mut module.content.params {
            // The earlier words for flags.
            match param.value.trim() {
                "yes" => "true".clone_into(&mut param.value),
                "no" => "false".clone_into(&mut param.value),
                _ => {}
            }
        }
        !has_qsim
    }

    fn module(&mut self, module: &xml::Module, file: &str) {
        let place = format!("{file}:{}", module.line);
        let Some(group) = table::group(&module.name) else {
            let names = GROUPS.iter().flat_map(|g| std::iter::once(g.name).chain(g.former_names.iter().copied()));
            let hint = did_you_mean(&module.name, names).map(|hint| format!("; {hint}")).unwrap_or_default();
            self.warnings.add(&format!("module \"{}\" is unknown and ignored{hint}", module.name), || place);
            return;
        };
        match group.role {
            Role::NoEffect(_) => {
                *self.without_effect.entry(group.name).or_default() += count_params(&module.content);
            }
            Role::Extension(what) => self.extension(group, what, place),
            Role::Read => {
                for param in &module.content.params {
                    self.param(group, &param.name, &param.value, format!("{file}:{}", param.line));
                }
                for set in &module.content.sets {
                    if group.name == "routing" && set.kind == SET_TYPE {
                        self.teleported.set(&mut self.settings.routing, set, file, &mut self.problems);
                    } else {
                        let hint = if group.name == "routing" { did_you_mean(&set.kind, [SET_TYPE]) } else { None };
                        self.problems.push(
                            format!("{file}:{}", set.line),
                            format!("module \"{}\" has no parameter set \"{}\"", module.name, set.kind),
                            hint.unwrap_or_else(|| "remove it".to_owned()),
                        );
                    }
                }
            }
        }
    }

    fn extension(&mut self, group: &'static Group, what: &str, place: String) {
        let unsupported = Unsupported {
            place,
            message: format!("module \"{}\" asks for {what}, which is not supported", group.name),
            remedy: "remove the module".to_owned(),
            effect: Effect::Result,
        };
        // An empty parameter name stands for the group itself.
        self.unsupported.insert((group.name, ""), unsupported);
    }

    /// Applies a change from the command line.
    pub(super) fn change(&mut self, change: &Change) {
        change.base_dir.clone_into(&mut self.base_dir);
        let Change { assignment, origin, base_dir: _ } = change;
        let Some((key, value)) = assignment.split_once('=') else {
            self.problems.push(
                origin,
                format!("\"{assignment}\" has no ="),
                "write group.parameter=value, for example qsim.flowCapacityFactor=0.1",
            );
            return;
        };
        let (key, place) = (key.trim(), origin.clone());
        let Some((group, name)) = key.split_once('.') else {
            let meant = table::all().find(|known| known.name == key);
            let remedy = match meant {
                Some(known) => format!("did you mean \"{}.{}\"?", known.group, known.name),
                None => "write group.parameter=value; config --schema lists them all".to_owned(),
            };
            self.problems.push(place, format!("\"{key}\" has no group"), remedy);
            return;
        };
        let Some(group) = table::group(group) else {
            let remedy = did_you_mean(group, GROUPS.iter().map(|g| g.name));
            self.problems.push(
                place,
                format!("unknown group \"{group}\""),
                remedy.unwrap_or_else(|| "config --schema lists all groups".to_owned()),
            );
            return;
        };
        match group.role {
            Role::Read => self.param(group, name, value, place),
            Role::NoEffect(_) => *self.without_effect.entry(group.name).or_default() += 1,
            Role::Extension(what) => self.extension(group, what, place),
        }
    }

    fn param(&mut self, group: &Group, name: &str, value: &str, place: String) {
        let Some((known, rest)) = table::find(group.name, name) else {
            let message = format!("unknown parameter \"{name}\" in module \"{}\"", group.name);
            self.problems.push(place, message, nearest_parameter(group, name));
            return;
        };
        // The last value wins.
        self.unsupported.remove(&(known.group, known.name));
        self.replaceable.remove(&(known.group, known.name));
        let refused = match &known.kind {
            Kind::Field(field) => field.set(&mut self.settings, value, &self.base_dir).err(),
            Kind::Teleported(what) => {
                self.teleported.apply_legacy(&mut self.settings.routing, *what, rest, value).err()
            }
            Kind::NoEffect => None,
            Kind::OldFile => {
                let key = format!("{}.{}", known.group, known.name);
                // The last value wins.
                if is_neutral(value, &[""]) {
                    self.old_files.remove(&key);
                } else {
                    self.old_files.insert(key);
                }
                None
            }
            Kind::FileCrs => {
                self.file_crs.insert(known.group, (place, value.trim().to_owned()));
                return;
            }
            Kind::Unsupported { neutral, effect, remedy } => {
                if known.name == "mobsim" && value.trim() == "queueSimulation" {
                    let message = "controller.mobsim=queueSimulation is read as qsim, which superseded it";
                    self.warnings.add(message, || place);
                } else if !is_neutral(value, neutral) {
                    self.refuse_as_unsupported(known, name, value, place, remedy, *effect);
                }
                return;
            }
        };
        match refused {
            None => {}
            Some(Rejection::Unsupported(remedy)) => {
                // In this group, only compression has unsupported values; it does not affect the result.
                let effect = if known.group == "controller" { Effect::OtherOutput } else { Effect::Result };
                self.refuse_as_unsupported(known, name, value, place, remedy, effect);
            }
            Some(Rejection::NotAFile(remedy)) => {
                self.problems.push(place, format!("{}.{name} is \"{value}\"", group.name), remedy);
            }
            Some(Rejection::Malformed) => {
                let message = format!("{}.{name} is \"{value}\"", group.name);
                let expected = format!("expected {}", expected(known));
                if let Kind::Field(Field::Folder(_)) = known.kind {
                    // `--out` replaces it.
                    self.replaceable.insert((known.group, known.name), (place, message, expected));
                } else {
                    self.problems.push(place, message, expected);
                }
            }
        }
    }

    fn refuse_as_unsupported(
        &mut self,
        known: &'static ParameterSpec,
        name: &str,
        value: &str,
        place: String,
        remedy: &str,
        effect: Effect,
    ) {
        let message = format!("{}.{name}={value} is not supported ({})", known.group, known.meaning);
        let unsupported = Unsupported { place, message, remedy: remedy.to_owned(), effect };
        self.unsupported.insert((known.group, known.name), unsupported);
    }

    /// Returns the settings, or all their problems.
    pub(super) fn finish(mut self) -> Result<Configured, InputError> {
        self.decide_file_crs();
        for (place, message, remedy) in std::mem::take(&mut self.replaceable).into_values() {
            self.problems.push(place, message, remedy);
        }
        let ignore = self.settings.extensions.ignore_unsupported;
        for found in std::mem::take(&mut self.unsupported).into_values() {
            if found.effect == Effect::OtherOutput || ignore {
                self.warnings.add(&format!("{}; ignored", found.message), || found.place);
            } else {
                self.problems.push(found.place, found.message, format!("{}; {IGNORE}", found.remedy));
            }
        }
        self.problems.into_result()?;
        let mut notices = notices(&self.settings, &self.without_effect);
        notices.extend(self.old_files.iter().map(|name| format!("{name} has no effect: {OLD_FILES}")));
        Ok(Configured { settings: self.settings, warnings: self.warnings, notices })
    }

    /// Records files whose coordinate reference system differs from that of the scenario as unsupported.
    fn decide_file_crs(&mut self) {
        for (group, (place, crs)) in std::mem::take(&mut self.file_crs) {
            let ours = &self.settings.global.coordinate_system;
            if crs.is_empty() || crs == "null" || crs == *ours {
                continue;
            }
            let unsupported = Unsupported {
                place,
                message: format!("{group}.inputCRS is \"{crs}\", global.coordinateSystem is \"{ours}\""),
                remedy: "coordinates are not transformed: convert the file, or set both to the same value".to_owned(),
                effect: Effect::Result,
            };
            self.unsupported.insert((group, "inputCRS"), unsupported);
        }
    }
}

fn count_params(content: &xml::Content) -> u64 {
    content.params.len() as u64 + content.sets.iter().map(|set| count_params(&set.content)).sum::<u64>()
}

fn is_neutral(value: &str, neutral: &[&str]) -> bool {
    let squeeze = |text: &str| text.split_whitespace().collect::<String>();
    let value = squeeze(value);
    value == "null" || neutral.iter().any(|n| squeeze(n).eq_ignore_ascii_case(&value))
}

/// Describes the valid values of a parameter.
pub(super) fn expected(known: &ParameterSpec) -> String {
    use super::teleported::LegacyParameter;
    match &known.kind {
        Kind::Field(field) => field.expected(),
        Kind::Teleported(LegacyParameter::Clear) => "true or false".to_owned(),
        Kind::Teleported(_) => "a finite number above 0".to_owned(),
        Kind::FileCrs => "the value of global.coordinateSystem, or null".to_owned(),
        Kind::NoEffect | Kind::OldFile => "anything".to_owned(),
        Kind::Unsupported { neutral, .. } => format!("only {}", neutral.first().copied().unwrap_or("null")),
    }
}

/// Suggests a similar parameter of the same group, or else one of another group with the same name.
fn nearest_parameter(group: &Group, name: &str) -> String {
    if let Some(hint) = did_you_mean(name, table::all().filter(|k| k.group == group.name).map(|k| k.name)) {
        return hint;
    }
    match table::all().find(|known| known.name.eq_ignore_ascii_case(name)) {
        Some(known) => format!("did you mean \"{}.{}\"?", known.group, known.name),
        None => format!("config --schema lists the parameters of \"{}\"", group.name),
    }
}

fn notices(settings: &Settings, without_effect: &BTreeMap<&'static str, u64>) -> Vec<String> {
    let mut notices = Vec::new();
    let controller = &settings.controller;
    if controller.last_iteration > controller.first_iteration {
        notices.push(format!(
            "controller.lastIteration is {}: only the mobility simulation of iteration {} is run",
            controller.last_iteration, controller.first_iteration
        ));
    }
    notices.extend(unread_files(settings));
    let count: u64 = without_effect.values().sum();
    if count > 0 {
        let groups: Vec<&str> = without_effect.keys().copied().collect();
        let settings = if count == 1 { "1 setting has" } else { &*format!("{count} settings have") };
        let modules = if groups.len() == 1 { "module" } else { "modules" };
        notices.push(format!("{settings} no effect on the mobility simulation ({modules} {})", groups.join(", ")));
    }
    notices
}

/// Returns notices about files that are named although another parameter disables them.
fn unread_files(settings: &Settings) -> Vec<String> {
    let files = &settings.files;
    let mut notices = Vec::new();
    let mut unread = |named: bool, what: &str, remedy: &str| {
        if named {
            notices.push(format!("{what} has no effect; {remedy} to have it read"));
        }
    };
    unread(
        files.change_events.is_some() && !files.time_variant_network,
        "network.inputChangeEventsFile",
        "set network.timeVariantNetwork=true",
    );
    let from_plans = !matches!(
        settings.facilities.source,
        FacilitiesSource::FromFile | FacilitiesSource::SetInScenario | FacilitiesSource::None
    );
    unread(
        files.facilities.is_some() && from_plans,
        "facilities.inputFacilitiesFile",
        "set facilities.facilitiesSource=fromFile",
    );
    unread(
        files.vehicles.is_some() && settings.qsim.vehicles_source == VehiclesSource::DefaultVehicle,
        "vehicles.vehiclesFile",
        "set qsim.vehiclesSource=fromVehiclesData or modeVehicleTypesFromVehiclesData",
    );
    notices
}
