//! Stored runs, and their conversion to scenes by models.
//!
//! For models with walking agents, [`Motion`] reads trajectories and interpolates between frames, [`Settings`] reads
//! the settings of a run from its manifest, and [`room`] and [`capsule_height`] provide light, floor and sizes.

mod defaults;
mod motion;
mod settings;

pub use defaults::{capsule_height, room};
pub use motion::{InterpolatedAgent, Motion};
pub use settings::Settings;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde_json::Value;
use throng_core::{InputError, did_you_mean, hint_for_missing, read_input_text};
use throng_output::{MANIFEST_NAME, MAX_MANIFEST_BYTES};
use throng_scene::Recording;

use crate::assignment::quoted_text;
use crate::scenario_file::without_usual_name;
use crate::{Failure, Model};

/// Conversion of a model's runs to scenes.
pub trait Replay: Sync {
    /// Returns name and meaning of the quantities that can be shown by colour. The first one is the default.
    fn colourings(&self) -> &'static [(&'static str, &'static str)];

    /// Returns the [colourings](Replay::colourings) whose quantities a stored run contains; by default, all.
    fn colourings_of(&self, run: &StoredRun) -> Vec<(&'static str, &'static str)> {
        let _ = run;
        self.colourings().to_vec()
    }

    /// Opens a stored run as a recording, with one of its [colourings](Replay::colourings_of).
    ///
    /// # Errors
    /// When the folder lacks the files needed for images; the message names the setting that writes them.
    fn open(&self, run: &StoredRun, colouring: &str) -> Result<Box<dyn Recording>, Failure>;
}

/// Returns the index of a colouring in the list of a model.
///
/// # Errors
/// When the name is not in the list.
pub fn colouring_index(colourings: &[(&'static str, &'static str)], name: &str) -> Result<usize, InputError> {
    colourings.iter().position(|(known, _)| *known == name).ok_or_else(|| {
        let names: Vec<&str> = colourings.iter().map(|(name, _)| *name).collect();
        let message = format!("\"{name}\" is not a colouring of this model");
        InputError::one("colouring", message, format!("give one of {}", names.join(", ")))
    })
}

/// A folder with the results of a complete run.
#[derive(Debug, Clone)]
pub struct StoredRun {
    folder: PathBuf,
    manifest: Value,
}

impl StoredRun {
    /// Whether a folder contains a complete run.
    pub fn is_in(folder: &Path) -> bool {
        manifest_in(folder).is_some()
    }

    /// Whether a folder contains a complete run that `throng view` can show, of a model that
    /// [supports it](Model::replay).
    pub fn is_shown(folder: &Path, models: &[&dyn Model]) -> bool {
        Self::open(folder).is_ok_and(|run| run.replay(models).is_ok())
    }

    /// Reads the manifest of a folder.
    ///
    /// # Errors
    /// When there is no folder or no manifest, or when it cannot be read.
    pub fn open(folder: &Path) -> Result<Self, InputError> {
        let place = folder.display().to_string();
        if !folder.is_dir() {
            return Err(InputError::one(place, "there is no such folder", hint_for_missing(folder)));
        }
        let Some(file) = manifest_in(folder) else {
            let remedy = "give the output folder of `throng run`, after the run has ended";
            return Err(InputError::one(place, "has no manifest.json, so it holds no complete run", remedy));
        };
        let place = file.display().to_string();
        let unreadable = |message: String| InputError::one(&place, message, "repeat the run");
        let text = read_input_text(&file, MAX_MANIFEST_BYTES).map_err(|error| unreadable(error.to_string()))?;
        let manifest: Value = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
        let run = Self { folder: folder.to_owned(), manifest };
        if run.model().is_empty() {
            return Err(InputError::one(place, "names no model", "repeat the run"));
        }
        Ok(run)
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the name of the model.
    pub fn model(&self) -> &str {
        self.text_at("model")
    }

    /// Returns the scenario as given.
    pub fn scenario(&self) -> &str {
        self.text_at("scenario")
    }

    /// Returns the end of the run in UTC, as in `2026-11-20T17:03:00Z`.
    pub fn finished(&self) -> &str {
        self.text_at("finished")
    }

    /// Returns the name of the scenario for titles: its file name without the extension, or the name of its folder if
    /// the file has a usual name.
    ///
    /// `examples/evacuation`, `examples/evacuation/scenario.toml` and `evacuation.toml` are all `evacuation`.
    pub fn title(&self) -> String {
        let given = Path::new(self.scenario());
        let path = without_usual_name(given);
        let name = if path == given { path.file_stem() } else { path.file_name() };
        name.map_or_else(|| self.model().to_owned(), |name| name.to_string_lossy().into_owned())
    }

    fn text_at(&self, key: &str) -> &str {
        self.manifest.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns an effective setting by its full name, such as `grid.cell` or `walls.1.at_su`, as in the scenario file,
    /// but strings without quotes.
    pub fn setting(&self, key: &str) -> Option<Cow<'_, str>> {
        let typed = self.manifest.get("settings")?.get(key)?.as_str()?;
        Some(quoted_text(typed).map_or(Cow::Borrowed(typed), Cow::Owned))
    }

    /// Iterates over all effective settings by their full names, in the notation of `--set`.
    pub fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts_at("settings")
    }

