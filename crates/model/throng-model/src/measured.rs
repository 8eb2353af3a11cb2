//! The measurements of a run: summary figures, and series over its steps.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng_core::clock;
use throng_output::html::grouped;
use throng_output::svg::Axis;

/// Type of the values of a quantity, which determines rounding and notation for readers. Machine-readable files contain
/// all digits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuantityKind {
    /// A count: `1 200`.
    Count,
    /// A fraction from 0 to 1, shown as a percentage: `98.4 %`.
    Fraction,
    /// A bounded index, such as a Gini coefficient: `0.318`.
    Index,
    /// Seconds of the day: `08:15:00`.
    TimeOfDay,
    /// A length, duration, speed, mean or other real number, shown with three significant digits, or more if it has
    /// more before the decimal point.
    #[default]
    Real,
}

/// A measured quantity. It defines the names in files and for readers, the unit and the notation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quantity {
    /// Name in files: `mean_trip`.
    pub name: Cow<'static, str>,
    /// Name for readers, in lower case: `mean travel time`.
    #[serde(default)]
    pub label: Cow<'static, str>,
    /// Unit, as on an axis: `s`, `m/s`; empty for dimensionless quantities.
    pub unit: Cow<'static, str>,
    /// Type of the values.
    #[serde(default)]
    pub kind: QuantityKind,
    /// Meaning in a few words; may be empty.
    pub meaning: Cow<'static, str>,
}

impl Quantity {
    /// Creates a quantity of real numbers with a unit.
    pub const fn real(name: &'static str, label: &'static str, unit: &'static str, meaning: &'static str) -> Self {
        Self::of_kind(QuantityKind::Real, name, label, unit, meaning)
    }

    /// Creates a count.
    pub const fn count(name: &'static str, label: &'static str, meaning: &'static str) -> Self {
        Self::of_kind(QuantityKind::Count, name, label, "", meaning)
    }

    /// Creates a fraction from 0 to 1.
    pub const fn fraction(name: &'static str, label: &'static str, meaning: &'static str) -> Self {
        Self::of_kind(QuantityKind::Fraction, name, label, "", meaning)
    }

    /// Creates a bounded index.
    pub const fn index(name: &'static str, label: &'static str, meaning: &'static str) -> Self {
        Self::of_kind(QuantityKind::Index, name, label, "", meaning)
    }

    /// Creates a quantity in seconds of the day.
    pub const fn time_of_day(name: &'static str, label: &'static str, meaning: &'static str) -> Self {
        Self::of_kind(QuantityKind::TimeOfDay, name, label, "s", meaning)
    }

    const fn of_kind(
        kind: QuantityKind,
        name: &'static str,
        label: &'static str,
        unit: &'static str,
        meaning: &'static str,
    ) -> Self {
        let [name, label, unit, meaning] =
            [Cow::Borrowed(name), Cow::Borrowed(label), Cow::Borrowed(unit), Cow::Borrowed(meaning)];
        Self { name, label, unit, kind, meaning }
    }

    /// Returns the column name in tables, which ends with the unit.
    ///
    /// ```
    /// use throng_model::Quantity;
    /// assert_eq!(Quantity::real("speed", "mean speed", "m/s", "").column(), "speed_m_per_s");
    /// assert_eq!(Quantity::count("arrived", "agents at their goals", "").column(), "arrived");
    /// ```
    pub fn column(&self) -> String {
        let unit = self.unit.replace('/', "_per_").replace('%', "percent").replace(' ', "_");
        if unit.is_empty() { self.name.to_string() } else { format!("{}_{unit}", self.name) }
    }

