//! Defines the command-line arguments without accessing any files. [`crate::scenario`] interprets them.

use std::num::{IntErrorKind, ParseIntError};
use std::path::PathBuf;
use std::str::FromStr;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, FromArgMatches, Parser, Subcommand};
use throng_device::DeviceChoice;

use crate::version::VERSION;

/// All arguments, except the flags of individual models, generators or papers.
#[derive(Debug, Parser)]
#[command(
    name = "throng",
    version = VERSION,
    about = "Simulates large numbers of agents, with the same result on every machine",
    after_help = "Examples, in the folder of the repository:
  throng list                       models, scenarios, runs and sweeps here
  throng run examples/city          a day of traffic, with a report
  throng view output/city           the same, played in the browser
  throng run examples/city --set qsim.flowCapacityFactor=0.5 --out runs/narrow
  throng compare output/city runs/narrow

A run replaces an earlier run of the same scenario in its folder, and keeps other files there. It is refused if another \
file has the name of a result, or if the folder has no such run and is not empty. Images replace earlier images only. \
--overwrite allows all of this.

Exit codes: 0 done, 1 results differ or a check or sweep run failed, 2 bad usage or input, 3 device or resource failure, \
130 interrupted. `throng help COMMAND` explains a command, with examples."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a scenario and write its events, tables and a report
    Run(RunArgs),
    /// Run a scenario with many values of its parameters and many seeds, and compare the results
    Sweep(SweepArgs),
    /// Repeat a run, and print the median time of each phase
    Bench(BenchArgs),
    /// Compare two runs, or two event files, tables or logs of state hashes
    Compare(CompareArgs),
    /// List the models, and the scenarios, runs and sweeps in a folder
    List(ListArgs),
    /// Show settings: a template, all parameters, or the settings in effect for a scenario
    Config(ConfigArgs),
    /// Generate a synthetic scenario
    Generate(Named<GenerateArgs>),
    /// Convert a file from one format to another
    Convert(ConvertArgs),
    /// Check the models on this machine against known results
    Check(CheckArgs),
    /// Show the devices and resources of this machine, and what is missing
    #[command(after_help = "Examples:
  throng doctor
      the version, processor, memory, and each device that --device takes
  throng doctor --measure
      also measures each model on each device, in a minute or two, for --device auto")]
    Doctor(DoctorArgs),
    /// Repeat the experiment of a paper, and print its figures next to the figures of this machine
    Reproduce(Named<ReproduceArgs>),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Write a man page for each command
    Man(ManArgs),
    /// A command of the catalogue's tools, which [`crate::parsed_command`] adds.
    #[command(skip)]
    Tool(ToolArgs),
}

/// The scenario and its changes; shared by `run` and `config --effective`.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ScenarioArgs {
    /// A scenario file (.toml), a MATSim config.xml, or a folder that holds one
    #[arg(value_name = "SCENARIO")]
    pub scenario: Option<PathBuf>,

    /// Change a parameter; may be repeated, the last value is used
    ///
    /// KEY is group.parameter as in a MATSim config file, for example qsim.stuckTime; `throng config --schema` lists
    /// all of them. For other models it is a key of the scenario file, for example run.steps or entities.tower.charge.
    #[arg(long = "set", value_name = "KEY=VALUE", help_heading = SCENARIO)]
    pub changes: Vec<String>,

    /// Seed of all random draws (global.randomSeed for traffic, seed for other models)
    #[arg(long, value_name = "N", value_parser = whole::<i64>, allow_negative_numbers = true, help_heading = SCENARIO)]
    pub seed: Option<i64>,

    /// Number of threads; the result does not depend on it (qsim.numberOfThreads and global.numberOfThreads)
    ///
    /// By default one per core; traffic is simulated on 1, and reads its files on all. Small scenarios are fastest on
    /// one thread, large ones on one thread per core.
    #[arg(long, value_name = "N", value_parser = whole::<usize>, help_heading = COMPUTING)]
    pub threads: Option<usize>,

    /// Folder for the results (controller.outputDirectory for traffic, output.folder for fields, folder for other
    /// models)
    #[arg(long, visible_alias = "output", value_name = "DIR", help_heading = RESULTS)]
    pub out: Option<PathBuf>,

    /// Write into a folder with other content: files of an earlier run and files with the names of results are
    /// replaced, others are kept
    ///
    /// A run of the same scenario is replaced without this flag.
    #[arg(long, help_heading = RESULTS)]
    pub overwrite: bool,
}

