//! Random draws of the generator: their purposes and distributions.

use throng_core::Philox;

/// The purpose of a draw; together with the entity it makes the draw unique.
#[derive(Debug, Clone, Copy)]
#[repr(u32)]
pub(crate) enum Purpose {
    Centre = 1,
    Jitter,
    Demolition,
    OneWay,
    Detour,
    Split,
    Bridge,
    Motorway,
    School,
    Sample,
    Home,
    PlanKind,
    Mode,
    SecondTour,
    Destination,
    Spot,
    Time,
    Batch,
    Taste,
    LinkTaste,
    Day,
    Reconsider,
    Line,
    Count,
}

/// The draws of one entity, identified by two numbers (such as the two ends of a street, or a person and 0).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draws {
    philox: Philox,
    entity: (u32, u32),
}

impl Draws {
    pub(crate) fn new(philox: Philox, a: u32, b: u32) -> Self {
        Self { philox, entity: (a, b) }
    }

    /// Draws a number in `[0, 1)`.
    pub(crate) fn unit(self, purpose: Purpose, index: u32) -> f64 {
        self.philox.unit(self.entity.0, self.entity.1, purpose as u32, index)
    }

    /// Draws a number in `[low, high)`.
    pub(crate) fn between(self, purpose: Purpose, index: u32, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit(purpose, index)
    }

    /// Returns true with `probability`.
    pub(crate) fn chance(self, purpose: Purpose, index: u32, probability: f64) -> bool {
        self.unit(purpose, index) < probability
    }

    /// Draws a normally distributed number (Box-Muller), clamped at two and a half standard deviations, because the
    /// tails would put departures into the night.
    pub(crate) fn normal(self, purpose: Purpose, index: u32, mean: f64, deviation: f64) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - self.unit(purpose, 2 * index))).sqrt();
        let angle = std::f64::consts::TAU * self.unit(purpose, 2 * index + 1);
        mean + deviation * (radius * libm::cos(angle)).clamp(-2.5, 2.5)
    }

    /// Draws 64 random bits.
    pub(crate) fn word(self, purpose: Purpose, index: u32) -> u64 {
        let [a, b, ..] = self.philox.block([self.entity.0, self.entity.1, purpose as u32, index]);
        u64::from(a) << 32 | u64::from(b)
    }
}

/// Returns the prefix sums of weights, for draws in proportion to them.
pub(crate) fn running_sums(weights: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sum = 0.0;
    weights
        .map(|weight| {
            sum += weight;
            sum
        })
        .collect()
}

/// Returns the index of the entry selected by `unit` in `[0, 1)`; never an entry of weight 0, unless all are.
pub(crate) fn pick(running_sums: &[f64], unit: f64) -> usize {
    let total = running_sums.last().copied().unwrap_or(0.0);
    let at = unit * total;
    running_sums.partition_point(|&sum| sum <= at).min(running_sums.len().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_follow_the_weights() {
        let sums = running_sums([1.0, 0.0, 3.0].into_iter());
        assert_eq!(sums, [1.0, 1.0, 4.0]);
        assert_eq!([0.0, 0.24, 0.25, 0.99].map(|u| pick(&sums, u)), [0, 0, 2, 2]);
    }

    #[test]
    fn the_normal_draw_has_its_mean_and_deviation() {
        let n = 20_000;
        let draw = |i| Draws::new(Philox::new(5), i, 0).normal(Purpose::Time, 3, 100.0, 10.0);
        let mean = (0..n).map(draw).sum::<f64>() / f64::from(n);
        let variance = (0..n).map(|i| (draw(i) - mean) * (draw(i) - mean)).sum::<f64>() / f64::from(n);
        assert!((mean - 100.0).abs() < 0.3, "{mean}");
        // Clamping the tails at 2.5 deviations reduces the deviation by about 1.1 %.
        assert!((variance.sqrt() - 9.8).abs() < 0.2, "{}", variance.sqrt());
    }
}
