//! Changes to a scenario that a user requests.

use std::path::PathBuf;

/// A change to one parameter of a scenario, such as `qsim.stuckTime` to `30` or `run.steps` to `10`. If a parameter is
/// changed more than once, the last change wins.
///
/// In TOML scenario files, an entry of a list is addressed by its position (from 1) or by its name, which is quoted if
/// it is numeric: `entities.2.charge`, `agents.scouts.speed`, `rooms."12".size_su`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// `key=value`.
    pub assignment: String,
    /// Folder to which input files in the value are relative, for models that resolve files relative to the file that
    /// names them.
    pub base_dir: PathBuf,
    /// Origin of the change, for messages: `--set`, `--seed`, or a file name and line.
    pub origin: String,
}

impl Change {
    /// Creates a change given by `--set` on the command line, relative to the working folder.
    pub fn typed(assignment: impl Into<String>) -> Self {
        Self::of_flag("--set", assignment)
    }

    /// Creates a change made by a flag, such as `--seed` for `seed=7`.
    pub fn of_flag(flag: impl Into<String>, assignment: impl Into<String>) -> Self {
        Self { assignment: assignment.into(), base_dir: PathBuf::new(), origin: flag.into() }
    }
}
