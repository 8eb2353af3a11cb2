//! The folder in which runs keep inputs and kernels for later runs.

use std::path::PathBuf;

use crate::args::{CacheArgs, Command};

/// Returns the folder for kernels; `None` if the command uses no cache.
pub(crate) fn cache_of_kernels(command: &Command) -> Option<PathBuf> {
    let cache = match command {
        Command::Run(args) => args.cache,
        Command::Sweep(args) => args.cache,
        Command::Bench(args) => args.cache,
        _ => CacheArgs::default(),
    };
    cache_folder().filter(|_| !cache.no_cache)
}

/// Returns the folder for inputs; `None` if the command uses no cache.
pub(crate) fn cache_of_inputs(cache: CacheArgs) -> Option<PathBuf> {
    cache_folder().filter(|_| !cache.no_cache).map(|folder| folder.join("inputs"))
}

fn cache_folder() -> Option<PathBuf> {
    // As the specification of XDG says, relative folders are ignored.
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let base = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("throng"))
}
