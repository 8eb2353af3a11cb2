//! Helpers for calling the program.

use std::process::{Command, Output};

use throng_testing::program;

/// Runs the program with these arguments, and with a cache that is not the user's.
pub fn throng(args: &[&str]) -> Output {
    let mut command = Command::new(program(env!("CARGO_BIN_EXE_throng")));
    command.args(args).env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command.output().expect("the binary was built for this test")
}

/// Returns the exit code.
pub fn code(output: &Output) -> i32 {
    output.status.code().expect("it was not ended by a signal")
}

/// Returns standard output.
pub fn out(output: &Output) -> String {
    text(&output.stdout)
}

/// Returns standard error.
pub fn err(output: &Output) -> String {
    text(&output.stderr)
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}
