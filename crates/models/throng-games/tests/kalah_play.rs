//! Plays games in a terminal that types the lines of a test.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use throng_core::NoProgress;
use throng_games::kalah::play::PlayKalah;
use throng_games::kalah::{Game, Record, Side};
use throng_model::Failure;
use throng_model::flags::Flags;
use throng_model::tool::{Terminal, Tool as _, ToolEnd, ToolRequest};

/// Types lines, and keeps the output.
struct Script {
    lines: VecDeque<String>,
    printed: String,
    is_interactive: bool,
}

impl Terminal for Script {
    fn print(&mut self, text: &str) -> Result<(), Failure> {
        self.printed += text;
        Ok(())
    }

    fn ask(&mut self, prompt: &str) -> Result<Option<String>, Failure> {
        self.printed += prompt;
        Ok(self.lines.pop_front())
    }

    fn is_interactive(&self) -> bool {
        self.is_interactive
    }
}

fn play_on(is_interactive: bool, flags: &[(&str, &str)], lines: &[&str]) -> Result<String, String> {
    let mut given = Flags::default();
    for (name, value) in flags {
        given.add(*name, *value);
    }
    let lines = lines.iter().map(|line| (*line).to_owned()).collect();
    let mut script = Script { lines, printed: String::new(), is_interactive };
    let request = ToolRequest { input: None, flags: given };
    let end = PlayKalah.run(&request, &mut script, &NoProgress).map_err(|failure| failure.text())?;
    assert_eq!(end, ToolEnd::Done);
    Ok(script.printed)
}

fn play(flags: &[(&str, &str)], lines: &[&str]) -> String {
    play_on(false, flags, lines).unwrap()
}

const SMALL: [(&str, &str); 3] = [("pits", "3"), ("stones", "2"), ("top", "greedy")];

/// Removes seconds, which differ from run to run.
fn without_seconds(text: &str) -> String {
    let line = |line: &str| match (line.rfind(", in "), line.find(" s: "), line.rfind(" boards, ")) {
        (Some(from), Some(to), _) if from < to => format!("{}{}", &line[..from], &line[to + 2..]),
        (.., Some(from)) if line.ends_with(" s)") => format!("{} boards)", &line[..from]),
        _ => line.to_owned(),
    };
    text.lines().map(|one| line(one) + "\n").collect()
}

#[test]
fn a_game_matches_the_stored_transcript() {
    let lines = ["2", "eval", "1", "moves", "undo", "redo", "3", "hint", "swap", "quit"];
    let found = without_seconds(&play(&SMALL, &lines));
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kalah_play.txt");
    if std::env::var_os("THRONG_STORE").is_some() {
        std::fs::write(&stored, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(stored).unwrap());
}

#[test]
fn the_end_of_the_input_ends_the_game() {
    let text = play(&SMALL, &["1"]);
    assert!(text.ends_with("pit 2 3: \nThe input has ended, and so does the game.\n"), "{text}");
}

#[test]
fn the_prompt_returns_after_the_error_of_an_invalid_command() {
    for (line, expected) in [
        ("4", "pit 4: there is no such pit\n    bottom may play 1 2 3\n"),
        ("0", "pit 0: there is no such pit\n"),
        ("99999999999", "99999999999: no such command\n    type the number of a pit; known: hint, undo"),
        ("undo", "undo: there is no move of yours to take back"),
        ("redo", "redo: no move was taken back\n    `undo` takes one back"),
        ("level 0", "level: no player \"alpha-beta:0\"\n    give a depth from 1 to 63"),
        ("level grandmaster", "level: no player \"grandmaster\"\n    known: random, greedy"),
        ("load no/such/file.txt", "no/such/file.txt: cannot be read"),
        #[cfg(unix)]
        ("load /dev/zero", "/dev/zero: cannot be read: it is a device, not a file"),
        ("save no/such/folder/game.txt", "save: "),
        ("pit 3", "pit: no such command"),
        ("save", "save: its argument is missing\n    such as `save game.txt`"),
    ] {
        let text = play(&SMALL, &[line, "quit"]);
        assert!(text.contains(&format!("pit 1 2 3: {line}\n{expected}")), "{line}: {text}");
        assert!(text.ends_with("pit 1 2 3: quit\n"), "the prompt is shown again: {text}");
    }
    let twice = play(&SMALL, &["3", "3"]);
    assert!(twice.contains("pit 3: the pit is empty\n    bottom may play"), "{twice}");
}

#[test]
fn invalid_flags_are_refused_together() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml").display().to_string();
    let flags = [("pits", "7"), ("stones", "x"), ("top", "grandmaster"), ("seed", "?"), ("record", file.as_str())];
    let error = play_on(false, &flags, &[]).unwrap_err();
    for expected in [
        "error: 5 problems\n",
        "--pits: 7\n    give a whole number from 1 to 6\n",
        "--stones: x\n    give a whole number from 1 to 6\n",
        "--top: no player \"grandmaster\"\n    known: human, random, greedy, minimax:N, alpha-beta:N, alpha-beta:Ts\n",
        "--seed: ?\n    give a whole number\n",
        "exists\n    name a new file",
    ] {
        assert!(error.contains(expected), "{expected}: {error}");
    }
    let nowhere = play_on(false, &[("record", "no/such/folder/game.txt")], &[]).unwrap_err();
    assert!(nowhere.contains("--record: there is no folder no/such/folder\n    create it"), "{nowhere}");
    let unnamed = play_on(false, &[("record", "")], &[]).unwrap_err();
    assert!(unnamed.contains("--record: is empty\n    name a file, or leave the flag out"), "{unnamed}");
    let misspelt = play_on(false, &[("bottom", "humen")], &[]).unwrap_err();
    assert!(misspelt.contains("--bottom: no player \"humen\"\n    did you mean \"human\"?"), "{misspelt}");
    assert!(play_on(false, &[("colour", "")], &[]).unwrap_err().contains("--colour: play kalah has no such flag"));
}

