//! Scenario files with a single declaration: read as a whole with places, and written with all keys.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use throng_core::{Change, InputError, Problems};
use toml::de::DeTable;

use crate::Failure;
use crate::assignment::flat;
use crate::scenario_file::{At, MODEL_KEY, ScenarioFile, Texts, root_keys, to_toml};

/// Reads a scenario file of `model` with the keys of `T`, and changes to it; also returns the texts, which locate keys.
/// The key `model` is not part of `T`.
///
/// # Errors
/// When the file cannot be read or names another model; all unknown keys of its root; the first value that cannot be
/// read. Each problem has file and line, or the change.
pub fn read_as<T: DeserializeOwned + JsonSchema>(
    model: &'static str,
    file: &ScenarioFile,
    changes: &[Change],
) -> Result<(T, Texts), InputError> {
    let mut problems = Problems::new();
    let texts = Texts::new(model, file, changes, &mut problems)?;
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
    let read: Option<T> = source.take_rest(&mut problems);
    problems.into_result()?;
    let read =
        read.ok_or_else(|| InputError::one(texts.file(), "is not complete", "this is a bug, please report it"))?;
    Ok((read, texts))
}

/// Returns the text of a scenario file of `model` with all keys of a declaration.
///
/// # Errors
/// When TOML cannot express a value.
pub fn scenario_toml<T: Serialize>(model: &str, scenario: &T) -> Result<String, Failure> {
    let text = to_toml(scenario)
        .map_err(|error| Failure::input("scenario", error.to_string(), "use only values that TOML can express"))?;
    Ok(format!("{MODEL_KEY} = \"{model}\"\n{text}"))
}

