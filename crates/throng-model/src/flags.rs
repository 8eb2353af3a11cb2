//! Flags that only some models have.

/// A flag of `throng run` that a model declares. Scenarios of other models refuse it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// Its name, without the two hyphens.
    pub name: &'static str,
    /// What its value is called, such as `FILE`; `None` for a flag without a value.
    pub value: Option<&'static str>,
    /// What it does, for `--help`: a line.
    pub help: &'static str,
    /// More about it, for `--help`; may be empty.
    pub more: &'static str,
    /// Whether it applies only to runs and is not part of the settings that `throng config --effective` shows.
    pub only_run: bool,
}

/// The flags of models that were given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags(Vec<(String, String)>);

impl Flags {
    /// Adds a flag; the value of one that has none is empty.
    pub fn add(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// The value of a flag, if it was given.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(given, _)| *given == name).map(|(_, value)| value)
    }

    /// Whether a flag was given.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Name and value of each flag that was given.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}
