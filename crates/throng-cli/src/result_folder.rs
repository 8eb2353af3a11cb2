//! The results in a folder: those that its manifest lists or, without a manifest, all files in it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use throng::output::{MANIFEST_NAME, files_listed, result_numbers};

use throng::model::Failure;
use throng_core::{
    Alignment::{Left, Right},
    text_table,
};

/// The results by which runs are compared: the first kind that exists.
const COMPARED: [&str; 3] = [EVENTS, "state_hashes.txt", "measures.csv"];
const EVENTS: &str = "output_events.xml";

/// A folder of results.
#[derive(Debug)]
pub(crate) struct ResultFolder {
    path: PathBuf,
    /// A manifest lists the files; without one, all files in the folder count.
    is_listed: bool,
    /// Name without prefix and compression, and the name itself; sorted.
    files: BTreeSet<(String, String)>,
    /// The results in numbers of its manifest; empty if it holds several runs.
    numbers: BTreeMap<String, f64>,
}

impl ResultFolder {
    /// Reads the manifests of a folder, or lists what is in it.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let entries = std::fs::read_dir(path).map_err(|error| {
            let place = path.display().to_string();
            Failure::input(place, format!("cannot be read: {error}"), "check the permissions")
        })?;
        let present: Vec<String> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        let mut folder =
            Self { path: path.to_owned(), is_listed: false, files: BTreeSet::new(), numbers: BTreeMap::new() };
        let mut runs = 0;
        for manifest in &present {
            let Some(prefix) = prefix_before(manifest, MANIFEST_NAME) else { continue };
            let Some(listed) = files_listed(&path.join(manifest)) else { continue };
            folder.is_listed = true;
            folder.numbers.extend(result_numbers(&path.join(manifest)));
            runs += 1;
            for name in listed {
                let plain = unpacked(name.strip_prefix(prefix).unwrap_or(&name)).to_owned();
                folder.files.insert((plain, name));
            }
        }
        if runs > 1 {
            folder.numbers.clear();
        }
        if !folder.is_listed {
            folder.files = present.into_iter().map(|name| (plain_name(&name), name)).collect();
        }
        Ok(folder)
    }

    /// Paths of the files with a plain name.
    fn named(&self, plain: &str) -> Vec<PathBuf> {
        self.files.iter().filter(|(name, _)| name == plain).map(|(_, name)| self.path.join(name)).collect()
    }

    /// The one file with a plain name, if there is one.
    pub(crate) fn one(&self, plain: &str) -> Result<Option<PathBuf>, Failure> {
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

    /// The result by which the run is compared: its events or, if it has none, its state hashes or its measures.
    pub(crate) fn file_to_compare(&self) -> Result<PathBuf, Failure> {
        for plain in COMPARED {
            if let Some(file) = self.one(plain)? {
                return Ok(file);
            }
        }
        let message = "the folder holds neither output_events nor state_hashes.txt nor measures.csv";
        Err(Failure::input(self.path.display().to_string(), message, "name the file to compare"))
    }
}

/// The result by which two runs are compared: the first kind of file that both have.
pub(crate) fn files_of_one_kind(a: &ResultFolder, b: &ResultFolder) -> Result<[PathBuf; 2], Failure> {
    // At least one of them has files.
    let (of_a, of_b) = (a.file_to_compare()?, b.file_to_compare()?);
    for plain in COMPARED {
        if let (Some(a), Some(b)) = (a.one(plain)?, b.one(plain)?) {
            return Ok([a, b]);
        }
    }
    let message = format!("there is {}, and nothing to compare it with in {}", of_b.display(), a.path.display());
    let remedy = format!("repeat one of the runs; {} is there", of_a.display());
    Err(Failure::input(b.path.display().to_string(), message, remedy))
}

/// A table of the numbers in the manifests that differ: A, B, and the change from A to B. Numbers that only one of them has
/// are left out. Empty if none differs.
pub(crate) fn changed_numbers(a: &ResultFolder, b: &ResultFolder) -> String {
    let pairs = a.numbers.iter().filter_map(|(name, &value)| Some((name, value, *b.numbers.get(name)?)));
    let row = |(name, a, b): (&String, f64, f64)| {
        let percent = 100.0 * (b - a) / a.abs();
        let percent =
            if percent.is_finite() && percent.abs() >= 0.05 { format!(" ({percent:+.1} %)") } else { String::new() };
        let sign = if b > a { "+" } else { "" };
        [name.clone(), number(a), number(b), format!("{sign}{}{percent}", number(b - a))]
    };
    let mut rows = vec![["numbers that differ", "A", "B", "change"].map(str::to_owned)];
    rows.extend(pairs.filter(|(_, a, b)| a != b).map(row));
    if rows.len() == 1 {
        return String::new();
    }
    text_table(&rows, &[Left, Right, Right])
}

