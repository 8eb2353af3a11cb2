//! A scenario file: which model, which config, and changes to it.
//!
//! ```toml
//! model = "traffic"
//! config = "config.xml"          # optional; relative to this file
//! [set]
//! qsim.flowCapacityFactor = 0.1
//! qsim.mainMode = ["car", "truck"]
//! ```

use std::path::{Path, PathBuf};

use serde::Deserialize;
use throng::traffic::config::Change;
use throng::traffic::formats::open::hint_for_missing;
use throng_core::{InputError, Problems};

/// A scenario file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "model")]
    _model: String,
    config: Option<PathBuf>,
    #[serde(default)]
    set: toml::Table,
}

/// What a scenario file says about a run of the traffic model.
#[derive(Debug, PartialEq)]
pub(crate) struct ScenarioFile {
    /// The config file.
    pub config: Option<PathBuf>,
    /// The changes to it, sorted by name.
    pub changes: Vec<Change>,
}

/// The model that a scenario file names; `None` where that cannot be told, which whoever reads all of it explains.
pub(crate) fn model(path: &Path) -> Option<String> {
    let table: toml::Table = std::fs::read_to_string(path).ok()?.parse().ok()?;
    table.get("model")?.as_str().map(str::to_owned)
}

/// Reads a scenario file of the traffic model.
///
/// # Errors
/// A file that cannot be read, is no TOML, has unknown keys or another model.
pub(crate) fn read(path: &Path) -> Result<ScenarioFile, InputError> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| InputError::one(&name, format!("cannot be read: {error}"), hint_for_missing(path)))?;
    let at = |error: &toml::de::Error| {
        let line = error.span().map_or(1, |span| 1 + text.bytes().take(span.start).filter(|b| *b == b'\n').count());
        format!("{name}:{line}")
    };
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let remedy = "a scenario file is TOML: key = value, tables as [name], each key and table once";
        InputError::one(at(&error), error.message(), remedy)
    })?;
    let Some(model) = table.get("model") else {
        let remedy = "write model = \"traffic\" or model = \"fields\" in the first line";
        return Err(InputError::one(&name, "model is missing", remedy));
    };
    if let Some(model) = model.as_str().filter(|model| *model != "traffic") {
        let remedy = match model {
            "fields" => "expected traffic here; `throng run` takes scenarios of fields",
            _ => "expected traffic or fields",
        };
        return Err(InputError::one(&name, format!("model is \"{model}\""), remedy));
    }
    let written: Written = toml::from_str(&text).map_err(|error| {
        InputError::one(at(&error), error.message(), "a scenario file of traffic holds model, config and [set]")
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut changes = Vec::new();
    let mut problems = Problems::new();
    for (key, value) in &written.set {
        flatten(key, value, &mut |key, value| match value {
            Some(value) => changes.push(Change {
                assignment: format!("{key}={value}"),
                base_dir: folder.to_owned(),
                origin: format!("{name}, set"),
            }),
            None => problems.push(
                format!("{name}, set {key}"),
                "the value is not a text, number, true, false or list of texts",
                "write qsim.stuckTime = 10",
            ),
        });
    }
    problems.into_result()?;
    Ok(ScenarioFile { config: written.config.map(|config| folder.join(config)), changes })
}

/// Calls `take` for every parameter below `key`; `qsim.stuckTime = 10` is a table in a table for TOML.
fn flatten(key: &str, value: &toml::Value, take: &mut dyn FnMut(&str, Option<String>)) {
    match value {
        toml::Value::Table(table) => {
            for (name, value) in table {
                flatten(&format!("{key}.{name}"), value, take);
            }
        }
        toml::Value::Array(items) => {
            let texts: Option<Vec<String>> = items.iter().map(scalar).collect();
            take(key, texts.map(|texts| texts.join(",")));
        }
        value => take(key, scalar(value)),
    }
}

fn scalar(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(flag) => Some(flag.to_string()),
        // A time without quotes, such as 07:30:00.
        toml::Value::Datetime(time) => Some(time.to_string()),
        toml::Value::Array(_) | toml::Value::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<ScenarioFile, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.toml");
        std::fs::write(&path, text).unwrap();
        let here = format!("{}/", folder.path().display());
        let mut read = read(&path).map_err(|error| error.to_string().replace(&here, ""))?;
        read.config = read.config.map(|config| config.strip_prefix(folder.path()).unwrap().to_owned());
        Ok(read)
    }

    #[test]
    fn changes_in_all_forms() {
        let read = read_text(
            "model = \"traffic\"\nconfig = \"c.xml\"\n[set]\nqsim.flowCapacityFactor = 0.1\n\
             qsim.mainMode = [\"car\", \"truck\"]\n\"qsim.endTime\" = 12:00:00\nthrong.ignoreUnsupported = true\n\
             [set.global]\nrandomSeed = 7",
        )
        .unwrap();
        assert_eq!(read.config, Some("c.xml".into()));
        let mut assignments: Vec<_> = read.changes.iter().map(|change| change.assignment.as_str()).collect();
        assignments.sort_unstable();
        assert_eq!(
            assignments,
            [
                "global.randomSeed=7",
                "qsim.endTime=12:00:00",
                "qsim.flowCapacityFactor=0.1",
                "qsim.mainMode=car,truck",
                "throng.ignoreUnsupported=true",
            ]
        );
    }

    #[test]
    fn bad_files_are_placed() {
        let error = read_text("model = \"traffic\"\nconfg = \"c.xml\"").unwrap_err();
        assert!(error.starts_with("s.toml:2: unknown field `confg`"), "{error}");
        let error = read_text("model = \"crowd\"").unwrap_err();
        assert!(error.starts_with("s.toml: model is \"crowd\"\n    expected traffic or fields"), "{error}");
        let error = read_text("model = \"traffic\"\n[set]\nqsim.mainMode = [[1]]").unwrap_err();
        assert!(error.starts_with("s.toml, set qsim.mainMode: the value is not"), "{error}");
        let error = read_text("model = ").unwrap_err();
        assert!(error.starts_with("s.toml:1:"), "{error}");
    }
}
