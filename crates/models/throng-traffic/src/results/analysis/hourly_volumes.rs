//! Volumes of links per hour, as MATSim compares them with counts.

use throng_traffic_scenario::events::{Event, EventKind};

/// Number of hours with volumes. As in MATSim, later vehicles do not count, nor do those before midnight.
pub const HOURS: usize = 24;

/// Vehicles that left each link for the next one, by hour of the day.
#[derive(Debug)]
pub struct HourlyVolumes {
    by_link: Vec<[u32; HOURS]>,
}

impl HourlyVolumes {
    /// Creates the table for a number of links.
    pub fn new(links: usize) -> Self {
        Self { by_link: vec![[0; HOURS]; links] }
    }

    /// Takes an event of the step at `time`, seconds of the day.
    pub fn take(&mut self, time: f64, e: &Event) {
        if e.kind == EventKind::LeftLink
            && time >= 0.0
            && let Some(of_link) = self.by_link.get_mut(e.link as usize)
            && let Some(volume) = of_link.get_mut((time / 3600.0) as usize)
        {
            *volume += 1;
        }
    }

    /// Returns the volumes of a link.
    pub fn of_link(&self, link: u32) -> &[u32; HOURS] {
        self.by_link.get(link as usize).unwrap_or(&[0; HOURS])
    }
}
