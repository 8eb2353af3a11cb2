//! Conversion of numbers in a scenario to whole units: integers are the simplest way to get the same result on every
//! executor.

use std::ops::RangeInclusive;

use throng_core::{InputError, Problems};

/// Converts numbers of a scenario to whole units, and collects those that are out of range.
///
/// ```
/// use throng_model::step_model::WholeUnits;
///
/// let mut units = WholeUnits::default();
/// assert_eq!(units.of("speed", 1.5, 4096, 0.0..=25.0), 6144);
/// // Degrees in the scenario, 256ths of a circle in the rules.
/// assert_eq!(units.of("turn", 45.0, 256.0 / 360.0, 0.0..=180.0), 32);
/// units.of("size", 0.0, 4096, 1.0..=20_000.0);
/// let error = units.finish().unwrap_err();
/// assert_eq!(error.to_string(), "size: 0\n    give a number from 1 to 20000");
/// ```
#[derive(Debug, Default)]
pub struct WholeUnits {
    problems: Problems,
}

impl WholeUnits {
    /// Returns `value` times `unit`, the number of units per 1 in the scenario, rounded. A value outside its range is
    /// collected as a problem.
    pub fn of(&mut self, key: &str, value: f64, unit: impl Into<f64>, range: RangeInclusive<f64>) -> i32 {
        if !range.contains(&value) {
            let remedy = format!("give a number from {} to {}", range.start(), range.end());
            self.problems.push(key, value.to_string(), remedy);
        }
        (value * unit.into()).round() as i32
    }

    /// Reports the problems.
    ///
    /// # Errors
    /// All values that are out of range.
    pub fn finish(self) -> Result<(), InputError> {
        self.problems.into_result()
    }
}
