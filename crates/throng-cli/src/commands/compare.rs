//! `throng compare`: do two results agree?

use std::path::{Path, PathBuf};

use throng_core::Progress;

use crate::args::CompareArgs;
use crate::exit::{Failure, Outcome};
use crate::progress;

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

/// `[runId.]output_events.xml[.gz|.zst]`
fn is_events(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
    name == EVENTS || name.ends_with(&format!(".{EVENTS}"))
}

// WIRE: compare `a` with `b`, ignoring the attributes `_ignore`, print the first `_show` differences and the verdict;
// `Outcome::Differs` when they differ.
fn compare(a: &Path, b: &Path, _ignore: &[String], _show: usize, _progress: &dyn Progress) -> Result<Outcome, Failure> {
    Err(Failure::resource(
        "`throng compare` is not built yet",
        format!("both files are there: {} and {}", a.display(), b.display()),
    ))
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
