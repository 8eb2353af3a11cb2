//! `throng sweep`: many runs of a scenario, as tables and a report.

use std::fmt::Write as _;

use throng::model::flags::Flags;
use throng::model::nearby::{check_scenario, no_scenario};
use throng::model::scenario_file::find_model;
use throng::model::sweep::{Sweep, SweepOutcome, SweepRequest};
use throng::model::{Failure, Model, RunRequest, ScenarioRequest, names};
use throng_core::Change;

use crate::args::SweepArgs;
use crate::cache_folder::{cache_of_inputs, measured_costs};
use crate::outcome::Outcome;
use crate::{progress, report};

pub(crate) fn run(models: &[&'static dyn Model], args: &SweepArgs, flags: &Flags) -> Result<Outcome, Failure> {
    let verbosity = args.verbosity;
    let Some(path) = args.scenario.as_deref() else { return Err(no_scenario(models, "throng sweep").into()) };
    check_scenario(models, "throng sweep", path)?;
    let (model, file) = find_model(models, Some(path))?;
    let scenario = ScenarioRequest {
        file,
        changes: args.changes.iter().map(Change::typed).collect(),
        seed: args.seed,
        threads: Some(args.threads),
        flags: flags.clone(),
        cache: cache_of_inputs(args.execution),
        ..ScenarioRequest::default()
    };
    let run = RunRequest {
        scenario: path.display().to_string(),
        device: args.execution.device,
        steps: args.execution.steps,
        costs: measured_costs(args.execution.device),
        ..RunRequest::default()
    };
    let request = SweepRequest {
        scenario,
        vary: args.vary.clone(),
        latin_hypercube: args.latin_hypercube,
        design: args.design.clone(),
        seeds: args.seeds,
        until: args.until.clone(),
        min_seeds: args.min_seeds,
        collect: args.collect.clone(),
        jobs: args.jobs,
        folder: args.out.clone(),
        retry_failed: args.retry_failed,
        run,
    };
    let display = progress::display(verbosity);
    let sweep = Sweep::prepare(model, &request, display.as_ref())?;
    report::about_settings(sweep.warnings(), sweep.notes(), verbosity);
    if !verbosity.quiet {
        let folder = args.out.display();
        report::print_to_stderr(format_args!("sweep: {}, {} at a time, into {folder}", sweep.plan(), sweep.jobs()));
    }
    let swept = sweep.run(display.as_ref())?;
    if !verbosity.quiet {
        report::print(&summary(&swept))?;
    }
    if let Some((run, message)) = &swept.first_failed {
        let of = format!("{} of {} runs failed, the first is run {run}", swept.failed, swept.runs);
        report::print_to_stderr(format_args!(
            "error: {of}: {message}\n    runs.csv lists them; --retry-failed repeats them"
        ));
        return Ok(Outcome::Differs);
    }
    Ok(Outcome::Done)
}

/// Returns the summary at the end of a sweep.
fn summary(swept: &SweepOutcome) -> String {
    let SweepOutcome { runs, executed, surplus, unmet, failed, report, files, .. } = swept;
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "{name:<12}{value}");
    };
    let earlier = match (runs + surplus).saturating_sub(*executed) {
        0 => String::new(),
        earlier => format!(", {earlier} before"),
    };
    let failures = if *failed == 0 { String::new() } else { format!("; {failed} failed") };
    let beyond = if *surplus == 0 { String::new() } else { format!("; {surplus} more than needed, not in the tables") };
    line("runs", &format!("{executed} executed{earlier}{failures}{beyond}"));
    if !unmet.is_empty() {
        let what = "not met after all seeds; a larger --seeds continues";
        line("until", &format!("{what}: parameter sets {}", names::numbered(unmet)));
    }
    let is_table = |name: &&str| !report.ends_with(name);
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).filter(is_table).collect();
    line("tables", &names.join(", "));
    line("report", &report.display().to_string());
    text
}
