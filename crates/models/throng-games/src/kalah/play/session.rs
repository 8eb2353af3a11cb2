//! A session of games in a terminal.

use std::path::PathBuf;
use std::time::Instant;

use throng_core::{InputError, available_threads};
use throng_model::Failure;
use throng_model::tool::{Terminal, ToolEnd};

use super::command::Command;
use super::drawing::{Paint, board};
use super::options::{DEFAULT, PlayOptions, RowPlayer, row};
use super::undo::History;
use super::{explain, files, help};
use crate::kalah::players::{Choice, Player, SearchSummary, Seat, Turn, legal_pits};
use crate::kalah::reference::Illegal;
use crate::kalah::{Board, Game, Record, board_flags};

/// The last search of a computer player.
struct LastSearch {
    player: Player,
    board: Board,
    search: SearchSummary,
    seconds: f64,
}

/// The current game and the earlier ones.
pub(super) struct Session<'t> {
    terminal: &'t mut dyn Terminal,
    paint: Paint,
    seated: [RowPlayer; 2],
    seats: [Option<Seat>; 2],
    /// The player that gives hints if there is no computer player, or only random ones.
    adviser: Player,
    history: History,
    /// The games before the current one.
    earlier: Vec<Record>,
    seed: i64,
    record_file: Option<PathBuf>,
    /// Whether the last attempt to write the record failed and the failure was reported.
    has_reported_failure: bool,
    last_search: Option<LastSearch>,
    /// Whether the board must be drawn before the next move.
    is_changed: bool,
}

/// Whether the session continues.
#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    End,
}

impl<'t> Session<'t> {
    pub fn new(options: PlayOptions, terminal: &'t mut dyn Terminal, colours: bool) -> Result<Self, Failure> {
        let PlayOptions { start, seated, seed, record: record_file } = options;
        let mut session = Self {
            terminal,
            paint: Paint(colours),
            seated,
            seats: [None, None],
            history: History::new(Record::of_board(start)),
            adviser: DEFAULT,
            earlier: Vec::new(),
            seed,
            record_file,
            has_reported_failure: false,
            last_search: None,
            is_changed: true,
        };
        session.begin(Record::of_board(start))?;
        Ok(session)
    }

    /// Plays until the user quits or the input ends or, with two computer players, until the game is over.
    pub fn run(mut self) -> Result<ToolEnd, Failure> {
        let welcome = "Kalah. Type the number of a pit to sow its stones, or `help`.\n";
        if self.seated.contains(&RowPlayer::Human) {
            self.terminal.print(welcome)?;
        }
        loop {
            if std::mem::take(&mut self.is_changed) {
                self.draw()?;
            }
            if !self.board().is_over()
                && let RowPlayer::Computer(player) = self.seated[row(self.board().to_move())]
            {
                self.computer_move(player)?;
                continue;
            }
            if !self.seated.contains(&RowPlayer::Human) {
                break;
            }
            let prompt = self.prompt();
            let Some(line) = self.terminal.ask(&prompt)? else {
                self.terminal.print("\nThe input has ended, and so does the game.\n")?;
                break;
            };
            if !self.terminal.is_interactive() {
                // A terminal echoes typed lines; a transcript should contain them too.
                self.terminal.print(&format!("{}\n", throng_core::printable(&line)))?;
            }
            let done = Command::read(&line).map_err(Failure::from).and_then(|command| self.execute(command));
            match done {
                Ok(Next::GoOn) => {}
                Ok(Next::End) => break,
                // Invalid input: show the problem and ask again.
                Err(Failure::Input(error)) => self.refuse(&error)?,
                Err(failure) => return Err(failure),
            }
        }
        // From now on a failure ends the command, because there is no later attempt to write the record.
        self.write_record()?;
        Ok(ToolEnd::Done)
    }

    fn board(&self) -> &Board {
        self.history.record.board()
    }

    fn game(&self) -> Game {
        self.history.record.game()
    }

    /// Makes a game the current one.
    fn begin(&mut self, mut record: Record) -> Result<(), Failure> {
        record.heading.number = self.earlier.len() as u32 + 1;
        self.history = History::new(record);
        self.last_search = None;
        self.take_seats()
    }

    /// Creates new players, without state from earlier moves, and writes their names into the record.
    fn take_seats(&mut self) -> Result<(), Failure> {
        let (game, seed, threads) = (self.game(), self.seed, available_threads());
        let seat = |seated| match seated {
            RowPlayer::Human => Ok(None),
            RowPlayer::Computer(player) => Seat::new(player, game, seed, threads).map(Some),
        };
        self.seats = [seat(self.seated[0])?, seat(self.seated[1])?];
        let heading = &mut self.history.record.heading;
        [heading.bottom, heading.top] = self.seated.map(|seated| seated.to_string());
        heading.seed = seed;
        self.is_changed = true;
        Ok(())
    }

