//! Parses the arguments, including the arguments defined by the catalogue: the names of its entries and their flags.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Display;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args as _, CommandFactory as _, FromArgMatches as _, value_parser};
use throng::model::flags::{Flag, Flags};
use throng::model::generator::Generator;
use throng::model::paper::{Paper, PaperHelp};
use throng::model::tool::{Tool, ToolHelp, ToolInput};
use throng::model::{Catalogue, Check, Failure, LeftOut, Model};

use crate::args::{Arguments, Command, GenerateArgs, ReproduceArgs, ToolArgs};

/// A command, with the given flags of catalogue entries.
#[derive(Debug)]
pub(crate) struct ParsedCommand {
    pub command: Command,
    pub flags: Flags,
}

impl ParsedCommand {
    /// Parses arguments, the first of which is the program name, using the [`command`] of the same catalogue.
    ///
    /// # Errors
    /// A usage error, or requested help.
    pub(crate) fn parse(
        catalogue: &Catalogue,
        command: clap::Command,
        arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<Self, clap::Error> {
        let matches = command.try_get_matches_from(arguments)?;
        if let Some(error) = left_out_error(catalogue, &matches) {
            return Err(error);
        }
        let mut flags = Flags::default();
        if let Some(args) = given_tool(catalogue, &matches, &mut flags)? {
            return Ok(Self { command: Command::Tool(args), flags });
        }
        let Arguments { mut command } = Arguments::from_arg_matches(&matches)?;
        match (&mut command, matches.subcommand()) {
            (Command::Run(_) | Command::Sweep(_) | Command::Config(_), Some((name, given))) => {
                let all = catalogue.models.iter().flat_map(|model| model.flags());
                add_given(all.filter(|flag| name == RUN || !flag.only_run), given, &mut flags);
            }
            (Command::Generate(named), Some((_, given))) => {
                if let Some((_, given)) = given.subcommand() {
                    add_given(
                        crate::generator(catalogue, &named.name).iter().flat_map(|one| one.flags()),
                        given,
                        &mut flags,
                    );
                }
            }
            (Command::Reproduce(named), Some((_, given))) => {
                if let Some((_, given)) = given.subcommand() {
                    named.args.scenario = given.try_get_one::<PathBuf>(SCENARIO).ok().flatten().cloned();
                    add_given(
                        crate::paper(catalogue, &named.name).iter().flat_map(|paper| paper.help().flags),
                        given,
                        &mut flags,
                    );
                }
            }
            _ => {}
        }
        Ok(Self { command, flags })
    }
}

/// Returns the called tool, if any, and adds its flags.
fn given_tool(catalogue: &Catalogue, matches: &ArgMatches, flags: &mut Flags) -> Result<Option<ToolArgs>, clap::Error> {
    let Some((command, given)) = matches.subcommand() else { return Ok(None) };
    let (name, given) = given.subcommand().map_or((None, given), |(name, given)| (Some(name.to_owned()), given));
    let Some(tool) = crate::tool(catalogue, command, name.as_deref()) else { return Ok(None) };
    add_given(tool.help().flags.iter(), given, flags);
    let input = given.try_get_one::<PathBuf>(INPUT).ok().flatten().cloned();
    let ToolArgs { verbosity, .. } = ToolArgs::from_arg_matches(given)?;
    Ok(Some(ToolArgs { command: command.to_owned(), name, input, verbosity }))
}

/// The arguments that do not depend on the catalogue, built once both for checking names and for the definition.
struct Common {
    all: clap::Command,
    /// The arguments of all generators.
    generate: clap::Command,
    /// The arguments of all papers.
    reproduce: clap::Command,
    /// The arguments of all tools.
    tool: clap::Command,
}

impl Common {
    fn new() -> Self {
        Self {
            all: Arguments::command(),
            generate: GenerateArgs::augment_args(clap::Command::new("generate")),
            reproduce: ReproduceArgs::augment_args(clap::Command::new("reproduce")),
            tool: ToolArgs::augment_args(clap::Command::new("tool")),
        }
    }
}

/// Rejects a catalogue with ambiguous flags or names, for which clap would panic: a flag with the name of another flag
/// or of an option common to all runs, or two entries with the same name.
fn check_names(catalogue: &Catalogue, common: &Common) -> Result<(), Failure> {
    let Catalogue { models, generators, papers, tools, left_out: _ } = catalogue;
    let of_run = [RUN, "sweep", "config"].into_iter().filter_map(|name| common.all.find_subcommand(name));
    let mut taken: Vec<(String, String)> = of_run.flat_map(options).collect();
    for model in models {
        claim_names(&mut taken, &format!("model {}", model.name()), model.flags())?;
    }
    for generator in generators {
        let mut taken = options(&common.generate).collect();
        claim_names(&mut taken, &format!("generator {}", generator.name()), generator.flags())?;
    }
    for paper in papers {
        let mut taken = options(&common.reproduce).collect();
        claim_names(&mut taken, &format!("paper {}", paper.name()), paper.help().flags)?;
    }
    for tool in tools {
        let (help, mut taken) = (tool.help(), options(&common.tool).collect());
        claim_names(&mut taken, &help.words(), help.flags)?;
    }
    each_name_once("model", models.iter().map(|model| model.name()))?;
    each_name_once("generator", generators.iter().map(|generator| generator.name()))?;
    each_name_once("paper", papers.iter().map(|paper| paper.name()))?;
    each_name_once("command", tools.iter().map(|tool| tool.help().words()))?;
    each_name_once("model or group", checks(catalogue).map(Check::name).chain(groups(catalogue).into_keys()))?;
    // A command is either a single tool or the first word of several.
    let first_words: BTreeSet<&str> =
        tools.iter().filter(|tool| tool.help().name.is_some()).map(|tool| tool.help().command).collect();
    each_name_once("command", commands_of_one_word(common, tools).chain(first_words.into_iter().map(str::to_owned)))
}

/// Returns the groups of models and papers with cases, each with the names of its members.
fn groups(catalogue: &Catalogue) -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut groups = BTreeMap::<_, Vec<_>>::new();
    for checked in checks(catalogue) {
        if let Some(group) = checked.group() {
            groups.entry(group).or_default().push(checked.name());
        }
    }
    groups
}

