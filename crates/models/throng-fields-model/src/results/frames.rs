//! The images of a run, which are drawn once the range of all their values is known.

use throng_core::Warnings;
use throng_fields_scenario::Scenario;
use throng_fields_scenario::file_names::ANIMATION;
use throng_model::Failure;
use throng_output::RunFolder;
use throng_pictures::{Film, Picture, ValueRange};

use crate::results::drawing::{Drawing, Snapshot};
use crate::results::stored_states::{Stored, StoredStates};

/// Maximum size of the stored states, in bytes, if there are more than two. Beyond that, every second state is dropped.
const MAX_BYTES: u64 = 4 << 30;

/// Images that wait for the range of values.
pub(super) struct Frames<'f> {
    states: StoredStates<'f>,
    waiting: Vec<Waiting>,
    max_waiting: u64,
    /// The number of frames so far; then the stride between the frames that are stored.
    count: u32,
    stride: u32,
    range: Option<ValueRange>,
}

struct Waiting {
    state: Stored,
    /// The index of its frame in the animation.
    frame: Option<u32>,
    /// The name of its own file.
    still: Option<&'static str>,
}

impl<'f> Frames<'f> {
    pub(super) fn new(scenario: &'f Scenario) -> Self {
        let states = StoredStates::new(scenario);
        let max_waiting = (MAX_BYTES / states.slot_bytes()).max(2);
        Self { states, waiting: Vec::new(), max_waiting, count: 0, stride: 1, range: None }
    }

    /// Adds a state that is the next frame of the animation, or has its own file with the name `still`.
    pub(super) fn add(
        &mut self,
        folder: &RunFolder,
        snapshot: Snapshot<'_>,
        is_frame: bool,
        still: Option<&'static str>,
    ) -> Result<(), Failure> {
        let range = snapshot.values.range();
        self.range = [self.range, range].into_iter().flatten().reduce(ValueRange::and);
        let frame = is_frame.then_some(self.count);
        self.count += u32::from(is_frame);
        // The last frame is always kept, until the next one replaces it.
        self.leave_out();
        while self.waiting.len() as u64 >= self.max_waiting && self.stride <= self.count {
            self.stride *= 2;
            self.leave_out();
        }
        let state = self.states.add(folder, snapshot)?;
        self.waiting.push(Waiting { state, frame, still });
        Ok(())
    }

    /// Drops frames that are not multiples of the stride, except stills.
    fn leave_out(&mut self) {
        let (stride, states) = (self.stride, &mut self.states);
        self.waiting.retain(|Waiting { state, frame, still }| {
            let is_kept = still.is_some() || frame.is_some_and(|frame| frame.is_multiple_of(stride));
            if !is_kept {
                states.forget(state);
            }
            is_kept
        });
    }

    /// Draws all images in colours that cover the range of all values: adds frames to the animation, and returns
    /// stills.
    pub(super) fn draw(
        mut self,
        drawing: &Drawing<'_>,
        mut film: Option<&mut Film>,
        warnings: &mut Warnings,
    ) -> Result<Vec<(&'static str, Picture)>, Failure> {
        if let Some(range) = self.range.filter(|range| range.low() == range.high()) {
            let kind = "all values of all images are equal: give output.range";
            warnings.add_noted(1, kind, format!("all are {}", range.low()));
        }
        let mut stills = Vec::new();
        for Waiting { state, frame, still } in self.waiting {
            let mut film = film.as_deref_mut().zip(frame).map(|(film, frame)| {
                (film.kept().of..frame).for_each(|_| film.skip());
                film
            });
            if still.is_none() && !film.as_ref().is_some_and(|film| film.wants_next()) {
                film.into_iter().for_each(Film::skip);
                continue;
            }
            let snapshot = self.states.read(state)?;
            let picture = drawing.picture(&snapshot, self.range)?;
            if let Some(film) = &mut film {
                film.add(&picture).map_err(|error| error.within(ANIMATION))?;
            }
            stills.extend(still.map(|name| (name, picture)));
        }
        Ok(stills)
    }
}
