//! The command-line arguments, and nothing else: no file is accessed here. [`crate::scenario`] interprets them.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use throng_device::DeviceChoice;

/// All arguments, except the flags that only some models have.
#[derive(Debug, Parser)]
#[command(
    name = "throng",
    version,
    about = "Simulates large numbers of agents, with the same result on every machine",
    after_help = "Examples:
  throng run berlin/config.xml --set qsim.flowCapacityFactor=0.01
  throng compare runs/a/output_events.xml.gz runs/b/output_events.xml.gz
  throng config --schema

Exit codes: 0 done, 1 different or a check failed, 2 bad usage or input, 3 device or resource failure.
`throng help COMMAND` explains a command, with examples."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a scenario and write its events, tables and a report
    Run(RunArgs),
    /// Compare two results: event files, tables or state hashes
    Compare(CompareArgs),
    /// Generate a synthetic scenario
    Generate(GenerateArgs),
    /// Repeat the experiment of a paper, and print its figures beside those of this machine
    Reproduce(ReproduceArgs),
    /// Convert a file from one format to another
    Convert(ConvertArgs),
    /// Show settings: a template, all parameters, or the settings in effect for a scenario
    Config(ConfigArgs),
    /// Check the models on this machine against known results
    Check(CheckArgs),
    /// Show the devices and resources of this machine, and what is missing
    Doctor,
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
    /// all of them. For fields it is a key of the scenario file, for example run.steps or entities.tower.charge.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub changes: Vec<String>,

    /// Seed of all random draws (global.randomSeed; seed of a scenario of fields)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<i64>,

    /// Number of threads, 1 by default; the result does not depend on it (qsim.numberOfThreads and global.numberOfThreads)
    ///
    /// Small scenarios are fastest on one thread, large ones on one thread per core.
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,

    /// Folder for the results (controller.outputDirectory; output.folder of a scenario of fields)
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Write into a folder that is not empty: the files of an earlier run are replaced, others are kept
    #[arg(long)]
    pub overwrite: bool,
}

/// How much to print.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct Verbosity {
    /// Print only errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Print more: the duration of each phase
    #[arg(short, long)]
    pub verbose: bool,
}

/// `throng run`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  throng run berlin/config.xml
      iteration 0, as in MATSim; results go to the folder that the config names
  throng run berlin --out runs/a --seed 7 --threads 4
      the folder berlin holds a config.xml
  throng run --network network.xml.gz --plans plans.xml.gz --out runs/b
      without a config: all parameters have their defaults
  throng run berlin --set qsim.flowCapacityFactor=0.01 --set qsim.storageCapacityFactor=0.04
      a 1 % sample of the population
  throng run morning.toml
      a scenario file:  model = \"traffic\"
                        config = \"berlin/config.xml\"
                        [set]
                        qsim.endTime = \"12:00:00\"
  throng run examples/fields --set agents.planners.count=1000
      agents among potential fields; its scenario.toml says model = \"fields\"")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub scenario: ScenarioArgs,

    /// Device to run on: auto selects the fastest executor for the scenario, and prints which and why
    ///
    /// cuda:N and vulkan:N are the devices that `throng doctor` lists; without a number, the first. All give the same
    /// results. A device given by name is never replaced by another.
    #[arg(long, value_name = "auto|cpu|cuda:N|vulkan:N", default_value_t = DeviceChoice::Auto)]
    pub device: DeviceChoice,

    /// Stop after this number of simulation steps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: Option<u64>,

    /// Write a hash of the state every N steps to a separate file; equal on every device and thread count
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub hash_every: Option<u64>,

    /// Print the time of each phase; on a device also the time of each kernel, and what was transferred
    #[arg(long)]
    pub timing: bool,

    #[command(flatten)]
    pub verbosity: Verbosity,
}

/// `throng compare`.
#[derive(Debug, Args)]
#[command(
    after_help = "Events are compared by time stamp: the same events at the same time, in any order. The attributes x and \
y are ignored. Tables (.csv) are compared line by line, logs of state hashes (state_hashes.txt) step by step; each may be \
compressed (.gz, .zst).

Examples:
  throng compare runs/a/output_events.xml.gz reference_events.xml.gz
  throng compare runs/a runs/b
      the events of two runs; without events, their state hashes or measures
  throng compare a.xml b.xml --ignore facility --show 3
  throng compare runs/a/output_legs.csv.gz runs/b/output_legs.csv.gz
  throng compare runs/a/state_hashes.txt runs/b/state_hashes.txt

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

    /// How many differing time stamps of events, or lines of tables, to show; all are counted
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub show: usize,

    #[command(flatten)]
    pub verbosity: Verbosity,
}

/// `throng check`.
#[derive(Debug, Args)]
#[command(
    after_help = "Each case compares a result of this machine with a formula, a published figure or a symmetry: expected, found, \
verdict. Kernels are compiled first; on a software device that takes some seconds for each kind.

Examples:
  throng check
      all models, on the CPU and every device of this machine
  throng check fields --device cuda:0 --verbose
      one model on one device, with a description of each case

