//! Finds scenarios, runs and sweeps in a folder, for messages that suggest the next command.

mod advice;

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use throng_core::{Alignment::Left, shell_word, text_table};

use crate::Model;
use crate::replay::StoredRun;
use crate::report::REPORT_NAME;
use crate::scenario_file::file_in;
use crate::scenario_file::{MODEL_KEY, SCENARIO_NAME};
use crate::sweep::description;

pub use advice::{check_run, check_scenario, neither_scene_nor_run, no_scenario};

/// Maximum depth of searched folders below the given one; `examples/city` is at depth 2.
const DEPTH: usize = 3;
/// Maximum number of folders and scenario files examined, so that the search is fast even in a home folder.
const MAX_ENTRIES: usize = 4000;
/// Number of bytes read from a scenario file, which contain model and title.
const HEAD: u64 = 4096;
/// Maximum length of a title, in letters.
const TITLE: usize = 60;

/// The scenarios, runs and sweeps in a folder and its subfolders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Nearby {
    /// The folder that was searched.
    pub folder: PathBuf,
    /// Scenarios, sorted by path.
    pub scenarios: Vec<NearbyScenario>,
    /// Runs that [can be shown](StoredRun::is_shown), newest first.
    pub runs: Vec<NearbyRun>,
    /// Sweeps, sorted by path.
    pub sweeps: Vec<NearbySweep>,
}

/// The folder of a sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearbySweep {
    /// Path of the folder.
    pub path: PathBuf,
    /// The scenario as given; may be empty.
    pub scenario: String,
    /// Whether there is a report, which an interrupted sweep lacks.
    pub is_finished: bool,
}

/// A scenario that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearbyScenario {
    /// Its folder, or its file if that has an unusual name.
    pub path: PathBuf,
    /// Name of its model.
    pub model: String,
    /// The subject, from the first comment of the file or the heading of a README; may be empty.
    pub title: String,
}

/// The folder of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearbyRun {
    /// Path of the folder.
    pub path: PathBuf,
    /// Name of the model.
    pub model: String,
    /// The scenario as given; may be empty.
    pub scenario: String,
    /// End of the run in UTC, as in `2026-11-20T17:03:00Z`.
    pub finished: String,
}

impl Nearby {
    /// Number of commands to which a longer list in a message is truncated; `throng list` shows all.
    pub const SHOWN: usize = 12;

    /// Searches a folder, three levels deep. Large folders are searched only partly; hidden folders and `target` are
    /// skipped.
    pub fn search(models: &[&dyn Model], folder: &Path) -> Self {
        let mut found = Self { folder: folder.to_owned(), ..Self::default() };
        let mut entries_left = MAX_ENTRIES;
        let mut folders = VecDeque::from([(folder.to_owned(), 0)]);
        while let Some((folder, depth)) = folders.pop_front() {
            // Unlike a subfolder, the given folder may contain scenarios in addition to its run or sweep.
            if (found.add_run(models, &folder) || found.add_sweep(&folder)) && depth > 0 {
                continue;
            }
            if entries_left == 0 {
                continue;
            }
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            let usual = file_in(models, &folder).ok();
            // Other files, such as thousands of images, do not count towards the limit.
            let mut paths: Vec<(PathBuf, bool)> = entries
                .flatten()
                .filter_map(|entry| {
                    let (path, name) = (entry.path(), entry.file_name());
                    let name = name.to_string_lossy();
                    let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                    let is_searched = is_folder && depth < DEPTH && !name.starts_with('.') && name != "target";
                    let may_be_scenario = !is_folder && (name.ends_with(".toml") || usual.as_ref() == Some(&path));
                    (is_searched || may_be_scenario).then_some((path, is_folder))
                })
                .collect();
            // The order of directory entries is unspecified.
            paths.sort();
            paths.truncate(entries_left);
            entries_left -= paths.len();
            let (below, files): (Vec<_>, Vec<_>) = paths.into_iter().partition(|(_, is_folder)| *is_folder);
            let files: Vec<PathBuf> = files.into_iter().map(|(path, _)| path).collect();
            found.add_scenarios(models, &folder, depth, usual.as_deref(), &files);
            folders.extend(below.into_iter().map(|(path, _)| (path, depth + 1)));
        }
        found.scenarios.sort_by(|a, b| a.path.cmp(&b.path));
        found.sweeps.sort_by(|a, b| a.path.cmp(&b.path));
        found.runs.sort_by(|a, b| b.finished.cmp(&a.finished).then_with(|| a.path.cmp(&b.path)));
        found
    }

