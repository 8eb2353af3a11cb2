//! `throng run`: a scenario in, results and a report out; here for traffic.

use std::fmt::Write as _;

use throng::output::MANIFEST_NAME;
use throng::traffic::config::Configured;
use throng::traffic::settings::{Controller, OverwriteFiles, Settings};
use throng::traffic::{self, Done, Run};
use throng_core::clock;
use throng_device::{DeviceChoice, Ledger};

use crate::args::{RunArgs, Verbosity};
use crate::exit::{Failure, Outcome};
use crate::plan::{self, RunPlan};
use crate::{progress, report};

pub(crate) fn run(args: &RunArgs) -> Result<Outcome, Failure> {
    if let Some(file) = plan::fields_file(args.scenario.scenario.as_deref())? {
        return super::run_fields::run(args, &file);
    }
    let (plan, configured) = plan::run_plan(args)?;
    report::configured(&configured, args.verbosity);
    if !args.verbosity.quiet {
        if let Some(hint) = hint_on_threads(plan.settings.qsim.number_of_threads, plan.device) {
            report::tell(format_args!("note: {hint}"));
        }
        report::tell(format_args!("seed: {}", plan.settings.global.random_seed));
    }
    removed(&plan.settings, args.verbosity);
    simulate(args, plan, configured)
}

/// Says what the run will remove from its folder.
fn removed(settings: &Settings, verbosity: Verbosity) {
    let Controller { output_directory, overwrite_files, run_id, .. } = &settings.controller;
    let everything = match overwrite_files {
        OverwriteFiles::FailIfDirectoryExists => return,
        OverwriteFiles::OverwriteExistingFiles => false,
        OverwriteFiles::DeleteDirectoryIfExists => true,
    };
    report::removed(output_directory, run_id.as_deref().unwrap_or(""), everything, verbosity);
}

fn simulate(args: &RunArgs, plan: RunPlan, configured: Configured) -> Result<Outcome, Failure> {
    let display = progress::display(args.verbosity);
    let run = Run {
        scenario: plan.scenario.as_ref().map_or_else(String::new, |path| path.display().to_string()),
        read: plan.read,
        device: plan.device,
        time_phases: plan.timing,
        steps: plan.steps,
        hash_every: plan.hash_every.unwrap_or(0),
        link_volumes: plan.link_volumes,
        warnings: configured.warnings,
        ..Run::new(plan.settings)
    };
    let known = run.warnings.clone();
    let done = traffic::run(run, display.as_ref())?;
    if !args.verbosity.quiet {
        report::new_warnings(&done.warnings, &known, args.verbosity);
        if let Some(note) = done.outcome.threads_note {
            report::tell(format_args!("note: 1 thread was used: {note}"));
        }
        report::print(&summary(&done, plan.timing))?;
    }
    Ok(Outcome::Done)
}

/// How long the phases took, and what the device did.
pub(super) fn times(timings_s: &[(String, f64)], ledger: Option<&Ledger>, line: &mut dyn FnMut(&str, String)) {
    for (phase, seconds) in timings_s {
        line("time", format!("{seconds:8.3} s  {phase}"));
    }
    if let Some(ledger) = ledger {
        device_times(ledger, line);
    }
}

/// What the device did: kernels, their time as far as it was taken, and transfers.
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
    line("device", format!("{up:.1} MB to it, {down:.1} MB from it, {held:.1} MB allocated"));
}

/// What a user should know about a number of threads that does not fit the machine.
fn hint_on_threads(asked: usize, device: DeviceChoice) -> Option<String> {
    let present = std::thread::available_parallelism().map_or(1, usize::from);
    match asked.max(1) {
        1 if present > 1 && device == DeviceChoice::Cpu => {
            Some(format!("1 of {present} threads is used; large scenarios are faster with --threads {present}"))
        }
        n if n > present => Some(format!("{n} threads on {present} cores are slower than {present} threads")),
        _ => None,
    }
}

/// What a user wants to know at the end of a run.
fn summary(done: &Done, timing: bool) -> String {
    let Done { summary, outcome, .. } = done;
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<12}{value}");
    };
    line(
        "simulated",
        format!(
            "{} to {} in {:.2} s{}",
            clock::format(outcome.start_time),
            clock::format(outcome.end_time),
            done.simulation_s,
            // Below a tenth of a second the quotient says more about the clock than about the simulation.
            if done.simulation_s < 0.1 {
                String::new()
            } else {
                format!(", {:.0} x real time", done.real_time_factor())
            }
        ),
    );
    let rate = |count: u64| format!("{count} ({:.2} M/s)", count as f64 / done.simulation_s / 1e6);
    line("moves", format!("{} of vehicles over nodes", rate(outcome.stats.moves)));
    if outcome.stats.events > 0 {
        line("events", rate(outcome.stats.events));
    }
    if summary.analysed && summary.trips > 0 {
        let mean = clock::format(summary.mean_trip_s);
        line("trips", format!("{} finished, mean duration {mean}; {} agents stuck", summary.trips, summary.stuck()));
    } else {
        line("legs", format!("{} ended, {} agents stuck", outcome.stats.arrivals, summary.stuck()));
    }
    if summary.endless_stays.persons > 0 {
        let persons = summary.endless_stays.persons;
        line("staying", format!("{persons} at an activity without an end; the rest of their plans did not take place"));
    }
    if outcome.stats.stuck_pushed > 0 {
        line("pushed", format!("{} vehicles onto full links after the stuck time", outcome.stats.stuck_pushed));
    }
    if let Some(last) = outcome.last_hash {
        line(
            "state hash",
            format!("{:016x} after step {}; all in {}", last.hash, last.step, summary.file_name("state_hashes.txt")),
        );
    }
    if timing {
        times(&done.timings_s, done.ledger.as_ref(), &mut line);
    }
    let look_at = if summary.analysed { ("report", "report.html") } else { ("results", MANIFEST_NAME) };
    line(look_at.0, done.folder.join(summary.file_name(look_at.1)).display().to_string());
    text
}
