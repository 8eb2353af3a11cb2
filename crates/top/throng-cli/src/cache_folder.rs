//! The folder in which runs keep inputs and kernels for later runs.

use std::path::PathBuf;

use throng::model::MachineCosts;
use throng_core::{InputError, read_input_text, unreadable_input};

use crate::args::{Command, ExecutionArgs};

/// Maximum size of the file of costs, bytes.
const MAX_COSTS_BYTES: u64 = 1 << 20;

/// Returns the folder for kernels; `None` if the command uses no cache.
pub(crate) fn cache_of_kernels(command: &Command) -> Option<PathBuf> {
    match command {
        Command::Run(args) => cache_of(args.execution),
        Command::Sweep(args) => cache_of(args.execution),
        _ => cache_folder(),
    }
}

/// Returns the folder for inputs; `None` if the command uses no cache.
pub(crate) fn cache_of_inputs(execution: ExecutionArgs) -> Option<PathBuf> {
    cache_of(execution).map(|folder| folder.join("inputs"))
}

/// Returns the file of the measured costs of models; `None` if this user has no cache folder.
pub(crate) fn costs_file() -> Option<PathBuf> {
    cache_folder().map(|folder| folder.join("costs.toml"))
}

/// Returns the measured costs of models; none if they were not measured.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn measured_costs() -> Result<MachineCosts, InputError> {
    let Some(path) = costs_file().filter(|path| path.exists()) else { return Ok(MachineCosts::default()) };
    let text = read_input_text(&path, MAX_COSTS_BYTES).map_err(|error| unreadable_input(&path, &error))?;
    MachineCosts::from_toml(&path, &text)
}

fn cache_of(execution: ExecutionArgs) -> Option<PathBuf> {
    cache_folder().filter(|_| !execution.no_cache)
}

fn cache_folder() -> Option<PathBuf> {
    // As the specification of XDG says, relative folders are ignored.
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let base = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("throng"))
}
