//! Papers whose experiments Throng repeats: `throng reproduce`.

use std::fmt;
use std::path::PathBuf;

use throng_core::{InputError, Problems, Progress};
use throng_device::Executor;

use crate::{Check, Failure, Flag, Flags};

/// A request to repeat the experiment of a paper.
#[derive(Debug, Clone, Default)]
pub struct ReproduceRequest {
    /// The scenario to measure instead of the paper's own, if the paper takes one.
    pub scenario: Option<PathBuf>,
    /// Whether to run a reduced experiment that takes only seconds.
    pub quick: bool,
    /// The flags of the paper that were given.
    pub flags: Flags,
}

impl ReproduceRequest {
    /// Refuses flags that a paper does not declare, and a scenario for one that takes none. The command line does so
    /// itself; a program may misspell a flag.
    ///
    /// # Errors
    /// All of them, flags with the nearest flag of the paper, and all its flags.
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

/// The texts of `throng reproduce PAPER --help`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaperHelp {
    /// The paper and its subject, in one line.
    pub about: &'static str,
    /// What a scenario may be; empty if the paper takes none.
    pub scenario: &'static str,
    /// The meaning of `--device`.
    pub device: &'static str,
    /// What `--quick` leaves out.
    pub quick: &'static str,
    /// The files that are written to the folder of `--out`.
    pub out: &'static str,
    /// All other flags.
    pub flags: &'static [Flag],
    /// Further help with examples, for the end.
    pub more: &'static str,
}

/// A paper whose experiment can be repeated, as a value for lists of papers.
pub trait Paper: Sync {
    /// The name, in lower case, as users type it.
    fn name(&self) -> &'static str;

    /// The help texts.
    fn help(&self) -> PaperHelp;

    /// The requested experiment. Nothing is measured yet. Begins with [`ReproduceRequest::check`].
    ///
    /// # Errors
    /// Flags that cannot be used.
    fn experiment(&self, request: &ReproduceRequest) -> Result<Experiment, Failure>;

    /// The verification cases for `throng check`, if there are any.
    fn checks(&self) -> Option<&dyn Check> {
        None
    }
}

/// An experiment that can be carried out.
pub struct Experiment {
    /// All names that its files may have.
    pub names: Vec<String>,
    /// The files that it reads, which must not be replaced.
    pub inputs: Vec<PathBuf>,
    /// Measures, on the CPU and, if there is one, on a device.
    ///
    /// # Errors
    /// An input that cannot be used, a resource that the machine lacks, or a program with a wrong result.
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
    /// The figures of the paper beside those of this machine.
    pub text: String,
    /// Notes about the measurements, one sentence each.
    pub notes: Vec<String>,
    /// The measurements as files: names and contents.
    pub files: Vec<(String, Vec<u8>)>,
}