#[test]
fn games_are_saved_and_loaded() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("my game.txt").display().to_string();
    let (save, load) = (format!("save {file}"), format!("load {file}"));
    let text = play(&SMALL, &["2", "3", &save, &save, "undo", &load, "quit"]);
    assert!(text.contains("saved\n") && text.contains(&format!("save: {file} exists\n    name a new file")), "{text}");
    assert!(text.contains("game 1 of 1, human against greedy: bottom 2 3, top"), "{text}");
    let records = Record::read_all(&std::fs::read_to_string(&file).unwrap(), "a").unwrap();
    assert_eq!((records[0].game(), records[0].begins()), (Game::new(3, 2).unwrap(), Side::Bottom));
    assert_eq!(records[0].heading.top, "greedy");
    // An illegal move is reported with its line.
    let wrong = std::fs::read_to_string(&file).unwrap().replace("moves: 1", "moves: 3");
    std::fs::write(&file, wrong).unwrap();
    let text = play(&SMALL, &[&load, "quit"]);
    assert!(
        text.contains("my game.txt:11, move 1: \"3\" is not a legal move\n    bottom is to move and may"),
        "{text}"
    );
    let text = play(&SMALL, &[&format!("{load} 2"), "quit"]);
    assert!(text.contains("move 1"), "{text}");
}

/// The report of a tournament recommends this way of replaying games.
#[test]
fn a_loaded_game_can_be_stepped_through() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.txt").display().to_string();
    let record = |moves: &[u32], opening: usize| {
        let mut record = Record::new(Game::new(2, 1).unwrap(), Side::Bottom);
        for (number, &pit) in moves.iter().enumerate() {
            if number == opening {
                record.end_opening();
            }
            record.play(pit).unwrap();
        }
        record
    };
    let games = [record(&[0, 0], 0), record(&[1, 0], 1)];
    std::fs::write(&file, Record::write_all(&games)).unwrap();
    let flags = [("top", "human")];
    let text = play(&flags, &[&format!("load {file}"), "undo", "undo", "undo", "redo", "redo", "redo", "quit"]);
    assert_eq!(text.matches("1 move taken back").count(), 2, "{text}");
    assert_eq!(text.matches("1 move made again").count(), 2, "{text}");
    assert_eq!(text.matches("undo: there is no move of yours to take back").count(), 1, "{text}");
    assert_eq!(text.matches("redo: no move was taken back").count(), 1, "{text}");
    // No player chose the moves of an opening, so `undo` stops there.
    let text = play(&flags, &[&format!("load {file} 2"), "undo", "undo", "quit"]);
    assert_eq!(text.matches("1 move taken back").count(), 1, "{text}");
    assert!(text.contains("undo: there is no move of yours to take back"), "{text}");
}

