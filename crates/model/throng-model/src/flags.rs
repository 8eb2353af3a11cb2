//! Flags specific to some models, generators or papers.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::path::PathBuf;
use std::str::FromStr;

use throng_core::{InputError, Problems};
use throng_device::{DeviceChoice, UnknownDevice};

use crate::names::{known, shown};

/// A flag declared by a model for `throng run`, by a generator for `throng generate`, or by a paper for
/// `throng reproduce`. Scenarios of other models reject it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// Name without the two hyphens.
    pub name: &'static str,
    /// Placeholder of its value, such as `FILE`; `None` for a flag without a value.
    pub value: Option<&'static str>,
    /// One-line description for `--help`.
    pub help: &'static str,
    /// Further description for `--help`; may be empty.
    pub more: &'static str,
    /// Whether the value is a comma-separated list; if the flag is repeated, its lists are concatenated.
    pub is_list: bool,
    /// Whether the value may start with a minus sign.
    pub is_signed: bool,
    /// Heading in `--help`; empty for the default heading.
    pub heading: &'static str,
    /// Whether it applies only to runs, and is not part of the settings shown by `throng config --effective`.
    pub only_run: bool,
}

impl Flag {
    /// Creates a flag with a value; `help` also states the default.
    pub const fn new(name: &'static str, value: &'static str, help: &'static str) -> Self {
        Self {
            name,
            value: Some(value),
            help,
            more: "",
            is_list: false,
            is_signed: false,
            heading: "",
            only_run: false,
        }
    }

    /// Creates a flag with a list of values.
    pub const fn list(name: &'static str, value: &'static str, help: &'static str) -> Self {
        Self { is_list: true, ..Self::new(name, value, help) }
    }

    /// Creates a flag whose value may start with a minus sign, such as coordinates.
    pub const fn signed(name: &'static str, value: &'static str, help: &'static str) -> Self {
        Self { is_signed: true, ..Self::new(name, value, help) }
    }

    /// Creates a flag without a value.
    pub const fn switch(name: &'static str, help: &'static str) -> Self {
        Self { value: None, ..Self::new(name, "", help) }
    }

    /// Moves the flag under another heading in `--help`.
    #[must_use]
    pub const fn under(self, heading: &'static str) -> Self {
        Self { heading, ..self }
    }
}

/// The given flags of models, generators or papers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags(Vec<(String, String)>);

impl Flags {
    /// Adds a flag. The value is empty for a flag without a value, and comma-separated for a list.
    pub fn add(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// Returns the value of a flag, if it was given.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(given, _)| *given == name).map(|(_, value)| value)
    }

    /// Whether a flag was given.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns the file named by a flag, if it was given.
    ///
    /// # Errors
    /// When the name is empty. A shell passes an empty name for an unset variable, and the system's error message would
    /// not mention the flag.
    pub fn file(&self, name: &str) -> Result<Option<PathBuf>, InputError> {
        match self.get(name) {
            Some("") => Err(InputError::one(format!("--{name}"), "is empty", "name a file, or leave the flag out")),
            file => Ok(file.map(PathBuf::from)),
        }
    }

    /// Returns the value of a flag as a number in a range, if it was given.
    ///
    /// # Errors
    /// When the value is not a number in this range.
    ///
    /// ```
    /// let mut flags = throng_model::flags::Flags::default();
    /// flags.add("links", "400");
    /// assert_eq!(flags.number("links", 1..=999), Ok(Some(400)));
    /// let error = flags.number("links", 1..=99).unwrap_err();
    /// assert_eq!(error.to_string(), "--links: 400\n    give a whole number from 1 to 99");
    /// ```
    pub fn number<T: FromStr + PartialOrd + Display>(
        &self,
        name: &str,
        range: impl RangeBounds<T>,
    ) -> Result<Option<T>, InputError> {
        self.get(name).map(|text| number(name, text, &range)).transpose()
    }

    /// Returns the value of a flag as a comma-separated list of numbers in a range; empty if it was not given.
    ///
    /// # Errors
    /// When an entry is not a number in this range, or occurs twice.
    pub fn numbers<T: FromStr + PartialOrd + Display>(
        &self,
        name: &str,
        range: impl RangeBounds<T>,
    ) -> Result<Vec<T>, InputError> {
        let Some(texts) = self.get(name) else { return Ok(Vec::new()) };
        let mut numbers = Vec::new();
        for text in texts.split(',') {
            let number = number(name, text, &range)?;
            if numbers.contains(&number) {
                let remedy = "give each number once";
                return Err(InputError::one(format!("--{name}"), format!("{number} is given twice"), remedy));
            }
            numbers.push(number);
        }
        Ok(numbers)
    }

