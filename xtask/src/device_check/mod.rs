//! `cargo xtask device-check`: everything that needs a GPU, in one run, here or packed for a machine without Rust.

mod build;
mod cases;
mod devices;
mod figures;
mod libtest;
mod options;
mod outcome;
mod pack;
mod place;
mod process;
mod runner;
mod runs;
mod suites;

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use options::Options;
use pack::Parts;
use suites::Suite;
use throng_testing::REFERENCE_DATA;

use crate::root;
use crate::test::reference_data;

const USAGE: &str = "usage: cargo xtask device-check [OPTIONS]

Checks every device of this machine: test programs, `throng check`, examples with every dynamics and step length, and
MATSim's reference cases. The exit code is 0 if all checks succeed.

  --pack DIR    build, and pack everything into DIR for another machine, where DIR/run.sh runs it; the script takes the
                options below except --release, and needs neither Rust nor the sources
  --release     build with full optimisation, as users do; can be combined with --pack
  --figures     also measure the figures of docs/src/performance.md (only with --release)
  --only TEXT   run only suites with TEXT in their names; may be repeated
  --skip NAME   hide a backend, cuda or vulkan, from all programs
  --limit N     stop after N seconds (default 540); unfinished suites count as failed
  --each N      stop each suite after N seconds and continue with the next one
  --list        list the suites
  --at DIR      run in an unpacked folder; for DIR/run.sh

With THRONG_REQUIRE=cuda,vulkan,data, suites that lack one of these fail instead of being skipped.
";

/// Reason why `--figures` is rejected.
const NO_FIGURES: &str = "figures of a build without optimisation are meaningless; build with --release";

pub(crate) fn run(arguments: &[OsString]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    if options.help {
        print!("{USAGE}");
        return Ok(());
    }
    if options.list {
        for suite in Suite::all(true, false) {
            println!("{}", suite.name());
        }
        return Ok(());
    }
    if let Some(folder) = &options.at {
        return runner::run(folder, &options);
    }
    if options.figures && !options.release {
        return Err(NO_FIGURES.to_owned());
    }
    options.pack.as_deref().map_or(Ok(()), pack::check_target)?;
    let data: Option<PathBuf> = reference_data(env::var_os(REFERENCE_DATA), root())?;
    let programs = build::programs(options.release)?;
    let parts = Parts { programs: &programs, data: data.as_deref(), is_release: options.release };
    if let Some(folder) = &options.pack {
        return pack::pack(folder, &parts);
    }
    let folder = root().join("target/device-check");
    pack::link(&folder, &parts)?;
    runner::run(&folder, &options)
}
