//! Departures, arrivals and aborted agents per five minutes and mode.

use std::sync::Arc;

use throng_output::{OutputError, RunFolder, TextFile, WrittenFile, csv};

use super::bins::Bins;
use throng_traffic_scenario::events::{Event, EventKind};
use throng_traffic_scenario::{ModeId, Scenario};

/// Width of a bin, seconds; as in MATSim.
pub const LEG_BIN_S: f64 = 300.0;

/// Counts of one mode in one bin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LegCounts {
    /// Number of legs that began.
    pub departures: u32,
    /// Number of legs that ended.
    pub arrivals: u32,
    /// Number of agents that were aborted during a leg.
    pub stuck: u32,
}

/// One row of the histogram: a mode in a bin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LegRow {
    /// Start of the bin, seconds of the day.
    pub time: f64,
    /// Mode.
    pub mode: ModeId,
    /// Counts of the bin.
    pub counts: LegCounts,
    /// Number of legs under way at the end of the bin.
    pub en_route: i64,
}

/// Departures, arrivals and aborted agents of a day, per time bin and mode.
#[derive(Debug)]
pub struct LegHistogram {
    scenario: Arc<Scenario>,
    bins: Bins<Vec<LegCounts>>,
}

impl LegHistogram {
    /// Creates an empty histogram.
    pub fn new(scenario: &Arc<Scenario>) -> Self {
        Self { scenario: Arc::clone(scenario), bins: Bins::new(LEG_BIN_S) }
    }

    /// Counts an event. As in MATSim, the legs of drivers of public transport do not count.
    pub fn take(&mut self, time: f64, e: &Event) {
        let relevant = matches!(e.kind, EventKind::Departure | EventKind::Arrival | EventKind::StuckAndAbort);
        if !relevant || e.mode == ModeId::NONE || e.person >= self.scenario.travellers() {
            return;
        }
        let (bin, mode) = (self.bins.at(time), usize::from(e.mode.0));
        if bin.len() <= mode {
            bin.resize(mode + 1, LegCounts::default());
        }
        match e.kind {
            EventKind::Departure => bin[mode].departures += 1,
            EventKind::Arrival => bin[mode].arrivals += 1,
            _ => bin[mode].stuck += 1,
        }
    }

    /// Returns the modes that occur, sorted by name.
    pub fn modes(&self) -> Vec<ModeId> {
        let used = |mode: usize| self.bins.iter().any(|(_, bin)| bin.get(mode).is_some_and(|c| c.departures > 0));
        let mut modes: Vec<ModeId> =
            (0..self.scenario.modes.len()).filter(|&m| used(m)).map(|m| ModeId(m as u8)).collect();
        modes.sort_by_key(|&mode| self.scenario.modes.name(mode));
        modes
    }

    /// Returns the rows of one mode: those of the bins in which a leg of any mode began or ended. In all others the
    /// number of legs under way stays the same.
    pub fn rows(&self, mode: ModeId) -> Vec<LegRow> {
        let mut en_route = 0;
        let mut rows = Vec::new();
        for (time, bin) in self.bins.iter() {
            let counts = bin.get(usize::from(mode.0)).copied().unwrap_or_default();
            en_route += i64::from(counts.departures) - i64::from(counts.arrivals) - i64::from(counts.stuck);
            rows.push(LegRow { time, mode, counts, en_route });
        }
        rows
    }

    /// Writes `leg_histogram.csv`: one row per mode and bin in which a leg began or ended.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, folder: &RunFolder) -> Result<WrittenFile, OutputError> {
        let mut file = TextFile::create(folder, "leg_histogram.csv", throng_output::Codec::None)?;
        csv::push_header(file.text(), &["time", "time_s", "mode", "departures", "arrivals", "stuck", "en_route"]);
        let by_mode: Vec<Vec<LegRow>> = self.modes().into_iter().map(|mode| self.rows(mode)).collect();
        for bin in 0..self.bins.iter().len() {
            for row in by_mode.iter().filter_map(|rows| rows.get(bin)) {
                csv::Row::new(file.text())
                    .time(row.time)
                    .seconds(row.time)
                    .text(self.scenario.modes.name(row.mode))
                    .integer(i64::from(row.counts.departures))
                    .integer(i64::from(row.counts.arrivals))
                    .integer(i64::from(row.counts.stuck))
                    .integer(row.en_route)
                    .end();
            }
            file.flush_full()?;
        }
        file.finish()
    }
}
