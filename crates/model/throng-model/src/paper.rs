//! Papers whose experiments Throng reproduces, for `throng reproduce`.

use std::fmt;
use std::path::PathBuf;

use throng_core::{InputError, Problems, Progress};
use throng_device::Executor;

use crate::flags::{Flag, Flags};
use crate::{Check, Failure};

/// A request to reproduce the experiment of a paper.
#[derive(Debug, Clone, Default)]
pub struct ReproduceRequest {
    /// Scenario to measure instead of the paper's own, if the paper accepts one.
    pub scenario: Option<PathBuf>,
    /// Whether to run a reduced experiment that takes only seconds.
    pub quick: bool,
    /// The given flags of the paper.
    pub flags: Flags,
}

impl ReproduceRequest {
    /// Rejects flags that a paper does not declare, and a scenario if the paper accepts none. The command line already
    /// does so; programs using the library may misspell a flag.
    ///
    /// # Errors
    /// When flags are undeclared, or a scenario is given but not accepted; the error lists the flags, each with the
    /// nearest flag, and all flags of the paper.
    pub fn check(&self, paper: &dyn Paper) -> Result<(), InputError> {
        let (owner, help) = (format!("paper {}", paper.name()), paper.help());
        let mut problems = Problems::new();
        self.flags.refuse_unknown(&owner, help.flags, &mut problems);
        if let Some(scenario) = self.scenario.as_ref().filter(|_| help.scenario.is_empty()) {
            problems.push(scenario.display().to_string(), format!("{owner} takes no scenario"), "leave it out");
        }
        problems.into_result()
    }
}

/// The parts of the help of `throng reproduce PAPER --help`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaperHelp {
    /// The paper and its subject, in one line.
    pub about: &'static str,
    /// Description of the scenario; empty if the paper accepts none.
    pub scenario: &'static str,
    /// Meaning of `--device`.
    pub device: &'static str,
    /// Reductions made by `--quick`.
    pub quick: &'static str,
    /// Files written to the folder of `--out`.
    pub out: &'static str,
    /// Flags besides those of all papers.
    pub flags: &'static [Flag],
    /// Further help with examples, for the end.
    pub more: &'static str,
}

/// A paper whose experiment can be reproduced. The trait is dyn-compatible, so papers can be stored in lists.
pub trait Paper: Sync {
    /// Returns the name in lower case, as typed by users.
    fn name(&self) -> &'static str;

    /// Returns the parts of the help.
    fn help(&self) -> PaperHelp;

    /// Returns the requested experiment, before any measurement. Implementations call [`ReproduceRequest::check`]
    /// first.
    ///
    /// # Errors
    /// When a flag cannot be used.
    fn experiment(&self, request: &ReproduceRequest) -> Result<Experiment, Failure>;

    /// Returns the verification cases for `throng check`, if there are any.
    fn checks(&self) -> Option<&dyn Check> {
        None
    }
}

/// An experiment that can be carried out.
pub struct Experiment {
    /// All names that its files may have.
    pub names: Vec<String>,
    /// Input files, which must not be replaced.
    pub inputs: Vec<PathBuf>,
    /// Measures on the CPU and, if the executor is a device, also on that device.
    ///
    /// # Errors
    /// When an input cannot be used, the machine lacks a resource, or a program gives a wrong result.
    #[allow(clippy::type_complexity)]
    pub measure: Box<dyn FnOnce(&Executor, &dyn Progress) -> Result<Reproduced, Failure>>,
}

impl fmt::Debug for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Experiment").field("names", &self.names).field("inputs", &self.inputs).finish_non_exhaustive()
    }
}

/// The results of an experiment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reproduced {
    /// The figures of the paper beside the figures of this machine.
    pub text: String,
    /// Notes about the measurements, one sentence each.
    pub notes: Vec<String>,
    /// Measurements as files: names and contents.
    pub files: Vec<(String, Vec<u8>)>,
}
