//! `cargo xtask configs`: the share of the config files of a folder that run unchanged, and why the others do not.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{at, cargo, root, run as run_command};

const USAGE: &str = "usage: cargo xtask configs FOLDER [LIST]

Runs every MATSim config below FOLDER, or those that the first column of LIST names relative to FOLDER, with results in
target/configs. Prints the first error of each that does not run, and the numbers. A run of more than two minutes
counts as one that runs.
";

/// Time after which a run is stopped.
const LIMIT: Duration = Duration::from_mins(2);

pub(crate) fn run(arguments: &[OsString]) -> Result<(), String> {
    let (folder, list) = match arguments {
        [folder] => (PathBuf::from(folder), None),
        [folder, list] => (PathBuf::from(folder), Some(PathBuf::from(list))),
        _ => return Err(USAGE.to_owned()),
    };
    let configs = match list {
        None => found(&folder)?,
        Some(list) => listed(&fs::read_to_string(&list).map_err(at(&list))?),
    };
    run_command(cargo(&["build", "--release", "--package", "throng-cli", "--no-default-features"]))?;
    let results = root().join("target/configs");
    if results.exists() {
        fs::remove_dir_all(&results).map_err(at(&results))?;
    }
    fs::create_dir_all(&results).map_err(at(&results))?;
    let [mut runs, mut missing] = [0; 2];
    for (number, config) in configs.iter().enumerate() {
        let file = folder.join(config);
        if !file.is_file() {
            missing += 1;
            continue;
        }
        let verdict = verdict(&file, &results.join(number.to_string()))?;
        println!("{config}\t{}", verdict.as_deref().unwrap_or("runs"));
        runs += usize::from(verdict.is_none());
    }
    println!("\n{runs} of {} configs run; {missing} are not in {}", configs.len() - missing, folder.display());
    Ok(())
}

/// Returns the first error of a run; `None` if it runs.
fn verdict(config: &Path, out: &Path) -> Result<Option<String>, String> {
    let mut throng = Command::new(root().join("target/release/throng"));
    throng.arg("run").arg(config).arg("--out").arg(out).args(["--device", "cpu", "--quiet"]);
    let messages = out.with_extension("txt");
    throng.stdout(Stdio::null()).stderr(fs::File::create(&messages).map_err(at(&messages))?);
    let mut child = throng.spawn().map_err(|error| format!("throng cannot be started: {error}"))?;
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| format!("throng: {error}"))? {
            break status;
        }
        if began.elapsed() > LIMIT {
            // It may have ended in the meantime.
            let _ = child.kill();
            let _ = child.wait();
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let messages = fs::read(&messages).map_err(at(&messages))?;
    Ok((!status.success()).then(|| first_error(&String::from_utf8_lossy(&messages))))
}

/// Returns the first problem of a message.
fn first_error(message: &str) -> String {
    let lines = || message.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines().find(|line| line.starts_with("error:")).unwrap_or_default();
    // A list of problems begins in the next line.
    let next = lines().skip_while(|line| !line.starts_with("error:")).nth(1).unwrap_or_default();
    if first.ends_with("problems") { format!("{first}: {next}") } else { first.to_owned() }
}

/// Returns the paths in the first column of a table with tabs, without its header and comments.
fn listed(table: &str) -> Vec<String> {
    let lines = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let paths = lines.filter_map(|line| line.split('\t').next());
    paths.filter(|path| Path::new(path).extension().is_some()).map(str::to_owned).collect()
}

/// Returns all files below a folder whose root element is `config`, in the order of their paths.
fn found(folder: &Path) -> Result<Vec<String>, String> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).map_err(at(&next))? {
            let path = entry.map_err(at(&next))?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "xml") && is_config(&path) {
                found.extend(path.strip_prefix(folder).map(|path| path.display().to_string()));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn is_config(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text.contains("<config") && text.contains("<module"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configs_are_listed_or_found() {
        assert_eq!(listed("# note\nconfig\texit\na/b.xml\t0\t\nc.xml\t2\tx\n"), ["a/b.xml", "c.xml"]);
        let examples = found(&root().join("examples")).unwrap();
        assert!(examples.contains(&"city/config.xml".to_owned()), "{examples:?}");
        assert!(examples.iter().all(|path| !path.contains("network")), "{examples:?}");
    }

    #[test]
    fn the_first_error_is_reported() {
        assert_eq!(first_error("warning: a\nerror: c.xml:3: b\n    Do that.\n"), "error: c.xml:3: b");
        assert_eq!(first_error("error: 2 problems\nc.xml:3: b\n    Do that.\n"), "error: 2 problems: c.xml:3: b");
    }
}
