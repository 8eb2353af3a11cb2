//! Images of societies: a column for each agent, arranged in a square by index.
//!
//! Images are made from `agents.csv`, which a run writes every `agents_every` days. The tallest column of a run has the
//! same height in all its images, so that columns of different days can be compared.

mod columns;
mod recording;
mod table;

use throng_core::{InputError, available_memory, read_input_text};
use throng_model::replay::StoredRun;
use throng_model::{Failure, Replay};
use throng_scene::Recording;

use self::recording::SocietyRecording;
use super::results::AGENTS;

/// Names and meanings of the colourings.
const COLOURINGS: [(&str, &str); 3] = [
    (
        "utility",
        "the utility of the stock of an agent before consumption, and its quartile among all agents of the day",
    ),
    ("extracted", "the units that an agent extracted on the day, by resource"),
    ("held", "the units in the stock of an agent before consumption, by resource"),
];

/// Maximum size of the table, bytes, if the system does not report its amount of memory.
const MAX_TABLE_BYTES: u64 = 1 << 30;

/// Remedy for a run without the table: the setting that writes it.
const REMEDY: &str = "repeat the run with agents_every above 0, such as --set agents_every=10";

/// The replay of a run of societies.
#[derive(Debug, Clone, Copy)]
pub(super) struct SocietiesReplay;

impl Replay for SocietiesReplay {
    fn colourings(&self) -> &'static [(&'static str, &'static str)] {
        &COLOURINGS
    }

    fn open(&self, run: &StoredRun, colouring: &str) -> Result<Box<dyn Recording>, Failure> {
        let colouring = match colouring {
            "utility" => Colouring::Utility,
            "extracted" => Colouring::Extracted,
            "held" => Colouring::Held,
            other => {
                let remedy = format!("give one of {}", COLOURINGS.map(|(name, _)| name).join(", "));
                return Err(Failure::input("colouring", format!("\"{other}\""), remedy));
            }
        };
        let path = run.file(AGENTS, REMEDY)?;
        let place = path.display().to_string();
        let unreadable = |error: std::io::Error| InputError::one(&place, error.to_string(), "repeat the run");
        // The parsed rows take about four times as much memory as the text.
        let max_bytes = available_memory().map_or(MAX_TABLE_BYTES, |bytes| bytes / 8);
        let text = read_input_text(&path, max_bytes).map_err(unreadable)?;
        let frames = table::read(&text, &place)?;
        Ok(Box::new(SocietyRecording::new(frames, colouring)))
    }
}

/// The quantity that heights and colours show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Colouring {
    Utility,
    Extracted,
    Held,
}
