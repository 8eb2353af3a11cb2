//! `throng compare`: do two results agree?

use std::path::{Path, PathBuf};

use throng::traffic::compare::{CompareOptions, compare_events, compare_hashes, compare_links, compare_tables};
use throng::traffic::formats::open::special_file;
use throng_core::{Progress, hint_for_missing};

use crate::args::CompareArgs;
use throng::model::Failure;

use crate::exit::Outcome;
use crate::result_folder::{self, ResultFolder};
use crate::{progress, report};

pub(crate) fn run(args: &CompareArgs) -> Result<Outcome, Failure> {
    let Compared { files: [a, b], folders } = both(&args.a, &args.b)?;
    let kinds = [Kind::of(&a), Kind::of(&b)];
    if kinds[0] != kinds[1] {
        return Err(Failure::input(
            b.display().to_string(),
            format!("this is {}, and {} is {}", kinds[1].name(), a.display(), kinds[0].name()),
            "compare two files of one kind",
        ));
    }
    if !args.ignore.is_empty() && kinds[0] != Kind::Events {
        return Err(Failure::input("--ignore", "only events have attributes", "leave it out"));
    }
    let progress = progress::display(args.verbosity);
    let (text, equal) = compare(&a, &b, kinds[0], args, progress.as_ref())?;
    if !args.verbosity.quiet {
        let [more, lacking] = match &folders {
            None => Default::default(),
            Some([a, b]) => {
                progress.begin("comparing links", None, "files");
                let more = if equal { String::new() } else { differences_of_results(a, b, args.show) };
                progress.end();
                [more, result_folder::lacking(a, b)]
            }
        };
        report::print(&format!("{}\n{more}{lacking}", text.trim_end()))?;
    }
    Ok(if equal { Outcome::Done } else { Outcome::Differs })
}

/// The two files to compare and, if both were given as folders, these.
struct Compared {
    files: [PathBuf; 2],
    folders: Option<[ResultFolder; 2]>,
}

fn both(a: &Path, b: &Path) -> Result<Compared, Failure> {
    let folder = |path: &Path| path.is_dir().then(|| ResultFolder::read(path)).transpose();
    Ok(match (folder(a)?, folder(b)?) {
        (Some(a), Some(b)) => Compared { files: result_folder::files_of_one_kind(&a, &b)?, folders: Some([a, b]) },
        (Some(a), None) => Compared { files: [a.file_to_compare()?, existing(b)?], folders: None },
        (None, Some(b)) => Compared { files: [existing(a)?, b.file_to_compare()?], folders: None },
        (None, None) => Compared { files: [existing(a)?, existing(b)?], folders: None },
    })
}

/// How the results of two runs differ: in numbers, and on which links.
fn differences_of_results(a: &ResultFolder, b: &ResultFolder, shown: usize) -> String {
    // The events have been compared: what is wrong with another file is no reason to withhold the result.
    let links = changed_links(a, b, shown).unwrap_or_else(|failure| format!("links: not compared, {failure}\n"));
    result_folder::changed_numbers(a, b) + &links
}

/// The links on which traffic differs most; empty if both have the same traffic, or one has no table of links.
fn changed_links(a: &ResultFolder, b: &ResultFolder, shown: usize) -> Result<String, Failure> {
    let (Some(a), Some(b)) = (a.one(LINKS)?, b.one(LINKS)?) else { return Ok(String::new()) };
    let compared = compare_links(&a, &b, shown)?;
    Ok(if compared.different == 0 { String::new() } else { compared.to_string() })
}

/// The table of links of a day of traffic.
const LINKS: &str = "link_stats.csv";

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

impl Kind {
    /// By the ending of the name, before that of its compression.
    fn of(path: &Path) -> Self {
        let name = path.file_name().and_then(|name| name.to_str()).map(result_folder::unpacked);
        match name.and_then(|name| name.rsplit_once('.')) {
            Some((_, "csv")) => Self::Table,
            Some((_, "txt")) => Self::Hashes,
            _ => Self::Events,
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

/// The report, and whether the two are equal.
fn compare(
    a: &Path,
    b: &Path,
    kind: Kind,
    args: &CompareArgs,
    progress: &dyn Progress,
) -> Result<(String, bool), Failure> {
    progress.begin("comparing", None, "files");
    let compared = match kind {
        Kind::Events => {
            let options = CompareOptions { ignore_attributes: args.ignore.clone(), first: args.show };
            let compared = compare_events(a, b, &options)?;
            (compared.to_string(), compared.is_equal())
        }
        Kind::Table => {
            let compared = compare_tables(a, b, args.show)?;
            (compared.to_string(), compared.is_equal())
        }
        Kind::Hashes => {
            let compared = compare_hashes(a, b)?;
            (compared.to_string(), compared.is_equal())
        }
    };
    progress.end();
    Ok(compared)
}