/// How a scenario is run; shared by `run`, `sweep` and `bench`.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ExecutionArgs {
    /// Device to run on: auto selects the fastest executor for each run, and `throng run` prints the choice with its
    /// reason
    ///
    /// cuda:N and vulkan:N are the devices that `throng doctor` lists; without a number, the first one. All give the
    /// same results. A device given by name is never replaced by another. host interprets kernels slowly, to debug
    /// them; a build has it with the feature of this name.
    #[arg(long, value_name = DEVICE, default_value_t = DeviceChoice::Auto, help_heading = COMPUTING)]
    pub device: DeviceChoice,

    /// Read all input files and compile all kernels, without the caches of earlier runs, and leave the caches unchanged
    ///
    /// Inputs that take long to read (plans and networks of traffic) and kernels for GPUs are kept in ~/.cache/throng,
    /// or in `$XDG_CACHE_HOME/throng`. They are used again only if settings, files and program are the same, so the
    /// results do not depend on them. The folder may be deleted at any time.
    #[arg(long, help_heading = COMPUTING)]
    pub no_cache: bool,

    /// Stop each run after this number of simulation steps
    #[arg(long, value_name = "N", value_parser = positive, help_heading = SCENARIO)]
    pub steps: Option<u64>,
}

/// Parses a whole number.
fn whole<N: FromStr<Err = ParseIntError>>(text: &str) -> Result<N, String> {
    text.parse().map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => "give a smaller whole number".to_owned(),
        IntErrorKind::NegOverflow => "give a larger whole number".to_owned(),
        // The type has no negative numbers.
        _ if text.parse::<i64>().is_ok() => "give a whole number, 0 or more".to_owned(),
        _ => "give a whole number".to_owned(),
    })
}

/// Parses a whole number of at least 1.
fn positive(text: &str) -> Result<u64, String> {
    whole(text).and_then(|n| if n == 0 { Err("give a whole number 1 or more".to_owned()) } else { Ok(n) })
}

/// Headings of options in `--help`, by subject.
const SCENARIO: &str = "Scenario";
const COMPUTING: &str = "Computing";
const VARIATION: &str = "Variation";
const RESULTS: &str = "Results";
const MESSAGES: &str = "Messages";

/// Position in `--help` after the flags of models, generators and papers, and before `--help`, which is at 999.
const BEHIND_FLAGS: usize = 900;

/// The values of `--device`.
const DEVICE: &str = "auto|cpu|cuda:N|vulkan:N|host";

/// The amount of output.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct Verbosity {
    /// Print only errors
    #[arg(short, long, conflicts_with = "verbose", help_heading = MESSAGES)]
    pub quiet: bool,

    /// Print more: the duration of each phase
    #[arg(short, long, help_heading = MESSAGES)]
    pub verbose: bool,
}

/// `throng run`.
#[derive(Debug, Args)]
#[command(
    after_help = "An earlier run of the same scenario in the folder for the results is replaced, and other files there are kept. The \
run is refused if another file has the name of a result, or if the folder has no such run and is not empty. --overwrite \
allows both.
Afterwards `throng view DIR` plays the run, and `throng render DIR` draws images of it.

Examples:
  throng run examples/city
      a day of traffic; the folder holds a config.xml of MATSim, which runs as it is
  throng run examples/city --set qsim.flowCapacityFactor=0.5 --seed 7 --out runs/narrow
      the same with half the capacity and another seed, into another folder
  throng run --network network.xml.gz --plans plans.xml.gz --out runs/plain
      without a config: all parameters have their defaults
  throng run examples/fields --set agents.planners.count=1000 --steps 100
      agents among potential fields; scenario.toml in the folder has model = \"fields\"
  throng run examples/evacuation --device cpu --threads 2
      people who leave a building, on two threads of the CPU"
)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub scenario: ScenarioArgs,

    #[command(flatten)]
    pub execution: ExecutionArgs,

    /// Write a hash of the state every N steps to a separate file; equal on every device and thread count
    #[arg(long, value_name = "N", value_parser = positive, help_heading = RESULTS)]
    pub hash_every: Option<u64>,

    /// Print the time of each phase; on a device also the time of each kernel and the amount of transferred data
    #[arg(long, help_heading = MESSAGES)]
    pub timing: bool,

    #[command(flatten)]
    pub verbosity: Verbosity,
}

