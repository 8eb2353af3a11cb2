//! The paper as a value for lists of papers.

use throng_core::InputError;
use throng_crowd::social_field::{Flow, LARGEST_FIELD};
use throng_model::{Experiment, Failure, Flag, Flags, PaperHelp, ReproduceRequest};

use super::caching::PARTIAL_SUMS;
use super::cases::{Options, directions};
use crate::experiment::{Declaration, flags, reproduced};

const FLAGS: [Flag; 12] = [
    Flag::list("sizes", "N,...", "Space units along a side of the world [default: 100,200,...,1000]"),
    Flag::list("densities", "SHARE,...", "Shares of space units with a pedestrian [default: 0.1,0.2,...,0.9]"),
    Flag::list("flows", "N,...", "Numbers of headings, of 1, 2, 4 and 8 [default: 1,2,4,8]"),
    Flag::new("field", "N", "Columns and rows of a field, odd [default: 7]"),
    Flag::new("ticks", "N", "Ticks of a case [default: 1000]"),
    Flag::new(
        "seconds",
        "S",
        "Seconds for a program and a case, after which it makes no further ticks; at least one in each part [default: 0.2]",
    ),
    Flag::new(
        "windows",
        "N",
        "Parts of a case in which programs that are too slow for all ticks make some [default: 2]",
    ),
    Flag::new(
        "sums",
        "K",
        "Partial sums of the multi-step cache: 2, 4, 8 or 16; in one case all are measured [default: 4]",
    ),
    Flag::new(
        "memory-side",
        "N",
        "Space units along a side of the world of the memory table; 0 leaves the table out [default: 2000]",
    ),
    Flag::list("memory-fields", "N,...", "Field sizes of the memory table [default: 7,21,35,49,63,77]"),
    flags::repeat("Runs of each program; prints the median [default: 1]"),
    flags::threads("Threads for Throng's CPU executor [default: all]"),
];

/// The experiment of Yu et al.
pub const YU: Declaration = Declaration {
    name: "yu",
    help: PaperHelp {
        about: "Yu et al.: social fields of pedestrians, stored and updated through a cache",
        scenario: "",
        device: "Device to measure besides the CPU: auto selects the fastest GPU, cpu none",
        quick: "Two small worlds, two densities, two flows, 30 ticks: takes a minute on a software device",
        out: "Folder for yu.csv, yu_memory.csv, yu.md, a chart for each flow and program, and yu_all.svg",
        flags: &FLAGS,
        more: "The paper's 360 scenarios. Programs store the fields of pedestrians: on one thread, and on the device \
with the paper's one-step and multi-step cache; Throng's executors store none. The decision rule, the sector map and the \
weights are Throng's, as the paper does not print its own. Each program's state at its end is compared before its time \
is reported.

Every program makes ticks of a case for at most --seconds, spread over the case in --windows parts, but at least one in \
each. So the default measures for up to six minutes, but takes some 20 minutes: one thread of the CPU needs up to \
3 microseconds for a pedestrian and tick, in the largest worlds, and as long to prepare each part. In the largest world, at \
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
    let options = options(request.quick, &request.flags)?;
    Ok(Experiment {
        names: super::report::all_names(),
        inputs: Vec::new(),
        measure: Box::new(move |device, progress| {
            let measurements = super::reproduce(device, &options, progress)?;
            let text = "Yu et al., social fields\n\n".to_owned() + &super::table(&measurements);
            Ok(reproduced(text, super::files(&measurements)))
        }),
    })
}

fn options(quick: bool, flags: &Flags) -> Result<Options, Failure> {
    let mut defaults = Options::default();
    if quick {
        defaults = Options {
            sizes: vec![40, 80],
            densities: vec![0.3, 0.6],
            flows: vec![Flow::Bi, Flow::Eight],
            ticks: 30,
            memory_side: 200,
            ..defaults
        };
    }
    let options = Options {
        sizes: flags::numbers(flags, "sizes", 3..=LARGEST_SIDE, defaults.sizes)?,
        densities: flags::numbers(flags, "densities", 0.001..=1.0, defaults.densities)?,
        flows: flags::or(flows(flags)?, defaults.flows),
        field: flags::number(flags, "field", 1..=LARGEST_FIELD, defaults.field)?,
        ticks: flags::number(flags, "ticks", 1..=1_000_000, defaults.ticks)?,
        seconds: flags::number(flags, "seconds", 0.0..=3600.0, defaults.seconds)?,
        windows: flags::number(flags, "windows", 1..=100, defaults.windows)?,
        repeat: flags::repeat_of(flags, defaults.repeat)?,
        sums: flags::number(flags, "sums", 2..=16, defaults.sums)?,
        threads: flags::threads_of(flags)?,
        memory_side: flags::number(flags, "memory-side", 0..=LARGEST_SIDE, defaults.memory_side)?,
        memory_fields: flags::numbers(flags, "memory-fields", 1..=LARGEST_FIELD, defaults.memory_fields)?,
        seed: defaults.seed,
    };
    if !PARTIAL_SUMS.contains(&options.sums) {
        return Err(Failure::input("--sums", options.sums.to_string(), "give 2, 4, 8 or 16"));
    }
    for (name, fields) in [("--field", vec![options.field]), ("--memory-fields", options.memory_fields.clone())] {
        if let Some(even) = fields.iter().find(|field| field.is_multiple_of(2)) {
            return Err(Failure::input(name, even.to_string(), "give odd numbers"));
        }
    }
    if let Some(&size) = options.sizes.iter().find(|&&size| size < options.field) {
        let found = format!("{size}, with fields of {}", options.field);
        return Err(Failure::input("--sizes", found, "give worlds that are at least as large as a field"));
    }
    Ok(options)
}

/// A world of this side has fewer than 2^24 pedestrians, the most that Throng takes.
const LARGEST_SIDE: u32 = 4000;

/// The flows with the given numbers of headings.
fn flows(flags: &Flags) -> Result<Vec<Flow>, InputError> {
    let of = |count: u32| {
        let flow = Flow::ALL.into_iter().find(|&flow| directions(flow) == count as usize);
        flow.ok_or_else(|| InputError::one("--flows", count.to_string(), "give some of 1, 2, 4 and 8"))
    };
    flags.numbers("flows", 1..=8)?.into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options_of(quick: bool, given: &[(&str, &str)]) -> Result<Options, Failure> {
        options(quick, &flags::given(&FLAGS, given))
    }

    #[test]
    fn what_is_typed_counts_more_than_quick() {
        let all = options_of(false, &[]).unwrap();
        assert_eq!((all.cases().len(), all.ticks, all.sums, all.repeat), (360, 1000, 4, 1));
        let quick = options_of(true, &[("flows", "8,1"), ("sums", "16"), ("ticks", "3")]).unwrap();
        assert_eq!((quick.flows.as_slice(), quick.sums), ([Flow::Eight, Flow::Uni].as_slice(), 16));
        assert_eq!((quick.ticks, quick.cases().len()), (3, 8));
    }

    #[test]
    fn what_is_out_of_its_range_is_refused() {
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