    /// Whether both are the same quantity: same name and unit.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.name == other.name && self.unit == other.unit
    }

    /// Returns the name for readers.
    pub fn label(&self) -> &str {
        if self.label.is_empty() { &self.name } else { &self.label }
    }

    /// Returns the label with a capital letter, for headings.
    pub fn heading(&self) -> String {
        let mut letters = self.label().chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
    }

    /// Returns the axis of a chart of its [plotted](Quantity::plotted) values.
    ///
    /// ```
    /// use throng_model::Quantity;
    /// assert_eq!(Quantity::real("speed", "mean speed", "m/s", "").axis().title(), "mean speed, m/s");
    /// assert_eq!(Quantity::fraction("accepted", "wishes granted", "").axis().title(), "wishes granted, %");
    /// ```
    pub fn axis(&self) -> Axis {
        match self.kind {
            QuantityKind::Count if self.unit.is_empty() => Axis::count(self.label()),
            QuantityKind::Count => Axis::count(&format!("{}, {}", self.label(), self.unit)),
            QuantityKind::Fraction => Axis::new(self.label(), "%"),
            QuantityKind::TimeOfDay => Axis::time_of_day(self.label()),
            QuantityKind::Index | QuantityKind::Real => Axis::new(self.label(), &self.unit),
        }
    }

    /// Returns a value for [the axis](Quantity::axis): fractions become percentages.
    pub fn plotted(&self, value: f64) -> f64 {
        if self.kind == QuantityKind::Fraction { 100.0 * value } else { value }
    }

    /// Formats a value for readers, rounded according to its type, without the unit; for table columns with the unit in
    /// the heading.
    pub fn number(&self, value: f64) -> String {
        match self.kind {
            _ if !value.is_finite() => grouped(value, 0),
            // Quantiles of counts, such as a median, may be fractional.
            QuantityKind::Count => grouped(value, usize::from(value != value.round() && value.abs() < 1000.0)),
            QuantityKind::Fraction => grouped(100.0 * value, 1),
            QuantityKind::Index => grouped(value, 3),
            QuantityKind::TimeOfDay => clock::format(value.round()),
            QuantityKind::Real => three_digits(value),
        }
    }

    /// Formats a value for readers, with its unit.
    ///
    /// ```
    /// use throng_model::Quantity;
    /// assert_eq!(Quantity::count("left", "persons who have left", "").text(1200.0), "1\u{202f}200");
    /// assert_eq!(Quantity::fraction("accepted", "wishes granted", "").text(0.98432), "98.4 %");
    /// assert_eq!(Quantity::real("gap", "smallest gap", "m", "").text(0.132_46), "0.132 m");
    /// assert_eq!(Quantity::time_of_day("last", "last event", "").text(29_700.0), "08:15:00");
    /// ```
    pub fn text(&self, value: f64) -> String {
        let unit = match self.kind {
            _ if !value.is_finite() => "",
            QuantityKind::Fraction => "%",
            QuantityKind::TimeOfDay => "",
            _ => &self.unit,
        };
        format!("{} {unit}", self.number(value)).trim_end().to_owned()
    }

    /// Like [`Quantity::text`], with the number in ASCII; for terminals, and for programs that parse their output.
    pub fn plain(&self, value: f64) -> String {
        self.text(value).replace('\u{202f}', "").replace(['−', '–'], "-")
    }
}

/// Formats at least three significant digits, and all digits before the decimal point; very large or small numbers in
/// scientific notation.
fn three_digits(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-4..1e12).contains(&size) => format!("{value:.2e}").replace('-', "−"),
        size => grouped(value, (2.0 - libm::log10(size).floor()).clamp(0.0, 6.0) as usize),
    }
}

/// A summary figure of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The measured quantity.
    pub quantity: Quantity,
    /// The value; NaN if the run has none, such as the mean over no trips.
    pub value: f64,
}

impl Figure {
    /// Creates a figure.
    pub fn new(quantity: Quantity, value: impl Into<f64>) -> Self {
        Self { quantity, value: value.into() }
    }
}

/// Values over the steps or days of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// Quantity that numbers the rows: a step, a day, a time.
    pub over: Quantity,
    /// Column quantities.
    pub quantities: Vec<Quantity>,
    /// Rows in ascending order: the row number, and a value per column.
    pub rows: Vec<(f64, Vec<f64>)>,
}

