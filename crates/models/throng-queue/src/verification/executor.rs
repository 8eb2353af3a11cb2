//! The executors that verification cases run on.

use throng_device::Device;

use crate::{RunError, RunOptions, cpu, gpu};
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::{EventKind, EventLog};

/// Runs the scenarios of the cases; tests substitute faulty executors.
pub(super) trait CaseExecutor {
    fn run(&self, scenario: Scenario) -> Result<Trace, RunError>;
}

/// The CPU, on two threads.
pub(super) struct Cpu;

/// A device.
pub(super) struct OnDevice<'d>(pub &'d Device);

/// A scenario and the events of its run.
pub(super) struct Trace {
    pub scenario: Scenario,
    pub log: EventLog,
}

fn options() -> RunOptions<'static> {
    RunOptions { threads: 2, hash_every: 60, ..RunOptions::default() }
}

impl CaseExecutor for Cpu {
    fn run(&self, scenario: Scenario) -> Result<Trace, RunError> {
        let mut log = EventLog::default();
        cpu::simulate(&scenario, &mut log, &options())?;
        Ok(Trace { scenario, log })
    }
}

impl CaseExecutor for OnDevice<'_> {
    fn run(&self, scenario: Scenario) -> Result<Trace, RunError> {
        let mut log = EventLog::default();
        gpu::simulate(&scenario, &mut log, &options(), self.0)?;
        Ok(Trace { scenario, log })
    }
}

impl Trace {
    /// Times of the events of a kind on a link, seconds of the day, in order.
    pub fn event_times(&self, kind: EventKind, link: &str) -> Vec<f64> {
        let link = self.scenario.network.link_ids.get(link);
        let events = self.log.events.iter().filter(|(_, event)| event.kind == kind && Some(event.link) == link);
        events.map(|(time, _)| *time).collect()
    }

    pub fn count(&self, kind: EventKind) -> usize {
        self.log.events.iter().filter(|(_, event)| event.kind == kind).count()
    }

    /// Ids of the vehicles that enter a link, in order.
    pub fn entry_order(&self, link: &str) -> Vec<&str> {
        let number = self.scenario.network.link_ids.get(link);
        let entered = |kind, link| kind == EventKind::EnteredLink && Some(link) == number;
        let events = self.log.events.iter().filter(|(_, event)| entered(event.kind, event.link));
        events.map(|(_, event)| self.scenario.vehicles.ids.name(event.detail)).collect()
    }
}
