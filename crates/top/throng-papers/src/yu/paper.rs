//! The paper as a value, for lists of papers.

use throng_model::Failure;
use throng_model::paper::{Experiment, PaperHelp, ReproduceRequest};

use super::cases::{FLAGS, Options};
use crate::experiment::{Declaration, experiment, results};

/// The experiment of Yu et al.
pub const YU: Declaration = Declaration {
    name: "yu",
    help: PaperHelp {
        about: "Yu et al.: social fields of pedestrians, stored and updated through a cache",
        scenario: "",
        device: "Device to measure besides the CPU: auto selects the fastest GPU, cpu none",
        quick: "Two small worlds, two densities, two flows, 30 ticks: takes a minute on a software device",
        out: "Folder for yu.csv, yu_memory.csv, yu.md, a chart for each flow and program, and yu_all.svg",
        flags: FLAGS,
        more: "The paper's 360 scenarios. Programs store the fields of pedestrians: on one thread, and on the device \
with the paper's one-step and multi-step cache; Throng's executors store none. The decision rule, the sector map and the \
weights are Throng's, as the paper does not print its own. Each program's state at its end is compared before its time \
is reported.

Every program makes ticks of a case for at most --seconds, spread over the case in --windows parts, but at least one in \
each. So the default measures for up to six minutes, but takes some 20 minutes: one thread of the CPU needs up to \
3 microseconds per pedestrian and tick in the largest worlds, and as long to prepare each part. In the largest world, at \
the density nearest to a half and with the most directions, the multi-step cache is measured with 2, 4, 8 and 16 partial \
sums.

Examples:
  throng reproduce yu
      everything, on the fastest device
  throng reproduce yu --sizes 100,400,700,1000 --densities 0.1,0.5,0.9 --ticks 200 --seconds 0.1
      48 of the scenarios in fewer ticks: some three minutes
  throng reproduce yu --quick --device vulkan:0
      a few small cases: a quick test
  throng reproduce yu --sizes 700 --densities 0.5 --flows 8 --memory-side 0
      the scenario of the paper's largest speed-up",
    },
    plan,
    cases: &super::verification::CASES,
};

fn plan(request: &ReproduceRequest) -> Result<Experiment, Failure> {
    let options = Options::of(request.quick, &request.flags)?.checked()?;
    Ok(experiment(&super::report::all_names().join(" "), move |on, progress| {
        let device = on.shared_device();
        let measurements = super::reproduce(device, &options, progress)?;
        let text = "Yu et al., social fields\n\n".to_owned() + &super::table(&measurements);
        Ok(results(text, super::files(&measurements)))
    }))
}

#[cfg(test)]
mod tests {
    use throng_pedestrians::Flow;

    use super::*;
    use crate::experiment::flags;

    fn options_of(quick: bool, given: &[(&str, &str)]) -> Options {
        Options::of(quick, &flags::from_values(&YU, given)).unwrap()
    }

    #[test]
    fn explicit_flags_override_quick() {
        let all = options_of(false, &[]);
        assert_eq!((all.cases().len(), all.ticks, all.sums, all.repeat), (360, 1000, 4, 1));
        let quick = options_of(true, &[("flows", "8,1"), ("sums", "16"), ("ticks", "3")]);
        assert_eq!((quick.flows.as_slice(), quick.sums), ([Flow::Eight, Flow::Uni].as_slice(), 16));
        assert_eq!((quick.ticks, quick.cases().len()), (3, 8));
    }

    #[test]
    fn out_of_range_values_are_refused() {
        flags::are_refused(
            &YU,
            &[
                ("sizes", "2"),
                ("sizes", "5"),
                ("sizes", "5000"),
                ("densities", "0.5,1.1"),
                ("densities", "NaN"),
                ("flows", "3"),
                ("field", "6"),
                ("field", "257"),
                ("ticks", "0"),
                ("seconds", "-1"),
                ("windows", "0"),
                ("sums", "3"),
                ("memory-fields", "7,8"),
                ("repeat", "0"),
            ],
        );
    }
}
