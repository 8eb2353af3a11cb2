//! Tests the files of the solver: endgame bases and tables that are valid, truncated, corrupted or of another game; and
//! the commands.

use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use throng_core::{NoProgress, Progress};
use throng_games::kalah::{
    ENDGAMES_NAME, Endgames, EndgamesGenerator, Game, Side, Solution, SolveKalah, SolveRequest, solve,
};
use throng_model::Failure;
use throng_model::flags::Flags;
use throng_model::generator::{GenerateRequest, Generator};
use throng_model::tool::{Printed, Tool, ToolEnd, ToolRequest};

fn kalah(pits: u32, stones: u32) -> Game {
    Game::new(pits, stones).unwrap()
}

/// Returns the message about a file, without the folder.
fn message_of(path: &Path, error: &dyn std::fmt::Display) -> String {
    error.to_string().replace(&path.display().to_string(), "FILE")
}

/// Checks that `read` rejects the file if it is truncated at one of many places, or if a byte there is changed.
fn damaged(path: &Path, read: &dyn Fn() -> Option<String>) {
    assert_eq!(read(), None);
    let whole = fs::read(path).unwrap();
    let places: Vec<usize> = (0..whole.len()).filter(|at| *at < 64 || at % 977 == 0 || at + 20 > whole.len()).collect();
    for &at in &places {
        fs::write(path, &whole[..at]).unwrap();
        let error = read().unwrap_or_else(|| panic!("{at} bytes"));
        // A file with only part of its kind may belong to another program, so no message advises deleting it.
        let expected = match at {
            0..8 => "FILE: is a file of another kind\n    name a file that is",
            _ => "FILE: is cut short\n    delete it and create it again",
        };
        assert!(error.starts_with(expected), "{at} bytes: {error}");
        let mut changed = whole.clone();
        changed[at] ^= 0x10;
        fs::write(path, &changed).unwrap();
        let error = read().unwrap_or_else(|| panic!("byte {at} changed"));
        assert!(error.starts_with("FILE: is "), "byte {at}: {error}");
        assert_eq!(error.contains("delete"), at >= 8, "byte {at}: {error}");
    }
    fs::write(path, [&whole[..], b"x"].concat()).unwrap();
    assert!(read().unwrap().starts_with("FILE: has data after its end"));
    fs::write(path, &whole).unwrap();
    assert_eq!(read(), None);
}

#[test]
fn endgames_are_read_back_from_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("endgames");
    let game = kalah(4, 6);
    let endgames = Endgames::build(game, 7, &NoProgress).unwrap();
    endgames.write(&path).unwrap();
    let read = Endgames::read(&path, kalah(4, 3)).unwrap();
    let board = throng_games::kalah::Board::read(game, "1 0 2 0 20 | 0 3 0 1 21 top").unwrap();
    assert_eq!((read.most_stones(), read.margin(&board)), (7, endgames.margin(&board)));
    damaged(&path, &|| Endgames::read(&path, game).err().map(|error| message_of(&path, &error)));
    let of_other = |game| Endgames::read(&path, game).err().map(|error| message_of(&path, &error)).unwrap();
    assert_eq!(
        of_other(kalah(5, 6)),
        "FILE: is for 4 pits with the standard rule\n    use a base for 5 pits with the standard rule"
    );
    assert!(of_other(game.with_empty_capture(true)).ends_with("use a base for 4 pits with empty capture"));
    let missing = Endgames::read(&folder.path().join("endgame"), game).err().unwrap().to_string();
    assert!(missing.contains("cannot be read") && missing.contains("did you mean"), "{missing}");
    fs::write(&path, "endgames of a novel, which are no such thing").unwrap();
    assert!(of_other(game).starts_with("FILE: is a file of another kind\n    name a file that is an endgame base"));
}

#[test]
fn bases_of_too_many_stones_are_refused() {
    let too_many = Endgames::build(kalah(6, 6), 35, &NoProgress).err().unwrap().to_string();
    assert_eq!(too_many, "endgames: 35 stones\n    give a whole number from 0 to 34");
}

fn request(game: Game, table: &Path) -> SolveRequest {
    SolveRequest { table_file: Some(table.to_owned()), ..SolveRequest::new(game.start(Side::Top)) }
}