fn checks(catalogue: &Catalogue) -> impl Iterator<Item = &'static dyn Check> {
    let models = catalogue.models.iter().map(|&model| model as &dyn Check);
    models.chain(catalogue.papers.iter().filter_map(|paper| paper.checks()))
}

fn commands_of_one_word(common: &Common, tools: &[&'static dyn Tool]) -> impl Iterator<Item = String> {
    let own = common.all.get_subcommands().map(|command| command.get_name().to_owned());
    let of_tools = tools.iter().map(|tool| tool.help()).filter(|help| help.name.is_none());
    own.chain(of_tools.map(|help| help.command.to_owned()))
}

/// Returns the ids and long names of a command's options, with their owner.
fn options(command: &clap::Command) -> impl Iterator<Item = (String, String)> {
    let names = command.get_arguments().flat_map(|arg| [Some(arg.get_id().as_str()), arg.get_long()]).flatten();
    let names: Vec<String> = names.chain(["help", SCENARIO, INPUT]).map(str::to_owned).collect();
    let owner = format!("`{} --help`", command.get_name());
    names.into_iter().map(move |name| (name, owner.clone()))
}

fn claim_names(taken: &mut Vec<(String, String)>, owner: &str, flags: &[Flag]) -> Result<(), Failure> {
    for flag in flags {
        if let Some((_, other)) = taken.iter().find(|(name, _)| name == flag.name) {
            let message = format!("--{} is taken by {other}", flag.name);
            return Err(Failure::input(owner, message, "give the flag another name"));
        }
        taken.push((flag.name.to_owned(), owner.to_owned()));
    }
    Ok(())
}

fn each_name_once<N: PartialEq + Display>(kind: &str, names: impl Iterator<Item = N>) -> Result<(), Failure> {
    let mut seen = Vec::new();
    for name in names {
        if seen.contains(&name) {
            return Err(Failure::input(kind, format!("{name} is in the list twice"), "give each a unique name"));
        }
        seen.push(name);
    }
    Ok(())
}

const RUN: &str = "run";
const SCENARIO: &str = "scenario";
const INPUT: &str = "input";

fn add_given<'f>(all: impl Iterator<Item = &'f Flag>, given: &ArgMatches, flags: &mut Flags) {
    for Flag { name, value, .. } in all {
        if value.is_none() {
            if given.get_flag(name) {
                flags.add(*name, "");
            }
        } else if let Some(values) = given.get_many::<String>(name) {
            flags.add(*name, values.map(String::as_str).collect::<Vec<_>>().join(","));
        }
    }
}