/// `throng bench`.
#[derive(Debug, Args)]
#[command(
    after_help = "Each run is a separate process, as if `throng run` were called, so the time includes starting the program \
and the device. The first run may take longer, because it fills the caches of inputs and kernels; --no-cache measures \
runs without them. The folder holds the last run afterwards. Put the printed text into a report of a problem with speed.

Examples:
  throng bench examples/city
      five runs of a day of traffic
  throng bench examples/crossing --device cuda --repeats 9
      nine runs on a GPU
  throng bench examples/city --set controller.writeEventsInterval=0 --out /tmp/bench
      without events, into another folder"
)]
pub(crate) struct BenchArgs {
    /// A scenario file (.toml), a MATSim config.xml, or a folder that holds one
    #[arg(value_name = "SCENARIO")]
    pub scenario: PathBuf,

    /// Number of runs
    #[arg(long, value_name = "N", value_parser = positive, default_value_t = 5, help_heading = COMPUTING)]
    pub repeats: u64,

    /// Change a parameter; may be repeated, as for `throng run`
    #[arg(long = "set", value_name = "KEY=VALUE", help_heading = SCENARIO)]
    pub changes: Vec<String>,

    /// Number of threads; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = whole::<usize>, help_heading = COMPUTING)]
    pub threads: Option<usize>,

    #[command(flatten)]
    pub execution: ExecutionArgs,

    /// Folder for the results of the runs; each replaces the one before
    #[arg(long, visible_alias = "output", value_name = "DIR", default_value = "bench", help_heading = RESULTS)]
    pub out: PathBuf,

    /// Write into a folder with other content, as for `throng run`
    #[arg(long, help_heading = RESULTS)]
    pub overwrite: bool,
}

/// `throng doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Measure how long each model takes on the CPU and on each GPU, and keep the result for --device auto
    ///
    /// The result is kept in ~/.cache/throng/costs.toml, or in `$XDG_CACHE_HOME/throng`, until the file is deleted or
    /// the version of the program changes. Without it, --device auto assumes typical times. Measure on an otherwise
    /// idle machine, and again after a change of hardware or driver.
    #[arg(long, help_heading = COMPUTING)]
    pub measure: bool,
}

/// `throng sweep`.
#[derive(Debug, Args)]
#[command(
    after_help = "A sweep runs a scenario once for each parameter set and seed. The parameter sets are a full factorial \
design: all combinations of the values of all --vary. With --latin-hypercube N they are N samples of ranges instead: each \
range is divided into N equal parts, and each part occurs once. A sample is drawn from the seed of the scenario, so that \
it is the same every time. With --design FILE.csv they are the rows of a table whose columns are keys.

With --until a parameter set gets no more seeds once the mean of a figure is known well enough. This is decided only from \
its runs in the order of their seeds, after at least --min-seeds runs.

The folder gets
  runs.csv         a row for each run: parameters, replicate, seed, state hash, figures, error
  series.csv       a row for each entry of a run's series, such as a step
  summary.csv      means with their 95 % confidence intervals, and quantiles, of each parameter set
  differences.csv  differences between parameter sets with their 95 % confidence intervals
  columns.csv      label, unit and meaning of the columns of runs.csv and series.csv
  collected_*.csv  the tables of --collect
  wall_times.csv   duration of each run
  report.html      all results as charts
  sweep.toml       exact definition of the sweep
Runs, series and summary are also written as Parquet. All files except wall_times.csv are identical for any --jobs.

A sweep in which nothing varies, without --vary and with one seed, is refused: that is a single run.

An interrupted sweep resumes when the same command is given again; only the runs in progress are lost. A larger \
--seeds or another --until adds runs to a sweep. Another sweep needs another folder.

Examples:
  throng sweep examples/evacuation --vary choose_every_s=1,3,10 --seeds 20
      3 parameter sets with 20 seeds each: 60 runs, into the folder sweep
  throng sweep examples/city --vary qsim.flowCapacityFactor=0.5,1 \\
      --vary qsim.stuckTime=10,30 --jobs 2 --out sweeps/city
      4 parameter sets, two runs at a time
  throng sweep examples/collision --set discs=2000 --seeds 5 \\
      --latin-hypercube 50 --vary step_m=0.05..0.2 --vary gate_width_m=2..8 --out sweeps/gates
      50 samples of two ranges; a range between whole numbers has only whole numbers
  throng sweep examples/societies --vary agents=24,48 --seeds 200 --until utility=0.5 --out sweeps/known
      10 to 200 seeds, until the mean utility is known to plus or minus 0.5
  throng sweep examples/societies --seeds 10 --collect agents.csv --out sweeps/agents
      the agents of all runs in one table, collected_agents.csv

