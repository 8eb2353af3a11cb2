//! `throng reproduce elmir`.

use std::fmt::Write as _;
use std::path::Path;

use throng::papers::elmir::{self, Beyond, Options, Published};

use crate::args::ElmirArgs;
use throng::model::Failure;

use crate::exit::Outcome;
use crate::{progress, report};

pub(super) fn run(args: &ElmirArgs) -> Result<Outcome, Failure> {
    let options = options(args)?;
    let published = args.published.as_deref().map_or_else(|| Ok(Published::headline()), published)?;
    let names = file_names(&options);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let folder = super::folder(&args.out, args.overwrite, args.published.as_deref(), &names)?;
    let device = super::device(args.device, args.verbosity)?;

    let display = progress::display(args.verbosity);
    let measurements = elmir::reproduce(device.as_ref(), &options, display.as_ref())?;
    let beyond = match &device {
        Some(device) if args.beyond => Beyond::default().measure(device, display.as_ref())?,
        _ => Vec::new(),
    };
    if !args.verbosity.quiet {
        let cases = options.cases().len();
        let mut text = super::provenance(device.as_ref());
        let _ = write!(text, "Elmir 2013, circles in a world of 256 x 256 units, {cases} cases; medians\n\n");
        text.push_str(&elmir::table(&measurements, &published));
        text.push('\n');
        text.push_str(&elmir::statements(&measurements));
        if !beyond.is_empty() {
            let _ = write!(text, "\n{}", elmir::beyond_table(&beyond));
        }
        report::print(&text)?;
    }
    folder.begin_anew(&names)?;
    let mut files = elmir::write(&measurements, &published, &folder)?;
    if !beyond.is_empty() {
        files.push(elmir::write_beyond(&beyond, &folder)?);
    }
    super::finish(&folder, &files, args.verbosity)
}

/// All names that the files may have.
fn file_names(options: &Options) -> Vec<String> {
    let charts = options.radii.iter().map(|radius| format!("elmir_r{radius}.svg"));
    ["elmir.csv", "elmir_beyond.csv"].map(str::to_owned).into_iter().chain(charts).collect()
}

fn options(args: &ElmirArgs) -> Result<Options, Failure> {
    super::each_once("--radii", &args.radii)?;
    super::each_once("--resolutions", &args.resolutions)?;
    super::each_once("--entities", &args.entities)?;
    let mut defaults = Options { threads: super::all_threads(), ..Options::default() };
    if args.quick {
        let (radii, resolutions, counts) = (vec![15.0, 4.0], vec![256, 512], vec![64, 256]);
        defaults = Options { radii, resolutions, counts, repeat: 3, ..defaults };
    }
    Ok(Options {
        radii: if args.radii.is_empty() { defaults.radii } else { args.radii.clone() },
        resolutions: if args.resolutions.is_empty() { defaults.resolutions } else { args.resolutions.clone() },
        counts: if args.entities.is_empty() { defaults.counts } else { args.entities.clone() },
        repeat: args.repeat.map_or(defaults.repeat, |repeat| repeat as usize),
        most_naive_pairs: args.most_naive_pairs.unwrap_or(defaults.most_naive_pairs),
        threads: args.threads.map_or(defaults.threads, |threads| threads as usize),
        seed: defaults.seed,
    })
}

fn published(file: &Path) -> Result<Published, Failure> {
    let place = file.display().to_string();
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::input(&place, error.to_string(), "--published names the tables of the thesis"))?;
    Published::parse(&text)
        .map_err(|error| Failure::input(format!("{place}: {}", error.place), error.value, error.remedy))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Arguments, Command, Reproduce};

    fn options_of(typed: &[&str]) -> Result<Options, Failure> {
        let all = ["throng", "reproduce", "elmir"].iter().chain(typed);
        let Command::Reproduce(args) = Arguments::try_parse_from(all).unwrap().command else { panic!("not reproduce") };
        let Reproduce::Elmir(args) = args.paper else { panic!("not elmir") };
        options(&args)
    }

    #[test]
    fn what_is_typed_counts_more_than_quick() {
        let all = options_of(&[]).unwrap();
        assert_eq!((all.cases().len(), all.repeat, all.most_naive_pairs), (240, 10, u64::MAX));
        let quick = options_of(&["--quick", "--radii", "8,4.5", "--repeat", "2", "--most-naive-pairs", "0"]).unwrap();
        assert_eq!(
            (quick.radii.as_slice(), quick.resolutions.as_slice()),
            ([8.0, 4.5].as_slice(), [256, 512].as_slice())
        );
        assert_eq!((quick.repeat, quick.most_naive_pairs, quick.cases().len()), (2, 0, 8));
    }

    #[test]
    fn what_is_there_twice_is_refused() {
        for typed in [["--radii", "8,4,8"], ["--resolutions", "256,256"], ["--entities", "64,9,9"]] {
            let Err(Failure::Input(problems)) = options_of(&typed) else { panic!("{typed:?} was taken") };
            assert!(problems.to_string().starts_with(typed[0]), "{problems}");
        }
    }
}