/// Returns the definition of all arguments, including the arguments of the catalogue.
///
/// # Errors
/// When names in the catalogue clash; the error gives the first clash, with both owners.
pub(crate) fn command(catalogue: &Catalogue) -> Result<clap::Command, Failure> {
    let common = Common::new();
    check_names(catalogue, &common)?;
    let Catalogue { models, generators, papers, tools, left_out } = catalogue;
    let Common { all, generate, reproduce, tool } = common;
    let named = |model: &&'static dyn Model| PossibleValue::new(model.name()).help(model.about());
    let names: Vec<PossibleValue> = models.iter().map(named).collect();
    let with_checks = papers.iter().filter_map(|paper| paper.checks()).map(|paper| PossibleValue::new(paper.name()));
    let of_group = |(group, members): (&&'static str, &Vec<&str>)| {
        PossibleValue::new(*group).help(format!("All of the group: {}", members.join(", ")))
    };
    let checked: Vec<_> =
        names.iter().cloned().chain(groups(catalogue).iter().map(of_group)).chain(with_checks).collect();
    let command = all
        .mut_subcommand(RUN, |run| with_flags_of_models(run, models, true))
        .mut_subcommand("sweep", |sweep| with_flags_of_models(sweep, models, false))
        .mut_subcommand("config", |config| {
            let names = PossibleValuesParser::new(names);
            with_flags_of_models(config, models, false).mut_arg("model", |model| model.value_parser(names))
        })
        .mut_subcommand("check", |check| {
            check.mut_arg("models", |models| models.value_parser(PossibleValuesParser::new(checked)))
        })
        .mut_subcommand("generate", |all| {
            all.subcommands(generators.iter().map(|generator| of_generator(generate.clone(), *generator)))
        })
        .mut_subcommand("reproduce", |all| {
            all.subcommands(papers.iter().map(|paper| of_paper(reproduce.clone(), *paper)))
        });
    let command = tools.iter().fold(command, |command, &one| with_tool(command, &tool, one));
    Ok(in_order(left_out.iter().fold(command, with_left_out)))
}

/// Adds a command that is not in this build, so that it is listed; it accepts any arguments.
fn with_left_out(all: clap::Command, LeftOut { command, about, feature }: &LeftOut) -> clap::Command {
    let any = Arg::new(INPUT).num_args(0..).allow_hyphen_values(true).trailing_var_arg(true).hide(true);
    let about = format!("{about} (not in this program: build it with `--features {feature}`)");
    let stand_in = clap::Command::new(*command).about(about).disable_help_flag(true).arg(any);
    match all.find_subcommand(command) {
        Some(_) => all.mut_subcommand(command, |_| stand_in),
        None => all.subcommand(stand_in),
    }
}

/// Returns the error for a command that is not in this build.
fn left_out_error(catalogue: &Catalogue, matches: &ArgMatches) -> Option<clap::Error> {
    let LeftOut { command, feature, .. } =
        catalogue.left_out.iter().find(|out| Some(out.command) == matches.subcommand_name())?;
    let message = format!(
        "`{command}` is not in this program. It takes a long time to compile, so it is an optional feature. Build the program with it:\n\n    \
         cargo build --release -p throng-cli --features {feature}\n"
    );
    Some(clap::Error::raw(ErrorKind::InvalidSubcommand, message))
}

/// Sorts the commands for help: those in typical use first, then the others in order of definition.
fn in_order(command: clap::Command) -> clap::Command {
    const ORDER: [&str; 8] = ["run", "view", "render", "compare", "sweep", "list", "config", "generate"];
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    names.iter().enumerate().fold(command, |command, (i, name)| {
        let rank = ORDER.iter().position(|first| first == name).unwrap_or(ORDER.len() + i);
        command.mut_subcommand(name, |sub| sub.display_order(rank))
    })
}

