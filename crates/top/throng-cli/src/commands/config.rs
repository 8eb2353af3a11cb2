//! `throng config`: settings as text on standard output; [`explain`] has the option of this name.

use throng::model::flags::Flags;
use throng::model::names::known;
use throng::model::nearby::check_scenario;
use throng::model::scenario_file::find_model;
use throng::model::{Failure, Model};

use super::explain;
use crate::args::{ConfigArgs, ScenarioArgs, Verbosity};
use crate::outcome::Outcome;
use crate::report;
use crate::scenario::scenario;

pub(crate) fn run(models: &[&'static dyn Model], args: &ConfigArgs, flags: &Flags) -> Result<Outcome, Failure> {
    if args.explain {
        return explain::run(models, &args.scenario, flags);
    }
    if args.effective {
        let (scenario, _) = scenario(models, &args.scenario, None, "throng config --effective", flags)?;
        report::about_settings(&scenario.warnings(), &scenario.notes(), Verbosity { quiet: false, verbose: true });
        return report::print_data(&scenario.effective()?);
    }
    if has_changes(&args.scenario) || *flags != Flags::default() {
        return Err(Failure::input(
            "throng config",
            "a change is given, and neither the template nor the list of parameters depends on it",
            "use --effective to see the settings in effect",
        ));
    }
    let model = model(models, args)?;
    report::print_data(&if args.schema { model.schema() } else { model.template() })
}

/// Returns the model given by `--model` or instead of a scenario, or the model of the scenario; by default the first
/// model.
fn model(models: &[&'static dyn Model], args: &ConfigArgs) -> Result<&'static dyn Model, Failure> {
    let named = |name: &str| models.iter().copied().find(|model| model.name() == name);
    match (&args.model, &args.scenario.scenario) {
        (Some(_), Some(_)) => {
            Err(Failure::input("--model", "a scenario is also given, and it has a model", "leave one of them out"))
        }
        (None, Some(scenario)) => match scenario.to_str().and_then(named) {
            Some(model) => Ok(model),
            None if scenario.exists() => {
                check_scenario(models, "throng config --schema", scenario)?;
                Ok(find_model(models, Some(scenario))?.0)
            }
            None => {
                let name = scenario.display().to_string();
                let remedy = known(&name, models.iter().map(|model| model.name()));
                Err(Failure::input(name, "there is no such model or scenario", remedy))
            }
        },
        (name, None) => name
            .as_deref()
            .map_or(models.first().copied(), named)
            .ok_or_else(|| Failure::input("--model", "there is no such model", "`throng help config` lists them")),
    }
}

fn has_changes(args: &ScenarioArgs) -> bool {
    let ScenarioArgs { scenario: _, changes, seed, threads, out, overwrite } = args;
    !changes.is_empty() || seed.is_some() || threads.is_some() || out.is_some() || *overwrite
}
