//! Scenarios that earlier runs loaded, kept as cache files in a folder, so that the next run loads them in a second.
//!
//! The name of a file identifies the program, the settings that affect loading, and path, size and time of all inputs.
//! A file that is found is used only if the checksums of all inputs agree as well. Nothing here can fail a run: a file
//! that cannot be used is replaced, and a scenario that cannot be kept is loaded again by the next run.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use throng_core::{NoThread, Progress, Warnings};
use throng_matsim::cache::origin::{Origin, cache_name};
use throng_matsim::cache::{read_cache, write_cache};
use throng_matsim::load::InputStamps;
use throng_output::PendingFile;
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::settings::Settings;

/// Limits of the folder.
struct Limits {
    /// Maximum size of all kept scenarios together, bytes; the least recently used are removed first.
    max_bytes: u64,
    /// Minimum free space of the disk, bytes; with less, nothing is kept, because the results of runs need the space.
    min_free_bytes: u64,
}

const LIMITS: Limits = Limits { max_bytes: 10 << 30, min_free_bytes: if cfg!(test) { 0 } else { 16 << 30 } };

/// Lifetime of a scenario that is not used.
const MONTH: Duration = Duration::from_hours(30 * 24);

/// Lifetime of a file whose writer was killed.
const HOUR: Duration = Duration::from_hours(1);

/// Age of a file up to which it is not replaced.
const NEW: Duration = Duration::from_mins(1);

/// Number of threads that compress a scenario, beside those of the simulation.
const THREADS: usize = 2;

/// The place of a scenario in a folder, whether it is kept or not.
#[derive(Debug, Clone)]
pub(crate) struct KeptScenario {
    folder: PathBuf,
    /// Start of the names of its files, one for each program.
    name: String,
}

/// A scenario that is being written. Dropping it waits for the end.
pub(crate) struct Keeping(Option<Result<JoinHandle<Result<(), String>>, NoThread>>);

impl KeptScenario {
    /// Returns the place in `folder` of a scenario that is loaded with `settings` from `inputs`; `None` if they already
    /// name a cache.
    pub(crate) fn of(folder: PathBuf, settings: &Settings, inputs: &InputStamps) -> Option<Self> {
        settings.files.scenario_cache.is_none().then(|| Self { folder, name: cache_name(settings, inputs) })
    }

    /// Returns the file of this program; `None` if the system does not identify the program.
    fn file(&self) -> Option<PathBuf> {
        Some(self.folder.join(format!("{}-{}.throng", self.name, throng_core::program_id()?)))
    }

    /// Whether there is a file of any program. This is faster than to identify this program, which matters for small
    /// scenarios: they are never kept.
    fn is_kept(&self) -> bool {
        let mut names = fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
        names.any(|name| name.to_string_lossy().starts_with(&self.name))
    }

    /// Returns the kept scenario with the warnings about its files; `None` if there is none, or it is not valid.
    pub(crate) fn load(
        &self,
        settings: &Settings,
        warnings: &mut Warnings,
        progress: &dyn Progress,
    ) -> Option<Scenario> {
        let file = self.is_kept().then(|| self.file()).flatten().filter(|file| file.is_file())?;
        let mut with_cache = settings.clone();
        with_cache.files.scenario_cache = Some(file.clone());
        let mut found = Warnings::new();
        let Ok(mut scenario) = read_cache(with_cache, &mut found, progress) else {
            progress.end();
            // The new file gets the same name.
            let _ = fs::remove_file(&file);
            return None;
        };
        scenario.settings.files.scenario_cache = None;
        warnings.append(found);
        // The time of the last use; without it, the file is removed earlier.
        let _ = File::options().append(true).open(&file).and_then(|file| file.set_modified(SystemTime::now()));
        progress.note("note: the inputs come from the cache of an earlier run; --no-cache reads the files themselves");
        Some(scenario)
    }

    /// Starts to write the scenario on a separate thread. `warnings` are those about its files.
    pub(crate) fn keep(self, scenario: Arc<Scenario>, inputs: InputStamps, warnings: Warnings) -> Keeping {
        Keeping(Some(throng_core::spawn("cache", move || self.write(&scenario, &inputs, &warnings, &LIMITS))))
    }

