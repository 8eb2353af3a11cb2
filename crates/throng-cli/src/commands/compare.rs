//! `throng compare`: do two results agree?

use std::path::{Path, PathBuf};

use throng::traffic::compare::{CompareOptions, compare_events, compare_hashes, compare_tables};
use throng::traffic::formats::open::special_file;
use throng_core::{Progress, hint_for_missing};

use crate::args::CompareArgs;
use throng::model::Failure;

use crate::exit::Outcome;
use crate::result_folder::{self, ResultFolder};
use crate::{progress, report};

pub(crate) fn run(args: &CompareArgs) -> Result<Outcome, Failure> {
    let (a, b, lacking) = both(&args.a, &args.b)?;
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
    let (text, equal) = compare(&a, &b, kinds[0], args, progress::display(args.verbosity).as_ref())?;
    if !args.verbosity.quiet {
        report::print(&format!("{}\n{lacking}", text.trim_end()))?;
    }
    Ok(if equal { Outcome::Done } else { Outcome::Differs })
}

/// The two files to compare, and a line for each side with files that the other lacks.
fn both(a: &Path, b: &Path) -> Result<(PathBuf, PathBuf, String), Failure> {
    let folder = |path: &Path| path.is_dir().then(|| ResultFolder::read(path)).transpose();
    Ok(match (folder(a)?, folder(b)?) {
        (Some(a), Some(b)) => {
            let [file_a, file_b] = result_folder::files_of_one_kind(&a, &b)?;
            (file_a, file_b, result_folder::lacking(&a, &b))
        }
        (Some(a), None) => (a.file_to_compare()?, existing(b)?, String::new()),
        (None, Some(b)) => (existing(a)?, b.file_to_compare()?, String::new()),
        (None, None) => (existing(a)?, existing(b)?, String::new()),
    })
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