Exit code 1 if a run failed."
)]
pub(crate) struct SweepArgs {
    /// A scenario file (.toml), a MATSim config.xml, or a folder that holds one
    #[arg(value_name = "SCENARIO")]
    pub scenario: Option<PathBuf>,

    /// Vary a parameter; KEY is as in --set. Several --vary are combined
    ///
    /// Values may be of any type that --set takes: numbers, strings, true and false, lists such as [1, 2]. A comma
    /// within a string must be quoted or follow a backslash. LOW..HIGH is a range for --latin-hypercube.
    #[arg(long, value_name = "KEY=V1,V2,...|KEY=LOW..HIGH", help_heading = VARIATION)]
    pub vary: Vec<String>,

    /// Number of runs of each parameter set; their seeds count up from the scenario's seed
    #[arg(
        long,
        value_name = "N",
        value_parser = whole::<u64>,
        default_value_t = 1,
        allow_negative_numbers = true,
        help_heading = VARIATION
    )]
    pub seeds: u64,

    /// Number of samples of the ranges, instead of all combinations of values
    #[arg(long, value_name = "N", value_parser = whole::<u64>, help_heading = VARIATION)]
    pub latin_hypercube: Option<u64>,

    /// Table of parameter sets, instead of --vary: its columns are keys, and each row is a parameter set
    ///
    /// Fields are separated by semicolons if the first line has one, otherwise by commas; values are as in --set.
    #[arg(long, value_name = "FILE.csv", help_heading = VARIATION)]
    pub design: Option<PathBuf>,

    /// Stop adding seeds to a parameter set once the 95 % confidence interval of the mean of FIGURE, a column of
    /// runs.csv, has at most the given half-width; may be repeated; all conditions must be met
    ///
    /// --seeds is the maximum.
    #[arg(long, value_name = "FIGURE=HALF_WIDTH", help_heading = VARIATION)]
    pub until: Vec<String>,

    /// Minimum number of runs of a parameter set before --until is checked; by default 10, or --seeds if that is less
    #[arg(long, value_name = "N", value_parser = whole::<u64>, help_heading = VARIATION)]
    pub min_seeds: Option<u64>,

    /// Gather a table that each run writes, such as agents.csv, into one table of all runs; may be repeated
    ///
    /// Runs then write their files, which takes longer, and no longer run together on a device.
    #[arg(long, value_name = "TABLE.csv", help_heading = RESULTS)]
    pub collect: Vec<String>,

    /// Number of simultaneous runs; the results do not depend on it. By default as many as the cores allow, or 1 if
    /// --device names a device
    #[arg(long, value_name = "N", value_parser = whole::<usize>, help_heading = COMPUTING)]
    pub jobs: Option<usize>,

    /// Folder for the results: a new folder, or the folder of the same sweep
    #[arg(long, visible_alias = "output", value_name = "DIR", default_value = "sweep", help_heading = RESULTS)]
    pub out: PathBuf,

    /// Repeat the runs that failed before
    #[arg(long, help_heading = RESULTS)]
    pub retry_failed: bool,

    /// Change a parameter of all runs; may be repeated, the last value is used
    #[arg(long = "set", value_name = "KEY=VALUE", help_heading = SCENARIO)]
    pub changes: Vec<String>,

    /// Seed of the first run of each parameter set, instead of the scenario's
    #[arg(long, value_name = "N", value_parser = whole::<i64>, allow_negative_numbers = true, help_heading = SCENARIO)]
    pub seed: Option<i64>,

    /// Number of threads of each run; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = whole::<usize>, default_value_t = 1, help_heading = COMPUTING)]
    pub threads: usize,

    #[command(flatten)]
    pub execution: ExecutionArgs,

    #[command(flatten)]
    pub verbosity: Verbosity,
}

