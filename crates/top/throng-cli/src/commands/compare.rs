//! `throng compare`: checks whether two results agree.

use std::path::{Path, PathBuf};

use throng::model::{Failure, Model};
use throng::traffic::compare::{CompareOptions, compare_events, compare_hashes, compare_links, compare_tables};
use throng_core::{hint_for_missing, shell_word, special_file};

use crate::args::CompareArgs;
use crate::outcome::Outcome;
use crate::result_folder::{self, ResultFolder};
use crate::run_differences::{changed_results, changed_settings, count_results};
use crate::{progress, report};

pub(crate) fn run(models: &[&dyn Model], args: &CompareArgs) -> Result<Outcome, Failure> {
    let compared = resolve_inputs(models, &args.a, &args.b)?;
    let progress = progress::display(args.verbosity);
    progress.begin("comparing", None, "files");
    let Comparison { equal, summary, details } = match &compared {
        Compared::Files(files) | Compared::Runs { files, .. } => compare(files, args)?,
        Compared::Manifests(runs) => compare_manifests(runs, args)?,
    };
    let about_runs = match &compared {
        Compared::Runs { runs: [a, b], .. } | Compared::Manifests([a, b]) if !args.verbosity.quiet => {
            let differences = if equal { String::new() } else { differences_of_runs(a, b, args.show) };
            let lacking = result_folder::lacking(a, b);
            let gap = if differences.is_empty() || lacking.is_empty() { "" } else { "\n" };
            // Settings, results and links are printed before the first differing events.
            format!("{differences}{gap}{lacking}{}", if details.is_empty() { "" } else { "\n" })
        }
        _ => String::new(),
    };
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

/// Describes the differences between two runs: settings, results, and the links that differ most.
fn differences_of_runs(a: &ResultFolder, b: &ResultFolder, shown: usize) -> String {
    let manifests = match (&a.run, &b.run) {
        (Some(a), Some(b)) => changed_settings(a, b) + &changed_results(a.results(), b.results()),
        _ => String::new(),
    };
    // The events have been compared already: a fault in another file must not hide that result.
    let links = changed_links(a, b, shown).unwrap_or_else(|failure| format!("\nlinks: not compared, {failure}\n"));
    manifests + &links
}

/// Describes the links whose traffic differs most; empty if both have the same traffic, or one has no link table.
fn changed_links(a: &ResultFolder, b: &ResultFolder, shown: usize) -> Result<String, Failure> {
    let (Some(a), Some(b)) = (a.links()?, b.links()?) else { return Ok(String::new()) };
    let compared = compare_links(&a, &b, shown)?;
    Ok(if compared.different == 0 { String::new() } else { format!("\n{compared}") })
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
