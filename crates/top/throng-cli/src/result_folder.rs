//! The results in a folder: those listed in its manifest or, without a manifest, all its files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use throng::model::names::shown;
use throng::model::nearby::check_run;
use throng::model::replay::StoredRun;
use throng::model::{Failure, Model};
use throng::output::{MANIFEST_NAME, files_listed};

/// The kinds of results used to compare runs, in order of preference.
const COMPARED: [&str; 3] = [EVENTS, "state_hashes.txt", "measures.csv"];
const EVENTS: &str = "output_events.xml";
/// The tables of a day of traffic that are compared if the runs differ.
pub(crate) const TRIPS: &str = "output_trips.csv";
pub(crate) const LINKS: &str = "link_stats.csv";
pub(crate) const VOLUMES: &str = "link_volumes.csv";
pub(crate) const CALLS: &str = "stop_calls.csv";
const DAY_TABLES: [&str; 4] = [TRIPS, LINKS, VOLUMES, CALLS];

#[derive(Debug)]
pub(crate) struct ResultFolder {
    path: PathBuf,
    /// Number of manifests, which list the files; if 0, all files in the folder count.
    manifests: usize,
    /// Name without prefix and compression, and full name; sorted.
    files: BTreeSet<(String, String)>,
    /// The run in its manifest; `None` without a manifest or with several.
    pub run: Option<StoredRun>,
}

impl ResultFolder {
    /// Reads the manifests of a folder, or lists its files.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let entries = std::fs::read_dir(path).map_err(|error| {
            let place = path.display().to_string();
            Failure::input(place, format!("cannot be read: {error}"), "check the permissions")
        })?;
        let present: Vec<String> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        let mut folder = Self { path: path.to_owned(), manifests: 0, files: BTreeSet::new(), run: None };
        for manifest in &present {
            let Some(prefix) = prefix_before(manifest, MANIFEST_NAME) else { continue };
            let Some(listed) = files_listed(&path.join(manifest)) else { continue };
            folder.manifests += 1;
            for name in listed {
                let plain = unpacked(name.strip_prefix(prefix).unwrap_or(&name)).to_owned();
                folder.files.insert((plain, name));
            }
        }
        // With several runs, the intended one is unknown.
        folder.run = if folder.manifests == 1 { StoredRun::open(path).ok() } else { None };
        if folder.manifests == 0 {
            folder.files = present.into_iter().map(|name| (plain_name(&name), name)).collect();
        }
        Ok(folder)
    }

    /// Returns the path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the paths of the files with a plain name.
    fn named(&self, plain: &str) -> Vec<PathBuf> {
        self.files.iter().filter(|(name, _)| name == plain).map(|(_, name)| self.path.join(name)).collect()
    }

    /// Returns the only file with a plain name, if any.
    fn one(&self, plain: &str) -> Result<Option<PathBuf>, Failure> {
        match self.named(plain).as_slice() {
            [] => Ok(None),
            [file] => Ok(Some(file.clone())),
            [first, rest @ ..] => Err(Failure::input(
                self.path.display().to_string(),
                format!("the folder holds {} files {plain}, for example {}", 1 + rest.len(), first.display()),
                "name the file to compare",
            )),
        }
    }

    /// Whether only the results in its manifest can be compared.
    pub(crate) fn has_only_results(&self) -> bool {
        self.run.is_some() && COMPARED.iter().all(|plain| self.named(plain).is_empty())
    }

    /// Whether the folder has events, as only traffic does.
    pub(crate) fn has_events(&self) -> bool {
        !self.named(EVENTS).is_empty()
    }

    /// Returns the table with a plain name, if any; `None` for a folder with several runs, because the table may belong
    /// to any of them.
    ///
    /// # Errors
    /// If there are several such tables.
    pub(crate) fn table(&self, plain: &str) -> Result<Option<PathBuf>, Failure> {
        if self.manifests > 1 { Ok(None) } else { self.one(plain) }
    }

    /// Returns the file used to compare the run: its events or, without events, its state hashes or its measures.
    ///
    /// # Errors
    /// If the folder has none of these (the error lists nearby runs as arguments of `command`), or has several runs.
    pub(crate) fn file_to_compare(&self, models: &[&dyn Model], command: &str) -> Result<PathBuf, Failure> {
        for plain in COMPARED {
            if let Some(file) = self.one(plain)? {
                return Ok(file);
            }
        }
        check_run(models, command, &self.path)?;
        let message = "the run has neither events nor state hashes nor measures";
        let remedy =
            "repeat it with --hash-every N (traffic also with controller.writeEventsInterval=1), or name two tables";
        Err(Failure::input(self.path.display().to_string(), message, remedy))
    }
}

/// Rejects runs of two different models, which have nothing in common.
///
/// # Errors
/// When the models differ; the error gives the second run and both models.
pub(crate) fn refuse_two_models(a: &ResultFolder, b: &ResultFolder) -> Result<(), Failure> {
    match (&a.run, &b.run) {
        (Some(of_a), Some(of_b)) if of_a.model() != of_b.model() => {
            let message =
                format!("is a run of {}, and the other is one of {}", shown(of_b.model()), shown(of_a.model()));
            Err(Failure::input(b.path.display().to_string(), message, "compare two runs of one model"))
        }
        _ => Ok(()),
    }
}