#[test]
fn two_computer_players_play_to_the_end_and_are_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("games.txt").display().to_string();
    let flags = [("bottom", "minimax:3"), ("top", "random"), ("seed", "7"), ("record", file.as_str())];
    let text = play(&flags, &[]);
    assert!(text.contains("The game is over: bottom ") && !text.contains("pit 1 2"), "{text}");
    let records = Record::read_all(&std::fs::read_to_string(&file).unwrap(), "a").unwrap();
    assert_eq!((records.len(), records[0].heading.seed, records[0].heading.bottom.as_str()), (1, 7, "minimax:3"));
    assert!(records[0].margin().is_some());
    let again = play(&flags[..3], &[]);
    assert_eq!(without_seconds(&again), without_seconds(&text), "the same seed");
}

#[test]
fn several_games_are_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("games.txt").display().to_string();
    let flags = [&SMALL[..], &[("record", file.as_str())]].concat();
    play(&flags, &["1", "new", "new", "2", "quit"]);
    let records = Record::read_all(&std::fs::read_to_string(&file).unwrap(), "a").unwrap();
    let first: Vec<u8> = records.iter().map(|record| record.cells()[0]).collect();
    assert_eq!(first, [0, 1]);
}

/// Types lines; removes a folder before the second line, and creates it again before a later one.
struct Removing {
    script: Script,
    folder: PathBuf,
    asked: usize,
    made_again_at: usize,
}

impl Terminal for Removing {
    fn print(&mut self, text: &str) -> Result<(), Failure> {
        self.script.print(text)
    }

    fn ask(&mut self, prompt: &str) -> Result<Option<String>, Failure> {
        self.asked += 1;
        if self.asked == 2 {
            std::fs::remove_dir_all(&self.folder).unwrap();
        } else if self.asked == self.made_again_at {
            std::fs::create_dir(&self.folder).unwrap();
        }
        self.script.ask(prompt)
    }

    fn is_interactive(&self) -> bool {
        false
    }
}

/// Plays a game of two humans whose record cannot be written after the first move; returns its end and the output.
fn played_without_folder(folder: &Path, made_again_at: usize) -> (Result<ToolEnd, String>, String) {
    std::fs::create_dir(folder).unwrap();
    let mut flags = Flags::default();
    let file = folder.join("game.txt").display().to_string();
    for (name, value) in [("top", "human"), ("record", file.as_str())] {
        flags.add(name, value);
    }
    let lines = ["3", "2", "1", "4", "quit"].map(str::to_owned).into();
    let script = Script { lines, printed: String::new(), is_interactive: false };
    let mut terminal = Removing { script, folder: folder.to_owned(), asked: 0, made_again_at };
    let end = PlayKalah.run(&ToolRequest { input: None, flags }, &mut terminal, &NoProgress);
    (end.map_err(|failure| failure.text()), terminal.script.printed)
}

#[test]
fn a_game_continues_after_a_failed_write_of_its_record() {
    let dir = tempfile::tempdir().unwrap();
    let (end, text) = played_without_folder(&dir.path().join("a"), 4);
    assert_eq!(end, Ok(ToolEnd::Done));
    assert_eq!(text.matches("the game continues, and the next move tries again").count(), 1, "{text}");
    let written = std::fs::read_to_string(dir.path().join("a/game.txt")).unwrap();
    assert_eq!(Record::read_all(&written, "a").unwrap()[0].cells().len(), 4, "all moves, once it can be written");
    // At the end of the command, a failure is an error.
    let (end, text) = played_without_folder(&dir.path().join("b"), 99);
    assert!(end.unwrap_err().contains("game.txt"));
    assert_eq!(text.matches("the game continues").count(), 1, "{text}");
    assert!(text.contains("quit\n"), "{text}");
}

#[test]
fn a_finished_game_can_be_taken_back() {
    let flags = [("pits", "1"), ("stones", "1"), ("top", "human")];
    let text = play(&flags, &["1", "1", "hint", "moves", "eval", "undo", "new", "quit"]);
    assert!(text.contains("The game is over: bottom 1, top 1, a draw.\nnew, undo, save FILE or quit: 1\n"), "{text}");
    assert!(text.contains("pit 1: the game is over\n    `new` begins another one, `undo` goes back\n"), "{text}");
    assert!(text.contains("hint: the game is over") && text.contains("so far: bottom 1\n"), "{text}");
    assert!(text.contains("no search yet\n") && text.contains("undo\n1 move taken back\n"), "{text}");
}