    /// Adds a folder if it contains a run that can be shown. Runs of scenes and papers cannot be shown. Returns
    /// whether the folder contains a run.
    fn add_run(&mut self, models: &[&dyn Model], folder: &Path) -> bool {
        let Some(run) = StoredRun::is_in(folder).then(|| StoredRun::open(folder).ok()).flatten() else { return false };
        if run.replay(models).is_err() {
            return true;
        }
        self.runs.push(NearbyRun {
            path: plain(folder),
            model: run.model().to_owned(),
            scenario: run.scenario().to_owned(),
            finished: run.finished().to_owned(),
        });
        true
    }

    /// Adds a folder if it contains a sweep. Returns whether it does.
    fn add_sweep(&mut self, folder: &Path) -> bool {
        let is_sweep = is_sweep(folder);
        if is_sweep {
            self.sweeps.push(NearbySweep {
                path: plain(folder),
                scenario: description::scenario_in(folder),
                is_finished: folder.join(REPORT_NAME).is_file(),
            });
        }
        is_sweep
    }

    /// Adds the files that are scenarios; `usual` is the file that the folder stands for.
    fn add_scenarios(
        &mut self,
        models: &[&dyn Model],
        folder: &Path,
        depth: usize,
        usual: Option<&Path>,
        paths: &[PathBuf],
    ) {
        let is_known = |name: &str| models.iter().any(|model| model.name() == name);
        for path in paths {
            let is_usual = usual == Some(path.as_path());
            let head = head(path);
            if description::begins(&head) {
                continue;
            }
            let is_toml = path.extension().is_some_and(|ending| ending == "toml");
            let of_folder = || models.iter().find(|model| model.takes(Some(path))).map(|model| model.name().to_owned());
            let model = if is_toml { model_in(&head) } else { of_folder() };
            let Some(model) = model.filter(|name| is_known(name)) else { continue };
            let title = if is_toml { first_comment(&head) } else { String::new() };
            let title = if title.is_empty() && is_usual { heading_in(folder) } else { title };
            // For the given folder itself, the file name is easier to recognise than a dot.
            let path = if is_usual && depth > 0 { folder } else { path };
            self.scenarios.push(NearbyScenario { path: plain(path), model, title: shortened(&title) });
        }
    }

    /// Lists commands that take each scenario, such as `throng run`, one per line and in at most `shown` + 1 lines.
    pub fn scenario_commands(&self, command: &str, shown: usize) -> String {
        let lines = self.scenarios.iter().map(|scenario| {
            let NearbyScenario { path, model, title } = scenario;
            let about = if title.is_empty() { model.clone() } else { format!("{model}: {title}") };
            (format!("{command} {}", shell_word(path)), about)
        });
        self.table(lines, shown)
    }

    /// Lists commands that take each run, such as `throng view`, one per line and in at most `shown` + 1 lines.
    pub fn run_commands(&self, command: &str, shown: usize) -> String {
        self.table(self.runs.iter().map(|run| (format!("{command} {}", shell_word(&run.path)), run.about())), shown)
    }