    fn write(
        &self,
        scenario: &Scenario,
        inputs: &InputStamps,
        warnings: &Warnings,
        limits: &Limits,
    ) -> Result<(), String> {
        let folder = self.folder.as_path();
        let file = self.file().ok_or("the file of this program cannot be read")?;
        let is_new = |age: Duration| age < NEW;
        if fs::metadata(&file).and_then(|file| file.modified()).is_ok_and(|at| at.elapsed().is_ok_and(is_new)) {
            // Another run of the same scenario, for example of a sweep, was faster.
            return Ok(());
        }
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        make_room(folder, limits.max_bytes);
        if free_bytes(folder).is_some_and(|free| free < limits.min_free_bytes) {
            let gib = limits.min_free_bytes >> 30;
            let folder = folder.display();
            return Err(format!(
                "the disk of {folder} has less than {gib} GiB of free space; --no-cache ends this note"
            ));
        }
        let threads = throng_core::thread_pool(THREADS).map_err(|error| error.to_string())?;
        let origin = Origin::of(&scenario.settings).map_err(|error| error.to_string())?;
        // The checksums describe the files as they are now, which must be as they were read.
        inputs.check().map_err(|error| error.to_string())?;
        let file = PendingFile::create(&file).map_err(|error| error.to_string())?.without_sync();
        let written = threads.install(|| write_cache(scenario, &origin, warnings, file));
        written.map_err(|error| error.to_string())?;
        make_room(folder, limits.max_bytes);
        Ok(())
    }
}

impl Keeping {
    /// Waits until the scenario is written, and reports a failure as a note.
    pub(crate) fn finish(mut self, progress: &dyn Progress) {
        if let Err(reason) = self.join() {
            progress.note(&format!("note: the inputs are not kept for the next run: {reason}"));
        }
    }

    fn join(&mut self) -> Result<(), String> {
        match self.0.take() {
            None => Ok(()),
            Some(Err(error)) => Err(error.to_string()),
            Some(Ok(thread)) => thread.join().unwrap_or_else(|panic| Err(throng_core::panic_text(&*panic))),
        }
    }
}

impl Drop for Keeping {
    fn drop(&mut self) {
        // The run has failed already.
        let _ = self.join();
    }
}

/// Removes the files of `folder` that were unused for a month, and the least recently used ones until the others have
/// at most `max_bytes`.
fn make_room(folder: &Path, max_bytes: u64) {
    let entry = |entry: fs::DirEntry| {
        let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        Some((metadata.modified().ok()?, metadata.len(), entry.path()))
    };
    let mut files: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().filter_map(entry).collect();
    // The most recently used come first.
    files.sort_by(|a, b| b.cmp(a));
    let mut bytes = 0;
    for (used, size, path) in files {
        let is_partial = path.extension().is_some_and(|ending| ending == "partial");
        let lifetime = if is_partial { HOUR } else { MONTH };
        if bytes + size > max_bytes || used.elapsed().is_ok_and(|unused| unused > lifetime) {
            // A file that stays does no harm.
            let _ = fs::remove_file(path);
        } else {
            bytes += size;
        }
    }
}

