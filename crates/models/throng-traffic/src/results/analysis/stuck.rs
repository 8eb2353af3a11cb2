//! Agents that were aborted.

use std::sync::Arc;

use throng_core::NONE;
use throng_output::{Codec, OutputError, RunFolder, TextFile, WrittenFile, csv};

use throng_traffic_scenario::events::{Event, EventKind};
use throng_traffic_scenario::{ModeId, Scenario};

/// Counts aborted agents and writes them to `stuck_agents.csv`.
#[derive(Debug)]
pub struct StuckAgents {
    scenario: Arc<Scenario>,
    total: u64,
    by_link: Vec<u32>,
    file: TextFile,
    /// Time of the pending events, seconds of the day. They are written in the order of persons, because the order of
    /// events within a time stamp depends on the number of threads.
    time_s: f64,
    pending: Vec<Event>,
}

impl StuckAgents {
    /// Creates the file.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(scenario: &Arc<Scenario>, folder: &RunFolder) -> Result<Self, OutputError> {
        let mut file = TextFile::create(folder, "stuck_agents.csv", Codec::None)?;
        csv::push_header(file.text(), &["time", "time_s", "person", "link", "mode"]);
        Ok(Self {
            scenario: Arc::clone(scenario),
            total: 0,
            by_link: vec![0; scenario.network.links()],
            file,
            time_s: 0.0,
            pending: Vec::new(),
        })
    }

    /// Begins a time stamp, seconds of the day; it may be the current one again.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin_step(&mut self, time: f64) -> Result<(), OutputError> {
        if time > self.time_s {
            self.write_pending()?;
        }
        self.time_s = time;
        Ok(())
    }

    /// Counts an event.
    pub fn take(&mut self, e: &Event) {
        if e.kind != EventKind::StuckAndAbort {
            return;
        }
        self.total += 1;
        if let Some(count) = self.by_link.get_mut(e.link as usize) {
            *count += 1;
        }
        self.pending.push(*e);
    }

    fn write_pending(&mut self) -> Result<(), OutputError> {
        self.pending.sort_unstable_by_key(|e| e.person);
        for e in self.pending.drain(..) {
            let link = if e.link == NONE { "" } else { self.scenario.network.link_ids.name(e.link) };
            let mode = if e.mode == ModeId::NONE { "" } else { self.scenario.modes.name(e.mode) };
            csv::Row::new(self.file.text())
                .time(self.time_s)
                .seconds(self.time_s)
                .text(self.scenario.population.person_ids.name(e.person))
                .text(link)
                .text(mode)
                .end();
            self.file.flush_full()?;
        }
        Ok(())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<(StuckDay, WrittenFile), OutputError> {
        self.write_pending()?;
        let mut order: Vec<u32> =
            (0..self.by_link.len() as u32).filter(|&link| self.by_link[link as usize] > 0).collect();
        order.sort_by_key(|&link| (std::cmp::Reverse(self.by_link[link as usize]), link));
        order.truncate(StuckDay::LINKS);
        let links = order.into_iter().map(|link| (link, self.by_link[link as usize])).collect();
        Ok((StuckDay { total: self.total, links }, self.file.finish()?))
    }
}

/// Aborted agents of the whole day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StuckDay {
    /// Number of aborted agents.
    pub total: u64,
    /// The links with the most aborted agents, with their counts.
    pub links: Vec<(u32, u32)>,
}

impl StuckDay {
    /// Maximum number of links that are kept.
    pub const LINKS: usize = 10;
}
