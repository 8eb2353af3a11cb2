//! The flags of the tool.

use std::path::PathBuf;
use std::time::Duration;

use throng_core::{InputError, Problems};
use throng_model::flags::{Flag, Flags};

use crate::kalah::players::{Effort, Player};
use crate::kalah::{Board, Side, board_flags};

pub(super) const FLAGS: &[Flag] = &[
    board_flags::PITS,
    board_flags::STONES,
    board_flags::EMPTY_CAPTURE,
    board_flags::POSITION,
    Flag::new("bottom", "PLAYER", "The player of the lower row, who moves first; by default human"),
    Flag::new("top", "PLAYER", "The player of the upper row; by default alpha-beta:1s"),
    Flag::new("seed", "N", "Seed of random players; by default 1"),
    Flag::new("record", "FILE", "Write the games to this new file, which `load` reads"),
];

/// A human or a computer player, who plays one row of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowPlayer {
    Human,
    Computer(Player),
}

/// The name of a human player in flags and records.
pub(super) const HUMAN: &str = "human";

impl RowPlayer {
    fn read(name: &str, place: &str) -> Result<Self, InputError> {
        if name.trim() == HUMAN {
            return Ok(Self::Human);
        }
        Player::read_beside(name, place, &[HUMAN]).map(Self::Computer)
    }
}

impl std::fmt::Display for RowPlayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Human => f.write_str(HUMAN),
            Self::Computer(player) => player.fmt(f),
        }
    }
}

/// The values of the flags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlayOptions {
    /// The board from which the first game starts.
    pub start: Board,
    /// The players of the lower and the upper row.
    pub seated: [RowPlayer; 2],
    pub seed: i64,
    pub record: Option<PathBuf>,
}

/// The default computer player, which also gives hints.
pub(super) const DEFAULT: Player = Player::AlphaBeta(Effort::Time(Duration::from_secs(1)));

impl PlayOptions {
    /// Parses the flags.
    ///
    /// # Errors
    /// Lists all invalid flags.
    pub fn read(flags: &Flags) -> Result<Self, InputError> {
        let mut problems = Problems::new();
        let start = board_flags::board(flags, Side::Bottom);
        if let Err(InputError(wrong)) = &start {
            problems.append(wrong.clone());
        }
        let mut seated = |name: &str, default: RowPlayer| {
            let player = flags.get(name).map_or(Ok(default), |player| RowPlayer::read(player, &format!("--{name}")));
            player.unwrap_or_else(|InputError(wrong)| {
                problems.append(wrong);
                default
            })
        };
        let seated = [seated("bottom", RowPlayer::Human), seated("top", RowPlayer::Computer(DEFAULT))];
        let seed = flags.number("seed", ..).map_err(|InputError(wrong)| problems.append(wrong)).ok().flatten();
        let record = flags.file("record").map_err(|InputError(wrong)| problems.append(wrong)).ok().flatten();
        if let Some(file) = record.as_ref().filter(|file| file.exists()) {
            problems.push("--record", format!("{} exists", file.display()), "name a new file");
        }
        // Reject an unusable folder now, before a game is played and then lost.
        let folder = record.as_ref().and_then(|file| file.parent()).filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            problems.push(
                "--record",
                format!("there is no folder {}", folder.display()),
                "create it, or name another file",
            );
        }
        problems.into_result()?;
        Ok(Self { start: start?, seated, seed: seed.unwrap_or(1), record })
    }
}

/// Returns the index of a side in arrays of two.
pub(super) fn row(side: Side) -> usize {
    usize::from(side == Side::Top)
}
