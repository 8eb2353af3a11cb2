//! `throng solve kalah`.

use std::path::PathBuf;
use std::time::Duration;

use throng_core::{InputError, Progress, available_threads};
use throng_model::Failure;
use throng_model::flags::{Flag, Flags};
use throng_model::tool::{Terminal, Tool, ToolEnd, ToolHelp, ToolRequest};

use super::SolveRequest;
use super::prepared::Prepared;
use super::request::check_memory;
use crate::kalah::{Board, Endgames, Game, MAX_ENDGAME_STONES, Side, board_flags};

/// `throng solve kalah`: the exact value of a game and of its first moves.
#[derive(Debug, Clone, Copy, Default)]
pub struct SolveKalah;

const FLAGS: [Flag; 10] = [
    board_flags::PITS,
    board_flags::STONES,
    board_flags::EMPTY_CAPTURE,
    board_flags::POSITION,
    Flag::new("memory", "SIZE", "Size of the transposition table, such as 512MiB or 4GiB [default: 1GiB]"),
    Flag::new(
        "table",
        "FILE",
        "Save the table to this file regularly, and resume from it if it exists; the search may be interrupted at any \
         time, because the file is replaced in one step",
    ),
    Flag::new("save-every", "SECONDS", "Seconds between saves of the table, at least 1 [default: 60]"),
    Flag::new(
        "endgames",
        "FILE",
        "An endgame base from `throng generate kalah-endgames`; by default, one is built in memory",
    ),
    Flag::new(
        "endgame-stones",
        "N",
        "Maximum number of stones in the pits for the base that is built in memory, 0 for none",
    ),
    Flag::new("threads", "N", "Number of threads [default: one for each core]"),
];

impl Tool for SolveKalah {
    fn help(&self) -> ToolHelp {
        ToolHelp {
            command: "solve",
            about_command: "Solve a game: who wins, by how much, with which moves",
            name: Some("kalah"),
            about: "The final margin of Kalah, from the start or from any board, and of each move, if both sides play as well as possible",
            input: None,
            flags: &FLAGS,
            more: "Values are margins for the player to move. They do not depend on the number of threads and the memory; the \
number of nodes does.

Examples:
  throng solve kalah --pits 6 --stones 3
      takes a second
  throng solve kalah --pits 6 --stones 4 --memory 3GiB --table 6x4.table
      takes a minute on two cores
  throng solve kalah --position \"1 3 2 1 4 2 4 | 0 2 1 2 0 2 0 bottom\"
      a board in the middle of a game",
        }
    }

    fn run(
        &self,
        request: &ToolRequest,
        terminal: &mut dyn Terminal,
        progress: &dyn Progress,
    ) -> Result<ToolEnd, Failure> {
        request.check(self)?;
        let flags = &request.flags;
        let board = board_flags::board(flags, Side::Top)?;
        let game = board.game();
        let threads = flags.number("threads", ..)?.unwrap_or_else(available_threads);
        throng_model::threads::check_threads(threads)?;
        let table_bytes = bytes(flags.get("memory").unwrap_or("1GiB"))?;
        let write_every = Duration::from_secs(flags.number("save-every", 1..)?.unwrap_or(60));
        let base = Base::read(&board, flags)?;
        let table_file = flags.file("table")?;
        let request = SolveRequest { board, table_bytes, threads, endgames: None, table_file, write_every };
        let prepared = Prepared::new(&request, progress)?;
        let solution = prepared.solve(Some(&base.endgames(game, threads, progress)?), progress)?;
        terminal.print(&format!("{}\n", solution.text()))?;
        Ok(ToolEnd::Done)
    }
}

/// The endgame base that the flags request.
enum Base {
    File(PathBuf),
    /// A base with up to this number of stones, built in memory.
    Built(u32),
}

impl Base {
    fn read(board: &Board, flags: &Flags) -> Result<Self, InputError> {
        let stones = flags.number("endgame-stones", 0..=MAX_ENDGAME_STONES)?;
        match (flags.file("endgames")?, stones) {
            (Some(_), Some(_)) => {
                let remedy = "give only one of them: the file determines the number of stones";
                Err(InputError::one("--endgame-stones", "is given with --endgames", remedy))
            }
            (Some(file), None) => Ok(Self::File(file)),
            (None, stones) => Ok(Self::Built(stones.unwrap_or_else(|| suitable_stones(board)))),
        }
    }

    fn endgames(self, game: Game, threads: usize, progress: &dyn Progress) -> Result<Endgames, Failure> {
        match self {
            Self::File(file) => Ok(Endgames::read(&file, game)?),
            Self::Built(stones) => {
                Ok(throng_core::thread_pool(threads)?.install(|| Endgames::build(game, stones, progress))?)
            }
        }
    }
}

/// Returns the number of stones of a base that takes little time to build compared with the search.
fn suitable_stones(board: &Board) -> u32 {
    let stores = [Side::Bottom, Side::Top].map(|side| u32::from(board.store(side)));
    let in_pits = board.game().all_stones() - stores[0] - stores[1];
    // On two cores, a base for six pits takes 0.5 s for 14 stones, and 13 s for 20.
    if board.game().pits() >= 5 && in_pits > 40 { 20 } else { (in_pits / 2).min(14) }
}

/// Parses a size such as `4GiB`.
fn bytes(text: &str) -> Result<u64, InputError> {
    let refused =
        || InputError::one("--memory", format!("\"{text}\""), "give a size such as 512MiB or 4GiB, at least 1MiB");
    let units = [("GiB", 30), ("MiB", 20)];
    let (number, shift) =
        units.into_iter().find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, shift))).ok_or_else(refused)?;
    let number: u64 = number.trim().parse().map_err(|_| refused())?;
    let bytes = number.checked_mul(1 << shift).filter(|&bytes| bytes > 0).ok_or_else(refused)?;
    check_memory("--memory", bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_without_a_unit_are_refused() {
        assert_eq!(bytes("1MiB"), Ok(1 << 20));
        for text in ["", "4", "GiB", "-1GiB", "0MiB", "99999999999999GiB", "4 GB"] {
            let error = bytes(text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("--memory: \"{text}\"\n    give a size such as")), "{error}");
        }
        assert_eq!(bytes("1000000GiB").unwrap_err().kind(), throng_core::InputErrorKind::OutOfMemory);
    }
}
