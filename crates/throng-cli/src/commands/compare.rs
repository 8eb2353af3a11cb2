//! `throng compare`: do two results agree?

use std::path::{Path, PathBuf};

use throng::traffic::compare::{CompareOptions, compare_events, compare_hashes, compare_tables};
use throng_core::Progress;
use throng_traffic::matsim::open::special_file;

use crate::args::CompareArgs;
use crate::exit::{Failure, Outcome};
use crate::{progress, report};

/// Names that the events of a run may have, without prefix and compression.
const EVENTS: &str = "output_events.xml";
/// What runs without events are compared by: the first that is there.
const OTHERS: [&str; 2] = ["state_hashes.txt", "measures.csv"];

pub(crate) fn run(args: &CompareArgs) -> Result<Outcome, Failure> {
    let a = result_file(&args.a)?;
    let b = result_file(&args.b)?;
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
        report::print(&format!("{}\n", text.trim_end()))?;
    }
    Ok(if equal { Outcome::Done } else { Outcome::Differs })
}

/// What can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Events,
    Table,
    Hashes,
}

impl Kind {
    /// By the ending of the name, before that of its compression.
    fn of(path: &Path) -> Self {
        match plain_name(path).and_then(|name| name.rsplit_once('.')) {
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

/// The file itself, or what the run in a folder is compared by: its events, or where it has none hashes of its states or its
/// measures.
fn result_file(path: &Path) -> Result<PathBuf, Failure> {
    let place = path.display().to_string();
    // What is wrong with a pipe or a device is said where it is opened.
    if path.is_file() || special_file(path).is_some() {
        return Ok(path.to_owned());
    }
    if !path.is_dir() {
        return Err(Failure::input(place, "there is no such file or folder", "check the path"));
    }
    let entries = std::fs::read_dir(path)
        .map_err(|error| Failure::input(&place, format!("cannot be read: {error}"), "check the permissions"))?;
    // Sorted, so that the same folder always means the same file.
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| is_events(path)).collect();
    found.sort();
    match found.as_slice() {
        [file] => Ok(file.clone()),
        [] => OTHERS.map(|name| path.join(name)).into_iter().find(|file| file.is_file()).ok_or_else(|| {
            let message = "the folder holds neither output_events nor state_hashes.txt nor measures.csv";
            Failure::input(place, message, "name the file to compare")
        }),
        [first, ..] => Err(Failure::input(
            place,
            format!("the folder holds {} event files, for example {}", found.len(), first.display()),
            "name the file to compare",
        )),
    }
}

/// The name of a file without the suffix of its compression.
fn plain_name(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    Some(name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name))
}

/// `[runId.]output_events.xml[.gz|.zst]`
fn is_events(path: &Path) -> bool {
    let Some(name) = plain_name(path) else { return false };
    name == EVENTS || name.ends_with(&format!(".{EVENTS}"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_events_of_a_run_folder() {
        for (name, expected) in [
            ("output_events.xml.gz", true),
            ("r1.output_events.xml.zst", true),
            ("output_events.xml", true),
            ("output_events.parquet", false),
            ("my_output_events.xml", false),
        ] {
            assert_eq!(is_events(Path::new(name)), expected, "{name}");
        }
        let folder = tempfile::tempdir().unwrap();
        assert!(result_file(folder.path()).is_err());
        std::fs::write(folder.path().join("output_events.xml.gz"), "").unwrap();
        assert_eq!(result_file(folder.path()), Ok(folder.path().join("output_events.xml.gz")));
        std::fs::write(folder.path().join("b.output_events.xml"), "").unwrap();
        assert!(matches!(result_file(folder.path()), Err(Failure::Input(_))));
    }
}
