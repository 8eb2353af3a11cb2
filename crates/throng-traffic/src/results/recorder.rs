//! Takes the events of a run and makes all of its results.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use throng_core::Warnings;
use throng_output::{
    Codec, IfNotEmpty, Manifest, OutputError, Pipeline, PipelineSize, RunFolder, WrittenFile, utc_text,
};

use super::analysis::{Analysis, Day};
use super::block::EventBlock;
use super::events_writer::EventsWriter;
use super::summary::RunSummary;
use super::{report, trip_tables};
use throng_traffic_scenario::RunStats;
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::{Event, EventSink, SinkError};
use throng_traffic_scenario::settings::{Compression, OverwriteFiles, Settings};

/// The page to look at first.
const REPORT_NAME: &str = "report.html";

/// Which results are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecorderOptions {
    /// Write `output_events.xml`.
    pub events_xml: bool,
    /// Write `output_events.parquet`.
    pub events_parquet: bool,
    /// Make tables and charts; without, no person or link is followed.
    pub analysis: bool,
    /// Compression of text files.
    pub codec: Codec,
    /// Threads that format and compress, for each large file.
    pub workers: usize,
}

impl RecorderOptions {
    /// What `settings` ask for; a quarter of the processor's threads, and eight at most, format each file.
    pub fn of(settings: &Settings) -> Self {
        let events = settings.controller.write_events_interval > 0;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            events_xml: events,
            events_parquet: events && settings.throng.events_parquet,
            analysis: settings.throng.analysis,
            codec: codec_of(settings.controller.compression),
            workers: (threads / 4).clamp(1, 8),
        }
    }
}

/// The codec of a compression setting.
pub fn codec_of(compression: Compression) -> Codec {
    match compression {
        Compression::Gzip => Codec::Gzip,
        Compression::Zst => Codec::Zstd,
        Compression::None => Codec::None,
    }
}

/// All names that the files of a run may have, before prefix and compression.
pub const FILE_NAMES: [&str; 15] = [
    "leg_histogram.csv",
    "leg_times.csv",
    "link_stats.csv",
    "link_stats.parquet",
    "link_volumes.csv",
    "output_config.xml",
    "output_events.parquet",
    "output_events.xml",
    "output_legs.csv",
    "output_plans.xml",
    "output_trips.csv",
    REPORT_NAME,
    "state_hashes.txt",
    "stuck_agents.csv",
    "trip_times.csv",
];

/// Makes the output folder as the settings of the controller say; nothing in it is changed yet. `read` are the files that
/// the run reads beside those of the settings.
///
/// # Errors
/// When the folder holds something and may not be used, or cannot be written, or when an input would be deleted or
/// replaced.
pub fn open_folder<'a>(
    settings: &'a Settings,
    read: impl IntoIterator<Item = &'a Path>,
) -> Result<RunFolder, OutputError> {
    let controller = &settings.controller;
    let if_not_empty = match controller.overwrite_files {
        OverwriteFiles::FailIfDirectoryExists => IfNotEmpty::Refuse,
        OverwriteFiles::OverwriteExistingFiles => IfNotEmpty::Overwrite,
        OverwriteFiles::DeleteDirectoryIfExists => IfNotEmpty::Delete,
    };
    let remedy = "--overwrite, which replaces the files of an earlier run and keeps others";
    let folder = RunFolder::create(&controller.output_directory, if_not_empty, remedy)?;
    let folder = folder.with_prefix(controller.run_id.as_deref().unwrap_or(""));
    folder.keeping(settings.files.all().chain(read), &FILE_NAMES)
}

/// What the results say about how they came about.
#[derive(Debug, Clone, Default)]
pub struct RunFacts {
    /// Program and version.
    pub program: String,
    /// The scenario as the user named it.
    pub scenario: String,
    /// The device, and why it was taken.
    pub device: String,
    /// Options beside the settings, name and value.
    pub options: Vec<(String, String)>,
    /// Effective settings, `group.parameter` and value.
    pub settings: Vec<(String, String)>,
    /// Phases and their wall-clock seconds, in order.
    pub timings_s: Vec<(String, f64)>,
    /// Wall-clock seconds of the simulation itself.
    pub simulation_s: f64,
    /// Seconds of the day from its first to its last step.
    pub simulated_s: f64,
    /// What was odd in the input and during the run.
    pub warnings: Warnings,
    /// Results that others have written, for the manifest.
    pub files: Vec<WrittenFile>,
}