/// A number with six significant digits, or as it is if it is whole.
fn number(value: f64) -> String {
    if value == value.round() && value.abs() < 1e15 {
        // Without the sign of a negative zero.
        return format!("{:.0}", value + 0.0);
    }
    let scientific = format!("{value:.5e}");
    match scientific.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok()) {
        Some(exponent @ -4..12) => format!("{value:.0$}", (5 - exponent).clamp(0, 9) as usize),
        _ => scientific,
    }
}

/// A line for each of two runs with files that the other lacks. Only with manifests: a folder without one
/// may hold files of other programs.
pub(crate) fn lacking(a: &ResultFolder, b: &ResultFolder) -> String {
    if !(a.is_listed && b.is_listed) {
        return String::new();
    }
    let line = |one: &ResultFolder, other: &ResultFolder| {
        let only = one.files.iter().filter(|(plain, _)| other.named(plain).is_empty());
        let names: Vec<&str> = only.map(|(_, name)| name.as_str()).collect();
        if names.is_empty() { String::new() } else { format!("only in {}: {}\n", one.path.display(), names.join(", ")) }
    };
    line(a, b) + &line(b, a)
}

/// A name without the suffix of its compression.
pub(crate) fn unpacked(name: &str) -> &str {
    name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name)
}

/// `[runId.]output_events.xml[.gz|.zst]` without the parts in brackets; from other names only the compression is
/// removed.
fn plain_name(name: &str) -> String {
    let name = unpacked(name);
    if prefix_before(name, EVENTS).is_some() { EVENTS.to_owned() } else { name.to_owned() }
}

/// The part before `end`: nothing, or a prefix with its dot.
fn prefix_before<'a>(name: &'a str, end: &str) -> Option<&'a str> {
    name.strip_suffix(end).filter(|prefix| prefix.is_empty() || prefix.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use throng::output::{IfNotEmpty, Manifest, RunFolder, WrittenFile};

    use super::*;

    #[test]
    fn events_without_a_manifest() {
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
        let file = || ResultFolder::read(folder.path()).unwrap().file_to_compare();
        assert!(file().is_err());
        std::fs::write(folder.path().join("output_events.xml.gz"), "").unwrap();
        assert_eq!(file().unwrap(), folder.path().join("output_events.xml.gz"));
        std::fs::write(folder.path().join("b.output_events.xml"), "").unwrap();
        assert!(matches!(file(), Err(Failure::Input(_))));
    }

    #[test]
    fn a_manifest_counts_more_than_what_lies_in_the_folder() {
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
        assert_eq!(files_of_one_kind(&a, &b).unwrap(), expected);
        assert_eq!(lacking(&a, &b), format!("only in {}: r1.output_events.xml.gz\n", dir.path().join("a").display()));
        let c = run("c", "", &["measures.csv"]);
        assert!(matches!(files_of_one_kind(&b, &c), Err(Failure::Input(_))));
    }

    #[test]
    fn numbers_that_differ_are_seen_to_differ() {
        let with = |values: [f64; 5]| ResultFolder {
            path: PathBuf::new(),
            is_listed: true,
            files: BTreeSet::new(),
            numbers: ["a", "b", "c", "d", "e"].map(str::to_owned).into_iter().zip(values).collect(),
        };
        let (a, b) = ([200.0, 7.0, 0.9843, 1e-5, -0.0], [150.25, 7.0, 0.9841, 2e-5, 1e300]);
        let expected = "\
numbers that differ         A             B  change
a                         200       150.250  -49.7500 (-24.9 %)
c                    0.984300      0.984100  -0.000200000
d                  1.00000e-5    2.00000e-5  +1.00000e-5 (+100.0 %)
e                           0  1.00000e300  +1.00000e300
";
        let squeezed = |text: &str| text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        assert_eq!(squeezed(&changed_numbers(&with(a), &with(b))), squeezed(expected));
        assert_eq!(changed_numbers(&with(a), &with(a)), "");
    }
}
