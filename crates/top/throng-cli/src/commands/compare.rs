//! `throng compare`: checks whether two results agree.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use throng::model::{Failure, Model};
use throng::output::PendingFile;
use throng::traffic::compare::{
    CompareOptions, DayComparison, compare_calls, compare_events, compare_hashes, compare_links, compare_tables,
    compare_trips,
};
use throng_core::{InputError, hint_for_missing, shell_word, special_file};

use crate::args::CompareArgs;
use crate::outcome::Outcome;
use crate::result_folder::{self, CALLS, LINKS, ResultFolder, TRIPS, VOLUMES};
use crate::run_differences::{changed_results, changed_settings, count_results};
use crate::{progress, report};

pub(crate) fn run(models: &[&dyn Model], args: &CompareArgs) -> Result<Outcome, Failure> {
    let compared = resolve_inputs(models, &args.a, &args.b)?;
    let report = args.report.as_deref().map(|target| create_report(target, &compared, args.overwrite)).transpose()?;
    let progress = progress::display(args.verbosity);
    progress.begin("comparing", None, "files");
    let Comparison { equal, summary, details } = match &compared {
        Compared::Files(files) | Compared::Runs { files, .. } => compare(files, args)?,
        Compared::Manifests(runs) => compare_manifests(runs, args)?,
    };
    let mut about_runs = String::new();
    if (report.is_some() || !args.verbosity.quiet)
        && let Compared::Runs { runs: [a, b], .. } | Compared::Manifests([a, b]) = &compared
    {
        let mut day =
            if equal && report.is_none() { DayComparison::default() } else { compare_days([a, b], args.show) };
        if let Some(report) = report {
            write_report(report, &day, [a, b])?;
        }
        if let Some(links) = &mut day.links {
            links.volumes.largest.truncate(args.show);
        }
        let differences = if equal { String::new() } else { differences_of_runs(a, b) + &day.to_string() };
        let lacking = result_folder::lacking(a, b);
        let gap = if differences.is_empty() || lacking.is_empty() { "" } else { "\n" };
        // Settings, results and traffic are printed before the first differing events.
        about_runs = format!("{differences}{gap}{lacking}{}", if details.is_empty() { "" } else { "\n" });
    }
    progress.end();
    if !args.verbosity.quiet {
        report::print(&format!("{summary}{about_runs}{details}"))?;
    }
    Ok(if equal { Outcome::Done } else { Outcome::Differs })
}

/// The compared files or runs.
enum Compared {
    Files([PathBuf; 2]),
    /// Two runs, each represented by a file.
    Runs {
        files: [PathBuf; 2],
        runs: [ResultFolder; 2],
    },
    /// Two runs without such files.
    Manifests([ResultFolder; 2]),
}

fn resolve_inputs(models: &[&dyn Model], a: &Path, b: &Path) -> Result<Compared, Failure> {
    let folder = |path: &Path| path.is_dir().then(|| ResultFolder::read(path)).transpose();
    // If a folder is not a run, the remedy lists runs to use instead.
    let [instead_of_a, instead_of_b] = ["throng compare".to_owned(), format!("throng compare {}", shell_word(a))];
    Ok(match (folder(a)?, folder(b)?) {
        (Some(a), Some(b)) => {
            result_folder::refuse_two_models(&a, &b)?;
            if a.has_only_results() && b.has_only_results() {
                return Ok(Compared::Manifests([a, b]));
            }
            if a.has_only_results() {
                // B may not be a run at all, which is the more serious problem.
                b.file_to_compare(models, &instead_of_b)?;
            }
            let of_each = [a.file_to_compare(models, &instead_of_a)?, b.file_to_compare(models, &instead_of_b)?];
            Compared::Runs { files: result_folder::files_of_one_kind(&a, &b, &of_each)?, runs: [a, b] }
        }
        (Some(a), None) => Compared::Files([a.file_to_compare(models, &instead_of_a)?, existing(b)?]),
        (None, Some(b)) => Compared::Files([existing(a)?, b.file_to_compare(models, &instead_of_b)?]),
        (None, None) => Compared::Files([existing(a)?, existing(b)?]),
    })
}

