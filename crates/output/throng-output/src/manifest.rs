//! `manifest.json`: describes a run, how it was computed, and its results.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use sha2::{Digest, Sha256};
use throng_core::{open_input, read_input};

use crate::lock::is_within;
use crate::{ClosedFile, OutputError, RunFolder, WrittenFile};

/// File name of the manifest in the output folder.
pub const MANIFEST_NAME: &str = "manifest.json";
/// Maximum size of a manifest that is read, bytes. Parsing takes about ten times as much memory.
pub const MAX_MANIFEST_BYTES: u64 = 64 << 20;

/// All information needed to repeat a run. It is written last: a folder with a manifest contains a complete run.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Manifest {
    /// Program and version, for example `throng 0.1.0`.
    pub program: String,
    /// Model, for example `traffic`.
    pub model: String,
    /// The scenario as given on the command line.
    pub scenario: String,
    /// The scenario file as it was before the run; `None` if the scenario comes from a program or from several files.
    pub scenario_file: Option<FileIdentity>,
    /// The command in POSIX shell syntax and its working directory; `None` for a program that uses the library.
    pub command: Option<(String, PathBuf)>,
    /// Seed of all random numbers.
    pub seed: i64,
    /// Device, and the reason for choosing it.
    pub device: String,
    /// End of the run in UTC, as in `2026-11-20T17:03:00Z`.
    pub finished: String,
    /// Options other than settings, for example the requested number of steps.
    pub options: Vec<(String, String)>,
    /// Effective settings.
    pub settings: Vec<(String, String)>,
    /// Phases of the run and their wall-clock seconds, in order.
    pub timings_s: Vec<(String, f64)>,
    /// Work of the run as estimated before it: steps, and units of the model; `None` if there was no estimate.
    pub work: Option<(f64, f64)>,
    /// Warnings: kind, count, an example.
    pub warnings: Vec<(String, u64, String)>,
    /// Input files and their sizes in bytes.
    pub inputs: Vec<(String, u64)>,
    /// Results as JSON; the model defines the content.
    pub results: serde_json::Value,
    /// The other files in the folder.
    pub files: Vec<WrittenFile>,
}

/// A file with its size and checksum, by which a reader can check whether it is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileIdentity {
    /// Absolute path.
    pub file: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the content: 64 hexadecimal digits, as printed by `sha256sum`.
    pub sha256: String,
}

impl FileIdentity {
    /// Reads a whole file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of(path: &Path) -> io::Result<Self> {
        let (mut file, mut hasher) = (open_input(path)?, Sha256::new());
        let bytes = io::copy(&mut file, &mut hasher)?;
        let sha256 = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
        Ok(Self { file: path.canonicalize()?.display().to_string(), bytes, sha256 })
    }
}

impl Manifest {
    /// Writes the manifest and finishes the folder.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, folder: &RunFolder) -> Result<WrittenFile, OutputError> {
        self.write_before(folder, Vec::new())
    }

    /// Writes the manifest, gives the files in `last` their names, and finishes the folder.
    ///
    /// # Errors
    /// When the manifest cannot be written, or a file cannot be renamed.
    pub fn write_before(&self, folder: &RunFolder, last: Vec<ClosedFile>) -> Result<WrittenFile, OutputError> {
        let as_map = |pairs: &[(String, String)]| -> serde_json::Map<String, serde_json::Value> {
            pairs.iter().map(|(k, v)| (k.clone(), v.clone().into())).collect()
        };
        let inputs: Vec<_> =
            self.inputs.iter().map(|(file, bytes)| serde_json::json!({ "file": file, "bytes": bytes })).collect();
        let warnings: Vec<_> = self
            .warnings
            .iter()
            .map(|(what, count, example)| serde_json::json!({ "count": count, "what": what, "example": example }))
            .collect();
        // A list, to preserve the order.
        let timings: Vec<_> =
            self.timings_s.iter().map(|(phase, s)| serde_json::json!({ "phase": phase, "seconds": s })).collect();
        let value = serde_json::json!({
            "program": self.program,
            "model": self.model,
            "scenario": self.scenario,
            "scenario_file": self.scenario_file,
            "source": folder.source(),
            "command": self.command.as_ref().map(|(command, _)| command),
            "folder_of_command": self.command.as_ref().map(|(_, folder)| folder.display().to_string()),
            "seed": self.seed,
            "device": self.device,
            "finished": self.finished,
            "options": as_map(&self.options),
            "settings": as_map(&self.settings),
            "timings": timings,
            "work": self.work.map(|(steps, units)| serde_json::json!({ "steps": steps, "units": units })),
            "inputs": inputs,
            "warnings": warnings,
            "results": self.results,
            "files": self.files,
        });
        let mut text = format!("{value:#}");
        text.push('\n');
        let written = folder.write(MANIFEST_NAME, text.as_bytes())?;
        last.into_iter().try_for_each(|file| file.complete().map(drop))?;
        folder.finish();
        Ok(written)
    }
}

