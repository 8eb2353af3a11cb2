//! Observations of a simulated day: travel times of links, and congestion of the city.

use std::ops::Range;

use throng_core::NONE;

use crate::assignment::{PERIODS, period_of};
use throng_traffic_scenario::RunStats;
use throng_traffic_scenario::events::{Event, EventKind, EventSink, SinkError};
use throng_traffic_scenario::{Network, Scenario};

/// The morning peak, seconds of the day, followed by the length of the bins in which its volumes are counted.
const MORNING_S: Range<u32> = 25_200..30_600;
const BIN_S: u32 = 900;
const BINS: usize = ((MORNING_S.end - MORNING_S.start) / BIN_S) as usize;

/// A simulated day of the city.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Day {
    /// Fraction of the persons of the city, or of its sample, that was simulated. The capacities were scaled
    /// accordingly.
    pub share: f64,
    /// Travel time of all trips that arrived, divided by that of the same routes in an empty city.
    pub delay_ratio: f64,
    /// The same ratio for the trips that begin from 07:00 to 08:30.
    pub morning_delay_ratio: f64,
    /// Fraction of links with more than nine tenths of their capacity in use in a quarter of an hour from 07:00 to
    /// 08:30.
    pub full_links: f64,
    /// Number of vehicles pushed onto full links, per trip by car.
    pub pushes_per_trip: f64,
    /// The last arrival by car, seconds of the day.
    pub last_arrival_s: f64,
}

/// Actual travel times, and travel times without other traffic, seconds.
#[derive(Debug, Clone, Copy, Default)]
struct Times {
    taken: u64,
    free: u64,
}

impl Times {
    fn add(&mut self, taken: u32, free: u32) {
        self.taken += u64::from(taken);
        self.free += u64::from(free);
    }

    fn ratio(self) -> f64 {
        if self.free == 0 { 1.0 } else { self.taken as f64 / self.free as f64 }
    }
}

/// A vehicle under way.
#[derive(Debug, Clone, Copy)]
struct Drive {
    began: u32,
    /// Time at which it entered its current link; [`NONE`] on the first link, because the trip begins at its end.
    entered: u32,
    /// Travel time of the links so far without other traffic, seconds.
    free: u32,
}

/// Observes a day. All sums are integers, so they do not depend on the order of events in a step.
pub(super) struct Observed {
    share: f64,
    /// Factor by which the capacities are scaled.
    factor: f64,
    least_s: Vec<u32>,
    drives: Vec<Drive>,
    /// Total seconds on links, and number of vehicles that left them, by the period in which they entered; by period,
    /// then by link.
    seconds: Vec<u64>,
    vehicles: Vec<u32>,
    /// Number of vehicles that left each link in the morning peak, by bin, then by link.
    morning: Vec<u32>,
    trips: u64,
    all: Times,
    of_morning: Times,
    last_arrival_s: u32,
    pushes: u64,
}

impl Observed {
    /// Prepares a day on which the fraction `share` of the persons is simulated.
    pub(super) fn new(scenario: &Scenario, share: f64) -> Self {
        let network = &scenario.network;
        let links = network.links();
        let drive = Drive { began: 0, entered: NONE, free: 0 };
        Self {
            share,
            factor: scenario.settings.qsim.flow_capacity_factor,
            least_s: (0..links).map(|link| least_s(network, link)).collect(),
            drives: vec![drive; scenario.vehicles.ids.len()],
            seconds: vec![0; links * PERIODS],
            vehicles: vec![0; links * PERIODS],
            morning: vec![0; links * BINS],
            trips: 0,
            all: Times::default(),
            of_morning: Times::default(),
            last_arrival_s: 0,
            pushes: 0,
        }
    }

    /// Takes the counters of the day after its end.
    pub(super) fn finish(&mut self, stats: &RunStats) {
        self.pushes = stats.stuck_pushed;
    }

    /// Returns the mean time on a link of the vehicles that entered it in a period, seconds; `None` if there were none.
    pub(super) fn mean_s(&self, period: usize, link: usize) -> Option<f64> {
        let at = period * self.least_s.len() + link;
        (self.vehicles[at] > 0).then(|| self.seconds[at] as f64 / f64::from(self.vehicles[at]))
    }

    /// Returns the number of vehicles that left links which they had entered; each vehicle counts once per link.
    #[cfg(test)]
    pub(super) fn vehicles_on_links(&self) -> u64 {
        self.vehicles.iter().map(|&vehicles| u64::from(vehicles)).sum()
    }

    /// Returns the figures of the day.
    pub(super) fn day(&self, network: &Network) -> Day {
        let links = self.least_s.len();
        let full = |link: &usize| {
            let busiest = (0..BINS).map(|bin| self.morning[bin * links + link]).max().unwrap_or(0);
            let hourly = f64::from(busiest) * 3600.0 / f64::from(BIN_S);
            hourly > 0.9 * network.capacity[*link] * self.factor
        };
        Day {
            share: self.share,
            delay_ratio: self.all.ratio(),
            morning_delay_ratio: self.of_morning.ratio(),
            full_links: (0..links).filter(full).count() as f64 / links.max(1) as f64,
            pushes_per_trip: self.pushes as f64 / self.trips.max(1) as f64,
            last_arrival_s: f64::from(self.last_arrival_s),
        }
    }

    /// Handles a vehicle that continues to the next link or has reached its destination.
    fn left(&mut self, event: &Event, time: u32) {
        let (link, links) = (event.link as usize, self.least_s.len());
        let drive = &mut self.drives[event.detail as usize];
        let entered = std::mem::replace(&mut drive.entered, NONE);
        if entered != NONE {
            let at = usize::from(period_of(f64::from(entered))) * links + link;
            self.seconds[at] += u64::from(time - entered);
            self.vehicles[at] += 1;
            drive.free += self.least_s[link];
        }
    }

    fn arrived(&mut self, vehicle: u32, time: u32) {
        let Drive { began, free, .. } = self.drives[vehicle as usize];
        self.trips += 1;
        self.all.add(time - began, free);
        if MORNING_S.contains(&began) {
            self.of_morning.add(time - began, free);
        }
        self.last_arrival_s = time;
    }
}

impl EventSink for Observed {
    fn step(&mut self, time: f64, events: &[Event]) -> Result<(), SinkError> {
        let time = time as u32;
        let bin = MORNING_S.contains(&time).then(|| ((time - MORNING_S.start) / BIN_S) as usize * self.least_s.len());
        for event in events {
            match event.kind {
                // `free` starts at 0: one second to enter the road, minus the second that the node after the last link
                // would take.
                EventKind::PersonEntersVehicle => {
                    self.drives[event.detail as usize] = Drive { began: time, entered: NONE, free: 0 };
                }
                EventKind::EnteredLink => self.drives[event.detail as usize].entered = time,
                EventKind::LeftLink => {
                    self.left(event, time);
                    if let Some(bin) = bin {
                        self.morning[bin + event.link as usize] += 1;
                    }
                }
                EventKind::VehicleLeavesTraffic => {
                    self.left(event, time);
                    self.arrived(event.detail, time);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Returns the travel time on a link without other traffic, seconds: whole steps, plus one for the node after it.
pub(super) fn least_s(network: &Network, link: usize) -> u32 {
    (network.length_m[link] / network.freespeed_mps[link]).floor() as u32 + 1
}
