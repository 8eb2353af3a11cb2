//! `throng compare`: do two results agree?

use std::path::{Path, PathBuf};

use throng::traffic::compare::{CompareOptions, compare_events, compare_hashes, compare_tables};
use throng_core::Progress;

use crate::args::CompareArgs;
use crate::exit::{Failure, Outcome};
use crate::{progress, report};

/// Names that the events of a run may have, without prefix and compression.
const EVENTS: &str = "output_events.xml";

pub(crate) fn run(args: &CompareArgs) -> Result<Outcome, Failure> {
    let a = result_file(&args.a)?;
    let b = result_file(&args.b)?;
    compare(&a, &b, &args.ignore, args.show, progress::display(args.verbosity).as_ref())
}

/// The file itself, or the events in the folder of a run.
fn result_file(path: &Path) -> Result<PathBuf, Failure> {
    let place = path.display().to_string();
    if path.is_file() {
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
        [] => Err(Failure::input(place, "the folder holds no output_events file", "name the file to compare")),
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

fn compare(a: &Path, b: &Path, ignore: &[String], show: usize, progress: &dyn Progress) -> Result<Outcome, Failure> {
    progress.begin("comparing", None, "files");
    let options = CompareOptions { ignore_attributes: ignore.to_vec(), first: show };
    let (text, equal) = if kind_of(a) == Some("csv") {
        let compared = compare_tables(a, b, show)?;
        (compared.to_string(), compared.is_equal())
    } else if kind_of(a) == Some("txt") {
        let compared = compare_hashes(a, b)?;
        (compared.to_string(), compared.is_equal())
    } else {
        let compared = compare_events(a, b, &options)?;
        (compared.to_string(), compared.is_equal())
    };
    progress.end();
    report::print(&format!("{}\n", text.trim_end()))?;
    Ok(if equal { Outcome::Done } else { Outcome::Differs })
}

/// The ending of a file before that of its compression.
fn kind_of(path: &Path) -> Option<&str> {
    plain_name(path)?.rsplit_once('.').map(|(_, ending)| ending)
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