/// Returns the files used to compare two runs: the first kind of file that both have. `of_a` and `of_b` are the
/// files by which each run would be compared on its own.
///
/// # Errors
/// If the runs have no kind in common.
pub(crate) fn files_of_one_kind(
    a: &ResultFolder,
    b: &ResultFolder,
    [of_a, of_b]: &[PathBuf; 2],
) -> Result<[PathBuf; 2], Failure> {
    for plain in COMPARED {
        if let (Some(a), Some(b)) = (a.one(plain)?, b.one(plain)?) {
            return Ok([a, b]);
        }
    }
    let message = format!("there is {}, and nothing to compare it with in {}", of_b.display(), a.path.display());
    let remedy = format!("repeat one of the runs; the other has {}", of_a.display());
    Err(Failure::input(b.path.display().to_string(), message, remedy))
}

/// Returns a line for each of two runs that has files missing from the other. If a folder has no manifest, nothing is
/// listed, because it may contain anything; unreadable manifests are reported instead.
pub(crate) fn lacking(a: &ResultFolder, b: &ResultFolder) -> String {
    if a.manifests == 0 || b.manifests == 0 {
        let unread = [a, b].into_iter().filter(|one| one.manifests == 0 && !one.named(MANIFEST_NAME).is_empty());
        let line = |one: &ResultFolder| {
            let file = one.path.join(MANIFEST_NAME);
            format!("{} is not the manifest of a run: settings and results are not compared\n", file.display())
        };
        return unread.map(line).collect();
    }
    let line = |one: &ResultFolder, other: &ResultFolder| {
        let only = one.files.iter().filter(|(plain, _)| other.named(plain).is_empty());
        let names: Vec<&str> = only.map(|(_, name)| name.as_str()).collect();
        if names.is_empty() { String::new() } else { format!("only in {}: {}\n", one.path.display(), names.join(", ")) }
    };
    line(a, b) + &line(b, a)
}

/// Returns a name without its compression suffix.
pub(crate) fn unpacked(name: &str) -> &str {
    name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name)
}

/// Removes the bracketed parts of `[runId.]output_events.xml[.gz|.zst]`, and likewise for the other compared files;
/// other names lose only the compression suffix.
fn plain_name(name: &str) -> String {
    let name = unpacked(name);
    let compared = COMPARED.into_iter().chain(DAY_TABLES).find(|compared| prefix_before(name, compared).is_some());
    compared.unwrap_or(name).to_owned()
}

/// Returns the part before `end`: nothing, or a prefix with its dot.
fn prefix_before<'a>(name: &'a str, end: &str) -> Option<&'a str> {
    name.strip_suffix(end).filter(|prefix| prefix.is_empty() || prefix.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use throng::output::{IfNotEmpty, Manifest, RunFolder, WrittenFile};

    use super::*;

    #[test]
    fn event_files_are_recognised_without_a_manifest() {
        for (name, expected) in [
            ("output_events.xml.gz", true),
            ("r1.output_events.xml.zst", true),
            ("output_events.xml", true),
            ("output_events.parquet", false),
            ("my_output_events.xml", false),
        ] {
            assert_eq!(plain_name(name) == EVENTS, expected, "{name}");
        }
        let folder = tempfile::tempdir().unwrap();
        let file = || ResultFolder::read(folder.path()).unwrap().file_to_compare(&[], "throng compare");
        assert!(file().is_err());
        std::fs::write(folder.path().join("output_events.xml.gz"), "").unwrap();
        assert_eq!(file().unwrap(), folder.path().join("output_events.xml.gz"));
        std::fs::write(folder.path().join("b.output_events.xml"), "").unwrap();
        assert!(matches!(file(), Err(Failure::Input(_))));
    }

    #[test]
    fn the_manifest_takes_precedence_over_other_files_in_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let run = |name: &str, prefix: &str, files: &[&str]| {
            let path = dir.path().join(name);
            let folder = RunFolder::of_scenario(&path, IfNotEmpty::Refuse, "", "", prefix).unwrap();
            let files = files.iter().map(|name| WrittenFile { name: (*name).to_owned(), bytes: 0 }).collect();
            Manifest { files, ..Manifest::default() }.write(&folder).unwrap();
            std::fs::write(path.join("output_events.xml"), "left by another run").unwrap();
            ResultFolder::read(&path).unwrap()
        };
        let a = run("a", "r1", &["r1.state_hashes.txt", "r1.output_events.xml.gz", "r1.report.html"]);
        let b = run("b", "", &["state_hashes.txt", "report.html"]);
        let expected = [dir.path().join("a/r1.state_hashes.txt"), dir.path().join("b/state_hashes.txt")];
        let compared = |a: &ResultFolder, b: &ResultFolder| {
            let file = |folder: &ResultFolder| folder.file_to_compare(&[], "throng compare").unwrap();
            files_of_one_kind(a, b, &[file(a), file(b)])
        };
        assert_eq!(compared(&a, &b).unwrap(), expected);
        assert_eq!(lacking(&a, &b), format!("only in {}: r1.output_events.xml.gz\n", dir.path().join("a").display()));
        let c = run("c", "", &["measures.csv"]);
        assert!(matches!(compared(&b, &c), Err(Failure::Input(_))));
        // A second run in the folder of the first: the link table may belong to either.
        std::fs::copy(dir.path().join("b/manifest.json"), dir.path().join("a/r2.manifest.json")).unwrap();
        let both = ResultFolder::read(&dir.path().join("a")).unwrap();
        assert!(both.run.is_none() && both.table(LINKS).unwrap().is_none());
        assert!(run("d", "", &["link_stats.csv"]).table(LINKS).unwrap().is_some());
        // The report names an unreadable manifest, because the files it lists are unknown.
        std::fs::write(dir.path().join("b/manifest.json"), "[[").unwrap();
        let damaged = ResultFolder::read(&dir.path().join("b")).unwrap();
        let expected = format!("{} is not the manifest", dir.path().join("b/manifest.json").display());
        assert!(lacking(&c, &damaged).starts_with(&expected) && lacking(&c, &c).is_empty());
    }
}
