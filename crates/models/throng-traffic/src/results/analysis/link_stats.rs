//! Volumes and mean speeds per link and time bin, and the speed of the whole network.

use std::sync::Arc;

use throng_output::table::{Column, ColumnKind, Schema};
use throng_output::{Codec, OutputError, ParquetFile, RunFolder, TextFile, WrittenFile, csv};

use super::bins::Bins;
use throng_queue::rules::link_speed::travel_time;
use throng_traffic_scenario::events::{Event, EventKind};
use throng_traffic_scenario::volumes::bin_of;
use throng_traffic_scenario::{AtStop, Scenario};

/// Width of the bins of the network's mean speed, seconds.
pub const SPEED_BIN_S: f64 = 300.0;

/// Marks a vehicle that has not entered its current link from upstream.
const NOT_TIMED: f64 = f64::NAN;

/// Distance and time of the link traversals that ended in a bin.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Travel {
    /// Metres.
    pub distance_m: f64,
    /// Seconds.
    pub time_s: f64,
}

impl Travel {
    /// Returns the mean speed in km/h; NaN if no vehicle moved.
    pub fn speed_kmh(self) -> f64 {
        if self.time_s > 0.0 { self.distance_m / self.time_s * 3.6 } else { f64::NAN }
    }
}

/// Traffic on one link, in a bin or over the day.
#[derive(Debug, Clone, Copy, Default)]
struct LinkCounts {
    /// Number of vehicles that left at the downstream end.
    volume: u32,
    /// Number of those vehicles that had entered at the upstream end, so that their travel time is known.
    timed: u32,
    /// Total travel time of the timed vehicles, seconds.
    time_s: f64,
}

/// A link with much traffic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BusyLink {
    /// Link index.
    pub link: u32,
    /// Number of vehicles over the day.
    pub volume: u32,
    /// Number of vehicles in the busiest bin.
    pub peak_volume: u32,
    /// Start of that bin, seconds of the day.
    pub peak_time: f64,
    /// Mean speed over the day, km/h; NaN if unknown.
    pub speed_kmh: f64,
    /// The bin with the lowest mean speed; `None` if no vehicle traversed the whole link.
    pub slowest: Option<SlowestBin>,
}

/// The time bin in which a link was slowest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlowestBin {
    /// Start of the bin, seconds of the day.
    pub time: f64,
    /// Mean speed in the bin, km/h.
    pub speed_kmh: f64,
}

/// The lowest mean speed of a link in any bin.
#[derive(Debug, Clone, Copy)]
struct Slowest {
    /// Mean speed as a fraction of that of an unobstructed vehicle; infinite if no vehicle was timed.
    fraction: f32,
    /// Index of the bin.
    bin: i64,
    /// Mean travel time in the bin, seconds.
    time_s: f32,
}

/// Counts vehicles and travel times. Each bin is written to disk when it is over.
///
/// A vehicle counts in the bin in which it leaves a link for the next one; arrivals on a link do not count, as in
/// MATSim's link volumes. Its travel time runs from entering to leaving; the first link of a trip is not timed.
#[derive(Debug)]
pub struct LinkStats {
    scenario: Arc<Scenario>,
    bin_s: f64,
    bin: i64,
    now: Vec<LinkCounts>,
    day: Vec<LinkCounts>,
    /// Volume and index of the busiest bin of each link.
    peak: Vec<(u32, i64)>,
    /// Whether each link had any vehicle, under way or only departing.
    used: Vec<bool>,
    entered: Vec<f64>,
    slowest: Vec<Slowest>,
    network: Bins<Travel>,
    /// Length of traversals that ended at a stop, metres: their times are not known.
    to_stops_m: f64,
    csv: TextFile,
    parquet: ParquetFile,
}

impl LinkStats {
    /// Begins `link_stats.csv` and `link_stats.parquet`.
    ///
    /// # Errors
    /// If a file cannot be created.
    pub fn create(scenario: &Arc<Scenario>, folder: &RunFolder, codec: Codec) -> Result<Self, OutputError> {
        let schema = Schema::new()
            .required("time_start", ColumnKind::Float64)
            .required("time_end", ColumnKind::Float64)
            .required("link", ColumnKind::Text)
            .required("volume", ColumnKind::UInt32)
            .optional("mean_travel_time_s", ColumnKind::Float64)
            .optional("mean_speed_kmh", ColumnKind::Float64)
            .required("traversals", ColumnKind::UInt32);
        let mut csv = TextFile::create(folder, "link_stats.csv", codec)?;
        csv::push_header(
            csv.text(),
            &[
                "time_start",
                "time_start_s",
                "time_end",
                "time_end_s",
                "link",
                "volume",
                "mean_travel_time_s",
                "mean_speed_kmh",
                "traversals",
            ],
        );
        let links = scenario.network.links();
        Ok(Self {
            scenario: Arc::clone(scenario),
            bin_s: scenario.settings.travel_time_calculator.length_of_bins_s(),
            bin: i64::MIN,
            now: vec![LinkCounts::default(); links],
            day: vec![LinkCounts::default(); links],
            peak: vec![(0, 0); links],
            used: vec![false; links],
            entered: vec![NOT_TIMED; scenario.vehicles.ids.len()],
            slowest: vec![Slowest { fraction: f32::INFINITY, bin: 0, time_s: 0.0 }; links],
            network: Bins::new(SPEED_BIN_S),
            to_stops_m: 0.0,
            csv,
            parquet: ParquetFile::create(folder, "link_stats.parquet", &schema)?,
        })
    }

