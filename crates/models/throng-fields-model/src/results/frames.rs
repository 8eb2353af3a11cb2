//! The pictures of a run, which are drawn when the range of all their values is known.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};

use throng_core::{ValueError, Warnings};
use throng_fields_core::Field;
use throng_fields_scenario::Scenario;
use throng_fields_scenario::file_names::ANIMATION;
use throng_fields_scenario::output::Drawn;
use throng_model::Failure;
use throng_output::RunFolder;
use throng_pictures::{Film, Picture, ValueRange};

use crate::results::drawing::{Drawing, Snapshot, Standing, Values};
use crate::simulation::Now;

/// The most bytes of states that are stored, if these are more than two. Of more, every second one is left out.
const MOST_BYTES: u64 = 4 << 30;
/// The number that stands for no team.
const NO_TEAM: u16 = u16::MAX;
/// Bytes of the value of a cell, and of its team.
const CELL_BYTES: [usize; 2] = [4, 2];
/// Bytes of an agent: its place, its group, and whether it is stuck.
const AGENT_BYTES: usize = 4 * 3 + 1;

/// The use of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Use {
    /// It is the next frame of the film.
    pub is_frame: bool,
    /// The name of its own file.
    pub still: Option<&'static str>,
}

/// Pictures that wait for the range of values.
pub(super) struct Frames<'f> {
    scenario: &'f Scenario,
    /// The states, in slots of equal size; without a name, so that it ends with the program.
    file: Option<File>,
    waiting: Vec<Waiting>,
    /// Slots that are not used any more.
    free: Vec<u64>,
    slots: u64,
    most_slots: u64,
    /// Frames so far, and the numbers from one that is stored to the next.
    count: u32,
    stride: u32,
    range: Option<ValueRange>,
}

/// A state that is stored.
struct Waiting {
    now: Now,
    slot: u64,
    /// The number of its frame.
    frame: Option<u32>,
    still: Option<&'static str>,
}

impl<'f> Frames<'f> {
    pub(super) fn new(scenario: &'f Scenario) -> Self {
        Self {
            scenario,
            file: None,
            waiting: Vec::new(),
            free: Vec::new(),
            slots: 0,
            most_slots: (MOST_BYTES / slot_bytes(scenario)).max(2),
            count: 0,
            stride: 1,
            range: None,
        }
    }

    /// Adds a state that is a frame of the film or has a file of its own.
    pub(super) fn add(&mut self, folder: &RunFolder, snapshot: Snapshot<'_>, purpose: Use) -> Result<(), Failure> {
        let range = snapshot.values.range();
        self.range = self.range.map_or(range, |known| Some(range.map_or(known, |range| known.and(range))));
        let frame = purpose.is_frame.then_some(self.count);
        self.count += u32::from(purpose.is_frame);
        // Until the next one, each frame is the last one, which is kept.
        self.leave_out();
        while self.waiting.len() as u64 >= self.most_slots && self.stride <= self.count {
            self.stride *= 2;
            self.leave_out();
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots += 1;
            self.slots - 1
        });
        let bytes = bytes_of(&snapshot);
        self.write(folder, slot, &bytes).map_err(refused)?;
        self.waiting.push(Waiting { now: snapshot.now, slot, frame, still: purpose.still });
        Ok(())
    }

    /// Frees the slots of frames that the stride does not keep, except stills.
    fn leave_out(&mut self) {
        let (stride, free) = (self.stride, &mut self.free);
        self.waiting.retain(|Waiting { frame, still, slot, .. }| {
            let is_kept = still.is_some() || frame.is_some_and(|frame| frame.is_multiple_of(stride));
            free.extend((!is_kept).then_some(*slot));
            is_kept
        });
    }

    fn write(&mut self, folder: &RunFolder, slot: u64, bytes: &[u8]) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile_in(folder.path())?);
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        file.seek(SeekFrom::Start(slot * slot_bytes(self.scenario)))?;
        file.write_all(bytes)
    }

    fn read(&mut self, slot: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; slot_bytes(self.scenario) as usize];
        let Some(file) = &mut self.file else { return Ok(bytes) };
        file.seek(SeekFrom::Start(slot * slot_bytes(self.scenario)))?;
        // The last slot may have fewer agents than all.
        let mut filled = 0;
        while filled < bytes.len() {
            match file.read(&mut bytes[filled..])? {
                0 => break,
                count => filled += count,
            }
        }
        Ok(bytes)
    }

    /// Draws all pictures in colours of the range of all values: adds frames to the film, and passes stills on.
    pub(super) fn draw(
        mut self,
        drawing: &Drawing<'_>,
        mut film: Option<&mut Film>,
        warnings: &mut Warnings,
        mut write_still: impl FnMut(&'static str, &Picture) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if let Some(range) = self.range.filter(|range| range.low() == range.high()) {
            let kind = "all values of all pictures are equal: give output.range";
            warnings.add_noted(1, kind, format!("all are {}", range.low()));
        }
        for Waiting { now, slot, frame, still } in std::mem::take(&mut self.waiting) {
            let mut is_frame = false;
            if let (Some(film), Some(frame)) = (film.as_deref_mut(), frame) {
                while film.kept().of < frame {
                    film.skip();
                }
                is_frame = film.wants_next();
            }
            if is_frame || still.is_some() {
                let bytes = self.read(slot).map_err(refused)?;
                let picture = drawing.picture(&snapshot_of(self.scenario, now, &bytes), self.range)?;
                if let Some(film) = film.as_deref_mut().filter(|_| is_frame) {
                    film.add(&picture).map_err(|error| error.within(ANIMATION))?;
                }
                if let Some(name) = still {
                    write_still(name, &picture)?;
                }
            }
            if let Some(film) = film.as_deref_mut().filter(|_| frame.is_some() && !is_frame) {
                film.skip();
            }
        }
        Ok(())
    }
}