    /// Iterates over the options other than settings, by flag name.
    pub fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts_at("options")
    }

    fn texts_at(&self, key: &str) -> impl Iterator<Item = (&str, &str)> {
        let texts = self.manifest.get(key).and_then(Value::as_object);
        texts.into_iter().flatten().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)))
    }

    /// Iterates over the names of the files written by the run.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let files = self.manifest.get("files").and_then(Value::as_array);
        files.into_iter().flatten().filter_map(|file| file.get("name")?.as_str())
    }

    /// Returns the results as JSON.
    pub fn results(&self) -> &Value {
        &self.manifest["results"]
    }

    /// Returns the path of a file in the folder.
    ///
    /// # Errors
    /// When it is missing; `remedy` is the setting with which a run writes it.
    pub fn file(&self, name: &str, remedy: &str) -> Result<PathBuf, InputError> {
        let path = self.folder.join(name);
        if path.is_file() {
            return Ok(path);
        }
        let message = format!("has no {name}, which rendering needs");
        Err(InputError::one(self.folder.display().to_string(), message, remedy))
    }

    /// Opens the run as a recording, with one of the colourings of its model.
    ///
    /// # Errors
    /// As for [`Replay::open`], and when times are invalid.
    pub fn recording(&self, replay: &dyn Replay, colouring: &str) -> Result<Box<dyn Recording>, Failure> {
        let recording = replay.open(self, colouring)?;
        let folder = self.folder.display();
        recording.times().check().map_err(|error| error.with_places(|place| format!("{folder}: {place}")))?;
        Ok(recording)
    }

    /// Returns the conversion of the run to scenes, if its model is in `models` and supports it.
    ///
    /// # Errors
    /// When the model is not in `models`, or does not support it.
    pub fn replay(&self, models: &[&dyn Model]) -> Result<&'static dyn Replay, InputError> {
        let place = self.folder.display().to_string();
        let shown = || models.iter().filter(|model| model.replay().is_some()).map(|model| model.name());
        let Some(model) = models.iter().find(|model| model.name() == self.model()) else {
            let remedy = did_you_mean(self.model(), shown()).unwrap_or_else(|| names(shown()));
            return Err(InputError::one(place, format!("is a run of the unknown model \"{}\"", self.model()), remedy));
        };
        model.replay().ok_or_else(|| {
            let message = format!("is a run of the model {}, which cannot be shown", model.name());
            InputError::one(place, message, names(shown()))
        })
    }
}

/// Returns the manifest of a folder, whose name may start with a run id. `None` if there are none or several.
fn manifest_in(folder: &Path) -> Option<PathBuf> {
    let plain = folder.join(MANIFEST_NAME);
    if plain.is_file() {
        return Some(plain);
    }
    let ending = format!(".{MANIFEST_NAME}");
    let has_ending = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&ending));
    let mut found = folder.read_dir().ok()?.flatten().map(|entry| entry.path()).filter(has_ending);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

fn names(shown: impl Iterator<Item = &'static str>) -> String {
    format!("give a run of one of {}", shown.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_without_a_run_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path();
        let error = |path: &Path| StoredRun::open(path).unwrap_err().to_string();
        assert!(error(&folder.join("nowhere")).contains("there is no such folder"));
        assert!(error(folder).contains("has no manifest.json"), "{}", error(folder));
        let manifest = folder.join("monday.manifest.json");
        std::fs::write(&manifest, "{").unwrap();
        assert!(error(folder).starts_with(&manifest.display().to_string()), "{}", error(folder));
        std::fs::write(&manifest, "{}").unwrap();
        assert!(error(folder).contains("names no model"));
        std::fs::write(&manifest, r#"{"model": "rivers", "settings": {"bed.width": "3.5"}}"#).unwrap();
        let run = StoredRun::open(folder).unwrap();
        assert_eq!(
            (run.model(), run.setting("bed.width").as_deref(), run.setting("bed")),
            ("rivers", Some("3.5"), None)
        );
        for (scenario, title) in [
            ("/a/examples/river", "river"),
            ("river/scenario.toml", "river"),
            ("scenario.toml", "scenario"),
            ("x/wet.toml", "wet"),
            ("berlin/config.xml", "berlin"),
            ("", "rivers"),
        ] {
            let text = serde_json::json!({ "model": "rivers", "scenario": scenario }).to_string();
            std::fs::write(&manifest, text).unwrap();
            assert_eq!(StoredRun::open(folder).unwrap().title(), title);
        }
        let missing = run.file("floods.csv", "set floods = true").unwrap_err().to_string();
        assert!(missing.contains("has no floods.csv") && missing.ends_with("set floods = true"), "{missing}");
        let unknown = run.replay(&[]).err().unwrap().to_string();
        assert!(unknown.contains("unknown model \"rivers\""), "{unknown}");
    }
}
