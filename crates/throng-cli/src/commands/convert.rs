//! `throng convert`: the same content in another format.

use throng_core::Progress;

use crate::args::ConvertArgs;
use crate::exit::{Failure, Outcome};
use crate::progress;

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

// WIRE: read `_args.input` (with `_args.network` for plans with node routes) and write `_args.output`.
fn convert(_args: &ConvertArgs, _progress: &dyn Progress) -> Result<Outcome, Failure> {
    Err(Failure::resource("`throng convert` is not built yet", "nothing was written"))
}
