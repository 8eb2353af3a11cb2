//! `throng completions`: scripts for shells.

use throng::model::Failure;

use crate::args::CompletionsArgs;
use crate::outcome::Outcome;
use crate::report;

pub(crate) fn run(mut command: clap::Command, args: &CompletionsArgs) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "throng", &mut script);
    report::print_data(&String::from_utf8_lossy(&script))
}
