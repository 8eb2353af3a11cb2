//! Delivers events from the device to the sink.
//!
//! A separate thread waits for the events of a batch and sorts them, while the device computes the next batches and the
//! sink consumes the events of the previous one.

use std::sync::mpsc::{Receiver, Sender, channel};

use rayon::prelude::*;
use throng_device::{DeviceError, Pending};

use super::record::*;
use crate::RunError;
use crate::prepare::clock::Clock;
use crate::prepare::step_clock::StepClock as _;
use throng_traffic_scenario::HashAt;
use throng_traffic_scenario::ModeId;
use throng_traffic_scenario::events::{Event, EventKind, EventSink};

/// Events of a batch in the order in which the device wrote them.
struct UnsortedBatch {
    /// First step of the batch.
    first: i64,
    records: Pending<u32>,
}

/// Events of a batch, sorted by step and by order within the step.
struct SortedBatch {
    /// First step of the batch.
    first: i64,
    events: Vec<Event>,
    /// Step within the batch and end position of its events, in order.
    steps: Vec<(u32, usize)>,
}

/// The thread that sorts events. It ends when the sender of batches is dropped.
struct Sorter {
    unsorted: Sender<UnsortedBatch>,
    sorted: Receiver<Result<SortedBatch, DeviceError>>,
}

impl Sorter {
    fn start(link_external: Vec<u32>) -> Result<Self, RunError> {
        // The sorter uses as many threads as the caller may use.
        let threads = throng_core::thread_pool(rayon::current_num_threads())?;
        let (unsorted, received) = channel::<UnsortedBatch>();
        let (results, sorted) = channel();
        let work = move || {
            for UnsortedBatch { first, records } in received {
                let result =
                    records.wait_with(|records| threads.install(|| sort_events(first, records, &link_external)));
                if results.send(result).is_err() {
                    break;
                }
            }
        };
        throng_core::spawn("events", work)?;
        Ok(Self { unsorted, sorted })
    }
}

/// Delivers the events of batches to the sink, in order.
pub(super) struct Outbox<'r> {
    sink: &'r mut dyn EventSink,
    /// Scenario index of each link.
    link_external: &'r [u32],
    /// `None` before the first batch.
    sorter: Option<Sorter>,
    /// Number of batches that are not yet delivered.
    waiting: usize,
    /// First step whose events have not been delivered.
    next_step: i64,
    /// Last step whose events are delivered.
    last_step: i64,
    /// First step whose state hash has not been delivered.
    next_hashed: u64,
    /// Number of delivered events.
    pub events: u64,
    /// The last state hash that was delivered.
    pub last_hash: Option<HashAt>,
}

impl<'r> Outbox<'r> {
    /// Creates an empty outbox. `link_external`: the scenario index of each link.
    pub fn new(sink: &'r mut dyn EventSink, link_external: &'r [u32]) -> Self {
        Self {
            sink,
            link_external,
            sorter: None,
            waiting: 0,
            next_step: 0,
            last_step: i64::MAX,
            next_hashed: 0,
            events: 0,
            last_hash: None,
        }
    }

    /// Starts sorting the events of the batch that begins with step `first`.
    pub fn send(&mut self, first: i64, records: Pending<u32>) -> Result<(), RunError> {
        let sorter = match self.sorter.take() {
            Some(sorter) => sorter,
            None => Sorter::start(self.link_external.to_vec())?,
        };
        self.sorter.insert(sorter).unsorted.send(UnsortedBatch { first, records }).map_err(|_| ended())?;
        self.waiting += 1;
        Ok(())
    }

    /// Delivers all events up to step `last`, in which an error ends the run.
    pub fn end_at(&mut self, last: i64, clock: &Clock) -> Result<(), RunError> {
        self.last_step = last;
        self.deliver(clock, 0)
    }

    /// Delivers sorted batches, and waits until at most `limit` batches remain.
    pub fn deliver(&mut self, clock: &Clock, limit: usize) -> Result<(), RunError> {
        while let Some(sorter) = self.sorter.as_ref().filter(|_| self.waiting > 0) {
            let sorted = if self.waiting > limit {
                sorter.sorted.recv().map_err(|_| ended())?
            } else if let Ok(sorted) = sorter.sorted.try_recv() {
                sorted
            } else {
                return Ok(());
            };
            self.waiting -= 1;
            self.deliver_batch(&sorted?, clock)?;
        }
        Ok(())
    }

    fn deliver_batch(&mut self, sorted: &SortedBatch, clock: &Clock) -> Result<(), RunError> {
        let mut start = 0;
        for &(batch_step, end) in &sorted.steps {
            let step = sorted.first + i64::from(batch_step);
            // Steps that an earlier attempt delivered are skipped.
            if (self.next_step..=self.last_step).contains(&step) {
                self.step(clock.time_of(step), &sorted.events[start..end])?;
                self.next_step = step + 1;
            }
            start = end;
        }
        Ok(())
    }

