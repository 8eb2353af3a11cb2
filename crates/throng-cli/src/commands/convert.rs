//! `throng convert`: the same content in another format.

use throng::traffic::convert::{self, ConvertOptions};
use throng_core::{Progress, Warnings};

use crate::args::ConvertArgs;
use crate::exit::{Failure, Outcome};
use crate::{progress, report};

pub(crate) fn run(args: &ConvertArgs) -> Result<Outcome, Failure> {
    if !args.input.is_file() {
        let place = args.input.display().to_string();
        return Err(Failure::input(place, "there is no such file", "check the path"));
    }
    if args.output.exists() && !args.overwrite {
        let place = args.output.display().to_string();
        return Err(Failure::input(place, "the file exists", "name another file, or add --overwrite"));
    }
    convert(args, progress::display(args.verbosity).as_ref())
}

fn convert(args: &ConvertArgs, progress: &dyn Progress) -> Result<Outcome, Failure> {
    progress.begin(&format!("converting {}", args.input.display()), None, "files");
    let options = ConvertOptions { network: args.network.clone(), version: args.to.clone() };
    let report = convert::convert(&args.input, &args.output, &options)?;
    progress.end();
    report::new_warnings(&report.warnings, &Warnings::new());
    if !args.verbosity.quiet {
        report::print(&format!("{report}\n"))?;
    }
    Ok(Outcome::Done)
}
