//! Takes the events of a run and produces all of its results.

use std::sync::Arc;

use throng_matsim::formats::counts::CountStation;
use throng_model::Measured;
use throng_model::record::RunRecord;
use throng_model::report::Report;
use throng_output::{Codec, OutputError, Pipeline, PipelineSize, RunFolder};
use throng_queue::RunOutcome;

use super::analysis::{Analysis, Day};
use super::block::EventBlock;
use super::counts_comparison::CountsComparison;
use super::events_writer::EventsWriter;
use super::summary::RunSummary;
use super::{
    dashboard, experienced_plans, geojson, iteration_files, log, persons, quantities, report, statistics, trip_tables,
};
use throng_traffic_scenario::RunStats;
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::{Event, EventSink, SinkError};
use throng_traffic_scenario::settings::{Compression, Settings};

/// Options of a [`Recorder`]: files to write and their compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecorderOptions {
    /// Whether to write `output_events.xml`.
    pub events_xml: bool,
    /// Whether to write `output_events.parquet`.
    pub events_parquet: bool,
    /// Whether to write tables and charts. If false, persons and links are not tracked.
    pub analysis: bool,
    /// Compression of text files.
    pub codec: Codec,
    /// Number of threads that format and compress, per large text file.
    pub workers: usize,
}

impl RecorderOptions {
    /// Returns the outputs that `settings` request. As many threads as the processor has, at most 16, format each large
    /// text file, because the simulation waits for the slowest file.
    pub fn of(settings: &Settings) -> Self {
        let events = settings.controller.write_events_interval > 0;
        Self {
            events_xml: events,
            events_parquet: events && settings.extensions.events_parquet,
            analysis: settings.extensions.analysis,
            codec: codec_of(settings.controller.compression),
            workers: throng_core::available_threads().min(MAX_WORKERS),
        }
    }

    /// Leaves cores to a simulation on `threads` threads of the CPU, but at most three quarters: its threads wait for
    /// each other in every step, and one that is suspended delays all.
    pub fn beside(self, threads: usize) -> Self {
        let available = throng_core::available_threads();
        let workers = available.saturating_sub(threads).max(available / 4).clamp(1, MAX_WORKERS);
        Self { workers, ..self }
    }

    /// Returns the same options without event files.
    pub fn without_events(self) -> Self {
        Self { events_xml: false, events_parquet: false, ..self }
    }
}

/// Maximum number of threads per file; bounds the memory of blocks in flight.
const MAX_WORKERS: usize = 16;

/// Returns the codec of a compression setting.
pub fn codec_of(compression: Compression) -> Codec {
    match compression {
        Compression::Gzip => Codec::Gzip,
        Compression::Zst => Codec::Zstd,
        Compression::None => Codec::None,
    }
}

/// All names that the files of a run may have, before prefix and compression are added.
pub const FILE_NAMES: [&str; 36] = [
    "countscompare.txt",
    dashboard::NAME,
    "leg_histogram.csv",
    "leg_times.csv",
    "link_stats.csv",
    "link_stats.parquet",
    "link_volumes.csv",
    log::NAME,
    log::WARNINGS_NAME,
    "modestats.csv",
    "modestats.txt",
    "output_activities.csv",
    "output_config.xml",
    "output_counts.xml",
    "output_events.parquet",
    "output_events.xml",
    experienced_plans::NAME,
    "output_facilities.xml",
    "output_legs.csv",
    "output_links.geojson",
    "output_network.xml",
    persons::NAME,
    "output_plans.xml",
    "output_transitSchedule.xml",
    "output_transitVehicles.xml",
    "output_trips.csv",
    "output_vehicles.xml",
    "ph_modestats.csv",
    "ph_modestats.txt",
    "pkm_modestats.csv",
    "pkm_modestats.txt",
    "stop_calls.csv",
    "stuck_agents.csv",
    "traveldistancestats.csv",
    "traveldistancestats.txt",
    "trip_times.csv",
];

/// Receives the events of a run; writes and counts them on separate threads while the simulation continues.
///
/// A recorder that is dropped without [`Recorder::close`] removes its unfinished files.
#[derive(Debug)]
pub struct Recorder {
    scenario: Arc<Scenario>,
    folder: RunFolder,
    options: RecorderOptions,
    block: EventBlock,
    events: EventsWriter,
    analysis: Option<Pipeline<Arc<EventBlock>, Analysis>>,
}

impl Recorder {
    /// Creates the files of a run.
    ///
    /// # Errors
    /// If a file cannot be created, or the system refuses a thread.
    pub fn create(scenario: Arc<Scenario>, folder: RunFolder, options: RecorderOptions) -> Result<Self, OutputError> {
        let which = (options.events_xml, options.events_parquet);
        let events = EventsWriter::create(&scenario, &folder, options.codec, options.workers, which)?;
        let analysis = if options.analysis {
            let analysis = Analysis::create(&scenario, &folder, options.codec)?;
            // Counting needs the order of events, so the writing thread does all of it.
            let size = PipelineSize::of_workers(1);
            let take = |analysis: &mut Analysis, block: Arc<EventBlock>| analysis.take(&block);
            Some(Pipeline::start("analysis", size, analysis, || Ok, take)?)
        } else {
            None
        };
        Ok(Self { scenario, folder, options, block: EventBlock::new(), events, analysis })
    }

