//! Choice of destinations: attractive zones are chosen often, distant ones rarely.

use rayon::prelude::*;

use super::Kind;
use super::places::Places;

/// Makes nearby zones more attractive than the exponential alone would, so that the median trip is well below the mean.
const NEAR_M: f64 = 800.0;

/// Prefix sums of the probabilities of all destination zones, for each home zone.
#[derive(Debug)]
pub(crate) struct Gravity {
    zones: usize,
    sums: Vec<f32>,
}

impl Gravity {
    /// Computes probabilities proportional to weight x exp(-decay x distance) / (distance + 800 m)^1.5. The decay is
    /// chosen so that the mean beeline is `mean_m`, or as close to it as the city allows.
    pub(crate) fn new(places: &Places, kind: Kind, mean_m: f64) -> Self {
        // Mean distance falls as the decay grows, so bisection on the logarithm of the decay finds it.
        let (mut low, mut high) = (1e-7f64, 1e-2f64);
        for _ in 0..24 {
            let middle = (low * high).sqrt();
            if mean_distance(places, kind, middle) > mean_m {
                low = middle;
            } else {
                high = middle;
            }
        }
        let decay = (low * high).sqrt();
        let zones = places.zones.len();
        let rows: Vec<Vec<f32>> = (0..zones)
            .into_par_iter()
            .map(|from| {
                let mut sum = 0.0;
                let pull = |to| attraction_and_distance(places, kind, decay, from, to).0;
                (0..zones)
                    .map(|to| {
                        sum += pull(to);
                        sum as f32
                    })
                    .collect()
            })
            .collect();
        Self { zones, sums: rows.concat() }
    }

    /// Returns the destination zone selected by `unit` in `[0, 1)`, for a home in zone `from`.
    pub(crate) fn zone(&self, from: u32, unit: f64) -> u32 {
        let first = from as usize * self.zones;
        let sums = &self.sums[first..first + self.zones];
        let at = (unit * f64::from(sums[self.zones - 1])) as f32;
        sums.partition_point(|&sum| sum <= at).min(self.zones - 1) as u32
    }
}

/// Returns weight times deterrence, and the distance, metres.
fn attraction_and_distance(places: &Places, kind: Kind, decay: f64, from: usize, to: usize) -> (f64, f64) {
    let distance = places.distance(from, to);
    let far = distance + NEAR_M;
    (places.zones[to].weight(kind) * libm::exp(-decay * distance) / (far * far.sqrt()), distance)
}

/// Estimates the mean beeline of all trips from home, metres, from a sample of home zones.
fn mean_distance(places: &Places, kind: Kind, decay: f64) -> f64 {
    let zones = places.zones.len();
    let sample = zones.min(400);
    // Summed in the order of the zones, so that the result does not depend on the threads.
    let parts: Vec<(f64, f64)> = (0..sample)
        .into_par_iter()
        .map(|i| {
            let from = i * zones / sample;
            let (mut weight, mut metres) = (0.0, 0.0);
            for to in 0..zones {
                let (w, d) = attraction_and_distance(places, kind, decay, from, to);
                weight += w;
                metres += w * d;
            }
            (places.zones[from].weight(Kind::Home), metres / weight.max(f64::MIN_POSITIVE))
        })
        .collect();
    let homes: f64 = parts.iter().map(|p| p.0).sum();
    parts.iter().map(|p| p.0 * p.1).sum::<f64>() / homes.max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::CityOptions;
    use crate::streets::build;
    use throng_core::Philox;
    use throng_traffic_scenario::ModeId;

    #[test]
    fn the_mean_distance_is_met() {
        let options = CityOptions { links: 8000, ..CityOptions::default() };
        let streets = build(&options, ModeId(0));
        let places = Places::new(&streets, Philox::new(1));
        let gravity = Gravity::new(&places, Kind::Work, 3000.0);
        let (mut metres, mut n) = (0.0, 0u32);
        let draws = Philox::new(2);
        for i in 0..20_000 {
            let from = places.home_zone(draws.unit(i, 0, 0, 0));
            let to = gravity.zone(from, draws.unit(i, 0, 0, 1));
            metres += places.distance(from as usize, to as usize);
            n += 1;
        }
        let mean = metres / f64::from(n);
        assert!((mean / 3000.0 - 1.0).abs() < 0.05, "{mean}");
    }
}