Exit code 1 if a case does not hold."
)]
pub(crate) struct CheckArgs {
    /// Models, or papers with cases; all by default
    #[arg(value_name = "MODEL")]
    pub models: Vec<String>,

    /// Device to check: auto selects the CPU and every device of this machine
    #[arg(long, value_name = "auto|cpu|cuda:N|vulkan:N", default_value_t = DeviceChoice::Auto)]
    pub device: DeviceChoice,

    #[command(flatten)]
    pub verbosity: Verbosity,
}

/// `throng generate`.
#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    #[command(subcommand)]
    pub what: Generate,
}

/// The kinds of generated scenarios.
#[derive(Debug, Subcommand)]
pub(crate) enum Generate {
    /// A city with several centres, its roads and the daily plans of its people, in MATSim formats
    City(CityArgs),
}

/// `throng generate city`.
#[derive(Debug, Args)]
#[command(
    after_help = "The folder holds network, plans with routes, config.xml, a map (city.svg), a README, the loaded scenario \
(scenario.throng), and scenario.toml, which makes `throng run DIR` read that instead of the XML.

Tiers:
  city        850,000 persons, 37,000 links: about the size of Zurich
  metropolis  8,500,000 persons, 370,000 links
  country     28,000,000 persons, 3,700,000 links; best with --cache-only, on a machine with plenty of memory

Examples:
  throng generate city --out city
      10,000 persons; then: throng run city
  throng generate city --tier city --out zurich_like
  throng generate city --tier city --sample 0.1 --out zurich_like_10pct
      a tenth of the persons, with flow and storage capacity factors to match
  throng generate city --tier metropolis --free-flow-routes --out gridlock
  throng generate city --tier country --cache-only --out country"
)]
pub(crate) struct CityArgs {
    /// Folder for the scenario
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,

    /// A size for benchmarks: presets for the options below, each of which may be overridden
    #[arg(long, value_name = "city|metropolis|country", value_parser = ["city", "metropolis", "country"])]
    pub tier: Option<String>,

    /// Number of persons in the city; 10,000 without a tier
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub persons: Option<u32>,

    /// Approximate number of links; by default derived from the number of persons
    #[arg(long, value_name = "N")]
    pub links: Option<u32>,

    /// Seed: the same seed gives the same city
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Share of the persons to write, above 0 and up to 1
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    pub sample: f64,

    /// Share of the persons who go by car; the others walk or take public transport
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    pub car_share: f64,

    /// Number of centres; 6 without a tier
    #[arg(long, value_name = "N")]
    pub centres: Option<u32>,

    /// All trips to work at 06:00 and all trips home at 16:00 sharp: a stress test
    #[arg(long)]
    pub spike: bool,

    /// Routes that ignore congestion: the city ends in gridlock
    #[arg(long)]
    pub free_flow_routes: bool,

    /// Write the plans only into scenario.throng: XML of millions of persons takes long to write and longer to read
    #[arg(long)]
    pub cache_only: bool,

    /// Write into a folder that is not empty
    #[arg(long)]
    pub overwrite: bool,

    #[command(flatten)]
    pub verbosity: Verbosity,
}

/// `throng reproduce`.
#[derive(Debug, Args)]
pub(crate) struct ReproduceArgs {
    #[command(subcommand)]
    pub paper: Reproduce,
}

/// The papers whose experiments can be repeated.
#[derive(Debug, Subcommand)]
pub(crate) enum Reproduce {
    /// Strippgen and Nagel 2009: a queue model of traffic on a GPU, in eight programs
    Strippgen(StrippgenArgs),
    /// Elmir 2013: potential fields on a CPU and a GPU, in five programs
    Elmir(ElmirArgs),
}

/// `throng reproduce strippgen`.
#[derive(Debug, Args)]
#[command(
    after_help = "Without SCENARIO a city of 37,000 links and 850,000 persons is generated, which takes a minute.

Examples:
  throng reproduce strippgen
      everything, on the fastest device; about ten minutes
  throng reproduce strippgen --quick --device vulkan:0
      a small city and few steps: a quick test
  throng reproduce strippgen berlin --samples 100 --from 06:00:00 --steps 3600"
)]
pub(crate) struct StrippgenArgs {
    /// A MATSim config.xml, a folder that holds one, or a scenario file (.toml); its car legs are simulated
    #[arg(value_name = "SCENARIO")]
    pub scenario: Option<PathBuf>,

    /// Device to measure besides one CPU thread: auto selects the fastest GPU, cpu none
    #[arg(long, value_name = "auto|cpu|cuda:N|vulkan:N", default_value_t = DeviceChoice::Auto)]
    pub device: DeviceChoice,

    /// A small city, two samples and one run of 60 steps: takes seconds, even on a software device
    #[arg(long)]
    pub quick: bool,

    /// Folder for strippgen.csv and strippgen.svg
    #[arg(long, value_name = "DIR", default_value = "strippgen")]
    pub out: PathBuf,

    /// Write into a folder that is not empty
    #[arg(long)]
    pub overwrite: bool,