/// Returns all keys of a declaration with their values as text, for report and manifest; empty if TOML cannot express a
/// value.
pub fn settings_of<T: Serialize>(scenario: &T) -> Vec<(String, String)> {
    let text = to_toml(scenario).unwrap_or_default();
    DeTable::parse(&text).map_or_else(|_| Vec::new(), |tree| flat(tree.get_ref()))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::{CommonKeys, ScenarioRequest};

    #[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct River {
        /// Cubic metres per second.
        flow: f64,
        #[serde(default)]
        bed: Bed,
    }

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields, default)]
    struct Bed {
        /// Metres.
        width: f64,
        folder: String,
        overwrite: bool,
        seed: i64,
        /// Metres.
        mouth: Option<[f64; 2]>,
        /// Metres, from the source.
        bridges: Vec<f64>,
    }

    fn read(text: &str, changes: &[Change]) -> Result<River, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.toml");
        std::fs::write(&path, text).unwrap();
        let here = format!("{}/", dir.path().display());
        read_as("rivers", &path.into(), changes)
            .map(|(river, _)| river)
            .map_err(|error| error.to_string().replace(&here, ""))
    }

    const TEXT: &str = "model = \"rivers\"\nflow = 2\n[bed]\nwidth = 3.5\n";

    #[test]
    fn a_written_scenario_is_read_back_with_its_changes() {
        let request = ScenarioRequest {
            changes: vec![Change::typed("flow=9")],
            seed: Some(-4),
            out: Some("a \"b\"".into()),
            overwrite: true,
            ..ScenarioRequest::default()
        };
        let keys = CommonKeys { folder: "bed.folder", overwrite: "bed.overwrite", seed: "bed.seed" };
        let river = read(TEXT, &request.changes_as(keys)).unwrap();
        let bed = Bed { width: 3.5, folder: "a \"b\"".to_owned(), overwrite: true, seed: -4, ..Bed::default() };
        assert_eq!(river, River { flow: 9.0, bed });
        assert_eq!(read(&scenario_toml("rivers", &river).unwrap(), &[]).unwrap(), river);
        let settings = settings_of(&river);
        for (key, value) in [("bed.width", "3.5"), ("bed.folder", "a \"b\""), ("flow", "9.0")] {
            assert!(settings.contains(&(key.to_owned(), value.to_owned())), "{settings:?}");
        }
    }

    #[test]
    fn keys_are_located_by_line_change_or_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.toml");
        std::fs::write(&path, TEXT).unwrap();
        let file = path.display().to_string();
        let (_, texts) = read_as::<River>("rivers", &path.into(), &[Change::typed("bed.seed=3")]).unwrap();
        let place = |key: &str| {
            texts.locate_all(InputError::one(key, "", ""), &["discs.csv".into()]).0.shown()[0]
                .place
                .replace(&file, "s.toml")
        };
        for (key, expected) in [
            ("flow", "s.toml:2: flow"),
            ("bed.width", "s.toml:4: bed.width"),
            ("bed.seed", "--set bed.seed=3: bed.seed"),
            // In the table, but not in the file.
            ("bed.folder", "s.toml: bed.folder"),
            ("bed, depth", "s.toml:3: bed, depth"),
            ("flows", "s.toml: flows"),
            ("discs.csv:7, x_m", "discs.csv:7, x_m"),
            ("bed.csv:7", "s.toml: bed.csv:7"),
            ("flow.csv", "s.toml: flow.csv"),
            ("flow of the river", "s.toml: flow of the river"),
        ] {
            assert_eq!(place(key), expected);
        }
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Basin {
        #[serde(default)]
        lakes: Vec<Lake>,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Lake {
        depth: f64,
        name: String,
    }

    /// Applying all settings in the order of their keys recreates the list, regardless of the contents of the file.
    #[test]
    fn settings_recreate_lists_of_tables() {
        // Names that are the numbers of other entries, and more than nine entries.
        let names = ["2", "1", "b.c", "x", "y", "z", "u", "v", "w", "a", "12"];
        let lakes = names.iter().map(|name| Lake { depth: name.len() as f64, name: (*name).to_owned() });
        let basin = Basin { lakes: lakes.collect() };
        let sorted: std::collections::BTreeMap<_, _> = settings_of(&basin).into_iter().collect();
        let changes: Vec<Change> =
            sorted.into_iter().map(|(key, value)| Change::typed(format!("{key}={value}"))).collect();
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.toml");
        for entries in [0, 1, 14] {
            let entry = "[[lakes]]\ndepth = 1\nname = \"2\"\n";
            std::fs::write(&path, format!("model = \"basins\"\n{}", entry.repeat(entries))).unwrap();
            let (read, _) = read_as::<Basin>("basins", &path.clone().into(), &changes).unwrap();
            assert_eq!(read, basin, "{entries}");
        }
        // A quoted number is a name.
        std::fs::write(
            &path,
            "model = \"basins\"\nlakes = [{ depth = 1, name = \"2\" }, { depth = 2, name = \"a\" }]\n",
        )
        .unwrap();
        let changed = |change: &str| read_as::<Basin>("basins", &path.clone().into(), &[Change::typed(change)]);
        let depths = |change: &str| changed(change).unwrap().0.lakes.iter().map(|lake| lake.depth).collect::<Vec<_>>();
        assert_eq!(depths("lakes.2.depth=7"), [1.0, 7.0]);
        assert_eq!(depths("lakes.'2'.depth=7"), [7.0, 2.0]);
        let error = changed("lakes.3.depth=1").unwrap_err().to_string();
        assert!(error.contains("\"3\" is not an entry of lakes\n    give its number, from 1 to 2"), "{error}");
    }

    #[test]
    fn problems_give_the_file_and_line_or_the_change() {
        for (text, change, expected) in [
            (
                "model = \"rivers\"\nflw = 2\nflow = 1",
                "flow=1",
                "s.toml:2: unknown key \"flw\"\n    did you mean \"flow\"?",
            ),
            ("model = \"rivers\"\nflow = 2\n[bed]\nwidht = 3", "flow=1", "s.toml:4: bed: unknown key \"widht\""),
            (TEXT, "flow=deep", "--set flow=deep: invalid type: string \"deep\""),
            (TEXT, "bed.wdth=1", "--set bed.wdth=1: unknown key \"wdth\""),
            ("model = \"lakes\"\nflow = 2", "flow=1", "s.toml:1: model: \"lakes\"\n    expected \"rivers\""),
            ("model = \"rivers\"", "bed.width=1", "flow is missing"),
            (
                "model = \"rivers\"\nflow = 1\n[bed]\nbridges = [1, 2, 3]\nmouth = [1,\n 2, 3]",
                "flow=1",
                "s.toml:5: bed.mouth: a list of 3 values\n    expected at most 2",
            ),
            (
                "model = \"rivers\"\nflow = 1e999",
                "bed.width=1",
                "s.toml:2: flow: a number beyond the range of 64 bits\n    expected -1.7e308 to 1.7e308",
            ),
            ("model = \"rivers\"\nflow = 1\nbed = 2", "flow=1", "s.toml:3: bed: invalid type: integer `2`"),
            ("model = \"rivers\"\nflow = 1\nbed = 2", "flow=1", "\n    expected a table: { key = value }"),
            (TEXT, "bed.mouth=[1, 2, 3]", "--set bed.mouth=[1, 2, 3]: a list of 3 values"),
            (TEXT, "bed.mouth= [1]", "--set bed.mouth= [1]: invalid length 1\n    expected a list of 2 values: [a, b]"),
            (TEXT, "bed.mouth=[1, a]", "--set bed.mouth=[1, a]: invalid type: string"),
            (TEXT, "bed.mouth=[1, true]", "--set bed.mouth=[1, true]: bed.mouth 2: invalid type: boolean `true`"),
            (TEXT, "bed={ width = true }", "--set bed={ width = true }: bed.width: invalid type: boolean `true`"),
            (
                "model = \"rivers\"\nflow = 1\n[bed]\nbridges = [1,\n true]",
                "flow=1",
                "s.toml:5: bed.bridges 2: invalid type: boolean `true`\n    expected a number",
            ),
            (TEXT, &format!("{}a=1", "a.".repeat(19_999)), "20000 names\n    give a key of at most 32 names"),
        ] {
            let error = read(text, &[Change::typed(change)]).unwrap_err();
            assert!(error.contains(expected), "{text}, {change}: {error}");
        }
    }
}
