//! The thesis as a value for lists of papers.

use std::path::Path;

use throng_core::{read_input_text, unreadable_input};
use throng_model::{Experiment, Failure, Flag, Flags, PaperHelp, ReproduceRequest};

use super::{Beyond, Options, Published};
use crate::experiment::{Declaration, flags, reproduced};

/// Maximum size of the file of published tables, bytes.
const MAX_BYTES: u64 = 16 << 20;

const FLAGS: [Flag; 8] = [
    Flag::list("radii", "UNITS,...", "Radii of circles, world units [default: 15,8,4]"),
    Flag::list("resolutions", "CELLS,...", "Cells along a side of the field [default: 256,512,...,2048]"),
    Flag::list("entities", "N,...", "Numbers of circles [default: 64,128,256,512,...,2048]"),
    flags::repeat("Runs of each program; prints the median. Programs that take longer than 1 s run once [default: 10]"),
    Flag::new("most-naive-pairs", "N", "Skip the naive CPU program in cases with more pairs of cell and circle"),
    flags::threads(
        "Threads for Throng's CPU program and the copy by rows; both are also measured on one thread [default: all]",
    ),
    Flag::switch(
        "beyond",
        "Also measure on the device what the thesis does not cover: many small windows at once, fields up to 16,384 x \
         16,384 cells with a million circles, influence maps, travel times; needs 2 GiB of device memory",
    ),
    Flag::new(
        "published",
        "FILE",
        "The tables of the thesis: a CSV file with the columns `radius`, `cpu_naive_ms`, `cpu_mem_ms`, `gpu_naive_ms`, \
         `gpu_coalesced_ms`, `gpu_shared_ms`, `resolution`, `entities`",
    ),
];

/// The experiment of Elmir's thesis.
pub const ELMIR: Declaration = Declaration {
    name: "elmir",
    help: PaperHelp {
        about: "Elmir 2013: potential fields on a CPU and a GPU, in five programs",
        scenario: "",
        device: "Device to measure besides the CPU: auto selects the fastest GPU, cpu none",
        quick: "Two radii, two small resolutions, two numbers of circles, three runs: takes seconds, even on a \
                software device",
        out: "Folder for elmir.csv, a chart for each radius, and the table of --beyond",
        flags: &FLAGS,
        more: "The field of circles in a world of 256 x 256 units: every combination of radius, resolution and \
number of circles is a case, 240 in all. Each program's field is compared with Throng's before it is timed.

Examples:
  throng reproduce elmir
      everything, on the fastest device; about half an hour, mostly for the naive CPU program
  throng reproduce elmir --most-naive-pairs 0
      without it: some minutes
  throng reproduce elmir --quick --device vulkan:0
      a few small cases: a quick test
  throng reproduce elmir --published elmir_tables.csv
      with all published figures beside Throng's; otherwise those of the largest case",
    },
    plan,
    cases: &super::verification::CASES,
};

fn plan(ReproduceRequest { quick, flags, .. }: &ReproduceRequest) -> Result<Experiment, Failure> {
    let options = options(*quick, flags)?;
    let file = flags.get("published").map(Path::new);
    let published = file.map_or_else(|| Ok(Published::headline()), published)?;
    let beyond = flags.has("beyond");
    let charts = options.radii.iter().map(|radius| format!("elmir_r{radius}.svg"));
    Ok(Experiment {
        names: ["elmir.csv", "elmir_beyond.csv"].map(str::to_owned).into_iter().chain(charts).collect(),
        inputs: file.map(Path::to_owned).into_iter().collect(),
        measure: Box::new(move |device, progress| {
            let measurements = super::reproduce(device, &options, progress)?;
            let cases = options.cases().len();
            let heading = format!("Elmir 2013, circles in a world of 256 x 256 units, {cases} cases; medians");
            let (table, statements) = (super::table(&measurements, &published), super::statements(&measurements));
            let mut text = format!("{heading}\n\n{table}\n{statements}");
            let mut files = super::files(&measurements, &published);
            if let Some(device) = device.filter(|_| beyond) {
                let beyond = Beyond::default().measure(device, progress)?;
                text = text + "\n" + &super::beyond_table(&beyond);
                files.push(("elmir_beyond.csv".to_owned(), super::beyond_csv(&beyond)));
            }
            Ok(reproduced(text, files))
        }),
    })
}

fn options(quick: bool, flags: &Flags) -> Result<Options, Failure> {
    let mut defaults = Options::default();
    if quick {
        let (radii, resolutions, counts) = (vec![15.0, 4.0], vec![256, 512], vec![64, 256]);
        defaults = Options { radii, resolutions, counts, repeat: 3, ..defaults };
    }
    Ok(Options {
        radii: flags::numbers(flags, "radii", .., defaults.radii)?,
        resolutions: flags::numbers(flags, "resolutions", 1..=32_768, defaults.resolutions)?,
        counts: flags::numbers(flags, "entities", 1..=10_000_000, defaults.counts)?,
        repeat: flags::repeat_of(flags, defaults.repeat)?,
        most_naive_pairs: flags::number(flags, "most-naive-pairs", .., defaults.most_naive_pairs)?,
        threads: flags::threads_of(flags)?,
        seed: defaults.seed,
    })
}

fn published(file: &Path) -> Result<Published, Failure> {
    let place = file.display().to_string();
    let text = read_input_text(file, MAX_BYTES).map_err(|error| unreadable_input(file, &error))?;
    Published::parse(&text)
        .map_err(|error| Failure::input(format!("{place}: {}", error.place), error.value, error.remedy))
}

#[cfg(test)]
mod tests {
    use throng_model::Paper;

    use super::*;

    fn options_of(quick: bool, given: &[(&str, &str)]) -> Result<Options, Failure> {
        options(quick, &flags::given(&FLAGS, given))
    }

    #[test]
    fn what_is_typed_counts_more_than_quick() {
        let all = options_of(false, &[]).unwrap();
        assert_eq!((all.cases().len(), all.repeat, all.most_naive_pairs), (240, 10, u64::MAX));
        let typed = [("radii", "8,4.5"), ("repeat", "2"), ("most-naive-pairs", "0")];
        let quick = options_of(true, &typed).unwrap();
        assert_eq!((quick.radii, quick.resolutions.as_slice()), (vec![8.0, 4.5], [256, 512].as_slice()));
        assert_eq!((quick.repeat, quick.most_naive_pairs, quick.counts.len()), (2, 0, 2));
    }

    #[test]
    fn a_flag_that_is_misspelt_and_a_scenario_are_refused() {
        let mut flags = Flags::default();
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
    fn what_is_there_twice_or_out_of_its_range_is_refused() {
        flags::are_refused(
            &ELMIR,
            &[
                ("radii", "8,4,8"),
                ("resolutions", "256,256"),
                ("resolutions", "0"),
                ("entities", "64,9,9"),
                ("repeat", "1001"),
            ],
        );
    }
}
