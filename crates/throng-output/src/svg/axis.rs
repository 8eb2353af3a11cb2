//! Scales with round ticks.

/// What the numbers of an axis mean; determines where ticks are and how they are written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Unit {
    /// Numbers, with a unit that is written after the axis title.
    #[default]
    Number,
    /// Seconds of the day, written as `08:00`.
    TimeOfDay,
    /// Decimal logarithms, written as the original numbers: 3 as `1 000`.
    PowersOfTen,
}

/// A linear scale from data to pixels.
#[derive(Debug, Clone)]
pub struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    step: f64,
    /// Where ticks are.
    pub ticks: Vec<f64>,
    unit: Unit,
}

const TIME_STEPS_S: [f64; 10] = [60.0, 300.0, 900.0, 1800.0, 3600.0, 7200.0, 10_800.0, 14_400.0, 21_600.0, 43_200.0];

impl Scale {
    /// A scale for data between `low` and `high` onto the pixels `from..to`, with about `wanted` ticks.
    ///
    /// The range is widened to the ticks around it; see [`Scale::tight`].
    ///
    /// ```
    /// use throng_output::svg::{Scale, Unit};
    /// let scale = Scale::new(Unit::Number, (0.0, 930.0), (300.0, 0.0), 5);
    /// assert_eq!(scale.ticks, [0.0, 200.0, 400.0, 600.0, 800.0, 1000.0]);
    /// assert_eq!(scale.pixel(500.0), 150.0);
    /// ```
    pub fn new(unit: Unit, (low, high): (f64, f64), (from, to): (f64, f64), wanted: usize) -> Self {
        let tight = Self::tight(unit, (low, high), (from, to), wanted);
        let (first, last) = ((tight.low / tight.step).floor() as i64, (tight.high / tight.step - 1e-9).ceil() as i64);
        let ticks: Vec<f64> = (first..=last).map(|i| i as f64 * tight.step).collect();
        Self { low: first as f64 * tight.step, high: last as f64 * tight.step, ticks, ..tight }
    }

    /// Like [`Scale::new`], but keeps the range of the data, so that no empty hours are drawn.
    pub fn tight(unit: Unit, (low, high): (f64, f64), (from, to): (f64, f64), wanted: usize) -> Self {
        let (low, mut high) = if low.is_finite() && high.is_finite() { (low, high) } else { (0.0, 1.0) };
        if high <= low {
            high = low + 1.0;
        }
        let raw = (high - low) / wanted.max(1) as f64;
        let step = match unit {
            Unit::Number => round_step(raw),
            Unit::PowersOfTen => raw.ceil().max(1.0),
            Unit::TimeOfDay => {
                TIME_STEPS_S.into_iter().find(|&step| step >= raw).unwrap_or_else(|| (raw / 86_400.0).ceil() * 86_400.0)
            }
        };
        let (first, last) = ((low / step).floor() as i64, (high / step).ceil() as i64);
        let ticks = (first..=last).map(|i| i as f64 * step).filter(|t| (low..=high).contains(t)).collect();
        Self { low, high, from, to, step, ticks, unit }
    }

    /// Where `value` is drawn.
    pub fn pixel(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// How a tick is written.
    pub fn label(&self, tick: f64) -> String {
        match self.unit {
            Unit::Number => number(tick, self.step),
            Unit::PowersOfTen => {
                let power = libm::pow(10.0, tick);
                number(power, power)
            }
            Unit::TimeOfDay => {
                let minutes = (tick / 60.0).round() as i64;
                format!("{:02}:{:02}", minutes.div_euclid(60), minutes.rem_euclid(60))
            }
        }
    }
}

/// 1, 2 or 5 times a power of ten, at least `raw`.
fn round_step(raw: f64) -> f64 {
    let power = libm::pow(10.0, libm::log10(raw).floor());
    [1.0, 2.0, 5.0].into_iter().map(|m| m * power).find(|&step| step >= raw * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// A tick with as many decimals as its step needs and separated thousands.
fn number(value: f64, step: f64) -> String {
    let digits = if step >= 1.0 { 0 } else { (-libm::log10(step)).ceil() as usize };
    crate::html::grouped(value, digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let ticks = |low, high| Scale::new(Unit::Number, (low, high), (0.0, 1.0), 5).ticks;
        assert_eq!(ticks(0.0, 2.0), [0.0, 0.5, 1.0, 1.5, 2.0]);
        assert_eq!(ticks(0.0, 7.0), [0.0, 2.0, 4.0, 6.0, 8.0]);
        assert_eq!(ticks(-3.0, 12.0), [-5.0, 0.0, 5.0, 10.0, 15.0]);
        assert_eq!(ticks(5.0, 5.0).first(), Some(&5.0));
        assert_eq!(ticks(f64::NAN, f64::INFINITY).len(), 6);
    }

    #[test]
    fn times_keep_their_range() {
        let scale = Scale::tight(Unit::TimeOfDay, (21_000.0, 90_000.0), (0.0, 690.0), 8);
        assert_eq!(scale.ticks.first(), Some(&21_600.0));
        assert_eq!(scale.label(90_000.0), "25:00");
        assert_eq!(scale.pixel(31_000.0), 100.0);
    }

    #[test]
    fn labels_group_thousands() {
        let scale = Scale::new(Unit::Number, (0.0, 12_000.0), (0.0, 1.0), 5);
        assert_eq!(scale.label(10_000.0), "10\u{202f}000");
        let scale = Scale::new(Unit::Number, (0.0, 0.03), (0.0, 1.0), 5);
        assert_eq!(scale.label(0.02), "0.02");
        let scale = Scale::new(Unit::PowersOfTen, (0.0, 4.2), (0.0, 1.0), 5);
        assert_eq!(scale.ticks, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(scale.label(4.0), "10\u{202f}000");
        assert_eq!(scale.label(-1.0), "0.1");
    }
}
