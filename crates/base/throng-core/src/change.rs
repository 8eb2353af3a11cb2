//! Changes to a scenario that a user requests.

use std::path::PathBuf;

/// A change to one parameter of a scenario, such as `qsim.stuckTime` to `30` or `run.steps` to `10`; the last one counts.
///
/// In TOML scenario files an entry of a list is named by its number, from 1, or by its name, in quotes if that is a number:
/// `entities.2.charge`, `agents.scouts.speed`, `rooms."12".size_su`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// `key=value`.
    pub assignment: String,
    /// Input files in the value are relative to this folder, in models whose files are relative to the file that names
    /// them.
    pub base_dir: PathBuf,
    /// Where the change was written, for messages: `--set`, `--seed`, or the name of a file and the line.
    pub origin: String,
}

impl Change {
    /// A change typed on the command line: `--set`, relative to the working folder.
    pub fn typed(assignment: impl Into<String>) -> Self {
        Self::of_flag("--set", assignment)
    }

    /// A change made by a flag, such as `--seed` for `seed=7`.
    pub fn of_flag(flag: impl Into<String>, assignment: impl Into<String>) -> Self {
        Self { assignment: assignment.into(), base_dir: PathBuf::new(), origin: flag.into() }
    }
}
