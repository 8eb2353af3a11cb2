//! `throng compare`: do two results agree?

use std::path::{Path, PathBuf};

use throng::model::{Failure, Model};
use throng::traffic::compare::{CompareOptions, compare_events, compare_hashes, compare_links, compare_tables};
use throng::traffic::formats::open::special_file;
use throng_core::hint_for_missing;

use crate::args::CompareArgs;
use crate::exit::Outcome;
use crate::result_folder::{self, ResultFolder};
use crate::run_differences::{changed_numbers, changed_settings, count_numbers};
use crate::{progress, report};

pub(crate) fn run(models: &[&dyn Model], args: &CompareArgs) -> Result<Outcome, Failure> {
    let Compared { files, folders } = both(models, &args.a, &args.b)?;
    let kind = files.as_ref().map(common_kind).transpose()?;
    if !args.ignore.is_empty() && kind != Some(Kind::Events) {
        return Err(Failure::input("--ignore", "only events have attributes", "leave it out"));
    }
    let progress = progress::display(args.verbosity);
    progress.begin("comparing", None, "files");
    let Comparison { equal, summary, details } = match (files.zip(kind), &folders) {
        (Some(([a, b], kind)), _) => compare(&a, &b, kind, args)?,
        (None, folders) => compare_numbers(folders.as_ref()),
    };
    let mut text = summary;
    if let Some([a, b]) = folders.as_ref().filter(|_| !args.verbosity.quiet) {
        if !equal {
            text += &differences_of_runs(a, b, args.show);
        }
        text += &result_folder::lacking(a, b);
    }
    progress.end();
    if !args.verbosity.quiet {
        // In runs, what the differences amount to comes before the first of them.
        let gap = if folders.is_some() && !details.is_empty() { "\n" } else { "" };
        report::print(&format!("{text}{gap}{details}"))?;
    }
    Ok(if equal { Outcome::Done } else { Outcome::Differs })
}

/// The two files to compare and, if both were given as folders, these; two runs without such files have their manifests.
struct Compared {
    files: Option<[PathBuf; 2]>,
    folders: Option<[ResultFolder; 2]>,
}

fn both(models: &[&dyn Model], a: &Path, b: &Path) -> Result<Compared, Failure> {
    let folder = |path: &Path| path.is_dir().then(|| ResultFolder::read(path)).transpose();
    let file = |folder: &ResultFolder| folder.file_to_compare(models);
    let (files, folders) = match (folder(a)?, folder(b)?) {
        (Some(a), Some(b)) => {
            result_folder::refuse_two_models(&a, &b)?;
            let only_numbers = a.has_only_numbers() && b.has_only_numbers();
            let files = if only_numbers { None } else { Some(result_folder::files_of_one_kind(models, &a, &b)?) };
            (files, Some([a, b]))
        }
        (Some(a), None) => (Some([file(&a)?, existing(b)?]), None),
        (None, Some(b)) => (Some([existing(a)?, file(&b)?]), None),
        (None, None) => (Some([existing(a)?, existing(b)?]), None),
    };
    Ok(Compared { files, folders })
}

/// The kind of two files.
fn common_kind([a, b]: &[PathBuf; 2]) -> Result<Kind, Failure> {
    let kinds = [Kind::of(a)?, Kind::of(b)?];
    if kinds[0] == kinds[1] {
        return Ok(kinds[0]);
    }
    Err(Failure::input(
        b.display().to_string(),
        format!("this is {}, and {} is {}", kinds[1].name(), a.display(), kinds[0].name()),
        "compare two files of one kind",
    ))
}

/// Compares two runs by the numbers in their manifests.
fn compare_numbers(folders: Option<&[ResultFolder; 2]>) -> Comparison {
    let manifests = folders.and_then(|[a, b]| a.run.as_ref().zip(b.run.as_ref()));
    let (common, different) = manifests.map_or((0, 0), |(a, b)| count_numbers(a, b));
    let summary = if different == 0 {
        format!("equal: {common} numbers of the manifests\n")
    } else {
        format!("different: {different} of {common} numbers of the manifests\n")
    };
    Comparison { equal: different == 0, summary, details: String::new() }
}

/// How two runs differ: in settings, in numbers, and on which links.
fn differences_of_runs(a: &ResultFolder, b: &ResultFolder, shown: usize) -> String {
    let manifests = match (&a.run, &b.run) {
        (Some(a), Some(b)) => changed_settings(a, b) + &changed_numbers(a, b),
        _ => String::new(),
    };
    // The events have been compared: what is wrong with another file is no reason to withhold the result.
    let links = changed_links(a, b, shown).unwrap_or_else(|failure| format!("\nlinks: not compared, {failure}\n"));
    manifests + &links
}

/// The links on which traffic differs most; empty if both have the same traffic, or one has no table of links.
fn changed_links(a: &ResultFolder, b: &ResultFolder, shown: usize) -> Result<String, Failure> {
    let (Some(a), Some(b)) = (a.links()?, b.links()?) else { return Ok(String::new()) };
    let compared = compare_links(&a, &b, shown)?;
    Ok(if compared.different == 0 { String::new() } else { format!("\n{compared}") })
}

fn existing(path: &Path) -> Result<PathBuf, Failure> {
    // Pipes and devices are refused where they are opened.
    if path.is_file() || special_file(path).is_some() {
        return Ok(path.to_owned());
    }
    Err(Failure::input(path.display().to_string(), "there is no such file or folder", hint_for_missing(path)))
}

/// The kinds of files that can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Events,
    Table,
    Hashes,
}

/// Endings of results that are neither events nor tables nor logs.
const OTHER_RESULTS: [&str; 9] = ["html", "json", "md", "npy", "parquet", "png", "sqlite", "throng", "toml"];

impl Kind {
    /// By the ending of the name, before that of its compression.
    ///
    /// # Errors
    /// A file of another kind.
    fn of(path: &Path) -> Result<Self, Failure> {
        let name = path.file_name().and_then(|name| name.to_str()).map(result_folder::unpacked);
        match name.and_then(|name| name.rsplit_once('.')) {
            Some((_, "csv")) => Ok(Self::Table),
            Some((_, "txt")) => Ok(Self::Hashes),
            Some((_, ending)) if OTHER_RESULTS.contains(&ending) => Err(Failure::input(
                path.display().to_string(),
                "is no file of events (.xml), no table (.csv) and no log of state hashes (.txt)",
                "give two such files, or the folders of two runs",
            )),
            _ => Ok(Self::Events),
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

/// The result of a comparison, as text.
struct Comparison {
    equal: bool,
    summary: String,
    /// The first differences; empty where the summary has them.
    details: String,
}

fn compare(a: &Path, b: &Path, kind: Kind, args: &CompareArgs) -> Result<Comparison, Failure> {
    let line = |text: String| format!("{}\n", text.trim_end());
    Ok(match kind {
        Kind::Events => {
            let options = CompareOptions { ignore_attributes: args.ignore.clone(), first: args.show };
            let compared = compare_events(a, b, &options)?;
            Comparison { equal: compared.is_equal(), summary: compared.summary(), details: compared.details() }
        }
        Kind::Table => {
            let compared = compare_tables(a, b, args.show)?;
            Comparison { equal: compared.is_equal(), summary: line(compared.to_string()), details: String::new() }
        }
        Kind::Hashes => {
            let compared = compare_hashes(a, b)?;
            Comparison { equal: compared.is_equal(), summary: line(compared.to_string()), details: String::new() }
        }
    })
}
