//! States that are kept in a file until they are drawn.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use throng_fields_core::Field;
use throng_fields_scenario::Scenario;
use throng_fields_scenario::output::Drawn;
use throng_output::{OutputError, RunFolder};

use crate::results::drawing::{PlacedAgent, Snapshot, Values};
use crate::simulation::StepSummary;

/// Sentinel for "no team".
const NO_TEAM: u16 = u16::MAX;
/// Bytes per cell for its value, and for its team.
const CELL_BYTES: [usize; 2] = [4, 2];
/// Bytes per agent: position, group, and whether it is stuck.
const AGENT_BYTES: usize = 4 * 3 + 1;

/// Stored states, in slots of equal size.
pub(super) struct StoredStates<'f> {
    scenario: &'f Scenario,
    /// An unnamed temporary file, which the system removes when the program ends, and its folder.
    file: Option<(File, PathBuf)>,
    /// Slots that are free for reuse.
    free: Vec<u64>,
    slots: u64,
}

/// A handle to a stored state.
pub(super) struct Stored {
    now: StepSummary,
    slot: u64,
    bytes: usize,
}

impl<'f> StoredStates<'f> {
    pub(super) fn new(scenario: &'f Scenario) -> Self {
        Self { scenario, file: None, free: Vec::new(), slots: 0 }
    }

    /// Bytes per slot: all cells, and all agents.
    pub(super) fn slot_bytes(&self) -> u64 {
        let [value, team] = CELL_BYTES;
        let of_cell = if self.scenario.output.drawn == Drawn::Influence { value + team } else { value };
        (self.scenario.grid().cells() * of_cell + 4 + self.scenario.agents() * AGENT_BYTES) as u64
    }

    pub(super) fn add(&mut self, folder: &RunFolder, snapshot: Snapshot<'_>) -> Result<Stored, OutputError> {
        let slot = self.free.pop().unwrap_or(self.slots);
        self.slots = self.slots.max(slot + 1);
        let (bytes, start) = (bytes_of(&snapshot), slot * self.slot_bytes());
        let failed = |error| OutputError::io("write a temporary file in", folder.path(), error);
        let (file, _) = match &mut self.file {
            Some(file) => file,
            none => none.insert((tempfile::tempfile_in(folder.path()).map_err(failed)?, folder.path().to_owned())),
        };
        file.seek(SeekFrom::Start(start)).and_then(|_| file.write_all(&bytes)).map_err(failed)?;
        Ok(Stored { now: snapshot.now, slot, bytes: bytes.len() })
    }

    /// Frees the slot of a state.
    pub(super) fn forget(&mut self, stored: &Stored) {
        self.free.push(stored.slot);
    }

    pub(super) fn read(&mut self, stored: Stored) -> Result<Snapshot<'static>, OutputError> {
        let (mut bytes, start) = (vec![0; stored.bytes], stored.slot * self.slot_bytes());
        if let Some((file, folder)) = &mut self.file {
            let read = file.seek(SeekFrom::Start(start)).and_then(|_| file.read_exact(&mut bytes));
            read.map_err(|error| OutputError::io("read a temporary file in", folder, error))?;
        }
        Ok(snapshot_of(self.scenario, stored.now, &bytes))
    }
}

/// Serialises a state: values, teams if they are drawn, the number of agents, and agents.
fn bytes_of(snapshot: &Snapshot<'_>) -> Vec<u8> {
    let Snapshot { values, agents, .. } = snapshot;
    let cells = values.field.values();
    let mut bytes: Vec<u8> = cells.iter().flat_map(|value| value.to_le_bytes()).collect();
    let teams = values.teams.iter().flatten().map(|team| team.map_or(NO_TEAM, u16::from));
    bytes.extend(teams.flat_map(u16::to_le_bytes));
    bytes.extend((agents.len() as u32).to_le_bytes());
    for PlacedAgent { at: [x, y], group, is_stuck } in agents {
        bytes.extend([x.to_le_bytes(), y.to_le_bytes(), group.to_le_bytes()].as_flattened());
        bytes.push(u8::from(*is_stuck));
    }
    bytes
}

/// Deserialises a state stored by [`bytes_of`].
fn snapshot_of(scenario: &Scenario, now: StepSummary, bytes: &[u8]) -> Snapshot<'static> {
    let (cells, drawn) = (scenario.grid().cells(), scenario.output.drawn);
    let (values, rest) = bytes.split_at(CELL_BYTES[0] * cells);
    let (teams, rest) = rest.split_at(if drawn == Drawn::Influence { CELL_BYTES[1] * cells } else { 0 });
    let (count, rest) = rest.split_at(4);
    let word = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    let values = values.chunks_exact(4).map(|bytes| f32::from_bits(word(bytes))).collect();
    let team = |bytes: &[u8]| u8::try_from(u16::from_le_bytes([bytes[0], bytes[1]])).ok();
    let teams = (drawn == Drawn::Influence).then(|| teams.chunks_exact(2).map(team).collect());
    let agent = |bytes: &[u8]| PlacedAgent {
        at: [0, 4].map(|first: usize| f32::from_bits(word(&bytes[first..]))),
        group: word(&bytes[8..]),
        is_stuck: bytes[12] != 0,
    };
    let agents = rest.chunks_exact(AGENT_BYTES).take(word(count) as usize).map(agent).collect();
    let field = Cow::Owned(Field::new(*scenario.grid(), values));
    Snapshot { now, values: Values::new(scenario, drawn, field, teams), agents }
}

#[cfg(test)]
mod tests {
    use throng_output::IfNotEmpty;

    use super::*;

    #[test]
    fn states_that_cannot_be_stored_name_the_folder_and_a_remedy() {
        let dir = tempfile::tempdir().unwrap();
        let (file, out) = (dir.path().join("scenario.toml"), dir.path().join("out"));
        let text = "model = \"fields\"\ngrid = { size = [3, 2], cell = 1 }\nrun = { steps = 1, time_step = 1 }\n";
        std::fs::write(&file, text).unwrap();
        let scenario = Scenario::read(&file, &[]).unwrap();
        let now = StepSummary {
            step: 0,
            time: 0.0,
            groups: Vec::new(),
            pursuing: Vec::new(),
            owners: Vec::new(),
            held: Vec::new(),
            front: 0,
            amounts: Vec::new(),
            hash: 0,
        };
        // Six values, and no agents.
        let snapshot = || snapshot_of(&scenario, now.clone(), &[0; 4 * 6 + 4]);
        let folder = RunFolder::create(&out, IfNotEmpty::Refuse, "--overwrite").unwrap();
        let mut states = StoredStates::new(&scenario);
        let stored = states.add(&folder, snapshot()).unwrap();
        assert_eq!(states.read(stored).unwrap().values.field.values(), [0.0; 6]);
        std::fs::remove_dir_all(&out).unwrap();
        let Err(error) = StoredStates::new(&scenario).add(&folder, snapshot()) else { panic!("there is no folder") };
        let text = error.to_string();
        assert!(text.starts_with(&format!("cannot write a temporary file in {}: ", out.display())), "{text}");
        assert!(text.ends_with("its folder does not exist: create it, or choose another one"), "{text}");
    }
}
