//! Travel times of links beyond those expected from their volumes.

use super::observed::{Observed, least_s};
use crate::assignment::{PERIODS, Volumes};
use throng_traffic_scenario::Network;

/// Smoothing weight of the newest day.
const NEWEST_DAY_WEIGHT: f64 = 0.5;

/// Maximum surcharge, seconds. In gridlock links take hours, which does not predict the next day.
const MAX_SURCHARGE_S: f64 = 600.0;

/// Seconds added to the times that follow from volumes, by period, then by link. Never negative: a day that was better
/// than expected from the volumes counts as chance.
pub(super) struct Surcharges {
    links: usize,
    seconds: Vec<f32>,
}

impl Surcharges {
    pub(super) fn new(network: &Network) -> Self {
        let links = network.links();
        Self { links, seconds: vec![0.0; links * PERIODS] }
    }

    /// Updates the surcharges from one day; links without traffic count as free-flowing.
    pub(super) fn learn(&mut self, network: &Network, day: &Observed, volumes: &Volumes) {
        for (at, surcharge) in self.seconds.iter_mut().enumerate() {
            let (period, link) = (at / self.links, at % self.links);
            let seen = day.mean_s(period, link).unwrap_or_else(|| f64::from(least_s(network, link)));
            let excess_s = (seen - volumes.cost_ns(network, period, link) as f64 / 1e9).clamp(0.0, MAX_SURCHARGE_S);
            *surcharge += ((excess_s - f64::from(*surcharge)) * NEWEST_DAY_WEIGHT) as f32;
        }
    }

    /// Returns the travel time on a link in a period, nanoseconds.
    pub(super) fn cost_ns(&self, network: &Network, volumes: &Volumes, period: usize, link: usize) -> u64 {
        let surcharge = f64::from(self.seconds[period * self.links + link]);
        volumes.cost_ns(network, period, link) + (surcharge * 1e9) as u64
    }
}
