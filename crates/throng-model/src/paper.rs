//! Papers whose experiments Throng repeats: `throng reproduce`.

use std::fmt;
use std::path::PathBuf;

use throng_core::Progress;
use throng_device::AnyDevice;

use crate::{Check, Failure, Flag, Flags};

/// What a user asks of a paper.
#[derive(Debug, Clone, Default)]
pub struct ReproduceRequest {
    /// The scenario to measure instead of the paper's own, if the paper takes one.
    pub scenario: Option<PathBuf>,
    /// Whether seconds have to do.
    pub quick: bool,
    /// The flags of the paper that were given.
    pub flags: Flags,
}

/// What `throng reproduce PAPER --help` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaperHelp {
    /// The paper and its subject, in a line.
    pub about: &'static str,
    /// What a scenario may be; empty if the paper takes none.
    pub scenario: &'static str,
    /// What `--device` means.
    pub device: &'static str,
    /// What `--quick` leaves out.
    pub quick: &'static str,
    /// Which files the folder of `--out` gets.
    pub out: &'static str,
    /// All other flags.
    pub flags: &'static [Flag],
    /// What else a user should know, with examples, for the end.
    pub more: &'static str,
}

/// A paper whose experiment can be repeated: one value that stands for it in lists.
pub trait Paper: Sync {
    /// The name, in lower case, as users type it.
    fn name(&self) -> &'static str;

    /// What users are told about it.
    fn help(&self) -> PaperHelp;

    /// The experiment that a user asks for; nothing is read or measured yet.
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
    /// Files that it reads, which must not be replaced.
    pub inputs: Vec<PathBuf>,
    /// Measures, on the CPU and, if there is one, on a device.
    ///
    /// # Errors
    /// An input that cannot be used, whatever the machine lacks, and a program that is wrong.
    #[allow(clippy::type_complexity)]
    pub measure: Box<dyn FnOnce(Option<&AnyDevice>, &dyn Progress) -> Result<Reproduced, Failure>>,
}

impl fmt::Debug for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Experiment").field("names", &self.names).field("inputs", &self.inputs).finish_non_exhaustive()
    }
}

/// What came out of an experiment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reproduced {
    /// The figures of the paper beside those of this machine.
    pub text: String,
    /// What a user should know about the measurements, a sentence each.
    pub notes: Vec<String>,
    /// The measurements as files: names and contents.
    pub files: Vec<(String, Vec<u8>)>,
}
