//! Runs the suites in a check folder and reports the results.

use std::path::Path;
use std::time::{Duration, Instant};

use throng_testing::{Needs, REQUIRE, required};

use super::devices;
use super::options::Options;
use super::outcome::{Outcome, summary};
use super::place::Place;
use super::runs::Runs;
use super::suites::Suite;
use super::{NO_FIGURES, libtest, process};
use crate::seed;

/// Runs the selected suites; returns an error if one failed.
pub(super) fn run(folder: &Path, options: &Options) -> Result<(), String> {
    let start = Instant::now();
    let deadline = start + Duration::from_secs(options.limit_s);
    let required = required().map_err(|error| format!("{REQUIRE}: {error}"))?;
    let place = Place::new(folder, &options.skip)?;
    if options.figures && !place.is_release() {
        return Err(NO_FIGURES.to_owned());
    }
    let seed = seed::of_environment_or_random()?;
    let doctor = process::run(place.throng(&["doctor".to_owned()]), &place.work().join("doctor.log"), deadline)?;
    println!("{}\nrandom cases: {}={seed} repeats them\n", doctor.output.trim_end(), seed::VARIABLE);
    let devices = devices::parse(&doctor.output);
    if devices.is_empty() {
        return Err("there is no device, so nothing can be checked; see `executors` above".to_owned());
    }
    let (slow, fast): (Vec<_>, Vec<_>) = devices.iter().cloned().partition(|device| device.is_software);

    let mut outcomes = Vec::new();
    for suite in
        Suite::all(options.figures, place.is_release()).into_iter().filter(|suite| options.asks_for(&suite.name()))
    {
        let started = Instant::now();
        let until = options.each_s.map_or(deadline, |each_s| deadline.min(started + Duration::from_secs(each_s)));
        let on_software = suite.suits_software();
        let on = if on_software { &devices } else { &fast };
        let runs = Runs { place: &place, devices: on, deadline: until, required: &required };
        let mut outcome = if started >= deadline {
            Outcome { failed: vec![format!("not run: limit of {} s reached", options.limit_s)], ..Outcome::default() }
        } else if runs.devices.is_empty() {
            Outcome::default()
        } else {
            let done = match suite {
                Suite::Tests(program) => libtest::run(&place, &program, seed, until),
                Suite::Check => Ok(runs.check()),
                Suite::Scenario(scenario) => runs.scenario(scenario),
                Suite::Reference(reference) => runs.reference(reference),
                Suite::Figures(figures) => Ok(runs.figures(figures)),
            };
            done.unwrap_or_else(|message| Outcome { failed: vec![message], ..Outcome::default() })
        };
        if !on_software {
            for device in &slow {
                let reason = format!("{} is a software device, on which this takes minutes", device.id);
                outcome.skip(Needs::Hardware, &reason, &required);
            }
        }
        println!("{}", outcome.line(&suite.name(), started.elapsed()));
        if !outcome.shown.is_empty() {
            println!("{}", outcome.shown.trim_end());
        }
        outcomes.push((suite.name(), outcome));
    }
    println!("{}, {:.0} s", summary(&outcomes), start.elapsed().as_secs_f64());
    match outcomes.iter().filter(|(_, outcome)| outcome.verdict() == "failed").count() {
        _ if outcomes.is_empty() => Err("no suite has this name; see --list".to_owned()),
        0 => Ok(()),
        failed => Err(format!("{failed} of {} suites failed", outcomes.len())),
    }
}