/// `throng compare`.
#[derive(Debug, Args)]
#[command(
    after_help = "Events are compared by time stamp: the same events at the same time, in any order. The attributes x and \
y are ignored. For two folders, the settings and results that differ are listed as well; for traffic also mode shares, trip \
times, link volumes, the links whose traffic differs most, and public transport. Tables (.csv) are compared line by line, logs of state hashes (state_hashes.txt) step by step; each may be \
compressed (.gz, .zst).

Examples, after `throng run examples/city` and `throng run examples/city --threads 2 --out runs/two`:
  throng compare output/city runs/two
      the events of two runs; without events, their state hashes, measures, or results in the manifests
  throng compare output/city runs/two --ignore link --show 3
      without an attribute of events
  throng compare output/city runs/two --report compare.html
      writes a page with charts of trips and link volumes
  throng compare output/city/output_legs.csv.gz runs/two/output_legs.csv.gz

Exit code 1 if they differ."
)]
pub(crate) struct CompareArgs {
    /// A file, or the folder of a run
    pub a: PathBuf,

    /// The file or folder to compare it with
    pub b: PathBuf,

    /// An attribute of events to ignore, in addition to x and y; may be repeated
    #[arg(long, value_name = "ATTRIBUTE")]
    pub ignore: Vec<String>,

    /// Number of differing time stamps, lines or links to show; all are counted
    #[arg(long, value_name = "N", value_parser = whole::<usize>, default_value_t = 5)]
    pub show: usize,

    /// Write a page with tables and charts of two runs of traffic, even if they are equal
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,

    /// Replace the report if it exists
    #[arg(long, requires = "report")]
    pub overwrite: bool,

    #[command(flatten)]
    pub verbosity: Verbosity,
}

/// `throng check`.
#[derive(Debug, Args)]
#[command(
    after_help = "Each case compares a result of this machine with a formula, a published figure or a symmetry: expected, found, \
verdict. Kernels are compiled first; on a software device that takes a few seconds for each kind.

Examples:
  throng check
      all models, on the CPU and every device of this machine
  throng check fields --device cuda:0 --verbose
      one model on one device, with a description of each case
  throng check games crowd
      all models of these groups

Exit code 1 if a case does not hold."
)]
pub(crate) struct CheckArgs {
    /// Models, groups of models, or papers with cases; all by default
    #[arg(value_name = "MODEL")]
    pub models: Vec<String>,

    /// Device to check: auto selects the CPU and every device of this machine
    #[arg(long, value_name = DEVICE, default_value_t = DeviceChoice::Auto)]
    pub device: DeviceChoice,

    #[command(flatten)]
    pub verbosity: Verbosity,
}

/// `throng list`.
#[derive(Debug, Args)]
#[command(
    after_help = "A folder is searched three levels deep. Each line begins with the command to type or the page to open next.

Examples:
  throng list
      models, and the scenarios, runs and sweeps in this folder
  throng list output
      the runs in output"
)]
pub(crate) struct ListArgs {
    /// The folder to search
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,
}

/// `throng completions`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  throng completions bash > ~/.local/share/bash-completion/completions/throng
  throng completions zsh > ~/.zfunc/_throng
      with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc
  throng completions fish > ~/.config/fish/completions/throng.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// `throng man`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  throng man ~/.local/share/man/man1
      throng.1, throng-run.1 and so on; then: man throng-run")]
