//! `throng reproduce`: repeats the experiment of a paper on this machine.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::SystemTime;

use throng::model::Failure;
use throng::model::flags::Flags;
use throng::model::paper::{Experiment, Paper, ReproduceRequest, Reproduced};
use throng::output::{IfNotEmpty, Manifest, RunFolder, utc_text};
use throng_device::{DeviceChoice, Executor};

use super::doctor::cpu_model;
use crate::args::{ReproduceArgs, Verbosity};
use crate::outcome::Outcome;
use crate::version::VERSION;
use crate::{progress, report};

pub(crate) fn run(paper: &dyn Paper, args: &ReproduceArgs, flags: &Flags) -> Result<Outcome, Failure> {
    let ReproduceArgs { scenario, device: choice, quick, out, overwrite, verbosity } = args;
    let request = ReproduceRequest { scenario: scenario.clone(), quick: *quick, flags: flags.clone() };
    let Experiment { names, inputs, measure } = paper.experiment(&request)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    // Before measuring anything, reject a folder with files that must not be replaced.
    let (rule, source) = (IfNotEmpty::of_flag(*overwrite), format!("reproduce {}", paper.name()));
    let folder = RunFolder::of_scenario(out, rule, "--overwrite", &source, "")?
        .keeping(inputs.iter().map(PathBuf::as_path), &names)?;
    let on = executor(*choice, *verbosity)?;
    if let Some(removes) = folder.removes().filter(|_| !verbosity.quiet) {
        report::print_to_stderr(format_args!("note: {removes} when this run ends"));
    }
    let Reproduced { text, notes, files } = measure(&on, progress::display(*verbosity).as_ref())?;
    if !verbosity.quiet {
        report::print(&(provenance(&on) + &text))?;
        for note in notes {
            report::print_to_stderr(format_args!("note: {note}"));
        }
    }
    folder.begin()?;
    folder.make_room_for(&names)?;
    let files = files.iter().map(|(name, content)| folder.write(name, content)).collect::<Result<Vec<_>, _>>()?;
    let mut written = String::new();
    for file in &files {
        let _ = writeln!(written, "written  {}", folder.path().join(&file.name).display());
    }
    let quick = quick.then(|| ("quick".to_owned(), String::new()));
    let flags = flags.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
    let manifest = Manifest {
        program: format!("throng {VERSION}"),
        model: paper.name().to_owned(),
        scenario: request.scenario.as_ref().map_or_else(String::new, |path| path.display().to_string()),
        device: on.label(),
        finished: utc_text(SystemTime::now()),
        options: quick.into_iter().chain(flags).collect(),
        files,
        ..Manifest::default()
    };
    manifest.write(&folder)?;
    if verbosity.quiet { Ok(Outcome::Done) } else { report::print(&written) }
}

/// Returns machine, version and time of a measurement, without which a figure means little.
fn provenance(on: &Executor) -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor = format!(
        "{}, {} threads",
        cpu_model(&cpuinfo).unwrap_or(std::env::consts::ARCH),
        throng_core::available_threads()
    );
    let device = on.device().map(|device| format!("{}, {}", device.info().label(), device.info().driver));
    provenance_text(&processor, device.as_deref(), SystemTime::now())
}

fn provenance_text(processor: &str, device: Option<&str>, time: SystemTime) -> String {
    let device = device.map_or(String::new(), |device| format!("device   {device}\n"));
    format!("machine  {processor}\n{device}throng   {VERSION}\ndate     {}\n\n", utc_text(time))
}

/// Opens the requested device and prints its name.
fn executor(choice: DeviceChoice, verbosity: Verbosity) -> Result<Executor, Failure> {
    let on = Executor::open(choice)?;
    if !verbosity.quiet {
        let why = if on.reason().is_empty() { "as requested" } else { on.reason() };
        report::print_to_stderr(format_args!("device: {}, {why}", on.label()));
    }
    Ok(on)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn the_provenance_contains_machine_device_version_and_date() {
        let time = UNIX_EPOCH + Duration::from_hours(24 * 11_016);
        let text = |device| provenance_text("Fast CPU, 16 threads", device, time);
        assert_eq!(
            text(Some("cuda:0 (Card), driver 580")),
            format!(
                "machine  Fast CPU, 16 threads\ndevice   cuda:0 (Card), driver 580\nthrong   {VERSION}\n\
                 date     2000-02-29T00:00:00Z\n\n"
            )
        );
        assert!(!text(None).contains("device"));
    }
}
