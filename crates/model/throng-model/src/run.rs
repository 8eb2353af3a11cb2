//! Runs a scenario, from settings to a complete output folder: the part common to all models.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use throng_core::{InputError, Progress, Warnings, unreadable_input};
use throng_device::{Device, DeviceChoice, DeviceInfo, Executor, IS_CPU_ONLY, Needs, inventory};
use throng_output::{FileIdentity, MANIFEST_NAME, RunFolder, utc_text};

use crate::executor::{named_executor, with_reason};
use crate::record::{HASHES_NAME, HashLog, RunRecord, Timings};
use crate::report::REPORT_NAME;
use crate::scenario_file::without_usual_name;
use crate::{Done, ExpectedTimes, Failure, Loaded, Measured, Output, RunRequest, Scenario, Simulated};

/// Name of the phase in which the scenario is read.
pub const LOADING: &str = "loading";
/// Name of the phase in which a device is opened.
const STARTING: &str = "starting the device";
/// Name of the phase in which report and manifest are written.
pub const WRITING_REPORT: &str = "writing the report";

/// Run context: inputs and outputs of [`Loaded::simulate`].
pub struct Run<'a> {
    /// Requested options.
    pub request: &'a RunRequest,
    /// The executor, with the reason for an automatic choice.
    pub executor: &'a Executor,
    /// Output folder.
    pub folder: &'a RunFolder,
    /// Log of state hashes, if requested.
    pub hashes: Option<HashLog>,
    /// Wall-clock time of the phases so far.
    pub timings: Timings,
    /// All warnings so far.
    pub warnings: Warnings,
    /// Receives the progress of the run.
    pub progress: &'a dyn Progress,
}

/// Runs a scenario and writes all results to its output folder.
///
/// # Errors
/// See [`Failure`]. Incomplete files are removed.
pub fn run<S: Scenario>(
    scenario: S,
    request: &RunRequest,
    progress: &dyn Progress,
) -> Result<Done<<S::Loaded as Loaded>::Results>, Failure> {
    let mut timings = Timings::default();
    let reading_s = scenario.reading_s();
    scenario.check_inputs()?;
    let (model, seed, known) = (scenario.model(), scenario.seed(), scenario.warnings());
    let mut warnings = known.clone();
    // The folder is opened before anything is read, so that a rejected folder causes no delay.
    let folder = open_folder(scenario.output(), &scenario.own_names(request.steps), &request.scenario)?;
    let folder = if request.without_files || request.is_temporary { folder.temporary() } else { folder };
    timings.end_after(LOADING, reading_s);
    let named = named_executor(request.device, progress)?;
    timings.end(STARTING);
    let threads = throng_core::thread_pool(scenario.threads())?;
    let threads_of_steps = match scenario.threads_of_steps() {
        0 => threads.current_num_threads(),
        threads => threads,
    };
    let scenario_file = request.scenario_file.as_deref().map(identified).transpose()?;
    let loaded = threads.install(|| scenario.load(&mut warnings, progress))?;
    timings.end(LOADING);
    let named_device = named.as_ref().and_then(Executor::device);
    if let Some((device, reason)) = named_device.zip(loaded.refused()) {
        return Err(Failure::input(format!("device {}", device.info().id), reason, "give cpu, or auto"));
    }
    let estimate = loaded.estimate(request.steps);
    let may_choose = request.device != DeviceChoice::Cpu;
    let needs_cpu = if may_choose { loaded.suits_cpu() } else { None };
    // Devices are only searched for if the time decides.
    let compares_times = may_choose && needs_cpu.is_none() && !IS_CPU_ONLY;
    let expected = estimate.filter(|_| compares_times).map(|estimate| {
        let fastest = || inventory().gpus().find(|gpu| loaded.unsuitable(gpu).is_none()).map(DeviceInfo::label);
        let device = || named_device.map_or_else(fastest, |device| Some(device.info().label()));
        ExpectedTimes::new(&estimate, &request.costs, threads_of_steps, device)
    });
    let suits_cpu = || {
        let is_faster = || expected.as_ref().filter(|expected| expected.is_faster_on_cpu());
        needs_cpu.clone().or_else(|| is_faster().map(ExpectedTimes::reason))
    };
    if let Some(reason) = named_device.and_then(|_| suits_cpu()) {
        progress.note(&format!("note: the device auto would choose the CPU: {reason}"));
    }
    let needs = Needs { suits_cpu: &suits_cpu, unsuitable: &|device| loaded.unsuitable(device), ..Needs::default() };
    let mut executor = named.map_or_else(|| Executor::choose(request.device, &needs), Ok)?;
    if let Some(device) = executor.device_mut().filter(|_| request.timing) {
        device.time_launches(loaded.timed_launches())?;
    }
    timings.end(STARTING);

    let device_label = executor.device().map(|device| device.info().label());
    let mut planned = with_reason(&executor, &loaded.executor(device_label.as_deref(), threads.current_num_threads()));
    if let Some(expected) = expected.as_ref().filter(|_| device_label.is_some() && request.device == DeviceChoice::Auto)
    {
        planned = format!("{planned}; {}", expected.reason());
    }
    progress.note(&format!("device: {planned}"));
    if let Some(removes) = folder.removes() {
        progress.note(&format!("note: {removes}"));
    }
    folder.begin()?;
    let hashes = if request.hash_every > 0 { Some(HashLog::create(&folder)?) } else { None };
    let mut run = Run { request, executor: &executor, folder: &folder, hashes, timings, warnings, progress };
    let simulated = threads.install(|| loaded.simulate(&mut run));
    // Warnings may explain the failure.
    let tell = |_: &Failure| run.warnings.without(&known).messages().for_each(|message| progress.warn(&message));
    let simulated = simulated.inspect_err(tell)?;
    let Run { hashes, mut timings, warnings, .. } = run;

    let Simulated {
        results,
        lines,
        numbers,
        measured,
        settings,
        options,
        inputs,
        mut files,
        last,
        simulation_s,
        executor: computed_on,
        report,
    } = simulated;
    let measured = if measured.is_empty() { Measured::of_numbers(&numbers) } else { measured };
    files.extend(hashes.map(HashLog::complete).transpose()?);
    files.sort_by(|a, b| a.name.cmp(&b.name));
    let device = computed_on.map_or(planned, |computed_on| with_reason(&executor, &computed_on));
    let mut record = RunRecord {
        program: request.program.clone(),
        model: model.to_owned(),
        scenario: request.scenario.clone(),
        scenario_file,
        command: request.command.clone().map(|command| (command, std::env::current_dir().unwrap_or_default())),
        device: device.clone(),
        seed,
        finished: utc_text(SystemTime::now()),
        options: request.options().into_iter().chain(options).collect(),
        settings,
        timings_s: timings.list.clone(),
        work: estimate.map(|estimate| estimate.work),
        warnings,
        inputs,
        numbers,
        files,
    };
    let main_file = if report.is_some() { REPORT_NAME } else { MANIFEST_NAME };
    if request.without_files {
        folder.finish();
    } else {
        record.write(&folder, report, last)?;
        timings.end(WRITING_REPORT);
    }
    Ok(Done {
        results,
        measured,
        folder: folder.path().to_owned(),
        lines,
        main_file: folder.path().join(folder.file_name(main_file)),
        device,
        ledger: executor.device().map(Device::ledger),
        timings_s: timings.list,
        simulation_s,
        warnings: record.warnings,
        files: record.files,
    })
}

