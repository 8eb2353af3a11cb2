//! Volumes of links by period, and the resulting travel times.

use super::periods::{PERIODS, hours, morning_peak};
use throng_traffic_scenario::Network;

/// Number of vehicles on each link in each period, for the whole population.
#[derive(Debug, Clone)]
pub(crate) struct Volumes {
    links: usize,
    /// Vehicles by period, then by link.
    vehicles: Vec<f32>,
}

/// Counts of one loading, by period, then by link.
pub(crate) type Counts = Vec<u32>;

impl Volumes {
    pub(crate) fn new(network: &Network) -> Self {
        Self { links: network.links(), vehicles: vec![0.0; network.links() * PERIODS] }
    }

    /// Moves the volumes towards `counts x scale` by the fraction `step`.
    pub(crate) fn average(&mut self, counts: &Counts, scale: f64, step: f64) {
        for (v, &count) in self.vehicles.iter_mut().zip(counts) {
            *v += ((f64::from(count) * scale - f64::from(*v)) * step) as f32;
        }
    }

    /// Adds `counts x scale`.
    pub(crate) fn add(&mut self, counts: &Counts, scale: f64) {
        for (v, &count) in self.vehicles.iter_mut().zip(counts) {
            *v += (f64::from(count) * scale) as f32;
        }
    }

    /// Subtracts `counts x scale`.
    pub(crate) fn subtract(&mut self, counts: &Counts, scale: f64) {
        self.add(counts, -scale);
    }

    /// Returns the sum of these volumes and a fraction of others.
    pub(crate) fn plus(&self, other: &Self, share: f64) -> Self {
        let vehicles = self.vehicles.iter().zip(&other.vehicles).map(|(a, b)| a + b * share as f32).collect();
        Self { links: self.links, vehicles }
    }

    fn ratio(&self, network: &Network, period: usize, link: usize) -> f64 {
        f64::from(self.vehicles[period * self.links + link]) / (network.capacity[link] * hours(period))
    }

    /// Returns the travel time on a link in a period, nanoseconds.
    pub(crate) fn cost_ns(&self, network: &Network, period: usize, link: usize) -> u64 {
        let free_s = network.length_m[link] / network.freespeed_mps[link];
        let seconds = congested_s(free_s, self.ratio(network, period, link), hours(period));
        ((seconds * 1e9).round() as u64).max(1)
    }

    /// Returns the traffic that these volumes imply.
    pub(crate) fn summary(&self, network: &Network) -> Congestion {
        let mut sum = Congestion::default();
        let (mut free, mut congested) = ([0.0, 0.0], [0.0, 0.0]);
        let mut full = 0;
        for link in 0..self.links {
            let free_s = network.length_m[link] / network.freespeed_mps[link];
            let mut peak: f64 = 0.0;
            for period in 0..PERIODS {
                let ratio = self.ratio(network, period, link);
                let vehicles = f64::from(self.vehicles[period * self.links + link]);
                let time_s = vehicles * congested_s(free_s, ratio, hours(period));
                free[0] += vehicles * free_s;
                congested[0] += time_s;
                if morning_peak(period) {
                    free[1] += vehicles * free_s;
                    congested[1] += time_s;
                    peak = peak.max(ratio);
                }
                sum.vehicle_km += vehicles * network.length_m[link] / 1000.0;
            }
            full += u32::from(peak > 0.9);
        }
        sum.delay_ratio = congested[0] / free[0].max(1.0);
        sum.morning_delay_ratio = congested[1] / free[1].max(1.0);
        sum.full_links = f64::from(full) / self.links as f64;
        sum
    }
}

/// Traffic as estimated by the assignment; the simulation may differ.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Congestion {
    /// Total distance driven, kilometres.
    pub vehicle_km: f64,
    /// Travel time divided by free-flow travel time, over the whole day.
    pub delay_ratio: f64,
    /// The same ratio from 06:45 to 08:15.
    pub morning_delay_ratio: f64,
    /// Fraction of links with more than nine tenths of their capacity in use in the morning peak.
    pub full_links: f64,
}

/// Fraction of its capacity that a link can use: traffic comes in bursts, and queues block the links behind them.
const USABLE: f64 = 0.85;

/// Returns the travel time at a ratio of volume to capacity over a period of `hours`: the function of the Bureau of
/// Public Roads, plus the mean wait in a queue that grows through the period once the usable capacity is exceeded.
fn congested_s(free_s: f64, ratio: f64, hours: f64) -> f64 {
    let load = ratio / USABLE;
    let queue_s = (load - 1.0).max(0.0) * hours * 3600.0 / 2.0;
    let square = load.min(1.5) * load.min(1.5);
    free_s * (1.0 + 0.5 * (square * square)) + queue_s
}

#[cfg(test)]
mod tests {
    use super::{USABLE, congested_s};

    #[test]
    fn times_grow_with_the_ratio() {
        assert_eq!(congested_s(100.0, 0.0, 1.0), 100.0);
        assert!((congested_s(100.0, USABLE, 1.0) - 150.0).abs() < 1e-9);
        // Ten percent above capacity for an hour: the last vehicle waits six minutes, the mean vehicle three.
        assert!((congested_s(0.0, 1.1 * USABLE, 1.0) - 180.0).abs() < 1e-9);
    }
}
