//! `throng play kalah`: the game in a terminal, controlled by typed lines.

mod command;
mod drawing;
mod explain;
mod files;
mod help;
mod options;
mod session;
mod undo;

use std::sync::LazyLock;

use throng_core::Progress;
use throng_model::Failure;
use throng_model::tool::{Terminal, Tool, ToolEnd, ToolHelp, ToolRequest};

use super::players::Player;
use options::{FLAGS, HUMAN, PlayOptions};
use session::Session;

static MORE: LazyLock<String> = LazyLock::new(|| {
    let human = (HUMAN, "you, or another person at the same keyboard");
    let players: Vec<String> =
        [human].into_iter().chain(Player::FORMS).map(|(form, meaning)| format!("  {form:<13} {meaning}")).collect();
    format!(
        "Players:
{}

Type the number of a pit to sow its stones, and `help` for all commands. The lower row moves first. After Ctrl-C, the \
file of --record holds all moves up to the last board on the screen.

Examples:
  throng play kalah
      you in the lower row, against a computer player that thinks for one second
  throng play kalah --bottom human --top minimax:3 --pits 4 --stones 3
      a smaller board and a weaker player
  throng play kalah --top human --position \"1 3 2 1 4 2 4 | 0 2 1 2 0 2 0 bottom\"
      two people, from a board in the middle of a game
  throng play kalah --bottom alpha-beta:8 --top minimax:6 --record game.txt
      two computer players; the moves are written to a file",
        players.join("\n")
    )
});

/// Kalah in a terminal.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlayKalah;

impl Tool for PlayKalah {
    fn help(&self) -> ToolHelp {
        ToolHelp {
            command: "play",
            about_command: "Play a game in the terminal",
            name: Some("kalah"),
            about: "Play Kalah against the computer or another person, or watch two computer players",
            input: None,
            flags: FLAGS,
            more: &MORE,
        }
    }

    fn run(&self, request: &ToolRequest, terminal: &mut dyn Terminal, _: &dyn Progress) -> Result<ToolEnd, Failure> {
        request.check(self)?;
        let options = PlayOptions::read(&request.flags)?;
        // See the convention at https://no-color.org
        let wants_colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let colours = terminal.is_interactive() && wants_colours;
        Session::new(options, terminal, colours)?.run()
    }
}