    /// Begins a step.
    ///
    /// # Errors
    /// If the previous bin cannot be written.
    pub fn begin_step(&mut self, time: f64) -> Result<(), OutputError> {
        let bin = bin_of(time, self.bin_s);
        if bin > self.bin {
            self.end_bin()?;
            self.bin = bin;
        }
        Ok(())
    }

    /// Counts an event of the step at `time`.
    pub fn take(&mut self, time: f64, e: &Event) {
        match e.kind {
            EventKind::EnteredLink => {
                self.set_used(e.link);
                self.set_entered(e.detail, time);
            }
            // A vehicle may be aborted while it waits to enter traffic.
            EventKind::VehicleEntersTraffic | EventKind::VehicleAborts => {
                self.set_used(e.link);
                self.set_entered(e.detail, NOT_TIMED);
            }
            EventKind::LeftLink => {
                let travel_time = self.travelled(time, e);
                if let Some(counts) = self.now.get_mut(e.link as usize) {
                    counts.volume += 1;
                    if let Some(travel_time) = travel_time {
                        counts.timed += 1;
                        counts.time_s += travel_time;
                    }
                }
            }
            EventKind::VehicleLeavesTraffic => {
                self.travelled(time, e);
                self.set_entered(e.detail, NOT_TIMED);
            }
            // The time at a stop is no travel time of the link.
            EventKind::VehicleArrivesAtFacility => {
                let Some(AtStop { vehicle, stop, .. }) = self.scenario.at_stop(e, time) else { return };
                if self.entered.get(vehicle as usize).is_some_and(|entered| !entered.is_nan()) {
                    let link = self.scenario.transit.stops.link[stop as usize] as usize;
                    self.to_stops_m += self.scenario.network.length_m.get(link).copied().unwrap_or(0.0);
                }
                self.set_entered(vehicle, NOT_TIMED);
            }
            _ => {}
        }
    }

    fn set_used(&mut self, link: u32) {
        if let Some(used) = self.used.get_mut(link as usize) {
            *used = true;
        }
    }

    fn set_entered(&mut self, vehicle: u32, time: f64) {
        if let Some(entered) = self.entered.get_mut(vehicle as usize) {
            *entered = time;
        }
    }

    /// Adds the traversal that ends now to the network's travel. Returns its time, seconds, if known.
    fn travelled(&mut self, time: f64, e: &Event) -> Option<f64> {
        let entered = self.entered.get(e.detail as usize).copied().filter(|t| !t.is_nan())?;
        let length = self.scenario.network.length_m.get(e.link as usize)?;
        let travel = self.network.at(time);
        travel.distance_m += length;
        travel.time_s += time - entered;
        Some(time - entered)
    }

    fn end_bin(&mut self) -> Result<(), OutputError> {
        let network = &self.scenario.network;
        let (start, end) = (self.bin as f64 * self.bin_s, (self.bin + 1) as f64 * self.bin_s);
        let (mut links, mut volumes, mut times, mut speeds) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut traversals = Vec::new();
        for (link, counts) in self.now.iter_mut().enumerate().filter(|(_, counts)| counts.volume > 0) {
            let mean = (counts.timed > 0).then(|| counts.time_s / f64::from(counts.timed));
            let speed = mean.filter(|&t| t > 0.0).map(|t| network.length_m[link] / t * 3.6);
            let name = network.link_ids.name(link as u32);
            csv::Row::new(self.csv.text())
                .time(start)
                .seconds(start)
                .time(end)
                .seconds(end)
                .text(name)
                .integer(i64::from(counts.volume))
                .decimal(mean.unwrap_or(f64::NAN), 1)
                .decimal(speed.unwrap_or(f64::NAN), 2)
                .integer(i64::from(counts.timed))
                .end();
            if let Some(mean) = mean {
                let free = free_time(
                    network.length_m[link],
                    network.freespeed_mps[link],
                    self.scenario.settings.qsim.time_step_s,
                );
                let fraction = (free / mean) as f32;
                // Ties go to the earlier bin.
                if fraction < self.slowest[link].fraction {
                    self.slowest[link] = Slowest { fraction, bin: self.bin, time_s: mean as f32 };
                }
            }
            links.push(link as u32);
            volumes.push(counts.volume);
            times.push(mean);
            speeds.push(speed);
            traversals.push(counts.timed);

            let day = &mut self.day[link];
            day.volume += counts.volume;
            day.timed += counts.timed;
            day.time_s += counts.time_s;
            if counts.volume > self.peak[link].0 {
                self.peak[link] = (counts.volume, self.bin);
            }
            *counts = LinkCounts::default();
        }
        if volumes.is_empty() {
            return Ok(());
        }
        let rows = volumes.len();
        self.csv.flush_full()?;
        self.parquet.write(&[
            Column::required(std::iter::repeat_n(start, rows)),
            Column::required(std::iter::repeat_n(end, rows)),
            Column::names(links, &network.link_ids),
            Column::required(volumes),
            Column::optional(times),
            Column::optional(speeds),
            Column::required(traversals),
        ])
    }

