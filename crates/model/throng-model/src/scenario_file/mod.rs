//! Scenario files, and the model of a scenario.

pub(crate) mod any_scenario;
pub(crate) mod border;
mod locate;
pub(crate) mod reading;
pub(crate) mod schema;
pub(crate) mod setting_effects;
pub(crate) mod source;
pub(crate) mod template;
pub(crate) mod whole_file;
pub(crate) mod writing;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use throng_core::{InputError, read_input_text, unreadable_input};

use crate::Model;
use crate::names::{known, shown};

pub use any_scenario::AnyScenario;
pub use border::Border;
pub use schema::{root_keys, schema_text};
pub use setting_effects::is_without_effect;
pub use source::{At, Source, Texts};
pub use template::template_text;
pub use whole_file::{read_as, scenario_toml, settings_of};
pub use writing::{WriteError, to_toml, word_of};

/// Usual name of a scenario file.
pub const SCENARIO_NAME: &str = "scenario.toml";
/// Usual names of scenario files. A folder that contains such a file can be given in its place.
const USUAL_NAMES: [&str; 2] = [SCENARIO_NAME, "config.xml"];
/// Key of a scenario file that names its model.
pub const MODEL_KEY: &str = "model";

/// Maximum size of a scenario file, bytes. In memory, its values take about ten times as much.
const MAX_BYTES: u64 = 256 << 20;

/// A scenario file. Its text is read on first use and cached.
///
/// ```
/// use throng_model::scenario_file::ScenarioFile;
///
/// let file = ScenarioFile::from("no/such/scenario.toml".as_ref());
/// let error = file.text().unwrap_err().to_string();
/// assert!(error.starts_with("no/such/scenario.toml: cannot be read"), "{error}");
/// ```
#[derive(Debug, Clone)]
pub struct ScenarioFile {
    path: PathBuf,
    text: OnceLock<String>,
}

impl ScenarioFile {
    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the text of the file.
    ///
    /// # Errors
    /// When the file cannot be read (the message suggests the nearest name if it does not exist), is a pipe or a
    /// device, is not UTF-8, or exceeds 256 MiB.
    pub fn text(&self) -> Result<&str, InputError> {
        if let Some(text) = self.text.get() {
            return Ok(text);
        }
        let text = read_input_text(&self.path, MAX_BYTES).map_err(|error| unreadable_input(&self.path, &error))?;
        Ok(self.text.get_or_init(|| text))
    }
}

impl From<PathBuf> for ScenarioFile {
    fn from(path: PathBuf) -> Self {
        Self { path, text: OnceLock::new() }
    }
}

impl From<&Path> for ScenarioFile {
    fn from(path: &Path) -> Self {
        path.to_owned().into()
    }
}

/// Returns the folder of a scenario file with a usual name, or the file itself: both name the same scenario.
pub(crate) fn without_usual_name(path: &Path) -> &Path {
    let is_usual = path.file_name().is_some_and(|name| USUAL_NAMES.iter().any(|usual| name == *usual));
    path.parent().filter(|folder| is_usual && folder.file_name().is_some()).unwrap_or(path)
}

/// Returns the model of a given scenario, and its scenario file; for a folder, the scenario file in it.
///
/// A file that ends in `.toml` names its model; any other file belongs to the last model in the list that accepts it,
/// so that a program can override a model. In a folder, `scenario.toml` is used, or else a file declared by a model.
///
/// # Errors
/// When a folder contains no scenario or scenarios of two models, or when a file names no known model or is unreadable.
pub fn find_model<'m>(
    models: &[&'m dyn Model],
    scenario: Option<&Path>,
) -> Result<(&'m dyn Model, Option<ScenarioFile>), InputError> {
    let Some(named) = scenario else { return Ok((taking(models, None)?, None)) };
    let file = ScenarioFile::from(if named.is_dir() { file_in(models, named)? } else { named.to_owned() });
    let model = of_file(models, &file)?;
    if named.is_dir() {
        let others = models.iter().filter(|other| other.name() != model.name());
        let mut others = others.flat_map(|other| other.files_in_folder().iter().map(move |name| (other, name)));
        if let Some((other, name)) = others.find(|(_, name)| named.join(name).is_file()) {
            return Err(InputError::one(
                named.display().to_string(),
                format!(
                    "the folder holds a {SCENARIO_NAME} with {MODEL_KEY} = \"{}\", and a {name} of the {} model",
                    model.name(),
                    other.name()
                ),
                format!("name one of them: {} or {}", file.path.display(), named.join(name).display()),
            ));
        }
    }
    Ok((model, Some(file)))
}

