//! Lays out the check folder: as links beside the sources, or packed for a machine without Rust.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use throng_testing::REFERENCE_DATA;

use super::place::{DATA, PROGRAMS, RELEASE, SOURCES, TRANSIT_DATA, empty};
use crate::{at, name, root, run as run_command};

/// Script that unpacks the archive beside it and starts the check there.
const RUN: &str = include_str!("run.sh");
const ARCHIVE: &str = "pack.tar.xz";
const SCRIPT: &str = "run.sh";
const RUNNER: &str = "xtask";

/// The parts of a check folder.
pub(super) struct Parts<'a> {
    /// Names and paths of programs.
    pub(super) programs: &'a [(String, PathBuf)],
    /// Folder of the reference data, if there is any.
    pub(super) data: Option<&'a Path>,
    /// Whether the programs were built with full optimisation.
    pub(super) is_release: bool,
}

/// Creates a check folder with links to programs, sources and data.
pub(super) fn link(folder: &Path, parts: &Parts<'_>) -> Result<(), String> {
    lay_out(folder, parts, symlink)
}

/// Rejects a folder in which packing would overwrite an unrelated script.
pub(super) fn check_target(folder: &Path) -> Result<(), String> {
    let script = folder.join(SCRIPT);
    if script.exists() && !folder.join(ARCHIVE).exists() {
        return Err(format!(
            "{}: not replaced: it is not from an earlier --pack; choose another folder",
            script.display()
        ));
    }
    Ok(())
}

/// Packs stripped programs, sources, data and this program into `folder`, with a script that runs them.
pub(super) fn pack(folder: &Path, parts: &Parts<'_>) -> Result<(), String> {
    let stage = root().join("target/device-check-pack");
    let packed = fill(&stage, parts).and_then(|()| {
        fs::create_dir_all(folder).map_err(at(folder))?;
        compress(&stage, &folder.join(ARCHIVE))
    });
    let removed = fs::remove_dir_all(&stage).map_err(at(&stage));
    packed.and(removed)?;
    let (archive, script) = (folder.join(ARCHIVE), folder.join(SCRIPT));
    fs::write(&script, RUN).map_err(at(&script))?;
    make_executable(&script)?;
    let bytes = fs::metadata(&archive).map_err(at(&archive))?.len();
    println!("{}: {:.1} MB; start {} on the other machine", archive.display(), bytes as f64 / 1e6, script.display());
    if parts.data.is_none() {
        println!("without reference data, so nothing is compared with MATSim; set {REFERENCE_DATA} to its folder");
    }
    Ok(())
}

/// Lays out the files to pack.
fn fill(stage: &Path, parts: &Parts<'_>) -> Result<(), String> {
    lay_out(stage, parts, copy)?;
    let this = std::env::current_exe().map_err(|error| format!("this program has no path: {error}"))?;
    copy(&this, &stage.join(RUNNER))?;
    let programs = parts.programs.iter().map(|(name, _)| stage.join(PROGRAMS).join(name));
    for program in programs.chain([stage.join(RUNNER)]) {
        let mut strip = Command::new("strip");
        strip.arg(program);
        run_command(strip)?;
    }
    Ok(())
}

/// Empties a folder and adds programs, sources that tests read, and data, each by calling `put`.
fn lay_out(folder: &Path, parts: &Parts<'_>, put: impl Fn(&Path, &Path) -> Result<(), String>) -> Result<(), String> {
    empty(folder)?;
    let programs = folder.join(PROGRAMS);
    fs::create_dir(&programs).map_err(at(&programs))?;
    for (name, program) in parts.programs {
        put(program, &programs.join(name))?;
    }
    for sources in SOURCES {
        put(&root().join(sources), &folder.join(sources))?;
    }
    if let Some(data) = parts.data {
        put(data, &folder.join(DATA))?;
        let transit = data.with_file_name(TRANSIT_DATA);
        if transit.exists() {
            put(&transit, &folder.join(TRANSIT_DATA))?;
        }
    }
    if parts.is_release {
        let release = folder.join(RELEASE);
        fs::write(&release, "").map_err(at(&release))?;
    }
    Ok(())
}

/// The large dictionary exploits the code that the programs have in common, which is most of each.
fn compress(stage: &Path, archive: &Path) -> Result<(), String> {
    let mut xz = Command::new("xz");
    xz.args(["--threads=1", "--lzma2=preset=3,dict=192MiB", "--stdout"]);
    xz.stdout(fs::File::create(archive).map_err(at(archive))?);
    let mut tar = Command::new("tar");
    tar.arg("-C").arg(stage).args(["--owner=0", "--group=0", "-cf", "-", "."]);
    piped(tar, xz)
}

/// Runs `from | to`.
fn piped(mut from: Command, mut to: Command) -> Result<(), String> {
    from.stdout(Stdio::piped());
    let called = name(&from);
    let mut first = from.spawn().map_err(|error| format!("{called} cannot be started: {error}"))?;
    let second = first.stdout.take().ok_or("the first program has no output".to_owned()).and_then(|output| {
        to.stdin(output);
        run_command(to)
    });
    // The first program ends when its output has no reader.
    let status = first.wait().map_err(|error| format!("{called}: {error}"))?;
    second?;
    if status.success() { Ok(()) } else { Err(format!("`{called}` failed ({status})")) }
}

/// Copies a file, or a folder with all its content.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    if !from.is_dir() {
        return fs::copy(from, to).map(drop).map_err(at(from));
    }
    fs::create_dir_all(to).map_err(at(to))?;
    for entry in fs::read_dir(from).map_err(at(from))? {
        let entry = entry.map_err(at(from))?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

#[cfg(unix)]
fn symlink(from: &Path, to: &Path) -> Result<(), String> {
    std::os::unix::fs::symlink(from, to).map_err(at(to))
}

#[cfg(not(unix))]
fn symlink(from: &Path, to: &Path) -> Result<(), String> {
    copy(from, to)
}

#[cfg(unix)]
fn make_executable(script: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(script, fs::Permissions::from_mode(0o755)).map_err(at(script))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<(), String> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_point_to_programs_examples_and_data() {
        let folder = std::env::temp_dir().join(format!("throng-xtask-links-{}", std::process::id()));
        let this = std::env::current_exe().unwrap();
        let (programs, data) = ([("throng".to_owned(), this)], root().join("docs"));
        link(&folder, &Parts { programs: &programs, data: Some(&data), is_release: true }).unwrap();
        for file in ["bin/throng", "examples/city/config.xml", "docs/book.toml", "matsim/book.toml", "release"] {
            assert!(folder.join(file).is_file(), "{file}");
        }
        link(&folder, &Parts { programs: &[], data: None, is_release: false }).unwrap();
        for file in ["bin/throng", "matsim", "release"] {
            assert!(!folder.join(file).exists(), "{file}");
        }
        assert!(root().join("docs/book.toml").is_file(), "links are removed, but not their targets");
        check_target(&folder).unwrap();
        fs::write(folder.join(SCRIPT), "").unwrap();
        assert!(check_target(&folder).unwrap_err().contains("run.sh: not replaced"));
        fs::write(folder.join(ARCHIVE), "").unwrap();
        check_target(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_ends_when_its_second_program_cannot_be_started() {
        let command = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        };
        assert_eq!(piped(command("echo a"), command("test \"$(cat)\" = a")), Ok(()));
        let error = piped(command("exec yes"), Command::new("/nowhere/at/all")).unwrap_err();
        assert!(error.starts_with("all cannot be started"), "{error}");
        assert!(piped(command("exit 3"), command("cat")).unwrap_err().contains("exit 3"));
    }
}
