//! The arguments with those of the models: their names, and their own flags.

use std::ffi::OsString;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, CommandFactory as _, FromArgMatches as _};
use throng::model::{Flags, Model};

use crate::args::{Arguments, Command};

/// A command, and the flags of models that were given with it.
#[derive(Debug)]
pub(crate) struct Typed {
    pub command: Command,
    pub flags: Flags,
}

impl Typed {
    /// Parses arguments, the first of which is the name of the program.
    ///
    /// # Errors
    /// A usage error, or help that was requested.
    pub(crate) fn parse(
        models: &[&'static dyn Model],
        arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<Self, clap::Error> {
        let matches = command(models).try_get_matches_from(arguments)?;
        let mut flags = Flags::default();
        if let Some((name @ (RUN | CONFIG), given)) = matches.subcommand() {
            for flag in models.iter().flat_map(|model| model.flags()).filter(|flag| name == RUN || !flag.only_run) {
                add_given(flag.name, flag.value.is_some(), given, &mut flags);
            }
        }
        let Arguments { command } = Arguments::from_arg_matches(&matches)?;
        Ok(Self { command, flags })
    }
}

const RUN: &str = "run";
const CONFIG: &str = "config";
const CHECK: &str = "check";

fn add_given(name: &str, has_value: bool, given: &ArgMatches, flags: &mut Flags) {
    if !has_value {
        if given.get_flag(name) {
            flags.add(name, "");
        }
    } else if let Some(value) = given.get_one::<String>(name) {
        flags.add(name, value);
    }
}

/// The definition of all arguments, including those of the models.
fn command(models: &[&'static dyn Model]) -> clap::Command {
    let named = |model: &&'static dyn Model| PossibleValue::new(model.name()).help(model.about());
    let names: Vec<PossibleValue> = models.iter().map(named).collect();
    let papers = throng::papers_with_checks().into_iter().map(|paper| PossibleValue::new(paper.name()));
    let checked: Vec<_> = names.iter().cloned().chain(papers).collect();
    Arguments::command()
        .mut_subcommand(RUN, |run| with_flags(run, models, true))
        .mut_subcommand(CONFIG, |config| {
            let names = PossibleValuesParser::new(names);
            with_flags(config, models, false).mut_arg("model", |model| model.value_parser(names))
        })
        .mut_subcommand(CHECK, |check| {
            check.mut_arg("models", |models| models.value_parser(PossibleValuesParser::new(checked)))
        })
}

fn with_flags(command: clap::Command, models: &[&'static dyn Model], runs: bool) -> clap::Command {
    models.iter().fold(command, |command, model| {
        let flags = model.flags().iter().filter(|flag| runs || !flag.only_run);
        command.args(flags.map(|flag| {
            let arg = Arg::new(flag.name)
                .long(flag.name)
                .help(flag.help)
                .help_heading(format!("Options of the {} model", model.name()));
            let arg = if flag.more.is_empty() { arg } else { arg.long_help(format!("{}\n\n{}", flag.help, flag.more)) };
            match flag.value {
                Some(value) => arg.value_name(value).action(ArgAction::Set),
                None => arg.action(ArgAction::SetTrue),
            }
        }))
    })
}

#[cfg(test)]
mod tests {
    use throng_device::DeviceChoice;

    use super::*;

    fn typed(arguments: &[&str]) -> Result<Typed, clap::Error> {
        Typed::parse(&throng::models(), arguments)
    }

    #[test]
    fn the_definition_is_consistent() {
        command(&throng::models()).debug_assert();
        assert_eq!(throng::models()[0].name(), "traffic", "the model of `throng config` if none is named");
    }

    #[test]
    fn flags_of_models() {
        let given = typed(&["throng", "run", "a", "--network", "n.xml", "--link-volumes"]).unwrap().flags;
        assert_eq!(given.iter().collect::<Vec<_>>(), [("network", "n.xml"), ("link-volumes", "")]);
        assert_eq!(typed(&["throng", "config", "--effective", "a"]).unwrap().flags, Flags::default());
        assert!(typed(&["throng", "config", "--effective", "a", "--link-volumes"]).is_err(), "it is for runs only");
        assert!(typed(&["throng", "check", "crowds"]).is_err() && typed(&["throng", "check", "elmir"]).is_ok());
    }

    #[test]
    fn flags_of_run() {
        let arguments = ["throng", "run", "a", "--seed", "-3", "--set", "qsim.stuckTime=1", "--set", "b=c", "-v"];
        let Command::Run(args) = typed(&arguments).unwrap().command else { panic!("not run") };
        assert_eq!(args.scenario.scenario, Some("a".into()));
        assert_eq!(args.scenario.seed, Some(-3));
        assert_eq!(args.scenario.changes, ["qsim.stuckTime=1", "b=c"]);
        assert_eq!((args.device, args.verbosity.verbose), (DeviceChoice::Auto, true));
        for bad in [
            vec!["throng"],
            vec!["throng", "config"],
            vec!["throng", "config", "--default", "--schema"],
            vec!["throng", "run", "a", "-q", "-v"],
            vec!["throng", "run", "a", "--steps", "0"],
            vec!["throng", "generate", "city"],
            vec!["throng", "generate", "city", "--out", "a", "--tier", "village"],
        ] {
            assert_eq!(typed(&bad).unwrap_err().exit_code(), 2, "{bad:?}");
        }
    }
}
