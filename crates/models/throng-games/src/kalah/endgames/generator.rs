//! The generator of the base, for lists of generators.

use throng_core::Progress;
use throng_model::Failure;
use throng_model::flags::Flag;
use throng_model::generator::{GenerateRequest, Generator};
use throng_output::{IfNotEmpty, RunFolder};

use super::{ENDGAMES_NAME, Endgames, MAX_ENDGAME_STONES};
use crate::kalah::Game;
use crate::kalah::game::MAX;

/// `throng generate kalah-endgames`: the endgame base of a game as a file.
#[derive(Debug, Clone, Copy, Default)]
pub struct EndgamesGenerator;

const FLAGS: [Flag; 3] = [
    Flag::new("pits", "M", "Pits per player, from 1 to 6 [default: 6]"),
    Flag::new("stones", "N", "Maximum number of stones in all pits together, from 0 to 34 [default: 16]"),
    Flag::switch(
        "empty-capture",
        "A last stone in an empty pit of its player goes to the store even if the opposite pit is empty",
    ),
];

impl Generator for EndgamesGenerator {
    fn name(&self) -> &'static str {
        "kalah-endgames"
    }

    fn about(&self) -> &'static str {
        "The values of all Kalah positions with few stones in the pits, for `throng solve kalah`"
    }

    fn more(&self) -> &'static str {
        "The folder holds endgames.kalah. For six pits:
  stones  positions     file    memory to build it
      16  30 million     17 MB      30 MB
      18  86 million     52 MB      86 MB
      20  226 million   139 MB     224 MB
      22  548 million   341 MB     534 MB
      24  1.25 billion  780 MB    1197 MB
Six pits with 20 stones take 13 seconds on two cores.

Examples:
  throng generate kalah-endgames --stones 18 --out endgames
  throng solve kalah --pits 6 --stones 3 --endgames endgames/endgames.kalah"
    }

    fn flags(&self) -> &'static [Flag] {
        &FLAGS
    }

    fn generate(&self, request: &GenerateRequest, progress: &dyn Progress) -> Result<String, Failure> {
        request.check(self)?;
        let GenerateRequest { out, overwrite, flags } = request;
        let pits = flags.number("pits", 1..=MAX)?.unwrap_or(MAX);
        let stones = flags.number("stones", 0..=MAX_ENDGAME_STONES)?.unwrap_or(16);
        let game = Game::new(pits, MAX)?.with_empty_capture(flags.has("empty-capture"));
        let folder = RunFolder::create(out, IfNotEmpty::of_flag(*overwrite), "--overwrite")?;
        // Rejects an unusable folder before building the base, which may take minutes.
        let folder = folder.keeping([], &[ENDGAMES_NAME])?;
        throng_core::start_all_threads()?;
        let endgames = Endgames::build(game, stones, progress)?;
        folder.make_room_for(&[ENDGAMES_NAME])?;
        endgames.write_to(folder.file(ENDGAMES_NAME)?)?;
        folder.finish();
        Ok(format!(
            "positions  {}, with at most {} stones in the pits\nbytes      {}\nfile       {}\n",
            endgames.positions(),
            endgames.most_stones(),
            endgames.bytes(),
            out.join(ENDGAMES_NAME).display(),
        ))
    }
}
