//! `throng play kalah`: the game in a terminal, by lines that one types.

mod command;
mod drawing;
mod explain;
mod files;
mod help;
mod options;
mod session;
mod undo;

use throng_core::Progress;
use throng_model::{Failure, Terminal, Tool, ToolEnd, ToolHelp, ToolRequest};

use options::{FLAGS, Options};
use session::Session;

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
            more: "Players:
  human         you, or someone else at the same keyboard
  random        a legal move, drawn by seed, game and move
  greedy        the move with the best evaluation after it
  minimax:N     the best line of N moves, all lines searched; N from 1 to 12
  alpha-beta:N  the best line of N moves, hopeless lines left out; N from 1 to 63
  alpha-beta:Ts the same for as many moves as T seconds allow, such as 2s or 0.5s

Type the number of a pit to sow its stones, and `help` for all commands. The lower row begins.

Examples:
  throng play kalah
      you in the lower row, a computer player with a second for each move in the upper one
  throng play kalah --bottom human --top minimax:3 --pits 4 --stones 3
      a smaller board and a weaker player
  throng play kalah --bottom alpha-beta:8 --top minimax:6 --record game.txt
      two computer players; the moves are written to a file",
        }
    }

    fn run(&self, request: &ToolRequest, terminal: &mut dyn Terminal, _: &dyn Progress) -> Result<ToolEnd, Failure> {
        request.check(self)?;
        let options = Options::read(&request.flags)?;
        // As programs agreed to: https://no-color.org
        let wants_colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let colours = terminal.is_interactive() && wants_colours;
        Session::new(options, terminal, colours).run()
    }
}