#[test]
fn tables_are_read_back_from_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let game = kalah(4, 3);
    let first = solve(&request(game, &path), &NoProgress).unwrap();
    let second = solve(&SolveRequest { table_bytes: 1 << 18, ..request(game, &path) }, &NoProgress).unwrap();
    assert_eq!((second.value, &second.moves), (first.value, &first.moves));
    // Everything was already in the table.
    assert!(second.nodes < first.nodes + first.nodes / 10, "{} after {}", second.nodes, first.nodes);
    damaged(&path, &|| solve(&request(game, &path), &NoProgress).err().map(|error| message_of(&path, &error)));
    for other in [kalah(4, 4), kalah(3, 3), game.with_empty_capture(true)] {
        let error = solve(&request(other, &path), &NoProgress).err().unwrap();
        assert_eq!(error.exit_code(), 2);
        let error = message_of(&path, &error);
        assert!(
            error.starts_with("FILE: is for 4 pits, 3 stones each, standard rule\n    name a table for"),
            "{error}"
        );
    }
}

/// Records the names of phases, notes and warnings.
#[derive(Default)]
struct RecordedProgress(Mutex<Vec<String>>);

impl RecordedProgress {
    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

impl Progress for RecordedProgress {
    fn begin(&self, phase: &str, _: Option<u64>, _: &'static str) {
        self.note(phase);
    }

    fn note(&self, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }

    fn warn(&self, text: &str) {
        self.note(text);
    }
}

#[test]
fn unusable_tables_are_refused_before_endgames_are_built() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let nowhere = folder.path().join("no/table");
    fs::write(&path, "a novel, in a file of this name").unwrap();
    for (file, expected) in [(&path, "is a file of another kind"), (&nowhere, "No such file")] {
        let progress = RecordedProgress::default();
        let name = file.display().to_string();
        let request = ToolRequest { input: None, flags: flags(&[("pits", "4"), ("stones", "3"), ("table", &name)]) };
        let failure = SolveKalah.run(&request, &mut Printed::default(), &progress).unwrap_err();
        assert!(failure.to_string().contains(expected), "{failure}");
        assert_eq!(progress.lines(), Vec::<String>::new());
    }
    let request = ToolRequest { input: None, flags: flags(&[("pits", "4"), ("stones", "3"), ("save-every", "0")]) };
    let failure = SolveKalah.run(&request, &mut Printed::default(), &RecordedProgress::default()).unwrap_err();
    assert_eq!(failure.to_string(), "--save-every: 0\n    give a whole number, 1 or more");
    fs::remove_file(&path).unwrap();
    let progress = RecordedProgress::default();
    let name = path.display().to_string();
    let request = ToolRequest { input: None, flags: flags(&[("pits", "4"), ("stones", "3"), ("table", &name)]) };
    SolveKalah.run(&request, &mut Printed::default(), &progress).unwrap();
    assert_eq!(progress.lines()[..2], ["endgames", "solving"]);
}

#[test]
fn leftovers_of_interrupted_saves_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let partial = folder.path().join("table.partial");
    fs::write(&partial, "half a table").unwrap();
    let progress = RecordedProgress::default();
    solve(&request(kalah(3, 2), &path), &progress).unwrap();
    let expected = format!("{} is left over from a save that was interrupted; delete it", partial.display());
    assert!(progress.lines()[0].starts_with(&expected), "{:?}", progress.lines());
    assert_eq!(fs::read_to_string(&partial).unwrap(), "half a table", "it may belong to another process");
    fs::remove_file(&partial).unwrap();
    solve(&request(kalah(3, 2), &path), &progress).unwrap();
    assert_eq!(progress.lines().iter().filter(|line| line.contains("left over")).count(), 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "a finished session leaves only the table behind");
}

const TABLE: &str = "THRONG_TEST_KALAH_TABLE";

fn interrupted_game() -> Game {
    kalah(4, 4)
}

/// The process that the test of killed searches starts and kills.
#[test]
fn solver_process_of_the_test_below() {
    let Some(table) = env::var_os(TABLE) else { return };
    let every = Duration::from_millis(1);
    let request = SolveRequest { write_every: every, ..request(interrupted_game(), Path::new(&table)) };
    solve(&request, &NoProgress).unwrap();
}

/// Returns the nodes of all sessions so far: the first word of the table file's first block.
fn saved_nodes(table: &Path) -> u64 {
    saved_word(table, 56)
}

/// Returns a word of the table file, or 0 if the file does not exist yet.
fn saved_word(table: &Path, at: u64) -> u64 {
    let mut word = [0; 8];
    let mut read = || -> io::Result<()> {
        let mut file = fs::File::open(table)?;
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut word)
    };
    read().map_or(0, |()| u64::from_le_bytes(word))
}

