//! Scenario files of fields, and changes to single keys of a scenario. Files that they refer to, such as maps of walls,
//! do not exist here.

use throng_core::Change;
use throng_fields_scenario::Scenario;

use super::scratch;

/// Scenario to which changes are applied.
const SMALL: &str = include_str!("../seeds/fields/small.toml");

/// Tries one input, as a file and as a change.
pub fn check(data: &[u8]) -> bool {
    let (_folder, [file, small]) = scratch::files([data, SMALL.as_bytes()]);
    let scenario = Scenario::read(&file, &[]);
    let change = std::str::from_utf8(data).map(|text| Scenario::read(&small, &[Change::typed(text)]));
    scenario.is_ok() || matches!(change, Ok(Ok(_)))
}
