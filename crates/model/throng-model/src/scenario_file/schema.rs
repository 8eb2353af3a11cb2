//! Lists all keys of a scenario file, derived from the declarations that read it.

use std::fmt::Write as _;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// Returns all keys of scenario files with the root `Root`, below an introduction: meaning with unit, allowed values,
/// default.
///
/// Meanings are the doc comments of the declarations.
///
/// ```
/// #[derive(schemars::JsonSchema)]
/// struct Root {
///     /// Steps of the simulation.
///     steps: u32,
/// }
/// let text = throng_model::scenario_file::schema_text::<Root>("Keys of a scenario file.");
/// assert_eq!(text, "Keys of a scenario file.\n\n  steps\n      Steps of the simulation.\n      a whole number, 0 or more; needed\n");
/// ```
pub fn schema_text<Root: JsonSchema>(introduction: &str) -> String {
    text_of(&root::<Root>(), introduction)
}

/// Returns the names of all keys of the root.
pub fn root_keys<Root: JsonSchema>() -> Vec<String> {
    properties(&root::<Root>()).map(|(key, _)| key.to_owned()).collect()
}

/// A key of a table: its name, its meaning (empty if there is none), and its allowed values.
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) meaning: String,
    pub(crate) kind: String,
}

/// Returns the keys of the root, or of the table at a path below it; a path may pass through lists of tables.
pub(crate) fn keys<Root: JsonSchema>(path: &[&str]) -> Vec<Key> {
    let mut table = root::<Root>();
    for name in path {
        let value = without_null(&table["properties"][name]);
        table = if value["items"].is_object() { value["items"].clone() } else { value };
    }
    let key = |(name, value): (&str, &Value)| Key {
        name: name.to_owned(),
        meaning: description(value),
        kind: kind(&without_null(value)),
    };
    properties(&table).map(key).collect()
}

fn root<Root: JsonSchema>() -> Value {
    let settings = SchemaSettings::default().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<Root>().to_value()
}

fn text_of(root: &Value, introduction: &str) -> String {
    let mut text = format!("{introduction}\n\n");
    let (tables, keys): (Vec<_>, Vec<_>) = properties(root).partition(|(_, value)| heading("", value).is_some());
    for (key, value) in keys {
        entry(&mut text, key, value, is_needed(root, key));
    }
    for (key, value) in tables {
        let Some((heading, prefix, table)) = heading(key, value) else { continue };
        let needed = if is_needed(root, key) { " Needed." } else { "" };
        let _ = writeln!(text, "\n{heading}\n  {}{needed}", description(value));
        table_entries(&mut text, &prefix, &table);
    }
    text
}

/// Writes the keys of a table, then the keys of the lists of tables in it, each below a separate heading.
fn table_entries(text: &mut String, prefix: &str, table: &Value) {
    let (lists, keys): (Vec<_>, Vec<_>) =
        properties(table).partition(|(_, value)| properties(&without_null(value)["items"]).next().is_some());
    for (name, value) in keys {
        entry(text, &format!("{prefix}.{name}"), value, is_needed(table, name));
    }
    for (name, value) in lists {
        let (prefix, items) = (format!("{prefix}.{name}"), without_null(value)["items"].clone());
        let _ = writeln!(text, "\n[[{prefix}]]\n  {}", description(value));
        table_entries(text, &format!("{prefix}.N"), &items);
    }
}

fn properties(table: &Value) -> impl Iterator<Item = (&str, &Value)> {
    table["properties"].as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

fn is_needed(table: &Value, key: &str) -> bool {
    table["required"].as_array().is_some_and(|needed| needed.iter().any(|name| name == key))
}

/// Returns, for a root key that contains one or several tables: its heading in a file, the prefix of its key names, and
/// the table.
fn heading(key: &str, value: &Value) -> Option<(String, String, Value)> {
    let value = without_null(value);
    let forms = [
        (format!("[{key}]"), key.to_owned(), &value),
        (format!("[[{key}]]"), format!("{key}.N"), &value["items"]),
        (format!("[{key}.NAME]"), format!("{key}.NAME"), &value["additionalProperties"]),
    ];
    let found = forms.into_iter().find(|(_, _, table)| properties(table).next().is_some())?;
    Some((found.0, found.1, found.2.clone()))
}

fn entry(text: &mut String, name: &str, value: &Value, needed: bool) {
    let default = match &value["default"] {
        _ if needed => "; needed".to_owned(),
        Value::Null => String::new(),
        Value::String(text) if text.is_empty() => String::new(),
        Value::Object(table) if table.is_empty() => String::new(),
        Value::Array(list) if list.is_empty() => String::new(),
        // Whole numbers in the usual notation: 1, not 1.0.
        default => format!("; default {}", default.to_string().trim_end_matches(".0")),
    };
    let _ = writeln!(text, "  {name}\n      {}\n      {}{default}", description(value), kind(&without_null(value)));
}

fn description(value: &Value) -> String {
    value["description"].as_str().unwrap_or_default().replace('\n', " ")
}

/// Returns the schema of an optional value as if it were required.
fn without_null(value: &Value) -> Value {
    if let Some(found) = value["anyOf"].as_array().and_then(|any| any.iter().find(|of| of["type"] != "null")) {
        return found.clone();
    }
    let mut value = value.clone();
    if let Some(kind) = value["type"].as_array().and_then(|kinds| kinds.iter().find(|kind| *kind != "null")).cloned() {
        value["type"] = kind;
    }
    value
}

/// Describes the allowed values.
fn kind(value: &Value) -> String {
    let listed = value["enum"].as_array().cloned().unwrap_or_default();
    let described = value["oneOf"].as_array().into_iter().flatten();
    let mut choices: Vec<String> = listed.iter().filter(|choice| choice.is_string()).map(Value::to_string).collect();
    for choice in described {
        let constant = (!choice["const"].is_null()).then(|| choice["const"].to_string());
        choices.extend(choice["enum"].as_array().into_iter().flatten().map(Value::to_string).chain(constant));
    }
    if !choices.is_empty() {
        return format!("one of {}", choices.join(", "));
    }
    let names: Vec<&str> = properties(value).map(|(key, _)| key).collect();
    match value["type"].as_str().unwrap_or_default() {
        "integer" if value["minimum"].is_u64() && value["maximum"].is_u64() => {
            format!("a whole number from {} to {}", value["minimum"], value["maximum"])
        }
        "integer" if value["minimum"] == 0 => "a whole number, 0 or more".to_owned(),
        "integer" => "a whole number".to_owned(),
        "number" => "a number".to_owned(),
        "boolean" => "true or false".to_owned(),
        "string" => "a text".to_owned(),
        "array" if value["maxItems"] == 2 && value["items"]["maxItems"] == 2 => {
            "two points: [[x, y], [x, y]]".to_owned()
        }
        "array" if value["maxItems"] == 2 && value["items"]["type"] == "string" => "two texts: [a, b]".to_owned(),
        "array" if value["maxItems"] == 2 => "two numbers: [x, y]".to_owned(),
        "array" => format!("a list; each entry is {}", kind(&value["items"])),
        "object" if !names.is_empty() => format!("a table with the keys {}", names.join(", ")),
        _ => "a table of NAME = value".to_owned(),
    }
}
