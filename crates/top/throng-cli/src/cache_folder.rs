//! The folder in which runs keep inputs and kernels for later runs.

use std::path::PathBuf;

use throng::model::MachineCosts;
use throng_core::{InputError, read_input_text};
use throng_device::DeviceChoice;

use crate::args::{Command, ExecutionArgs};
use crate::report;

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

/// Returns the measured costs of models; none if this version of the program has not measured them, or if the device is
/// the CPU. A file that cannot be used is reported, but does not stop a run.
pub(crate) fn measured_costs(device: DeviceChoice) -> MachineCosts {
    let file = costs_file().filter(|path| device != DeviceChoice::Cpu && path.exists());
    let Some(path) = file else { return MachineCosts::default() };
    let text = read_input_text(&path, MAX_COSTS_BYTES).map_err(|error| {
        InputError::one(path.display().to_string(), error, "delete it, or measure again: `throng doctor --measure`")
    });
    match text.and_then(|text| MachineCosts::from_toml(&path, &text)) {
        Ok(costs) if costs.program == env!("CARGO_PKG_VERSION") => costs,
        Ok(_) => MachineCosts::default(),
        Err(error) => {
            report::print_to_stderr(format_args!("warning: typical costs are assumed: {error}"));
            MachineCosts::default()
        }
    }
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
