//! `throng reproduce`: the experiment of a paper, on this machine.

mod elmir;
mod strippgen;

use std::fmt::{Display, Write as _};
use std::path::Path;
use std::time::SystemTime;

use throng::output::{IfNotEmpty, OutputError, RunFolder, WrittenFile, utc_text};
use throng_device::{AnyDevice, DeviceChoice, inventory, open};

use super::doctor::cpu_model;
use crate::args::{Reproduce, ReproduceArgs, Verbosity};
use throng::model::Failure;

use crate::exit::Outcome;
use crate::report;

pub(crate) fn run(args: &ReproduceArgs) -> Result<Outcome, Failure> {
    match &args.paper {
        Reproduce::Strippgen(args) => strippgen::run(args),
        Reproduce::Elmir(args) => elmir::run(args),
    }
}

/// The folder for files of these `names`; files that must not be replaced are refused before anything is measured.
fn folder(out: &Path, overwrite: bool, input: Option<&Path>, names: &[&str]) -> Result<RunFolder, OutputError> {
    RunFolder::create(out, IfNotEmpty::of_flag(overwrite), "--overwrite")?.keeping(input, names)
}

/// Ends with the names of the files.
fn finish(folder: &RunFolder, files: &[WrittenFile], verbosity: Verbosity) -> Result<Outcome, Failure> {
    folder.finish();
    if verbosity.quiet {
        return Ok(Outcome::Done);
    }
    let mut text = String::new();
    for file in files {
        let _ = writeln!(text, "written  {}", folder.path().join(&file.name).display());
    }
    report::print(&text)
}

/// Where, with what and when something is measured; a figure means little without it.
fn provenance(device: Option<&AnyDevice>) -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor = format!("{}, {} threads", cpu_model(&cpuinfo).unwrap_or(std::env::consts::ARCH), all_threads());
    let device = device.map(|device| format!("{}, {}", device.info().label(), device.info().driver));
    provenance_text(&processor, device.as_deref(), option_env!("THRONG_COMMIT"), SystemTime::now())
}

/// The build sets `commit`, because a program may be built without a repository.
fn provenance_text(processor: &str, device: Option<&str>, commit: Option<&str>, time: SystemTime) -> String {
    let device = device.map_or(String::new(), |device| format!("device   {device}\n"));
    let commit = commit.unwrap_or("not recorded; set THRONG_COMMIT when building");
    let (version, date) = (env!("CARGO_PKG_VERSION"), utc_text(time));
    format!("machine  {processor}\n{device}throng   {version}, commit {commit}\ndate     {date}\n\n")
}

fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Refuses a list with duplicates: a table has one column for each entry.
fn each_once<T: PartialEq + Display>(option: &str, list: &[T]) -> Result<(), Failure> {
    match list.iter().enumerate().find(|(i, item)| list[..*i].contains(item)) {
        Some((_, twice)) => {
            let remedy = "give each once, and --repeat for more measurements";
            Err(Failure::input(option, format!("{twice} is given twice"), remedy))
        }
        None => Ok(()),
    }
}

/// The requested device, opened; prints which one it is.
fn device(choice: DeviceChoice, verbosity: Verbosity) -> Result<Option<AnyDevice>, Failure> {
    let (id, why) = match choice {
        DeviceChoice::Cpu => (None, "as requested"),
        DeviceChoice::Device(id) => (Some(id), "as requested"),
        DeviceChoice::Auto => match inventory().fastest() {
            Some(info) => (Some(info.id), "the fastest on this machine"),
            None => (None, "there is no GPU; to use a software device, name it, for example --device vulkan:0"),
        },
    };
    let opened = id.map(open).transpose()?;
    if !verbosity.quiet {
        let name = opened.as_ref().map_or_else(|| "cpu".to_owned(), |device| device.info().label());
        report::tell(format_args!("device: {name}, {why}"));
    }
    Ok(opened)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn a_measurement_says_where_with_what_and_when() {
        let time = UNIX_EPOCH + Duration::from_hours(24 * 11_016);
        let text = |device, commit| provenance_text("Fast CPU, 16 threads", device, commit, time);
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            text(Some("cuda:0 (Card), driver 580"), Some("af2ac6f")),
            format!(
                "machine  Fast CPU, 16 threads\ndevice   cuda:0 (Card), driver 580\nthrong   {version}, commit \
                 af2ac6f\ndate     2000-02-29T00:00:00Z\n\n"
            )
        );
        assert!(text(None, None).contains("commit not recorded; set THRONG_COMMIT"), "{}", text(None, None));
        assert!(!text(None, None).contains("device"));
    }
}