/// Returns the free space of the disk that holds `folder`; `None` if the system does not report it.
fn free_bytes(folder: &Path) -> Option<u64> {
    #[cfg(unix)]
    #[allow(clippy::useless_conversion, reason = "the types depend on the system")]
    return nix::sys::statvfs::statvfs(folder)
        .ok()
        .map(|disk| u64::from(disk.blocks_available()).saturating_mul(u64::from(disk.fragment_size())));
    #[cfg(not(unix))]
    {
        let _ = folder;
        None
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::sync::Mutex;

    use throng_core::NoProgress;
    use throng_model::scenario_file::ScenarioFile;
    use throng_model::{RunRequest, ScenarioRequest};

    use super::*;
    use crate::run::load_unchanged;
    use crate::scenario_request::day;

    const NO_LIMITS: Limits = Limits { max_bytes: u64::MAX, min_free_bytes: 0 };

    /// Copies the example of a bottleneck into `folder`, and returns its settings.
    fn bottleneck(folder: &Path) -> Settings {
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/bottleneck");
        for entry in fs::read_dir(example).unwrap().flatten().filter(|entry| entry.path().is_file()) {
            fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
        }
        let file = Some(ScenarioFile::from(folder.join("config.xml")));
        day(&ScenarioRequest { file, ..ScenarioRequest::default() }).unwrap().settings
    }

    fn description(scenario: &Scenario) -> String {
        let population = &scenario.population;
        let network = &scenario.network;
        let mut text = format!("{:?} {:?} {:?}", scenario.settings, network.from, network.capacity);
        for leg in 0..population.legs.mode.len() as u32 {
            write!(text, "{:?}", population.route(leg)).unwrap();
        }
        text + &format!("{:?} {:?}", population.activities, population.person_ids.text())
    }

    #[test]
    fn a_kept_scenario_is_loaded_until_an_input_changes() {
        let (inputs, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let settings = bottleneck(inputs.path());
        let kept = |settings: &Settings| {
            KeptScenario::of(cache.path().join("new"), settings, &InputStamps::of(settings)).unwrap()
        };
        let load = |settings: &Settings| {
            let mut warnings = Warnings::new();
            Some((kept(settings).load(settings, &mut warnings, &NoProgress)?, warnings))
        };
        let keep = |settings: &Settings, limits: &Limits| {
            let (stamps, mut warnings) = (InputStamps::of(settings), Warnings::new());
            let scenario = load_unchanged(settings.clone(), &stamps, &mut warnings, &NoProgress).unwrap();
            warnings.add("a warning", || "with an example".to_owned());
            (kept(settings).write(&scenario, &stamps, &warnings, limits), scenario, warnings)
        };
        assert!(load(&settings).is_none());
        let full = Limits { min_free_bytes: u64::MAX, ..NO_LIMITS };
        if cfg!(unix) {
            let refused = keep(&settings, &full).0.unwrap_err();
            assert!(refused.contains("GiB of free space"), "{refused}");
        }
        assert!(load(&settings).is_none());

        let (written, scenario, warnings) = keep(&settings, &NO_LIMITS);
        assert_eq!(written, Ok(()));
        let (loaded, found) = load(&settings).unwrap();
        assert!(description(&loaded) == description(&scenario) && found == warnings);

        // Settings that affect only the simulation share a file, others do not.
        let mut other = settings.clone();
        other.qsim.stuck_time_s += 1.0;
        assert!(load(&other).is_some_and(|(loaded, _)| loaded.settings == other));
        other.qsim.main_modes.push("truck".to_owned());
        assert!(load(&other).is_none() && load(&settings).is_some());

        // A changed byte is found even if size and time stay the same.
        let network = settings.files.network.clone().unwrap();
        let modified = fs::metadata(&network).unwrap().modified().unwrap();
        let text = fs::read(&network).unwrap();
        let with_byte = |byte: u8| {
            let mut changed = text.clone();
            *changed.last_mut().unwrap() = byte;
            fs::write(&network, changed).unwrap();
            File::options().append(true).open(&network).unwrap().set_modified(modified).unwrap();
        };
        with_byte(b' ');
        assert!(load(&settings).is_none());
        with_byte(*text.last().unwrap());
        assert!(load(&settings).is_none(), "the file is removed once it does not match");

        // So is a damaged file.
        assert_eq!(keep(&settings, &NO_LIMITS).0, Ok(()));
        let file = kept(&settings).file().unwrap();
        let mut bytes = fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&file, bytes).unwrap();
        assert!(load(&settings).is_none() && !file.exists());
    }

    /// Keeps the notes.
    #[derive(Default)]
    struct Notes(Mutex<Vec<String>>);

    impl Progress for Notes {
        fn note(&self, text: &str) {
            self.0.lock().unwrap().push(text.to_owned());
        }
    }

    #[test]
    fn the_second_run_uses_the_kept_scenario_and_writes_the_same() {
        let (inputs, results) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let settings = bottleneck(inputs.path());
        let run = |name: &str, cache: Option<&str>| {
            let mut settings = settings.clone();
            settings.controller.output_directory = results.path().join(name);
            let cache = cache.map(|name| results.path().join(name));
            let (day, notes) = (crate::Day { cache, ..crate::Day::new(settings) }, Notes::default());
            let request = RunRequest { hash_every: 1000, ..RunRequest::default() };
            let done = crate::run(day, &request, &notes).unwrap();
            let file = |name: &str| fs::read(done.folder.join(name)).unwrap();
            let files =
                ["output_events.xml.gz", "output_plans.xml.gz", "state_hashes.txt", "output_trips.csv.gz"].map(file);
            let from_cache = notes.0.into_inner().unwrap().iter().any(|note| note.contains("the cache of an earlier"));
            (files, done.warnings, from_cache)
        };
        let without = run("without", None);
        let (first, second) = (run("first", Some("cache")), run("second", Some("cache")));
        assert_eq!([without.2, first.2, second.2], [false, false, true]);
        assert!(without.0 == first.0 && without.1 == first.1);
        assert!(without.0 == second.0 && without.1 == second.1);
    }

    #[test]
    fn the_most_recently_used_files_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, age_days: u64| {
            let path = folder.path().join(name);
            fs::write(&path, [0; 100]).unwrap();
            let used = SystemTime::now() - Duration::from_hours(24 * age_days);
            File::options().append(true).open(&path).unwrap().set_modified(used).unwrap();
        };
        for (name, age_days) in [("a", 3), ("b", 1), ("c", 2), ("old", 40), ("killed.partial", 1)] {
            file(name, age_days);
        }
        let names = || {
            let names = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<String> = names.collect();
            names.sort();
            names
        };
        make_room(folder.path(), 300);
        assert_eq!(names(), ["a", "b", "c"]);
        make_room(folder.path(), 250);
        assert_eq!(names(), ["b", "c"]);
        fs::write(folder.path().join("large"), [0; 1000]).unwrap();
        make_room(folder.path(), 200);
        assert_eq!(names(), ["b", "c"], "a file that is too large does not displace others");
    }
}
