//! The thesis as a value, for lists of papers.

use throng_model::Failure;
use throng_model::paper::{Experiment, PaperHelp, ReproduceRequest};

use super::Beyond;
use super::cases::{FLAGS, Options};
use super::charts::Figure;
use crate::experiment::{Declaration, MeasuredOn, experiment, results};

/// The experiment of Elmir's thesis.
pub const ELMIR: Declaration = Declaration {
    name: "elmir",
    help: PaperHelp {
        about: "Elmir 2013: potential fields on a CPU and a GPU, in five programs",
        scenario: "",
        device: "Device to measure besides the CPU: auto selects the fastest GPU, cpu none",
        quick: "Two radii, two small resolutions, two numbers of circles, three runs: takes seconds, even on a \
                software device",
        out: "Folder for elmir.csv, elmir_speed_up.csv, statements.md, manifest.json, elmir_beyond.csv with --beyond, and \
              charts as in the thesis, for three or more resolutions or numbers of circles",
        flags: FLAGS,
        more: "The field of circles in a world of 256 x 256 units: every combination of radius, resolution and \
number of circles is a case, 240 in all. Each program's field is compared with Throng's.

Examples:
  throng reproduce elmir
      everything, on the fastest device; about half an hour, mostly for the naive CPU program
  throng reproduce elmir --most-naive-pairs 0
      without it: a few minutes
  throng reproduce elmir --quick --device vulkan:0
      a few small cases: a quick test",
    },
    plan,
    cases: &super::verification::CASES,
};

fn plan(ReproduceRequest { quick, flags, .. }: &ReproduceRequest) -> Result<Experiment, Failure> {
    let options = Options::of(*quick, flags)?;
    let beyond = flags.has("beyond");
    let figures = Figure::all(&options).into_iter().map(Figure::file).collect::<Vec<_>>().join(" ");
    Ok(experiment(&format!("elmir.csv elmir_speed_up.csv elmir_beyond.csv {figures}"), move |on, progress| {
        let device = on.device();
        if beyond && device.is_none() {
            let remedy = "name a device, such as --device cuda:0 (throng doctor lists them), or leave out --beyond";
            return Err(Failure::input("--beyond", "needs a device, and this run uses only the CPU", remedy));
        }
        let measurements = super::reproduce(device, &options, progress)?;
        let cases = options.cases().len();
        let heading = format!("Elmir 2013, circles in a world of 256 x 256 units, {cases} cases; medians");
        let mut text = format!("{heading}\n\n{}\n{}", super::table(&measurements), super::ours(&measurements));
        let mut files = super::files(&measurements);
        if let Some(device) = device.filter(|_| beyond) {
            let beyond = Beyond::default().measure(device, progress)?;
            text = text + "\n" + &super::beyond_table(&beyond);
            files.push(("elmir_beyond.csv".to_owned(), super::beyond_csv(&beyond)));
        }
        let statements = super::statements(&measurements, MeasuredOn::of(device));
        Ok(results(&text, &statements, files))
    }))
}

#[cfg(test)]
mod tests {
    use throng_model::paper::Paper;

    use super::*;
    use crate::experiment::flags;

    fn options_of(quick: bool, given: &[(&str, &str)]) -> Options {
        Options::of(quick, &flags::from_values(&ELMIR, given)).unwrap()
    }

    #[test]
    fn explicit_flags_override_quick() {
        let all = options_of(false, &[]);
        assert_eq!((all.cases().len(), all.repeat, all.most_naive_pairs), (240, 10, u64::MAX));
        let typed = [("radii", "8,4.5"), ("repeat", "2"), ("most-naive-pairs", "0")];
        let quick = options_of(true, &typed);
        assert_eq!((quick.radii, quick.resolutions.as_slice()), (vec![8.0, 4.5], [256, 512].as_slice()));
        assert_eq!((quick.repeat, quick.most_naive_pairs, quick.counts.len()), (2, 0, 2));
    }

    #[test]
    fn a_flag_that_is_misspelt_and_a_scenario_are_refused() {
        let mut flags = throng_model::flags::Flags::default();
        flags.add("radi", "8");
        let request = ReproduceRequest { scenario: Some("berlin".into()), quick: true, flags };
        let failure = ELMIR.experiment(&request).unwrap_err();
        assert_eq!(failure.exit_code(), 2);
        let hint = "did you mean \"radii\"? known: radii, resolutions, ";
        for part in ["--radi: paper elmir has no such flag", hint, "berlin: paper elmir takes no scenario"] {
            assert!(failure.to_string().contains(part), "{failure}");
        }
    }

    #[test]
    fn measurements_that_need_a_device_are_refused_without_one() {
        let request = ReproduceRequest {
            quick: true,
            flags: flags::from_values(&ELMIR, &[("beyond", "")]),
            ..Default::default()
        };
        let experiment = ELMIR.experiment(&request).unwrap();
        let failure = (experiment.measure)(&throng_device::Executor::cpu(), &throng_core::NoProgress).unwrap_err();
        assert_eq!(failure.exit_code(), 2);
        assert!(
            failure.to_string().starts_with("--beyond: needs a device, and this run uses only the CPU"),
            "{failure}"
        );
    }

    #[test]
    fn duplicate_and_out_of_range_values_are_refused() {
        flags::are_refused(
            &ELMIR,
            &[
                ("radii", "8,4,8"),
                ("radii", "0"),
                ("radii", "8,inf"),
                ("resolutions", "256,256"),
                ("resolutions", "0"),
                ("entities", "64,9,9"),
                ("repeat", "1001"),
            ],
        );
    }
}
