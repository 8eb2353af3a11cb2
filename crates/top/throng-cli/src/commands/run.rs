//! `throng run`: from a scenario to results and a report.

use std::fmt::Write as _;
use std::time::Instant;

use throng::model::flags::Flags;
use throng::model::nearby::no_scenario;
use throng::model::{Done, Failure, Model, RunRequest};
use throng_device::{DeviceChoice, Ledger};

use crate::args::{RunArgs, ScenarioArgs};
use crate::cache_folder::{cache_of_inputs, measured_costs};
use crate::outcome::Outcome;
use crate::scenario::{command, name, scenario};
use crate::version::VERSION;
use crate::{progress, report};

pub(crate) fn run(models: &[&'static dyn Model], args: &RunArgs, flags: &Flags) -> Result<Outcome, Failure> {
    let (since, execution) = (Instant::now(), args.execution);
    if is_bare(&args.scenario, flags) {
        return Err(no_scenario(models, "throng run").into());
    }
    let (scenario, scenario_file) = scenario(models, &args.scenario, cache_of_inputs(execution), "throng run", flags)?;
    // Check the inputs before printing anything about the run.
    scenario.check_inputs()?;
    let verbosity = args.verbosity;
    let known = scenario.warnings();
    report::about_settings(&known, &scenario.notes(), verbosity);
    if !verbosity.quiet {
        if let Some(hint) = hint_on_threads(scenario.threads_of_steps(), execution.device) {
            report::print_to_stderr(format_args!("note: {hint}"));
        }
        report::print_to_stderr(format_args!("seed: {}", scenario.seed()));
    }
    let request = RunRequest {
        scenario: name(&args.scenario),
        scenario_file,
        command: Some(command()),
        program: format!("throng {VERSION}"),
        device: execution.device,
        steps: execution.steps,
        hash_every: args.hash_every.unwrap_or(0),
        timing: args.timing,
        costs: measured_costs(execution.device),
        ..RunRequest::default()
    };
    let done = scenario.run(&request, progress::display(verbosity).as_ref())?;
    if !verbosity.quiet {
        report::new_warnings(&done.warnings, &known, verbosity);
        report::print(&summary(&done, (args.timing || verbosity.verbose).then_some(since)))?;
    }
    Ok(Outcome::Done)
}

/// Whether nothing identifies a scenario: no path, no changes and no flags (which may name traffic's input files).
fn is_bare(args: &ScenarioArgs, flags: &Flags) -> bool {
    args.scenario.is_none() && args.changes.is_empty() && *flags == Flags::default()
}

/// Returns a note if the number of threads does not suit the machine.
fn hint_on_threads(requested: usize, device: DeviceChoice) -> Option<String> {
    let present = throng_core::available_threads();
    match requested.max(1) {
        1 if present > 1 && device == DeviceChoice::Cpu => {
            Some(format!("1 of {present} threads is used; large scenarios are faster with --threads {present}"))
        }
        n if n > present => Some(format!("{n} threads are slower than {present}, the number that can run at once")),
        _ => None,
    }
}

/// Returns the summary at the end of a run, with the times of its phases if its start is given.
fn summary(done: &Done<()>, since: Option<Instant>) -> String {
    let mut text = String::new();
    let longest = done.lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let width = (longest + 2).max(12);
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<width$}{value}");
    };
    for (name, value) in &done.lines {
        line(name, value.clone());
    }
    if let Some(since) = since {
        for (phase, seconds) in &done.timings_s {
            line("time", format!("{seconds:8.3} s  {phase}"));
        }
        line("time", format!("{:8.3} s  whole run", since.elapsed().as_secs_f64()));
        if let Some(ledger) = &done.ledger {
            device_times(ledger, &mut line);
        }
    }
    let is_report = done.main_file.extension().is_some_and(|ending| ending == "html");
    line(if is_report { "report" } else { "results" }, done.main_file.display().to_string());
    text
}

/// Prints the device statistics: kernels, their times if measured, and transfers.
fn device_times(ledger: &Ledger, line: &mut dyn FnMut(&str, String)) {
    for (label, phase) in &ledger.phases {
        let time = phase.estimated().map_or_else(String::new, |time| {
            let each = 1e6 * time.as_secs_f64() / phase.launches as f64;
            format!(" of {each:.1} us, {:.3} s in all (from {} that were timed)", time.as_secs_f64(), phase.timed)
        });
        line("device", format!("{label}: {} launches{time}", phase.launches));
    }
    line(
        "device",
        format!("{:.3} s for compiling kernels and their first launches", ledger.compile_time().as_secs_f64()),
    );
    let mb = |bytes: u64| bytes as f64 / 1e6;
    let (up, down, held) = (mb(ledger.uploaded_bytes), mb(ledger.downloaded_bytes), mb(ledger.allocated_bytes));
    line("device", format!("{up:.1} MB uploaded, {down:.1} MB downloaded, {held:.1} MB allocated"));
}
