//! `throng config`: settings as text on standard output.

use throng::fields;
use throng::traffic::config;

use crate::args::{ConfigArgs, Model, ScenarioArgs, Verbosity};
use crate::exit::{Failure, Outcome};
use crate::{plan, report};

pub(crate) fn run(args: &ConfigArgs) -> Result<Outcome, Failure> {
    if args.effective {
        if let Some(file) = plan::fields_file(args.scenario.scenario.as_deref())? {
            return report::data(&plan::fields_effective(&args.scenario, &file)?);
        }
        let configured = plan::settings(&args.scenario)?;
        report::configured(&configured, Verbosity { quiet: false, verbose: true });
        return report::data(&config::effective(&configured.settings));
    }
    if !is_empty(&args.scenario) {
        return Err(Failure::input(
            "throng config",
            "a scenario or a change is given, and neither the template nor the list of parameters depends on it",
            "use --effective to see the settings in force",
        ));
    }
    report::data(&match (args.model, args.schema) {
        (Model::Traffic, true) => config::schema(),
        (Model::Traffic, false) => config::default_config(),
        (Model::Fields, true) => fields::schema(),
        (Model::Fields, false) => fields::template().to_owned(),
    })
}

fn is_empty(args: &ScenarioArgs) -> bool {
    let ScenarioArgs { scenario, network, plans, vehicles, facilities, changes, seed, threads, out, overwrite } = args;
    let files = [scenario, network, plans, vehicles, facilities, out];
    files.iter().all(|file| file.is_none()) && changes.is_empty() && seed.is_none() && threads.is_none() && !overwrite
}
