//! The arguments and the file that are passed to programs that open pages.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use throng_view::open_browser;

const URL: &str = "http://127.0.0.1:7/0123456789abcdef0123456789abcdef/";
/// A fake opener that records its arguments, and the content and permissions of the file.
const OPENER: &str = r#"#!/bin/sh
PATH=/usr/bin:/bin
tr '\0' ' ' < /proc/$$/cmdline > "$THRONG_TEST_NOTES/command"
cat "$1" > "$THRONG_TEST_NOTES/page"
stat -c %a "$1" "$(dirname "$1")" > "$THRONG_TEST_NOTES/modes"
"#;

#[test]
fn the_command_line_does_not_contain_the_token() {
    let name = "browser::the_command_line_does_not_contain_the_token";
    // The environment can only be set for child processes, so this test runs itself again with its own opener.
    if std::env::var_os("THRONG_TEST_NOTES").is_some() {
        drop(open_browser(URL).unwrap());
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let opener = dir.path().join("xdg-open");
    fs::write(&opener, OPENER).unwrap();
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
    let status = Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact"])
        .env("PATH", dir.path())
        .env("DISPLAY", ":0")
        .env("THRONG_TEST_NOTES", dir.path())
        .status()
        .unwrap();
    assert!(status.success());
    let noted = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    let command = noted("command");
    assert!(!command.contains("0123456789abcdef") && command.trim_end().ends_with("/open.html"), "{command}");
    assert!(noted("page").contains(&format!("content=\"0; url={URL}\"")), "{}", noted("page"));
    assert_eq!(noted("modes"), "600\n700\n");
    let file = command.split_whitespace().last().unwrap();
    assert!(!Path::new(file).exists() && !Path::new(file).parent().unwrap().exists(), "{file} is left");
}
