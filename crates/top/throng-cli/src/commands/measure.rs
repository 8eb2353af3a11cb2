//! `throng doctor --measure`: measures the costs of each model on the CPU and on each GPU, for `--device auto`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use throng::device::{DeviceChoice, DeviceInfo, inventory};
use throng::model::{Calibration, CalibrationScenario, Costs, Failure, MachineCosts, MeasuredCosts, Model, Work};
use throng_core::Alignment::{Left, Right};
use throng_core::{available_threads, text_table};

use crate::cache_folder::costs_file;
use crate::child_run::{ChildRun, throng};
use crate::outcome::Outcome;
use crate::report;

pub(crate) fn run(models: &[&'static dyn Model]) -> Result<Outcome, Failure> {
    let file = costs_file().ok_or_else(|| {
        Failure::resource("this user has no cache folder", "set HOME or XDG_CACHE_HOME to an absolute path")
    })?;
    let folder = TemporaryFolder(std::env::temp_dir().join(format!("throng-measure-{}", std::process::id())));
    let all = inventory();
    let gpus: Vec<&DeviceInfo> = all.gpus().collect();
    let mut measured = MachineCosts::default();
    for model in models {
        let Some(calibration) = model.calibration() else { continue };
        let scenarios = created(&calibration, &folder.0.join(model.name()))?;
        let suitable: Vec<&DeviceInfo> = gpus.iter().copied().filter(|gpu| model.unsuitable(gpu).is_none()).collect();
        let bench = Bench { model: model.name(), scenarios, changes: calibration.changes };
        measured.0.insert(model.name().to_owned(), bench.costs(&suitable)?);
    }
    store(&file, &measured.to_toml())?;
    let table = text_table(&rows(&measured), &[Left, Left, Right, Right, Right]);
    report::print(&format!("\n{table}\nkept in {}, for --device auto\n", file.display()))
}

/// A folder that is deleted at the end.
struct TemporaryFolder(PathBuf);

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Creates the two scenarios of a model, and returns their paths.
fn created(calibration: &Calibration, folder: &Path) -> Result<[PathBuf; 2], Failure> {
    let create = |scenario: &CalibrationScenario, name: &str| {
        let path = folder.join(name);
        match scenario {
            CalibrationScenario::File(text) => {
                let written = fs::create_dir_all(&path).and_then(|()| fs::write(path.join("scenario.toml"), text));
                written.map_err(|error| Failure::resource(format!("{}: {error}", path.display()), "set TMPDIR"))?;
            }
            CalibrationScenario::Generated(arguments) => {
                throng(|command| command.arg("generate").args(*arguments).arg("--out").arg(&path).arg("--quiet"))?;
            }
        }
        Ok::<_, Failure>(path)
    };
    let [small, large] = &calibration.scenarios;
    Ok([create(small, "small")?, create(large, "large")?])
}

/// The runs from which the costs of a model are measured.
struct Bench<'a> {
    model: &'a str,
    scenarios: [PathBuf; 2],
    changes: &'a [&'a str],
}

impl Bench<'_> {
    fn costs(&self, gpus: &[&DeviceInfo]) -> Result<MeasuredCosts, Failure> {
        let threads = available_threads();
        let one_thread = self.costs_on(DeviceChoice::Cpu, 1)?;
        let all_threads = if threads > 1 { self.costs_on(DeviceChoice::Cpu, threads)? } else { one_thread };
        let mut devices = BTreeMap::new();
        for gpu in gpus {
            let on = DeviceChoice::Device(gpu.id);
            // The first runs compile kernels, which later ones find in a cache.
            self.run(0, Some(1), on, threads)?;
            self.run(1, Some(1), on, threads)?;
            devices.insert(gpu.label(), self.costs_on(on, threads)?);
        }
        Ok(MeasuredCosts { threads, one_thread, all_threads, devices })
    }

    fn costs_on(&self, on: DeviceChoice, threads: usize) -> Result<Costs, Failure> {
        report::print_to_stderr(format_args!("measuring {} on {on}, threads: {threads}", self.model));
        let (_, start_s) = self.shorter(1, Some(1), on, threads)?;
        let run = |number| {
            let (work, seconds) = self.shorter(number, None, on, threads)?;
            Ok::<_, Failure>((work, (seconds - start_s).max(0.0)))
        };
        Ok(Costs::of_runs(start_s, [run(0)?, run(1)?]))
    }

    /// Returns the work of a run and the shorter time of two repetitions.
    fn shorter(
        &self,
        number: usize,
        steps: Option<u64>,
        on: DeviceChoice,
        threads: usize,
    ) -> Result<(Work, f64), Failure> {
        let (work, first) = self.run(number, steps, on, threads)?;
        let (_, second) = self.run(number, steps, on, threads)?;
        Ok((work, first.min(second)))
    }

    /// Returns the work of a run and its seconds, without reading the scenario and writing the report.
    fn run(&self, number: usize, steps: Option<u64>, on: DeviceChoice, threads: usize) -> Result<(Work, f64), Failure> {
        let scenario = &self.scenarios[number];
        let out = scenario.with_extension("out");
        let run = ChildRun::start(&out, |command| {
            command.arg("run").arg(scenario).arg("--out").arg(&out).args(["--quiet", "--overwrite"]);
            command.args(["--device", &on.to_string(), "--threads", &threads.to_string()]);
            self.changes.iter().for_each(|change| {
                command.args(["--set", change]);
            });
            if let Some(steps) = steps {
                command.args(["--steps", &steps.to_string()]);
            }
            command
        })?;
        let outside = ["loading", "writing the report"];
        let phases = run.phases.iter().filter(|(phase, _)| !outside.contains(&phase.as_str()));
        let number = |name: &str| run.manifest["work"][name].as_f64().unwrap_or_default();
        Ok((Work { steps: number("steps"), units: number("units") }, phases.map(|(_, seconds)| seconds).sum()))
    }
}

/// Replaces the file of costs.
fn store(file: &Path, text: &str) -> Result<(), Failure> {
    let part = file.with_extension("part");
    let heading = "# Seconds of models on this machine, by `throng doctor --measure`.\n";
    let parent = file.parent().map_or(Ok(()), fs::create_dir_all);
    let written = parent.and_then(|()| fs::write(&part, format!("{heading}{text}")));
    written.and_then(|()| fs::rename(&part, file)).map_err(|error| {
        Failure::resource(format!("{} cannot be written: {error}", file.display()), "free some space in it")
    })
}

/// Returns the rows of the table: the costs of each model on each executor.
fn rows(measured: &MachineCosts) -> Vec<[String; 5]> {
    let heading = ["model", "executor", "start, s", "step, us", "unit, ns"].map(str::to_owned);
    let row = |model: &str, executor: &str, costs: &Costs| {
        let [step, unit] = [costs.step_s * 1e6, costs.unit_s * 1e9].map(|number| format!("{number:.2}"));
        [model.to_owned(), executor.to_owned(), format!("{:.2}", costs.start_s), step, unit]
    };
    let of_model = |(model, costs): (&String, &MeasuredCosts)| {
        let threads = format!("cpu, {} threads", costs.threads);
        let cpu = [row(model, "cpu, 1 thread", &costs.one_thread), row(model, &threads, &costs.all_threads)];
        let devices = costs.devices.iter().map(|(device, costs)| row(model, device, costs)).collect::<Vec<_>>();
        cpu.into_iter().chain(devices).collect::<Vec<_>>()
    };
    std::iter::once(heading).chain(measured.0.iter().flat_map(of_model)).collect()
}
