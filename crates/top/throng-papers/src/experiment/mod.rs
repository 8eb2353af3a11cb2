//! Code shared by all experiments.
//!
//! A paper declares **cases** (parameters) and **programs** (the programs that run in each case). It compares the
//! results of its programs, measures [`Rows`] of them with [`Times`], and builds `Table`s, charts and `Statements` with
//! a `Verdict` from the rows and its published figures. A [`Declaration`] bundles a paper into a value for lists of
//! papers: help, flags and verification cases.

pub(crate) mod chart;
pub(crate) mod flags;
mod listed;
mod options;
mod rows;
mod speed_up;
pub(crate) mod statements;
mod table;
mod times;

use throng_core::{Finding, Progress, VerificationCase, Verified};
use throng_device::{Device, Executor};
use throng_model::paper::{Experiment, Paper, PaperHelp, ReproduceRequest, Reproduced};
use throng_model::{Check, Failure};

pub(crate) use listed::listed;
pub(crate) use options::options;
pub use rows::{Row, Rows};
pub(crate) use speed_up::{MIN_RUNS, SpeedUp};
pub(crate) use statements::{Judgement, MeasuredOn, Statements, Verdict};
pub(crate) use table::{Cell, Table, cells, count, percent};
pub use times::Times;
#[cfg(feature = "gpu")]
pub(crate) use times::steps_on;
pub(crate) use times::{never_enough, repeated, runs_are_long};

/// A verification case and the executor on which it runs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Trial {
    OnCpu(fn() -> Result<Finding, Failure>),
    OnDevice(fn(&Device) -> Result<Finding, Failure>),
    /// On the CPU or on a device.
    Anywhere(fn(&Executor) -> Result<Finding, Failure>),
}

/// A paper as a value, for lists of papers.
#[derive(Debug, Clone, Copy)]
pub struct Declaration {
    pub(crate) name: &'static str,
    pub(crate) help: PaperHelp,
    /// Plans the experiment of a validated request.
    pub(crate) plan: fn(&ReproduceRequest) -> Result<Experiment, Failure>,
    /// Verification cases; may be empty.
    pub(crate) cases: &'static [VerificationCase<Trial>],
}

impl Check for Declaration {
    fn name(&self) -> &'static str {
        self.name
    }

    fn verify(&self, on: &Executor, tell: &mut dyn FnMut(Verified)) {
        for case in self.cases {
            match (case.check, on.device()) {
                (Trial::OnCpu(check), None) => tell(case.verified(check())),
                (Trial::OnDevice(check), Some(device)) => tell(case.verified(check(device))),
                (Trial::Anywhere(check), _) => tell(case.verified(check(on))),
                (Trial::OnCpu(_), Some(_)) | (Trial::OnDevice(_), None) => {}
            }
        }
    }
}

impl Paper for Declaration {
    fn name(&self) -> &'static str {
        self.name
    }

    fn help(&self) -> PaperHelp {
        self.help
    }

    fn experiment(&self, request: &ReproduceRequest) -> Result<Experiment, Failure> {
        request.check(self)?;
        (self.plan)(request)
    }

    fn checks(&self) -> Option<&dyn Check> {
        (!self.cases.is_empty()).then_some(self as &dyn Check)
    }
}

/// The table of all statements of a paper, in Markdown.
const STATEMENTS: &str = "statements.md";

/// The results of a paper: its tables followed by its statements, and files.
pub(crate) fn results(
    tables: &str,
    statements: &Statements,
    files: impl IntoIterator<Item = (String, Vec<u8>)>,
) -> Reproduced {
    let text = format!("{}\n\n{}", tables.trim_end(), statements.text());
    let files = files.into_iter().chain([file(STATEMENTS, statements.table().markdown())]).collect();
    Reproduced { text, notes: Vec::new(), files }
}

/// A file of a paper, as its name and contents.
pub(crate) fn file(name: &str, contents: impl Into<Vec<u8>>) -> (String, Vec<u8>) {
    (name.to_owned(), contents.into())
}

/// An experiment that reads no files. `names` lists the files it writes, separated by spaces.
pub(crate) fn experiment(
    names: &str,
    measure: impl FnOnce(&Executor, &dyn Progress) -> Result<Reproduced, Failure> + 'static,
) -> Experiment {
    Experiment { names: self::names(names), inputs: Vec::new(), measure: Box::new(measure) }
}

/// The names of all files of a paper: those of a list with spaces between them, and the statements.
pub(crate) fn names(all: &str) -> Vec<String> {
    all.split(' ').chain([STATEMENTS]).map(str::to_owned).collect()
}

/// The failure of a program with a wrong result.
pub(crate) fn defect(message: String) -> Failure {
    Failure::resource(message, "this is a defect of the program or of the device")
}

/// Id and name of a device, for headings.
pub(crate) fn label(device: Option<&Device>) -> Option<String> {
    device.map(|device| device.info().label())
}