/// Receives the events of a run; writes them and counts on threads of its own, while the simulation goes on.
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
    /// Begins the files of a run.
    ///
    /// # Errors
    /// When a file cannot be made.
    pub fn create(scenario: Arc<Scenario>, folder: RunFolder, options: RecorderOptions) -> Result<Self, OutputError> {
        let which = (options.events_xml, options.events_parquet);
        let events = EventsWriter::create(&scenario, &folder, options.codec, options.workers, which)?;
        let analysis = if options.analysis {
            let analysis = Analysis::create(&scenario, &folder, options.codec)?;
            // Counting needs the order of events, so it is all done by the writing thread.
            let size = PipelineSize::of_workers(1);
            let take = |analysis: &mut Analysis, block: Arc<EventBlock>| analysis.take(&block);
            Some(Pipeline::start("analysis", size, analysis, || Ok, take)?)
        } else {
            None
        };
        Ok(Self { scenario, folder, options, block: EventBlock::new(), events, analysis })
    }

    /// Waits for all threads and completes events and tables. What goes wrong from then on does not touch them.
    ///
    /// `stats` are the counters of the executor.
    ///
    /// # Errors
    /// The first error of any file.
    pub fn close(mut self, stats: &RunStats) -> Result<Recorded, OutputError> {
        if !self.block.is_empty() {
            self.send()?;
        }
        let Self { scenario, folder, options, events, analysis, .. } = self;
        // First of all, so that a full disk is reported before hours of results are tabulated.
        let mut files = events.finish()?;
        let day: Option<Day> = match analysis {
            None => None,
            Some(analysis) => {
                let (day, written) = analysis.finish()?.finish(&folder)?;
                files.extend(written);
                files.extend(trip_tables::write(&scenario, &day.leg_times, &folder, options.codec, options.workers)?);
                Some(day)
            }
        };
        let mut summary = RunSummary::of(&scenario, stats, day.as_ref());
        summary.files = files;
        Ok(Recorded { scenario, folder, day, summary })
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

fn with_size(file: &Path) -> (String, u64) {
    (file.display().to_string(), std::fs::metadata(file).map_or(0, |metadata| metadata.len()))
}

/// Events and tables are complete; report and manifest are still missing.
#[derive(Debug)]
pub struct Recorded {
    scenario: Arc<Scenario>,
    folder: RunFolder,
    day: Option<Day>,
    summary: RunSummary,
}

impl Recorded {
    /// The results in numbers, so far without report and manifest among the files.
    pub fn summary(&self) -> &RunSummary {
        &self.summary
    }

    /// Writes report and manifest, and gives the results in numbers.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn report(self, facts: &RunFacts) -> Result<RunSummary, OutputError> {
        let Self { scenario, folder, day, mut summary } = self;
        summary.files.extend(facts.files.iter().cloned());
        summary.files.sort_by(|a, b| a.name.cmp(&b.name));
        let finished = utc_text(SystemTime::now());
        if let Some(day) = &day {
            let page = report::render(&scenario, facts, &summary, day, &finished);
            summary.files.push(folder.write(REPORT_NAME, page.as_bytes())?);
        }
        let manifest = Manifest {
            program: facts.program.clone(),
            model: "traffic".into(),
            scenario: facts.scenario.clone(),
            seed: scenario.settings.global.random_seed,
            device: facts.device.clone(),
            finished,
            options: facts.options.clone(),
            settings: facts.settings.clone(),
            timings_s: facts.timings_s.clone(),
            warnings: facts
                .warnings
                .iter()
                .map(|(what, w)| (what.to_owned(), w.count, w.detail().to_owned()))
                .collect(),
            inputs: scenario.settings.files.all().map(with_size).collect(),
            results: summary.to_json(),
            files: summary.files.clone(),
        };
        summary.files.push(manifest.write(&folder)?);
        Ok(summary)
    }
}