pub(crate) struct ManArgs {
    /// Folder for the pages; earlier ones are replaced
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// The name of an entry of a list, such as a generator, and the arguments common to all entries.
/// [`crate::parsed_command`] adds the possible names.
#[derive(Debug)]
pub(crate) struct Named<A> {
    pub name: String,
    pub args: A,
}

impl<A: FromArgMatches> FromArgMatches for Named<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (name, given) = matches.subcommand().ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))?;
        Ok(Self { name: name.to_owned(), args: A::from_arg_matches(given)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<A: FromArgMatches> Args for Named<A> {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.subcommand_required(true).arg_required_else_help(true)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

/// `throng generate NAME`: the arguments of all generators.
#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// Folder for the generated files
    #[arg(long, visible_alias = "output", value_name = "DIR")]
    pub out: PathBuf,

    /// Replace earlier generated files in a folder that is not empty; files of other names are kept
    #[arg(long, display_order = BEHIND_FLAGS)]
    pub overwrite: bool,

    #[command(flatten)]
    pub verbosity: Verbosity,
}

/// `throng reproduce NAME`: the arguments of all papers. Each paper has its own help for them.
#[derive(Debug, Args)]
pub(crate) struct ReproduceArgs {
    // Only some papers take a scenario.
    #[arg(skip)]
    pub scenario: Option<PathBuf>,

    #[arg(long, value_name = DEVICE, default_value_t = DeviceChoice::Auto)]
    pub device: DeviceChoice,

    #[arg(long)]
    pub quick: bool,

    #[arg(long, visible_alias = "output", value_name = "DIR")]
    pub out: PathBuf,

    /// Write into a folder with content other than earlier figures of the same paper
    #[arg(long)]
    pub overwrite: bool,

    #[command(flatten)]
    pub verbosity: Verbosity,
}

/// The arguments of all tools, and the selected tool.
#[derive(Debug, Args)]
pub(crate) struct ToolArgs {
    #[arg(skip)]
    pub command: String,
    #[arg(skip)]
    pub name: Option<String>,
    // Only some tools take a file.
    #[arg(skip)]
    pub input: Option<PathBuf>,

    #[command(flatten)]
    pub verbosity: Verbosity,
}

/// `throng convert`.
#[derive(Debug, Args)]
#[command(
    after_help = "INPUT may be a network, plans, vehicles, events or any other XML file; its kind is recognised by its content. The \
ending of OUTPUT determines the compression: .xml, .xml.gz or .xml.zst. If OUTPUT ends in .throng, INPUT is a config or a \
scenario file, and OUTPUT the loaded scenario, which loads in seconds the next time.

Examples:
  throng convert examples/city/network.xml.gz network.xml.zst
      another compression
  throng convert examples/city/network.xml.gz network_v1.xml.gz --to v1
      another version; plans of version 4 have routes of nodes, which need --network, too
  throng convert examples/city/config.xml city.throng
      then: throng run examples/city --set throng.scenarioCache=city.throng"
)]
pub(crate) struct ConvertArgs {
    /// The file to read
    pub input: PathBuf,

    /// The file to write
    pub output: PathBuf,

    /// Network, needed for plans whose routes are lists of nodes
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,

    /// Version of the output format, for example v2 for a network or v6 for plans; by default that of the input
    #[arg(long, value_name = "VERSION")]
    pub to: Option<String>,

    /// Change a parameter of the config from which a scenario cache is created; may be repeated, the last value is used
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub changes: Vec<String>,

    /// Replace OUTPUT if it exists
    #[arg(long)]
    pub overwrite: bool,

    #[command(flatten)]
    pub verbosity: Verbosity,
}

/// `throng config`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  throng config --default > config.xml
      a commented template
  throng config --schema
      all parameters: allowed values, default, unit, meaning
  throng config --effective examples/city --set qsim.stuckTime=30
      the settings that `throng run` would use with the same arguments, as a config.xml
  throng config --explain examples/city
      which settings of its config.xml are used, without effect or refused
  throng config --explain scenarios/ --set throng.ignoreUnsupported=true
      one line for each config below a folder: would a run accept it, and why not
  throng config --default --model fields > scenario.toml
      a commented template of fields
  throng config --schema examples/collision
      all keys of scenario files of the same model; --schema collision does the same
  throng config --effective examples/fields --set run.steps=10
      all keys in effect for a scenario file of fields, with the changes to it")]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub(crate) struct ConfigArgs {
    /// Print a template with a comment for each key: a config.xml with all defaults, or a scenario file of another
    /// model
    #[arg(long, group = "what")]
    pub default: bool,

    /// Print all parameters with allowed values, default, unit and meaning
    #[arg(long, group = "what")]
    pub schema: bool,

    /// Print the settings in effect for a scenario and the changes to it, as a config.xml or a scenario file
    #[arg(long, group = "what")]
    pub effective: bool,

    /// Print what a run would do with each setting of a MATSim config: use it, ignore it, or refuse it, and why
    ///
    /// SCENARIO is a config, a scenario file that names one, or a folder; of a folder with several configs, each has
    /// one line of a table. Only settings that the config states are listed. Input files are not read. The exit code
    /// is 1 if a run would refuse a setting.
    #[arg(long, group = "what")]
    pub explain: bool,

    /// The model of the template or the list; a scenario names its own
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["effective", "explain"])]
    pub model: Option<String>,

    #[command(flatten)]
    pub scenario: ScenarioArgs,
}