#[test]
fn killed_searches_resume_from_their_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let whole = solve(&SolveRequest::new(interrupted_game().start(Side::Top)), &NoProgress).unwrap();
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "kalah_solver_files::solver_process_of_the_test_below"])
        .env(TABLE, &path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while saved_nodes(&path) < whole.nodes / 3 {
        assert!(began.elapsed() < Duration::from_mins(2), "no table");
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(child.try_wait().unwrap(), None, "the search is not over");
    child.kill().unwrap();
    child.wait().unwrap();
    let (saved, request, progress) =
        (saved_nodes(&path), request(interrupted_game(), &path), RecordedProgress::default());
    let resumed = solve(&request, &progress).unwrap();
    assert_eq!((resumed.value, &resumed.moves), (2, &whole.moves));
    assert!(progress.lines()[0].starts_with(&format!("resuming after {saved} nodes")), "{:?}", progress.lines());
    // The nodes of both sessions add up. A single thread searches the same tree each time, except for what the table
    // has.
    let nodes = resumed.nodes - saved;
    assert!(nodes < whole.nodes - saved / 4, "{nodes} nodes after {saved}, and {} without a table", whole.nodes);
    // The table now has everything, so almost all time and nodes belong to earlier sessions.
    let before = Duration::from_millis(saved_word(&path, 64));
    let Solution { time, nodes, .. } = solve(&request, &NoProgress).unwrap();
    assert!(!before.is_zero() && time >= before && nodes >= resumed.nodes, "{time:?}, {nodes} nodes");
}

fn flags(given: &[(&str, &str)]) -> Flags {
    let mut flags = Flags::default();
    for (name, value) in given {
        flags.add(*name, *value);
    }
    flags
}

fn run(given: &[(&str, &str)]) -> Result<String, Failure> {
    let mut printed = Printed::default();
    let request = ToolRequest { input: None, flags: flags(given) };
    assert_eq!(SolveKalah.run(&request, &mut printed, &NoProgress)?, ToolEnd::Done);
    Ok(printed.0)
}

#[test]
fn the_commands() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("endgames");
    let generate = |given| {
        let request = GenerateRequest { out: out.clone(), overwrite: false, flags: flags(given) };
        EndgamesGenerator.generate(&request, &NoProgress)
    };
    let text = generate(&[("pits", "4"), ("stones", "6")]).unwrap();
    assert!(text.starts_with("positions  3003, with at most 6 stones in the pits\n"), "{text}");
    let file = out.join(ENDGAMES_NAME).display().to_string();
    let text = run(&[("pits", "4"), ("stones", "4"), ("endgames", &file), ("memory", "1MiB")]).unwrap();
    let values =
        "value      +2 for the player to move\npit 1      +2  best\npit 2      +0\npit 3      +0\npit 4      -2\n";
    assert!(text.starts_with("Kalah      4 pits, 4 stones each, standard rule\n"), "{text}");
    assert!(text.contains(values), "{text}");
    // After the best first move, pit 1, the same player moves again.
    let text = run(&[("position", "0 5 5 5 1 | 4 4 4 4 0 bottom"), ("memory", "1MiB")]).unwrap();
    assert!(
        text.starts_with("Kalah      4 pits, 4 stones each, standard rule\nboard      0 5 5 5 1 | 4 4 4 4 0 bottom\n")
    );
    assert!(text.contains("value      +2 for the player to move\n"), "{text}");
    assert_eq!(generate(&[("pits", "7")]).unwrap_err().exit_code(), 2);
    for (given, expected) in [
        (&[("pits", "0")][..], "--pits: 0\n    give a whole number from 1 to 6"),
        (&[("stones", "x")], "--stones: "),
        (&[("position", "1 2 3")], "--position: 3\n    end with the player to move, `top` or `bottom`"),
        (&[("position", "0 0 4 | 2 2 0 top")], "--position: the game is over"),
        (&[("threads", "0")], "--threads: 0"),
        (&[("memory", "4")], "--memory: \"4\"\n    give a size such as 512MiB or 4GiB"),
        (&[("endgames", "x"), ("endgame-stones", "3")], "--endgame-stones: is given with --endgames"),
        (&[("endgame-stones", "35")], "--endgame-stones: 35"),
        (&[("table", "")], "--table: is empty\n    name a file, or leave the flag out"),
        (&[("endgames", "")], "--endgames: is empty\n    name a file, or leave the flag out"),
        (&[("pist", "3")], "--pist: "),
    ] {
        let failure = run(given).unwrap_err();
        assert_eq!(failure.exit_code(), 2);
        assert!(failure.to_string().starts_with(expected), "{failure}");
    }
}