    fn draw(&mut self) -> Result<(), Failure> {
        let names = self.seated.map(|seated| seated.to_string());
        let mut text = format!("\n{}\n", board(self.board(), [&names[0], &names[1]], self.paint));
        if self.board().is_over() {
            text += &self.paint.bold(&explain::result(self.board()));
        }
        // Human players may interrupt the program at any time. A game between computers can be repeated, and is written
        // when it ends.
        if self.seats.iter().any(Option::is_none) {
            self.try_to_write_record()?;
        }
        self.terminal.print_styled(&text)
    }

    fn prompt(&self) -> String {
        if self.board().is_over() {
            return "new, undo, save FILE or quit: ".to_owned();
        }
        let legal: Vec<String> = legal_pits(self.board()).iter().map(|pit| (pit + 1).to_string()).collect();
        format!("{}, pit {}: ", self.board().to_move().name(), legal.join(" "))
    }

    fn refuse(&mut self, error: &InputError) -> Result<(), Failure> {
        let text = self.paint.red(&error.to_string());
        self.terminal.print_styled(&format!("{text}\n"))
    }

    /// Makes a move of the player to move, and describes it.
    fn make(&mut self, pit: u32, by: &str) -> Result<(), Failure> {
        let before = *self.board();
        self.history.record.play(pit).map_err(|illegal| refusal(&before, pit, illegal))?;
        self.history.forget_undone();
        let text = explain::describe_move(&before, pit, self.board());
        self.is_changed = true;
        self.terminal.print_styled(&format!("{text}{by}\n"))
    }

    fn computer_move(&mut self, player: Player) -> Result<(), Failure> {
        let board = *self.board();
        let (choice, seconds) = self.choose(player)?;
        let by = match &choice.search {
            Some(search) => format!("  ({player}: {} boards, {seconds:.2} s)", search.nodes),
            None => format!("  ({player})"),
        };
        if let Some(search) = choice.search {
            self.last_search = Some(LastSearch { player, board, search, seconds });
        }
        let by = self.paint.faint(&by);
        self.make(choice.pit, &by)
    }

    /// Chooses a player's move on the current board; also returns the time taken, in seconds.
    fn choose(&mut self, player: Player) -> Result<(Choice, f64), Failure> {
        let record = &self.history.record;
        let turn = Turn { game: record.heading.number, ply: record.cells().len() as u32 };
        let board = *record.board();
        let seat = self.seated.iter().position(|&seated| seated == RowPlayer::Computer(player));
        let (seed, began) = (self.seed, Instant::now());
        let choice = if let Some(seat) = seat.and_then(|seat| self.seats[seat].as_mut()) {
            seat.choose(&board, turn)?
        } else {
            Seat::new(player, board.game(), seed, available_threads())?.choose(&board, turn)?
        };
        Ok((choice, began.elapsed().as_secs_f64()))
    }

    /// Returns the player that gives hints: the computer player of the game, unless it is random.
    fn adviser(&self) -> Player {
        let player = self.seated.iter().find_map(|seated| match seated {
            RowPlayer::Computer(player) if *player != Player::Random => Some(*player),
            _ => None,
        });
        player.unwrap_or(self.adviser)
    }

    fn execute(&mut self, command: Command) -> Result<Next, Failure> {
        match command {
            Command::Pit(pit) => {
                let pit = pit.wrapping_sub(1);
                self.make(pit, "")?;
            }
            Command::Hint => self.hint()?,
            Command::Undo => {
                let undone = self.history.undo(self.seated);
                if undone == 0 {
                    return Err(Failure::input("undo", "there is no move of yours to take back", "play one"));
                }
                self.after_undo(&format!("{} taken back\n", explain::moves_of(undone)))?;
            }
            Command::Redo => {
                let made = self.history.redo(self.seated);
                if made == 0 {
                    return Err(Failure::input("redo", "no move was taken back", "`undo` takes one back"));
                }
                self.after_undo(&format!("{} made again\n", explain::moves_of(made)))?;
            }
            Command::Level(level) => self.set_level(&level)?,
            Command::Moves => {
                let text =
                    format!("{}so far: {}\n", explain::legal_moves(self.board()), explain::moves(&self.history.record));
                self.terminal.print(&text)?;
            }
            Command::Eval => self.eval()?,
            Command::New => self.begin_another(self.history.record.boards()[0])?,
            Command::Position(None) => {
                let text = format!("{}\n", self.board());
                self.terminal.print(&text)?;
            }
            Command::Position(Some(text)) => {
                let board = board_flags::position(&text, self.game().empty_capture());
                self.begin_another(board.map_err(|error| error.with_places(|_| "position".to_owned()))?)?;
            }
            Command::Save(file) => {
                files::save(&file, &self.history.record)?;
                self.terminal.print("saved\n")?;
            }
            Command::Load(file, number) => {
                let (record, all) = files::load(&file, number)?;
                let players = format!("{} against {}", record.heading.bottom, record.heading.top);
                let which = format!("game {} of {all}", number.unwrap_or(1));
                self.earlier.push(self.history.record.clone());
                self.begin(record)?;
                let so_far = explain::moves(&self.history.record);
                let text = format!("{which}, {players}: {so_far}\n");
                self.terminal.print(&throng_core::printable(&text))?;
            }
            Command::Swap => {
                self.seated.swap(0, 1);
                self.take_seats()?;
            }
            Command::Help => self.terminal.print(help::HELP)?,
            Command::Quit => return Ok(Next::End),
            Command::Nothing => {}
        }
        Ok(Next::GoOn)
    }

