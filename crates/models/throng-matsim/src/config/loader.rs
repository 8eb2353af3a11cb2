//! Reads parameters into [`Settings`] and collects their problems.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::path::{Path, PathBuf};

use throng_core::{InputError, Problems, Warnings, did_you_mean, shell_argument};

use super::field::Rejection;
use super::iterations::Iterations;
use super::others::OLD_FILES;
use super::route_costs::Cost;
use super::table::{self, Effect, Extension, GROUPS, Group, Kind, ParameterSpec, Remedy, Role};
use super::teleported::{SET_TYPE, Teleported, mode_text};
use super::transit_router::of_scoring_sets;
use super::xml;
use super::{Change, Configured};
use crate::coordinates;
use crate::formats::xml::Xml;
use throng_traffic_scenario::settings::{JavaSeeding, Settings};

/// Remedy that keeps unsupported settings but ignores them.
const IGNORE: &str = "or continue without it: --set throng.ignoreUnsupported=true";

/// The name of a parameter: its group, and its name or, for a parameter set, its type with the mode.
type Key = (&'static str, String);

/// The state of reading one config file and the changes to it.
pub(super) struct Loader {
    settings: Settings,
    base_dir: PathBuf,
    problems: Problems,
    warnings: Warnings,
    teleported: Teleported,
    iterations: Iterations,
    /// Faults of parameters in the order of the input, decided at the end: a later value removes them, and a later
    /// setting may allow ignoring unsupported ones.
    faults: Vec<Fault>,
    stated: BTreeMap<Key, Stated>,
    without_effect: BTreeMap<&'static str, u64>,
}

/// A value that cannot be used as it is.
struct Fault {
    key: Key,
    kind: FaultKind,
    place: String,
    message: String,
    remedy: String,
}

#[derive(PartialEq)]
enum FaultKind {
    /// Not a value of the parameter.
    Invalid,
    /// It requests something unsupported.
    Unsupported(Effect),
}

/// The last value that a config or a change states for a parameter.
pub(super) struct Stated {
    /// The value as written.
    pub value: String,
    /// File and line, or the flag.
    pub place: String,
    pub treatment: Treatment,
}

/// The treatment of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Treatment {
    Used,
    /// It has no effect, for this reason.
    NoEffect(&'static str),
    /// It belongs to a group with this addition to the simulation, which other parameters switch on.
    OfExtension(&'static str),
    /// It names a file in a format that is no longer read.
    OldFile,
}

/// The settings and everything that was found about them.
pub(super) struct Decided {
    pub settings: Settings,
    pub problems: Problems,
    pub warnings: Warnings,
    /// Parameters that are used or without effect; other values are in `problems` or `warnings`.
    pub stated: BTreeMap<Key, Stated>,
    /// Number of parameters in groups without effect.
    pub without_effect: BTreeMap<&'static str, u64>,
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

    /// Creates a loader for changes to the defaults, and applies them.
    pub(super) fn changed(changes: &[Change]) -> Self {
        let mut loader = Self::for_changes(Settings::default());
        loader.changes(changes);
        loader
    }

    fn new(settings: Settings, base_dir: &Path, teleported: Teleported) -> Self {
        Self {
            settings,
            base_dir: base_dir.to_owned(),
            problems: Problems::new(),
            warnings: Warnings::new(),
            teleported,
            iterations: Iterations::default(),
            faults: Vec::new(),
            stated: BTreeMap::new(),
            without_effect: BTreeMap::new(),
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
        let mut modules = xml::modules(&mut Xml::new(input, file), &mut self.problems)?;
        let current: BTreeSet<String> = modules.iter().map(|module| module.name.clone()).collect();
        for module in &mut modules {
            let group = table::group(&module.name);
            if let Some(group) = group.filter(|group| group.superseded.contains(&&*module.name)) {
                let is_read = !current.contains(group.name);
                self.warn_superseded(module, group, is_read, file);
                if !is_read {
                    continue;
                }
                for param in &mut module.content.params {
                    param.value = current_word(&param.value).to_owned();
                }
            }
            self.module(module, group, file);
        }
        Ok(())
    }

    fn warn_superseded(&mut self, module: &xml::Module, group: &Group, is_read: bool, file: &str) {
        let treatment = if is_read {
            format!("read as \"{}\"", group.name)
        } else {
            format!("ignored, because there is a module \"{}\"", group.name)
        };
        let message = format!("module \"{}\" of an earlier release of MATSim is {treatment}", module.name);
        self.warnings.add(&message, || format!("{file}:{}", module.line));
    }

    fn module(&mut self, module: &xml::Module, group: Option<&'static Group>, file: &str) {
        let place = |line: u64| format!("{file}:{line}");
        let Some(group) = group else {
            let names = GROUPS.iter().flat_map(|group| std::iter::once(group.name).chain(group.earlier_names()));
            let hint = did_you_mean(&module.name, names).map(|hint| format!("; {hint}")).unwrap_or_default();
            let message = format!("module \"{}\" is unknown and ignored{hint}", module.name);
            self.warnings.add(&message, || place(module.line));
            return;
        };
        match group.role {
            Role::NoEffect(_) => {
                *self.without_effect.entry(group.name).or_default() += count_params(&module.content);
            }
            Role::Partly(_) => {
                let of_sets = if group.name == "scoring" { of_scoring_sets(&module.content) } else { Vec::new() };
                let of_routers = of_sets.into_iter().filter(|(name, _)| {
                    let known = table::find(group.name, name);
                    known.is_some_and(|(known, _)| !matches!(known.kind, Kind::Iterated(_)))
                });
                let direct = module.content.params.iter().map(|param| (Cow::Borrowed(param.name.as_str()), param));
                let direct = direct.filter(|(name, _)| table::find(group.name, name).is_some());
                let mut unused = count_params(&module.content);
                for (name, param) in direct.chain(of_routers) {
                    self.param(group, &module.name, &name, &param.value, place(param.line));
                    unused -= 1;
                }
                *self.without_effect.entry(group.name).or_default() += unused;
                // As in MATSim, a set replaces single parameters.
                for invalid in self.iterations.sets(&mut self.settings, group.name, &module.content) {
                    let place = place(invalid.line);
                    // Routers read some values of sets, too.
                    let is_known = |fault: &Fault| fault.place == place && fault.message.ends_with(&invalid.value);
                    if !self.faults.iter().any(is_known) {
                        self.problems.push(place, format!("{} {}", invalid.name, invalid.value), invalid.remedy);
                    }
                }
            }
            Role::Extension(extension) if extension.switches.is_empty() => {
                self.extension(group, extension, &modes(&module.content), place(module.line));
            }
            Role::Extension(extension) => {
                for param in &module.content.params {
                    self.switch(group, extension, &param.name, &param.value, place(param.line));
                }
            }
            Role::Read => {
                for param in &module.content.params {
                    self.param(group, &module.name, &param.name, &param.value, place(param.line));
                }
                for set in &module.content.sets {
                    if group.name == "routing" && set.kind == SET_TYPE {
                        let mode = self.teleported.set(&mut self.settings.routing, set, file, &mut self.problems);
                        if let Some(mode) = mode {
                            let key = ("routing", format!("{SET_TYPE}[{}]", mode.mode));
                            self.state(key, &mode_text(&mode), place(set.line), Treatment::Used);
                        }
                    } else {
                        let hint = if group.name == "routing" { did_you_mean(&set.kind, [SET_TYPE]) } else { None };
                        self.problems.push(
                            place(set.line),
                            format!("module \"{}\" has no parameter set \"{}\"", module.name, set.kind),
                            hint.unwrap_or_else(|| "remove it".to_owned()),
                        );
                    }
                }
            }
        }
    }

    /// Refuses an extension, whose legs have these modes.
    fn extension(&mut self, group: &'static Group, extension: Extension, modes: &[String], place: String) {
        let message = format!("module \"{}\" is not supported ({})", group.name, extension.what);
        // An empty parameter name stands for the group itself.
        self.refuse_extension((group.name, String::new()), extension, modes, place, message);
    }

    /// Reads a parameter of a group that parameters switch on.
    fn switch(&mut self, group: &'static Group, extension: Extension, name: &str, value: &str, place: String) {
        let key = (group.name, name.to_owned());
        let is_off = is_neutral(value, &["", "false", "0", "0.0"]);
        if extension.switches.contains(&name) && !is_off {
            self.stated.remove(&key);
            let message = format!("{}.{name}={value} is not supported ({})", group.name, extension.what);
            self.refuse_extension(key, extension, &[], place, message);
        } else {
            self.faults.retain(|fault| fault.key != key);
            self.state(key, value, place, Treatment::OfExtension(extension.what));
        }
    }

    fn refuse_extension(&mut self, key: Key, extension: Extension, modes: &[String], place: String, message: String) {
        let remedy = match extension.remedy {
            Remedy::Advice(advice) => format!("{advice}; {IGNORE}"),
            Remedy::Teleport(mode) => {
                let modes = if modes.is_empty() { vec![mode] } else { modes.iter().map(String::as_str).collect() };
                let modes = modes.into_iter().map(shell_argument);
                let speeds = modes.map(|mode| format!(" --set routing.teleportedModeSpeed_{mode}=8"));
                format!(
                    "teleport its legs instead, at a speed that you choose (m/s): \
                     --set throng.ignoreUnsupported=true{}",
                    speeds.collect::<String>()
                )
            }
        };
        self.faults.retain(|fault| fault.key != key);
        self.faults.push(Fault { key, kind: FaultKind::Unsupported(Effect::Result), place, message, remedy });
    }

    /// Applies changes in order.
    pub(super) fn changes(&mut self, changes: &[Change]) {
        for change in changes {
            self.change(change);
        }
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
        let Some((typed_group, name)) = key.split_once('.') else {
            let meant = table::all().find(|known| known.name == key);
            let remedy = match meant {
                Some(known) => format!("did you mean \"{}.{}\"?", known.group, known.name),
                None => "write group.parameter=value; config --schema lists them all".to_owned(),
            };
            self.problems.push(place, format!("\"{key}\" has no group"), remedy);
            return;
        };
        let Some(group) = table::group(typed_group) else {
            let remedy = did_you_mean(typed_group, GROUPS.iter().map(|g| g.name));
            self.problems.push(
                place,
                format!("unknown group \"{typed_group}\""),
                remedy.unwrap_or_else(|| "config --schema lists all groups".to_owned()),
            );
            return;
        };
        match group.role {
            Role::Partly(_) if table::find(group.name, name).is_none() => {
                *self.without_effect.entry(group.name).or_default() += 1;
            }
            Role::Read | Role::Partly(_) => {
                let is_superseded = group.superseded.contains(&typed_group);
                let value = if is_superseded { current_word(value) } else { value };
                self.param(group, typed_group, name, value, place);
            }
            Role::NoEffect(_) => *self.without_effect.entry(group.name).or_default() += 1,
            Role::Extension(extension) if extension.switches.is_empty() => {
                self.extension(group, extension, &[], place);
            }
            Role::Extension(extension) => self.switch(group, extension, name, value, place),
        }
    }

    /// Reads a parameter of a group, which was called `group_name` in the input.
    fn param(&mut self, group: &'static Group, group_name: &str, name: &str, value: &str, place: String) {
        let Some((known, rest)) = table::find(group.name, name) else {
            let now = if group_name == group.name { String::new() } else { format!(" (now \"{}\")", group.name) };
            let message = format!("unknown parameter \"{name}\" in module \"{group_name}\"{now}");
            self.problems.push(place, message, nearest_parameter(group, name));
            return;
        };
        let full_name =
            known.name.strip_suffix('*').map_or_else(|| known.name.to_owned(), |stem| format!("{stem}{rest}"));
        let key = (known.group, full_name.clone());
        // The last value wins.
        self.faults.retain(|fault| fault.key != key);
        self.stated.remove(&key);
        let unsupported = |key, effect, remedy: &str, place| Fault {
            key,
            kind: FaultKind::Unsupported(effect),
            place,
            message: format!("{}.{name}={value} is not supported ({})", known.group, known.meaning),
            remedy: format!("{remedy}; {IGNORE}"),
        };
        let invalid = |key, remedy: String, place| {
            let message = format!("{}.{name} is \"{value}\"", group.name);
            Fault { key, kind: FaultKind::Invalid, place, message, remedy }
        };
        let mut treatment = Treatment::Used;
        let refused = match &known.kind {
            Kind::Field(field) => field.set(&mut self.settings, value, &self.base_dir).err(),
            Kind::Teleported(what) => {
                self.teleported.apply_legacy(&mut self.settings.routing, *what, rest, value).err()
            }
            Kind::RouteCost(cost) => {
                treatment = Treatment::NoEffect(known.meaning);
                let parameter = (format!("{}.{full_name}", known.group), rest);
                cost.set(&mut self.settings.routing.other_costs, parameter, value, &self.base_dir).err()
            }
            Kind::Iterated(iterated) => {
                *self.without_effect.entry(group.name).or_default() += 1;
                match self.iterations.set(&mut self.settings, iterated, rest, value) {
                    Ok(()) => return,
                    Err(rejection) => Some(rejection),
                }
            }
            Kind::NoEffect => {
                treatment = Treatment::NoEffect(known.meaning);
                None
            }
            Kind::OldFile => {
                let is_named = !is_neutral(value, &[""]);
                treatment = if is_named { Treatment::OldFile } else { Treatment::NoEffect(known.meaning) };
                None
            }
            Kind::Unsupported { neutral, superseded, effect, remedy } => {
                if superseded.contains(&value.trim()) {
                    let now = neutral.first().copied().unwrap_or_default();
                    let message =
                        format!("{}.{name}={} of an earlier release is read as {now}", known.group, value.trim());
                    self.warnings.add(&message, || place.clone());
                } else if !is_neutral(value, neutral) {
                    self.faults.push(unsupported(key, *effect, remedy, place));
                    return;
                }
                None
            }
        };
        match refused {
            None => {
                self.iterations.set_as_of_router(&mut self.settings, known, rest, value);
                self.state(key, value, place, treatment);
            }
            Some(Rejection::Unsupported(effect, remedy)) => self.faults.push(unsupported(key, effect, remedy, place)),
            Some(Rejection::NotAFile(remedy)) => self.faults.push(invalid(key, remedy.to_owned(), place)),
            Some(Rejection::Malformed) => {
                self.faults.push(invalid(key, format!("expected {}", expected(known)), place));
            }
        }
    }

    fn state(&mut self, key: Key, value: &str, place: String, treatment: Treatment) {
        self.stated.insert(key, Stated { value: value.trim().to_owned(), place, treatment });
    }

    /// Returns the settings, or all their problems.
    pub(super) fn finish(self) -> Result<Configured, InputError> {
        let decided = self.decide();
        decided.problems.clone().into_result()?;
        let notices = notices(&decided);
        Ok(Configured { settings: decided.settings, warnings: decided.warnings, notices })
    }

    /// Decides about values that depend on others.
    pub(super) fn decide(self) -> Decided {
        let Self { mut settings, mut problems, mut warnings, iterations, faults, stated, without_effect, .. } = self;
        iterations.finish(&mut settings.replanning);
        for fault in faults {
            let Fault { key: _, kind, place, message, remedy } = fault;
            let effect = match kind {
                FaultKind::Invalid => None,
                FaultKind::Unsupported(effect) => Some(effect),
            };
            let is_ignored =
                effect.is_some_and(|effect| effect == Effect::OtherOutput || settings.extensions.ignore_unsupported);
            if is_ignored {
                warnings.add(&format!("{message}; ignored"), || place);
            } else {
                problems.push(place, message, remedy);
            }
        }
        for (parameter, message, remedy) in coordinates::unusable(&settings) {
            let is_it = |(group, name): &&Key| parameter.split_once('.') == Some((*group, name.as_str()));
            let place = stated.keys().find(is_it).and_then(|key| stated.get(key)).map(|stated| stated.place.clone());
            problems.push(place.unwrap_or_else(|| parameter.to_owned()), message, remedy);
        }
        Decided { settings, problems, warnings, stated, without_effect }
    }
}

/// Returns the current word for a flag of a group that another one superseded.
fn current_word(value: &str) -> &str {
    match value.trim() {
        "yes" => "true",
        "no" => "false",
        _ => value,
    }
}

/// Returns the modes that a group and its parameter sets name.
fn modes(content: &xml::Content) -> Vec<String> {
    let here = content.params.iter().filter(|param| param.name == "mode").map(|param| param.value.trim());
    let here = here.filter(|mode| !mode.is_empty() && *mode != "null").map(str::to_owned);
    here.chain(content.sets.iter().flat_map(|set| modes(&set.content))).collect()
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
        Kind::Iterated(iterated) => iterated.expected(),
        Kind::Teleported(LegacyParameter::Clear) => "true or false".to_owned(),
        Kind::Teleported(_) => "a finite number above 0".to_owned(),
        Kind::RouteCost(Cost::Tolls) => "a file name, or null".to_owned(),
        Kind::RouteCost(Cost::Rate) => "a number, or null".to_owned(),
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

/// Returns notes about the settings, one sentence each.
pub(super) fn notices(decided: &Decided) -> Vec<String> {
    let Decided { settings, stated, without_effect, .. } = decided;
    let mut notices = Vec::new();
    notices.extend(unused(settings).into_iter().map(|unused| unused.note));
    let mut counts = without_effect.clone();
    for ((group, _), stated) in stated {
        if let Treatment::NoEffect(_) | Treatment::OfExtension(_) = stated.treatment {
            *counts.entry(group).or_default() += 1;
        }
    }
    counts.retain(|_, count| *count > 0);
    let count: u64 = counts.values().sum();
    if count > 0 {
        let groups: Vec<&str> = counts.keys().copied().collect();
        let settings = if count == 1 { "1 setting has" } else { &*format!("{count} settings have") };
        let modules = if groups.len() == 1 { "module" } else { "modules" };
        notices.push(format!("{settings} no effect on the mobility simulation ({modules} {})", groups.join(", ")));
    }
    let old = stated.iter().filter(|(_, stated)| stated.treatment == Treatment::OldFile);
    notices.extend(old.map(|((group, name), _)| format!("{group}.{name} has no effect: {OLD_FILES}")));
    notices
}

/// A parameter that another one deprives of its effect.
pub(super) struct Unused {
    pub name: &'static str,
    /// A sentence for the notes of a run.
    pub note: String,
    /// The reason alone.
    pub why: String,
}

/// Returns the parameters that have no effect because of another one: the last iteration, and files that are not read.
pub(super) fn unused(settings: &Settings) -> Vec<Unused> {
    let Settings { files, controller, .. } = settings;
    let mut unused = Vec::new();
    if controller.last_iteration > controller.first_iteration {
        let why = format!("only the mobility simulation of iteration {} is run", controller.first_iteration);
        let note = format!("controller.lastIteration is {}: {why}", controller.last_iteration);
        unused.push(Unused { name: "controller.lastIteration", note, why });
    }
    let mut unread = |is_named: bool, name: &'static str, remedy: &str| {
        if is_named {
            let note = format!("{name} has no effect; {remedy} to have it read");
            unused.push(Unused { name, note, why: format!("not read; {remedy} to have it read") });
        }
    };
    unread(
        files.change_events.is_some() && !files.time_variant_network,
        "network.inputChangeEventsFile",
        "set network.timeVariantNetwork=true",
    );
    unread(
        files.facilities.is_some() && settings.facilities.source.is_from_plans(),
        "facilities.inputFacilitiesFile",
        "set facilities.facilitiesSource=fromFile",
    );
    unused
}
