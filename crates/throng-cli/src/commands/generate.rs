//! `throng generate`: synthetic scenarios from a seed.

use throng_core::Progress;

use crate::args::{CityArgs, Generate, GenerateArgs};
use crate::exit::{Failure, Outcome};
use crate::progress;

pub(crate) fn run(args: &GenerateArgs) -> Result<Outcome, Failure> {
    let Generate::City(city) = &args.what;
    refuse_used_folder(city)?;
    generate_city(city, progress::display(city.verbosity).as_ref())
}

fn refuse_used_folder(args: &CityArgs) -> Result<(), Failure> {
    let used = std::fs::read_dir(&args.out).is_ok_and(|mut entries| entries.next().is_some());
    if used && !args.overwrite {
        return Err(Failure::input(
            "--out",
            format!("the folder {} is not empty", args.out.display()),
            "name another folder, or add --overwrite",
        ));
    }
    Ok(())
}

// WIRE: make the city of `_args.persons`, `_args.links`, `_args.seed` and write network.xml.gz, plans.xml.gz and
// config.xml to `_args.out`.
fn generate_city(_args: &CityArgs, _progress: &dyn Progress) -> Result<Outcome, Failure> {
    Err(Failure::resource("`throng generate city` is not built yet", "nothing was written"))
}
