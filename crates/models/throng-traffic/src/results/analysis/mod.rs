//! Statistics computed from the stream of events during the simulation.
//!
//! Memory is bounded by the scenario, never by the number of events: 8 bytes per leg, 12 per person and vehicle,
//! about 70 per link, 32 per planned call at a stop, and a few numbers per bin of the day; with rides in public
//! transport also 4 per ride and vehicle.

mod bins;
mod boardings;
mod hourly_volumes;
mod leg_histogram;
mod leg_times;
mod link_stats;
mod stop_calls;
mod stuck;

use std::sync::Arc;

pub use bins::Bins;
pub use hourly_volumes::{HOURS, HourlyVolumes};
pub use leg_histogram::{LEG_BIN_S, LegCounts, LegHistogram, LegRow};
pub use leg_times::LegTimes;
pub use link_stats::{BusyLink, LinkDay, LinkStats, SPEED_BIN_S, Travel};
pub use stop_calls::{CallCounts, FullVehicle, LineDay, StopCalls, TransitDay};
pub use stuck::{StuckAgents, StuckDay};
use throng_output::{Codec, OutputError, RunFolder, WrittenFile};

use super::block::EventBlock;
use super::counts_comparison::CountsComparison;
use throng_evolution::travel_times::TravelTimeCalculator;
use throng_traffic_scenario::{ModeId, Scenario};

/// All counters, which take the events in order.
#[derive(Debug)]
pub struct Analysis {
    leg_times: LegTimes,
    leg_histogram: LegHistogram,
    link_stats: LinkStats,
    stuck: StuckAgents,
    /// `None` without public transport.
    stop_calls: Option<StopCalls>,
    hourly_volumes: Option<HourlyVolumes>,
    travel_times: Option<TravelTimeCalculator>,
    scenario: Arc<Scenario>,
    codec: Codec,
    span: Option<(f64, f64)>,
}

impl Analysis {
    /// Creates the files that are written during the run.
    ///
    /// # Errors
    /// If a file cannot be created.
    pub fn create(scenario: &Arc<Scenario>, folder: &RunFolder, codec: Codec) -> Result<Self, OutputError> {
        let of_iterations = scenario.settings.extensions.iteration_files;
        let has_hours = of_iterations || scenario.settings.files.counts.is_some();
        Ok(Self {
            leg_times: LegTimes::new(scenario),
            leg_histogram: LegHistogram::new(scenario),
            link_stats: LinkStats::create(scenario, folder, codec)?,
            stuck: StuckAgents::create(scenario, folder)?,
            stop_calls: StopCalls::new(scenario),
            hourly_volumes: has_hours.then(|| HourlyVolumes::new(scenario.network.links())),
            travel_times: of_iterations.then(|| travel_times_of_cars(scenario)),
            scenario: Arc::clone(scenario),
            codec,
            span: None,
        })
    }

    /// Counts the events of the next block.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn take(&mut self, block: &EventBlock) -> Result<(), OutputError> {
        for (time, events) in block.steps() {
            self.span = Some((self.span.map_or(time, |span| span.0), time));
            self.leg_times.begin_step(time);
            self.link_stats.begin_step(time)?;
            self.stuck.begin_step(time)?;
            for event in events {
                self.leg_times.take(event);
                self.leg_histogram.take(time, event);
                self.link_stats.take(time, event);
                self.stuck.take(event);
                if let Some(stop_calls) = &mut self.stop_calls {
                    stop_calls.take(time, event);
                }
                if let Some(volumes) = &mut self.hourly_volumes {
                    volumes.take(time, event);
                }
                if let Some(times) = &mut self.travel_times {
                    times.take(&self.scenario.population.legs, time, event);
                }
            }
        }
        Ok(())
    }

    /// Completes the files. Returns the counts and the files.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(self, folder: &RunFolder) -> Result<(Day, Vec<WrittenFile>), OutputError> {
        let (links, mut files) = self.link_stats.finish()?;
        let (stuck, stuck_file) = self.stuck.finish()?;
        files.push(stuck_file);
        files.push(self.leg_histogram.write(folder)?);
        let transit = match self.stop_calls {
            None => None,
            Some(stop_calls) => {
                let (transit, file) = stop_calls.finish(folder, self.codec)?;
                files.push(file);
                Some(transit)
            }
        };
        let day = Day {
            leg_times: Arc::new(self.leg_times),
            leg_histogram: self.leg_histogram,
            links,
            stuck,
            transit,
            hourly_volumes: self.hourly_volumes,
            counts: None,
            without_geojson: None,
            travel_times: self.travel_times,
            span: self.span,
        };
        Ok((day, files))
    }
}

fn travel_times_of_cars(scenario: &Scenario) -> TravelTimeCalculator {
    let slot_s = scenario.settings.travel_time_calculator.length_of_bins_s();
    let car = scenario.modes.get("car").unwrap_or(ModeId::NONE);
    TravelTimeCalculator::new(slot_s, scenario.network.links(), scenario.vehicles.ids.len(), car)
}

/// Statistics of the whole day, from all its events.
#[derive(Debug)]
pub struct Day {
    /// The times at which legs began and ended, and the vehicles of rides.
    pub leg_times: Arc<LegTimes>,
    /// Departures and arrivals over the day.
    pub leg_histogram: LegHistogram,
    /// Volumes and speeds.
    pub links: LinkDay,
    /// Aborted agents.
    pub stuck: StuckDay,
    /// Public transport; `None` if there is none.
    pub transit: Option<TransitDay>,
    /// Volumes per hour; `None` if no file needs them.
    pub hourly_volumes: Option<HourlyVolumes>,
    /// Volumes compared with counts; `None` without counts.
    pub counts: Option<CountsComparison>,
    /// The reason why there is no map of links; `None` if there is one.
    pub without_geojson: Option<String>,
    /// Travel times by time of entry; `None` if no file needs them.
    pub travel_times: Option<TravelTimeCalculator>,
    /// Times of the first and the last event, seconds of the day.
    pub span: Option<(f64, f64)>,
}
