//! The paper as a value for lists of papers.

use throng_model::Failure;
use throng_model::paper::{Experiment, PaperHelp, ReproduceRequest};

use super::cases::{FLAGS, Options};
use crate::experiment::{Declaration, MeasuredOn, experiment, results};

/// The experiment of Vigueras et al.
pub const VIGUERAS: Declaration = Declaration {
    name: "vigueras",
    help: PaperHelp {
        about: "Vigueras et al.: collision checks of moving discs, with and without sorting",
        scenario: "",
        device: "Device to measure besides the CPU: auto selects the fastest GPU, cpu none",
        quick: "Up to 10,000 agents, few moves: takes less than half a minute on a software device",
        out: "Folder for vigueras.csv, vigueras_overlaps.csv, with a device vigueras_kernels.csv, vigueras.md, \
              statements.md, manifest.json, and, with a device and three or more numbers of agents, \
              vigueras_times.svg and vigueras_rates.svg",
        flags: FLAGS,
        more: "Discs of one radius move at random; checks decide which moves are granted. The paper's checks let \
discs overlap: the last table counts such pairs, next to a rule of Throng that prevents overlaps. The first step of \
each of the paper's programs is compared with the same check on the CPU before it is timed, and the final positions of \
all baselines with each other. Each statement of the paper has a verdict.

Examples:
  throng reproduce vigueras
      everything, on the fastest device
  throng reproduce vigueras --quick --device vulkan:0
      a few small cases: a quick test
  throng reproduce vigueras --agents 1000000 --areas 0.2 --steps 0.25
      the paper's largest crowd",
    },
    plan,
    cases: &super::verification::CASES,
};

fn plan(request: &ReproduceRequest) -> Result<Experiment, Failure> {
    let options = Options::of(request.quick, &request.flags)?;
    Ok(experiment(&super::report::all_names(), move |on, progress| {
        let device = on.shared_device();
        let measurements = super::reproduce(device, &options, progress)?;
        let text = "Vigueras et al., collision checks\n\n".to_owned() + &super::table(&measurements);
        let statements = super::statements::statements(&measurements, MeasuredOn::of(on.device()));
        Ok(results(&text, &statements, super::files(&measurements)))
    }))
}

#[cfg(test)]
mod tests {
    use super::super::published::Restore;
    use super::*;
    use crate::experiment::flags;

    fn options_of(quick: bool, given: &[(&str, &str)]) -> Options {
        Options::of(quick, &flags::from_values(&VIGUERAS, given)).unwrap()
    }

    #[test]
    fn explicit_flags_override_quick() {
        let all = options_of(false, &[]);
        assert_eq!((all.cases().len(), all.moves, all.repeat), (16, 100, 3));
        let quick = options_of(true, &[("agents", "77"), ("steps", "0.5,2"), ("moves", "3")]);
        assert_eq!((quick.agents.as_slice(), quick.steps.as_slice()), ([77].as_slice(), [0.5, 2.0].as_slice()));
        assert_eq!((quick.moves, quick.repeat, quick.density_agents), (3, 3, 1_000));
        assert_eq!(all.restore, [Restore::Immediate]);
        let readings = options_of(true, &[("restore", "full-walk,immediate")]).restore;
        assert_eq!(readings, [Restore::FullWalk, Restore::Immediate]);
    }

    #[test]
    fn out_of_range_values_are_refused() {
        flags::are_refused(
            &VIGUERAS,
            &[
                ("agents", "0"),
                ("areas", "0.2,0.71"),
                ("areas", "NaN"),
                ("steps", "17"),
                ("steps", "-1"),
                ("moves", "0"),
                ("repeat", "0"),
                ("restore", "walk"),
                ("restore", "one-hop,one-hop"),
            ],
        );
    }
}