    /// Returns the value of the flag `--device`, by default [`DeviceChoice::Auto`].
    ///
    /// # Errors
    /// When the value names no device.
    pub fn device(&self) -> Result<DeviceChoice, InputError> {
        let refused = |unknown: UnknownDevice| InputError::one("--device", unknown, "see `throng doctor`");
        self.get("device").unwrap_or("auto").parse().map_err(refused)
    }

    /// Rejects flags that are not declared. `owner` names the declaring component, such as `generator city`.
    pub(crate) fn refuse_unknown(&self, owner: &str, declared: &[Flag], problems: &mut Problems) {
        for (name, _) in self.iter().filter(|(name, _)| !declared.iter().any(|flag| flag.name == *name)) {
            let remedy = match declared {
                [] => "leave it out".to_owned(),
                declared => known(name, declared.iter().map(|flag| flag.name)),
            };
            problems.push(format!("--{}", shown(name)), format!("{owner} has no such flag"), remedy);
        }
    }

    /// Iterates over name and value of each given flag.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

fn number<T: FromStr + PartialOrd + Display>(
    name: &str,
    text: &str,
    range: &impl RangeBounds<T>,
) -> Result<T, InputError> {
    text.trim().parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
        let kind = if T::from_str("0.5").is_ok() { "number" } else { "whole number" };
        let limits = match (range.start_bound(), range.end_bound()) {
            (Bound::Included(from), Bound::Included(to)) => format!(" from {from} to {to}"),
            (Bound::Included(from), Bound::Excluded(to)) => format!(" from {from} to below {to}"),
            (Bound::Included(from), Bound::Unbounded) => format!(", {from} or more"),
            (Bound::Excluded(from), Bound::Included(to)) => format!(" above {from} and up to {to}"),
            (Bound::Excluded(from), Bound::Excluded(to)) => format!(" above {from} and below {to}"),
            (Bound::Excluded(from), Bound::Unbounded) => format!(" above {from}"),
            (Bound::Unbounded, Bound::Included(to)) => format!(" up to {to}"),
            (Bound::Unbounded, Bound::Excluded(to)) => format!(" below {to}"),
            (Bound::Unbounded, Bound::Unbounded) => String::new(),
        };
        InputError::one(format!("--{name}"), text, format!("give a {kind}{limits}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(value: &str) -> Flags {
        let mut flags = Flags::default();
        flags.add("a", value);
        flags
    }

    #[test]
    fn numbers_outside_the_range_of_a_flag_are_refused() {
        assert_eq!(flags("7").number("a", 1..=9), Ok(Some(7)));
        assert_eq!(flags("7").number::<u32>("b", ..), Ok(None));
        assert_eq!(flags("0.5, 2").numbers("a", 0.0..), Ok(vec![0.5, 2.0]));
        assert_eq!(flags("7").numbers::<u32>("b", ..), Ok(Vec::new()));
        let error = |found: Result<Option<u32>, InputError>| found.unwrap_err().to_string();
        assert_eq!(error(flags("-1").number("a", 2..)), "--a: -1\n    give a whole number, 2 or more");
        assert_eq!(error(flags("x").number("a", ..)), "--a: x\n    give a whole number");
        for ((from, to), limits) in [
            ((Bound::Included(0), Bound::Excluded(9)), "from 0 to below 9"),
            ((Bound::Excluded(0), Bound::Included(9)), "above 0 and up to 9"),
            ((Bound::Excluded(0), Bound::Excluded(9)), "above 0 and below 9"),
            ((Bound::Excluded(99), Bound::Unbounded), "above 99"),
            ((Bound::Unbounded, Bound::Included(9)), "up to 9"),
            ((Bound::Unbounded, Bound::Excluded(9)), "below 9"),
        ] {
            let error = error(flags("99").number("a", (from, to)));
            assert_eq!(error, format!("--a: 99\n    give a whole number {limits}"));
        }
        for wrong in ["1,NaN", "1,", "1,2,1"] {
            let error = flags(wrong).numbers("a", 0.5..=9.5).unwrap_err().to_string();
            assert!(error.starts_with("--a: "), "{error}");
        }
    }
}
