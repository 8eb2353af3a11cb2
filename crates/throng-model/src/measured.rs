//! What a run measures: summary figures, and series over its steps.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is measured: a name, a unit, and what it means.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quantity {
    /// The name, as in a table: `mean_trip`.
    pub name: String,
    /// The unit, as on an axis: `s`, `m/s`; empty for counts and shares.
    pub unit: String,
    /// What it means, in a few words; may be empty.
    pub meaning: String,
}

impl Quantity {
    /// A quantity with a name, a unit and a meaning.
    pub fn new(name: impl Into<String>, unit: impl Into<String>, meaning: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into(), meaning: meaning.into() }
    }

    /// The name of its column in a table, which ends with the unit.
    ///
    /// ```
    /// use throng_model::Quantity;
    /// assert_eq!(Quantity::new("speed", "m/s", "").column(), "speed_m_per_s");
    /// assert_eq!(Quantity::new("arrived", "", "agents at their goals").column(), "arrived");
    /// ```
    pub fn column(&self) -> String {
        let unit = self.unit.replace('/', "_per_").replace('%', "percent").replace(' ', "_");
        if unit.is_empty() { self.name.clone() } else { format!("{}_{unit}", self.name) }
    }

    /// Whether both are the same quantity: equal names and units.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.name == other.name && self.unit == other.unit
    }

    /// The name and the unit, as on an axis: `speed, m/s`.
    pub fn title(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{}, {}", self.name, self.unit) }
    }
}

/// A summary figure of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What it is.
    pub quantity: Quantity,
    /// The value; NaN where the run has none, such as the mean of no trips.
    pub value: f64,
}

impl Figure {
    /// A figure; see [`Quantity::new`].
    pub fn new(
        name: impl Into<String>,
        unit: impl Into<String>,
        meaning: impl Into<String>,
        value: impl Into<f64>,
    ) -> Self {
        Self { quantity: Quantity::new(name, unit, meaning), value: value.into() }
    }
}

/// Values over the steps of a run, or over its days.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// What the rows are numbered by: a step, a day, a time.
    pub over: Quantity,
    /// The columns.
    pub quantities: Vec<Quantity>,
    /// The rows, in ascending order: a number, and a value for each column.
    pub rows: Vec<(f64, Vec<f64>)>,
}

/// What a run delivers to tables of many runs, such as those of a sweep. A model fills it in; of one that does not, the
/// numbers for the manifest are used.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measured {
    /// The state hash at the end, if the model has one.
    pub hash: Option<u64>,
    /// Summary figures.
    pub figures: Vec<Figure>,
    /// A series; without rows if the model has none.
    pub series: Series,
}

impl Measured {
    /// Whether the model delivers nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.hash.is_none() && self.figures.is_empty() && self.series.rows.is_empty()
    }

    /// The value of a figure, if there is one.
    pub(crate) fn figure(&self, wanted: &Quantity) -> Option<f64> {
        self.figures.iter().find(|figure| figure.quantity.is(wanted)).map(|figure| figure.value)
    }

    /// The numbers for the manifest, as far as they are single ones, and its `hash`.
    pub(crate) fn of_numbers(numbers: &Value) -> Self {
        let mut measured = Self::default();
        for (name, value) in numbers.as_object().into_iter().flatten() {
            match value {
                Value::Number(number) => {
                    let value = number.as_f64().unwrap_or(f64::NAN);
                    measured.figures.push(Figure::new(name, "", "", value));
                }
                Value::String(text) if name == "hash" => measured.hash = u64::from_str_radix(text, 16).ok(),
                _ => {}
            }
        }
        measured
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_of_a_manifest_are_figures() {
        let numbers = json!({ "games": 3, "hash": "00000000000000ff", "note": "x", "points": [1, 2], "mean_s": 0.5 });
        let measured = Measured::of_numbers(&numbers);
        let figures: Vec<_> = measured.figures.iter().map(|f| (f.quantity.column(), f.value)).collect();
        assert_eq!(figures, [("games".to_owned(), 3.0), ("mean_s".to_owned(), 0.5)]);
        assert_eq!(measured.hash, Some(255));
        assert!(Measured::of_numbers(&Value::Null).is_empty());
    }

    #[test]
    fn columns_end_with_their_unit() {
        let column = |unit: &str| Quantity::new("a", unit, "").column();
        assert_eq!(
            ["m", "%", "km/h", "persons a second"].map(column),
            ["a_m", "a_percent", "a_km_per_h", "a_persons_a_second"]
        );
        assert_eq!(Quantity::new("a", "km/h", "").title(), "a, km/h");
    }
}
