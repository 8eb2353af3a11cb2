//! Lays out the folder of a check: links beside the sources, or packed for a machine without Rust.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::place::{DATA, EXAMPLES, PROGRAMS};
use crate::{name, root, run as run_command};

/// Unpacks what lies beside it, and starts the check there.
const RUN: &str = include_str!("run.sh");
const ARCHIVE: &str = "pack.tar.xz";
const RUNNER: &str = "xtask";

/// A folder with links to programs and data where they are.
pub(super) fn link(folder: &Path, programs: &[(String, PathBuf)], data: Option<&Path>) -> Result<(), String> {
    lay_out(folder, programs, data, symlink)
}

/// Packs stripped programs, data and this program into `folder`, with a script that runs them.
pub(super) fn pack(folder: &Path, programs: &[(String, PathBuf)], data: Option<&Path>) -> Result<(), String> {
    let stage = root().join("target/device-check-pack");
    lay_out(&stage, programs, data, copy)?;
    let this = std::env::current_exe().map_err(|error| format!("this program has no path: {error}"))?;
    copy(&this, &stage.join(RUNNER))?;
    for program in programs.iter().map(|(name, _)| stage.join(PROGRAMS).join(name)).chain([stage.join(RUNNER)]) {
        let mut strip = Command::new("strip");
        strip.arg(program);
        run_command(strip)?;
    }
    create(folder)?;
    let archive = folder.join(ARCHIVE);
    compress(&stage, &archive)?;
    let script = folder.join("run.sh");
    fs::write(&script, RUN).map_err(at(&script))?;
    make_executable(&script)?;
    remove(&stage)?;
    let bytes = fs::metadata(&archive).map_err(at(&archive))?.len();
    println!("{}: {:.1} MB; start {} on the other machine", archive.display(), bytes as f64 / 1e6, script.display());
    Ok(())
}

/// Empties a folder and puts programs, examples and data there, each by `put`.
fn lay_out(
    folder: &Path,
    programs: &[(String, PathBuf)],
    data: Option<&Path>,
    put: impl Fn(&Path, &Path) -> Result<(), String>,
) -> Result<(), String> {
    remove(folder)?;
    create(&folder.join(PROGRAMS))?;
    for (name, program) in programs {
        put(program, &folder.join(PROGRAMS).join(name))?;
    }
    put(&root().join(EXAMPLES), &folder.join(EXAMPLES))?;
    if let Some(data) = data {
        put(data, &folder.join(DATA))?;
    }
    Ok(())
}

/// The long window finds what the programs have in common, which is most of each.
fn compress(stage: &Path, archive: &Path) -> Result<(), String> {
    let mut tar = Command::new("tar");
    tar.arg("-C").arg(stage).args(["--owner=0", "--group=0", "-cf", "-", "."]).stdout(Stdio::piped());
    let started = |command: &Command, error: std::io::Error| format!("{} cannot be started: {error}", name(command));
    let mut files = tar.spawn().map_err(|error| started(&tar, error))?;
    let output = fs::File::create(archive).map_err(at(archive))?;
    let mut xz = Command::new("xz");
    xz.args(["--threads=1", "--lzma2=preset=3,dict=192MiB", "--stdout"]).stdout(output);
    xz.stdin(files.stdout.take().ok_or("tar has no output")?);
    run_command(xz)?;
    let status = files.wait().map_err(|error| started(&tar, error))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", name(&tar))) }
}

/// A file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    if !from.is_dir() {
        return fs::copy(from, to).map(drop).map_err(at(from));
    }
    create(to)?;
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

fn create(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(at(folder))
}

fn remove(folder: &Path) -> Result<(), String> {
    if folder.exists() { fs::remove_dir_all(folder).map_err(at(folder)) } else { Ok(()) }
}

fn at(path: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_programs_examples_and_data() {
        let folder = std::env::temp_dir().join(format!("throng-xtask-links-{}", std::process::id()));
        let this = std::env::current_exe().unwrap();
        link(&folder, &[("throng".to_owned(), this)], Some(&root().join("docs"))).unwrap();
        for file in ["bin/throng", "examples/city/config.xml", "matsim/book.toml"] {
            assert!(folder.join(file).is_file(), "{file}");
        }
        link(&folder, &[], None).unwrap();
        assert!(!folder.join("bin/throng").exists() && !folder.join("matsim").exists());
        assert!(root().join("docs/book.toml").is_file(), "links are removed, not what they lead to");
        remove(&folder).unwrap();
    }
}