fn taking<'m>(models: &[&'m dyn Model], file: Option<&Path>) -> Result<&'m dyn Model, InputError> {
    models.iter().rev().copied().find(|model| model.takes(file)).ok_or_else(|| {
        let place = file.map_or_else(|| "SCENARIO".to_owned(), |file| file.display().to_string());
        let what = if file.is_some() { "is not a scenario of a model" } else { "is missing" };
        InputError::one(place, what, format!("name a scenario file (.toml) with {MODEL_KEY} = {}", names(models)))
    })
}

fn of_file<'m>(models: &[&'m dyn Model], file: &ScenarioFile) -> Result<&'m dyn Model, InputError> {
    let path = file.path();
    if path.extension().is_none_or(|ending| ending != "toml") {
        return taking(models, Some(path));
    }
    let place = path.display().to_string();
    let text = file.text()?;
    let table = text.parse::<toml::Table>().map_err(|error| {
        let line = error.span().map_or(1, |span| 1 + text.bytes().take(span.start).filter(|b| *b == b'\n').count());
        let remedy = "a scenario file is TOML: key = value, tables as [name], each key and table once";
        InputError::one(format!("{place}:{line}"), error.message(), remedy)
    })?;
    let Some(name) = table.get(MODEL_KEY) else {
        let remedy = format!("write {MODEL_KEY} = {} in the first line", names(models));
        return Err(InputError::one(&place, format!("{MODEL_KEY} is missing"), remedy));
    };
    let name = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
    models.iter().copied().find(|model| model.name() == name).ok_or_else(|| {
        let remedy = known(&name, models.iter().map(|model| model.name()));
        InputError::one(&place, format!("{MODEL_KEY} is \"{}\"", shown(&name)), remedy)
    })
}

/// Whether the name of a scenario shows that it is one of `model`, which accepts it: a folder, a `.toml` file, or a
/// file with one of the [endings](Model::endings) of the model.
pub(crate) fn looks_like_scenario(model: &dyn Model, path: &Path) -> bool {
    let name = path.to_string_lossy();
    path.is_dir() || name.ends_with(".toml") || model.endings().iter().any(|ending| name.ends_with(ending))
}

/// Returns the scenario file in a folder.
pub(crate) fn file_in(models: &[&dyn Model], folder: &Path) -> Result<PathBuf, InputError> {
    let others = models.iter().flat_map(|model| model.files_in_folder());
    let candidates: Vec<&str> = [SCENARIO_NAME].into_iter().chain(others.copied()).collect();
    let found = candidates.iter().map(|name| folder.join(name)).find(|path| path.is_file());
    found.ok_or_else(|| {
        InputError::one(
            folder.display().to_string(),
            format!("the folder holds no {}", candidates.join(" and no ")),
            "name the scenario file itself",
        )
    })
}

fn names(models: &[&dyn Model]) -> String {
    let names: Vec<String> = models.iter().map(|model| format!("\"{}\"", model.name())).collect();
    names.join(" or ")
}

#[cfg(test)]
pub(crate) mod tests {
    use throng_core::Verified;
    use throng_device::Executor;
    use throng_scene::Recording;

    use super::*;
    use crate::replay::StoredRun;
    use crate::scenario_file::AnyScenario;
    use crate::{Check, Failure, Replay, ScenarioRequest};

