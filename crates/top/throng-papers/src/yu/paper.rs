//! The paper as a value, for lists of papers.

use throng_model::Failure;
use throng_model::paper::{Experiment, PaperHelp, ReproduceRequest};

use super::cases::{FLAGS, Options};
use crate::experiment::{Declaration, MeasuredOn, experiment, results};

/// The experiment of Yu et al.
pub const YU: Declaration = Declaration {
    name: "yu",
    help: PaperHelp {
        about: "Yu et al.: social fields of pedestrians, stored and updated through a cache",
        scenario: "",
        device: "Device to measure besides the CPU: auto selects the fastest GPU, cpu none",
        quick: "Two small worlds, two densities, two flows, 12 ticks: up to a minute on a software device",
        out: "Folder for yu.csv, yu_memory.csv, yu_ablation.csv, yu.md, statements.md, manifest.json, and charts \
with three or more points: one for each flow and program, yu_all.svg and yu_fan_outs.svg",
        flags: FLAGS,
        more:
            "The paper's 360 scenarios, and its statements. Programs store the fields of pedestrians: on one thread; \
on the device with the paper's one-step and multi-step cache, with atomic additions in place of a cache, and as the \
paper's first and second GPU program, which differ in the cache and in all techniques. Throng's executors store no \
fields. The decision rule, the sector map and the weights are Throng's: the paper prints its map for fields of \
7 x 7 only, and neither the rule nor the weights. Each program's state at its end is compared before its time is reported.

In the worlds of --ablation-sizes, each technique of the second program is left out: local memory, caches in place of \
atomic additions, selections in place of branches, records of prime size, overlapping work of CPU and GPU, adjacent \
words, the sort by exchanges, and dot products.

Every program makes --repeat runs of a case. A run has ticks for at most --seconds, spread over the case in --windows \
parts, but at least one in each: so with the defaults each time of the CPU program is that of 3 runs of at least 3 \
ticks. It needs up to 3 microseconds per pedestrian and tick in the largest worlds, and as long to prepare each part: \
all 360 scenarios take about an hour (estimated). In the largest world, at the density nearest to a half and with the \
most directions, the multi-step cache is measured with 2, 4, 8 and 16 partial sums.

Examples:
  throng reproduce yu
      everything, on the fastest device
  throng reproduce yu --sizes 100,400,700,1000 --densities 0.1,0.5,0.9 --ticks 200 --seconds 0.1
      48 of the scenarios in fewer ticks
  throng reproduce yu --quick --device vulkan:0
      a few small cases: a quick test
  throng reproduce yu --sizes 700 --densities 0.5 --flows 8 --memory-side 0
      the scenario of the paper's largest speed-up
  throng reproduce yu --sizes 700 --densities 0.5 --flows 8 --memory-side 0 --ablation-sizes 100,400,1000 --repeat 9
      the techniques in three worlds",
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
        let memory = on.device().and_then(|device| device.info().memory_bytes);
        let statements = super::statements::statements(&measurements, MeasuredOn::of(on.device()), memory);
        Ok(results(&text, &statements, super::files(&measurements)))
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
        assert_eq!((all.cases().len(), all.ticks, all.sums, all.repeat), (360, 1000, 4, 3));
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
                ("ablation-sizes", "5"),
            ],
        );
    }
}