    /// Waits for all threads and completes events and tables. Later failures do not affect them.
    ///
    /// `stats` are the counters of the executor.
    ///
    /// # Errors
    /// The first error of any file.
    pub fn close(mut self, stats: &RunStats) -> Result<ClosedRecorder, OutputError> {
        if !self.block.is_empty() {
            self.send()?;
        }
        let Self { scenario, folder, options, events, analysis, .. } = self;
        // Completed first, so that a full disk is reported before hours of results are tabulated.
        let mut files = events.finish()?;
        let day: Option<Day> = match analysis {
            None => None,
            Some(analysis) => {
                let (mut day, written) = analysis.finish()?.finish(&folder)?;
                files.extend(written);
                // The simulation is over.
                let workers = options.workers.max(throng_core::available_threads().min(MAX_WORKERS));
                files.extend(trip_tables::write(&scenario, &day.leg_times, &folder, options.codec, workers)?);
                if scenario.settings.files.plans.is_none() {
                    files.push(persons::write(&scenario, &folder, options.codec)?);
                }
                if scenario.settings.scoring.writes_experienced_plans {
                    files.extend(experienced_plans::write(&scenario, &day, &folder, options.codec, workers)?);
                }
                files.extend(statistics::write(&scenario, &day.leg_times, &folder)?);
                match geojson::write(&scenario, &day.links, &folder)? {
                    Ok(file) => files.push(file),
                    Err(reason) => day.without_geojson = Some(reason),
                }
                if scenario.settings.extensions.iteration_files {
                    files.extend(iteration_files::write(&scenario, &day, &folder, options.codec)?);
                }
                Some(day)
            }
        };
        let mut summary = RunSummary::of(&scenario, stats, day.as_ref());
        summary.files = files;
        Ok(ClosedRecorder { scenario, day, summary })
    }

    fn send(&mut self) -> Result<(), OutputError> {
        let block = Arc::new(std::mem::replace(&mut self.block, EventBlock::new()));
        self.events.send(&block)?;
        if let Some(analysis) = &mut self.analysis {
            analysis.send(block)?;
        }
        Ok(())
    }
}

impl EventSink for Recorder {
    fn step(&mut self, time: f64, events: &[Event]) -> Result<(), SinkError> {
        let mut rest = events;
        loop {
            rest = self.block.fill(time, rest);
            if !self.block.is_full() {
                return Ok(());
            }
            self.send().map_err(|e| SinkError(e.to_string()))?;
        }
    }

    fn wants_events(&self) -> bool {
        self.options.events_xml || self.options.events_parquet || self.options.analysis
    }
}

/// A recorder whose events and tables are complete; report and manifest are still missing.
#[derive(Debug)]
pub struct ClosedRecorder {
    scenario: Arc<Scenario>,
    day: Option<Day>,
    summary: RunSummary,
}

impl ClosedRecorder {
    /// Returns figures and series, for tables of many runs.
    pub fn measured(&self) -> Measured {
        quantities::measured(&self.summary, self.day.as_ref())
    }

    /// Compares the volumes of the day with counts and writes `countscompare.txt`, if there are counts and the events
    /// were analysed.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn compare(&mut self, counts: &[CountStation], folder: &RunFolder) -> Result<(), OutputError> {
        let Some(Day { hourly_volumes: Some(volumes), counts: compared, .. }) = &mut self.day else { return Ok(()) };
        if counts.is_empty() {
            return Ok(());
        }
        let comparison = CountsComparison::of(&self.scenario, counts, volumes);
        self.summary.files.extend(comparison.write(&self.scenario, folder)?);
        self.summary.counts = Some(comparison.summary());
        *compared = Some(comparison);
        Ok(())
    }

    /// Writes a dashboard of SimWrapper over the files so far, if the day was analysed. A run with a prefix has none,
    /// because SimWrapper knows dashboards by the beginning of their names.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_dashboard(&mut self, folder: &RunFolder) -> Result<(), OutputError> {
        if self.day.is_some() && folder.file_name(dashboard::NAME) == dashboard::NAME {
            let text = dashboard::text(&self.summary.files);
            self.summary.files.push(folder.write(dashboard::NAME, text.as_bytes())?);
        }
        Ok(())
    }

    /// Returns why there is no `output_links.geojson`, if the day was analysed.
    pub fn without_geojson(&self) -> Option<&str> {
        self.day.as_ref().and_then(|day| day.without_geojson.as_deref())
    }

    /// Returns the summary of the run.
    pub fn summary(&self) -> &RunSummary {
        &self.summary
    }

    /// Returns the summary of the run, and the report if the day was analysed. `scenario` is its name as given by the
    /// user, `simulation_s` the wall-clock time of the simulation itself, seconds.
    pub fn results(self, scenario: &str, outcome: &RunOutcome, simulation_s: f64) -> (RunSummary, Option<Report>) {
        let Self { scenario: simulated, day, summary } = self;
        let simulated_s = outcome.end_time - outcome.start_time;
        let report =
            day.map(|day| report::report(scenario, simulated, summary.clone(), day, [simulated_s, simulation_s]));
        (summary, report)
    }

    /// Writes report and manifest of a simulation that the calling program ran, and returns the summary of the run.
    /// `record` describes how it was run and which other files exist.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(
        self,
        folder: &RunFolder,
        record: RunRecord,
        outcome: &RunOutcome,
        simulation_s: f64,
    ) -> Result<RunSummary, OutputError> {
        let (mut summary, report) = self.results(&record.scenario, outcome, simulation_s);
        let mut files = summary.files.iter().cloned().chain(record.files).collect::<Vec<_>>();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        let mut record = RunRecord { model: "traffic".to_owned(), numbers: summary.to_json(), files, ..record };
        record.write(folder, report, Vec::new())?;
        summary.files = record.files;
        Ok(summary)
    }
}
