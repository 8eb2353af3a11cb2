//! MATSim's `config.xml` (version 2) and changes to single parameters, as [`Settings`].
//!
//! * [`from_file`] reads a config file; [`from_file_with`] applies a [`Change`] such as `qsim.stuckTime=30` on top.
//! * [`from_changes`] starts from the defaults where there is no config file.
//! * [`explain`] lists the treatment of everything that a config states.
//! * [`effective`] writes the settings in effect, [`default_config`] a commented template, [`schema`] the list of
//!   parameters.
//!
//! Everything comes from one table of known parameters. A parameter is read into the settings, counts once iterations
//! are simulated, has no effect on the mobility simulation, or is recognised but unsupported. An unsupported parameter
//! is an error if it would change the result, unless `throng.ignoreUnsupported` is true.

mod check;
mod explain;
mod field;
#[cfg(test)]
mod iteration_tests;
mod iterations;
mod loader;
mod others;
mod route_costs;
#[cfg(test)]
mod settings_page;
mod supported;
mod table;
mod teleported;
#[cfg(test)]
mod tests;
mod transit_router;
mod write;
mod xml;

use std::io::BufRead;
use std::path::Path;

pub use throng_core::Change;
use throng_core::{InputError, Warnings};

use crate::formats::open::TextInput;
use loader::Loader;
use throng_traffic_scenario::settings::Settings;

pub use check::{check, check_iterations};
pub use explain::{Explanation, UsedParameter, WithoutEffect, explain, explain_reader, is_config};
pub(crate) use teleported::mode_text;
pub(crate) use transit_router::is_of_transit_router;
pub use write::{default_config, effective, flat, schema};

/// Settings, with messages about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Configured {
    /// Settings in effect: defaults, file and changes combined.
    pub settings: Settings,
    /// Warnings: unknown modules, unsupported parameters that were ignored.
    pub warnings: Warnings,
    /// Notes, one sentence each.
    pub notices: Vec<String>,
}

/// Reads a MATSim config file.
///
/// Relative paths of input files are relative to the folder of the config file; the output folder is relative to the
/// working folder, as in MATSim.
///
/// # Errors
/// All problems of the file, in one report.
pub fn from_file(path: &Path) -> Result<Configured, InputError> {
    from_file_with(path, &[])
}

/// Reads a MATSim config file, plain or compressed, and applies `changes` in order.
///
/// # Errors
/// All problems of the file and the changes, in one report.
pub fn from_file_with(path: &Path, changes: &[Change]) -> Result<Configured, InputError> {
    from_reader(TextInput::open(path)?, path, changes)
}

/// Like [`from_file_with`], but from any reader; `path` is its name in messages and the base of relative paths.
///
/// # Errors
/// See [`from_file_with`].
pub fn from_reader(input: impl BufRead, path: &Path, changes: &[Change]) -> Result<Configured, InputError> {
    finish(loaded(input, path, changes)?)
}

/// Reads a config file and the changes to it.
fn loaded(input: impl BufRead, path: &Path, changes: &[Change]) -> Result<Loader, InputError> {
    let mut loader = Loader::for_file(path.parent().unwrap_or(Path::new("")));
    loader.file(input, &path.display().to_string())?;
    loader.begin_changes();
    loader.changes(changes);
    Ok(loader)
}

/// Returns the default settings with `changes` applied, for a run without a config file.
///
/// # Errors
/// All problems of the changes, in one report.
pub fn from_changes(changes: &[Change]) -> Result<Configured, InputError> {
    finish(Loader::changed(changes))
}

/// Applies one change, `group.parameter=value`, to `settings`, which stay unchanged if the change is rejected.
///
/// Paths are relative to `base_dir`. The consistency of the settings is not checked here; see [`check`].
///
/// # Errors
/// An unknown parameter, with the nearest known name; a value that is malformed, out of range or unsupported.
///
/// ```
/// use std::path::Path;
/// use {throng_matsim::config, throng_traffic_scenario::settings::Settings};
/// let mut settings = Settings::default();
/// config::apply_set(&mut settings, "qsim.flowCapacityFactor=0.1", Path::new(""))?;
/// assert_eq!(settings.qsim.flow_capacity_factor, 0.1);
/// let error = config::apply_set(&mut settings, "qsim.flowCapFactor=0.1", Path::new("")).unwrap_err();
/// assert!(error.to_string().contains("did you mean \"flowCapacityFactor\"?"));
/// # Ok::<(), throng_core::InputError>(())
/// ```
pub fn apply_set(settings: &mut Settings, assignment: &str, base_dir: &Path) -> Result<Warnings, InputError> {
    let mut loader = Loader::for_changes(settings.clone());
    loader.change(&Change { base_dir: base_dir.to_owned(), ..Change::typed(assignment) });
    let configured = loader.finish()?;
    *settings = configured.settings;
    Ok(configured.warnings)
}

fn finish(loader: Loader) -> Result<Configured, InputError> {
    let configured = loader.finish()?;
    check(&configured.settings)?;
    Ok(configured)
}
