//! `throng run` for scenarios of fields.

use std::fmt::Write as _;
use std::path::Path;

use throng::core::Warnings;
use throng::fields::{Done, Summary, run as run_all};

use crate::args::RunArgs;
use crate::exit::{Failure, Outcome};
use crate::{plan, progress, report};

pub(super) fn run(args: &RunArgs, file: &Path) -> Result<Outcome, Failure> {
    let run = plan::fields_run(args, file)?;
    let verbosity = args.verbosity;
    if !verbosity.quiet {
        report::tell(format_args!("seed: {}", run.scenario.seed()));
    }
    if run.overwrite {
        let folder = run.folder.as_deref().unwrap_or(run.scenario.folder());
        report::removed(folder, "", false, verbosity);
    }
    let display = progress::display(verbosity);
    let done = run_all(&run, display.as_ref())?;
    if !verbosity.quiet {
        report::new_warnings(&done.warnings, &Warnings::new(), verbosity);
        report::print(&summary(&done, args.timing || verbosity.verbose))?;
    }
    Ok(Outcome::Done)
}

/// What a user wants to know at the end of a run.
fn summary(done: &Done, timing: bool) -> String {
    let Summary { cells, entities, agents, arrived, stuck, steps, time, hash } = &done.summary;
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<12}{value}");
    };
    line("simulated", format!("{steps} steps, {time} units of time, in {:.2} s", done.simulation_s));
    line("fields", format!("{cells} cells, {entities} entities"));
    if *agents > 0 {
        line("agents", format!("{arrived} of {agents} arrived, {stuck} stuck"));
    }
    line("state hash", format!("{hash:016x} after step {steps}"));
    if timing {
        super::run::times(&done.timings_s, done.ledger.as_ref(), &mut line);
    }
    line("report", done.folder.join("report.html").display().to_string());
    text
}