/// Returns the kind of two files, which must be the same.
fn common_kind([a, b]: &[PathBuf; 2]) -> Result<InputKind, Failure> {
    let kinds = [InputKind::of(a)?, InputKind::of(b)?];
    if kinds[0] == kinds[1] {
        return Ok(kinds[0]);
    }
    Err(Failure::input(
        b.display().to_string(),
        format!("this is {}, and {} is {}", kinds[1].name(), a.display(), kinds[0].name()),
        "compare two files of one kind",
    ))
}

/// Compares two runs by the results in their manifests.
fn compare_manifests([a, b]: &[ResultFolder; 2], args: &CompareArgs) -> Result<Comparison, Failure> {
    refuse_attributes(args)?;
    let runs = a.run.as_ref().zip(b.run.as_ref());
    let (count, different) = runs.map_or((0, 0), |(a, b)| count_results(a.results(), b.results()));
    if count == 0 {
        let remedy = "name two files to compare";
        return Err(Failure::input(b.path().display().to_string(), "the manifests have no results", remedy));
    }
    let summary = if different == 0 {
        format!("equal: {count} results in the manifests\n")
    } else {
        format!("different: {different} of {count} results in the manifests\n")
    };
    Ok(Comparison { equal: different == 0, summary, details: String::new() })
}

/// Describes the settings and results that differ between two runs.
fn differences_of_runs(a: &ResultFolder, b: &ResultFolder) -> String {
    match (&a.run, &b.run) {
        (Some(a), Some(b)) => changed_settings(a, b) + &changed_results(a.results(), b.results()),
        _ => String::new(),
    }
}

/// Compares the tables of two days of traffic, with up to `shown` of the links whose traffic differs. A table that is
/// damaged, or that one run lacks, is listed: the events have been compared already, and a fault in another file must
/// not hide that result.
fn compare_days(runs: [&ResultFolder; 2], shown: usize) -> DayComparison {
    let mut day = DayComparison::default();
    let is_traffic = runs.iter().all(|run| run.has_events());
    day.trips = compare_day_table(runs, ("trips", &[TRIPS], is_traffic), &mut day.not_compared, compare_trips);
    day.links = compare_day_table(runs, ("links", &[LINKS, VOLUMES], is_traffic), &mut day.not_compared, |a, b| {
        compare_links(a, b, shown)
    });
    day.calls = compare_day_table(runs, ("public transport", &[CALLS], false), &mut day.not_compared, compare_calls);
    day
}

/// Compares the first of the tables named `plain` that both runs have. If there is none, a line is added to
/// `not_compared`, if one run has such a table or the table `is_expected`.
fn compare_day_table<T>(
    runs: [&ResultFolder; 2],
    (what, plain, is_expected): (&str, &[&str], bool),
    not_compared: &mut Vec<String>,
    compare: impl Fn(&Path, &Path) -> Result<T, InputError>,
) -> Option<T> {
    let mut lacking = Vec::new();
    for name in plain {
        let compared = match (runs[0].table(name), runs[1].table(name)) {
            (Ok(Some(a)), Ok(Some(b))) => compare(&a, &b).map_err(Failure::from),
            (Err(failure), _) | (_, Err(failure)) => Err(failure),
            (Ok(a), Ok(b)) => {
                lacking.push([a.is_none(), b.is_none()]);
                continue;
            }
        };
        return compared.map_err(|failure| not_compared.push(format!("{what}: not compared, {failure}"))).ok();
    }
    let is_missing_in = [0, 1].map(|side| lacking.iter().all(|lacking| lacking[side]));
    let without = |run: &ResultFolder| format!("{} has no {}", run.path().display(), plain.join(" or "));
    let reason = match is_missing_in {
        [true, true] if is_expected => format!("neither run has {}", plain.join(" or ")),
        [true, true] => return None,
        [true, false] => without(runs[0]),
        [false, true] => without(runs[1]),
        [false, false] => format!("the runs do not have the same of {}", plain.join(" and ")),
    };
    not_compared.push(format!("{what}: not compared, {reason}"));
    None
}

