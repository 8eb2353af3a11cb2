//! The paper as a value for lists of papers.

use throng_core::InputError;
use throng_model::{Experiment, Failure, Flag, Flags, PaperHelp, ReproduceRequest};

use super::cases::Options;
use super::crowd::MOST_AREA;
use super::published::Restore;
use crate::experiment::{Declaration, flags, names, reproduced};

const FLAGS: [Flag; 8] = [
    Flag::list(
        "agents",
        "N,...",
        "Numbers of agents [default: 10000,50000,100000,250000,500000,1000000,2000000,5000000]",
    ),
    Flag::list("areas", "SHARE,...", "Parts of the world that discs cover, up to 0.7 [default: 0.05,0.2,0.45]"),
    Flag::list("steps", "CELLS,...", "Lengths of steps, cells [default: 0.25,1,3]"),
    Flag::new("density-agents", "N", "Agents in the cases of --areas and --steps [default: 100000]"),
    Flag::new("moves", "N", "Moves of each agent [default: 100]"),
    Flag::list(
        "restore",
        "READING,...",
        "Readings of the third step that are timed: immediate, one-hop, full-walk [default: immediate]",
    ),
    flags::repeat("Runs of each program of the device; prints the median. With copies, one run [default: 3]"),
    flags::threads("Threads for the sequential rule on the CPU [default: all]"),
];

/// The experiment of Vigueras et al.
pub const VIGUERAS: Declaration = Declaration {
    name: "vigueras",
    help: PaperHelp {
        about: "Vigueras et al.: collision checks of moving discs, with and without sorting",
        scenario: "",
        device: "Device to measure besides the CPU: auto selects the fastest GPU, cpu none",
        quick: "10,000 and 50,000 agents, few moves, one run: takes half a minute on a software device",
        out: "Folder for vigueras.csv, vigueras_overlaps.csv and vigueras.md",
        flags: &FLAGS,
        more: "Discs of one radius move at random; checks decide which moves are granted. The paper's checks let \
discs overlap: the last table counts such pairs, beside a rule of Throng that lets none overlap. The first step of \
each program is compared with the same check on the CPU before it is timed.

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
    let options = options(request.quick, &request.flags)?;
    Ok(Experiment {
        names: names("vigueras.csv vigueras_overlaps.csv vigueras.md"),
        inputs: Vec::new(),
        measure: Box::new(move |device, progress| {
            let measurements = super::reproduce(device, &options, progress)?;
            let text = "Vigueras et al., collision checks\n\n".to_owned() + &super::table(&measurements);
            Ok(reproduced(text, super::files(&measurements)))
        }),
    })
}

fn options(quick: bool, flags: &Flags) -> Result<Options, Failure> {
    let mut defaults = Options::default();
    if quick {
        defaults = Options {
            agents: vec![10_000, 50_000],
            density_agents: 10_000,
            moves: 20,
            repeat: 1,
            counted_agents: 2_000,
            counted_steps: 5,
            ..defaults
        };
    }
    Ok(Options {
        agents: flags::numbers(flags, "agents", 1..=MOST_AGENTS, defaults.agents)?,
        areas: flags::numbers(flags, "areas", LEAST_AREA..=MOST_AREA, defaults.areas)?,
        steps: flags::numbers(flags, "steps", 0.0..=LONGEST, defaults.steps)?,
        density_agents: flags::number(flags, "density-agents", 1..=MOST_AGENTS, defaults.density_agents)?,
        moves: flags::number(flags, "moves", 1..=1_000_000, defaults.moves)?,
        restore: flags::or(readings(flags)?, defaults.restore),
        repeat: flags::repeat_of(flags, defaults.repeat)?,
        threads: flags::threads_of(flags)?,
        ..defaults
    })
}

/// The readings that were typed.
fn readings(flags: &Flags) -> Result<Vec<Restore>, InputError> {
    let mut readings = Vec::new();
    for typed in flags.get("restore").into_iter().flat_map(|texts| texts.split(',')) {
        let Some(reading) = Restore::ALL.into_iter().find(|reading| reading.flag() == typed) else {
            let remedy = "give immediate, one-hop, full-walk, or several of them";
            return Err(InputError::one("--restore", format!("\"{typed}\" is no reading"), remedy));
        };
        if readings.contains(&reading) {
            return Err(InputError::one("--restore", format!("{typed} is given twice"), "give each reading once"));
        }
        readings.push(reading);
    }
    Ok(readings)
}

/// Ids and cells have 32 bits.
const MOST_AGENTS: u32 = 100_000_000;
/// Worlds of a million agents still have fewer cells than a check takes.
const LEAST_AREA: f64 = 0.001;
/// The longest step, cells: products with directions have 32 bits.
const LONGEST: f64 = 16.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn options_of(quick: bool, given: &[(&str, &str)]) -> Result<Options, Failure> {
        options(quick, &flags::given(&FLAGS, given))
    }

    #[test]
    fn what_is_typed_counts_more_than_quick() {
        let all = options_of(false, &[]).unwrap();
        assert_eq!((all.cases().len(), all.moves, all.repeat), (16, 100, 3));
        let quick = options_of(true, &[("agents", "77"), ("steps", "0.5,2"), ("moves", "3")]).unwrap();
        assert_eq!((quick.agents.as_slice(), quick.steps.as_slice()), ([77].as_slice(), [0.5, 2.0].as_slice()));
        assert_eq!((quick.moves, quick.repeat, quick.density_agents), (3, 1, 10_000));
        assert_eq!(all.restore, [Restore::Immediate]);
        let readings = options_of(true, &[("restore", "full-walk,immediate")]).unwrap().restore;
        assert_eq!(readings, [Restore::FullWalk, Restore::Immediate]);
    }

    #[test]
    fn what_is_out_of_its_range_is_refused() {
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
