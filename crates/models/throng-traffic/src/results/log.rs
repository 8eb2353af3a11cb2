//! `logfile.log` and `logfileWarningsErrors.log`: the messages of a run as lines in MATSim's layout.

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use throng_core::{Progress, Warnings, printable};
use throng_output::{ClosedFile, OutputError, RunFolder, utc_text};

/// Name of the file with all lines.
pub(super) const NAME: &str = "logfile.log";
/// Name of the file with the warnings.
pub(super) const WARNINGS_NAME: &str = "logfileWarningsErrors.log";

/// The line before and after an iteration.
const RULE: &str = "###################################################";

/// The messages of a run so far. They are written when it succeeds.
#[derive(Debug, Default)]
pub struct RunLog {
    lines: Mutex<Vec<Line>>,
}

#[derive(Debug)]
struct Line {
    time: SystemTime,
    is_warning: bool,
    message: String,
}

impl RunLog {
    /// Adds a message.
    pub fn info(&self, message: impl Into<String>) {
        self.add(false, message.into());
    }

    /// Adds warnings.
    pub fn warnings(&self, warnings: &Warnings) {
        warnings.messages().for_each(|message| self.add(true, message));
    }

    /// Adds a heading before (`BEGINS`) or after (`ENDS`) the iteration.
    pub fn iteration(&self, iteration: u32, what: &str) {
        for line in [RULE.to_owned(), format!("### ITERATION {iteration} {what}"), RULE.to_owned()] {
            self.info(line);
        }
    }

    fn add(&self, is_warning: bool, message: String) {
        let line = Line { time: SystemTime::now(), is_warning, message };
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    /// Writes both files. They get their names when all other files of the run have theirs, so that a failed run has no
    /// log like that of a success.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &RunFolder) -> Result<Vec<ClosedFile>, OutputError> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut all, mut warnings) = (String::new(), String::new());
        for line in &*lines {
            line.push(&mut all);
            if line.is_warning {
                line.push(&mut warnings);
            }
        }
        Ok(vec![folder.fill(NAME, all.as_bytes())?, folder.fill(WARNINGS_NAME, warnings.as_bytes())?])
    }
}

impl Line {
    /// Appends the line: time in UTC, level, source, message.
    fn push(&self, text: &mut String) {
        let milliseconds = self.time.duration_since(UNIX_EPOCH).map_or(0, |since| since.subsec_millis());
        let time = utc_text(self.time);
        let level = if self.is_warning { "WARN" } else { "INFO" };
        // One line per message, whatever the names of files.
        let message = printable(&self.message).replace('\n', "\\n");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{},{milliseconds:03} {level:>5} throng {message}", time.trim_end_matches('Z'));
    }
}

/// Passes progress on, and adds its messages and the times of its phases to the log.
pub struct LoggedProgress<'a> {
    log: &'a RunLog,
    progress: &'a dyn Progress,
    phase: Mutex<Option<(String, Instant)>>,
}

impl<'a> LoggedProgress<'a> {
    /// Passes progress on to `progress`.
    pub fn new(log: &'a RunLog, progress: &'a dyn Progress) -> Self {
        Self { log, progress, phase: Mutex::new(None) }
    }
}

impl Progress for LoggedProgress<'_> {
    fn warn(&self, text: &str) {
        self.log.add(true, text.to_owned());
        self.progress.warn(text);
    }

    fn note(&self, text: &str) {
        self.log.info(text);
        self.progress.note(text);
    }

    fn begin(&self, phase: &str, total: Option<u64>, unit: &'static str) {
        self.log.info(phase);
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = Some((phase.to_owned(), Instant::now()));
        self.progress.begin(phase, total, unit);
    }

    fn at(&self, done: u64, note: &str) {
        self.progress.at(done, note);
    }

    fn end(&self) {
        if let Some((phase, since)) = self.phase.lock().unwrap_or_else(PoisonError::into_inner).take() {
            self.log.info(format!("{phase}: done in {:.3} s", since.elapsed().as_secs_f64()));
        }
        self.progress.end();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use throng_output::IfNotEmpty;

    use super::*;

    #[test]
    fn lines_have_the_layout_of_matsim() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(dir.path(), IfNotEmpty::Refuse, "").unwrap();
        let (log, mut warnings) = (RunLog::default(), Warnings::new());
        warnings.add("links without lanes", || "link 7".to_owned());
        log.warnings(&warnings);
        log.iteration(3, "BEGINS");
        let progress = LoggedProgress::new(&log, &throng_core::NoProgress);
        progress.begin("reading a\nb", None, "");
        progress.end();
        for line in &mut *log.lines.lock().unwrap() {
            // Checked with `date -u -d @...`.
            line.time = UNIX_EPOCH + Duration::from_millis(951_782_400_045);
        }
        let written = log.write(&folder).unwrap();
        assert!(!dir.path().join(NAME).exists());
        for file in written {
            file.complete().unwrap();
        }
        let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
        let text = read(NAME);
        let lines: Vec<&str> = text.lines().collect();
        let [warning, rule, heading, _, begins, ends] = lines[..] else { panic!("{lines:?}") };
        assert!(warning.starts_with("2000-02-29T00:00:00,045  WARN throng "), "{warning}");
        assert!(warning.contains("links without lanes") && warning.contains("link 7"), "{warning}");
        assert_eq!(rule, format!("2000-02-29T00:00:00,045  INFO throng {RULE}"));
        assert_eq!(heading, "2000-02-29T00:00:00,045  INFO throng ### ITERATION 3 BEGINS");
        assert!(begins.ends_with("reading a\\nb") && ends.contains(": done in 0.0"), "{begins} {ends}");
        assert_eq!(read(WARNINGS_NAME), format!("{warning}\n"));
    }
}
