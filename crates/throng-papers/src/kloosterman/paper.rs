//! The project as a value for lists of papers.

use throng_core::Verified;
use throng_device::AnyDevice;
use throng_model::{Check, Experiment, Failure, Flag, Flags, Paper, PaperHelp, ReproduceRequest, Reproduced};

use super::kalah::{self, Options};
use crate::flags;

/// The experiments of Kloosterman's project.
#[derive(Debug, Clone, Copy, Default)]
pub struct Kloosterman;

const NAME: &str = "kloosterman";

/// The deepest search: about 45 billion boards.
const DEEPEST: u32 = 15;

const FLAGS: [Flag; 5] = [
    Flag::list("depths", "N,...", "Depths of the search [default: 4,5,...,13]"),
    Flag::new("split-depth", "N", "Depth of the table of splits; 0 leaves the table out [default: 13]"),
    Flag::new("longest", "S", "Seconds after which a program is not measured at greater depths [default: 120]"),
    flags::repeat("Runs of each program, of which the median counts; those of more than 10 s run once [default: 3]"),
    flags::threads("Threads of the CPU [default: all]"),
];

impl Check for Kloosterman {
    fn name(&self) -> &'static str {
        NAME
    }

    fn verify(&self, device: Option<&AnyDevice>, tell: &mut dyn FnMut(Verified)) {
        kalah::verify(device, tell);
    }
}

impl Paper for Kloosterman {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> PaperHelp {
        PaperHelp {
            about: "Kloosterman 2013: a minimax player of Kalah, with a tree in an array",
            scenario: "",
            device: "Device to measure besides the CPU: auto selects the fastest GPU, cpu none",
            quick: "Depths 4 to 8 and the splits of depth 9: takes a minute on a software device",
            out: "Folder for kalah.csv, kalah_splits.csv, kalah.md and kalah.svg",
            flags: &FLAGS,
            more:
                "Minimax without pruning from the start of Kalah with 6 pits and 4 stones, as the paper measures it: a \
sequential program, the paper's layered search with its tiles of 259 boards on the CPU and on the device, and Throng's \
search. Each program's value and move is compared before its time is reported.

Examples:
  throng reproduce kloosterman
      everything, on the fastest device: some minutes, mostly for the sequential program
  throng reproduce kloosterman --depths 13 --longest 0 --split-depth 0
      the greatest depth of the paper alone
  throng reproduce kloosterman --quick --device vulkan:0
      small depths: a quick test",
        }
    }

    fn experiment(&self, request: &ReproduceRequest) -> Result<Experiment, Failure> {
        request.check(self)?;
        let options = options(request.quick, &request.flags)?;
        Ok(Experiment {
            names: kalah::names(),
            inputs: Vec::new(),
            measure: Box::new(move |device, progress| {
                let measurements = kalah::reproduce(device, &options, progress)?;
                let mut text = "Kloosterman 2013, minimax player of Kalah\n\n".to_owned();
                text.push_str(&kalah::text(&measurements));
                Ok(Reproduced { text, notes: Vec::new(), files: kalah::files(&measurements) })
            }),
        })
    }

    fn checks(&self) -> Option<&dyn Check> {
        Some(self)
    }
}

fn options(quick: bool, flags: &Flags) -> Result<Options, Failure> {
    let mut defaults = Options::default();
    if quick {
        defaults = Options { depths: (4..=8).collect(), split_depth: 9, repeat: 1, ..defaults };
    }
    let mut depths = flags.numbers("depths", 4..=DEEPEST)?;
    depths.sort_unstable();
    let split_depth = flags.number("split-depth", 0..=DEEPEST)?.unwrap_or(defaults.split_depth);
    if (1..4).contains(&split_depth) {
        let remedy = format!("give 0 for no table, or a depth from 4 to {DEEPEST}");
        return Err(Failure::input("--split-depth", split_depth.to_string(), remedy));
    }
    Ok(Options {
        depths: if depths.is_empty() { defaults.depths } else { depths },
        split_depth,
        longest_s: flags.number("longest", 0.0..=86_400.0)?.unwrap_or(defaults.longest_s),
        repeat: flags::repeat_of(flags, defaults.repeat)?,
        threads: flags::threads_of(flags)?,
    })
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
        assert_eq!((all.depths.len(), all.split_depth, all.repeat), (10, 13, 3));
        let quick = options_of(true, &[("depths", "9,4"), ("split-depth", "0")]).unwrap();
        assert_eq!((quick.depths.as_slice(), quick.split_depth, quick.repeat), ([4, 9].as_slice(), 0, 1));
    }

    #[test]
    fn what_is_out_of_its_range_is_refused() {
        for (name, value) in [
            ("depths", "3"),
            ("depths", "16"),
            ("depths", "4,4"),
            ("split-depth", "-1"),
            ("split-depth", "3"),
            ("longest", "NaN"),
            ("repeat", "0"),
        ] {
            let failure = options_of(false, &[(name, value)]).unwrap_err();
            assert!(failure.exit_code() == 2 && failure.to_string().starts_with(&format!("--{name}: ")), "{failure}");
        }
    }
}
