//! Events on their way to the writers, in blocks of bounded size.

use throng_traffic_scenario::events::Event;

/// Number of events per block. About 1.6 MB of XML: large enough to compress well, small enough to stay in a core's
/// cache.
pub const BLOCK_EVENTS: usize = 1 << 14;

/// Consecutive events with their times. A step with many events may continue in the next block.
#[derive(Debug, Clone, Default)]
pub struct EventBlock {
    events: Vec<Event>,
    /// Time of each step and the index after its last event.
    steps: Vec<(f64, u32)>,
}

impl EventBlock {
    /// Creates an empty block.
    pub fn new() -> Self {
        Self { events: Vec::with_capacity(BLOCK_EVENTS), steps: Vec::new() }
    }

    /// Takes events of the step at `time` until the block is full. Returns the events that did not fit.
    pub fn fill<'a>(&mut self, time: f64, events: &'a [Event]) -> &'a [Event] {
        let room = BLOCK_EVENTS.saturating_sub(self.events.len());
        let (taken, rest) = events.split_at(room.min(events.len()));
        if !taken.is_empty() {
            self.events.extend_from_slice(taken);
            self.steps.push((time, self.events.len() as u32));
        }
        rest
    }

    /// Whether no more events fit.
    pub fn is_full(&self) -> bool {
        self.events.len() >= BLOCK_EVENTS
    }

    /// Whether the block has no events.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Returns the number of events.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Iterates over time and events, step by step.
    pub fn steps(&self) -> impl Iterator<Item = (f64, &[Event])> {
        let starts = std::iter::once(0).chain(self.steps.iter().map(|step| step.1));
        self.steps.iter().zip(starts).map(|(&(time, end), start)| (time, &self.events[start as usize..end as usize]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_traffic_scenario::events::EventKind;

    #[test]
    fn a_large_step_is_split_and_nothing_is_lost() {
        let events: Vec<Event> =
            (0..BLOCK_EVENTS as u32 + 5).map(|i| Event::of_vehicle(EventKind::LeftLink, i, 0)).collect();
        let mut first = EventBlock::new();
        assert!(first.fill(1.0, &events[..3]).is_empty());
        let rest = first.fill(2.0, &events[3..]);
        assert!(first.is_full());
        assert_eq!(rest.len(), 5);
        assert_eq!(first.fill(2.0, rest).len(), 5);
        let mut second = EventBlock::new();
        second.fill(2.0, rest);
        let steps: Vec<(f64, usize)> = first.steps().chain(second.steps()).map(|(t, e)| (t, e.len())).collect();
        assert_eq!(steps, [(1.0, 3), (2.0, BLOCK_EVENTS - 3), (2.0, 5)]);
        let back: Vec<Event> = first.steps().chain(second.steps()).flat_map(|(_, e)| e.to_vec()).collect();
        assert_eq!(back, events);
    }
}
