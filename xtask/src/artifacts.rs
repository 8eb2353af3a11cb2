//! Programs and libraries built by Cargo, from its JSON messages.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::name;

/// A program of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Executable {
    /// Name of its package, which is also the name of the package's folder.
    pub(crate) package: String,
    /// Folder of its package.
    pub(crate) folder: PathBuf,
    pub(crate) kind: Kind,
    /// Name of its Cargo target.
    pub(crate) target: String,
    /// Path of the executable.
    pub(crate) path: PathBuf,
}

/// Kind of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// The unit tests of a library or a program.
    Unit,
    /// Integration tests.
    Integration,
    /// A program for users.
    Program,
}

/// A library of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Library {
    /// Folder of its package.
    pub(crate) folder: PathBuf,
    /// Name of the crate.
    pub(crate) name: String,
    /// Root file of its sources.
    pub(crate) source: PathBuf,
    pub(crate) edition: String,
    pub(crate) features: Vec<String>,
    /// Path of the built library.
    pub(crate) path: PathBuf,
}

/// Everything that Cargo has built.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Built {
    pub(crate) executables: Vec<Executable>,
    pub(crate) libraries: Vec<Library>,
}

/// Runs a Cargo build command with JSON messages on standard output, and returns the programs and libraries built.
pub(crate) fn built_by(mut command: Command) -> Result<Built, String> {
    command.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
    let called = name(&command);
    let output = command.output().map_err(|error| format!("{called} cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{called}` failed ({})", output.status));
    }
    Ok(artifacts(&String::from_utf8_lossy(&output.stdout)))
}

/// Extracts the programs, sorted, and the libraries from Cargo's messages.
fn artifacts(messages: &str) -> Built {
    let artifacts: Vec<Value> = messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let mut executables: Vec<Executable> = artifacts.iter().filter_map(executable).collect();
    // Cargo lists them in order of completion, which varies between a package's library and program.
    executables.sort_by(|a, b| (&a.package, a.kind, &a.path).cmp(&(&b.package, b.kind, &b.path)));
    Built { executables, libraries: artifacts.iter().filter_map(library).collect() }
}

fn executable(artifact: &Value) -> Option<Executable> {
    let path = artifact["executable"].as_str()?.into();
    let folder = Path::new(artifact["manifest_path"].as_str()?).parent()?;
    let kind = match (artifact["target"]["kind"][0].as_str()?, artifact["profile"]["test"].as_bool()?) {
        ("test", true) => Kind::Integration,
        ("lib" | "proc-macro" | "bin", true) => Kind::Unit,
        ("bin", false) => Kind::Program,
        _ => return None,
    };
    Some(Executable {
        package: folder.file_name()?.to_str()?.to_owned(),
        folder: folder.to_owned(),
        kind,
        target: artifact["target"]["name"].as_str()?.to_owned(),
        path,
    })
}

/// Workspace members have a path; all other packages come from a registry.
fn library(artifact: &Value) -> Option<Library> {
    let is_ours = artifact["package_id"].as_str()?.starts_with("path+");
    let target = &artifact["target"];
    if !is_ours || target["kind"][0] != "lib" || artifact["profile"]["test"] != false {
        return None;
    }
    let mut files = artifact["filenames"].as_array()?.iter().filter_map(Value::as_str);
    let features = artifact["features"].as_array()?.iter();
    Some(Library {
        folder: Path::new(artifact["manifest_path"].as_str()?).parent()?.to_owned(),
        name: target["name"].as_str()?.to_owned(),
        source: target["src_path"].as_str()?.into(),
        edition: target["edition"].as_str()?.to_owned(),
        features: features.filter_map(Value::as_str).map(str::to_owned).collect(),
        path: files.find(|file| Path::new(file).extension().is_some_and(|end| end == "rlib"))?.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGES: &str = r#"{"reason":"compiler-artifact","manifest_path":"/p/crates/device/throng-device/Cargo.toml","target":{"kind":["lib"],"name":"throng_device"},"profile":{"test":false},"executable":null}
{"reason":"compiler-artifact","package_id":"path+file:///p/crates/top/throng#0.1.0","manifest_path":"/p/crates/top/throng/Cargo.toml","target":{"kind":["lib"],"name":"throng","src_path":"/p/crates/top/throng/src/lib.rs","edition":"2024"},"profile":{"test":false},"features":["gpu","vulkan"],"filenames":["/t/libthrong-1.rlib","/t/libthrong-1.rmeta"],"executable":null}
{"reason":"compiler-artifact","package_id":"registry+https://example.org#libm@0.2.16","manifest_path":"/r/libm/Cargo.toml","target":{"kind":["lib"],"name":"libm","src_path":"/r/lib.rs","edition":"2021"},"profile":{"test":false},"features":[],"filenames":["/t/liblibm-1.rlib"],"executable":null}
{"reason":"compiler-artifact","manifest_path":"/p/crates/top/throng-cli/Cargo.toml","target":{"kind":["bin"],"name":"throng"},"profile":{"test":false},"executable":"/t/throng"}
{"reason":"compiler-artifact","manifest_path":"/p/crates/models/throng-fields/Cargo.toml","target":{"kind":["test"],"name":"fields"},"profile":{"test":true},"executable":"/t/fields-1"}
{"reason":"compiler-artifact","manifest_path":"/p/examples/flocking/Cargo.toml","target":{"kind":["bin"],"name":"flocking"},"profile":{"test":true},"executable":"/t/flocking-3"}
{"reason":"compiler-artifact","manifest_path":"/p/crates/models/throng-games/Cargo.toml","target":{"kind":["example"],"name":"kalah_speed"},"profile":{"test":false},"executable":"/t/kalah_speed"}
no message
{"reason":"compiler-artifact","manifest_path":"/p/crates/models/throng-traffic/Cargo.toml","target":{"kind":["lib"],"name":"throng_traffic"},"profile":{"test":true},"executable":"/t/throng_traffic-2"}"#;

    #[test]
    fn programs_and_libraries_are_read_from_cargo_messages() {
        let Built { executables: found, libraries } = artifacts(MESSAGES);
        let named: Vec<_> = found.iter().map(|one| (one.package.as_str(), one.kind, one.target.as_str())).collect();
        let expected = [
            ("flocking", Kind::Unit, "flocking"),
            ("throng-cli", Kind::Program, "throng"),
            ("throng-fields", Kind::Integration, "fields"),
            ("throng-traffic", Kind::Unit, "throng_traffic"),
        ];
        assert_eq!(named, expected);
        let in_another_order: Vec<&str> = MESSAGES.lines().rev().collect();
        assert_eq!(artifacts(&in_another_order.join("\n")).executables, found);
        assert_eq!(found[2].folder, Path::new("/p/crates/models/throng-fields"));
        assert_eq!(found[3].path, Path::new("/t/throng_traffic-2"));
        let facade = Library {
            folder: "/p/crates/top/throng".into(),
            name: "throng".to_owned(),
            source: "/p/crates/top/throng/src/lib.rs".into(),
            edition: "2024".to_owned(),
            features: vec!["gpu".to_owned(), "vulkan".to_owned()],
            path: "/t/libthrong-1.rlib".into(),
        };
        assert_eq!(libraries, [facade]);
    }
}