/// The measurements that a run contributes to tables of many runs, such as the tables of a sweep. If a model provides
/// none, the numbers of the manifest are used.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measured {
    /// Final state hash, if the model has one.
    pub hash: Option<u64>,
    /// Summary figures.
    pub figures: Vec<Figure>,
    /// Series; without rows if the model has none.
    pub series: Series,
}

impl Measured {
    /// Whether the model provides no measurements.
    pub(crate) fn is_empty(&self) -> bool {
        self.hash.is_none() && self.figures.is_empty() && self.series.rows.is_empty()
    }

    /// Returns the value of a figure, if it exists.
    pub(crate) fn figure(&self, wanted: &Quantity) -> Option<f64> {
        self.figures.iter().find(|figure| figure.quantity.is(wanted)).map(|figure| figure.value)
    }

    /// Creates figures from the scalar numbers of the manifest, and reads its `hash`.
    pub(crate) fn of_numbers(numbers: &Value) -> Self {
        let mut measured = Self::default();
        for (name, value) in numbers.as_object().into_iter().flatten() {
            match value {
                Value::Number(number) => {
                    let value = number.as_f64().unwrap_or(f64::NAN);
                    let kind = if number.is_f64() { QuantityKind::Real } else { QuantityKind::Count };
                    let (name, label) = (name.clone().into(), name.replace('_', " ").into());
                    measured.figures.push(Figure::new(Quantity { name, label, kind, ..Quantity::default() }, value));
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
    fn numbers_of_a_manifest_become_figures() {
        let numbers = json!({ "games": 3, "hash": "00000000000000ff", "note": "x", "points": [1, 2], "mean_s": 0.5 });
        let measured = Measured::of_numbers(&numbers);
        let figures: Vec<_> = measured.figures.iter().map(|f| (f.quantity.column(), f.value)).collect();
        assert_eq!(figures, [("games".to_owned(), 3.0), ("mean_s".to_owned(), 0.5)]);
        assert_eq!(measured.hash, Some(255));
        assert!(Measured::of_numbers(&Value::Null).is_empty());
    }

    #[test]
    fn columns_end_with_their_unit() {
        let column = |unit: &'static str| Quantity::real("a", "b", unit, "").column();
        assert_eq!(
            ["m", "%", "km/h", "persons a second"].map(column),
            ["a_m", "a_percent", "a_km_per_h", "a_persons_a_second"]
        );
    }

    #[test]
    fn values_are_rounded_by_their_kind() {
        let kinds = [
            QuantityKind::Count,
            QuantityKind::Fraction,
            QuantityKind::Index,
            QuantityKind::TimeOfDay,
            QuantityKind::Real,
        ];
        let texts =
            |value: f64| kinds.map(|kind| Quantity { kind, unit: "x".into(), ..Quantity::default() }.text(value));
        assert_eq!(texts(0.5), ["0.5 x", "50.0 %", "0.500 x", "00:00:01", "0.500 x"]);
        let count = Quantity::count("left", "persons who have left", "");
        assert_eq!([1200.0, -3.0, f64::NAN].map(|value| count.plain(value)), ["1200", "-3", "-"]);
        assert_eq!(texts(f64::NAN), ["–"; 5]);
        let real = [0.0, -0.012_345, 1.0, 63.52, 1234.56, 5e13, 3e-9].map(three_digits);
        assert_eq!(real, ["0", "−0.0123", "1.00", "63.5", "1\u{202f}235", "5.00e13", "3.00e−9"]);
    }

    #[test]
    fn the_default_label_of_a_quantity_is_its_name() {
        let quantity = Quantity { name: "gap_10".into(), ..Quantity::default() };
        assert_eq!((quantity.label(), quantity.heading()), ("gap_10", "Gap_10".to_owned()));
        let stored: Quantity = serde_json::from_str(r#"{"name":"a","unit":"m","meaning":""}"#).unwrap();
        assert_eq!(stored, Quantity { name: "a".into(), unit: "m".into(), ..Quantity::default() });
    }
}