fn refused(error: io::Error) -> ValueError {
    ValueError::not_written("frames of the animation", error)
}

/// Bytes of a state in the file: all cells, and all agents.
fn slot_bytes(scenario: &Scenario) -> u64 {
    let [value, team] = CELL_BYTES;
    let of_cell = if scenario.output.drawn == Drawn::Influence { value + team } else { value };
    (scenario.grid().cells() * of_cell + 4 + scenario.agents() * AGENT_BYTES) as u64
}

/// A state in the file: values, teams if they are drawn, the number of agents, and agents.
fn bytes_of(snapshot: &Snapshot<'_>) -> Vec<u8> {
    let Snapshot { values, agents, .. } = snapshot;
    let cells = values.field.values();
    let mut bytes: Vec<u8> = cells.iter().flat_map(|value| value.to_le_bytes()).collect();
    let teams = values.teams.iter().flatten().map(|team| team.map_or(NO_TEAM, u16::from));
    bytes.extend(teams.flat_map(u16::to_le_bytes));
    bytes.extend((agents.len() as u32).to_le_bytes());
    for Standing { at: [x, y], group, is_stuck } in agents {
        bytes.extend([x.to_le_bytes(), y.to_le_bytes(), group.to_le_bytes()].as_flattened());
        bytes.push(u8::from(*is_stuck));
    }
    bytes
}

/// The state that [`bytes_of`] has stored.
fn snapshot_of(scenario: &Scenario, now: Now, bytes: &[u8]) -> Snapshot<'static> {
    let (cells, drawn) = (scenario.grid().cells(), scenario.output.drawn);
    let (values, rest) = bytes.split_at(CELL_BYTES[0] * cells);
    let (teams, rest) = rest.split_at(if drawn == Drawn::Influence { CELL_BYTES[1] * cells } else { 0 });
    let (count, rest) = rest.split_at(4);
    let word = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    let values = values.chunks_exact(4).map(|bytes| f32::from_bits(word(bytes))).collect();
    let team = |bytes: &[u8]| u8::try_from(u16::from_le_bytes([bytes[0], bytes[1]])).ok();
    let teams = (drawn == Drawn::Influence).then(|| teams.chunks_exact(2).map(team).collect());
    let agent = |bytes: &[u8]| Standing {
        at: [0, 4].map(|first: usize| f32::from_bits(word(&bytes[first..]))),
        group: word(&bytes[8..]),
        is_stuck: bytes[12] != 0,
    };
    let agents = rest.chunks_exact(AGENT_BYTES).take(word(count) as usize).map(agent).collect();
    let field = Cow::Owned(Field::new(*scenario.grid(), values));
    Snapshot { now, values: Values::new(scenario, drawn, field, teams), agents }
}