    /// Lists the report of each sweep, or its folder if it is unfinished, and its scenario, one per line.
    pub fn sweep_reports(&self) -> String {
        let lines = self.sweeps.iter().map(|NearbySweep { path, scenario, is_finished }| {
            let report = if *is_finished { path.join(REPORT_NAME) } else { path.clone() };
            let of = if scenario.is_empty() { "a sweep".to_owned() } else { format!("sweep of {scenario}") };
            (shell_word(&report), if *is_finished { of } else { format!("{of}, not finished") })
        });
        self.table(lines, usize::MAX)
    }

    /// Formats lines of two columns; the first column is as wide as its longest cell. Long lists are truncated.
    fn table(&self, lines: impl ExactSizeIterator<Item = (String, String)>, shown: usize) -> String {
        let count = lines.len();
        // A line that reports one more entry would take as much space as the entry itself.
        let lines: Vec<_> = lines.take(if count.saturating_sub(1) > shown { shown } else { count }).collect();
        let rows: Vec<_> = lines.iter().map(|(command, about)| [format!("  {command}"), about.clone()]).collect();
        let mut text = text_table(&rows, &[Left]);
        if count > lines.len() {
            let is_here = self.folder == Path::new(".");
            let folder = if is_here { String::new() } else { format!(" {}", shell_word(&self.folder)) };
            let _ = writeln!(text, "  and {} more: `throng list{folder}`", count - lines.len());
        }
        text
    }
}

impl NearbyRun {
    /// Returns model, scenario and time, for a line of a list.
    pub fn about(&self) -> String {
        let Self { model, scenario, finished, .. } = self;
        let scenario = if scenario.is_empty() { String::new() } else { format!(" {scenario},") };
        let (day, time) = finished.split_once('T').unwrap_or((finished, ""));
        format!("{model}:{scenario} {day} {}", time.trim_end_matches('Z')).trim_end().to_owned()
    }
}

/// Returns a path without a leading dot, as typed by users.
fn plain(path: &Path) -> PathBuf {
    path.strip_prefix(".").ok().filter(|path| !path.as_os_str().is_empty()).unwrap_or(path).to_owned()
}

/// Reads the beginning of a file; empty if it cannot be read.
fn head(path: &Path) -> String {
    let mut bytes = Vec::new();
    // Skips pipes, which would block.
    if path.is_file() {
        let _ = fs::File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut bytes));
    }
    String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_owned()
}

/// Whether a folder contains a sweep.
fn is_sweep(folder: &Path) -> bool {
    description::begins(&head(&folder.join(description::DESCRIPTION)))
}

/// Returns the model named at the beginning of a scenario file.
fn model_in(head: &str) -> Option<String> {
    let mut root = head.lines().map(str::trim).take_while(|line| !line.starts_with('['));
    let value = root.find_map(|line| line.strip_prefix(MODEL_KEY)?.trim_start().strip_prefix('='))?;
    let quote = value.trim_start().chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    Some(value.split(quote).nth(1)?.to_owned())
}

/// Returns the subject from the first sentence of the comment at the beginning of a scenario file.
fn first_comment(head: &str) -> String {
    let lines = head.lines().map(str::trim).take_while(|line| line.starts_with('#'));
    let text: Vec<&str> = lines.map(|line| line.trim_start_matches('#').trim()).collect();
    let text = text.join(" ");
    let end = [". ", ": ", "; "].iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    text[..end].trim_end_matches('.').to_owned()
}

/// Returns the heading of the README of a folder.
fn heading_in(folder: &Path) -> String {
    let text = head(&folder.join("README.md"));
    text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default().trim().to_owned()
}

fn shortened(title: &str) -> String {
    match title.char_indices().nth(TITLE) {
        Some((end, _)) => {
            let words = title[..end].rsplit_once(' ').map_or(&title[..end], |(words, _)| words);
            format!("{}...", words.trim_end_matches(','))
        }
        None => title.to_owned(),
    }
}

/// Whether a folder contains a scenario with a usual file name.
fn holds_scenario(models: &[&dyn Model], folder: &Path) -> bool {
    folder.join(SCENARIO_NAME).is_file() || file_in(models, folder).is_ok()
}

#[cfg(test)]
mod tests;
