//! `throng doctor --measure`: measures the costs of each model on the CPU and on each GPU, for `--device auto`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use throng::device::{DeviceChoice, DeviceInfo, inventory};
use throng::model::{
    Calibration, CalibrationScenario, Costs, Failure, LOADING, MachineCosts, MeasuredCosts, Model, WRITING_REPORT, Work,
};
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
    let folder = TemporaryFolder(file.with_file_name(format!("measuring-{}", std::process::id())));
    // If nothing can be written there, nothing is measured.
    let _ = fs::remove_dir_all(&folder.0);
    fs::create_dir_all(&folder.0).map_err(|error| not_written(&file, &error))?;
    let all = inventory();
    let gpus: Vec<&DeviceInfo> = all.gpus().collect();
    let program = env!("CARGO_PKG_VERSION").to_owned();
    let mut measured = MachineCosts { program, ..MachineCosts::default() };
    for model in models {
        let Some(calibration) = model.calibration() else { continue };
        let scenarios = created(&calibration, &folder.0.join(model.name()))?;
        let suitable: Vec<&DeviceInfo> = gpus.iter().copied().filter(|gpu| model.unsuitable(gpu).is_none()).collect();
        let bench = Bench { model: model.name(), scenarios, changes: calibration.changes };
        measured.models.insert(model.name().to_owned(), bench.costs(&suitable)?);
    }
    let table = text_table(&rows(&measured), &[Left, Left, Right, Right, Right]);
    report::print(&format!(
        "\n{table}\ntime = start + steps x step + units x unit, without reading and writing; units are events of traffic, \
         cells in reach\nof moving entities (fields), pixels (render), and agents or space units per step, times steps\n"
    ))?;
    store(&file, &measured.to_toml())?;
    report::print(&format!("kept in {}, for --device auto\n", file.display()))
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
                written.map_err(|error| {
                    Failure::resource(
                        format!("{}: {error}", path.display()),
                        "set XDG_CACHE_HOME to a folder that you may write to",
                    )
                })?;
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
            let compiled = self.run(0, Some(1), on, threads).and_then(|_| self.run(1, Some(1), on, threads));
            match compiled.and_then(|_| self.costs_on(on, threads)) {
                Ok(costs) => {
                    devices.insert(gpu.label(), costs);
                }
                Err(failure) => report::print_to_stderr(format_args!("warning: {on} is left out: {failure}")),
            }
        }
        Ok(MeasuredCosts { threads, one_thread, all_threads, devices })
    }

    fn costs_on(&self, on: DeviceChoice, threads: usize) -> Result<Costs, Failure> {
        report::print_to_stderr(format_args!("measuring {} on {on}, threads: {threads}", self.model));
        let runs = |number| {
            let (_, first_s) = self.shorter(number, Some(1), on, threads)?;
            let (work, all_s) = self.shorter(number, None, on, threads)?;
            Ok::<_, Failure>((work, [first_s, all_s]))
        };
        Ok(Costs::of_runs([runs(0)?, runs(1)?]))
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
        let phases = run.phases.iter().filter(|(phase, _)| ![LOADING, WRITING_REPORT].contains(&phase.as_str()));
        let of_work = |name: &str| run.manifest["work"][name].as_f64();
        let (Some(steps), Some(units)) = (of_work("steps"), of_work("units")) else {
            let message = format!("the model {} does not estimate its work", self.model);
            return Err(Failure::resource(message, "this is a bug, please report it"));
        };
        Ok((Work { steps, units }, phases.map(|(_, seconds)| seconds).sum()))
    }
}

/// Replaces the file of costs.
fn store(file: &Path, text: &str) -> Result<(), Failure> {
    let part = file.with_extension("part");
    let heading = "# Seconds of models on this machine, by `throng doctor --measure`.\n";
    let parent = file.parent().map_or(Ok(()), fs::create_dir_all);
    let written = parent.and_then(|()| fs::write(&part, format!("{heading}{text}")));
    written.and_then(|()| fs::rename(&part, file)).map_err(|error| not_written(file, &error))
}

fn not_written(file: &Path, error: &std::io::Error) -> Failure {
    let remedy = "set XDG_CACHE_HOME to a folder that you may write to, on a disk with free space";
    Failure::resource(format!("{} cannot be written: {error}", file.display()), remedy)
}

/// Returns the rows of the table: the costs of each model on each executor.
fn rows(measured: &MachineCosts) -> Vec<[String; 5]> {
    let heading = ["model", "executor", "start, s", "step, us", "unit, ns"].map(str::to_owned);
    let row = |model: &str, executor: &str, costs: &Costs| {
        let [step, unit] = [costs.step_s * 1e6, costs.unit_s * 1e9].map(|number| format!("{number:.2}"));
        [model.to_owned(), executor.to_owned(), format!("{:.2}", costs.start_s), step, unit]
    };
    let of_model = |(model, costs): (&String, &MeasuredCosts)| {
        let mut rows = vec![row(model, "cpu, 1 thread", &costs.one_thread)];
        if costs.threads > 1 {
            rows.push(row(model, &format!("cpu, {} threads", costs.threads), &costs.all_threads));
        }
        rows.extend(costs.devices.iter().map(|(device, costs)| row(model, device, costs)));
        rows
    };
    std::iter::once(heading).chain(measured.models.iter().flat_map(of_model)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_executor_has_one_row() {
        let executors = |threads: usize| -> Vec<String> {
            let costs = Costs::new(0.0, 1e-6, 1e-9);
            let devices = BTreeMap::from([("cuda:0".to_owned(), costs)]);
            let costs = MeasuredCosts { threads, one_thread: costs, all_threads: costs, devices };
            let models = BTreeMap::from([("fields".to_owned(), costs)]);
            rows(&MachineCosts { models, ..MachineCosts::default() })
                .into_iter()
                .map(|[_, executor, ..]| executor)
                .collect()
        };
        assert_eq!(executors(1), ["executor", "cpu, 1 thread", "cuda:0"]);
        assert_eq!(executors(8), ["executor", "cpu, 1 thread", "cpu, 8 threads", "cuda:0"]);
    }
}