    /// A dummy model. The first one also accepts its own file type, and shows its runs.
    struct Named(&'static str);

    impl Check for Named {
        fn name(&self) -> &'static str {
            self.0
        }

        fn verify(&self, _: &Executor, _: &mut dyn FnMut(Verified)) {}
    }

    impl Model for Named {
        fn about(&self) -> &'static str {
            ""
        }

        fn template(&self) -> String {
            String::new()
        }

        fn schema(&self) -> String {
            String::new()
        }

        fn files_in_folder(&self) -> &'static [&'static str] {
            if self.0 == "rivers" { &["rivers.xml"] } else { &[] }
        }

        fn endings(&self) -> &'static [&'static str] {
            if self.0 == "rivers" { &["rivers.xml", ".river"] } else { &[] }
        }

        fn takes(&self, _: Option<&Path>) -> bool {
            self.0 == "rivers"
        }

        fn replay(&self) -> Option<&'static dyn Replay> {
            if self.0 == "rivers" { Some(&Named("rivers")) } else { None }
        }

        fn scenario(&self, _: &ScenarioRequest) -> Result<Box<dyn AnyScenario>, Failure> {
            Err(Failure::input("", "", ""))
        }
    }

    impl Replay for Named {
        fn colourings(&self) -> &'static [(&'static str, &'static str)] {
            &[]
        }

        fn open(&self, _: &StoredRun, _: &str) -> Result<Box<dyn Recording>, Failure> {
            Err(Failure::input("", "", ""))
        }
    }

    pub(crate) const MODELS: [&dyn Model; 2] = [&Named("rivers"), &Named("glaciers")];

    fn found(scenario: Option<&Path>) -> Result<(&'static str, Option<PathBuf>), String> {
        let (model, file) = find_model(&MODELS, scenario).map_err(|error| error.to_string())?;
        Ok((model.name(), file.map(|file| file.path)))
    }

    #[test]
    fn files_folders_and_missing_paths_determine_the_model() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let write = |name: &str, text: &str| std::fs::write(path(name), text).unwrap();
        assert_eq!(found(None).unwrap(), ("rivers", None));
        assert!(found(Some(dir.path())).unwrap_err().contains("the folder holds no scenario.toml and no rivers.xml"));
        write("rivers.xml", "<rivers/>");
        assert_eq!(found(Some(dir.path())).unwrap(), ("rivers", Some(path("rivers.xml"))));
        write("scenario.toml", "model = \"rivers\"");
        assert_eq!(found(Some(dir.path())).unwrap(), ("rivers", Some(path("scenario.toml"))));
        write("scenario.toml", "model = \"glaciers\"");
        assert_eq!(found(Some(&path("scenario.toml"))).unwrap(), ("glaciers", Some(path("scenario.toml"))));
        let both = found(Some(dir.path())).unwrap_err();
        assert!(
            both.contains("a scenario.toml with model = \"glaciers\", and a rivers.xml of the rivers model"),
            "{both}"
        );
    }

    #[test]
    fn files_without_a_known_model_are_refused_with_a_remedy() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.toml");
        for (text, expected) in [
            ("model = \"glacier\"", "model is \"glacier\"\n    did you mean \"glaciers\"? known: rivers, glaciers"),
            ("model = 7", "model is \"7\""),
            ("steps = 7", "model is missing\n    write model = \"rivers\" or \"glaciers\" in the first line"),
            ("a = 1\nmodel = ", "s.toml:2: "),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = found(Some(&path)).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
        std::fs::write(&path, "model = \"rivers\"").unwrap();
        let file = find_model(&MODELS, Some(&path)).unwrap().1.unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(file.text(), Ok("model = \"rivers\""), "read once");
        let missing = found(Some(&dir.path().join("t.toml"))).unwrap_err();
        assert!(missing.contains("t.toml: cannot be read"), "{missing}");
    }
}
