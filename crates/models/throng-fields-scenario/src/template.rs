//! A template of a scenario file.

/// A scenario file that runs, with a comment for each key. Optional keys are commented out, with an example or
/// their default.
pub fn template() -> &'static str {
    include_str!("template.toml")
}
