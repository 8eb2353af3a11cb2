//! `throng run`: a scenario in, events and a report out.

use throng_core::Progress;

use crate::args::RunArgs;
use crate::exit::{Failure, Outcome};
use crate::plan::{self, Device, RunPlan};
use crate::{progress, report};

pub(crate) fn run(args: &RunArgs) -> Result<Outcome, Failure> {
    let (plan, configured) = plan::run_plan(args)?;
    report::configured(&configured, args.verbosity);
    if !args.verbosity.quiet {
        let Device::Cpu = plan.device;
        let why = if args.device == "auto" { ", the only executor of this build" } else { "" };
        let threads = match plan.settings.qsim.number_of_threads {
            1 => "1 thread".to_owned(),
            n => format!("{n} threads"),
        };
        eprintln!("device: cpu, {threads}{why}");
        eprintln!("seed: {}", plan.settings.global.random_seed);
    }
    simulate(&plan, progress::display(args.verbosity).as_ref())
}

// WIRE: load the scenario named by `plan.settings.files`, simulate it with `plan.settings` and `plan.steps`, print
// state hashes every `plan.hash_every` steps and timings with `plan.timing`, write outputs, manifest and report to
// `plan.settings.controller.output_directory`.
fn simulate(_plan: &RunPlan, progress: &dyn Progress) -> Result<Outcome, Failure> {
    progress.end();
    Err(Failure::resource("`throng run` is not built yet", "the settings and input files were checked and are fine"))
}