    /// Time of day at which measuring begins; the time before is simulated but not measured
    #[arg(long, value_name = "HH:MM:SS", default_value = "07:30:00")]
    pub from: String,

    /// Steps of one second to measure [default: 900]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub steps: Option<u32>,

    /// Samples of the persons, percent [default: 1,10,25,50,100]
    #[arg(long, value_name = "PERCENT,...", value_delimiter = ',')]
    pub samples: Vec<f64>,

    /// Runs of each program; prints the median. Programs that take longer than 1 s on the CPU run once [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: Option<u32>,

    /// Threads of the full model, which is also measured [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,

    #[command(flatten)]
    pub verbosity: Verbosity,
}

/// `throng reproduce elmir`.
#[derive(Debug, Args)]
#[command(
    after_help = "The field of circles in a world of 256 x 256 units: every combination of radius, resolution and number of \
circles is a case, 240 in all. Each program's field is compared with Throng's before it is timed.

Examples:
  throng reproduce elmir
      everything, on the fastest device; about half an hour, mostly for the naive CPU program
  throng reproduce elmir --most-naive-pairs 0
      without it: some minutes
  throng reproduce elmir --quick --device vulkan:0
      a few small cases: a quick test
  throng reproduce elmir --published elmir_tables.csv
      with all published figures beside Throng's; otherwise those of the largest case"
)]
pub(crate) struct ElmirArgs {
    /// Device to measure besides the CPU: auto selects the fastest GPU, cpu none
    #[arg(long, value_name = "auto|cpu|cuda:N|vulkan:N", default_value_t = DeviceChoice::Auto)]
    pub device: DeviceChoice,

    /// Two radii, two small resolutions, two numbers of circles, three runs: takes seconds, even on a software device
    #[arg(long)]
    pub quick: bool,

    /// Folder for elmir.csv, a chart for each radius, and the table of --beyond
    #[arg(long, value_name = "DIR", default_value = "elmir")]
    pub out: PathBuf,

    /// Write into a folder that is not empty
    #[arg(long)]
    pub overwrite: bool,

    /// Radii of circles, world units [default: 15,8,4]
    #[arg(long, value_name = "UNITS,...", value_delimiter = ',')]
    pub radii: Vec<f32>,

    /// Cells along a side of the field [default: 256,512,...,2048]
    #[arg(long, value_name = "CELLS,...", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=32_768))]
    pub resolutions: Vec<u32>,

    /// Numbers of circles [default: 64,128,256,512,...,2048]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub entities: Vec<u32>,

    /// Runs of each program; prints the median. Programs that take longer than 1 s run once [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: Option<u32>,

    /// Skip the naive CPU program in cases with more pairs of cell and circle
    #[arg(long, value_name = "N")]
    pub most_naive_pairs: Option<u64>,

    /// Threads for our CPU program and for the copy by rows; both are also measured on one thread [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,

    /// Also measure on the device what the thesis does not cover: many small windows at once, fields up to
    /// 16,384 x 16,384 cells with a million circles, influence maps, travel times; needs 2 GiB of device memory
    #[arg(long)]
    pub beyond: bool,

    /// The tables of the thesis: a CSV file with the columns `radius`, `cpu_naive_ms`, `cpu_mem_ms`, `gpu_naive_ms`,
    /// `gpu_coalesced_ms`, `gpu_shared_ms`, `resolution`, `entities`
    #[arg(long, value_name = "FILE")]
    pub published: Option<PathBuf>,

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
  throng convert output_events.xml.gz output_events.xml.zst
      another compression
  throng convert plans_v4.xml.gz plans_v6.xml.gz --to v6 --network network.xml.gz
      another version; plans of version 4 have routes of nodes, which need the network
  throng convert berlin/config.xml berlin/scenario.throng
      then: throng run berlin --set throng.scenarioCache=berlin/scenario.throng"
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

    /// Change a parameter of the config that a scenario cache is made from; may be repeated, the last value is used
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
  throng config --effective berlin --set qsim.stuckTime=30
      the settings that `throng run` would use with the same arguments, as a config.xml
  throng config --default --model fields > scenario.toml
      a commented template of fields; --schema --model fields lists all its keys
  throng config --effective examples/fields --set run.steps=10
      all keys in effect for a scenario file of fields, with the changes to it")]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub(crate) struct ConfigArgs {
    /// Print a template with a comment for each key: a config.xml with all defaults, or a scenario file of fields
    #[arg(long, group = "what")]
    pub default: bool,

    /// Print all parameters with allowed values, default, unit and meaning
    #[arg(long, group = "what")]
    pub schema: bool,

    /// Print the settings in effect for a scenario and the changes to it, as a config.xml or a scenario file of fields
    #[arg(long, group = "what")]
    pub effective: bool,

    /// The model of the template or the list; a scenario names its own
    #[arg(long, value_name = "MODEL", conflicts_with = "effective")]
    pub model: Option<String>,

    #[command(flatten)]
    pub scenario: ScenarioArgs,
}
