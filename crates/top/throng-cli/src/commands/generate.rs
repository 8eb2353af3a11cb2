//! `throng generate`: synthetic scenarios from a seed.

use throng::model::Failure;
use throng::model::flags::Flags;
use throng::model::generator::{GenerateRequest, Generator};

use crate::args::GenerateArgs;
use crate::outcome::Outcome;
use crate::{progress, report};

pub(crate) fn run(generator: &dyn Generator, args: &GenerateArgs, flags: &Flags) -> Result<Outcome, Failure> {
    let GenerateArgs { out, overwrite, verbosity } = args;
    let request = GenerateRequest { out: out.clone(), overwrite: *overwrite, flags: flags.clone() };
    let summary = generator.generate(&request, progress::display(*verbosity).as_ref())?;
    if verbosity.quiet { Ok(Outcome::Done) } else { report::print(&summary) }
}
