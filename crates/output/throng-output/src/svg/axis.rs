//! Axes, and scales with round ticks.

/// Number format of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Notation {
    /// Plain numbers.
    #[default]
    Number,
    /// Whole numbers; ticks are at least 1 apart.
    Whole,
    /// Seconds of the day, shown as `08:00`.
    TimeOfDay,
    /// Decimal logarithms, shown as the original numbers: 3 as `1 000`.
    PowersOfTen,
}

/// An axis of a chart: title with unit, and number format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Axis {
    pub(super) title: String,
    pub(super) notation: Notation,
}

impl Axis {
    /// Creates an axis of numbers with a unit; `unit` is empty for dimensionless quantities.
    ///
    /// ```
    /// use throng_output::svg::Axis;
    /// assert_eq!(Axis::new("speed", "m/s").title(), "speed, m/s");
    /// assert_eq!(Axis::count("persons").title(), "persons");
    /// ```
    pub fn new(what: &str, unit: &str) -> Self {
        let title = if unit.is_empty() { what.to_owned() } else { format!("{what}, {unit}") };
        Self { title, notation: Notation::Number }
    }

    /// Creates an axis of whole numbers, for example of persons or steps.
    pub fn count(of_what: &str) -> Self {
        Self { title: of_what.to_owned(), notation: Notation::Whole }
    }

    /// Creates an axis of seconds of the day.
    pub fn time_of_day(what: &str) -> Self {
        Self { title: what.to_owned(), notation: Notation::TimeOfDay }
    }

    /// Shows the values as powers of ten: the data are decimal logarithms.
    pub fn in_powers_of_ten(self) -> Self {
        Self { notation: Notation::PowersOfTen, ..self }
    }

    /// Returns the title.
    pub fn title(&self) -> &str {
        &self.title
    }
}

/// A linear scale from data to pixels.
#[derive(Debug, Clone)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    step: f64,
    /// Tick positions, in data coordinates.
    pub ticks: Vec<f64>,
    notation: Notation,
}

const TIME_STEPS_S: [f64; 10] = [60.0, 300.0, 900.0, 1800.0, 3600.0, 7200.0, 10_800.0, 14_400.0, 21_600.0, 43_200.0];

impl Scale {
    /// Creates a scale for data between `low` and `high` with about `wanted` ticks. The range is extended to the next
    /// ticks; see [`Scale::tight`] for the alternative.
    pub fn new(notation: Notation, range: (f64, f64), wanted: usize) -> Self {
        let tight = Self::tight(notation, range, wanted);
        let (first, last) = ((tight.low / tight.step).floor() as i64, (tight.high / tight.step - 1e-9).ceil() as i64);
        let ticks: Vec<f64> = (first..=last).map(|i| i as f64 * tight.step).collect();
        Self { low: first as f64 * tight.step, high: last as f64 * tight.step, ticks, ..tight }
    }

    /// Like [`Scale::new`], but keeps the range of the data, so that no empty hours are drawn.
    pub fn tight(notation: Notation, (low, high): (f64, f64), wanted: usize) -> Self {
        let (low, mut high) = if low.is_finite() && high.is_finite() { (low, high) } else { (0.0, 1.0) };
        // Values too close together for a printable tick step are treated as equal.
        let least = low.abs().max(high.abs()) * 1e-7;
        if high - low <= least {
            high = low + (least * 1e3).max(1.0);
        }
        let raw = (high - low) / wanted.max(1) as f64;
        let step = match notation {
            Notation::Number => round_step(raw),
            Notation::Whole => round_step(raw).max(1.0),
            Notation::PowersOfTen => raw.ceil().max(1.0),
            Notation::TimeOfDay => {
                TIME_STEPS_S.into_iter().find(|&step| step >= raw).unwrap_or_else(|| (raw / 86_400.0).ceil() * 86_400.0)
            }
        };
        let (first, last) = ((low / step).floor() as i64, (high / step).ceil() as i64);
        let ticks = (first..=last).map(|i| i as f64 * step).filter(|t| (low..=high).contains(t)).collect();
        Self { low, high, from: 0.0, to: 1.0, step, ticks, notation }
    }

    /// Maps the scale onto a range of pixels.
    pub fn onto(self, [from, to]: [f64; 2]) -> Self {
        Self { from, to, ..self }
    }

