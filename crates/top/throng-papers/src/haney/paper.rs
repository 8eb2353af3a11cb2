//! The paper as a value, for lists of papers.

use throng_model::Failure;
use throng_model::paper::{Experiment, PaperHelp, ReproduceRequest};

use super::reproduce::{FLAGS, Options};
use crate::experiment::{Declaration, experiment, results};

/// The experiment with the program of Haney, Haarsma and Ditta.
pub const HANEY: Declaration = Declaration {
    name: "haney",
    help: PaperHelp {
        about: "Haney, Haarsma and Ditta 2017: societies that barter and build, and the defects of their program",
        scenario: "",
        device: "The experiment runs on the CPU; a device is not used",
        quick: "Two seeds, and trade without devices up to day 50: takes seconds",
        out: "Folder for haney.csv, haney.md, statements.md and manifest.json",
        flags: FLAGS,
        more: "The published program differs from its model in six rules, one of which makes every price 1. \
Societies of 24 agents and 24 resources follow the model, the model with each of these rules in turn, and with all \
of them, and are compared with runs of the program: without trade and devices, with trade, with tools, and with all \
devices that extract. Draws are Throng's, so that means over seeds are compared, and not single runs.

`throng run examples/societies` runs the model itself, and `throng check economy` verifies it.

Examples:
  throng reproduce haney
      all scenarios with 8 seeds
  throng reproduce haney --seeds 100
      smaller standard errors
  throng reproduce haney --quick
      trade without devices: a quick test",
    },
    plan,
    cases: &[],
};

fn plan(request: &ReproduceRequest) -> Result<Experiment, Failure> {
    let options = Options::of(request.quick, &request.flags)?;
    Ok(experiment("haney.csv haney.md", move |_, progress| {
        let measurements = super::reproduce(&options, progress)?;
        let text = "Haney, Haarsma and Ditta 2017, Societies\n\n".to_owned() + &super::text(&measurements);
        Ok(results(&text, &super::statements(&measurements), super::files(&measurements)))
    }))
}

#[cfg(test)]
mod tests {
    use throng_core::NoProgress;
    use throng_model::paper::Paper;

    use super::super::scenarios::Scenario;
    use super::*;
    use crate::experiment::flags;

    fn options_of(quick: bool, given: &[(&str, &str)]) -> Options {
        Options::of(quick, &flags::from_values(&HANEY, given)).unwrap()
    }

    #[test]
    fn explicit_flags_override_quick() {
        let all = options_of(false, &[]);
        assert_eq!((all.scenarios.as_slice(), all.seeds, all.last_day), (Scenario::ALL.as_slice(), 8, 200));
        let quick = options_of(true, &[("seeds", "3"), ("threads", "1")]);
        assert_eq!((quick.scenarios.as_slice(), quick.seeds, quick.last_day), ([Scenario::Trade].as_slice(), 3, 50));
        assert_eq!(quick.threads, 1);
    }

    #[test]
    fn out_of_range_values_are_refused() {
        flags::are_refused(&HANEY, &[("seeds", "0"), ("seeds", "1001"), ("seeds", "2.5"), ("threads", "0")]);
    }

    #[test]
    fn the_paper_writes_the_files_that_it_names() {
        let mut flags = throng_model::flags::Flags::default();
        flags.add("seeds", "1");
        let request = ReproduceRequest { quick: true, flags, ..ReproduceRequest::default() };
        let experiment = HANEY.experiment(&request).unwrap();
        let names = experiment.names.clone();
        let reproduced = (experiment.measure)(&throng_device::Executor::cpu(), &NoProgress).unwrap();
        assert_eq!(reproduced.files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), names);
        assert!(reproduced.text.starts_with("Haney, Haarsma and Ditta 2017"), "{}", reproduced.text);
    }
}