#[test]
fn colours_are_used_only_on_terminals() {
    let text = play_on(true, &SMALL, &["quit"]).unwrap();
    assert_eq!(text.contains("\x1b[32m"), std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()));
    assert!(!play(&SMALL, &["quit"]).contains('\x1b'));
}

#[test]
fn the_level_changes_the_computer() {
    let text = play(&SMALL, &["level 3", "level minimax:2", "level 0.05s", "quit"]);
    for name in ["top: alpha-beta:3\n", "top: minimax:2\n", "top: alpha-beta:0.05s\n"] {
        assert!(text.contains(name), "{text}");
    }
}

/// Both players are human, also after a game is loaded, so the level applies to hints.
#[test]
fn the_level_changes_hints_in_games_of_two_humans() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.txt");
    std::fs::write(&file, Record::new(Game::new(3, 2).unwrap(), Side::Bottom).to_string()).unwrap();
    let load = format!("load {}", file.display());
    let lines = [load.as_str(), "level 3", "hint", "level random", "level greedy", "eval", "quit"];
    let text = play(&[("top", "human")], &lines);
    assert!(
        text.contains("alpha-beta:3 gives the hints; to play against it, begin with --top alpha-beta:3\n"),
        "{text}"
    );
    assert!(text.contains("hint\nalpha-beta:3 would play "), "{text}");
    assert!(text.contains("level: random\n    no computer plays, and random moves are no hints"), "{text}");
    assert!(text.contains("eval\ngreedy, with bottom to move"), "{text}");
}

/// The expected values are the same as in the tests of the solver.
#[test]
fn hints_contain_proved_results() {
    for (pits, stones, expected) in [
        ("4", "3", "bottom wins by 6"),
        ("3", "2", "bottom wins by 4"),
        ("2", "2", "top wins by 2"),
        ("3", "1", "a draw"),
    ] {
        let flags = [("pits", pits), ("stones", stones), ("top", "human")];
        let text = play(&flags, &["level 63", "hint", "eval", "level 1", "hint", "level minimax:4", "hint", "quit"]);
        assert_eq!(text.matches(&format!("proved: {expected}; ")).count(), 2, "{text}");
        assert_eq!(text.matches(" would play ").count(), 3, "{text}");
    }
    let forced = play(&[("pits", "1"), ("stones", "1"), ("top", "human")], &["hint", "quit"]);
    assert!(forced.contains("alpha-beta:1s would play 1: the only legal move\nbottom, pit 1: "), "{forced}");
}

/// A board of another program, from issue 4 of py-mancala, with its cells separated by commas.
const BOARD: &str = "1,3,2,1,4,2,4,0,2,1,2,0,2,0 bottom";

#[test]
fn games_from_a_position_are_recorded_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("games.txt").display().to_string();
    let flags = [("top", "human"), ("position", BOARD), ("record", file.as_str())];
    let lines =
        ["position", "4", "undo", "undo", "5", "new", "position 1 0 | 0 1 top", "position 1 0 | 1 0 top", "1", "quit"];
    let text = play(&flags, &lines);
    assert!(text.contains("position\n1 3 2 1 4 2 4 | 0 2 1 2 0 2 0 bottom\n"), "{text}");
    assert!(text.contains("  0 +----+----+----+----+----+----+    4\n"), "{text}");
    assert!(text.contains("undo: there is no move of yours to take back"), "{text}");
    assert!(text.contains("position: the game is over: all pits of a row are empty\n    give a board with"), "{text}");
    let written = std::fs::read_to_string(&file).unwrap();
    let records = Record::read_all(&written, "a").unwrap();
    let starts: Vec<String> = records.iter().map(|record| record.boards()[0].to_string()).collect();
    assert_eq!(starts, ["1 3 2 1 4 2 4 | 0 2 1 2 0 2 0 bottom", "1 0 | 1 0 top"]);
    // The standard start needs no position.
    assert_eq!(written.matches("position: 1 3 2 1 4 2 4 | 0 2 1 2 0 2 0\nbegins: bottom\n").count(), 1, "{written}");
    assert_eq!(written.matches("position").count(), 1, "{written}");
    let again = play(&[("top", "human")], &[&format!("load {file}"), "position", "quit"]);
    assert!(again.contains(&format!("position\n{}\n", records[0].board())), "{again}");
    let error = play_on(false, &[("position", "1 2 3"), ("top", "x")], &[]).unwrap_err();
    assert!(error.contains("--position: 3\n    end with the player to move") && error.contains("--top: no"), "{error}");
}
