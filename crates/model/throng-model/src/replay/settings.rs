//! The settings of a stored run.

use std::borrow::Cow;
use std::str::FromStr;

use super::StoredRun;
use throng_core::{InputError, Problems};

/// Reads settings from a manifest, and collects their faults. A missing setting has its default.
pub struct Settings<'r> {
    run: &'r StoredRun,
    problems: Problems,
}

impl<'r> Settings<'r> {
    /// Creates a reader for the settings of a run.
    pub fn of(run: &'r StoredRun) -> Self {
        Self { run, problems: Problems::new() }
    }

    /// Returns a number or boolean.
    pub fn value<T: FromStr>(&mut self, key: &str, default: T) -> T {
        self.optional(key).unwrap_or(default)
    }

    /// Like [`Settings::value`], without a default.
    pub fn optional<T: FromStr>(&mut self, key: &str) -> Option<T> {
        let text = self.run.setting(key)?;
        let value = text.parse().ok();
        if value.is_none() {
            self.refuse(key, &text);
        }
        value
    }

    /// Returns the text of a setting.
    pub fn text(&self, key: &str) -> Option<Cow<'r, str>> {
        self.run.setting(key)
    }

    /// Returns a list of a fixed number of values, such as `[3, 4]`.
    pub fn list<T: FromStr, const N: usize>(&mut self, key: &str) -> Option<[T; N]> {
        let values = self.lists(key)?;
        let list = <[[T; N]; 1]>::try_from(values).ok();
        if list.is_none() {
            let text = self.run.setting(key).unwrap_or_default();
            self.refuse(key, &text);
        }
        list.map(|[list]| list)
    }

    /// Returns a list of lists, such as `[[0, 60], [90, 600]]`; also accepts a single inner list.
    pub fn lists<T: FromStr, const N: usize>(&mut self, key: &str) -> Option<Vec<[T; N]>> {
        let text = self.run.setting(key)?;
        let numbers = text.split(['[', ']', ',']).map(str::trim).filter(|number| !number.is_empty());
        let numbers: Option<Vec<T>> = numbers.map(|number| number.parse().ok()).collect();
        let mut numbers = numbers.filter(|numbers| numbers.len().is_multiple_of(N)).map(Vec::into_iter);
        let mut lists = Vec::new();
        if let Some(numbers) = &mut numbers {
            while numbers.len() >= N {
                let list: Vec<T> = numbers.by_ref().take(N).collect();
                lists.extend(<[T; N]>::try_from(list).ok());
            }
            return Some(lists);
        }
        self.refuse(key, &text);
        None
    }

    /// Returns the prefixes of the entries of a list of tables: `rooms.1`, `rooms.2` and so on, up to the first one
    /// without `key`.
    pub fn entries(&self, list: &str, key: &str) -> Vec<String> {
        let entries = (1..).map(|number| format!("{list}.{number}"));
        entries.take_while(|entry| self.run.setting(&format!("{entry}.{key}")).is_some()).collect()
    }

    fn refuse(&mut self, key: &str, text: &str) {
        let place = self.run.folder().join("manifest.json").display().to_string();
        self.problems.push(format!("{place}, {key}"), format!("\"{text}\""), "repeat the run");
    }

    /// Reports the collected faults.
    ///
    /// # Errors
    /// When settings could not be read; the error lists all of them.
    pub fn finish(self) -> Result<(), InputError> {
        self.problems.into_result()
    }
}
