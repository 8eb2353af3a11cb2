//! Scenario files that are one declaration: read as a whole, with places, and written with all keys.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use throng_core::{Change, InputError, Problems, hint_for_missing};

use crate::{At, Failure, MODEL_KEY, Texts, root_keys};

/// Reads a scenario file of `model` whose keys are those of `T`, with changes to it. The key `model` is not part of `T`.
///
/// # Errors
/// A file that cannot be read, and everything that is wrong with it and the changes, each with file and line.
pub fn read_as<T: DeserializeOwned + JsonSchema>(
    model: &'static str,
    path: &Path,
    changes: &[Change],
) -> Result<T, InputError> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| InputError::one(&name, format!("cannot be read: {error}"), hint_for_missing(path)))?;
    let mut problems = Problems::new();
    let texts = Texts::new(model, name, text, changes, &mut problems);
    let mut source = texts.tree(&mut problems);
    let named: Option<At<String>> = source.take(MODEL_KEY, &mut problems);
    if let Some(named) = named.filter(|named| named.value != model) {
        problems.push(
            named.place,
            format!("\"{}\"", crate::names::shown(&named.value)),
            format!("expected \"{model}\""),
        );
    }
    source.refuse_unknown(&root_keys::<T>(), &mut problems);
    let read = source.take_rest(&mut problems);
    problems.into_result()?;
    read.ok_or_else(|| InputError::one(texts.file(), "is not complete", "this is a bug, please report it"))
}

/// The text of a scenario file of `model` with all keys of a declaration.
///
/// # Errors
/// A value that TOML cannot express.
pub fn written<T: Serialize>(model: &str, scenario: &T) -> Result<String, Failure> {
    let text = toml::to_string(scenario).map_err(|error| Failure::input("scenario", error.to_string(), ""))?;
    Ok(format!("{MODEL_KEY} = \"{model}\"\n{text}"))
}

/// All keys of a declaration with their values as text, for report and manifest.
pub fn settings_of<T: Serialize>(scenario: &T) -> Vec<(String, String)> {
    match toml::Value::try_from(scenario) {
        Ok(toml::Value::Table(table)) => flat("", &table),
        _ => Vec::new(),
    }
}

fn flat(prefix: &str, table: &toml::Table) -> Vec<(String, String)> {
    let each = table.iter().flat_map(|(key, value)| match value {
        toml::Value::Table(inner) => flat(&format!("{prefix}{key}."), inner),
        toml::Value::String(text) => vec![(format!("{prefix}{key}"), text.clone())],
        value => vec![(format!("{prefix}{key}"), value.to_string())],
    });
    each.collect()
}
