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
MATSim's reference cases. The exit code is 0 when all is well.

  --pack DIR    build, and put everything into DIR for another machine, where DIR/run.sh runs it; that takes the options
                below but for --release, and needs neither Rust nor the sources
  --release     build with all optimisation, as users do; may stand beside --pack
  --figures     then measure the figures of docs/src/performance.md, too (with --release only)
  --only TEXT   only suites with TEXT in their names; may be given often
  --skip NAME   hide a backend, cuda or vulkan, from all programs
  --limit N     stop after N seconds, 540 if not said; what has not run by then has failed
  --each N      stop a suite after N seconds, and go on with the next one
  --list        say what the suites are
  --at DIR      run in an unpacked folder; for DIR/run.sh

THRONG_REQUIRE=cuda,vulkan,data makes everything fail that lacks one of them.
";

/// Why `--figures` is refused.
const NO_FIGURES: &str = "figures of a build without optimisation mean nothing; build with --release";

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