/// Returns the name of a single-word tool's file argument, such as `RUN`.
pub(crate) fn input_name(catalogue: &Catalogue, command: &str) -> Option<&'static str> {
    crate::tool(catalogue, command, None)?.help().input.map(|input| input.name)
}

/// Adds the command of a tool.
fn with_tool(all: clap::Command, common: &clap::Command, tool: &'static dyn Tool) -> clap::Command {
    let ToolHelp { command, about_command, name, about, input, flags, more } = tool.help();
    let of_tool = |named: clap::Command| {
        let named = named.about(about).after_help(more).args(flags.iter().map(argument));
        let Some(ToolInput { name, help, is_optional }) = input else { return named };
        let input = Arg::new(INPUT).value_name(name).help(help).value_parser(value_parser!(PathBuf));
        named.arg(input.required(!is_optional))
    };
    let Some(name) = name else { return all.subcommand(of_tool(common.clone().name(command))) };
    let named = of_tool(common.clone().name(name));
    if all.find_subcommand(command).is_some() {
        return all.mut_subcommand(command, |group| group.subcommand(named));
    }
    let group = clap::Command::new(command).about(about_command).subcommand_required(true);
    all.subcommand(group.arg_required_else_help(true).subcommand(named))
}

fn with_flags_of_models(command: clap::Command, models: &[&'static dyn Model], runs: bool) -> clap::Command {
    models.iter().fold(command, |command, model| {
        let flags = model.flags().iter().filter(|flag| runs || !flag.only_run);
        let heading = format!("Options of the {} model", model.name());
        command.args(flags.map(|flag| argument(flag).help_heading(heading.clone())))
    })
}

fn argument(flag: &Flag) -> Arg {
    let arg = Arg::new(flag.name).long(flag.name).help(flag.help);
    let arg = if flag.heading.is_empty() { arg } else { arg.help_heading(flag.heading) };
    let arg = if flag.more.is_empty() { arg } else { arg.long_help(format!("{}\n\n{}", flag.help, flag.more)) };
    match flag.value {
        Some(value) => arg.value_name(value).allow_hyphen_values(flag.is_signed).action(if flag.is_list {
            ArgAction::Append
        } else {
            ArgAction::Set
        }),
        None => arg.action(ArgAction::SetTrue),
    }
}

fn of_generator(common: clap::Command, generator: &'static dyn Generator) -> clap::Command {
    common
        .name(generator.name())
        .about(generator.about())
        .after_help(generator.more())
        .args(generator.flags().iter().map(argument))
}

fn of_paper(common: clap::Command, paper: &'static dyn Paper) -> clap::Command {
    let PaperHelp { about, scenario, device, quick, out, flags, more } = paper.help();
    let command = common
        .name(paper.name())
        .about(about)
        .after_help(more)
        .mut_arg("device", |arg| arg.help(device))
        .mut_arg("quick", |arg| arg.help(quick))
        .mut_arg("out", |arg| arg.help(out).required(false).default_value(paper.name()))
        .args(flags.iter().map(argument));
    if scenario.is_empty() {
        return command;
    }
    command.arg(Arg::new(SCENARIO).value_name("SCENARIO").help(scenario).value_parser(value_parser!(PathBuf)))
}

#[cfg(test)]
mod tests {
    use throng_device::DeviceChoice;

    use super::*;

    fn typed(arguments: &[&str]) -> Result<ParsedCommand, clap::Error> {
        let catalogue = throng::catalogue();
        ParsedCommand::parse(&catalogue, command(&catalogue).unwrap(), arguments)
    }

    #[test]
    fn duplicate_flag_names_are_refused() {
        let error = |flags: &[Flag]| {
            let mut taken = options(&Common::new().generate).collect();
            claim_names(&mut taken, "generator a", flags).unwrap_err().to_string()
        };
        let traffic = throng::catalogue().models[0];
        let twice = command(&Catalogue { models: vec![traffic, traffic], ..Catalogue::default() }).unwrap_err();
        assert!(twice.to_string().contains("--network is taken by model traffic"), "{twice}");
        assert!(error(&[Flag::new("out", "DIR", "")]).contains("generator a: --out is taken by `generate --help`"));
        let twice = error(&[Flag::new("size", "N", ""), Flag::new("size", "N", "")]);
        assert!(twice.contains("--size is taken by generator a") && twice.contains("another name"), "{twice}");
        assert!(
            each_name_once("model", ["a", "b", "a"].into_iter()).unwrap_err().to_string().contains("a is in the list")
        );
    }

    #[test]
    fn the_definition_is_consistent() {
        command(&throng::catalogue()).unwrap().debug_assert();
        assert_eq!(throng::catalogue().models[0].name(), "traffic", "the model of `throng config` if none is named");
    }

    #[test]
    fn flags_of_models_are_parsed() {
        let given = typed(&["throng", "run", "a", "--network", "n.xml", "--link-volumes"]).unwrap().flags;
        assert_eq!(given.iter().collect::<Vec<_>>(), [("network", "n.xml"), ("link-volumes", "")]);
        assert_eq!(typed(&["throng", "config", "--effective", "a"]).unwrap().flags, Flags::default());
        assert!(typed(&["throng", "config", "--effective", "a", "--link-volumes"]).is_err(), "it is for runs only");
        for (name, is_known) in [("crowds", false), ("elmir", true), ("crowd", true), ("games", true), ("kalah", true)]
        {
            assert_eq!(typed(&["throng", "check", name]).is_ok(), is_known, "{name}");
        }
    }

    #[test]
    fn groups_contain_their_models() {
        let groups = groups(&throng::catalogue());
        assert_eq!((&groups["crowd"], &groups["games"]), (&vec!["collision", "social-field"], &vec!["kalah"]));
    }

    #[test]
    fn flags_of_generators_and_papers_are_parsed() {
        let ParsedCommand { command, flags } = typed(&["throng", "generate", "city", "--out", "a", "--spike"]).unwrap();
        let Command::Generate(named) = command else { panic!("not generate") };
        assert_eq!((named.name.as_str(), named.args.out), ("city", "a".into()));
        assert_eq!(flags.iter().collect::<Vec<_>>(), [("spike", "")]);
        let arguments =
            ["throng", "reproduce", "strippgen", "a", "--quick", "--samples", "1,5", "--samples", "9", "--steps", "7"];
        let ParsedCommand { command, flags } = typed(&arguments).unwrap();
        let Command::Reproduce(named) = command else { panic!("not reproduce") };
        assert_eq!((named.name.as_str(), named.args.out), ("strippgen", "strippgen".into()));
        assert_eq!((named.args.scenario, named.args.quick), (Some("a".into()), true));
        assert_eq!(flags.iter().collect::<Vec<_>>(), [("steps", "7"), ("samples", "1,5,9")]);
    }

    #[test]
    fn flags_of_run_are_parsed() {
        let arguments = ["throng", "run", "a", "--seed", "-3", "--set", "qsim.stuckTime=1", "--set", "b=c", "-v"];
        let Command::Run(args) = typed(&arguments).unwrap().command else { panic!("not run") };
        assert_eq!(args.scenario.scenario, Some("a".into()));
        assert_eq!(args.scenario.seed, Some(-3));
        assert_eq!(args.scenario.changes, ["qsim.stuckTime=1", "b=c"]);
        assert_eq!((args.execution.device, args.verbosity.verbose), (DeviceChoice::Auto, true));
        for bad in [
            vec!["throng"],
            vec!["throng", "config"],
            vec!["throng", "config", "--default", "--schema"],
            vec!["throng", "run", "a", "-q", "-v"],
            vec!["throng", "run", "a", "--steps", "0"],
            vec!["throng", "generate", "city"],
            vec!["throng", "generate", "village", "--out", "a"],
            vec!["throng", "generate"],
            vec!["throng", "reproduce", "elmir", "scenario.toml"],
            vec!["throng", "reproduce", "elmir", "--samples", "1"],
        ] {
            assert_eq!(typed(&bad).unwrap_err().exit_code(), 2, "{bad:?}");
        }
    }
}
