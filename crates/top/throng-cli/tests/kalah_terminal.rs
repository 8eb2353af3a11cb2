//! Kalah with the real binary: in a pseudo-terminal, in a pipe, and as a tournament.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use throng_testing::{program, repository};

use crate::common::text;

fn throng() -> Command {
    Command::new(program(env!("CARGO_BIN_EXE_throng")))
}

/// Returns the output of a command to which these lines are typed.
fn typed(mut command: Command, lines: impl AsRef<[u8]>) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary was built for this test");
    child.stdin.take().unwrap().write_all(lines.as_ref()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_game_can_be_played_in_a_pseudo_terminal() {
    // util-linux provides the terminal, so the test needs no terminal library and no unsafe code.
    let has_script = Command::new("script")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success() && text(&output.stdout).contains("util-linux"));
    if !has_script {
        throng_testing::skip(throng_testing::Needs::Script, "there is no `script` of util-linux");
        return;
    }
    let binary = program(env!("CARGO_BIN_EXE_throng"));
    let mut command = Command::new("script");
    command.env("THRONG", binary).env_remove("NO_COLOR").arg("--quiet").arg("--return").arg("--command");
    command.arg("\"$THRONG\" play kalah --pits 3 --stones 2 --top greedy").arg("/dev/null");
    let output = typed(command, "2\nundo\n3\nquit\n");
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}");
    // Expects colours, and typed text only once: the terminal echoes it, not the program.
    assert!(shown.contains("\u{1b}[32m   1 \u{1b}[0m"), "{shown}");
    assert!(shown.contains("bottom sows pit 2") && shown.contains("taken back") && shown.contains("bottom sows pit 3"));
    assert_eq!(shown.matches("undo\r\n").count(), 1, "{shown}");
}

#[test]
fn a_game_can_be_played_through_a_pipe() {
    let mut command = throng();
    command.args(["play", "kalah", "--pits", "3", "--stones", "2", "--top", "greedy"]);
    let output = typed(command, "2\n7\n");
    let shown = text(&output.stdout);
    assert!(output.status.success() && !shown.contains('\u{1b}'), "{shown}");
    assert!(
        shown.contains("pit 1 2 3: 2\nbottom sows pit 2") && shown.contains("pit 7: there is no such pit"),
        "{shown}"
    );
    assert!(shown.ends_with("The input has ended, and so does the game.\n"), "{shown}");
    // Neither invalid UTF-8 nor an endless line ends the game.
    let mut command = throng();
    command.args(["play", "kalah", "--pits", "3", "--stones", "2", "--top", "greedy"]);
    let output = typed(command, [b"\xff\n", vec![b'x'; 100_000].as_slice(), b"\n2\n"].concat());
    let shown = text(&output.stdout);
    assert!(output.status.success() && shown.contains("pit 1 2 3: 2\nbottom sows pit 2"), "{shown}");
}

#[test]
fn wrong_arguments_are_refused_with_a_remedy_and_exit_code_2() {
    let output = throng().args(["play", "kalah", "--top", "greddy", "--pits", "9"]).output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("--top: no player \"greddy\"\n    did you mean \"greedy\"?"), "{message}");
    assert!(message.contains("--pits: 9\n    give a whole number from 1 to 6"), "{message}");
    let help = text(&throng().args(["play", "kalah", "--help"]).output().unwrap().stdout);
    assert!(help.contains("--empty-capture") && help.contains("alpha-beta:Ts"), "{help}");
}

/// The hash of the first games of the example. Only a change to a rule, a player or the example may change it.
#[test]
fn the_example_reproduces_its_stored_result() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("run");
    let mut command = throng();
    command.arg("run").arg(repository().join("examples/kalah")).args(["--steps", "60", "--out"]).arg(&folder);
    let output = command.output().unwrap();
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(shown.contains("e01cb8a5337a9c8a after game 60"), "{shown}");
    assert!(folder.join("report.html").is_file() && folder.join("manifest.json").is_file());
}

#[test]
fn check_accepts_the_group_of_games() {
    let output = throng().args(["check", "games", "--device", "cpu"]).output().unwrap();
    let shown = text(&output.stdout);
    assert!(output.status.success() && shown.starts_with("kalah on cpu\n"), "{shown}");
    let help = text(&throng().args(["check", "--help"]).output().unwrap().stdout);
    assert!(help.contains("games:") && help.contains("All of the group: collision, social-field"), "{help}");
}
