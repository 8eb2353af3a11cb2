//! Time stamps from a file, read ahead on a separate thread.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;
use std::vec;

use throng_core::{InputError, StateHash};

use super::step::{EventHash, Ignored, Step, StepEvents, Steps};
use crate::formats::events_reader::{EventTag, EventsReader};
use crate::formats::open::TextInput;

/// Number of events passed on at a time: large, so that the threads rarely wait for each other.
const BATCH_EVENTS: u64 = 8192;
/// Maximum number of queued batches.
const QUEUE: usize = 2;

type Batch = Result<Vec<Step<'static>>, InputError>;

/// Starts reading the event file `path`.
pub(super) fn start_reading<'scope>(
    scope: &'scope Scope<'scope, '_>,
    path: &Path,
    ignored: &'scope Ignored,
) -> Result<FileSteps, InputError> {
    let reader = EventsReader::open(path)?;
    let (send, batches) = sync_channel(QUEUE);
    throng_core::spawn_scoped(scope, "events", move || read_all(reader, ignored, &send))?;
    Ok(FileSteps { batches, steps: Vec::new().into_iter() })
}

/// Yields the time stamps that the other thread reads.
pub(super) struct FileSteps {
    batches: Receiver<Batch>,
    steps: vec::IntoIter<Step<'static>>,
}

impl Steps<'static> for FileSteps {
    fn next_step(&mut self) -> Result<Option<Step<'static>>, InputError> {
        loop {
            if let Some(step) = self.steps.next() {
                return Ok(Some(step));
            }
            // The channel is closed at the end of the file, or if the thread has panicked; the scope propagates a
            // panic.
            let Ok(batch) = self.batches.recv() else { return Ok(None) };
            self.steps = batch?.into_iter();
        }
    }
}

/// Reads the whole file; stops early if the receiver has been dropped.
fn read_all(mut reader: EventsReader<TextInput>, ignored: &Ignored, send: &SyncSender<Batch>) {
    let mut batch = Vec::new();
    let mut batch_events = 0;
    let mut step: Option<FileStep> = None;
    let outcome = loop {
        let event = match reader.read() {
            Ok(Some(event)) => event,
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        };
        let time_s = event.time_s;
        if let Some(full) = step.take_if(|step| step.time_s != time_s) {
            if time_s < full.time_s {
                break Err(unsorted(event.place(), time_s, full.time_s));
            }
            batch_events += full.events.ends.len() as u64;
            batch.push(full.into_step());
        }
        step.get_or_insert_with(|| FileStep::new(time_s)).add(&event, ignored);
        if batch_events >= BATCH_EVENTS {
            batch_events = 0;
            if send.send(Ok(std::mem::take(&mut batch))).is_err() {
                return;
            }
        }
    };
    let last = match outcome {
        Ok(()) => {
            batch.extend(step.map(FileStep::into_step));
            Ok(batch)
        }
        Err(error) => Err(error),
    };
    // The receiver has been dropped if the other file had an error.
    let _ = send.send(last);
}

fn unsorted(place: String, time_s: f64, before_s: f64) -> InputError {
    InputError::one(
        place,
        format!("time {time_s} comes after time {before_s}"),
        "Events must be sorted by time; sort the file, keeping the order of events of the same time.",
    )
}

struct FileStep {
    time_s: f64,
    hash: StateHash,
    events: FileEvents,
}

/// The attributes of all events of a step: alternating names and values.
#[derive(Default)]
struct FileEvents {
    text: String,
    /// End of each name and each value in `text`.
    text_ends: Vec<usize>,
    /// End of each event's names and values in `text_ends`.
    ends: Vec<usize>,
}

impl FileStep {
    fn new(time_s: f64) -> Self {
        Self { time_s, hash: StateHash::new(), events: FileEvents::default() }
    }

    fn add(&mut self, event: &EventTag<'_>, ignored: &Ignored) {
        let mut hash = EventHash::default();
        for (name, value) in event.attributes() {
            if !ignored.contains(name) {
                hash.add(name, value);
            }
            self.events.push(name);
            self.events.push(value);
        }
        hash.add_to(&mut self.hash);
        self.events.ends.push(self.events.text_ends.len());
    }

    fn into_step(self) -> Step<'static> {
        let Self { time_s, hash, events } = self;
        Step { time_s, count: events.ends.len() as u64, hash, events: Box::new(events) }
    }
}

impl FileEvents {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.text_ends.push(self.text.len());
    }

    fn text(&self, index: usize) -> &str {
        &self.text[start(&self.text_ends, index)..self.text_ends[index]]
    }
}

/// Returns the start of item `index` in a list of items with these ends.
fn start(ends: &[usize], index: usize) -> usize {
    if index == 0 { 0 } else { ends[index - 1] }
}

impl StepEvents for FileEvents {
    fn attributes(&self, index: usize, visit: &mut dyn FnMut(&str, &str)) {
        for name in (start(&self.ends, index)..self.ends[index]).step_by(2) {
            visit(self.text(name), self.text(name + 1));
        }
    }
}