    /// Writes the last bin and completes the files.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(mut self) -> Result<(LinkDay, Vec<WrittenFile>), OutputError> {
        self.end_bin()?;
        let files = vec![self.csv.finish()?, self.parquet.finish()?];
        let day = LinkDay {
            scenario: self.scenario,
            bin_s: self.bin_s,
            day: self.day,
            peak: self.peak,
            used: self.used,
            slowest: self.slowest,
            network: self.network,
            to_stops_m: self.to_stops_m,
        };
        Ok((day, files))
    }
}

/// Returns the travel time of an unobstructed vehicle, seconds: rounded to steps, plus the step in which it crosses the
/// node. On short links this is much longer than length over speed.
fn free_time(length_m: f64, freespeed_mps: f64, step_s: f64) -> f64 {
    travel_time(length_m, freespeed_mps, f64::INFINITY, step_s) + step_s
}

/// Link statistics of the whole day.
#[derive(Debug)]
pub struct LinkDay {
    scenario: Arc<Scenario>,
    bin_s: f64,
    day: Vec<LinkCounts>,
    peak: Vec<(u32, i64)>,
    used: Vec<bool>,
    slowest: Vec<Slowest>,
    network: Bins<Travel>,
    to_stops_m: f64,
}

impl LinkDay {
    /// Whether a vehicle entered `link` from another one, or departed or waited on it.
    pub fn is_used(&self, link: u32) -> bool {
        self.used.get(link as usize).copied().unwrap_or(false)
    }

    /// Returns the number of vehicles over the day that left `link` for the next one.
    pub fn volume(&self, link: u32) -> u32 {
        self.day.get(link as usize).map_or(0, |counts| counts.volume)
    }

    /// Returns the lowest mean speed of `link` in any time bin, as a fraction of that of an unobstructed vehicle;
    /// `None` if no vehicle traversed the whole link.
    pub fn slowest(&self, link: u32) -> Option<f32> {
        self.slowest.get(link as usize).map(|slowest| slowest.fraction).filter(|fraction| fraction.is_finite())
    }

    /// Returns the `n` links with the most vehicles over the day; ties are in the order of the network file.
    pub fn busiest(&self, n: usize) -> Vec<BusyLink> {
        let mut order: Vec<usize> = (0..self.day.len()).filter(|&i| self.day[i].volume > 0).collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(self.day[i].volume), i));
        order.truncate(n);
        order.into_iter().map(|i| self.of_link(i as u32)).collect()
    }

    /// Returns the traffic of a link, which must exist.
    pub fn of_link(&self, link: u32) -> BusyLink {
        let i = link as usize;
        let (counts, (peak_volume, bin)) = (self.day[i], self.peak[i]);
        let length_m = self.scenario.network.length_m[i];
        let distance_m = f64::from(counts.timed) * length_m;
        let Slowest { fraction, bin: slowest_bin, time_s } = self.slowest[i];
        let slowest = fraction.is_finite().then(|| SlowestBin {
            time: slowest_bin as f64 * self.bin_s,
            speed_kmh: Travel { distance_m: length_m, time_s: f64::from(time_s) }.speed_kmh(),
        });
        BusyLink {
            link,
            volume: counts.volume,
            peak_volume,
            peak_time: bin as f64 * self.bin_s,
            speed_kmh: Travel { distance_m, time_s: counts.time_s }.speed_kmh(),
            slowest,
        }
    }

    /// Returns the width of the bins of the link table, seconds.
    pub fn bin_s(&self) -> f64 {
        self.bin_s
    }

    /// Returns the mean speed of the network in km/h per five minutes. Periods without moving vehicles have one point,
    /// NaN.
    pub fn speed_over_day(&self) -> Vec<(f64, f64)> {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for (time, travel) in self.network.iter() {
            let next = points.last().map_or(time, |last| last.0 + SPEED_BIN_S);
            points.extend((next < time).then_some((next, f64::NAN)));
            points.push((time, travel.speed_kmh()));
        }
        points
    }

    /// Returns the distance driven on links that were entered from upstream, metres.
    pub fn driven_m(&self) -> f64 {
        self.total().distance_m + self.to_stops_m
    }

    /// Returns the total travel of the day whose time is known: without links where a vehicle stopped.
    pub fn total(&self) -> Travel {
        self.network.iter().fold(Travel::default(), |sum, (_, travel)| Travel {
            distance_m: sum.distance_m + travel.distance_m,
            time_s: sum.time_s + travel.time_s,
        })
    }
}
