//! `sweep.toml`: the exact definition of a sweep. A sweep can be continued only with the same definition.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use throng_core::{Problems, checksum, read_input_text, unreadable_input};
use throng_output::{PendingFile, is_partial_name, partial_files};

use super::DESIGN_COPY;
use crate::Failure;
use crate::names::shown;

/// File name of the description.
pub(crate) const DESCRIPTION: &str = "sweep.toml";

/// Beginning of the first line of the file, without its line ending, which depends on the editor.
const BEGINNING: &str = "# What is swept in this folder.";
/// Maximum size of a description, bytes; it contains all settings.
const MAX_BYTES: u64 = 1 << 28;
/// The comment at the beginning of the file.
pub(crate) const HEAD: &str = "\
# What is swept in this folder. `throng sweep` compares it with the command when it continues; it is not used for
# anything else. Seeds are seed, seed + 1, ...; parameter sets are numbered in the order of runs.csv.
";

/// Whether a file that starts with `head` is the description of a sweep, which names a model but is not a scenario.
pub(crate) fn begins(head: &str) -> bool {
    head.starts_with(BEGINNING)
}

/// Returns the scenario of the sweep in a folder, as typed; empty if the description cannot be read.
pub(crate) fn scenario_in(folder: &Path) -> String {
    Description::read(folder).ok().flatten().map_or_else(String::new, |description| description.scenario)
}

/// The definition of a sweep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Description {
    /// Name and version of the program.
    pub program: String,
    /// Name of the model.
    pub model: String,
    /// The scenario as typed; the same scenario may be typed in another way.
    pub scenario: String,
    /// `full factorial`, `Latin hypercube sample` or `from a file`.
    pub design: String,
    /// Number of parameter sets.
    pub parameter_sets: u32,
    /// Seed of the first replicate.
    pub seed: i64,
    /// Maximum number of replicates per parameter set. May be increased.
    pub seeds: u32,
    /// Conditions under which a parameter set has enough replicates. May change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub until: Vec<String>,
    /// Number of replicates from which the conditions are checked. May change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_seeds: Option<u32>,
    /// Tables collected from all runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collect: Vec<String>,
    /// Maximum number of steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<i64>,
    /// Changes to the scenario.
    pub set: Vec<String>,
    /// Flags of the model.
    pub flags: Vec<String>,
    /// The varied parameters as typed.
    pub vary: Vec<String>,
    /// Checksum of the settings of all parameter sets.
    pub settings_checksum: String,
    /// All settings of the first parameter set.
    pub settings: String,
    /// The design file, of which the folder contains a copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub design_file: Option<Input>,
    /// Input files.
    #[serde(default)]
    pub inputs: Vec<Input>,
}

/// An input file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Input {
    pub file: String,
    pub bytes: u64,
    pub checksum: String,
}

impl Input {
    /// Reads a whole file. `place` names it in messages.
    pub fn of(place: &str, path: &Path) -> Result<Self, Failure> {
        let (bytes, sum) = File::open(path).and_then(checksum::of_reader).map_err(|error| {
            Failure::input(place, format!("cannot be read: {error}"), "check the path and its permissions")
        })?;
        Ok(Self { file: path.display().to_string(), bytes, checksum: format!("{sum:016x}") })
    }
}

