//! The folder in which runs keep inputs and kernels for later runs.

use std::path::PathBuf;

use crate::args::{Command, ExecutionArgs};

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

fn cache_of(execution: ExecutionArgs) -> Option<PathBuf> {
    cache_folder().filter(|_| !execution.no_cache)
}

fn cache_folder() -> Option<PathBuf> {
    // As the specification of XDG says, relative folders are ignored.
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let base = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("throng"))
}
