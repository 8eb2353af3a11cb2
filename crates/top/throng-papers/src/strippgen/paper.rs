//! The paper as a value, for lists of papers.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use throng_city::CityOptions;
use throng_core::{Progress, Warnings, clock};
use throng_device::{Device, DeviceClass};
use throng_model::paper::{Experiment, PaperHelp, ReproduceRequest, Reproduced};
use throng_model::scenario_file::find_model;
use throng_model::{Failure, ScenarioRequest};
use throng_traffic::{Scenario, Traffic, check_files, day, load_scenario};

use super::reproduce::FLAGS;
use super::{NAMES, Options, StrippgenMeasurements, files, generated_city};
use crate::experiment::{Declaration, MIN_RUNS, MeasuredOn, names, results};

/// The experiment of Strippgen and Nagel.
pub const STRIPPGEN: Declaration = Declaration {
    name: "strippgen",
    help: PaperHelp {
        about: "Strippgen and Nagel 2009: a queue model of traffic on a GPU, in eight programs",
        scenario: "A MATSim config.xml, a folder that holds one, or a scenario file (.toml); its car legs are simulated",
        device: "Device to measure besides one CPU thread: auto selects the fastest GPU, cpu none",
        quick: "A small city, two samples and up to three runs of 60 steps: takes seconds, even on a software device",
        out: "Folder for strippgen.csv, statements.md, manifest.json, the chart strippgen.svg, and, with three or more \
              samples, strippgen_cpu.svg and strippgen_device.svg",
        flags: FLAGS,
        more: "Without SCENARIO a city of 37,000 links and 850,000 persons is generated, which takes a minute.

Examples:
  throng reproduce strippgen
      everything, on the fastest device; about ten minutes
  throng reproduce strippgen --quick --device vulkan:0
      a small city and few steps: a quick test
  throng reproduce strippgen examples/city --samples 100 --from 06:00:00 --steps 3600",
    },
    plan,
    cases: &[],
};

fn plan(request: &ReproduceRequest) -> Result<Experiment, Failure> {
    let options = Options::of(request.quick, &request.flags)?;
    let choice = ScenarioChoice { scenario: request.scenario.clone(), quick: request.quick };
    Ok(Experiment {
        names: names(NAMES),
        inputs: choice.scenario.iter().cloned().collect(),
        measure: Box::new(move |on, progress| choice.measure(options, on.device(), progress)),
    })
}

/// The scenario to simulate, and whether to be quick.
struct ScenarioChoice {
    scenario: Option<PathBuf>,
    quick: bool,
}

impl ScenarioChoice {
    fn measure(
        self,
        mut options: Options,
        device: Option<&Device>,
        progress: &dyn Progress,
    ) -> Result<Reproduced, Failure> {
        options.whole_day &= device.is_none_or(|device| device.info().class != DeviceClass::Software);
        let scenario = match &self.scenario {
            Some(named) => loaded(named, progress)?,
            None => self.generated(progress)?,
        };
        let measurements = super::reproduce(&scenario, device, &options, progress)?;
        let mut notes = Vec::new();
        if measurements.is_empty_road() {
            let [from, to] = [options.from_s, options.from_s + options.steps].map(|s| clock::format(f64::from(s)));
            notes.push(format!("no vehicle is on the road from {from} to {to}; choose another time with --from"));
        }
        let text = self.heading(&measurements) + &super::table(&measurements);
        let statements = super::statements(&measurements, MeasuredOn::of(device));
        Ok(Reproduced { notes, ..results(&text, &statements, files(&measurements)) })
    }

    fn generated(&self, progress: &dyn Progress) -> Result<Scenario, Failure> {
        let small = CityOptions { links: 400, persons: 3000, days: 0, ..CityOptions::default() };
        let options = if self.quick { small } else { CityOptions::default() };
        generated_city(&options, progress)
    }

    /// The lines above the table.
    fn heading(&self, measurements: &StrippgenMeasurements) -> String {
        let (links, nodes) = measurements.network;
        let what = match &self.scenario {
            Some(path) => path.display().to_string(),
            None => "a generated city".to_owned(),
        };
        let left_out = match measurements.left_out {
            0 => String::new(),
            1 => "; 1 car leg without a complete route is left out".to_owned(),
            n => format!("; {n} car legs without a complete route are left out"),
        };
        let repeat = measurements.options.repeat;
        let mut runs = throng_core::counted(repeat as u64, "run");
        if repeat > MIN_RUNS {
            let _ = write!(runs, ", or of {MIN_RUNS} where a run takes longer than a second");
        }
        let toy = if self.quick {
            "a small city and few steps, as a quick test: not comparable with the paper's 850,000 agents\n"
        } else {
            ""
        };
        format!(
            "Strippgen and Nagel 2009, {what}: {links} links, {nodes} nodes{left_out}\n{toy}\
             simulated seconds per second of wall-clock time, larger is faster; medians of up to {runs}\n\n"
        )
    }
}

/// Loads the scenario named on the command line.
fn loaded(named: &Path, progress: &dyn Progress) -> Result<Scenario, Failure> {
    let (_, file) = find_model(&[&Traffic], Some(named))?;
    let day = day(&ScenarioRequest { file, ..ScenarioRequest::default() })?;
    let tell = |warnings: &Warnings| warnings.lines().for_each(|line| progress.note(&line));
    tell(&day.warnings);
    for note in &day.notes {
        progress.note(&format!("note: {note}"));
    }
    check_files(&day.settings)?;
    let mut warnings = day.warnings.clone();
    let scenario = load_scenario(day.settings, &mut warnings, progress)?;
    tell(&warnings.without(&day.warnings));
    Ok(scenario)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::flags;

    fn options_of(quick: bool, given: &[(&str, &str)]) -> Options {
        Options::of(quick, &flags::from_values(&STRIPPGEN, given)).unwrap()
    }

    #[test]
    fn explicit_flags_override_quick() {
        let all = options_of(false, &[]);
        assert_eq!((all.percents.len(), all.from_s, all.steps, all.repeat), (5, 27_000, 900, 5));
        let quick = options_of(true, &[("samples", "5,50"), ("from", "06:00:00"), ("repeat", "2")]);
        assert_eq!(quick.percents, [5.0, 50.0]);
        assert_eq!((quick.from_s, quick.steps, quick.repeat, quick.whole_day), (21_600, 60, 2, false));
    }

    #[test]
    fn impossible_samples_and_times_are_refused() {
        flags::are_refused(
            &STRIPPGEN,
            &[
                ("samples", "10,0"),
                ("samples", "10,1,10"),
                ("samples", "NaN"),
                ("from", "noon"),
                ("steps", "0"),
                ("threads", "1025"),
            ],
        );
    }
}