impl Description {
    /// Returns the path of the description in a folder.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join(DESCRIPTION)
    }

    /// Reads the description in a folder; `None` if there is none.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a description.
    pub fn read(folder: &Path) -> Result<Option<Self>, Failure> {
        let path = Self::path(folder);
        let place = || path.display().to_string();
        let text = match read_input_text(&path, MAX_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable_input(&path, &error).into()),
        };
        toml::from_str(&text).map(Some).map_err(|error| {
            let message = format!("does not describe a sweep: {}", shown(error.message()));
            Failure::input(place(), message, "choose another folder with --out")
        })
    }

    /// Writes the description. The file is either complete or absent, whenever the program ends.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), Failure> {
        let path = Self::path(folder);
        let text = toml::to_string_pretty(self).map_err(|error| {
            Failure::resource(format!("{}: {error}", path.display()), "this is a bug, please report it")
        })?;
        // The file is not recorded in the folder's lock file, which lists files that the next run may remove.
        let mut file = PendingFile::create(&path)?;
        file.write_all(format!("{HEAD}\n{text}").as_bytes()).map_err(|error| file.error(error))?;
        file.complete()?;
        Ok(())
    }

    /// Whether a file of this name is an incomplete description left by a killed program.
    pub fn is_unfinished(name: &str) -> bool {
        is_partial_name(name, DESCRIPTION)
    }

    /// Removes incomplete descriptions from a folder that no other process writes to.
    pub fn remove_unfinished(folder: &Path) {
        for file in partial_files(&Self::path(folder)) {
            // A leftover file only wastes space.
            let _ = std::fs::remove_file(file);
        }
    }

    /// Returns the settings that determine the number of runs.
    pub fn number_of_runs(&self) -> (u32, &[String], Option<u32>) {
        (self.seeds, &self.until, self.min_seeds)
    }

    /// Rejects continuing a sweep that differs from the sweep of the folder, which `self` describes. More seeds and
    /// different conditions for enough replicates are allowed.
    ///
    /// # Errors
    /// When the sweeps differ; the error lists all differences.
    pub fn refuse_other(&self, asked_for: &Self, folder: &Path) -> Result<(), Failure> {
        let mut problems = Problems::new();
        let path = Self::path(folder).display().to_string();
        let mut compare = |key: &str, stored: &str, current: &str| {
            if stored != current {
                let message = format!("the sweep there has {}, this one {}", quoted(stored), quoted(current));
                let remedy = "choose another folder with --out, or repeat the sweep there as it was";
                problems.push(format!("{path}: {key}"), message, remedy);
            }
        };
        let list = |texts: &[String]| texts.join("  ");
        let steps = |steps: Option<i64>| steps.map_or_else(String::new, |steps| steps.to_string());
        compare("program", &self.program, &asked_for.program);
        compare("model", &self.model, &asked_for.model);
        compare("design", &self.design, &asked_for.design);
        compare("vary", &list(&self.vary), &list(&asked_for.vary));
        compare("parameter_sets", &self.parameter_sets.to_string(), &asked_for.parameter_sets.to_string());
        compare("set", &list(&self.set), &list(&asked_for.set));
        compare("collect", &list(&self.collect), &list(&asked_for.collect));
        compare("flags", &list(&self.flags), &list(&asked_for.flags));
        compare("steps", &steps(self.steps), &steps(asked_for.steps));
        compare("seed", &self.seed.to_string(), &asked_for.seed.to_string());
        let content =
            |description: &Self| description.design_file.as_ref().map(|file| (file.bytes, file.checksum.clone()));
        if content(self) != content(asked_for) && self.design == asked_for.design {
            let file = asked_for.design_file.as_ref().map_or("the file", |file| &file.file);
            let remedy = format!(
                "choose another folder with --out, or give {DESIGN_COPY} of the folder, a copy of the old file"
            );
            problems.push(format!("{path}: design_file"), format!("{} has changed since", shown(file)), remedy);
        }
        if asked_for.seeds < self.seeds {
            let message = format!("the sweep there has {}, this one {}", self.seeds, asked_for.seeds);
            let remedy = format!("give --seeds {} or more, or choose another folder with --out", self.seeds);
            problems.push(format!("{path}: seeds"), message, remedy);
        }
        // The remaining differences follow from those above.
        if problems.is_empty() {
            self.refuse_other_settings(asked_for, &path, &mut problems);
        }
        Ok(problems.into_result()?)
    }

    fn refuse_other_settings(&self, asked_for: &Self, path: &str, problems: &mut Problems) {
        let remedy = "choose another folder with --out, or restore the files of the sweep there";
        if self.settings_checksum != asked_for.settings_checksum {
            let only = |these: &str, those: &str| {
                let is_other = |line: &&str| !those.lines().any(|other| other == *line);
                these.lines().filter(is_other).map(quoted).collect::<Vec<_>>().join(", ")
            };
            let stored = only(&self.settings, &asked_for.settings);
            let current = only(&asked_for.settings, &self.settings);
            let or_none = |lines: String| if lines.is_empty() { quoted("") } else { lines };
            let message = if stored.is_empty() && current.is_empty() {
                "the scenario has changed in a parameter set other than the first".to_owned()
            } else {
                format!("the sweep there has {}, this one {}", or_none(stored), or_none(current))
            };
            let scenarios = if self.scenario == asked_for.scenario {
                String::new()
            } else {
                format!(" (the scenarios are {} and {})", shown(&self.scenario), shown(&asked_for.scenario))
            };
            let message = format!("{message}{scenarios}");
            problems.push(format!("{path}: settings"), message, remedy);
        }
        let other = |input: &&Input| !asked_for.inputs.contains(input);
        for Input { file, .. } in self.inputs.iter().filter(other) {
            problems.push(format!("{path}: inputs"), format!("{} has changed since", shown(file)), remedy);
        }
        if self.inputs.len() < asked_for.inputs.len() {
            let message =
                format!("the sweep there has {} files, this one {}", self.inputs.len(), asked_for.inputs.len());
            problems.push(format!("{path}: inputs"), message, remedy);
        }
    }
}