/// Creates the file of the report. It gets its name when it is complete.
fn create_report(target: &Path, compared: &Compared, overwrite: bool) -> Result<PendingFile, Failure> {
    let place = || format!("--report {}", target.display());
    if matches!(compared, Compared::Files(_)) {
        return Err(Failure::input(place(), "a report describes two runs", "name the folders of two runs"));
    }
    if target.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("html")) {
        return Err(Failure::input(place(), "the report is a page", "give it a name that ends in .html"));
    }
    if target.exists() && !overwrite {
        return Err(Failure::input(place(), "the file exists", "name another file, or add --overwrite"));
    }
    Ok(PendingFile::create(target)?)
}

fn write_report(mut file: PendingFile, day: &DayComparison, [a, b]: [&ResultFolder; 2]) -> Result<(), Failure> {
    if day.is_empty() {
        let reasons = if day.not_compared.is_empty() {
            "the runs have no tables of traffic".to_owned()
        } else {
            day.not_compared.join("; ")
        };
        return Err(Failure::input(
            "--report",
            reasons,
            "leave it out, or compare two runs of traffic with their tables",
        ));
    }
    let names = [a, b].map(|run| run.path().display().to_string());
    let footer = concat!("Throng ", env!("CARGO_PKG_VERSION"));
    let page = day.page(names.each_ref().map(String::as_str), footer);
    file.write_all(page.as_bytes()).map_err(|error| file.error(error))?;
    file.complete()?;
    Ok(())
}

fn existing(path: &Path) -> Result<PathBuf, Failure> {
    // Pipes and devices are rejected when they are opened.
    if path.is_file() || special_file(path).is_some() {
        return Ok(path.to_owned());
    }
    Err(Failure::input(path.display().to_string(), "there is no such file or folder", hint_for_missing(path)))
}

/// The kinds of files that can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InputKind {
    Events,
    Table,
    Hashes,
}

impl InputKind {
    /// Determines the kind by the file extension, without the extension of a compression; events if there is none.
    ///
    /// # Errors
    /// If the file is of another kind.
    fn of(path: &Path) -> Result<Self, Failure> {
        let name = path.file_name().and_then(|name| name.to_str()).map(result_folder::unpacked);
        match name.and_then(|name| name.rsplit_once('.')) {
            Some((_, "csv")) => Ok(Self::Table),
            Some((_, "txt")) => Ok(Self::Hashes),
            Some((_, "xml")) | None => Ok(Self::Events),
            Some(_) => Err(Failure::input(
                path.display().to_string(),
                "is neither a file of events (.xml) nor a table (.csv) nor a log of state hashes (.txt)",
                "give two such files, or the folders of two runs",
            )),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Events => "a file of events",
            Self::Table => "a table",
            Self::Hashes => "a log of state hashes",
        }
    }
}

/// The result of a comparison as text.
struct Comparison {
    equal: bool,
    summary: String,
    /// The first differences; empty if they are part of the summary.
    details: String,
}

/// Rejects `--ignore` for files without attributes.
fn refuse_attributes(args: &CompareArgs) -> Result<(), Failure> {
    if args.ignore.is_empty() {
        return Ok(());
    }
    Err(Failure::input("--ignore", "only events have attributes", "leave it out"))
}

fn compare(files: &[PathBuf; 2], args: &CompareArgs) -> Result<Comparison, Failure> {
    let (kind, [a, b]) = (common_kind(files)?, files);
    if kind != InputKind::Events {
        refuse_attributes(args)?;
    }
    let line = |text: String| format!("{}\n", text.trim_end());
    Ok(match kind {
        InputKind::Events => {
            let options = CompareOptions { ignore_attributes: args.ignore.clone(), first: args.show };
            let compared = compare_events(a, b, &options)?;
            Comparison { equal: compared.is_equal(), summary: compared.summary(), details: compared.details() }
        }
        InputKind::Table => {
            let compared = compare_tables(a, b, args.show)?;
            Comparison { equal: compared.is_equal(), summary: line(compared.to_string()), details: String::new() }
        }
        InputKind::Hashes => {
            let compared = compare_hashes(a, b)?;
            Comparison { equal: compared.is_equal(), summary: line(compared.to_string()), details: String::new() }
        }
    })
}
