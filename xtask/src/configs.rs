//! `cargo xtask configs`: the share of the config files of a folder that run unchanged, and why the others do not.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{at, cargo, root, run as run_command};

const USAGE: &str = "usage: cargo xtask configs FOLDER [LIST]

Runs every MATSim config below FOLDER, or those that the first column of LIST names relative to FOLDER, with results in
configs of the target folder. Prints the first error of each that does not run, the numbers, and the reasons. A run of
more than a minute counts as one that runs. A config whose input files are not there is counted apart.
";

/// Time after which a run is stopped.
const LIMIT: Duration = Duration::from_mins(1);

/// The outcome for a config.
#[derive(Debug, PartialEq)]
enum Verdict {
    Runs,
    /// A file that it needs is not there, or not named: no program can run it. With the first error.
    LacksFiles(String),
    /// With the first error.
    Refused(String),
}

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
    // The profile of the tests: it builds faster than a release, and checks for overflow.
    run_command(cargo(&["build", "--package", "throng-cli", "--no-default-features"]))?;
    let target = root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()));
    let (program, results) = (target.join("debug/throng"), target.join("configs"));
    if results.exists() {
        fs::remove_dir_all(&results).map_err(at(&results))?;
    }
    fs::create_dir_all(&results).map_err(at(&results))?;
    let [mut runs, mut lacking, mut missing] = [0; 3];
    let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
    for (number, config) in configs.iter().enumerate() {
        let file = folder.join(config);
        if !file.is_file() {
            missing += 1;
            continue;
        }
        match verdict(&program, &file, &results.join(number.to_string()))? {
            Verdict::Runs => {
                runs += 1;
                println!("{config}\truns");
            }
            Verdict::LacksFiles(error) => {
                lacking += 1;
                println!("{config}\tlacks files\t{error}");
            }
            Verdict::Refused(error) => {
                *reasons.entry(reason(&error)).or_default() += 1;
                println!("{config}\trefused\t{error}");
            }
        }
    }
    let complete = configs.len() - missing - lacking;
    println!("\n{runs} of {complete} complete configs run; {lacking} lack input files, {missing} are not there");
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (reason, count) in reasons {
        println!("{count}\t{reason}");
    }
    Ok(())
}

fn verdict(program: &Path, config: &Path, out: &Path) -> Result<Verdict, String> {
    let Some(message) = failure(program, config, out, &[])? else { return Ok(Verdict::Runs) };
    let error = first_error(&message);
    // Files are looked for once the settings are accepted.
    let ignoring = ["--overwrite", "--set", "throng.ignoreUnsupported=true"];
    let without_settings = if lacks_files(&message) { None } else { failure(program, config, out, &ignoring)? };
    let lacks = lacks_files(&message) || without_settings.is_some_and(|message| lacks_files(&message));
    Ok(if lacks { Verdict::LacksFiles(error) } else { Verdict::Refused(error) })
}

/// Runs a config; returns the messages of a failure.
fn failure(program: &Path, config: &Path, out: &Path, options: &[&str]) -> Result<Option<String>, String> {
    let mut throng = Command::new(program);
    throng.arg("run").arg(config).arg("--out").arg(out).args(["--device", "cpu", "--quiet"]).args(options);
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
    Ok((!status.success()).then(|| String::from_utf8_lossy(&messages).into_owned()))
}

fn lacks_files(message: &str) -> bool {
    message.lines().any(|line| line.ends_with("no file is given") || line.ends_with(" does not exist"))
}

/// Returns the first problem of a message.
fn first_error(message: &str) -> String {
    let lines = || message.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines().find(|line| line.starts_with("error:")).unwrap_or_default();
    // A list of problems begins in the next line.
    let next = lines().skip_while(|line| !line.starts_with("error:")).nth(1).unwrap_or_default();
    if first.ends_with("problems") { format!("{first}: {next}") } else { first.to_owned() }
}

/// Returns the part of an error that it shares with others of its kind: without its place and its quoted names.
fn reason(error: &str) -> String {
    let error = error.strip_prefix("error: ").unwrap_or(error);
    let error = error.split_once(" problems: ").map_or(error, |(_, first)| first);
    let message = error.split_once(": ").map_or(error, |(_, message)| message);
    match message.split_once(" is not supported (") {
        Some((_, what)) => what.trim_end_matches(')').to_owned(),
        None => message.split('"').step_by(2).collect::<Vec<_>>().join("…"),
    }
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
    fn errors_are_grouped_by_reason() {
        for (error, expected) in [
            ("error: a/c.xml:4: module \"drt\" is not supported (taxis)", "taxis"),
            ("error: 3 problems: c.xml:4: qsim.useLanes=true is not supported (lanes)", "lanes"),
            ("error: p.xml:9: person \"1\" needs vehicle \"1_bike\"", "person … needs vehicle …"),
        ] {
            assert_eq!(reason(error), expected);
        }
        assert!(lacks_files("error: 2 problems\nnetwork.inputNetworkFile: /a/n.xml does not exist\n    Check it.\n"));
        assert!(lacks_files("error: plans.inputPlansFile: no file is given\n"));
        assert!(!lacks_files("error: p.xml:3: link \"5\" does not exist in the network\n"));
    }

    #[test]
    fn the_first_error_is_reported() {
        assert_eq!(first_error("warning: a\nerror: c.xml:3: b\n    Do that.\n"), "error: c.xml:3: b");
        assert_eq!(first_error("error: 2 problems\nc.xml:3: b\n    Do that.\n"), "error: 2 problems: c.xml:3: b");
    }
}