/// Returns the identity of the scenario file before the run.
fn identified(file: &Path) -> Result<FileIdentity, InputError> {
    FileIdentity::of(file).map_err(|error| unreadable_input(file, &error))
}

/// Opens the output folder, and protects the scenario and its inputs if they are in it.
fn open_folder(output: Output, own_names: &[String], scenario: &str) -> Result<RunFolder, Failure> {
    let Output { folder, if_not_empty, prefix, names, inputs } = output;
    let mut names: Vec<&str> = names;
    names.extend([REPORT_NAME, HASHES_NAME]);
    names.extend(own_names.iter().map(String::as_str));
    let remedy = "--overwrite, which replaces the files of an earlier run and keeps others";
    let folder = RunFolder::of_scenario(&folder, if_not_empty, remedy, &source_of(scenario, &inputs), &prefix)?;
    // The scenario is usually a path too.
    let kept = inputs.iter().map(PathBuf::as_path).chain([Path::new(scenario)]);
    Ok(folder.keeping(kept, &names)?)
}

/// Returns the identity of a scenario: the absolute path of its file or folder or, if it has none, of all its inputs.
/// Empty if there is no such file, as for a scenario created by a program.
fn source_of(scenario: &str, inputs: &[PathBuf]) -> String {
    let absolute = |path: &Path| {
        let path = path.canonicalize().ok()?;
        Some(without_usual_name(&path).display().to_string())
    };
    if scenario.is_empty() {
        let inputs: Option<Vec<String>> = inputs.iter().map(|input| absolute(input)).collect();
        return inputs.unwrap_or_default().join(", ");
    }
    absolute(Path::new(scenario)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_paths_of_a_scenario_give_the_same_source() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let source = |name: &str| source_of(&path(name).display().to_string(), &[]);
        std::fs::create_dir_all(path("a/b")).unwrap();
        for name in ["a/scenario.toml", "a/other.toml", "a/b/config.xml"] {
            std::fs::write(path(name), "").unwrap();
        }
        assert_eq!((source("a"), source("a/b/../scenario.toml")), (source("a/scenario.toml"), source("a")));
        assert_eq!(source("a/b"), source("a/b/config.xml"));
        assert!(source("a") != source("a/other.toml") && source("a") != source("a/b"));
        assert_eq!(source("a scenario in memory"), "");
        let of_inputs = |names: &[&str]| source_of("", &names.iter().map(|name| path(name)).collect::<Vec<_>>());
        assert!(of_inputs(&["a/other.toml"]).ends_with("other.toml"));
        assert_eq!((of_inputs(&[]), of_inputs(&["nowhere"])), (String::new(), String::new()));
    }
}