/// Returns the file names listed in the manifest at `path`; `None` if there is no manifest of a run.
pub fn files_listed(path: &Path) -> Option<Vec<String>> {
    let value = read(path)?;
    let files = value["files"].as_array()?.iter();
    let names = files.filter_map(|file| Some(file["name"].as_str()?.to_owned()));
    Some(names.filter(|name| is_within(name)).collect())
}

/// Returns the scenario identity in the manifest at `path`; empty if it has none, `None` if there is no manifest of a
/// run.
pub(crate) fn source_in(path: &Path) -> Option<String> {
    Some(read(path)?["source"].as_str().unwrap_or_default().to_owned())
}

/// Returns the scenario in the manifest at `path`, as it was given; `None` if it is empty or there is no manifest.
pub(crate) fn scenario_in(path: &Path) -> Option<String> {
    read(path)?["scenario"].as_str().filter(|scenario| !scenario.is_empty()).map(str::to_owned)
}

/// Reads the manifest of a run.
fn read(path: &Path) -> Option<serde_json::Value> {
    if !fs::symlink_metadata(path).ok()?.is_file() {
        return None;
    }
    let value: serde_json::Value = serde_json::from_slice(&read_input(path, MAX_MANIFEST_BYTES).ok()?).ok()?;
    // Manifests of other programs use this file name too.
    if !["program", "model", "finished"].iter().all(|key| value[key].is_string()) {
        return None;
    }
    Some(value)
}

/// Formats `time` as in `2026-11-20T17:03:00Z`.
pub fn utc_text(time: std::time::SystemTime) -> String {
    let seconds = time.duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (days, second) = ((seconds / 86_400) as i64, seconds % 86_400);
    // Days to civil date, counting years from 1 March so that the leap day comes last (H. Hinnant's algorithm).
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;
    use crate::IfNotEmpty;

    #[test]
    fn dates_are_formatted_in_utc() {
        // Checked with `date -u -d @...`.
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_795_197_600, "2026-11-20T18:00:00Z"),
        ] {
            assert_eq!(utc_text(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn checksums_match_sha_256() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.toml");
        fs::write(&path, "abc").unwrap();
        let identity = FileIdentity::of(&path).unwrap();
        // For "abc", from FIPS 180-2, appendix B.1.
        assert_eq!(identity.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!((identity.bytes, Path::new(&identity.file)), (3, &*path.canonicalize().unwrap()));
    }

    #[test]
    fn the_manifest_is_json() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
        let manifest = Manifest {
            scenario: "a \"b\"".into(),
            settings: vec![("qsim.stuckTime".into(), "10".into())],
            timings_s: vec![("run".into(), 1.5)],
            ..Manifest::default()
        };
        manifest.write(&folder).unwrap();
        let text = std::fs::read_to_string(dir.path().join(MANIFEST_NAME)).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["scenario"], "a \"b\"");
        assert_eq!(value["settings"]["qsim.stuckTime"], "10");
        assert_eq!(value["timings"][0], serde_json::json!({ "phase": "run", "seconds": 1.5 }));
    }
}