    /// Delivers state hashes, except those that an earlier attempt delivered.
    pub fn hashes(&mut self, hashes: &[HashAt]) -> Result<(), RunError> {
        let new = &hashes[hashes.partition_point(|at| at.step < self.next_hashed)..];
        if let Some(last) = new.last() {
            self.sink.hashes(new)?;
            self.next_hashed = last.step + 1;
            self.last_hash = Some(*last);
        }
        Ok(())
    }

    /// Delivers the events of a step, which may also have been generated on the host.
    pub fn step(&mut self, time: f64, events: &[Event]) -> Result<(), RunError> {
        if !events.is_empty() {
            self.events += events.len() as u64;
            self.sink.step(time, events)?;
        }
        Ok(())
    }
}

fn ended() -> RunError {
    RunError::Internal("the thread that sorts events has ended".into())
}

/// Sorts the records of a batch by step, phase and owner. Records of the same owner keep their order.
///
/// The records are already in the order of half steps, because each half ends with a grid-wide barrier or a launch.
/// Therefore only the records within each half must be sorted.
fn sort_events(first: i64, records: &[u32], link_external: &[u32]) -> SortedBatch {
    let records: Vec<&[u32]> = records.chunks_exact(EVENT_WORDS as usize).collect();
    let step = |record: &[u32]| record[0] >> STEP_SHIFT;
    let mut events = vec![Event::of_vehicle(EventKind::LeftLink, NONE, NONE); records.len()];
    let mut halves = Vec::new();
    let (mut from, mut to) = (&records[..], &mut events[..]);
    while let Some(record) = from.first() {
        // Two phases form a half.
        let half = |record: &[u32]| record[0] >> (PHASE_SHIFT + 1);
        let len = from.partition_point(|other| half(other) <= half(record));
        let (these, other_events) = to.split_at_mut(len);
        halves.push((&from[..len], these));
        (from, to) = (&from[len..], other_events);
    }
    halves.into_par_iter().for_each(|(records, events)| {
        let phase = |record: &[u32]| u64::from((record[0] >> PHASE_SHIFT) & 1);
        let key = |i: usize| (phase(records[i]) << 63) | (u64::from(records[i][4]) << 31) | i as u64;
        let mut keys: Vec<u64> = (0..records.len()).map(key).collect();
        keys.sort_unstable();
        for (event, key) in events.iter_mut().zip(keys) {
            *event = self::event(records[(key & ((1 << 31) - 1)) as usize], link_external);
        }
    });
    let mut steps: Vec<(u32, usize)> = Vec::new();
    let mut end = 0;
    while let Some(record) = records.get(end) {
        end += records[end..].partition_point(|other| step(other) <= step(record));
        steps.push((step(record), end));
    }
    SortedBatch { first, events, steps }
}

fn event(record: &[u32], link_external: &[u32]) -> Event {
    let kind = EventKind::ALL[(record[0] & ((1 << MODE_SHIFT) - 1)) as usize];
    let link = match kind {
        // These have a leg instead of a link.
        EventKind::VehicleArrivesAtFacility | EventKind::VehicleDepartsAtFacility => record[2],
        _ => link_external.get(record[2] as usize).copied().unwrap_or(record[2]),
    };
    Event { kind, mode: ModeId((record[0] >> MODE_SHIFT) as u8), person: record[1], link, detail: record[3] }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a record of an event that is identified by its detail.
    fn record(step: u32, phase: u32, owner: u32, detail: u32) -> [u32; EVENT_WORDS as usize] {
        [(step << STEP_SHIFT) | (phase << PHASE_SHIFT) | (255 << MODE_SHIFT), NONE, 0, detail, owner]
    }

    #[test]
    fn events_are_sorted_by_step_phase_and_owner() {
        let records = [
            record(0, 1, 7, 2),
            record(0, 0, NONE, 1),
            record(0, 0, 3, 0),
            record(0, 3, 0, 5),
            record(0, 2, NONE, 4),
            record(0, 2, 9, 3),
            record(4, 1, 8, 8),
            record(4, 1, 5, 6),
            record(4, 1, 5, 7),
        ];
        let sorted = sort_events(100, &records.concat(), &[42]);
        assert_eq!(sorted.events.iter().map(|event| event.detail).collect::<Vec<_>>(), (0..9).collect::<Vec<_>>());
        assert_eq!(sorted.steps, [(0, 6), (4, 9)]);
        assert!(sorted.events.iter().all(|event| event.link == 42 && event.mode == ModeId::NONE));
        assert_eq!(sort_events(0, &[], &[]).events, []);
    }
}