fn quoted(text: &str) -> String {
    if text.is_empty() { "none".to_owned() } else { format!("\"{}\"", shown(text)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Change = fn(&mut Description);

    fn description() -> Description {
        Description {
            program: "throng 1".into(),
            model: "rivers".into(),
            scenario: "a \"b\"".into(),
            design: "full factorial".into(),
            design_file: None,
            parameter_sets: 2,
            seed: -3,
            seeds: 10,
            until: Vec::new(),
            min_seeds: None,
            collect: Vec::new(),
            steps: None,
            set: vec!["a=1".into()],
            flags: Vec::new(),
            vary: vec!["rise=1,2".into()],
            settings_checksum: "00".into(),
            settings: "model = \"rivers\"\nrise = 1\n".into(),
            inputs: vec![Input { file: "a.csv".into(), bytes: 3, checksum: "0a".into() }],
        }
    }

    #[test]
    fn a_written_description_is_read_back_unchanged() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Description::read(dir.path()).unwrap(), None);
        let design_file = Some(Input { file: "d.csv".into(), bytes: 9, checksum: "0b".into() });
        let written = Description {
            steps: Some(7),
            design_file,
            until: vec!["level=1".into()],
            min_seeds: Some(4),
            collect: vec!["agents.csv".into()],
            ..description()
        };
        written.write(dir.path()).unwrap();
        assert_eq!(Description::read(dir.path()).unwrap(), Some(written));
        for name in ["sweep.toml.partial", "sweep.toml.2.partial", "my.sweep.toml.partial"] {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        Description::remove_unfinished(dir.path());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "sweep.toml and my.sweep.toml.partial");
        std::fs::write(Description::path(dir.path()), "x = 1").unwrap();
        let error = Description::read(dir.path()).unwrap_err().to_string();
        assert!(error.contains("does not describe a sweep"), "{error}");
    }

    #[test]
    fn a_different_sweep_is_refused_with_all_differences() {
        let refused = |change: Change| {
            let mut other = description();
            change(&mut other);
            description().refuse_other(&other, "out".as_ref()).map_err(|failure| failure.to_string())
        };
        assert_eq!(refused(|_| {}), Ok(()));
        assert_eq!(refused(|other| other.seeds = 20), Ok(()));
        assert_eq!(refused(|other| other.scenario = "./a".into()), Ok(()));
        let cases: [(Change, &str); 6] = [
            (|other| other.seeds = 5, "sweep.toml: seeds: the sweep there has 10, this one 5\n    give --seeds 10"),
            (
                |other| other.vary[0] = "rise=1,3".into(),
                "vary: the sweep there has \"rise=1,2\", this one \"rise=1,3\"",
            ),
            (|other| other.set.clear(), "set: the sweep there has \"a=1\", this one none\n    choose another folder"),
            (|other| other.inputs[0].bytes = 4, "inputs: a.csv has changed since"),
            (|other| other.settings_checksum = "01".into(), "a parameter set other than the first"),
            (
                |other| {
                    other.settings_checksum = "01".into();
                    other.settings = "model = \"rivers\"\nrise = 2\n".into();
                },
                "settings: the sweep there has \"rise = 1\", this one \"rise = 2\"",
            ),
        ];
        for (change, expected) in cases {
            let error = refused(change).unwrap_err();
            assert!(error.contains(expected), "{expected}: {error}");
        }
        // Another scenario: all different settings are listed.
        let error = refused(|other| {
            other.settings_checksum = "01".into();
            other.settings = "model = \"lakes\"\nrise = 2\ndepth = 3\n".into();
            other.scenario = "lake".into();
        });
        let expected = "this one \"model = \"lakes\"\", \"rise = 2\", \"depth = 3\" (the scenarios are";
        assert!(error.as_ref().is_err_and(|error| error.contains(expected)), "{error:?}");
        let error = refused(|other| other.collect = vec!["agents.csv".into()]).unwrap_err();
        assert!(error.contains("collect: the sweep there has none, this one \"agents.csv\""), "{error}");
        // Other conditions for enough replicates need the same runs.
        assert_eq!(refused(|other| (other.until, other.min_seeds) = (vec!["level=1".into()], Some(5))), Ok(()));
        let error = refused(|other| (other.seed, other.model) = (1, "lakes".into())).unwrap_err();
        assert!(error.contains("\"-3\", this one \"1\"") && error.contains("model: "), "{error}");
    }
}