    /// Keeps the current game and starts another one from a board.
    fn begin_another(&mut self, start: Board) -> Result<(), Failure> {
        self.earlier.push(self.history.record.clone());
        self.try_to_write_record()?;
        self.begin(Record::of_board(start))
    }

    fn after_undo(&mut self, text: &str) -> Result<(), Failure> {
        self.last_search = None;
        self.is_changed = true;
        self.terminal.print(text)
    }

    fn hint(&mut self) -> Result<(), Failure> {
        if self.board().is_over() {
            return Err(Failure::input("hint", "the game is over", "`new` begins another one, `undo` goes back"));
        }
        let (player, board) = (self.adviser(), *self.board());
        let (Choice { pit, search }, _) = self.choose(player)?;
        // A player with a time limit does not search if there is only one legal move.
        let why = search.map_or_else(|| "the only legal move\n".to_owned(), |search| explain::search(&board, &search));
        self.terminal.print(&format!("{player} would play {}: {why}", pit + 1))
    }

    /// Sets the level of the computer players and of hints: a depth, a time in seconds, or the name of a player.
    fn set_level(&mut self, level: &str) -> Result<(), Failure> {
        let is_number = level.starts_with(|c: char| c.is_ascii_digit());
        let name = if is_number { format!("alpha-beta:{level}") } else { level.to_owned() };
        let player = Player::read(&name, "level")?;
        let mut is_playing = false;
        for seated in &mut self.seated {
            if let RowPlayer::Computer(computer) = seated {
                *computer = player;
                is_playing = true;
            }
        }
        if !is_playing && player == Player::Random {
            let remedy = "no computer plays, and random moves are no hints: name a player that searches";
            return Err(Failure::input("level", player.to_string(), remedy));
        }
        if player != Player::Random {
            self.adviser = player;
        }
        self.last_search = None;
        self.take_seats()?;
        if is_playing {
            return Ok(());
        }
        self.terminal.print(&format!("{player} gives the hints; to play against it, begin with --top {player}\n"))
    }

    /// Shows the computer's last search, or searches the current board.
    fn eval(&mut self) -> Result<(), Failure> {
        if self.last_search.is_none() && !self.board().is_over() {
            let (player, board) = (self.adviser(), *self.board());
            let (choice, seconds) = self.choose(player)?;
            self.last_search = choice.search.map(|search| LastSearch { player, board, search, seconds });
        }
        let text = match &self.last_search {
            None => "no search yet\n".to_owned(),
            Some(LastSearch { player, board, search, seconds }) => {
                let side = board.to_move().name();
                format!("{player}, with {side} to move, in {seconds:.2} s: {}", explain::search(board, search))
            }
        };
        self.terminal.print(&text)
    }

    /// Writes the record during a game. The game continues if that fails, because the cause, such as a full disk, may
    /// be temporary. Only the first of consecutive failures is reported.
    fn try_to_write_record(&mut self) -> Result<(), Failure> {
        let written = self.write_record();
        let had_reported = std::mem::replace(&mut self.has_reported_failure, written.is_err());
        match written {
            Err(failure) if !had_reported => {
                let text = format!(
                    "{failure}\n    the game continues, and the next move tries again; `save FILE` writes the moves elsewhere"
                );
                let text = self.paint.red(&throng_core::printable(&text));
                self.terminal.print_styled(&format!("{text}\n"))
            }
            _ => Ok(()),
        }
    }

    /// Writes all games to the file of `--record`.
    fn write_record(&mut self) -> Result<(), Failure> {
        let Some(file) = &self.record_file else { return Ok(()) };
        let last = Some(&self.history.record).filter(|record| !record.cells().is_empty());
        let all = self.earlier.iter().filter(|record| !record.cells().is_empty());
        let is_pushed = self.earlier.last() == last;
        files::write(file, all.chain(last.filter(|_| !is_pushed)))
    }
}

fn refusal(board: &Board, pit: u32, illegal: Illegal) -> Failure {
    let legal: Vec<String> = legal_pits(board).iter().map(|pit| (pit + 1).to_string()).collect();
    let message = match illegal {
        Illegal::NoPit => "there is no such pit",
        Illegal::Empty => "the pit is empty",
        Illegal::Over => "the game is over",
    };
    let remedy = match illegal {
        Illegal::Over => "`new` begins another one, `undo` goes back".to_owned(),
        _ => format!("{} may play {}", board.to_move().name(), legal.join(" ")),
    };
    Failure::input(format!("pit {}", u64::from(pit.wrapping_add(1))), message, remedy)
}
