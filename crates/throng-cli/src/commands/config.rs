//! `throng config`: settings as text on standard output.

use throng::model::{Failure, Flags, Model};

use crate::args::{ConfigArgs, ScenarioArgs, Verbosity};
use crate::exit::Outcome;
use crate::report;
use crate::scenario::scenario;

pub(crate) fn run(models: &[&'static dyn Model], args: &ConfigArgs, flags: &Flags) -> Result<Outcome, Failure> {
    if args.effective {
        let scenario = scenario(models, &args.scenario, flags)?;
        report::about_settings(&scenario.warnings(), &scenario.notes(), Verbosity { quiet: false, verbose: true });
        return report::data(&scenario.effective()?);
    }
    if !is_empty(&args.scenario) || *flags != Flags::default() {
        return Err(Failure::input(
            "throng config",
            "a scenario or a change is given, and neither the template nor the list of parameters depends on it",
            "use --effective to see the settings in force",
        ));
    }
    let named = |model: &&&dyn Model| args.model.as_deref().is_none_or(|name| model.name() == name);
    let Some(model) = models.iter().find(named) else {
        return Err(Failure::input("--model", "there is no such model", "`throng help config` lists them"));
    };
    report::data(&if args.schema { model.schema() } else { model.template() })
}

fn is_empty(args: &ScenarioArgs) -> bool {
    let ScenarioArgs { scenario, changes, seed, threads, out, overwrite } = args;
    [scenario, out].iter().all(|file| file.is_none())
        && changes.is_empty()
        && seed.is_none()
        && threads.is_none()
        && !overwrite
}
