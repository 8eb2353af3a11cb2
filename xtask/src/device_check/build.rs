//! Builds the programs of a check, and finds where Cargo put them.

use std::path::PathBuf;
use std::process::Stdio;

use serde_json::Value;

use super::place::THRONG;
use super::suites::{BIN, LIB, PROGRAMS, Program};
use crate::{cargo, name};

/// Builds the test programs and the command line. Gives each with its name in the folder of a check.
pub(super) fn programs(release: bool) -> Result<Vec<(String, PathBuf)>, String> {
    let mut command = cargo(&["test", "--no-run", "--message-format=json-render-diagnostics"]);
    if release {
        command.arg("--release");
    }
    let mut packages: Vec<&str> = PROGRAMS.iter().map(|program| program.package).collect();
    packages.dedup();
    for package in packages {
        command.args(["--package", package]);
    }
    command.args(targets());
    command.stderr(Stdio::inherit());
    let called = name(&command);
    let output = command.output().map_err(|error| format!("{called} cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{called}` failed ({})", output.status));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for program in &PROGRAMS {
        let test = executable(&messages, |artifact| is_test(artifact, program));
        found.push((program.file(), test.ok_or_else(|| format!("Cargo named no executable of {}", program.file()))?));
    }
    let throng = executable(&messages, |artifact| {
        artifact["target"]["kind"][0] == "bin" && artifact["target"]["name"] == THRONG
    });
    found.push((THRONG.to_owned(), throng.ok_or("Cargo named no executable of throng")?));
    Ok(found)
}

/// The options that choose the targets of the programs, each once: Cargo refuses a second `--lib`.
fn targets() -> Vec<&'static str> {
    let mut options: Vec<Vec<&str>> = Vec::new();
    for program in &PROGRAMS {
        let option = match program.target {
            LIB => vec!["--lib"],
            BIN => vec!["--bin", program.package],
            test => vec!["--test", test],
        };
        if !options.contains(&option) {
            options.push(option);
        }
    }
    options.concat()
}

/// The executable of the first message about one that is looked for.
fn executable(messages: &str, is_it: impl Fn(&Value) -> bool) -> Option<PathBuf> {
    let artifacts = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut executables = artifacts.filter(|artifact| artifact["executable"].is_string() && is_it(artifact));
    executables.next()?["executable"].as_str().map(PathBuf::from)
}

/// Whether a message of Cargo is about a test program. A package is named by its folder and version.
fn is_test(artifact: &Value, program: &Program) -> bool {
    let (kind, target) = match program.target {
        LIB => (LIB, None),
        BIN => (BIN, Some(program.package)),
        test => ("test", Some(test)),
    };
    let id = artifact["package_id"].as_str().unwrap_or_default();
    let folder = id.split('#').next().unwrap_or_default();
    artifact["profile"]["test"] == true
        && artifact["target"]["kind"][0] == kind
        && target.is_none_or(|target| artifact["target"]["name"] == target)
        && folder.ends_with(&format!("/{}", program.package))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGES: &str = r#"{"reason":"compiler-artifact","package_id":"path+file:///p/crates/throng-device#0.1.0","target":{"kind":["lib"],"name":"throng_device"},"profile":{"test":false},"executable":null}
{"reason":"compiler-artifact","package_id":"path+file:///p/crates/throng-cli#0.1.0","target":{"kind":["bin"],"name":"throng"},"profile":{"test":false},"executable":"/t/throng"}
{"reason":"compiler-artifact","package_id":"path+file:///p/crates/throng-fields#0.1.0","target":{"kind":["test"],"name":"devices"},"profile":{"test":true},"executable":"/t/devices-1"}
{"reason":"compiler-artifact","package_id":"path+file:///p/examples/flocking#0.1.0","target":{"kind":["bin"],"name":"flocking"},"profile":{"test":true},"executable":"/t/flocking-3"}
no message
{"reason":"compiler-artifact","package_id":"path+file:///p/crates/throng-traffic#0.1.0","target":{"kind":["lib"],"name":"throng_traffic"},"profile":{"test":true},"executable":"/t/throng_traffic-2"}"#;

    #[test]
    fn targets_are_named_once() {
        let targets = targets();
        for (option, times) in [("--lib", 1), ("golden", 1), ("rules", 1), ("flocking", 1)] {
            assert_eq!(targets.iter().filter(|found| **found == option).count(), times, "{option}");
        }
    }

    #[test]
    fn executables_in_the_messages_of_cargo() {
        let find = |package, target| {
            executable(MESSAGES, |artifact| is_test(artifact, &Program { package, target, only: &[] }))
        };
        assert_eq!(find("throng-fields", "devices"), Some("/t/devices-1".into()));
        assert_eq!(find("throng-traffic", LIB), Some("/t/throng_traffic-2".into()));
        assert_eq!(find("flocking", BIN), Some("/t/flocking-3".into()));
        assert_eq!(find("throng-device", LIB), None);
        assert_eq!(find("throng-traffic", "devices"), None);
    }
}