    /// Returns the pixel coordinate of `value`.
    pub fn pixel(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Returns the label of a tick.
    pub fn label(&self, tick: f64) -> String {
        match self.notation {
            Notation::Number | Notation::Whole => number(tick, self.step),
            Notation::PowersOfTen => {
                let power = libm::pow(10.0, tick);
                number(power, power)
            }
            Notation::TimeOfDay => {
                let minutes = (tick / 60.0).round() as i64;
                format!("{:02}:{:02}", minutes.div_euclid(60), minutes.rem_euclid(60))
            }
        }
    }
}

/// Whether a number can be drawn: differences of larger numbers may overflow.
pub(super) fn is_drawable(value: f64) -> bool {
    value.abs() < 1e300
}

/// Returns 1, 2 or 5 times a power of ten, at least `raw`.
fn round_step(raw: f64) -> f64 {
    let power = libm::pow(10.0, libm::log10(raw).floor());
    [1.0, 2.0, 5.0].into_iter().map(|m| m * power).find(|&step| step >= raw * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// Formats a tick with as many decimals as its step requires and separated thousands, or in scientific notation if that
/// would be too long.
fn number(value: f64, step: f64) -> String {
    let decimals = if step >= 1.0 { 0 } else { (-libm::log10(step)).ceil() as usize };
    if value.abs() >= 1e9 || decimals > 6 {
        // As many digits as distinguish neighbouring ticks.
        let digits = if value == 0.0 { 0.0 } else { libm::log10(value.abs() / step).ceil().clamp(0.0, 9.0) };
        return format!("{value:.*e}", digits as usize).replace('-', "−");
    }
    crate::html::grouped(value, decimals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let ticks = |low, high| Scale::new(Notation::Number, (low, high), 5).ticks;
        assert_eq!(ticks(0.0, 2.0), [0.0, 0.5, 1.0, 1.5, 2.0]);
        assert_eq!(ticks(0.0, 7.0), [0.0, 2.0, 4.0, 6.0, 8.0]);
        assert_eq!(ticks(-3.0, 12.0), [-5.0, 0.0, 5.0, 10.0, 15.0]);
        assert_eq!(ticks(5.0, 5.0).first(), Some(&5.0));
        assert_eq!(Scale::new(Notation::Whole, (0.0, 2.0), 5).ticks, [0.0, 1.0, 2.0]);
        assert_eq!(ticks(f64::NAN, f64::INFINITY).len(), 6);
        let scale = Scale::new(Notation::Number, (0.0, 930.0), 5).onto([300.0, 0.0]);
        assert_eq!((scale.ticks.last(), scale.pixel(500.0)), (Some(&1000.0), 150.0));
    }

    #[test]
    fn times_keep_their_range() {
        let scale = Scale::tight(Notation::TimeOfDay, (21_000.0, 90_000.0), 8).onto([0.0, 690.0]);
        assert_eq!(scale.ticks.first(), Some(&21_600.0));
        assert_eq!(scale.label(90_000.0), "25:00");
        assert_eq!(scale.pixel(31_000.0), 100.0);
    }

    #[test]
    fn labels_group_thousands() {
        let scale = Scale::new(Notation::Number, (0.0, 12_000.0), 5);
        assert_eq!(scale.label(10_000.0), "10\u{202f}000");
        let scale = Scale::new(Notation::Number, (0.0, 0.03), 5);
        assert_eq!(scale.label(0.02), "0.02");
        let scale = Scale::new(Notation::PowersOfTen, (0.0, 4.2), 5);
        assert_eq!(scale.ticks, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(scale.label(4.0), "10\u{202f}000");
        assert_eq!(scale.label(-1.0), "0.1");
    }

    #[test]
    fn extreme_numbers_have_short_distinct_labels() {
        for range in [(0.0, 3e18), (-2e-9, 5e-9), (1e15, 1e15 + 10.0), (7e200, 7e200), (0.0, 9e299), (1e12, 1.001e12)] {
            let scale = Scale::new(Notation::Number, range, 5);
            let labels: std::collections::BTreeSet<String> =
                scale.ticks.iter().map(|&tick| scale.label(tick)).collect();
            assert!(labels.len() == scale.ticks.len() && labels.len() > 1, "{range:?}: {labels:?}");
            assert!(labels.iter().all(|label| label.chars().count() <= 15), "{labels:?}");
        }
    }
}
