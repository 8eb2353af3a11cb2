//! `throng reproduce`: the experiment of a paper, on this machine.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::SystemTime;

use throng::model::{Experiment, Failure, Flags, Paper, ReproduceRequest, Reproduced};
use throng::output::{IfNotEmpty, RunFolder, utc_text};
use throng_device::{AnyDevice, DeviceChoice, inventory, open};

use super::doctor::cpu_model;
use crate::args::{ReproduceArgs, Verbosity};
use crate::exit::Outcome;
use crate::{progress, report};

pub(crate) fn run(paper: &dyn Paper, args: &ReproduceArgs, flags: &Flags) -> Result<Outcome, Failure> {
    let ReproduceArgs { scenario, device: choice, quick, out, overwrite, verbosity } = args;
    let request = ReproduceRequest { scenario: scenario.clone(), quick: *quick, flags: flags.clone() };
    let Experiment { names, inputs, measure } = paper.experiment(&request)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    // Refuses a folder with files that must not be replaced, before anything is measured.
    let folder = RunFolder::create(out, IfNotEmpty::of_flag(*overwrite), "--overwrite")?
        .keeping(inputs.iter().map(PathBuf::as_path), &names)?;
    let device = device(*choice, *verbosity)?;
    let Reproduced { text, notes, files } = measure(device.as_ref(), progress::display(*verbosity).as_ref())?;
    if !verbosity.quiet {
        report::print(&(provenance(device.as_ref()) + &text))?;
        for note in notes {
            report::tell(format_args!("note: {note}"));
        }
    }
    folder.begin_anew(&names)?;
    let mut written = String::new();
    for (name, content) in &files {
        let file = folder.write(name, content)?;
        let _ = writeln!(written, "written  {}", folder.path().join(file.name).display());
    }
    folder.finish();
    if verbosity.quiet { Ok(Outcome::Done) } else { report::print(&written) }
}

/// Where, with what and when something was measured; a figure means little without it.
fn provenance(device: Option<&AnyDevice>) -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor = format!(
        "{}, {} threads",
        cpu_model(&cpuinfo).unwrap_or(std::env::consts::ARCH),
        throng_core::available_threads()
    );
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

/// Opens the requested device and prints which one it is.
fn device(choice: DeviceChoice, verbosity: Verbosity) -> Result<Option<AnyDevice>, Failure> {
    let (id, why) = match choice {
        DeviceChoice::Cpu => (None, "as requested"),
        DeviceChoice::Device(id) => (Some(id), "as requested"),
        DeviceChoice::Auto => match inventory().gpus().next() {
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
